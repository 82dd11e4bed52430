"""SharedPort in memory."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.domain.changes import Operation
from core.domain.history import KEPT_VERSIONS, SharedVersion, is_same_entry
from core.domain.memory import Json, SharedEntry, ValueType, type_of
from core.domain.readable import entry_text
from core.domain.scopes import check_key
from core.errors import InvalidValue, NotFound, VersionConflict
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore
from tests.fakes.trash import FakeTrash
from tests.fakes.values import checked, kept, limited


@dataclass
class _Held:
    number: int
    entry: SharedEntry
    former: list[SharedVersion] = field(default_factory=list[SharedVersion])


class FakeShared:
    def __init__(self, store: FakeStore, trash: FakeTrash, actor: str = "person") -> None:
        self._store = store
        self._trash = trash
        self._actor = actor
        self._held: dict[str, _Held] = {}
        self._last = 0

    async def get(self, key: str) -> SharedEntry | None:
        held = self._held.get(check_key(key))
        return held and copy.deepcopy(held.entry)

    async def set(
        self,
        key: str,
        value: Json,
        metadata: Mapping[str, Json] | None = None,
        *,
        type: ValueType | None = None,
        expected: int | None = None,
    ) -> SharedEntry:
        held = self._held.get(checked(key, "key"))
        known = held and held.entry
        entry = SharedEntry(key, kept(value), self._store.clock(), self._actor, kept(dict(metadata or {})))
        expect(expected, known, entry)
        kind = type or (known.type if known else type_of(value))
        if not kind.allows(value):
            raise InvalidValue(f"“{key}” takes {kind}.")
        return self._write(replace(entry, type=kind))

    def _write(self, entry: SharedEntry) -> SharedEntry:
        held = self._held.get(entry.key)
        if held is None:
            self._last += 1
            self._held[entry.key] = _Held(self._last, entry)
        else:
            held.former.insert(0, replace(version_of(held.entry), present=False))
            entry = replace(entry, version=held.entry.version + 1)
            held.entry = entry
        operation = Operation.UPDATED if held else Operation.CREATED
        self._store.changed("shared", entry.key, entry.version, operation, self._actor)
        return copy.deepcopy(entry)

    async def delete(self, key: str, *, expected: int | None = None) -> bool:
        held = self._held.get(check_key(key))
        if held is None:
            return False
        expect(expected, held.entry, held.entry)
        del self._held[key]

        def back() -> None:
            if key in self._held:
                raise VersionConflict("It was set again.", present=self._held[key].entry, wanted=held.entry)
            self._held[key] = held
            self._store.changed("shared", key, held.entry.version, Operation.CREATED, self._actor)

        self._trash.put("shared", key, key, entry_text(key, held.entry.value), self._actor, back)
        self._store.changed("shared", key, held.entry.version + 1, Operation.DELETED, self._actor)
        return True

    async def undo_edit(self, before: SharedEntry, after: SharedEntry) -> SharedEntry:
        held = self._held.get(before.key)
        if held is None or not is_same_entry(held.entry, after):
            raise VersionConflict("It was changed.", present=held and held.entry, wanted=before)
        return self._write(copy.deepcopy(before))

    async def versions(self, key: str, limit: int = 100) -> list[SharedVersion]:
        limited(limit, KEPT_VERSIONS)
        held = self._held.get(check_key(key))
        return [] if held is None else copy.deepcopy([version_of(held.entry), *held.former][:limit])

    async def restore_version(self, key: str, version: int, *, expected: int | None = None) -> SharedEntry:
        held = self._held.get(check_key(key))
        if held is None:
            raise NotFound(f"There is no shared entry “{key}”.")
        wanted = next((one for one in (version_of(held.entry), *held.former) if one.version == version), None)
        if wanted is None:
            raise NotFound(f"Version {version} is not kept any more.")
        entry = replace(
            held.entry,
            value=wanted.value,
            type=wanted.type,
            metadata=wanted.metadata,
            updated_at=self._store.clock(),
            updated_by=self._actor,
        )
        expect(expected, held.entry, entry)
        return self._write(copy.deepcopy(entry))

    def rows(self) -> FakeRows[SharedEntry]:
        return FakeRows(
            everything=lambda: {held.number: held.entry for held in self._held.values()},
            title=lambda entry: entry.key,
            own_key=lambda entry: entry.key.lower(),
            own_descending=False,
            sort_keys={"key": lambda entry: entry.key.lower(), "updated": lambda entry: entry.updated_at},
            facet_values={"by": lambda entry: entry.updated_by},
            facets={"by": ()},
        )


def version_of(entry: SharedEntry) -> SharedVersion:
    return SharedVersion(
        entry.version, entry.value, entry.type, entry.metadata, entry.updated_at, entry.updated_by, present=True
    )


def expect(expected: int | None, present: SharedEntry | None, wanted: SharedEntry) -> None:
    if expected is not None and expected != (present.version if present else 0):
        raise VersionConflict("It was changed.", present=present, wanted=wanted)
