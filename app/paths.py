"""Where the program keeps what is not in a workspace: settings, the list of workspaces, crash reports, its own log.

Nothing here holds content of a workspace: paths, names and window settings only.
"""

import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from core.errors import EnvironmentFault

NAME = "Muniment"


@dataclass(frozen=True, slots=True)
class Paths:
    """data: list of workspaces and crash reports. config: settings. log: the program's log."""

    data: Path
    config: Path
    log: Path

    @classmethod
    def of_user(cls) -> "Paths":
        """The folders of this user, made private (0700) where they are missing. Raises EnvironmentFault."""
        paths = cls(
            data=platformdirs.user_data_path(NAME, appauthor=False),
            config=platformdirs.user_config_path(NAME, appauthor=False),
            log=platformdirs.user_log_path(NAME, appauthor=False),
        )
        for folder in (paths.data, paths.config, paths.log):
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise EnvironmentFault(
                    f"Muniment can't keep its settings in “{folder}” ({error.strerror}). "
                    "See that the folder can be made and written to."
                ) from error
        return paths

    @property
    def known_workspaces(self) -> Path:
        return self.data / "workspaces.toml"

    @property
    def crashes(self) -> Path:
        return self.data / "crashes"


def default_parent() -> Path:
    """Where a new workspace is made unless the person says otherwise."""
    return platformdirs.user_documents_path() / NAME


def resources() -> Path:
    """The folder of icons, fonts, model and sample; inside the program when it is frozen."""
    frozen = getattr(sys, "_MEIPASS", None)
    return Path(frozen, "resources") if frozen else Path(__file__).resolve().parent.parent / "resources"


def recognition_models() -> Path:
    """The folder of the networks that recognise text in pictures: in a package of models, of which nothing is run."""
    frozen = resources() / "recognition"
    package = find_spec("rapidocr")
    return frozen if frozen.is_dir() or package is None else Path(package.origin or "").parent / "models"


def worker_command(kind: str) -> list[str]:
    """How this program starts a worker process of itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker", kind]
    return [sys.executable, "-m", "core.adapters.workers", kind]


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
