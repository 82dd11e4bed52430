"""Finding a command by a few letters."""

from collections.abc import Sequence

from rapidfuzz import fuzz

from ui.commands.command import Command

LEAST = 60  # of 100; below that a title only shares letters with what was typed


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """Commands for what was typed, best first; all of them, in order, for nothing."""
    wanted = typed.casefold().split()
    if not wanted:
        return list(commands)
    scored = [(_score(command, wanted), -place, command) for place, command in enumerate(commands)]
    return [command for score, _, command in sorted(scored, key=lambda each: each[:2], reverse=True) if score >= LEAST]


def _score(command: Command, wanted: Sequence[str]) -> float:
    """Whole beginnings of words count most, then letters in order, then likeness (typing mistakes)."""
    title = command.title.casefold()
    words = title.replace("…", "").split()
    if all(any(word.startswith(part) for word in words) for part in wanted):
        return 200 - len(title) / 10
    joined = "".join(wanted)
    initials = "".join(word[0] for word in words)
    if initials.startswith(joined):
        return 150
    if joined in title.replace(" ", ""):
        return 120
    return fuzz.ratio(joined, title.replace(" ", "").replace("…", "")) if len(joined) > 2 else 0
