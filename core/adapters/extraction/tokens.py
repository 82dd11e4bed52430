"""How many tokens the embedding model makes of a text."""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from pathlib import Path

from tokenizers import Tokenizer

MAX_KNOWN = 100_000  # words whose numbers are kept, about 10 MB
LONGEST_KNOWN = 40  # characters; longer ones hardly come again


class TokenCounter:
    """Counts with the model's own tokenizer (its tokenizer.json), each word once.

    The tokenizer takes every run between white space by itself, so a text has as many tokens as its words together.
    That makes counting about ten times as fast as asking for whole texts.
    """

    def __init__(self, tokenizer: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self._known: dict[str, int] = {}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens in each text, without the marks at both ends."""
        words = [text.split() for text in texts]
        known = self._counted({word for some in words for word in some})
        return [sum(map(known.__getitem__, some)) for some in words]

    def _counted(self, words: set[str]) -> Mapping[str, int]:
        """The numbers of (at least) these words."""
        if len(self._known) > MAX_KNOWN:
            self._known = {}
        new = [word for word in words if word not in self._known]
        if not new:
            return self._known
        encoded = self.tokenizer.encode_batch_fast(new, add_special_tokens=False)
        counted = {word: len(encoding.ids) for word, encoding in zip(new, encoded, strict=True)}
        self._known |= {word: number for word, number in counted.items() if len(word) <= LONGEST_KNOWN}
        return ChainMap(counted, self._known)
