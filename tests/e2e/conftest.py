"""Tests that run with Qt, some of them on a screen of their own."""

import asyncio
from collections.abc import Iterator

import pytest

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
