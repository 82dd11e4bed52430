"""Numbers and dates as people write them."""

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QLocale

from core.domain.formats import GROUPS, OTHER
from ui.qt import figures, formats

NOW = datetime(2026, 12, 1, 9, 30).timestamp()
HOUR = 3600.0


def test_days_near_now_are_said_in_words() -> None:
    assert figures.short_date(NOW - HOUR, NOW) == "today"
    assert figures.short_date(NOW - 10 * HOUR, NOW) == "yesterday"
    assert figures.short_date(datetime(2026, 11, 3, 12).timestamp(), NOW) == "3 Nov"
    assert figures.short_date(datetime(2025, 11, 3, 12).timestamp(), NOW) == "3 Nov 2025"
    assert figures.long_date(datetime(2025, 11, 3, 12).timestamp(), NOW) == "3 November 2025"


def test_counts_and_sizes_follow_the_locale() -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
        assert figures.count(2418) == "2.418"
        assert figures.size(3_240_000) == "3,2 MB"
    finally:
        QLocale.setDefault(before)
    assert figures.count(2418) == "2,418"
    assert figures.of_things(1, "paper", "papers") == "1 paper"
    assert figures.percent(0.923) == "92 %"


def test_durations_use_the_largest_whole_unit() -> None:
    assert figures.duration(0.4) == "0 seconds"
    assert figures.duration(61) == "1 minute"
    assert figures.duration(7300) == "2 hours"


def test_a_papers_own_date_may_be_no_date() -> None:
    assert figures.written_date("2026-04-17T09:12:00Z") == "17 April 2026"
    assert figures.written_date("spring") == "spring"


def test_every_format_has_words_and_an_icon_that_is_there() -> None:
    assert set(formats.FORMATS) == {name for names in GROUPS.values() for name in names}
    assert set(formats.GROUPS) == {*GROUPS, OTHER}
    folder = Path(__file__).parents[2] / "resources" / "icons"
    assert [icon for _, icon in formats.FORMATS.values() if not (folder / f"{icon}.svg").is_file()] == []
    assert formats.of_name("JPG") == formats.FORMATS["jpeg"]
    assert formats.of_name("nothing") is None
