"""What the fakes ask of keys and values, as the real adapters do."""

import json
from typing import Any

from core.domain.scopes import check_key
from core.errors import InvalidValue


def kept(value: Any) -> Any:
    """A copy of the value as JSON gives it back; refuses what JSON can't hold."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"This is no JSON value: {error}.") from None


def checked(text: str, what: str) -> str:
    check_key(text, what)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidValue(f"The {what} holds half a character.") from None
    return text


def limited(limit: int, most: int) -> int:
    if not 1 <= limit <= most:
        raise InvalidValue(f"From 1 to {most} can be read at once.")
    return limit
