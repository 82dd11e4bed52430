"""The project's own files: what is committed or about to be."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What the tools make; git knows it from .gitignore.
MADE = {".venv", ".git", ".ruff_cache", ".import_linter_cache", ".hypothesis", "__pycache__", "build", "dist"}


def project_files(*suffixes: str) -> list[Path]:
    """Return the files that are committed or would be, with one of these suffixes if any are given, by name."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if shutil.which("git") and (ROOT / ".git").exists():
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        paths = sorted({ROOT / name for name in listed.split("\0") if name})
    else:  # an unpacked archive
        paths = sorted(path for path in ROOT.rglob("*") if not MADE.intersection(path.relative_to(ROOT).parts))
    return [path for path in paths if path.is_file() and (not suffixes or path.suffix in suffixes)]


def report(problems: list[str], what: str) -> int:
    """Print the problems, or that there are none; return the exit code."""
    print("\n".join(problems) if problems else f"{what}: in order")
    return int(bool(problems))
