"""Words that a PDF breaks at the end of a line: put together, or left with their hyphen where it belongs to them.

PDFium writes one mark for every hyphen at a line's end, whether the line broke "infor-mation" or "dual-encoder". What
keeps its hyphen is found by search in all spellings (dual-encoder, dualencoder, encoder); what loses one that it needs
is found in one only. So a hyphen stays unless the parts look like one word.
"""

import re
from collections.abc import Callable, Sequence

_BREAK = re.compile("([^\\W_]+)[\ufffe\x02][ \t]*(?:\r?\n)?[ \t]*([^\\W_]+)")
_MARK = re.compile("(?<=\\w)[\ufffe\x02](?=\\s|$)")
_WORD = re.compile("[^\\W_]+(?:-[^\\W_]+)*(?![\\w\ufffe\x02])")  # halves of broken words don't count
LIKE_A_WORD = 1  # tokens: the model knows it as a word


class LineEnds:
    """Mends the pages of one paper in order; what earlier pages and the page itself say elsewhere decides first.

    tokens: how many tokens the embedding model makes of each text. Its vocabulary tells words from halves of words.
    """

    def __init__(self, tokens: Callable[[Sequence[str]], list[int]]) -> None:
        self._tokens = tokens
        self._seen: set[str] = set()

    def mended(self, text: str) -> str:
        """The page's text without PDFium's marks."""
        self._seen.update(found[0].lower() for found in _WORD.finditer(text))
        if "\ufffe" not in text and "\x02" not in text:
            return text
        # Twice: the end of one broken word may be the beginning of the next.
        return _MARK.sub("-", _BREAK.sub(self._joined, _BREAK.sub(self._joined, text)))

    def _joined(self, found: re.Match[str]) -> str:
        first, second = found[1], found[2]
        return f"{first}-{second}" if self._keeps_hyphen(first, second) else first + second

    def _keeps_hyphen(self, first: str, second: str) -> bool:
        if first[-1].isdigit() or second[0].isdigit() or (second[0].isupper() and not first.isupper()):
            return True
        low, high = first.lower(), second.lower()
        if f"{low}-{high}" in self._seen:
            return True
        if low + high in self._seen:
            return False
        whole, left, right = self._tokens([low + high, low, high])
        return whole >= left + right and (left == LIKE_A_WORD or low in self._seen)
