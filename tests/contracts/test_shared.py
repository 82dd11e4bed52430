"""SharedPort."""

import pytest

from core.domain.changes import Operation
from core.domain.memory import Json
from core.errors import InvalidValue
from tests.contracts.conftest import Setting


async def test_what_is_set_is_got_back(setting: Setting) -> None:
    entry = await setting.shared.set("opening hours", {"Mo": "8–17", "Tu": None}, {"unit": "local time"})
    assert (entry.value, entry.metadata, entry.version) == ({"Mo": "8–17", "Tu": None}, {"unit": "local time"}, 1)
    assert (entry.updated_at, entry.updated_by) == (setting.clock.now, "person")
    assert await setting.shared.get("opening hours") == entry
    assert await setting.shared.get("other") is None


async def test_setting_again_replaces(setting: Setting) -> None:
    await setting.shared.set("key", "nasopharynx", {"a": 1})
    setting.clock.now += 1
    entry = await setting.shared.set("key", "larynx")
    assert (entry.value, entry.metadata, entry.version) == ("larynx", {}, 2)
    assert await setting.shared.get("key") == entry
    assert await setting.passages("shared", "key") in (["larynx"], None)


@pytest.mark.parametrize("value", [None, False, 0, 1.5, "", "a\0", [1, [2]], {"a": {"b": None}}])
async def test_values_keep_their_type(setting: Setting, value: Json) -> None:
    await setting.shared.set("key", value)
    entry = await setting.shared.get("key")
    assert entry is not None
    assert entry.value == value
    assert type(entry.value) is type(value)


async def test_deleting_leaves_nothing(setting: Setting) -> None:
    await setting.shared.set("key", "word")
    assert await setting.shared.delete("key")
    assert not await setting.shared.delete("key")
    assert await setting.shared.get("key") is None
    assert await setting.passages("shared", "key") in ([], None)


@pytest.mark.parametrize("bad", ["", "\t", "a\0b", "..", "a/b", "a\\b"])
async def test_keys_that_are_refused(setting: Setting, bad: str) -> None:
    for call in (
        lambda: setting.shared.get(bad),
        lambda: setting.shared.set(bad, 1),
        lambda: setting.shared.delete(bad),
    ):
        with pytest.raises(InvalidValue):
            await call()


async def test_what_is_no_json_is_refused(setting: Setting) -> None:
    with pytest.raises(InvalidValue):
        await setting.shared.set("key", float("nan"))
    assert await setting.changes.latest() == 0


async def test_every_write_is_in_the_stream(setting: Setting) -> None:
    await setting.shared.set("key", 1)
    await setting.shared.set("key", 2)
    await setting.shared.delete("key")
    stream = await setting.changes.of("shared", "key")
    assert [(change.version, change.operation) for change in reversed(stream)] == [
        (1, Operation.CREATED),
        (2, Operation.UPDATED),
        (3, Operation.DELETED),
    ]
