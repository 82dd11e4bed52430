"""ChangePort."""

import pytest

from core.domain.changes import Change, Operation
from core.domain.tiers import Tier
from core.errors import InvalidValue
from tests.contracts.conftest import Setting


async def test_an_empty_stream(setting: Setting) -> None:
    assert await setting.changes.latest() == 0
    assert await setting.changes.after(0) == []
    assert await setting.changes.of("record", "7:default:key") == []


async def test_changes_are_read_in_order_from_where_one_was(setting: Setting) -> None:
    for n in range(5):
        setting.clock.now += 1
        await setting.memory.remember(f"k{n}", n, Tier.WORKING)
    changes = await setting.changes.after(0)
    assert (
        [change.sequence for change in changes] == [1, 2, 3, 4, 5] == list(range(1, await setting.changes.latest() + 1))
    )
    assert await setting.changes.after(3) == changes[3:]
    assert await setting.changes.after(1, limit=2) == changes[1:3]
    assert await setting.changes.after(99) == []
    expected = Change(5, "record", "7:default:k4", 1, Operation.CREATED, setting.clock.now, "person")
    assert await setting.changes.of("record", "7:default:k4") == [expected]


async def test_the_changes_of_one_thing_come_newest_first(setting: Setting) -> None:
    for n in range(4):
        await setting.memory.remember("a", n, Tier.WORKING)
        await setting.memory.remember("b", n, Tier.WORKING)
    assert [change.version for change in await setting.changes.of("record", "7:default:a")] == [4, 3, 2, 1]
    assert [change.version for change in await setting.changes.of("record", "7:default:a", limit=2)] == [4, 3]
    assert await setting.changes.of("paper", "7:default:a") == []


@pytest.mark.parametrize("limit", [0, -1, 1001])
async def test_limits_that_are_refused(setting: Setting, limit: int) -> None:
    with pytest.raises(InvalidValue):
        await setting.changes.after(0, limit)
    with pytest.raises(InvalidValue):
        await setting.changes.of("record", "x", limit)
