"""Codes, numbers, telephone numbers and dates in a text, and the other ways in which people write them.

For each one found, the index gets words that stand for every usual spelling of it, and a question's spelling becomes
the same words: "RX-208", "RX208" and "rx 208" meet in `rx208` and `rx 208`; "2026-04-17", "17.4.2026" and
"April 17, 2026" meet in `20260417`; the last digits of a telephone number find it whatever stands in front.
"""

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from core.domain.writing import MARKS, OTHER_LATIN, plain, without_other_letters

LONGEST_WORD = 48  # characters; what is longer is not typed by anybody
PHONE_DIGITS = range(7, 16)  # ITU-T E.164: at most fifteen


Form = tuple[str, ...]
"""A run of index words that stand side by side."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What stands at [start, end) and can be written otherwise. forms: runs of index words, each standing for it."""

    start: int
    end: int
    forms: tuple[Form, ...]


_MONTHS = {
    1: "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro",
    2: "february feb februar février févr febrero febbraio februari fevereiro fev",
    3: "march mar märz mär mrz mars marzo maart mrt março",
    4: "april apr avril avr abril abr aprile",
    5: "may mai mayo maggio mag mei maio",
    6: "june jun juni juin junio giugno giu junho",
    7: "july jul juli juillet juil julio luglio lug julho",
    8: "august aug août agosto ago augustus",
    9: "september sep sept septembre septiembre settembre set setembro",
    10: "october oct oktober okt octobre octubre ottobre ott outubro out",
    11: "november nov novembre noviembre novembro",
    12: "december dec dezember dez décembre déc diciembre dic dicembre desember dezembro",
}
_MONTH_NUMBERS = {plain(name): number for number, names in _MONTHS.items() for name in names.split()}
_MONTH_NAMES = frozenset(_MONTH_NUMBERS) | {name for names in _MONTHS.values() for name in names.split()}
_NAME = "|".join(sorted(_MONTH_NAMES, key=len, reverse=True))
_AFTER_DAY = r"(?:st|nd|rd|th|er|º|\.)?"
_OF = r"(?:of\s+|de\s+|d'|del\s+)?"

_ISO = re.compile(r"(?<![\w.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d-])")
_COMPACT = re.compile(r"(?<![\w.-])((?:19|20)\d\d)(\d\d)(\d\d)(?![\w-])")
_HAN = re.compile(r"(?<!\d)(\d{4})\s?年\s?(\d{1,2})\s?月(?:\s?(\d{1,2})\s?日)?")
_NUMERIC = re.compile(r"(?<![\w.-])(\d{1,2})(\.\s?|[/-])(\d{1,2})(?:\.\s?|[/-])((?:19|20)?\d\d)(?![\w-])")
_DAY_MONTH_DOTS = re.compile(r"(?<![\w.-])(\d{1,2})\.\s?(\d{1,2})\.(?!\s?\d)")
_YEAR_MONTH = re.compile(r"(?<![\w.-])((?:19|20)\d\d)-(\d\d)(?![\w-])")
_DAY_NAME = re.compile(
    rf"(?<!\w)(\d{{1,2}}){_AFTER_DAY}[\s-]*{_OF}({_NAME})\b\.?(?:,?[\s-]*{_OF}((?:19|20)\d\d)\b)?", re.IGNORECASE
)
_NAME_DAY = re.compile(
    rf"(?<!\w)({_NAME})\b\.?\s+(\d{{1,2}}){_AFTER_DAY}(?![\d\w:])(?:,?\s+((?:19|20)\d\d)\b)?", re.IGNORECASE
)
_NAME_YEAR = re.compile(rf"(?<!\w)({_NAME})\b\.?,?\s+{_OF}((?:19|20)\d\d)\b", re.IGNORECASE)

