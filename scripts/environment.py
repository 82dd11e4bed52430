"""Make .venv beside pyproject.toml from the hashed requirement files, once; a second call takes a moment."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import system_packages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
FILES = (ROOT / "requirements" / "runtime.txt", ROOT / "requirements" / "dev.txt")


class EnvironmentProblem(Exception):
    """The environment can't be made; the text says what to do."""


def ready() -> Path:
    """Return the Python of .venv, with exactly the pinned packages installed.

    Raises EnvironmentProblem where that is not possible.
    """
    python = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with one_at_a_time():
        if stamp_file().exists() and stamp_file().read_text(encoding="utf-8") == stamp():
            return python
        print("Preparing .venv (once; about a minute) …", flush=True)
        if not (stamp_file().exists() and interpreter() in stamp_file().read_text(encoding="utf-8")):
            shutil.rmtree(FOLDER, ignore_errors=True)
            make_venv()
        pip = [*pip_command(python), "--disable-pip-version-check", "--no-input"]
        install(pip)
        remove_unpinned(pip)
        stamp_file().write_text(stamp(), encoding="utf-8")
    return python


def stamp() -> str:
    """Return what .venv depends on: the Python that made it and the pins."""
    pins = hashlib.sha256(b"".join(path.read_bytes() for path in FILES))
    return f"{interpreter()}\n{pins.hexdigest()}\n"


def interpreter() -> str:
    """Return what tells this Python and this place from others; scripts in .venv hold absolute paths."""
    return hashlib.sha256(f"{sys.version}\n{sys.base_prefix}\n{FOLDER}".encode()).hexdigest()


def stamp_file() -> Path:
    """Return the file that says which pins .venv was made from."""
    return FOLDER / "muniment-stamp"


def make_venv() -> None:
    """Make an empty environment, with a pip of its own where that can be had."""
    if importlib.util.find_spec("ensurepip") is not None:
        venv.create(FOLDER, with_pip=True)
    elif importlib.util.find_spec("pip") is not None:
        venv.create(FOLDER, with_pip=False)
    else:
        # Debian keeps the pip of new environments in a package of its own.
        package = f"python3.{sys.version_info.minor}-venv"
        if not system_packages.install([package]):
            raise EnvironmentProblem(f"This Python has no pip. Type:  {system_packages.command([package])}")
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)


def pip_command(python: Path) -> list[str]:
    """Return the pip that installs into the environment: its own, or the one beside this Python."""
    own = [str(python), "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True, check=False).returncode == 0:
        return own
    return [sys.executable, "-m", "pip", "--python", str(python)]


def install(pip: list[str]) -> None:
    """Install the pinned packages, each file checked against its hash; nothing is compiled."""
    command = [*pip, "install", "--quiet"]
    command += ["--no-deps", "--require-hashes", "--only-binary", ":all:"]
    for path in FILES:
        command += ["-r", str(path)]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise EnvironmentProblem("The packages could not be installed; pip says above why. Then run this again.")


def remove_unpinned(pip: list[str]) -> None:
    """Remove what earlier pins left behind, so that nothing leans on it."""
    listed = subprocess.run([*pip, "freeze"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    pinned = {canonical(name) for path in FILES for name in re.findall(r"^([\w.-]+)==", path.read_text("utf-8"), re.M)}
    installed = {canonical(name) for name in re.findall(r"^([\w.-]+)==", listed, re.M)}
    extra = sorted(installed - pinned - {"pip"})
    if extra:
        subprocess.run([*pip, "uninstall", "--quiet", "--yes", *extra], cwd=ROOT, check=True)


def canonical(name: str) -> str:
    """Return a package name as the packaging rules compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let a second call wait until the first has made the environment."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with open(ROOT / "pyproject.toml", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
