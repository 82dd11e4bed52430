"""Cutting text into passages that the embedding model reads whole.

Tokens are counted with the model's own tokenizer. A passage has 150 to 220 of them where the text allows, never more
than 240 (the model reads 256 with its marks), and never crosses a page, a part or a message. Small neighbouring
sections share a passage; a table's header is repeated over the rows of every passage.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from semantic_text_splitter import TextSplitter

from core.adapters.extraction.tokens import TokenCounter
from core.adapters.extraction.transcript import Section, Transcript
from core.domain.extraction import PassageDraft

FEWEST_TOKENS = 150
MOST_TOKENS = 220
SMALL_TOKENS = 100  # a section below this takes its neighbour in, if both fit
CAPTION_TOKENS = 30
MOST_HEADER_TOKENS = 90  # a wider table's header stands once, above its first row
# A word of over 100 characters is one unknown token to the model: text without spaces needs a bound in characters.
MOST_CHARACTERS = 1600
# Above this the splitter's own search for the right length (about 3 ms a passage) gives way to an estimate that is
# checked: 5 million characters in 4 s instead of 28.
EXACT_CHARACTERS = 20_000
WINDOW_CHARACTERS = 5_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage's text and the offset at which it starts, in code points."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class CutText:
    """The paper's whole text and its passages: text[p.start:p.end] == p.text for each of them."""

    text: str
    passages: list[PassageDraft]


