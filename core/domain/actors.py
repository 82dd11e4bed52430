"""Who writes: the names under which changes are written down (events.Changed.origin)."""

from core.domain.text import one_line
from core.errors import InvalidValue

PERSON = "person"
LONGEST = 80  # characters
_ASSISTANT = "assistant:"


def assistant(name: str) -> str:
    """The actor of an assistant with this name. Raises InvalidValue for a name that is empty, too long, or holds what
    can't be shown on one line."""
    tidy = one_line(name).strip()
    if not tidy or len(tidy) > LONGEST or tidy != name.strip():
        raise InvalidValue(f"An assistant's name has from 1 to {LONGEST} characters, on one line.")
    return f"{_ASSISTANT}{tidy}"
