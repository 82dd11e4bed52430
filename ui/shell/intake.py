"""What is given to the window (dropped, pasted, chosen) on its way to the papers, or the sentence that says why not."""

import asyncio
import os
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData
from PySide6.QtGui import QImage, QImageWriter

from core.errors import UserError
from core.services.workspace import Workspace
from ui.commands.place import Undo
from ui.widgets.basics import number

LINK = (
    "That is a link to a page on the internet, and Muniment opens no connection. "
    "Save the page or the file on this computer, then drop it here."
)
VIRTUAL = "That can't be taken directly from its program. Save it as a file on this computer, then drop the file here."
NOTHING = "There is nothing here that can become a paper. Copy a file, a picture or some text first."


@dataclass(frozen=True, slots=True)
class Given:
    """Either paths, or bytes with the name that they get, or a sentence."""

    paths: tuple[Path, ...] = ()
    data: bytes = b""
    name: str = ""
    sentence: str = ""


def look(mime: QMimeData) -> Given:
    """What it is, without reading any file."""
    paths = tuple(Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())
    if paths:
        return Given(paths=paths)
    if mime.hasUrls():
        return Given(sentence=LINK)
    stamp = time.strftime("%Y-%m-%d %H.%M.%S")
    if mime.hasImage():
        image = mime.imageData()
        data = _png(image if isinstance(image, QImage) else QImage())
        return Given(data=data, name=f"Picture {stamp}.png") if data else Given(sentence=VIRTUAL)
    text = mime.text() if mime.hasText() else ""
    if text.strip():
        if text.strip().startswith(("http://", "https://")) and len(text.split()) == 1:
            return Given(sentence=LINK)
        return Given(data=text.encode("utf-8", "replace"), name=f"Text {stamp}.txt")
    return Given(sentence=VIRTUAL if mime.formats() else NOTHING)


def _png(image: QImage) -> bytes:
    if image.isNull():
        return b""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(data.data())


def words_for(mime: QMimeData, workspace: str) -> str:
    """What will happen when it is dropped: “Add 52 papers to Northside Clinic”. Looks at names, never into folders."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    if not paths:
        if mime.hasUrls():
            return "A link can't be added. Save it on this computer first."
        return f"Add this to {workspace} as a paper" if mime.hasText() or mime.hasImage() else "This can't be added"
    folders = [path for path in paths if path.is_dir()]
    files = len(paths) - len(folders)
    parts = []
    if files:
        parts.append(f"{number(files)} {'paper' if files == 1 else 'papers'}")
    if len(folders) == 1:
        parts.append(f"everything in “{folders[0].name}”")
    elif folders:
        parts.append(f"everything in {number(len(folders))} folders")
    return f"Add {' and '.join(parts)} to {workspace}"


class Intake:
    """Takes in what was given to one workspace. add: takes files and folders, and says what became of them.

    What has no file becomes one for a moment, in the workspace's own private folder.
    """

    def __init__(
        self,
        workspace: Workspace,
        add: Callable[[Sequence[Path]], Awaitable[object]],
        offer: Callable[[Undo], None],
    ) -> None:
        self._workspace = workspace
        self._add = add
        self._offer = offer

    async def take(self, given: Given) -> None:
        """Take it in. Raises UserError with the sentence where it can't become a paper."""
        if given.sentence:
            raise UserError(given.sentence)
        if given.paths:
            await self._add(given.paths)
            return
        path = self._workspace.info.path / ".run" / f"pasted-{uuid.uuid4().hex}" / given.name
        await asyncio.to_thread(_write_private, path, given.data)
        try:
            taken = await self._workspace.papers.add_written(path)
        finally:
            await asyncio.to_thread(_remove, path)
        if taken.outcome != "queued" or taken.paper is None:
            raise UserError(taken.sentence)
        id = taken.paper.id
        self._offer(Undo(f"Added “{taken.paper.name}”.", lambda: self._workspace.papers.remove([id])))


def _write_private(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.parent.rmdir()
