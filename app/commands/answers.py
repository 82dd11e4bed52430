"""What every command answers with: exit codes, text that can be printed, JSON."""

import argparse
import json
import os
import signal
import sys
from pathlib import Path

from core.errors import EnvironmentFault

DONE, ATTENTION, USAGE, REFUSED, ENVIRONMENT, DEFECT = 0, 1, 2, 3, 4, 70
INTERRUPTED, TERMINATED = 128 + signal.SIGINT, 128 + signal.SIGTERM


def shown(path: Path) -> str:
    """A path as it can be printed."""
    return os.fsencode(path).decode("utf-8", "replace")


def reply(arguments: argparse.Namespace, value: object, words: str) -> None:
    """Print the answer and see that it has left. Raises BrokenPipeError, or EnvironmentFault (a full disk)."""
    text = json.dumps(value, ensure_ascii=False, indent=2) if arguments.json else words
    try:
        print(text, end="\n" if text else "", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the interpreter tries again at its end
        if isinstance(error, BrokenPipeError):
            raise
        raise EnvironmentFault(f"The answer could not be written ({error.strerror}).") from error
