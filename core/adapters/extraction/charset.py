"""Bytes to text, whatever the encoding, and whatever somebody says that it is."""

import codecs
import re

from charset_normalizer import CharsetMatch, from_bytes

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
LATIN = ("cp1252", "cp1250", "cp1254", "cp1257")
# Encodings of other scripts, the likelier first, with the national set that tells their common ideographs.
LIKELY: dict[str, str | None] = {
    **dict.fromkeys(("cp1251", "koi8_r", "cp866", "cp1253", "cp1255", "cp1256", "iso8859_6", "cp874")),
    "gb18030": "gb2312",
    "cp949": None,
    "big5hkscs": "big5",
    "cp932": "euc_jp",
    "euc_jp": "euc_jp",
}
COMMON_IDEOGRAPHS = {"gb2312": 0xD8, "big5": 0xC7, "euc_jp": 0xD0}  # lead byte at which the first level ends
RARE = ("koi8_r", "cp866", "iso8859_6", "euc_jp")  # seldom met today: they must fit clearly better
RARE_PENALTY = 0.15
HEBREW_FINALS = "םןץףך"  # stand at the end of words only
THAI_MARKS = "ัิีึืฺุู็่้๊๋์ํ๎"  # stand above or below a letter
# The letters that are the most frequent of their scripts; about half of every text.
FREQUENT = frozenset(
    "оеаинтсрвл"
    "αοιετνσρκ"
    "יוהלאמרתבש"
    "اليمونرتبة"
    "านรอกเงมยลวดทส"
    "이다는을의에하고가로기사지한어서자대으"
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年"
    "這個們來為國說時會對後開請號電話日月中文"
)
NOT_CHARSETS = (
    "idna",
    "punycode",
    "unicode-escape",
    "unicode_escape",
    "raw-unicode-escape",
    "raw_unicode_escape",
    "utf-7",
)
SAMPLE_BYTES = 48_000
_JAPANESE_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([BIJ])")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
# A sign such as ³ or ¿ between letters: a letter of another alphabet, read as cp1252.
_SIGN_IN_WORD = re.compile("[^\\W\\d_][¹²³¼½¾¿¡¢£¤¥¦§¨©¬®¯°±´¶¸][^\\W\\d_]")
_LOW_LETTERS = b"\x8a\x8c\x8e\x92\x9a\x9c\x9e\x9f"  # ŠŒŽ’šœžŸ of cp1252, the letters below 0xC0
_NOT_ASCII = re.compile(rb"[^\n]*[\x80-\xff][^\n]*\n?")


def decode(data: bytes, declared: str | None = None) -> str:
    """The text of `data`. Never raises: what fits no encoding becomes U+FFFD.

    Order of trust: a byte order mark, the pattern of UTF-16, valid UTF-8, UTF-8 with few faults, the declared charset
    where it fits, the statistics of the bytes.
    """
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if (wide := _wide_without_mark(data)) is not None:
        return data.decode(wide, "replace")
    if _JAPANESE_ESCAPE.search(data) is not None and (text := _strict(data, "iso2022_jp_2")) is not None:
        return text
    if (text := _strict(data, "utf-8")) is not None:
        return text
    if _nearly_utf8(data):
        return data.decode("utf-8", "replace")
    return data.decode(guess(data, declared), "replace")


def guess(data: bytes, declared: str | None = None) -> str:
    """Name of the 8-bit or multi-byte encoding that fits best."""
    sample = b"".join(_first_lines(data)) or data[:SAMPLE_BYTES]
    named = usable(declared)
    if named is not None and (named.startswith(("utf", "iso2022")) or _strict(data, named) is None):
        named = None
    if named is not None and named not in LATIN:
        return named
    found = _by_statistics(sample)
    if named is None:
        return found or "cp1252"
    # A Latin charset fits every byte, so it is often declared where it isn't true.
    return found if found is not None and found not in LATIN else named


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


def _first_lines(data: bytes) -> list[bytes]:
    """The lines that tell something (those with bytes beyond ASCII), up to SAMPLE_BYTES."""
    lines: list[bytes] = []
    room = SAMPLE_BYTES
    for found in _NOT_ASCII.finditer(data):
        lines.append(found.group()[:room])
        room -= len(lines[-1])
        if room <= 0:
            break
    return lines


