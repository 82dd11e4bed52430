"""SharedPort."""

from dataclasses import replace

import pytest

from core.domain.changes import Operation
from core.domain.memory import Json, SharedEntry, ValueType
from core.errors import InvalidValue, NotFound, VersionConflict
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


async def test_a_key_keeps_its_type(setting: Setting) -> None:
    assert (await setting.shared.set("minutes", 15)).type is ValueType.NUMBER
    with pytest.raises(InvalidValue, match="minutes"):
        await setting.shared.set("minutes", "a quarter")
    assert (await setting.shared.set("minutes", 20.5)).value == 20.5
    assert (await setting.shared.set("minutes", None)).type is ValueType.NUMBER
    changed = await setting.shared.set("minutes", "a quarter", type=ValueType.TEXT)
    assert (changed.type, changed.version) == (ValueType.TEXT, 4)
    with pytest.raises(InvalidValue):
        await setting.shared.set("minutes", 5)
    with pytest.raises(InvalidValue):
        await setting.shared.set("new", 5, type=ValueType.LIST)
    assert (await setting.shared.set("anything", None)).type is ValueType.ANYTHING
    assert (await setting.shared.set("anything", [1])).type is ValueType.ANYTHING


@pytest.mark.parametrize(
    ("value", "type"),
    [(True, "yes_no"), (0, "number"), (1.5, "number"), ("", "text"), ([], "list"), ({}, "structure")],
)
async def test_a_new_key_takes_the_type_of_its_value(setting: Setting, value: Json, type: str) -> None:
    assert (await setting.shared.set("key", value)).type == type


async def test_setting_what_was_changed_meanwhile_carries_both(setting: Setting) -> None:
    first = await setting.shared.set("key", 1, expected=0)
    second = await setting.shared.set("key", 2, expected=first.version)
    for expected in (0, first.version):
        with pytest.raises(VersionConflict) as caught:
            await setting.shared.set("key", 3, expected=expected)
        assert caught.value.present == second
        assert isinstance(caught.value.wanted, SharedEntry)
        assert caught.value.wanted.value == 3
    with pytest.raises(VersionConflict):
        await setting.shared.delete("key", expected=first.version)
    assert await setting.shared.delete("key", expected=second.version)
    with pytest.raises(VersionConflict) as caught:
        await setting.shared.set("key", 3, expected=second.version)
    assert caught.value.present is None


async def test_former_values_are_kept_and_written_anew(setting: Setting) -> None:
    await setting.shared.set("key", "nasopharynx", {"m": 1})
    setting.clock.now += 10
    await setting.shared.set("key", 2, type=ValueType.NUMBER)
    versions = await setting.shared.versions("key")
    assert [(v.version, v.value, v.type, v.metadata, v.by, v.present) for v in versions] == [
        (2, 2, ValueType.NUMBER, {}, "person", True),
        (1, "nasopharynx", ValueType.TEXT, {"m": 1}, "person", False),
    ]
    assert versions[0].at == versions[1].at + 10
    restored = await setting.shared.restore_version("key", 1, expected=2)
    assert (restored.value, restored.type, restored.metadata, restored.version) == (
        "nasopharynx", ValueType.TEXT, {"m": 1}, 3,
    )  # fmt: skip
    assert await setting.passages("shared", "key") in (["nasopharynx"], None)
    with pytest.raises(VersionConflict):
        await setting.shared.restore_version("key", 1, expected=2)
    for key, version in (("key", 9), ("other", 1)):
        with pytest.raises(NotFound):
            await setting.shared.restore_version(key, version)
    assert await setting.shared.versions("other") == []


async def test_undoing_a_setting_restores_it_exactly(setting: Setting) -> None:
    before = await setting.shared.set("key", "nasopharynx", {"m": 1})
    setting.clock.now += 10
    after = await setting.shared.set("key", 2, type=ValueType.NUMBER)
    undone = await setting.shared.undo_edit(before, after)
    assert undone == replace(before, version=3) == await setting.shared.get("key")
    redone = await setting.shared.undo_edit(after, undone)
    assert redone == replace(after, version=4)
    await setting.shared.set("key", 3)
    with pytest.raises(VersionConflict) as caught:
        await setting.shared.undo_edit(before, after)
    assert isinstance(caught.value.present, SharedEntry)
    assert caught.value.present.value == 3
