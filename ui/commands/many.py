"""Doing one thing to each of many, and taking all of it back together."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from core.domain.trash import Trashed
from core.errors import UserError
from core.ports.trash import ForgottenPort
from ui.commands.place import Undo
from ui.qt import figures

TOGETHER = 50  # written at once, so that they share a commit

Thing = TypeVar("Thing")
Done = TypeVar("Done")


async def to_each(
    things: Sequence[Thing], act: Callable[[Thing], Awaitable[Done]]
) -> tuple[list[Done], list[UserError]]:
    """Do it to each; answers what was done, in order, and why it was refused for the others. Raises anything else."""
    done: list[Done] = []
    refused: list[UserError] = []
    for start in range(0, len(things), TOGETHER):
        some = things[start : start + TOGETHER]
        for answer in await asyncio.gather(*(act(thing) for thing in some), return_exceptions=True):
            if isinstance(answer, UserError):
                refused.append(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                done.append(answer)
    return done, refused


def say_refused(refused: Sequence[UserError], count: int) -> None:
    """Raise what was refused, in one sentence, where anything was. count: how many there were."""
    if not refused:
        return
    if count == 1:
        raise refused[0]
    few = f"{figures.count(len(refused))} of {figures.count(count)} could not be changed. {refused[0].sentence}"
    raise UserError(few, code=refused[0].code)


def undo_each(said: str, things: Sequence[Thing], back: Callable[[Thing], Awaitable[object]]) -> Undo:
    """An undo that takes each back; those that were changed again meanwhile stay, which is said."""

    async def undo() -> None:
        _, refused = await to_each(things, back)
        say_refused(refused, len(things))

    return Undo(said, undo)


async def in_trash(trash: ForgottenPort, kind: str, ids: Sequence[str]) -> list[Trashed]:
    """What was just removed, as it lies in the trash."""
    found, _ = await to_each(ids, lambda id: trash.find(kind, id))
    return [thing for thing in found if thing is not None]


def undo_removal(said: str, trash: ForgottenPort, things: Sequence[Trashed]) -> Undo:
    """An undo that takes things out of the trash."""
    return undo_each(said, things, lambda thing: trash.restore(thing.number))
