"""JSON values as the database keeps them."""

import json
from collections.abc import Mapping
from typing import Any, cast

from core.domain.memory import Json
from core.errors import InvalidValue


def encoded(value: Json, what: str) -> str:
    """Compact JSON text. Raises InvalidValue, naming `what`, for anything that isn't JSON (NaN, bytes, a loop, …)."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:  # half a surrogate pair: JSON can say it, UTF-8 can't
            text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"The {what} is no JSON value: {error}.") from None
    return text


def decoded(text: str) -> Json:
    return cast(Json, json.loads(text))


def encoded_object(value: Mapping[str, Json] | None, what: str) -> str:
    return "{}" if not value else encoded(dict(value), what)


def decoded_object(text: str) -> dict[str, Json]:
    return {} if text == "{}" else cast(dict[str, Any], json.loads(text))


def storable(text: str, what: str) -> str:
    """Answer the text if UTF-8 can hold it. Raises InvalidValue for half a surrogate pair."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidValue(f"The {what} holds half a character and can't be kept.") from None
    return text
