"""MemoryPort and RecordBookPort in memory."""

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.changes import Operation
from core.domain.fillers import telling
from core.domain.folding import fold
from core.domain.history import (
    KEPT_ACCESSES,
    KEPT_VERSIONS,
    Access,
    AccessKind,
    Promotion,
    RecordVersion,
    is_due,
    is_same_content,
    is_same_use,
    is_same_writing,
)
from core.domain.memory import Json, Record, Source, Why
from core.domain.plurals import other_forms
from core.domain.readable import record_label, record_text
from core.domain.text import one_line
from core.domain.tiers import REINFORCEMENT, Tier, check_delta, reinforced, salience_now
from core.domain.writing import plain, words
from core.errors import NotFound, VersionConflict
from core.events import Changed
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore
from tests.fakes.trash import FakeTrash
from tests.fakes.values import checked, kept, limited


@dataclass
class Held:
    """A record with its history."""

    number: int
    record: Record
    former: list[RecordVersion] = field(default_factory=list[RecordVersion])
    accesses: list[Access] = field(default_factory=list[Access])
    refused_at: int | None = None


@dataclass
class Shelf:
    """The records of one workspace, shared by everybody who works on them."""

    store: FakeStore
    trash: FakeTrash
    held: dict[tuple[str, str], Held] = field(default_factory=dict[tuple[str, str], Held])
    last: int = 0


