"""Numbers, sizes and dates as people write them, by the locale."""

import time
from datetime import date, datetime

from PySide6.QtCore import QDate, QDateTime, QLocale


def locale() -> QLocale:
    """The application's locale; English where the system names none."""
    chosen = QLocale()
    if chosen.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return chosen


def count(number: int) -> str:
    """2418 as "2,418"."""
    return locale().toString(number)


def of_things(number: int, one: str, many: str) -> str:
    """1 as "1 paper", 2418 as "2,418 papers"."""
    return f"{count(number)} {one if number == 1 else many}"


def size(byte_length: int) -> str:
    """Bytes as "3.2 MB" (thousands, as file managers count)."""
    precision = 0 if byte_length < 100_000 else 1
    return locale().formattedDataSize(byte_length, precision, QLocale.DataSizeFormat.DataSizeSIFormat)


def percent(share: float) -> str:
    """0.92 as "92 %"."""
    return f"{locale().toString(round(share * 100))} %"


def short_date(at: float, now: float | None = None) -> str:
    """ "today", "yesterday", "3 Nov", or with the year where it is another one. `at` is UTC seconds."""
    there = datetime.fromtimestamp(at).date()
    here = datetime.fromtimestamp(time.time() if now is None else now).date()
    if there == here:
        return "today"
    if (here - there).days == 1:
        return "yesterday"
    pattern = "d MMM" if there.year == here.year else "d MMM yyyy"
    return locale().toString(_day(there), pattern)


def long_date(at: float, now: float | None = None) -> str:
    """ "today", "yesterday" or "3 November 2026"."""
    short = short_date(at, now)
    if short in ("today", "yesterday"):
        return short
    return locale().toString(_day(datetime.fromtimestamp(at).date()), "d MMMM yyyy")


def moment(at: float) -> str:
    """Day and time: "3 November 2026 14:20"."""
    then = QDateTime.fromSecsSinceEpoch(int(at))
    return f"{locale().toString(then.date(), 'd MMMM yyyy')} {clock(at)}"


def clock(at: float) -> str:
    """Time of the day: "14:20"."""
    return locale().toString(QDateTime.fromSecsSinceEpoch(int(at)).time(), QLocale.FormatType.ShortFormat)


def duration(seconds: float) -> str:
    """ "12 seconds", "4 minutes", "3 hours"."""
    for unit, one, many in ((86400, "day", "days"), (3600, "hour", "hours"), (60, "minute", "minutes")):
        if seconds >= unit:
            return of_things(int(seconds // unit), one, many)
    return of_things(max(0, int(seconds)), "second", "seconds")


def written_date(iso: str) -> str:
    """An ISO date or date-time that a paper says of itself, as a day; the text itself where it is no date."""
    try:
        return locale().toString(_day(date.fromisoformat(iso[:10])), "d MMMM yyyy")
    except ValueError:
        return iso


def _day(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)
