"""Codes, numbers and dates in a text, and their other spellings."""

import calendar
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.spellings import date_forms, extra_words, phone_forms, spellings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RX-208", "rx208"),
        ("RX208", "rx 208"),
        ("INV-2024/00123", "inv202400123"),
        ("17.4.2026", "20260417 md0417 ym202604"),
        ("the 17th of May 1999", "19990517"),
        ("3 août 2020", "20200803"),
        ("2026年4月17日", "20260417"),
        ("17.4.26", "20260417"),
        ("1.1.70", "19700101"),
        ("March 2021", "ym202103"),
        ("b.i.d.", "bid"),
        ("treat-\nment", "treatment"),
        ("O'Brien", "obrien"),
        ("Łódź", "lodz"),
        ("DE89 3704 0044 0532 0130 00", "de89370400440532013000"),
    ],
)
def test_other_spellings_are_indexed(text: str, expected: str) -> None:
    assert f" {expected} " in f" {extra_words(text)} "


@pytest.mark.parametrize("text", ["", "plain words only", "don't we'll it's", "120/80", "1.5 mg", "at 9", "100%"])
def test_what_has_one_spelling_costs_nothing(text: str) -> None:
    assert extra_words(text) == ""


@pytest.mark.parametrize("text", ["31.2.2026", "2026-13-01", "0.0.0000", "99/99/9999", "May 45, 2020"])
def test_a_day_that_never_was_is_no_date(text: str) -> None:
    assert "md" not in extra_words(text)


def test_dates_with_both_readings_have_both() -> None:
    assert {("20260504",), ("20260405",)} <= {f for s in spellings("04/05/2026") for f in s.forms}
    assert date_forms(2026, 2, 30) == ()
    assert date_forms(None, 2, 29) == (("md0229",),)
    assert date_forms(2026, 4, None) == (("ym202604",),)


def test_a_telephone_number_is_found_by_its_end() -> None:
    indexed = set(extra_words("+49 (0)30 1234-567").split())
    for typed in ("030 1234567", "+49 30 1234567", "0049301234567", "1234567", "30 1234567"):
        assert any(form[0] in indexed for form in phone_forms(typed)) or typed.replace(" ", "") in indexed, typed
    assert phone_forms("12") == ()
    assert phone_forms("0123456789012345") == ()


@given(st.text())
def test_any_text_has_spellings_within_it(text: str) -> None:
    for spelling in spellings(text):
        assert 0 <= spelling.start < spelling.end <= len(text)
        assert all(form and all(form) for form in spelling.forms)


@given(st.dates())
def test_every_spelling_of_a_day_meets(day: date) -> None:
    token = f"{day:%Y%m%d}".rjust(8, "0")
    if day.year < 1900 or day.year >= 2100:
        return
    name = calendar.month_name[day.month]
    for text in (
        f"{day.year}-{day.month:02}-{day.day:02}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day:02}/{day.month:02}/{day.year}",
        f"{name} {day.day}, {day.year}",
        f"{day.day} {name} {day.year}",
        f"{day.day}. {name[:3]} {day.year}",
    ):
        assert token in extra_words(text).split(), text


@pytest.mark.parametrize("piece", ["1", "a1-", "1.", "12 34 ", "-", "+49 ", "(0", "a.", "May 1 ", "é", "DE89 "])
def test_long_hostile_text_takes_no_time(piece: str) -> None:
    began = time.process_time()
    extra_words(piece * (20_000 // len(piece)))
    assert time.process_time() - began < 2.0
