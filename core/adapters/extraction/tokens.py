"""How many tokens the embedding model makes of a text."""

import json
import string
from collections import ChainMap
from collections.abc import Mapping, Sequence
from pathlib import Path

from tokenizers import Tokenizer

from core.adapters.extraction.loose import mapping

MAX_KNOWN = 100_000  # words whose numbers are kept, about 10 MB
LONGEST_KNOWN = 40  # characters; longer ones hardly come again
SPLITS = "BertPreTokenizer"  # takes words between white space and punctuation each by itself
_WITHOUT_SIGNS = str.maketrans("", "", string.punctuation)
_SIGNS_AS_SPACES = str.maketrans(string.punctuation, " " * len(string.punctuation))


class TokenCounter:
    """Counts with the model's own tokenizer (its tokenizer.json), each word once where the tokenizer allows.

    A tokenizer of BERT's kind makes one token of every ASCII sign and takes the words between them each by itself, so a
    text has as many tokens as its signs and words together (the model's own marks, "[SEP]" and the like, count as
    three). Counting so is ten times as fast as asking for whole texts.
    """

    def __init__(self, tokenizer: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self._by_words = _splits_words(tokenizer)
        self._known: dict[str, int] = {}

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens in each text, without the marks at both ends."""
        if not self._by_words:
            return self._encoded(texts)
        words = [text.translate(_SIGNS_AS_SPACES).split() for text in texts]
        known = self._counted({word for some in words for word in some})
        signs = [len(text) - len(text.translate(_WITHOUT_SIGNS)) for text in texts]
        return [number + sum(map(known.__getitem__, some)) for number, some in zip(signs, words, strict=True)]

    def _encoded(self, texts: Sequence[str]) -> list[int]:
        encoded = self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    def _counted(self, words: set[str]) -> Mapping[str, int]:
        """The numbers of (at least) these words."""
        if len(self._known) > MAX_KNOWN:
            self._known = {}
        new = [word for word in words if word not in self._known]
        if not new:
            return self._known
        counted = dict(zip(new, self._encoded(new), strict=True))
        self._known |= {word: number for word, number in counted.items() if len(word) <= LONGEST_KNOWN}
        return ChainMap(counted, self._known)


def _splits_words(tokenizer: Path) -> bool:
    return bool(mapping(mapping(json.loads(tokenizer.read_text("utf-8"))).get("pre_tokenizer")).get("type") == SPLITS)
