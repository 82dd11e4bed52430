"""Words that several places use: who did something, a day within a sentence, JSON that a person typed."""

import json

from core.domain.memory import Json
from core.errors import InvalidValue, VersionConflict
from ui.qt import figures


def actor(origin: str) -> str:
    """Who did it: "person" is you, an assistant has its name."""
    if origin == "person":
        return "you"
    if origin.startswith("assistant:"):
        return origin.removeprefix("assistant:")
    return "Muniment" if origin in ("system", "") else origin


def on_day(at: float, now: float | None = None) -> str:
    """A day as it stands in a sentence: "today", "on 3 November 2026". at: UTC seconds."""
    day = figures.long_date(at, now)
    return day if day in ("today", "yesterday") else f"on {day}"


def crossed(title: str, gone: str, conflict: VersionConflict) -> VersionConflict:
    """What is said where two edits cross, and how it goes on. gone: "forgotten", where nothing stands there now."""
    if conflict.present is None:
        sentence = f"“{title}” was {gone} while you had it open. Put yours back, or leave it {gone}."
    else:
        sentence = f"“{title}” was changed while you had it open. Keep yours, take theirs, or go on editing."
    return VersionConflict(sentence, present=conflict.present, wanted=conflict.wanted)


def from_json(text: str) -> Json:
    """What was typed as JSON. Raises InvalidValue with a sentence that says where it goes wrong."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidValue(
            f"Line {error.lineno} is not written as JSON wants it. Check commas, quotes and brackets."
        ) from None
    except RecursionError:
        raise InvalidValue("These values are nested too deeply.") from None


def to_json(value: Json) -> str:
    """A value as JSON to be edited."""
    return json.dumps(value, ensure_ascii=False, indent=2)
