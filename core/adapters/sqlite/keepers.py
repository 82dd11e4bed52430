"""Every kind of thing that may lie in the trash of a workspace."""

from core.adapters.sqlite.catalog import ManifestKeeper
from core.adapters.sqlite.paper_trash import PaperKeeper
from core.adapters.sqlite.session_trash import SessionKeeper
from core.adapters.sqlite.shared import SharedKeeper
from core.adapters.sqlite.trashing import RecordKeeper, TrashKeeper
from core.domain.manifests import ManifestKind
from core.ports.cutting import CutterPort


def keepers(cutter: CutterPort) -> dict[str, TrashKeeper]:
    """For `SqliteTrash`."""
    return {
        "record": RecordKeeper(cutter),
        "shared": SharedKeeper(cutter),
        "session": SessionKeeper(cutter),
        "paper": PaperKeeper(),
        "agent": ManifestKeeper(ManifestKind.AGENT),
        "skill": ManifestKeeper(ManifestKind.SKILL),
    }
