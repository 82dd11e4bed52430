"""Folding: how lists compare names and titles, without regard to case, accents and width."""

import unicodedata


def fold(text: str) -> str:
    """Lower case without accents, compatibility forms made plain: "Ärztin ﬁx" becomes "arztin fix".

    Unicode Standard, section 3.13 (caseless matching) with NFKD, less the non-spacing marks.
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in plain if unicodedata.category(c) != "Mn")
