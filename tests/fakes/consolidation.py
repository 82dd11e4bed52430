"""ConsolidationPort in memory: every record is compared with every other."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from core.domain.consolidation import ALIKE, Choice, Merged, Pair, chosen, merged, said
from core.domain.history import is_same_use, is_same_writing
from core.domain.memory import Record
from core.errors import NotFound, VersionConflict
from tests.fakes.records import FakeRecords, Held, Shelf, expect
from tests.fakes.values import checked, limited


class FakeConsolidation:
    """vectors: of length 1, by id of the record."""

    def __init__(self, shelf: Shelf, actor: str = "person") -> None:
        self._shelf = shelf
        self._records = FakeRecords(shelf, actor)
        self._actor = actor
        self._apart: set[frozenset[int]] = set()
        self.vectors: dict[str, Sequence[float]] = {}

    def _held(self, record: Record) -> Held | None:
        return self._shelf.held.get((record.namespace, record.key))

    async def pairs(self, namespace: str = "default", limit: int = 100) -> list[Pair]:
        checked(namespace, "namespace")
        limited(limit, 100)
        held = [one for one in self._shelf.held.values() if one.record.namespace == namespace]
        found: list[Pair] = []
        for one, other in combinations(held, 2):
            similarity = self._similarity(one.record, other.record)
            if similarity >= ALIKE and frozenset((one.number, other.number)) not in self._apart:
                left, right = sorted((one.record, other.record), key=lambda record: (record.created_at, record.key))
                found.append(Pair(left, right, similarity))
        return copy.deepcopy(sorted(found, key=lambda pair: -pair.similarity)[:limit])

    def _similarity(self, one: Record, other: Record) -> float:
        if said(one) == said(other):
            return 1.0
        pairs = zip(self.vectors.get(one.id, ()), self.vectors.get(other.id, ()), strict=False)
        return sum(a * b for a, b in pairs)

    async def merge(self, pair: Pair, choice: Choice) -> Merged:
        kept, other = chosen(pair, choice)
        held, gone = self._held(kept), self._held(other)
        expect(kept.version, held and held.record, kept)
        expect(other.version, gone and gone.record, other)
        assert held is not None
        assert gone is not None
        before, lost, now = held.record, gone.record, self._shelf.store.clock()
        after = replace(
            merged(before, lost, choice.text), updated_at=now, updated_by=self._actor, version=before.version + 1
        )
        self._records._write(held, after)
        await self._records.forget(other.key, other.namespace)
        return Merged(before, copy.deepcopy(after), lost, self._shelf.trash.last)

    async def unmerge(self, merged: Merged) -> None:
        held = self._held(merged.before)
        if held is None or not is_same_writing(held.record, merged.after):
            raise VersionConflict("It was changed.", present=held and held.record, wanted=merged.before)
        await self._shelf.trash.restore(merged.trashed)
        used = merged.before if is_same_use(held.record, merged.after) else held.record
        self._records._write(
            held,
            replace(
                merged.before,
                salience=used.salience,
                access_count=used.access_count,
                last_accessed_at=used.last_accessed_at,
                version=held.record.version + 1,
            ),
        )

    async def refuse(self, pair: Pair) -> None:
        self._apart.add(self._numbers(pair))

    async def unrefuse(self, pair: Pair) -> None:
        self._apart.discard(self._numbers(pair))

    def _numbers(self, pair: Pair) -> frozenset[int]:
        one, other = self._held(pair.left), self._held(pair.right)
        if one is None or other is None:
            raise NotFound("It is not there any more.")
        return frozenset((one.number, other.number))
