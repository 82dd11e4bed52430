"""JSON data whose shape is somebody else's: what isn't of the kind that is asked for counts as empty."""

from typing import Any, cast


def mapping(value: object) -> dict[str, Any]:
    """The object; {} for anything else."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The list; a single value as a list of one; [] for nothing."""
    if isinstance(value, list):
        return cast(list[Any], value)
    return [] if value is None else [value]


def word(value: object) -> str:
    """The text; "" for anything that is no text."""
    return value if isinstance(value, str) else ""