class FakeRecords:
    """Both ports on one shelf. `actor` is who the changes are written down for."""

    def __init__(self, shelf: Shelf, actor: str = "person") -> None:
        self._shelf = shelf
        self._actor = actor

    def _noted(self, record: Record, operation: Operation) -> Record:
        self._shelf.store.changed("record", record.id, record.version, operation, self._actor)
        return copy.deepcopy(record)

    def _held(self, key: str, namespace: str) -> Held | None:
        checked(namespace, "namespace")
        return self._shelf.held.get((namespace, checked(key, "key")))

    def _known(self, key: str, namespace: str) -> Held:
        held = self._held(key, namespace)
        if held is None:
            raise NotFound(f"There is no memory “{key}” in “{namespace}”.")
        return held

    def _write(self, held: Held, record: Record) -> Record:
        held.former.insert(0, replace(version_of(held.record), present=False))
        del held.former[KEPT_VERSIONS:]
        held.record = record
        return self._noted(record, Operation.UPDATED)

    # ---- MemoryPort -------------------------------------------------------------------------------------------------

    async def remember(
        self,
        key: str,
        value: Json,
        tier: Tier,
        namespace: str = "default",
        metadata: Mapping[str, Json] | None = None,
        *,
        source: Source | None = None,
        expected: int | None = None,
    ) -> Record:
        held = self._held(key, namespace)
        now = self._shelf.store.clock()
        fresh = Record(
            namespace, key, kept(value), Tier(tier), kept(dict(metadata or {})), 1.0, 0, now, now, now,
            created_by=self._actor, updated_by=self._actor, source=source,
        )  # fmt: skip
        expect(expected, held and held.record, fresh)
        if held is not None:
            old = held.record
            return self._write(
                held,
                replace(
                    fresh,
                    salience=old.salience,
                    access_count=old.access_count,
                    created_at=old.created_at,
                    created_by=old.created_by,
                    last_accessed_at=old.last_accessed_at,
                    pinned=old.pinned,
                    version=old.version + 1,
                ),
            )
        self._shelf.last += 1
        self._shelf.held[namespace, key] = Held(self._shelf.last, fresh)
        return self._noted(fresh, Operation.CREATED)

    async def recall(
        self,
        query: str,
        tier: Tier | None = None,
        namespace: str = "default",
        limit: int = 10,
        *,
        tags: Sequence[str] = (),
        after: float | None = None,
        before: float | None = None,
        learn: bool = False,
    ) -> list[Record]:
        checked(namespace, "namespace")
        limited(limit, 100)
        asked = telling(words(query))
        now = self._shelf.store.clock()
        found: list[tuple[Held, int, tuple[str, ...]]] = []
        for held in self._shelf.held.values():
            record = held.record
            if (
                record.namespace == namespace
                and (tier is None or record.tier is tier)
                and {fold(tag) for tag in tags} <= {fold(tag) for tag in record.tags}
                and (after is None or record.updated_at >= after)
                and (before is None or record.updated_at <= before)
            ):
                count, there = matches(asked, record)
                if count or not asked:
                    found.append((held, count, there))
        most = max((count for _, count, _ in found), default=0)
        scored: list[tuple[float, float, int, Held, Why]] = []
        for held, count, there in found:
            record = held.record
            present = salience_now(record.salience, record.last_accessed_at, now, record.tier, pinned=record.pinned)
            why = Why(count / most, present, there, count / most) if asked else Why(1.0, present)
            scored.append((why.relevance * present, record.updated_at, held.number, held, why))
        scored.sort(key=lambda row: row[:3], reverse=True)
        answer = [replace(copy.deepcopy(held.record), score=score, why=why) for score, *_, held, why in scored[:limit]]
        if learn:
            for *_, held, _why in scored[:limit]:
                self._access(held, AccessKind.RECALLED, 0.0, one_line(query)[:500])
        return answer

    async def get(self, key: str, namespace: str = "default") -> Record | None:
        held = self._held(key, namespace)
        return held and copy.deepcopy(held.record)

    async def forget(self, key: str, namespace: str = "default") -> bool:
        held = self._held(key, namespace)
        if held is None:
            return False
        del self._shelf.held[namespace, key]
        record = held.record

        def back() -> None:
            standing = self._shelf.held.get((namespace, key))
            if standing is not None:
                raise VersionConflict("It was written again.", present=standing.record, wanted=record)
            self._shelf.held[namespace, key] = held
            self._noted(record, Operation.CREATED)

        self._shelf.trash.put("record", record.id, record.title, record_text(record), self._actor, back)
        self._noted(replace(record, version=record.version + 1), Operation.DELETED)
        return True

    async def forget_all(self, namespace: str) -> int:
        checked(namespace, "namespace")
        keys = [key for place, key in self._shelf.held if place == namespace]
        for key in keys:
            await self.forget(key, namespace)
        return len(keys)

    async def reinforce(self, key: str, namespace: str = "default", delta: float = REINFORCEMENT) -> Record:
        checked(namespace, "namespace")
        checked(key, "key")
        check_delta(delta)
        return self._access(self._known(key, namespace), AccessKind.REINFORCED, delta)

    async def close(self) -> None:
        pass

    def _access(self, held: Held, kind: AccessKind, delta: float, question: str = "") -> Record:
        now = self._shelf.store.clock()
        old = held.record
        held.record = replace(
            old,
            salience=reinforced(old.salience, delta),
            access_count=old.access_count + 1,
            last_accessed_at=now,
        )
        held.accesses.insert(0, Access(kind, now, self._actor, held.record.salience, question))
        del held.accesses[KEPT_ACCESSES:]
        return self._noted(held.record, Operation.UPDATED)

    # ---- RecordBookPort ---------------------------------------------------------------------------------------------

    async def edit(self, changed: Record, expected: int | None) -> Record:
        held = self._held(changed.key, changed.namespace)
        changed = replace(changed, value=kept(changed.value), metadata=kept(changed.metadata))
        if held is None and expected is None:
            raise NotFound(f"There is no memory “{changed.key}”.")
        expect(expected, held and held.record, changed)
        assert held is not None
        return self._edited(held, replace(changed, source=held.record.source))

    def _edited(self, held: Held, new: Record) -> Record:
        old = held.record
        record = replace(
            old, value=new.value, tier=new.tier, metadata=new.metadata, pinned=new.pinned, source=new.source
        )
        if is_same_content(old, record):
            return copy.deepcopy(old)
        now = self._shelf.store.clock()
        return self._write(held, replace(record, updated_at=now, updated_by=self._actor, version=old.version + 1))

    async def take(self, record: Record) -> Record:
        held = self._held(record.key, record.namespace)
        expect(0, held and held.record, record)
        self._shelf.last += 1
        record = replace(copy.deepcopy(record), score=None, why=None)
        self._shelf.held[record.namespace, record.key] = Held(self._shelf.last, record)
        return self._noted(record, Operation.CREATED)

    async def undo_edit(self, before: Record, after: Record) -> Record:
        held = self._held(before.key, before.namespace)
        if held is None or not is_same_writing(held.record, after):
            raise VersionConflict("It was changed.", present=held and held.record, wanted=before)
        old = held.record
        return self._write(
            held,
            replace(
                copy.deepcopy(before),
                salience=old.salience,
                access_count=old.access_count,
                last_accessed_at=old.last_accessed_at,
                version=old.version + 1,
                score=None,
                why=None,
            ),
        )

    async def undo_access(self, before: Record, after: Record) -> Record:
        held = self._held(before.key, before.namespace)
        if held is None or not is_same_use(held.record, after):
            raise VersionConflict("It was used.", present=held and held.record, wanted=before)
        more = before.access_count - held.record.access_count
        if more < 0:
            del held.accesses[:-more]
        for _ in range(more):
            now = self._shelf.store.clock()
            held.accesses.insert(0, Access(AccessKind.REINFORCED, now, self._actor, before.salience))
        held.record = replace(
            held.record,
            salience=before.salience,
            access_count=before.access_count,
            last_accessed_at=before.last_accessed_at,
        )
        return self._noted(held.record, Operation.UPDATED)

    async def versions(self, key: str, namespace: str = "default", limit: int = 100) -> list[RecordVersion]:
        limited(limit, KEPT_VERSIONS)
        held = self._held(key, namespace)
        return [] if held is None else copy.deepcopy([version_of(held.record), *held.former][:limit])

    async def restore_version(
        self, key: str, namespace: str = "default", *, version: int, expected: int | None = None
    ) -> Record:
        held = self._known(key, namespace)
        wanted = next((one for one in (version_of(held.record), *held.former) if one.version == version), None)
        if wanted is None:
            raise NotFound(f"Version {version} is not kept any more.")
        changed = replace(
            held.record,
            value=wanted.value,
            tier=wanted.tier,
            metadata=wanted.metadata,
            pinned=wanted.pinned,
            source=wanted.source,
        )
        expect(expected, held.record, changed)
        return self._edited(held, copy.deepcopy(changed))

    async def accesses(self, key: str, namespace: str = "default", limit: int = 100) -> list[Access]:
        limited(limit, KEPT_ACCESSES)
        held = self._held(key, namespace)
        return [] if held is None else held.accesses[:limit]

    async def tags(self, namespace: str | None = None) -> list[tuple[str, int]]:
        counted: Counter[str] = Counter()
        spelt: dict[str, str] = {}
        for held in self._shelf.held.values():
            if namespace in (None, held.record.namespace):
                for tag in {fold(tag): tag for tag in held.record.tags if tag.strip()}.values():
                    counted[fold(tag)] += 1
                    spelt[fold(tag)] = min(tag, spelt.get(fold(tag), tag))
        ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(spelt[folded], count) for folded, count in ordered]

    async def namespaces(self) -> list[tuple[str, int]]:
        return sorted(Counter(namespace for namespace, _ in self._shelf.held).items())

    async def writers(self) -> list[tuple[str, int]]:
        counted = Counter(held.record.updated_by for held in self._shelf.held.values())
        return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))

    async def proposals(self, limit: int = 100) -> list[Promotion]:
        limited(limit, 100)
        due = [
            held
            for held in self._shelf.held.values()
            if held.record.tier is Tier.WORKING and is_due(held.record.access_count, held.refused_at)
        ]
        due.sort(key=lambda held: (held.record.access_count, held.number), reverse=True)
        return [Promotion(copy.deepcopy(held.record)) for held in due[:limit]]

    async def refuse(self, key: str, namespace: str = "default") -> None:
        held = self._known(key, namespace)
        held.refused_at = held.record.access_count
        self._shelf.store.published.append(Changed("record", (held.record.id,), self._actor))

    async def unrefuse(self, key: str, namespace: str = "default") -> None:
        held = self._known(key, namespace)
        held.refused_at = None
        self._shelf.store.published.append(Changed("record", (held.record.id,), self._actor))

    def rows(self) -> FakeRows[Record]:
        return FakeRows(
            everything=lambda: {held.number: held.record for held in self._shelf.held.values()},
            title=lambda record: f"{record.title}\n{record.key}",
            own_key=lambda record: record.updated_at,
            own_descending=True,
            sort_keys={"updated": lambda record: record.updated_at, "accesses": lambda record: record.access_count},
            facet_values={"tier": lambda record: record.tier, "namespace": lambda record: record.namespace},
            facets={"tier": tuple(Tier), "namespace": ()},
        )


def version_of(record: Record) -> RecordVersion:
    return RecordVersion(
        record.version, record.value, record.tier, record.metadata, record.pinned, record.updated_at,
        record.updated_by, record.source, present=True,
    )  # fmt: skip


def expect(expected: int | None, present: Record | None, wanted: Record) -> None:
    if expected is not None and expected != (present.version if present else 0):
        raise VersionConflict("It was changed.", present=present, wanted=wanted)


def matches(asked: Sequence[str], record: Record) -> tuple[int, tuple[str, ...]]:
    """How often the words asked for stand in a record, in either number, and which of them do."""
    shown = words("\n".join((record.title, *record_label(record), record_text(record))))
    counts = Counter(plain(word) for word in shown)
    found = {word: sum(counts[form] for form in (plain(word), *other_forms(plain(word)))) for word in asked}
    return sum(found.values()), tuple(word for word, count in found.items() if count)
