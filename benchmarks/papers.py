"""Reading papers: every file of ../shared/corpus through the extraction port, as a table.

    python -m benchmarks.papers [--only TEXT] [--seconds N] [--show]

One line a file: status (words found, "refused: CODE", passages), whether what was expected is there, seconds, and the
worker's largest resident set. Ends with a line for each format. Exit code 1 when a reader crashed or ran out of time.
A file with pictures of text is read as in the program: once without them, then with recognition.
"""

import argparse
import asyncio
import json
import re
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.paths import recognition_models
from core.adapters.extraction.process import ProcessExtraction
from core.domain.extraction import Extracted, Refusal, RefusalCode
from core.ports.extraction import ReadLimits

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"
TOKENIZER = ROOT / "resources" / "model" / "tokenizer.json"
COMMAND = [sys.executable, "-m", "core.adapters.workers", "extraction"]
BAD = (RefusalCode.CRASHED, RefusalCode.TIME)

_CONTAINS = re.compile(
    r"(?<!with )(?:contains|OCR|finds:|search|subject|shown as|entry names|body|found:?|patient|given name"
    r"|text only in SmartArt:|\band|hits?|conversation object, not a list:)\s+((?:\"[^\"]*\"(?:,| and)?\s*)+)"
)
_QUOTED = re.compile(r"\"([^\"]+)\"")
_PASSWORD = re.compile(r"with \"([^\"]+)\"")
_REFUSALS: tuple[tuple[str, tuple[RefusalCode, ...]], ...] = (
    ("password needed", (RefusalCode.PASSWORD,)),
    ("file is empty", (RefusalCode.EMPTY,)),
    (
        "clear error",
        (RefusalCode.DAMAGED, RefusalCode.TOO_LARGE, RefusalCode.MEMORY, RefusalCode.UNSUPPORTED, RefusalCode.NO_TEXT),
    ),
    ("no text layer", (RefusalCode.NO_TEXT,)),
    ("not supported", (RefusalCode.UNSUPPORTED,)),
    ("unknown type", (RefusalCode.UNSUPPORTED,)),
    ("gigapixels: refused", (RefusalCode.TOO_LARGE, RefusalCode.DAMAGED)),
    ("0 text", (RefusalCode.NO_TEXT, RefusalCode.DAMAGED)),
    ('"no text"', (RefusalCode.NO_TEXT, RefusalCode.DAMAGED)),
    ("damaged image", (RefusalCode.NO_TEXT, RefusalCode.DAMAGED)),
    ("refused", (RefusalCode.TOO_LARGE, RefusalCode.DAMAGED, RefusalCode.MEMORY)),
    ("no crash", tuple(code for code in RefusalCode if code not in BAD)),
    ("unpacks to itself", (RefusalCode.NO_TEXT,)),
    ("depth cap", (RefusalCode.NO_TEXT,)),
    ("cannot load", (RefusalCode.DAMAGED,)),
    ("lock file", (RefusalCode.UNSUPPORTED,)),
    ("frames although", (RefusalCode.NO_TEXT,)),
    ("opens;", (RefusalCode.NO_TEXT,)),
    ("imported under a default title", (RefusalCode.NO_TEXT,)),
    ("clear message", (RefusalCode.DAMAGED,)),
    ("says", (RefusalCode.NO_TEXT, RefusalCode.UNSUPPORTED)),
)


@dataclass(frozen=True, slots=True)
class Case:
    path: Path
    format: str
    expect: str


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    result: Extracted | Refusal
    met: bool
    seconds: float
    peak: int