def _by_statistics(sample: bytes) -> str | None:
    """The encoding of a text beyond ASCII; None when nothing fits."""
    if _looks_latin(sample):
        best = max(_matches(sample, LATIN), key=lambda match: match.coherence, default=None)
        western = next(iter(_matches(sample, ("cp1252",))), None)
        if best is None or (
            western is not None
            and western.coherence >= best.coherence - 0.02
            and not _SIGN_IN_WORD.search(str(western))
        ):
            return "cp1252"
        return best.encoding
    scores = {encoding: score(text, encoding) for encoding in LIKELY if (text := _strict(sample, encoding)) is not None}
    return max(scores, key=lambda encoding: scores[encoding]) if scores else None


def _matches(sample: bytes, encodings: tuple[str, ...]) -> list[CharsetMatch]:
    return list(from_bytes(sample, cp_isolation=list(encodings), threshold=0.4))


def score(text: str, encoding: str) -> float:
    """How much `text`, decoded from `encoding`, looks like writing: mean over its characters beyond ASCII, -3 to 1."""
    total, count, before = 0.0, 0, " "
    for letter, after in zip(text, f"{text[1:]} ", strict=True):
        if letter > "\x7f":
            count += 1
            total += _weight(letter, LIKELY.get(encoding))
            if before.islower() and letter.isupper():
                total -= 1.0
            elif letter in HEBREW_FINALS:
                total += -1.0 if after.isalpha() else 0.8
            elif letter in THAI_MARKS and not "ก" <= before <= "\u0e4e":
                total -= 2.0
        before = letter
    return total / max(1, count) - (RARE_PENALTY if encoding in RARE else 0.0)


def _weight(letter: str, common: str | None) -> float:
    if "\u3040" <= letter <= "\u30ff":
        return 1.0 if common == "euc_jp" else 0.4
    if letter.lower() in FREQUENT:
        return 1.0
    if "\u4e00" <= letter <= "\u9fff":
        code = _strict_bytes(letter, common) if common else b""
        return 0.75 if len(code) == 2 and code[0] < COMMON_IDEOGRAPHS.get(common or "", 0) else 0.0
    if "\uac00" <= letter <= "\ud7a3":
        return 0.75 if _strict_bytes(letter, "euc_kr") else -0.5
    if "\u0e00" <= letter <= "\u0e7f":
        return 0.3
    if letter in "。、，「」！？：；（）…“”’«»":
        return 0.7
    if letter.isalpha() and "\u0370" <= letter <= "\u06ff":
        return 0.2
    return -3.0 if "\ue000" <= letter <= "\uf8ff" or "\x80" <= letter < "\xa0" else -0.5


def _strict_bytes(letter: str, encoding: str) -> bytes:
    try:
        return letter.encode(encoding)
    except UnicodeError:
        return b""


def _looks_latin(sample: bytes) -> bool:
    """Bytes beyond ASCII come singly, or in pairs at ASCII letters: accents in words, not another script."""
    accents = runs = 0
    for run in _HIGH_RUN.finditer(sample):
        before, after = sample[run.start() - 1 : run.start()].isalpha(), sample[run.end() : run.end() + 1].isalpha()
        runs += 1
        accents += _is_accent(run.group(), before, after)
    return accents > 0.5 * runs


def _is_accent(high: bytes, before: bool, after: bool) -> bool:
    if before and after and any(byte < 0xC0 and byte not in _LOW_LETTERS for byte in high):
        return False
    return len(high) == 1 or (len(high) == 2 and (before or after))


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _wide_without_mark(data: bytes) -> str | None:
    """UTF-16 (or 32) without its mark: every second byte of mostly Latin text is zero."""
    sample = data[:4096]
    sample = sample[: len(sample) // 4 * 4]
    if len(sample) < 4 or b"\0" not in sample:
        return None
    zeros = [sample[place::4].count(0) * 4 / len(sample) for place in range(4)]
    if min(zeros[1:]) > 0.9 and zeros[0] < 0.1:
        return "utf-32-le"
    if min(zeros[:3]) > 0.9 and zeros[3] < 0.1:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if odd > 0.3 and even < odd / 8:
        return "utf-16-le"
    if even > 0.3 and odd < even / 8:
        return "utf-16-be"
    return None


def _nearly_utf8(data: bytes) -> bool:
    """UTF-8 in which a few bytes are broken: many times more whole characters beyond ASCII than faults."""
    text = data[: 1 << 20].decode("utf-8", "replace")
    faults = text.count("\ufffd")
    whole = len(re.findall("[^\x00-\x7f\ufffd]", text))
    return whole > 8 * faults
