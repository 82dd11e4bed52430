"""Errors on their way to the person: said beside the thing, as a banner, or as one crash report."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtWidgets import QWidget

from core.errors import EnvironmentFault, MunimentError

OnDefect = Callable[[BaseException], Path | None]
"""Writes a crash report and answers where it lies; None where it could not be written."""


@runtime_checkable
class Says(Protocol):
    """A widget that can say a problem in itself: a list page, an inspector."""

    def say(self, sentence: str) -> None: ...


class WindowProblems:
    """Implements `ui.commands.place.Problems`. toast(sentence); banner(sentence, kind)."""

    def __init__(self, toast: Callable[[str], None], banner: Callable[[str, str], None], on_defect: OnDefect) -> None:
        self._toast = toast
        self._banner = banner
        self._on_defect = on_defect

    def report(self, error: BaseException, about: QWidget | None = None) -> None:
        if isinstance(error, asyncio.CancelledError):
            return
        if isinstance(error, EnvironmentFault):
            self._banner(error.sentence, "fault")
        elif isinstance(error, MunimentError):
            place = _who_says(about)
            if place is not None:
                place.say(error.sentence)
            else:
                self._toast(error.sentence)
        else:
            self._defect(error)

    def _defect(self, error: BaseException) -> None:
        written = self._on_defect(error)
        where = f" What happened was written to {written}." if written is not None else ""
        self._toast(f"Something went wrong inside Muniment; your work is kept.{where}")


def _who_says(about: QWidget | None) -> Says | None:
    """The nearest visible widget around `about` that can say a problem."""
    while about is not None:
        if isinstance(about, Says) and about.isVisible():
            return about
        about = about.parentWidget()
    return None
