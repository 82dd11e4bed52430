"""Numbers under which Windows programs name charsets, in mails, RTF and old office files."""

_OTHERS = {
    437: "cp437",
    1200: "utf-16-le",
    1201: "utf-16-be",
    10000: "mac_roman",
    10001: "cp932",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10029: "mac_latin2",
    10081: "mac_turkish",
    20127: "ascii",
    20866: "koi8-r",
    20936: "gb2312",
    20949: "euc_kr",
    21866: "koi8-u",
    38598: "iso8859-8",
    50220: "iso2022_jp",
    50221: "iso2022_jp",
    50222: "iso2022_jp",
    50225: "iso2022_kr",
    51932: "euc-jp",
    51936: "gb2312",
    51949: "euc_kr",
    52936: "hz",
    54936: "gb18030",
    65000: "utf-7",
    65001: "utf-8",
}


def charset(number: int) -> str | None:
    """Python's name of the charset; None for numbers that name none (0 and the like)."""
    if 28591 <= number <= 28606:
        return f"iso8859-{number - 28590}"
    return _OTHERS.get(number) or (f"cp{number}" if 700 <= number <= 1399 else None)
