"""Dates that papers give themselves, as ISO 8601. What is no date is None, never a guess and never today."""

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

EARLIEST, LATEST = 1900, 2200
_DIGITS = re.compile(
    r"(?:D:)?(\d{4})-?(\d{2})?-?(\d{2})?[T ]?(\d{2})?:?(\d{2})?:?(\d{2})?(?:\.\d+)?\s*(Z|[+-]\d{2}'?:?(?:\d{2})?)?"
)


def from_mail(value: str) -> str | None:
    """From the Date header of a mail (RFC 5322)."""
    try:
        moment = parsedate_to_datetime(value)
        return moment.isoformat() if EARLIEST <= moment.year <= LATEST else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def from_digits(value: str) -> str | None:
    """From PDF (D:20240131120000+01'00'), HL7 (20240131), DICOM, XML and office properties (2024-01-31T12:00:00Z)."""
    found = _DIGITS.match(value.strip())
    if found is None or found[2] is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3] or 1))
        if not EARLIEST <= day.year <= LATEST:
            return None
        if found[3] is None:
            return f"{day:%Y-%m}"
        if found[4] is None or found[5] is None:
            return day.isoformat()
        moment = datetime(day.year, day.month, day.day, int(found[4]), int(found[5]), int(found[6] or 0))
    except ValueError:
        return None
    return moment.isoformat() + _zone(found[7])


def from_ticks(ticks: int) -> datetime | None:
    """From intervals of 100 ns since 1601, as Windows counts; None for 0 and for what no calendar holds."""
    try:
        return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10) if ticks else None
    except OverflowError:
        return None


def _zone(text: str | None) -> str:
    if not text:
        return ""
    if text == "Z":
        return "+00:00"
    digits = re.sub(r"\D", "", text).ljust(4, "0")
    return f"{text[0]}{digits[:2]}:{digits[2:]}"
