"""Pieces of erased texts as numbers: by them files are searched for what is left, without keeping the texts.

A trace is the hash of SHORT or LONG bytes that stood side by side. Hashes are polynomials modulo 2^64 with a random odd
factor, made for all places of a file by doubling: four multiplications a byte, whatever the number of traces.
Source: Karp and Rabin 1987, on fingerprints for searching many patterns at once.
"""

import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.domain.writing import plain, words

SHORT, LONG = 8, 16  # bytes
MOST_OF_ONE = 4096  # traces of one text; of a longer one they stand further apart
TELLING = 5  # different bytes that a trace has at least: blanks and lines of dashes tell nothing
OVERLAP = LONG - 1  # bytes that a piece of a file shares with the next one

Hashes = NDArray[np.uint64]
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Traces:
    """short, long: sorted hashes of SHORT and of LONG bytes. endings: of the last SHORT bytes of words, which tell
    something only of a search index. seed: the odd factor they were made with."""

    seed: int
    short: Hashes
    long: Hashes
    endings: Hashes

    def __len__(self) -> int:
        return len(self.short) + len(self.long) + len(self.endings)

    def without_endings(self) -> "Traces":
        """For files that hold no index."""
        return replace(self, endings=self.endings[:0])


class TraceTable:
    """Traces made ready for looking them up."""

    def __init__(self, traces: Traces) -> None:
        self.traces = traces
        sized = (SHORT, traces.short), (LONG, traces.long), (SHORT, traces.endings)
        self._tables = [(size, hashes, _filter(hashes)) for size, hashes in sized]

    def found(self, data: bytes) -> bool:
        """Whether any trace stands in these bytes."""
        return any(len(hit) for hit in self._hits(data))

    def without(self, texts: Iterable[bytes]) -> Traces:
        """The traces that stand in none of these."""
        kept = [np.ones(len(hashes), np.bool_) for _, hashes, _ in self._tables]
        for data in texts:
            for keep, hit in zip(kept, self._hits(data), strict=True):
                keep[hit] = False
        return Traces(self.traces.seed, *(table[1][keep] for table, keep in zip(self._tables, kept, strict=True)))

    def _hits(self, data: bytes) -> Iterator[NDArray[np.int64]]:
        """Of short ones, long ones and endings, which stand in the bytes."""
        rolled = _rolled(data, self.traces.seed)
        for size, hashes, table in self._tables:
            made = rolled[size == LONG]
            if not len(hashes) or len(data) < size:
                yield np.zeros(0, np.int64)
                continue
            likely = made[table[_slot(made, len(table))]]
            places = np.minimum(np.searchsorted(hashes, likely), len(hashes) - 1)
            yield np.unique(places[hashes[places] == likely])


def _filter(hashes: Hashes) -> NDArray[np.bool_]:
    """One place in a table for each hash, at most a sixteenth of them taken."""
    bits = min(24, max(12, int(len(hashes) * 16).bit_length()))
    table = np.zeros(1 << bits, np.bool_)
    table[_slot(hashes, len(table))] = True
    return table


def _slot(hashes: Hashes, size: int) -> NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        return (hashes * _MIX) >> np.uint64(64 - (size.bit_length() - 1))


def _rolled(data: bytes, seed: int) -> tuple[Hashes, Hashes]:
    """The hashes of all runs of SHORT, and of LONG bytes."""
    made = np.frombuffer(data, np.uint8).astype(np.uint64) + np.uint64(1)
    factor, size, short = seed, 1, made
    while size < LONG:
        if len(made) <= size:
            return (short if size >= SHORT else made[:0]), made[:0]
        made = made[:-size] * np.uint64(factor) + made[size:]
        factor, size = factor * factor % (1 << 64), size * 2
        if size == SHORT:
            short = made
    return short, made


def traces_of(texts: Iterable[str | bytes], seed: int | None = None) -> Traces:
    """The traces of texts as UTF-8, as UTF-16 and as JSON writes them, and of bytes as they are."""
    seed = seed or secrets.randbits(64) | 1
    short, long, endings = list[Hashes](), list[Hashes](), list[Hashes]()
    for text in texts:
        for data in _written(text):
            made = _rolled(data, seed)
            if len(data) >= LONG:
                long.append(_some(data, made[1], LONG))
            elif len(data) >= SHORT:
                short.append(_some(data, made[0], SHORT))
        if isinstance(text, str):
            endings += [_rolled(ending, seed)[0] for ending in _endings(text)]
    return Traces(seed, _together(short), _together(long), _together(endings))


def _written(text: str | bytes) -> set[bytes]:
    if isinstance(text, bytes):
        return {text}
    escaped = json.dumps(text, ensure_ascii=True)[1:-1]
    inner = json.dumps(text, ensure_ascii=False)[1:-1]
    return {each.encode("utf-8", "replace") for each in (text, inner, escaped)} | {text.encode("utf-16-le", "replace")}


def _endings(text: str) -> set[bytes]:
    """The last bytes of long words as the index holds them: it leaves out what a word shares with the one before."""
    forms = {plain(word).encode("utf-8", "replace") for word in words(text)}
    return {form[-SHORT:] for form in forms if len(form) >= SHORT and len(set(form[-SHORT:])) >= TELLING}


def _some(data: bytes, hashes: Hashes, size: int) -> Hashes:
    """Hashes at even distances, of runs that have enough different bytes; the last run is among them."""
    step = max(size, len(hashes) // MOST_OF_ONE + 1)
    places = [*range(0, len(hashes), step), len(hashes) - 1]
    return hashes[[place for place in places if len(set(data[place : place + size])) >= TELLING]]


def _together(parts: list[Hashes]) -> Hashes:
    return np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.uint64)