_PHONE = re.compile(
    r"(?<![\w+])(?:\+\s?\d{1,3}(?:\s?\(\d{1,5}\))?|\(0?\d{1,5}\)|0\d{1,5}|\d{3})"
    r"(?:[ \u00a0]?[-–./]?[ \u00a0]?(?:\(0\))?\d{1,8}){1,7}(?!\w)"
)
_ACCOUNT = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)")
_CODE = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*(?:[-‐‑–./_:#][^\W_]+)*")
_WITH_DIGIT = re.compile(r"(?<!\S)[^\s\d]*+\d\S*")
_INITIALS = re.compile(r"(?<!\w)(?:[^\W\d_]\.){2,6}(?!\w)")
_JOINED = re.compile(r"(?<![\w-])([^\W\d_]{1,20})(?:[-‐‑]\n?|\u00ad\n|['’])([^\W\d_]{2,20})(?![\w-])")
_CONTRACTED = frozenset({"re", "ve", "ll"})
_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ARABIC_ARTICLE = re.compile("(?<!\\w)\u0627\u0644([\u0621-\u064a]{3,})")


def spellings(text: str) -> Iterator[Spelling]:
    """What in `text` has other spellings. Several may lie over one another; the order is not that of the text."""
    taken: list[tuple[int, int]] = []
    if any("0" <= c <= "9" for c in text):
        for find in (_dates, _phones, _accounts):
            for spelling in find(text):
                if find is _dates or not _inside(spelling, taken):
                    taken.append((spelling.start, spelling.end))
                    yield spelling
        for spelling in _codes(text):
            if not any((spelling.start, spelling.end) == place for place in taken):
                yield spelling
    yield from _joined_words(text)


def extra_words(text: str) -> str:
    """The index words of all other spellings in `text`, each once, separated by spaces; "" if there are none."""
    found = dict.fromkeys(form for spelling in spellings(text) for form in spelling.forms)
    return " ".join(" ".join(form) for form in found)


def typed_spellings(text: str) -> list[Spelling]:
    """Dates, telephone and account numbers in a question, in order, with the forms by which they are found."""
    if not any("0" <= c <= "9" for c in text):
        return []
    found: list[Spelling] = []
    for spelling in (*_dates(text), *_phones(text), *_accounts(text)):
        if not any(spelling.start < other.end and other.start < spelling.end for other in found):
            found.append(replace(spelling, forms=_asked_forms(spelling, text)))
    return sorted((spelling for spelling in found if spelling.forms), key=lambda spelling: spelling.start)


def _asked_forms(spelling: Spelling, text: str) -> tuple[Form, ...]:
    """A full date is looked for as that day alone, not as that day of any year; a telephone number by its end."""
    days = tuple(form for form in spelling.forms if len(form[0]) == 8 and form[0].isdecimal())
    dated = any(form[0].startswith(("md", "ym")) for form in spelling.forms)
    if dated:
        return days or spelling.forms
    phone = phone_forms(text[spelling.start : spelling.end])
    return phone or spelling.forms


def code_spellings(text: str) -> list[Spelling]:
    """Codes, initials and joined words in a question, with the forms by which they are found."""
    return [*_codes(text), *_joined_words(text)]


def _inside(spelling: Spelling, taken: list[tuple[int, int]]) -> bool:
    return any(start <= spelling.start and spelling.end <= end for start, end in taken)


# ---- dates ----------------------------------------------------------------------------------------------------------


def date_forms(year: int | None, month: int, day: int | None) -> tuple[Form, ...]:
    """Index words of a date: the day of that year, that day of any year, that month. Empty if there is no such day."""
    if not 1 <= month <= 12 or (year is not None and not 1000 <= year <= 2999):
        return ()
    if day is None:
        return ((f"ym{year:04d}{month:02d}",),) if year is not None else ()
    if not 1 <= day <= calendar.monthrange(year or 2000, month)[1]:
        return ()
    if year is None:
        return ((f"md{month:02d}{day:02d}",),)
    return ((f"{year:04d}{month:02d}{day:02d}",), (f"md{month:02d}{day:02d}",), (f"ym{year:04d}{month:02d}",))


def _year(digits: str) -> int:
    """Two digits are read as strptime does: 69 to 99 are of the last century."""
    year = int(digits)
    return year if year >= 100 else year + (1900 if year >= 69 else 2000)


def _both_orders(found: re.Match[str]) -> tuple[Form, ...]:
    first, second, year = int(found[1]), int(found[3]), _year(found[4])
    forms = date_forms(year, second, first)
    if not found[2].startswith("."):  # 04/17 and 17/04 are both in use; 17.4. is always the day first
        forms += tuple(form for form in date_forms(year, first, second) if form not in forms)
    return forms


def _month(name: str) -> int:
    return _MONTH_NUMBERS[plain(name)]


_LETTERS = re.compile(r"[^\W\d_]{3,}")
_DATES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Form, ...]]], ...] = (
    (_ISO, lambda m: date_forms(int(m[1]), int(m[3]), int(m[4]))),
    (_COMPACT, lambda m: date_forms(int(m[1]), int(m[2]), int(m[3]))),
    (_HAN, lambda m: date_forms(int(m[1]), int(m[2]), int(m[3]) if m[3] else None)),
    (_NUMERIC, _both_orders),
    (_DAY_NAME, lambda m: date_forms(int(m[3]) if m[3] else None, _month(m[2]), int(m[1]))),
    (_NAME_DAY, lambda m: date_forms(int(m[3]) if m[3] else None, _month(m[1]), int(m[2]))),
    (_NAME_YEAR, lambda m: date_forms(int(m[2]), _month(m[1]), None)),
    (_YEAR_MONTH, lambda m: date_forms(int(m[1]), int(m[2]), None)),
    (_DAY_MONTH_DOTS, lambda m: date_forms(None, int(m[2]), int(m[1]))),
)
_WITH_NAMES = frozenset((_DAY_NAME, _NAME_DAY, _NAME_YEAR))


