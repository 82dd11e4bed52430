"""Tests that run with Qt, some of them on a screen of their own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.terminal import Terminal
from tests.e2e.at_work import AtWork
from tests.e2e.screen import Screen, missing_tools, virtual_screen


def pytest_configure(config: pytest.Config) -> None:
    """Bring in Qt for these tests alone."""
    from tests import qt_session

    qt_session.load(config)


@pytest.fixture
def loop(qt_loop: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
    """The session's qasync loop."""
    return qt_loop


@pytest.fixture(autouse=True)
def clean_desk(nothing_logged: None, nothing_said_by_qt: None, nothing_left_open: None) -> None:
    """Fail a test that leaves a window open, or during which Qt warns."""


@pytest.fixture(scope="session")
def screen() -> Iterator[Screen]:
    """A real window's screen: a virtual display with a window manager, mouse and keyboard."""
    missing = missing_tools()
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    with virtual_screen() as screen:
        yield screen


@pytest.fixture
def at_work(screen: Screen, tmp_path: Path) -> Iterator[AtWork]:
    """A person with a home, a screen, and somebody who reads out what the window says."""
    from tests.e2e import accessibility

    missing = accessibility.missing_tools()
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    with accessibility.accessibility_bus(screen.environment) as (reader, environment):
        yield AtWork(Terminal(tmp_path / "home"), screen, reader, environment)
