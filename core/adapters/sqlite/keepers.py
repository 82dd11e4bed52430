"""Every kind of thing that may lie in the trash of a workspace."""

from collections.abc import Callable, Sequence
from functools import cached_property

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.paper_trash import PaperKeeper
from core.adapters.sqlite.session_trash import SessionKeeper
from core.adapters.sqlite.shared import SharedKeeper
from core.adapters.sqlite.trashing import Content, RecordKeeper, TrashKeeper
from core.ports.cutting import CutterPort


class _LateManifestKeeper:
    """The keeper of agents or skills, loaded with all that manifests need when one of them is met."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    @cached_property
    def _keeper(self) -> TrashKeeper:
        from core.adapters.sqlite.catalog import ManifestKeeper
        from core.domain.manifests import ManifestKind

        return ManifestKeeper(ManifestKind(self._kind))

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        return await self._keeper.returning(content, row)

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        self._keeper.erase(tx, rows)


def keepers(cutter: CutterPort) -> dict[str, TrashKeeper]:
    """For `SqliteTrash`."""
    return {
        "record": RecordKeeper(cutter),
        "shared": SharedKeeper(cutter),
        "session": SessionKeeper(cutter),
        "paper": PaperKeeper(),
        "agent": _LateManifestKeeper("agent"),
        "skill": _LateManifestKeeper("skill"),
    }
