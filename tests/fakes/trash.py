"""ForgottenPort in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.domain.text import clean
from core.domain.trash import PREVIEW, Trashed
from core.errors import NotFound
from core.events import Changed
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore


@dataclass
class FakeTrash:
    """The fakes of one workspace put things here, each with what brings it back."""

    store: FakeStore
    held: dict[int, tuple[Trashed, Callable[[], None]]] = field(
        default_factory=dict[int, tuple[Trashed, Callable[[], None]]]
    )
    last: int = 0
    gone: dict[int, Callable[[], None]] = field(default_factory=dict[int, Callable[[], None]])

    def put(
        self,
        kind: str,
        id: str,
        title: str,
        text: str,
        actor: str,
        back: Callable[[], None],
        gone: Callable[[], None] = lambda: None,
    ) -> None:
        """back: puts it back; gone: what else is to be done when it is erased."""
        self.last += 1
        self.gone[self.last] = gone
        thing = Trashed(self.last, kind, id, clean(title), clean(text)[:PREVIEW], self.store.clock(), actor)
        self.held[self.last] = thing, back
        self.store.published.append(Changed("trash", (), actor))

    def take(self, kind: str, id: str) -> None:
        """It is back by another way."""
        for number, (thing, _) in list(self.held.items()):
            if (thing.kind, thing.id) == (kind, id):
                del self.held[number]

    async def find(self, kind: str, id: str) -> Trashed | None:
        return next((thing for thing, _ in reversed(self.held.values()) if (thing.kind, thing.id) == (kind, id)), None)

    async def restore(self, number: int) -> Trashed:
        if number not in self.held:
            raise NotFound("This is not in the trash any more.")
        thing, back = self.held[number]
        back()
        del self.held[number]
        self.store.published.append(Changed("trash", (str(number),), "person"))
        return thing

    async def erase(self, numbers: Sequence[int]) -> int:
        gone = [number for number in numbers if self.held.pop(number, None) is not None]
        for number in gone:
            self.gone[number]()
        if gone:
            self.store.published.append(Changed("trash", tuple(map(str, gone)), "person"))
        return len(gone)

    async def erase_until(self, instant: float, limit: int = 500) -> int:
        return await self.erase([n for n, (thing, _) in self.held.items() if thing.removed_at <= instant][:limit])

    async def oldest(self) -> float | None:
        return min((thing.removed_at for thing, _ in self.held.values()), default=None)

    async def empty(self) -> int:
        return await self.erase(list(self.held))

    def rows(self) -> FakeRows[Trashed]:
        return FakeRows(
            everything=lambda: {number: thing for number, (thing, _) in self.held.items()},
            title=lambda thing: thing.title,
            own_key=lambda thing: thing.number,
            own_descending=True,
            sort_keys={"title": lambda thing: thing.title.lower(), "removed": lambda thing: thing.removed_at},
            facet_values={"kind": lambda thing: thing.kind, "by": lambda thing: thing.removed_by},
            facets={"kind": (), "by": ()},
        )