class PassageCutter:
    """Cuts with the tokenizer of the embedding model (its tokenizer.json)."""

    def __init__(self, tokenizer: Path) -> None:
        self._counter = TokenCounter(tokenizer)
        self._exact = TextSplitter.from_huggingface_tokenizer(self._counter.tokenizer, (FEWEST_TOKENS, MOST_TOKENS))
        self._letters = TextSplitter((MOST_CHARACTERS * 2 // 3, MOST_CHARACTERS))

    def cut(self, text: str) -> list[PassageDraft]:
        """Passages of a plain text that has no pages, headings or parts; [] for blank text."""
        return [PassageDraft(p.text, start=p.start, end=p.start + len(p.text)) for p in self.split(text)]

    def cut_transcript(self, transcript: Transcript) -> CutText:
        """Passages of all that a reader read, in reading order."""
        texts: list[str] = []
        passages: list[PassageDraft] = []
        offset = 0
        for section, text, whole in self._gathered(transcript.sections):
            pieces = [Piece(0, text)] if whole else self.split(text)
            for piece in pieces:
                start = offset + piece.start
                passages.append(
                    PassageDraft(
                        piece.text, section.page, section.heading, section.part, start, start + len(piece.text)
                    )
                )
            texts.append(text)
            offset += len(text) + 2
        return CutText("\n\n".join(texts), passages)

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """Number of the model's tokens in each text, without the marks at both ends."""
        return self._counter.count(texts)

    def split(self, text: str) -> list[Piece]:
        """Pieces of at most MOST_TOKENS tokens and MOST_CHARACTERS characters, blanks around them left out."""
        if len(text) <= MOST_CHARACTERS and self.tokens([text])[0] < FEWEST_TOKENS:
            whole = text.strip()  # what the splitter would answer, at a tenth of its cost: most memories are short
            return [Piece(text.index(whole), whole)] if whole else []
        if len(text) <= EXACT_CHARACTERS:
            pieces = [Piece(start, piece) for start, piece in self._exact.chunk_indices(text)]
        else:
            pieces = list(self._estimated(text))
        return list(self._bounded(pieces))

    def _estimated(self, text: str) -> Iterator[Piece]:
        """Pieces of a long text, window by window; the last piece of a window is cut again with what follows it."""
        start = 0
        while start < len(text):
            window = text[start : _window_end(text, start)]
            found = self._estimated_window(window)
            more = start + len(window) < len(text)
            kept = found[:-1] if more and len(found) > 1 else found
            yield from (Piece(start + piece.start, piece.text) for piece in kept)
            start += found[-1].start if len(kept) < len(found) else len(window)

    def _estimated_window(self, window: str) -> list[Piece]:
        letters = len(window) / max(1, self.tokens([window])[0])
        least, most = int(letters * (FEWEST_TOKENS + 15)), int(letters * (MOST_TOKENS - 15))
        splitter = TextSplitter((max(1, min(least, MOST_CHARACTERS)), max(1, min(most, MOST_CHARACTERS))))
        found = splitter.chunk_indices(window)
        pieces: list[Piece] = []
        for (start, piece), tokens in zip(found, self.tokens([piece for _start, piece in found]), strict=True):
            if tokens <= MOST_TOKENS:
                pieces.append(Piece(start, piece))
            else:
                pieces.extend(Piece(start + inner, text) for inner, text in self._exact.chunk_indices(piece))
        return pieces

    def _bounded(self, pieces: list[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            if len(piece.text) <= MOST_CHARACTERS:
                yield piece
                continue
            begin = 0
            while begin < len(piece.text):
                end = _window_end(piece.text, begin)
                for start, smaller in self._letters.chunk_indices(piece.text[begin:end]):
                    yield Piece(piece.start + begin + start, smaller)
                begin = end

    def _gathered(self, sections: Sequence[Section]) -> Iterator[tuple[Section, str, bool]]:
        """Sections with their texts, small neighbours joined, tables in passages of whole rows.

        The flag says that the text is a passage as it stands.
        """
        held: tuple[Section, str, int] | None = None
        for section, text, tokens in self._measured(sections):
            if held is not None:
                before, above, count = held
                if _same_place(before, section) and min(count, tokens) < SMALL_TOKENS and count + tokens < MOST_TOKENS:
                    held = (_joined(before, section), f"{above}\n\n{text}", count + tokens)
                    continue
                if _leads_into(before, section) and count < SMALL_TOKENS:
                    held = (section, f"{above}\n\n{text}", count + tokens)
                    continue
                if _is_caption(before, section, count) and tokens > MOST_TOKENS:
                    section.header = "\n".join(filter(None, (above, section.header)))
                else:
                    yield before, above, False
                held = None
            if section.table and tokens > MOST_TOKENS:
                for rows, whole in self._row_passages(section):
                    yield section, rows, whole
            else:
                held = (section, text, tokens)
        if held is not None:
            yield held[0], held[1], False

    def _measured(self, sections: Sequence[Section]) -> Iterator[tuple[Section, str, int]]:
        for begin in range(0, len(sections), 64):
            some = [section for section in sections[begin : begin + 64] if section.blocks or section.header]
            texts = [_text(section) for section in some]
            # What is far too long for a neighbour anyway need not be counted to its end.
            counts = self.tokens([text[: EXACT_CHARACTERS // 2] for text in texts])
            yield from zip(some, texts, counts, strict=True)

    def _row_passages(self, section: Section) -> Iterator[tuple[str, bool]]:
        header = section.header
        header_tokens = self.tokens([header])[0] + 1 if header else 0
        if header_tokens > MOST_HEADER_TOKENS or len(header) > MOST_CHARACTERS // 2:
            yield header, False
            header, header_tokens = "", 0
        held: list[str] = []
        count, letters = header_tokens, len(header)
        for row, tokens in self._counted_rows(section.blocks):
            fits = count + tokens <= MOST_TOKENS and letters + len(row) <= MOST_CHARACTERS
            if held and not fits:
                yield _under(header, held), True
                held, count, letters = [], header_tokens, len(header)
            if header_tokens + tokens > MOST_TOKENS or len(header) + len(row) > MOST_CHARACTERS:
                yield row, False
            else:
                held.append(row)
                count += tokens
                letters += len(row) + 1
        if held:
            yield _under(header, held), True

    def _counted_rows(self, rows: Sequence[str]) -> Iterator[tuple[str, int]]:
        for begin in range(0, len(rows), 1000):
            some = rows[begin : begin + 1000]
            yield from zip(some, self.tokens([row[:EXACT_CHARACTERS] for row in some]), strict=True)


def _under(header: str, rows: list[str]) -> str:
    return "\n".join([header, *rows] if header else rows)


def _text(section: Section) -> str:
    if section.table:
        return _under(section.header, section.blocks)
    return "\n\n".join(section.blocks)


def _same_place(one: Section, other: Section) -> bool:
    return (one.group, one.page, one.part) == (other.group, other.page, other.part)


def _leads_into(one: Section, other: Section) -> bool:
    """A title or a few words above a long text that belongs to them."""
    return _same_place(one, other) and not other.table and other.heading[: len(one.heading)] == one.heading


def _is_caption(one: Section, other: Section, tokens: int) -> bool:
    """A name above a long table, to be repeated with its header."""
    nested = other.heading[: len(one.heading)] == one.heading
    return other.table and nested and tokens <= CAPTION_TOKENS and _same_place(one, other)


def _joined(one: Section, other: Section) -> Section:
    """Where both stand: under the headings that they share, or the first's when the other lies below it."""
    shared = 0
    while shared < min(len(one.heading), len(other.heading)) and one.heading[shared] == other.heading[shared]:
        shared += 1
    return Section(one.page, one.part, one.heading[:shared], one.group)


def _window_end(text: str, start: int) -> int:
    """Where a window of about WINDOW_CHARACTERS ends: at its last blank line, line end, sentence or space."""
    if len(text) - start <= WINDOW_CHARACTERS:
        return len(text)
    window = text[start : start + WINDOW_CHARACTERS]
    for mark in ("\n\n", "\n", ". ", "。", " "):
        if (found := window.rfind(mark)) > WINDOW_CHARACTERS // 2:
            return start + found + len(mark)
    return start + WINDOW_CHARACTERS
