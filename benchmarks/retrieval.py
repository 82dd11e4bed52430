"""How well search finds what people judged relevant, by words, by meaning and by both, through the real service.

    python -m benchmarks.retrieval [--keep]

MED and Cranfield: nDCG@10 and recall@10 over papers. LoCoMo: recall@5 and @10 of the messages that answer a question,
one workspace a conversation, questions with an answer only. Reads ../shared/corpus/retrieval. The databases, with the
model's vectors, are made once for a version of schema and model below the temporary folder; --keep makes them once.
"""

import argparse
import asyncio
import hashlib
import inspect
import json
import math
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import machine, synthetic
from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.extraction.passages import PassageCutter
from core.adapters.sqlite import vectors as vectors_module
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.passages import append_passages, replace_passages
from core.adapters.sqlite.schema import v002_passages
from core.adapters.sqlite.vectors import SqliteVectors
from core.adapters.sqlite.words import SqliteWords
from core.clock import system_clock
from core.domain import pieces as pieces_module
from core.domain.extraction import PassageDraft
from core.domain.passages import Kind
from core.domain.query import Mode, SearchRequest
from core.events import EventHub
from core.services.meaning import MeaningService
from core.services.search import SearchService
from core.tasks import TaskScope

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "retrieval"
MODEL = ROOT / "resources" / "model"
COMMAND = [sys.executable, "-m", "core.adapters.workers", "embedding"]
MODES = (Mode.WORDS, Mode.MEANING, Mode.BOTH)

Fill = Callable[[Transaction], None]


@dataclass
class Question:
    """text, and the grade of each relevant paper or message."""

    text: str
    relevant: dict[str, int]


@asynccontextmanager
async def workspace(name: str, fill: Fill, keep: bool = False) -> AsyncIterator[SearchService]:
    """A search service over a database with these passages and their vectors."""
    embedding = ProcessEmbedding(MODEL, COMMAND)
    source = inspect.getsource(vectors_module._for_model) + inspect.getsource(pieces_module)  # what the model gets
    version = hashlib.sha256(repr((v002_passages.STATEMENTS, embedding.model, source)).encode()).hexdigest()[:8]
    path = synthetic.FOLDER / f"retrieval-{name}-{'kept' if keep else version}" / "workspace.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    events, tasks = EventHub(raised), TaskScope("benchmark", raised)
    database = await Database.open(path, key=None, clock=system_clock, publish=events.publish, prepare=prepare)
    vectors = SqliteVectors(database, embedding.model)
    try:
        if (await vectors.state()).passages == 0:
            await database.write(fill)
        meaning = MeaningService(vectors, embedding, events, tasks)
        await meaning.start()
        await meaning.idle()
        yield SearchService(SqliteWords(database), vectors, embedding)
    finally:
        await tasks.close()
        await embedding.close()
        vectors.close()
        await database.close()


def raised(error: BaseException) -> None:
    raise error


# ---- papers ---------------------------------------------------------------------------------------------------------


