"""The commands of dev.py: what each makes ready and runs."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import environment
import system_packages
from environment import ROOT, EnvironmentProblem

# Each check's name, and its arguments to the Python of .venv.
CHECKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("style (ruff check)", ("-m", "ruff", "check", ".")),
    ("format (ruff format)", ("-m", "ruff", "format", "--check", "--diff", ".")),
    ("types (basedpyright)", ("-m", "basedpyright", "--level", "error")),
    ("imports (import-linter)", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command([])")),
    ("code (check_code.py)", ("scripts/check_code.py",)),
    ("documents (check_docs.py)", ("scripts/check_docs.py",)),
)


def main(argv: list[str], usage: str) -> int:
    """Run the command named first in `argv`; return the exit code."""
    if not argv or argv[0] not in COMMANDS:
        print(usage.strip())
        return 0 if argv and argv[0] in {"-h", "--help", "help"} else 2
    try:
        return COMMANDS[argv[0]](argv[1:])
    except EnvironmentProblem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1


def start(arguments: list[str]) -> int:
    """Open the program on its sample workspace; without a display it runs off screen."""
    python = environment.ready()
    screen = has_display()
    system_packages.ensure_qt(screen=screen)
    return run(python, "-m", "app", "--sample", *([] if screen else ["--offscreen"]), *arguments)


def test(arguments: list[str]) -> int:
    """Run all checks, then pytest, whose closing line ends the output."""
    python = environment.ready()
    system_packages.ensure_qt(screen=True)
    system_packages.ensure_test_tools()
    failed = failed_checks(python)
    if failed:
        print(f"\nFailed before the tests: {', '.join(failed)}", flush=True)
    result = run(python, "-m", "pytest", *arguments)
    return result or int(bool(failed))


def check(arguments: list[str]) -> int:
    """Run all checks."""
    python = environment.ready()
    system_packages.ensure_qt(screen=False)  # the pages of commands and settings are read from the window
    failed = failed_checks(python)
    print(f"\nFailed: {', '.join(failed)}" if failed else "\nAll checks passed.")
    return int(bool(failed))


def env(arguments: list[str]) -> int:
    """Make .venv and say where it is."""
    print(f"Ready: {environment.ready()}")
    return 0


def freeze(arguments: list[str]) -> int:
    """Build the frozen program and try it out."""
    python = environment.ready()
    system_packages.ensure_qt(screen=False)
    system_packages.ensure_build_tools()
    return run(python, "packaging/build.py", *arguments) or run(python, "packaging/smoke.py")


def failed_checks(python: Path) -> list[str]:
    """Run every check, also after one failed; return the names of those that failed."""
    failed: list[str] = []
    for name, arguments in CHECKS:
        print(f"\n== {name}", flush=True)
        if run(python, *arguments):
            failed.append(name)
    return failed


def run(python: Path, *arguments: str) -> int:
    """Run the Python of .venv in the project's folder; return its exit code."""
    return subprocess.run([python, *arguments], cwd=ROOT, check=False).returncode


def has_display() -> bool:
    """Tell whether a window can be shown; only Linux goes without a display."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "start": start,
    "test": test,
    "check": check,
    "env": env,
    "freeze": freeze,
}
