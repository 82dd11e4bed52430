"""The program's log: a small private file about the program itself. Nothing of a workspace goes into it."""

import logging
import logging.handlers
from pathlib import Path


def log_to(folder: Path) -> None:
    """Log warnings and errors to folder/muniment.log (0600, at most three files of 512 KiB)."""
    path = folder / "muniment.log"
    handler = logging.handlers.RotatingFileHandler(
        path, maxBytes=512 * 1024, backupCount=2, encoding="utf-8", delay=True, errors="replace"
    )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    handler.setLevel(logging.WARNING)
    path.touch(mode=0o600)
    logging.getLogger().addHandler(handler)
