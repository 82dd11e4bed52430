"""A person at a terminal: commands in a home of their own, in this process (quick) or as a process (real)."""

import contextlib
import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from app import cli

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    "HOME": "",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_CACHE_HOME": ".cache",
    "TMPDIR": "tmp",
}


@dataclass(frozen=True)
class Answer:
    """What a command left behind: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Terminal:
    """Runs `muniment …` with `home` as the person's home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {**os.environ, **{name: str(home / folder) for name, folder in FOLDERS.items()}}
        for name in ("MUNIMENT_WORKSPACE", "CI"):  # some libraries behave under CI as they don't elsewhere
            self.environment.pop(name, None)
        for folder in FOLDERS.values():
            (home / folder).mkdir(parents=True, exist_ok=True)

    def call(self, *arguments: str | Path) -> Answer:
        """Run the command in this process."""
        out, err = io.StringIO(), io.StringIO()
        with (
            mock.patch.dict(os.environ, self.environment, clear=True),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                code = cli.main([str(argument) for argument in arguments])
            except SystemExit as end:
                code = int(end.code or 0)
        return Answer(code, out.getvalue(), err.getvalue())

    def command(self, *arguments: str | bytes | Path) -> list[str | bytes | Path]:
        return [sys.executable, "-m", "app", *arguments]

    def run(self, *arguments: str | bytes | Path, patience: float = 50, **environment: str) -> Answer:
        """Run the command as a process of its own. patience: seconds that it may take."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=ROOT,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=patience,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))

    def start(self, *arguments: str | Path) -> "subprocess.Popen[bytes]":
        """Start the command; the caller ends it."""
        return subprocess.Popen(
            self.command(*arguments),
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
