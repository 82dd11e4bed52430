"""Mutilated papers: thousands of damaged, spliced and lying files of every format through the real worker.

    python -m benchmarks.fuzz [--runs N] [--seed N] [--only TEXT] [--seconds N]

Begins with the samples of tests/core/extraction/samples.py and, where it lies beside the project, with the small files
of ../shared/corpus. Every second one that is a container (ZIP, OLE) is mutilated inside and packed again. One line a
format: how many became text, how many were refused, errors that no reader foresaw (caught, and said as damage), the
slowest, the worker's largest resident set. Ends with each unforeseen error's place. Exit code 1 when a worker died or
ran out of its limits, or an answer was neither text nor a refusal that names the paper.
"""

import argparse
import asyncio
import io
import json
import random
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import olefile

from benchmarks.papers import COMMAND, CORPUS, TOKENIZER
from core.adapters.extraction.process import ProcessExtraction
from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.ports.extraction import ReadLimits
from tests.core.extraction.making import zipped
from tests.core.extraction.old_office import ole
from tests.core.extraction.samples import samples

BAD = (RefusalCode.CRASHED, RefusalCode.TIME, RefusalCode.MEMORY, RefusalCode.MISSING)
LARGEST = 100_000  # bytes of a file of the corpus that is mutilated
NUMBERS = (
    b"\0",
    b"\xff",
    b"\x7f\xff\xff\xff",
    b"\xff\xff\xff\xff",
    b"\0\0\0\x80",
    b"4294967295",
    b"-1",
    b"99999999999",
)
TOKENS = (
    b"<",
    b">",
    b"&",
    b'"',
    b"{",
    b"}",
    b"\\",
    b"|",
    b"^",
    b"\r",
    b"\n",
    b"\0",
    b"PK\x03\x04",
    b"%PDF-",
    b"From ",
    b"=",
)


@dataclass(slots=True)
class Line:
    """What became of the mutilated files of one format."""

    runs: int = 0
    texts: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])
    unforeseen: int = 0
    slowest: float = 0.0
    peak: int = 0


def mutilated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """A few faults of kinds that happen: cut off, bytes lost, doubled, changed, lengths that lie, two files in one."""
    paper = bytearray(data)
    for _fault in range(chance.randint(1, 6)):
        if not paper:
            break
        place = chance.randrange(len(paper))
        length = min(len(paper) - place, chance.choice((1, 2, 4, 16, 100, 1000)))
        kind = chance.randrange(8)
        if kind == 0:
            paper[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            paper[place : place + length] = chance.randbytes(length)
        elif kind == 2:
            del paper[place : place + length]
        elif kind == 3:
            paper[place:place] = bytes(paper[place : place + length]) * chance.choice((1, 2, 50))
        elif kind == 4:
            number = chance.choice(NUMBERS)
            paper[place : place + len(number)] = number
        elif kind == 5:
            paper[place:place] = chance.choice(TOKENS) * chance.choice((1, 3, 200))
        elif kind == 6:
            del paper[place:]
        else:
            start = chance.randrange(len(other)) if other else 0
            paper[place : place + length] = other[start : start + length]
    return bytes(paper) or b"\0"


def mutilated_inside(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The same done to one member of a container, which stays whole itself."""
    try:
        if data.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {one.filename: archive.read(one) for one in archive.infolist() if one.file_size < 1 << 20}
            chosen = chance.choice(sorted(members))
            members[chosen] = mutilated(members[chosen], other, chance)
            return zipped(dict(members))
        if olefile.isOleFile(data):
            with cast(Any, olefile.OleFileIO(io.BytesIO(data))) as container:
                streams = {"/".join(path): container.openstream(path).read() for path in container.listdir()}
            chosen = chance.choice(sorted(streams))
            streams[chosen] = mutilated(streams[chosen], other, chance)
            return ole(streams)
    except Exception:  # a sample that is damaged already
        pass
    return mutilated(data, other, chance)


def sources(only: str) -> dict[str, bytes]:
    found = dict(samples())
    listing = CORPUS / "documents.jsonl"
    for line in listing.read_text("utf-8").splitlines() if listing.is_file() else ():
        entry = json.loads(line)
        path = CORPUS / entry["path"]
        if entry["format"] != "image" and 0 < path.stat().st_size <= LARGEST:
            found[path.name] = path.read_bytes()
    return {name: data for name, data in found.items() if only in name}


async def run(arguments: argparse.Namespace) -> int:
    chance = random.Random(arguments.seed)
    papers = sources(arguments.only)
    names = sorted(papers)
    extraction = ProcessExtraction(COMMAND, TOKENIZER)
    limits = ReadLimits(seconds=arguments.seconds)
    lines: dict[str, Line] = defaultdict(Line)
    places: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.runs):
            name = names[number % len(names)]
            path = Path(folder, "paper")
            fault_in = chance.choice((mutilated, mutilated_inside))
            path.write_bytes(fault_in(papers[name], papers[chance.choice(names)], chance))
            begun = time.perf_counter()
            password = chance.choice((None, "geheim"))
            result = await extraction.read(path, name, password=password, limits=limits)
            line = lines[Path(name).suffix.lower() or "none"]
            line.runs += 1
            line.slowest = max(line.slowest, time.perf_counter() - begun)
            line.peak = max(line.peak, extraction.peak_bytes)
            line.unforeseen += bool(extraction.defects)
            places.update(extraction.defects)
            if isinstance(result, Extracted):
                line.texts += 1
            else:
                line.refused[result.code] += 1
            if (fault := wrong(result, name)) is not None:
                kept = Path(tempfile.gettempdir(), f"fuzz-{arguments.seed}-{number}-{name}")
                kept.write_bytes(path.read_bytes())
                faults.append(f"{fault}: {kept}")
    await extraction.close()
    report(lines, places, faults)
    return int(bool(faults))


def wrong(result: Extracted | Refusal, name: str) -> str | None:
    """What is wrong with an answer; None for text, or a refusal that says which paper it is about."""
    if isinstance(result, Extracted):
        empty = not result.passages and not result.scans
        return "done with no text" if empty or any(not one.text.strip() for one in result.passages) else None
    if result.code in BAD:
        return str(result.code)
    return None if name in result.sentence else "a refusal that names no paper"


def report(lines: dict[str, Line], places: Counter[str], faults: list[str]) -> None:
    print("| files | runs | text | refused | unforeseen | slowest | worker |")
    print("| :-- | --: | --: | --: | --: | --: | --: |")
    total = Line()
    for suffix, line in sorted(lines.items()):
        show(suffix, line)
        total.runs += line.runs
        total.texts += line.texts
        total.refused.update(line.refused)
        total.unforeseen += line.unforeseen
        total.slowest, total.peak = max(total.slowest, line.slowest), max(total.peak, line.peak)
    show("all", total)
    print("\nrefused: " + ", ".join(f"{code} {count}" for code, count in total.refused.most_common()))
    for place, count in places.most_common(40):
        print(f"unforeseen: {count} × {place}")
    for fault in faults:
        print(f"FAULT {fault}")


def show(name: str, line: Line) -> None:
    refused = sum(line.refused.values())
    cost = f"{line.slowest:.2f} s | {line.peak >> 20} MB"
    print(f"| {name} | {line.runs} | {line.texts} | {refused} | {line.unforeseen} | {cost} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names that contain this text")
    parser.add_argument("--seconds", type=float, default=30.0, help="time limit of one reading")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
