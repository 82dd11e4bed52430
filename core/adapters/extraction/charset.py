"""Bytes to text, whatever the encoding, and whatever somebody says that it is."""

import codecs
import re

import chardet

from core.adapters.extraction.wide import plausible, wide_without_mark

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What is declared by one name is written in a larger set by most programs (as the WHATWG encoding standard has it).
WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
# How often an encoding is met today. One must fit that much better than another to be taken for a text.
EXPECTED = {
    "cp1252": 1.25,
    **dict.fromkeys(("cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874"), 1.0),
    **dict.fromkeys(("cp932", "euc-jp", "gb18030", "big5hkscs", "cp949"), 1.0),
    **dict.fromkeys(("iso8859-2", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-13"), 0.97),
    **dict.fromkeys(("iso8859-15", "koi8-r", "koi8-u", "cp1258"), 0.97),
    **dict.fromkeys(("cp866", "cp437", "cp850", "cp852", "mac-roman", "mac-cyrillic"), 0.85),
}
TWO_BYTES = ("cp932", "euc-jp", "gb18030", "big5hkscs", "cp949")
FEWEST_COMMON = 0.9  # share of their letters
SAME = {"euc_jis_2004": "euc-jp"}  # names of chardet's for what EXPECTED holds
DECLARED, DECLARED_LATIN = 1.4, 1.15  # how much more is expected what somebody declared; Latin fits every byte
STRANGE_WEIGHT = 2  # one strange letter in ten costs an encoding two tenths of its fit
LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859-15")
NOT_CHARSETS = ("idna", "punycode", "unicode-escape", "unicode_escape", "raw-unicode-escape", "raw_unicode_escape")
IN_ASCII = ("iso2022", "hz", "utf-7")  # write other letters as ASCII, so that only a declaration or escapes tell
SAMPLE_BYTES = 8_000
_ESCAPES = (
    (re.compile(rb"\x1b(?:\$[@B]|\([BIJ])"), "iso2022_jp_2"),
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"~\{(?:[!-w][!-~])+~\}"), "hz"),
)
_SURROGATES = re.compile(b"\xed[\xa0-\xbf][\x80-\xbf]")
_HIGH = re.compile(b"[\x80-\xff]")
BYTES_BEFORE = 40  # of a line before its first byte beyond ASCII
# chardet would believe a declaration in the sample; controls would make it take the text for something else.
_CONTROLS = bytes(range(9)) + bytes(range(14, 32)) + b"<>=:"
_SPACES = bytes.maketrans(_CONTROLS, b" " * len(_CONTROLS))
_JOINING = "’‘·\u2010\u2011\u2013\u2014\xad\xa0"  # signs that do stand between letters
_EURO = re.compile("¤|\\w[¦¨´¸¼½¾](?=[a-zß-ÿ])|\\b[¦¨¼½¾](?=[a-zß-ÿ])")  # what ISO 8859-15 has at other places
_LATIN_9 = re.compile(b"[\x80-\x9f]")
_E_AND_C = b"\xeb\xcb\xe7\xc7"  # ë and ç, all that Albanian has, are letters of Lithuanian in cp1257


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of `data`. Never raises: what fits no encoding becomes U+FFFD.

    Order of trust: a byte order mark, the pattern of UTF-16, escapes, valid UTF-8, UTF-8 with few faults, then what
    the bytes look like, with more trust in the declared charset than in others.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if (wide := wide_without_mark(data)) is not None:
        return data.decode(wide, "replace")
    if (text := _escaped(data, usable(declared))) is not None:
        return text
    if (text := _strict(data, "utf-8")) is not None:
        return text
    if _nearly_utf8(data):
        return data.decode("utf-8", "muniment-mended")
    return data.decode(guess(data, declared), "replace")


def guess(data: bytes, declared: str | None = None) -> str:
    """Name of the 8-bit or multi-byte encoding that fits best."""
    named = usable(declared)
    if named is not None and (named.startswith(("utf", *IN_ASCII)) or _strict(data, named) is None):
        named = None
    if named is not None and named not in EXPECTED and _canonical(named) not in EXPECTED:
        return named
    if named is not None and _canonical(named) in TWO_BYTES and _reads_well(data[:SAMPLE_BYTES], named):
        return named
    return _likeliest((_telling(data) or data[:SAMPLE_BYTES]).translate(_SPACES), named)


def _reads_well(sample: bytes, named: str) -> bool:
    """Whether declared East Asian text is made of letters that are often written: others fit by accident alone."""
    beyond = "".join(letter for letter in _begun(sample, named) or "" if letter > "\x7f")
    return bool(beyond) and plausible(beyond) >= FEWEST_COMMON


def usable(declared: str | None) -> str | None:
    """Python's name of a declared charset, widened; None when there is no such codec for text."""
    if not declared:
        return None
    try:
        name = codecs.lookup(declared.strip(" \t\r\n\"';")).name
        "a".encode(name)  # some codecs are not for text
    except (LookupError, ValueError, AssertionError, UnicodeError):
        return None
    return None if name in NOT_CHARSETS else WIDER.get(name, name)


