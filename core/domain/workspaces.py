"""What a workspace is, on disk and in the list of known ones."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import InvalidValue

FORMAT_VERSION = 1
SETTINGS = "workspace.toml"  # the file by which a folder is known as a workspace

RESERVED = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """From workspace.toml. `id` is a UUID in hex; two folders with one id are copies of each other. memory_backend: see
    core.domain.backends; "" where the file names none."""

    id: str
    name: str
    path: Path
    format_version: int = FORMAT_VERSION
    sealed: bool = False
    memory_backend: str = ""


class KnownState(StrEnum):
    READY = "ready"
    OPEN = "open"  # by this process
    IN_USE = "in_use"  # by another process
    MISSING = "missing"
    BROKEN = "broken"
    COPY = "copy"  # another folder in the list has the same id


@dataclass(frozen=True, slots=True)
class KnownWorkspace:
    """One line of the list of workspaces. The list on disk holds path and name alone; the state is looked up."""

    path: Path
    name: str
    state: KnownState
    id: str = ""
    reason: str = ""


def check_name(name: str) -> str:
    """Answer the name, trimmed. Raises InvalidValue where it is empty, too long or has control or half characters."""
    name = " ".join(name.split())
    if not name:
        raise InvalidValue("Give the workspace a name.")
    if len(name) > 80:
        raise InvalidValue("A workspace's name can have up to 80 characters.")
    if any(ord(c) < 32 or ord(c) == 127 for c in name):
        raise InvalidValue("A workspace's name can't hold control characters.")
    if any("\ud800" <= c <= "\udfff" for c in name):
        raise InvalidValue("A character of this name can't be stored. Type the name again.")
    return name


def folder_name(name: str) -> str:
    """A folder name for a workspace that is safe on Linux, macOS and Windows; the person's name stays in
    workspace.toml."""
    safe = "".join("_" if c in '<>:"/\\|?*' or ord(c) < 32 else c for c in name).strip(" .")
    if not safe or safe.split(".")[0].lower() in RESERVED:
        safe = f"_{safe}"
    return safe[:60].rstrip(" .")