def cases() -> Iterator[Case]:
    """The corpus' documents, then the small cases that are papers."""
    for line in (CORPUS / "documents.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        yield Case(CORPUS / entry["path"], entry["format"], entry["expect"])
    for line in (CORPUS / "cases" / "cases.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        yield Case(CORPUS / "cases" / entry["path"], "cases", entry["expect"])


def loose(text: str) -> str:
    """White space, bars between cells, carets in names, letter case and composition don't count."""
    text = unicodedata.normalize("NFC", text).replace("\ufeff", "")
    return " ".join(re.sub(r"[|^\s]+", " ", text).lower().split())


def wanted(case: Case) -> list[str]:
    """The texts that must be found. Long quotations may break off inside a word."""
    if case.expect.startswith("finds: "):
        parts = case.expect.removeprefix("finds: ").split(";")[0].split(", ")
        return [part for part in parts if not part.startswith(("shown", "typed", "opens"))]
    found: list[str] = []
    for group in _CONTAINS.finditer(case.expect):
        found.extend(words.replace(" None ", " ") for words in _QUOTED.findall(group[1]))  # no receiver, in Python
    return found


def expects(case: Case, refusal: Refusal) -> bool:
    """Whether this refusal is what was to be said of the file."""
    return any(word in case.expect.lower() and refusal.code in codes for word, codes in _REFUSALS) or (
        refusal.code is RefusalCode.EMPTY and case.path.stat().st_size == 0
    )


def is_met(case: Case, result: Extracted | Refusal) -> bool:
    if isinstance(result, Refusal):
        return expects(case, result)
    if not result.passages:
        return False
    text = loose("\n".join(passage.text for passage in result.passages))
    told = loose(" ".join(note.sentence for note in result.notes))
    return all(loose(words) in told or _is_in(words, text) for words in wanted(case))


def _is_in(words: str, text: str) -> bool:
    """There as it stands, or (for longer quotations, whose order is another reader's) with each of its words."""
    if loose(words) in text or _folded(words) in _folded(text):
        return True
    single = re.findall(r"\w+", _folded(words))
    return len(single) > 3 and all(word in _folded(text) for word in single[:-1])


def _folded(text: str) -> str:
    """Without accents, for expectations on search rather than on text."""
    plain = unicodedata.normalize("NFKD", loose(text))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


class _Reader:
    """Both readings of a paper, as the program does them."""

    def __init__(self, limits: ReadLimits) -> None:
        self._first = ProcessExtraction(COMMAND, TOKENIZER)
        self._second = ProcessExtraction(COMMAND, TOKENIZER, models=recognition_models())
        self._limits = limits
        self.peak_bytes = 0
        self.defects: list[str] = []

    async def read(self, path: Path, password: str | None = None) -> Extracted | Refusal:
        result = await self._first.read(path, path.name, password=password, limits=self._limits)
        self.peak_bytes, self.defects = self._first.peak_bytes, self._first.defects
        if result.code is RefusalCode.SCAN if isinstance(result, Refusal) else result.scans:
            second = await self._second.read(path, path.name, password=password, limits=self._limits)
            self.peak_bytes = max(self.peak_bytes, self._second.peak_bytes)
            self.defects = [*self.defects, *self._second.defects]
            result = second if isinstance(result, Refusal) or isinstance(second, Extracted) else result
        return result

    async def close(self) -> None:
        await self._first.close()
        await self._second.close()


async def run(selected: list[Case], seconds: float) -> list[Outcome]:
    reader = _Reader(ReadLimits(seconds=seconds))
    outcomes: list[Outcome] = []
    try:
        for case in selected:
            begun = time.perf_counter()
            result = await reader.read(case.path)
            locked = isinstance(result, Refusal) and result.code is RefusalCode.PASSWORD
            met = is_met(case, result)
            if locked and (password := _password(case)) is not None:
                opened = await reader.read(case.path, password)
                met = is_met(case, opened) if isinstance(opened, Extracted) else met
                result = opened if isinstance(opened, Extracted) else result
            outcome = Outcome(case, result, met, time.perf_counter() - begun, reader.peak_bytes)
            print(line(outcome), *reader.defects, flush=True)
            outcomes.append(outcome)
    finally:
        await reader.close()
    return outcomes


def _password(case: Case) -> str | None:
    found = _PASSWORD.search(case.expect) or re.search(r"\"password needed\" \((\w+)\)", case.expect)
    return found[1] if found else None


def line(outcome: Outcome) -> str:
    result = outcome.result
    if isinstance(result, Refusal):
        status = f"refused: {result.code}"
    else:
        status = f"{result.format}, {len(result.passages)} passages, {len(result.notes)} notes"
    name = str(outcome.case.path.relative_to(CORPUS)).removeprefix("documents/")
    met = "ok " if outcome.met else "NOT"
    cost = f"{outcome.seconds:6.2f} s {outcome.peak >> 20:5} MB"
    return f"{met} {name[:56]:56} {status:34} {cost}  {outcome.case.expect[:70]}"


def summary(outcomes: list[Outcome]) -> list[str]:
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.case.format].append(outcome)
    lines = [f"{'format':12} files  met  read refused crashed  longest  largest"]
    for name, group in [*groups.items(), ("all", outcomes)]:
        refused = [outcome.result for outcome in group if isinstance(outcome.result, Refusal)]
        crashed = sum(refusal.code in BAD for refusal in refused)
        lines.append(
            f"{name:12} {len(group):5} {sum(outcome.met for outcome in group):4} {len(group) - len(refused):5}"
            f" {len(refused):7} {crashed:7} {max(outcome.seconds for outcome in group):6.2f} s"
            f" {max(outcome.peak for outcome in group) >> 20:5} MB"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", help="paths that contain this text")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of one reading")
    parser.add_argument("--show", action="store_true", help="print what was read, too")
    arguments = parser.parse_args()
    selected = [case for case in cases() if arguments.only in str(case.path)]
    outcomes = asyncio.run(run(selected, arguments.seconds))
    for outcome in outcomes if arguments.show else []:
        print(f"\n=== {outcome.case.path.name}\n    expected: {outcome.case.expect}\n{described(outcome.result)}")
    print("", *summary(outcomes), sep="\n")
    return int(any(isinstance(o.result, Refusal) and o.result.code in BAD for o in outcomes))


def described(result: Extracted | Refusal) -> str:
    if isinstance(result, Refusal):
        return f"    {result.sentence}"
    lines = [
        f"    {result.format}, title {result.title!r}, {result.written_on}, {result.author!r}, {result.pages} pages"
    ]
    lines += [f"    note {note.code}: {note.sentence}" for note in result.notes]
    lines += [f"    [{p.page} {p.part!r} {p.heading}] {p.text[:600]!r}" for p in result.passages[:12]]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
