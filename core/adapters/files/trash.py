"""The system's trash (TrashPort)."""

from pathlib import Path

from send2trash import send2trash

from core.adapters.files.disk import in_thread, shown
from core.errors import EnvironmentFault, NotFound


class SystemTrash:
    """Moves things to the trash of this user, where they can be put back from."""

    async def trash(self, path: Path) -> None:
        if not path.exists():
            raise NotFound(f"“{shown(path)}” is not there any more.")
        try:
            await in_thread(lambda stop: send2trash(path))
        except OSError as error:
            raise EnvironmentFault(
                f"“{shown(path)}” could not be moved to the trash; there may be none on its disk. Nothing was deleted."
            ) from error
