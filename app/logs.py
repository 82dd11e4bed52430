"""The program's log: a small private file about the program itself. Nothing of a workspace goes into it."""

import logging
import logging.handlers
from io import TextIOWrapper
from pathlib import Path

from app.crash import open_private


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """Its files can be read by their owner alone, also those begun when the last one was full."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=open_private)


def log_to(folder: Path) -> None:
    """Log warnings and errors to folder/muniment.log (0600, at most three files of 512 KiB)."""
    handler = _PrivateLog(
        folder / "muniment.log", maxBytes=512 * 1024, backupCount=2, encoding="utf-8", delay=True, errors="replace"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
