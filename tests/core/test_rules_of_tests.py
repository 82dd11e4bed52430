"""The rules of tests/conftest.py are tests too: each of these small sessions has to end as said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PASSING = {
    "async test and fixtures": """
import asyncio, pytest

@pytest.fixture
async def number():
    return 1

@pytest.fixture
async def opened():
    events = []
    yield events
    await asyncio.sleep(0)
    assert events == ["used"]

async def test_them(number, opened):
    await asyncio.sleep(0)
    opened.append("used")
    assert number == 1

async def test_them_on_another_loop(number, opened):
    opened.append("used")
""",
    "expected log record": """
import logging, pytest

@pytest.mark.logs("disk .* full")
def test_log():
    logging.getLogger("muniment").warning("disk is full")
""",
    "hypothesis": """
import asyncio
from hypothesis import given, strategies as st

@given(number=st.integers())
async def test_numbers(number):
    await asyncio.sleep(0)
    assert number == number
""",
    "home of its own": """
import os, pathlib

def test_home():
    assert pathlib.Path.home().name.startswith("muniment-tests-")
    assert os.environ["XDG_DATA_HOME"].startswith(str(pathlib.Path.home()))
""",
    "no Qt": """
import sys

def test_modules():
    assert not [name for name in sys.modules if name.startswith(("PySide6", "qasync"))]
""",
}

FAILING = {
    "tasks left running": """
import asyncio

async def test_leak():
    asyncio.get_running_loop().create_task(asyncio.sleep(60))
""",
    "unexpected log records": """
import logging

def test_log():
    logging.getLogger("muniment").error("disk is full")
""",
    "assert 1000 < 1000": """
import asyncio
from hypothesis import given, strategies as st

@given(number=st.integers())
async def test_numbers(number):
    await asyncio.sleep(0)
    assert number < 1000
""",
    "DeprecationWarning": """
import warnings

def test_warning():
    warnings.warn("old", DeprecationWarning)
""",
    "never awaited": """
async def work():
    pass

async def test_forgotten_await():
    work()
""",
}


def run_session(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Run pytest, with the project's settings, on one module with this source."""
    module = folder / "test_session.py"
    module.write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    command += ["-p", "tests.conftest", str(module)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("rule", PASSING)
def test_session_passes(rule: str, tmp_path: Path) -> None:
    session = run_session(tmp_path, PASSING[rule])
    assert session.returncode == 0, session.stdout + session.stderr


@pytest.mark.parametrize("rule", FAILING)
def test_session_fails(rule: str, tmp_path: Path) -> None:
    session = run_session(tmp_path, FAILING[rule])
    assert session.returncode == 1, session.stdout + session.stderr
    assert rule.lower() in session.stdout.lower()


def test_core_runs_without_qt() -> None:
    """Every module of core can be imported where Qt can't."""
    source = """
import importlib, pkgutil, sys
for name in ("PySide6", "shiboken6", "qasync"):
    sys.modules[name] = None
import core
names = [module.name for module in pkgutil.walk_packages(core.__path__, "core.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
    session = subprocess.run([sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False)
    assert session.returncode == 0, session.stderr
    assert int(session.stdout) > 5