def strangeness(text: str) -> float:
    """Share of the characters beyond ASCII that no writing has at such a place, 0 to 1."""
    strange, count, before = 0, 0, " "
    for letter, after in zip(text, f"{text[1:]} ", strict=True):
        if letter > "\x7f":
            count += 1
            strange += _strange(before, letter, after)
        before = letter
    return min(1.0, strange / max(1, count))


def _strange(before: str, letter: str, after: str) -> int:
    if "\u0370" <= letter < "\u0e80" and any(side.isascii() and side.isalpha() for side in (before, after)):
        return 1  # two alphabets in one word
    if letter.isalpha():
        return 2 * int(before.islower() and letter.isupper())
    if letter < "\xa0" or "\ue000" <= letter < "\uf900":
        return 5  # controls and private letters prove that it is something else
    if letter in "±¶¦¬¤¨¸" and before.isalpha():
        return 1
    if "\u2500" <= letter <= "\u25ff":  # frames and blocks
        return int(before.isalpha() or after.isalpha())
    inside = before.isalpha() and after.isalpha()
    return int(inside and letter not in _JOINING and (letter < "\u0300" or "\u2000" <= letter < "\u3000"))


def _likeliest(sample: bytes, named: str | None) -> str:
    """The encoding of a text beyond ASCII, out of EXPECTED: the fit of its letters, less what looks strange."""
    named = _canonical(named) if named else None
    found = chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=[*EXPECTED, "utf-8"]
    )
    best, most = named or "cp1252", 0.0
    for candidate in found:
        encoding = SAME.get(candidate["encoding"] or "", candidate["encoding"])
        if encoding not in EXPECTED or (text := _begun(sample, encoding)) is None:
            continue
        fit = candidate["confidence"] * EXPECTED[encoding] * (1 - STRANGE_WEIGHT * min(0.45, strangeness(text)))
        if encoding == named:
            fit *= DECLARED_LATIN if named in LATIN else DECLARED
        if fit > most:
            best, most = encoding, fit
    return _corrected(best, sample) if best != named and best in LATIN else best


def _corrected(found: str, sample: bytes) -> str:
    """What statistics take for another Latin alphabet, or for the older set without the euro."""
    if not sample.translate(None, bytes(range(128)) + _E_AND_C):
        return "cp1252"
    if found == "cp1252" and not _LATIN_9.search(sample) and _EURO.search(sample.decode("cp1252", "replace")):
        return "iso8859-15"
    return found


def _canonical(name: str) -> str:
    return name.replace("_", "-") if name.replace("_", "-") in EXPECTED else name


def _telling(data: bytes) -> bytes:
    """What tells something: the lines with bytes beyond ASCII from the first of them on, up to about SAMPLE_BYTES."""
    pieces: list[bytes] = []
    room, place = SAMPLE_BYTES, 0
    while room > 0 and (found := _HIGH.search(data, place)) is not None:
        start = max(place, found.start() - BYTES_BEFORE, data.rfind(b"\n", place, found.start()) + 1)
        line_end = data.find(b"\n", found.end(), found.end() + room)
        end = line_end + 1 if line_end >= 0 else found.end() + room
        pieces.append(data[start:end])
        room -= end - start
        place = end
    return b"".join(pieces)


def _begun(sample: bytes, encoding: str) -> str | None:
    """The sample's text; None where it doesn't fit. Its last character may be cut off."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeError:
        return None


def _escaped(data: bytes, named: str | None) -> str | None:
    """Text that is written in ASCII with escapes; None for any other."""
    for pattern, encoding in _ESCAPES:
        if pattern.search(data) is not None and (text := _strict(data, encoding)) is not None:
            return text
    if named is not None and named.startswith(IN_ASCII) and data.isascii():
        return _strict(data, named)
    return None


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _nearly_utf8(data: bytes) -> bool:
    """UTF-8 in which a few bytes are broken: several times more whole characters beyond ASCII than faults."""
    text = _SURROGATES.sub(b"", data[: 1 << 20]).decode("utf-8", "replace")
    faults = text.count("\ufffd")
    whole = len(re.findall("[^\x00-\x7f\ufffd]", text))
    return whole > 3 * faults


def _mended(error: UnicodeError) -> tuple[str, int]:
    """Bytes in UTF-8 that are none of it: halves of a pair of surrogates, letters of cp1252, or a cut-off character."""
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.start + 3]
    if _SURROGATES.match(wrong) and 0x80 <= wrong[-1] < 0xC0 and len(wrong) == 3:
        return wrong.decode("utf-8", "surrogatepass"), error.start + 3
    wrong = error.object[error.start : error.end]
    cut_off = error.end >= len(error.object) and wrong[0] >= 0xC2
    return "\ufffd" if cut_off else wrong.decode("cp1252", "replace"), error.end


codecs.register_error("muniment-mended", _mended)
