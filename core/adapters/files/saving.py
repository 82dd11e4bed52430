"""Writing a file where a person wants it (FilePort)."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

from core.adapters.files.disk import FILE_MODE, said, shown


class FileSaving:
    """Writes text as UTF-8, piece by piece, beside the target; what is there is replaced once all of it is written."""

    async def write(self, target: Path, pieces: AsyncIterator[str]) -> None:
        """See FilePort."""
        staged = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}.part")
        try:
            file = await asyncio.to_thread(_opened, staged)
            try:
                async for piece in pieces:
                    await asyncio.to_thread(_write, file, piece.encode("utf-8", "replace"))
                await asyncio.to_thread(os.fsync, file)
            finally:
                os.close(file)
            await asyncio.to_thread(staged.replace, target)
        except OSError as error:
            _gone(staged)
            raise said(error, shown(target)) from error
        except BaseException:
            _gone(staged)
            raise


def _opened(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), FILE_MODE)


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


def _gone(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return  # the folder is gone too
