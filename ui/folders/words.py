"""How watched folders are spoken of."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from core.domain.watching import FolderState, Keep, WatchedFolder
from ui.qt import figures
from ui.qt.line import Line

STATES: dict[FolderState, tuple[str, str, str]] = {
    FolderState.WATCHING: ("Watching", "eye", "muted"),
    FolderState.CATCHING_UP: ("Catching up", "loader", "accent"),
    FolderState.NOT_THERE: ("Not there", "triangle-alert", "warn"),
    FolderState.PAUSED: ("Paused", "pause", "muted"),
}
"""State to words, icon and tone."""

STATE_TIPS: dict[FolderState, str] = {
    FolderState.WATCHING: "What comes into this folder becomes a paper within seconds",
    FolderState.CATCHING_UP: "Everything in this folder is being looked at",
    FolderState.NOT_THERE: "It was moved, or its disk is not connected. Its papers stay as they are",
    FolderState.PAUSED: "Nothing is taken from this folder until you go on",
}

KEEPS: dict[Keep, tuple[str, str]] = {
    Keep.COPY: (
        "Copy the files in",
        "The workspace keeps its own copy. A paper stays whole when its file is moved or deleted.",
    ),
    Keep.LINK: (
        "Leave the files where they are",
        "Nothing is copied, which saves room. A paper can be opened only while its file is there.",
    ),
}
"""How files are kept: in words, and what follows from it."""

KEPT: dict[Keep, str] = {Keep.COPY: "Copied in", Keep.LINK: "Linked in place"}

SUBFOLDERS = (("yes", "With the folders in it"), ("no", "This folder alone"))

SORTS: tuple[tuple[str, str, bool], ...] = (("", "By path", False), ("added", "Newest first", True))


def name(folder: WatchedFolder) -> str:
    return _clean(PurePath(folder.path).name or folder.path)


def path(folder: WatchedFolder) -> str:
    return shown_path(folder.path)


def shown_path(path: str) -> str:
    """The whole path; the person's own folder is written as ~, as file programs do."""
    home, whole = str(Path.home()), _clean(path)
    return f"~{whole[len(home) :]}" if whole.startswith((home + "/", home + "\\")) else whole


def _clean(text: str) -> str:
    return os.fsencode(text).decode("utf-8", "replace")


def state(folder: WatchedFolder) -> str:
    if folder.state is FolderState.WATCHING and folder.trouble:
        return "Needs attention"
    return STATES[folder.state][0]


def counts(folder: WatchedFolder) -> str:
    """ "1,204 papers, 3 not taken, 2 not there any more"."""
    said = [figures.of_things(folder.files, "file taken in", "files taken in")]
    if folder.refused:
        said.append(f"{figures.count(folder.refused)} not taken")
    if folder.gone:
        said.append(f"{figures.count(folder.gone)} not there any more")
    return ", ".join(said)


def line(folder: WatchedFolder) -> Line:
    _, icon, tone = STATES[folder.state]
    troubled = folder.trouble and folder.state is FolderState.WATCHING
    return Line(
        title=name(folder),
        detail=folder.trouble or f"{counts(folder)} · {KEPT[folder.keep].lower()}",
        kind="Watched folder",
        icon="folder" if folder.state is FolderState.WATCHING and not troubled else icon,
        when=figures.short_date(folder.looked_at) if folder.looked_at else "",
        status=state(folder),
        tone="warn" if troubled else tone,
    )


def rules(folder: WatchedFolder) -> str:
    """What is left out, in one line."""
    kept = [line.strip() for line in folder.rules.splitlines() if line.strip() and not line.startswith("#")]
    return ", ".join(kept) or "Nothing"


def of_folders(folders: Sequence[WatchedFolder]) -> str:
    if len(folders) == 1:
        return f"“{name(folders[0])}”"
    return figures.of_things(len(folders), "folder", "folders")
