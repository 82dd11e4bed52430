"""UTF-16 and UTF-32 without their mark, told by what the characters would be."""

import unicodedata

SAMPLE_BYTES = 4096
FEWEST_PLAUSIBLE = 0.85  # share of characters that writing is made of, in the right byte order
LEAST_LEAD = 0.3  # over the other byte order
# National sets and the lead byte at which their common characters end: an ideograph outside of all is seldom written.
COMMON = (("gb2312", 0xD8), ("big5", 0xC7), ("euc_jp", 0xD0), ("euc_kr", 0xC9))
_TEXT_CONTROLS = b"\t\n\r\f\x0b\x1b\x07\x08"
_CONTROLS = bytes(byte for byte in range(32) if byte not in _TEXT_CONTROLS)


def wide_without_mark(data: bytes) -> str | None:
    """The encoding; None for anything else. Mostly Latin text shows it by its zeros, other scripts by making sense."""
    sample = data[:SAMPLE_BYTES]
    sample = sample[: len(sample) // 4 * 4]
    if b"\0" in sample and (found := _by_zeros(sample)) is not None:
        return found
    sample = data[: min(SAMPLE_BYTES, len(data) // 2 * 2)]
    if len(sample) < 4 or not _is_strange(data if len(data) <= SAMPLE_BYTES else sample):
        return None
    text = sample.decode("utf-16-le", "replace")
    little, big = plausible(text), plausible(sample.decode("utf-16-be", "replace"))
    if _repeats(text) or max(little, big) < FEWEST_PLAUSIBLE or abs(little - big) < LEAST_LEAD:
        return None
    return "utf-16-le" if little > big else "utf-16-be"


def _by_zeros(sample: bytes) -> str | None:
    zeros = [sample[place::4].count(0) * 4 / len(sample) for place in range(4)]
    if zeros[3] == 1 and zeros[2] > 0.5 and max(sample[2::4]) <= 0x10:  # no character lies above U+10FFFF
        return "utf-32-le"
    if zeros[0] == 1 and zeros[1] > 0.5 and max(sample[1::4]) <= 0x10:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    found = None
    if odd > 0.3 and even < odd / 8:
        found = "utf-16-le"
    if even > 0.3 and odd < even / 8:
        found = "utf-16-be"
    return found if found and plausible(sample.decode(found, "replace")) > 0 else None


def _is_strange(sample: bytes) -> bool:
    """Neither ASCII without control characters nor UTF-8."""
    if any(control in sample for control in _CONTROLS):
        return True
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:  # a character that is cut off by the end of the sample is no fault
        return len(sample) < SAMPLE_BYTES or error.start < len(sample) - 3
    return False


def plausible(text: str) -> float:
    """Mean weight of the characters, -1 to 1."""
    return sum(map(_weight, text)) / len(text)


def _repeats(text: str) -> bool:
    """Repeats itself as no writing does."""
    return len(set(text)) < min(8, len(text) // 3)


def _weight(letter: str) -> float:
    if letter < "\x7f":
        return 1.0 if letter >= " " or letter in "\t\n\r" else -1.0
    category = unicodedata.category(letter)
    if category[0] == "C" or letter == "\ufffd":
        return -1.0
    if "\u0180" <= letter < "\u0370":  # seldom letters, and marks that are typed together with theirs
        return 0.0
    if letter < "\u0e80" or "\u3000" <= letter <= "\u30ff" or "\uff01" <= letter <= "\uff9f":
        return 1.0
    if "\u4e00" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7a3":
        return 1.0 if _is_common(letter) else 0.0
    return 1.0 if category[0] == "P" else 0.0


def _is_common(letter: str) -> bool:
    for encoding, end in COMMON:
        try:
            code = letter.encode(encoding)
        except UnicodeError:
            continue
        if len(code) == 2 and code[0] < end:
            return True
    return False
