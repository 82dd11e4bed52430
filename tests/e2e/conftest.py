"""Tests that run with Qt."""

import asyncio

import pytest


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
