"""What travels over the channel: one JSON object a line, UTF-8.

A request is {"id", "do", …}; its answer {"id", "ok": value} or {"id", "error": code, "sentence"}. Unasked comes
{"event": "stop", "job"} when somebody wishes that a job stops.
"""

import json
from dataclasses import asdict
from typing import Any, cast

from core.domain.scopes import ActorType, Job, JobState
from core.errors import InvalidValue, MunimentError, NotFound, OutsideScope, UserError

VERSION = 1
MAX_LINE = 1024 * 1024  # bytes
ERRORS: dict[str, type[MunimentError]] = {each.code: each for each in (InvalidValue, NotFound, OutsideScope, UserError)}


class BadLine(Exception):
    """A line is no object."""


def packed(message: dict[str, Any]) -> bytes:
    """Raises InvalidValue for what JSON can't say, or what is longer than a line may be."""
    try:
        line = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"That is no JSON value: {error}.") from None
    if len(line) > MAX_LINE:
        raise InvalidValue("That is too much at once: a note can be up to a megabyte.")
    return line


def unpacked(line: bytes) -> dict[str, Any]:
    """Raises BadLine."""
    try:
        message: object = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine from None
    if not isinstance(message, dict):
        raise BadLine
    return cast("dict[str, Any]", message)


def said(error: MunimentError) -> dict[str, Any]:
    return {"error": error.code, "sentence": error.sentence}


def raised(answer: dict[str, Any]) -> MunimentError:
    """The error in an answer."""
    return ERRORS.get(str(answer.get("error")), UserError)(str(answer.get("sentence", "")))


def job_data(job: Job) -> dict[str, Any]:
    """A job for the list; its memory is not part of it."""
    return {**asdict(job), "permissions": sorted(job.permissions)}


def job_from(data: dict[str, Any]) -> Job:
    kept = dict(data)
    kept["state"], kept["actor_type"] = JobState(data["state"]), ActorType(data["actor_type"])
    kept["permissions"] = frozenset(data["permissions"])
    return Job(**kept)