def _dates(text: str) -> Iterator[Spelling]:
    taken: list[tuple[int, int]] = []
    named = not _MONTH_NAMES.isdisjoint(_LETTERS.findall(text.lower()))  # the costly patterns are seldom needed
    for pattern, forms_of in _DATES:
        if pattern in _WITH_NAMES and not named:
            continue
        for found in pattern.finditer(text):
            place = found.span()
            if any(start < place[1] and place[0] < end for start, end in taken):
                continue
            forms = forms_of(found)
            if forms:
                taken.append(place)
                yield Spelling(*place, forms)


# ---- numbers and codes ----------------------------------------------------------------------------------------------


def _phones(text: str) -> Iterator[Spelling]:
    for found in _PHONE.finditer(text):
        digits = "".join(c for c in found[0] if c.isdecimal())
        if len(digits) in PHONE_DIGITS and digits.isascii():
            ends = tuple((digits[start:],) for start in range(len(digits) - PHONE_DIGITS.start + 1))
            yield Spelling(found.start(), found.end(), ends)


def phone_forms(text: str) -> tuple[Form, ...]:
    """Index words by which a typed telephone number is found: whole, and without a country code or leading zeros."""
    digits = "".join(c for c in text if c.isdecimal())
    if len(digits) not in PHONE_DIGITS or not digits.isascii() or _PHONE.fullmatch(text.strip()) is None:
        return ()
    zeros = len(digits) - len(digits.lstrip("0"))
    international = text.strip().startswith(("+", "00"))
    starts = [*range(zeros + 1), *(range(zeros + 1, zeros + 4) if international else ())]  # a country has 1 to 3 digits
    forms = dict.fromkeys(digits[start:] for start in starts)
    return tuple((form,) for form in forms if len(form) >= PHONE_DIGITS.start)


def _accounts(text: str) -> Iterator[Spelling]:
    for found in _ACCOUNT.finditer(text):
        yield Spelling(found.start(), found.end(), ((found[0].replace(" ", "").lower(),),))


def _codes(text: str) -> Iterator[Spelling]:
    for chunk in _WITH_DIGIT.finditer(text):  # looking at every word of a text would take five times as long
        for found in _CODE.finditer(chunk[0]):
            code = found[0]
            if len(code) <= LONGEST_WORD and any("0" <= c <= "9" for c in code) and (forms := code_forms(code)):
                yield Spelling(chunk.start() + found.start(), chunk.start() + found.end(), forms)


def _pieces(code: str) -> tuple[str, ...]:
    return tuple(plain(piece) for piece in _PIECE.findall(code))


def code_forms(code: str) -> tuple[Form, ...]:
    """Joined, and taken apart where letters and digits meet; only what the code's own words don't give already."""
    pieces = _pieces(code)
    joined = "".join(pieces)
    own = tuple(plain(word) for word in re.findall(r"[^\W_]+", code))
    forms: list[tuple[str, ...]] = []
    number = len(own) == 2 and joined.isdecimal() and "-" not in code and len(joined) < 6  # 1.5, 120/80
    if len(own) > 1 and len(joined) <= LONGEST_WORD and not number:
        forms.append((joined,))
    if pieces != own and 1 < len(pieces) <= 12:
        forms.append(pieces)
    return tuple(forms)


def _joined_words(text: str) -> Iterator[Spelling]:
    """Initials, hyphenated words (over a line's end too), names with an apostrophe, letters with a usual stand-in."""
    for found in _INITIALS.finditer(text):
        yield Spelling(found.start(), found.end(), ((plain(found[0].replace(".", "")),),))
    for found in _JOINED.finditer(text):
        if plain(found[2]) not in _CONTRACTED:
            yield Spelling(found.start(), found.end(), ((plain(found[1] + found[2]),),))
    if text.isascii():
        return
    if OTHER_LATIN.search(text.lower()):
        for found in re.finditer(r"[^\W_]+", text):
            if OTHER_LATIN.search(found[0].lower()) and len(found[0]) <= LONGEST_WORD:
                yield Spelling(found.start(), found.end(), ((plain(without_other_letters(found[0])),),))
    for found in _ARABIC_ARTICLE.finditer(text):
        yield Spelling(found.start(), found.end(), ((found[1],),))