def judged(name: str) -> list[Question]:
    """Queries with at least one relevant document."""
    grades: dict[str, dict[str, int]] = {}
    for line in (CORPUS / name / "relevance.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        grades.setdefault(query, {})[document] = int(grade)
    return [Question(q["text"], grades[q["id"]]) for q in lines(CORPUS / name / "queries.jsonl") if q["id"] in grades]


def lines(path: Path) -> Iterator[dict[str, str]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def papers(name: str) -> Fill:
    cutter = PassageCutter(MODEL / "tokenizer.json")

    def fill(tx: Transaction) -> None:
        for document in lines(CORPUS / name / "documents.jsonl"):
            drafts = cutter.cut(document["text"])
            replace_passages(tx, Kind.PAPER, document["id"], drafts, title=document["title"], at=None, format="txt")

    return fill


def gain_at_10(relevant: dict[str, int], found: list[str]) -> float:
    """nDCG with linear gains (Järvelin and Kekäläinen 2002)."""
    gained = sum(relevant.get(id, 0) / math.log2(place + 2) for place, id in enumerate(found[:10]))
    ideal = sorted(relevant.values(), reverse=True)[:10]
    return gained / sum(grade / math.log2(place + 2) for place, grade in enumerate(ideal))


def recall(relevant: dict[str, int], found: list[str], count: int) -> float:
    return len(relevant.keys() & set(found[:count])) / len(relevant)


async def of_papers(name: str, keep: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    async with workspace(name, papers(name), keep) as service:
        questions = judged(name)
        for mode in MODES:
            gains, shares = [], []
            for question in questions:
                result = await service.search(SearchRequest(question.text, mode, limit=10))
                found = [hit.passage.owner for hit in result.hits]
                gains.append(gain_at_10(question.relevant, found))
                shares.append(recall(question.relevant, found, 10))
            rows.append([name, mode.value, str(len(questions)), f"{mean(gains):.3f}", "", f"{mean(shares):.3f}"])
            print(*rows[-1], file=sys.stderr, flush=True)
    return rows


# ---- messages -------------------------------------------------------------------------------------------------------


def conversations() -> list[dict[str, object]]:
    return json.loads((CORPUS / "locomo" / "conversations.json").read_text("utf-8"))


def turns(conversation: dict[str, object]) -> Iterator[tuple[str, str, list[dict[str, str]]]]:
    """(session, date, turns) of one conversation."""
    held = conversation["conversation"]
    assert isinstance(held, dict)
    for number in range(1, 100):
        session = held.get(f"session_{number}")
        if session:
            yield f"session {number}", held[f"session_{number}_date_time"], session


def messages(conversation: dict[str, object]) -> Fill:
    def fill(tx: Transaction) -> None:
        for session, date, said in turns(conversation):
            for turn in said:
                picture = f" [picture: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                draft = PassageDraft(f"{turn['speaker']}: {turn['text']}{picture}", part=turn["dia_id"])
                append_passages(tx, Kind.MESSAGE, session, [draft], title=date, at=None)

    return fill


def evidence(conversation: dict[str, object]) -> list[Question]:
    """Questions that have an answer, with the turns that hold it."""
    known = {turn["dia_id"] for _session, _date, said in turns(conversation) for turn in said}
    asked = conversation["qa"]
    assert isinstance(asked, list)
    questions: list[Question] = []
    for item in asked:
        ids = [id for place in item.get("evidence", []) for id in place.replace(";", " ").split() if id in known]
        if item["category"] != 5 and ids:
            questions.append(Question(item["question"], dict.fromkeys(ids, 1)))
    return questions


async def of_messages(keep: bool) -> list[list[str]]:
    shares: dict[Mode, list[tuple[float, float]]] = {mode: [] for mode in MODES}
    for number, conversation in enumerate(conversations()):
        async with workspace(f"locomo{number}", messages(conversation), keep) as service:
            for question in evidence(conversation):
                for mode in MODES:
                    request = SearchRequest(question.text, mode, limit=10, grouped=False)
                    found = [hit.passage.part for hit in (await service.search(request)).hits]
                    at = [recall(question.relevant, found, count) for count in (5, 10)]
                    shares[mode].append((at[0], at[1]))
    rows = [
        ["LoCoMo", mode.value, str(len(some)), "", f"{mean(a for a, _ in some):.3f}", f"{mean(b for _, b in some):.3f}"]
        for mode, some in shares.items()
    ]
    for row in rows:
        print(*row, file=sys.stderr, flush=True)
    return rows


def mean(values: Iterable[float]) -> float:
    held = list(values)
    return sum(held) / max(1, len(held))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="use databases made before, whatever has changed since")
    keep = parser.parse_args().keep
    rows = [*await of_papers("med", keep), *await of_papers("cranfield", keep), *await of_messages(keep)]
    print(machine.table(["Collection", "Search by", "Questions", "nDCG@10", "recall@5", "recall@10"], rows))
    print(f"\n{machine.described()}")


if __name__ == "__main__":
    asyncio.run(main())
