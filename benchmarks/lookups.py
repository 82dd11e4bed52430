"""Four kinds of question over two thousand invented papers: first place and first ten, beside Recoll and Chroma.

    python -m benchmarks.lookups [--chroma PYTHON] [--alone]

The papers are made by office.py from one seed. Chroma gets our own vectors, of passages and questions. --alone leaves
the peers out. PYTHON: of the environment for Chroma; made below the temporary folder when it is missing.
"""

import argparse
import asyncio
import hashlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks import machine, office, peers
from benchmarks.retrieval import COMMAND, MODEL, workspace
from core.adapters.embedding.process import ProcessEmbedding
from core.adapters.extraction.passages import PassageCutter
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.passages import replace_passages
from core.domain.passages import Kind
from core.domain.query import Mode, SearchRequest

KINDS = ("code", "two rare words", "paraphrase", "misspelt surname")
Answers = Sequence[Sequence[str]]


async def ours(papers: Sequence[office.Paper], questions: Sequence[office.Question]) -> dict[str, Answers]:
    """By both, as the program is used; and by each way alone."""
    cutter = PassageCutter(MODEL / "tokenizer.json")

    def fill(tx: Transaction) -> None:
        for paper in papers:
            drafts = cutter.cut(paper.text)
            replace_passages(tx, Kind.PAPER, paper.name, drafts, title=paper.name, at=None, format="txt")

    answers: dict[str, Answers] = {}
    version = hashlib.sha256("".join(paper.text for paper in papers).encode()).hexdigest()[:8]
    async with workspace(f"office-{version}", fill) as service:
        for name, mode in (
            ("Muniment", Mode.BOTH),
            ("Muniment, words", Mode.WORDS),
            ("Muniment, meaning", Mode.MEANING),
        ):
            answers[name] = [
                [hit.passage.owner for hit in (await service.search(SearchRequest(q.text, mode, limit=10))).hits]
                for q in questions
            ]
            print(name, *row(questions, answers[name]), file=sys.stderr, flush=True)
    return answers


async def vectors(
    papers: Sequence[office.Paper], questions: Sequence[office.Question]
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The paper of each passage, the passages' vectors, the questions' vectors."""
    cutter, embedding = PassageCutter(MODEL / "tokenizer.json"), ProcessEmbedding(MODEL, COMMAND)
    cut = [(paper.name, draft.text) for paper in papers for draft in cutter.cut(paper.text)]
    try:
        rows = [
            await embedding.passages([text for _name, text in cut[first : first + 64]])
            for first in range(0, len(cut), 64)
        ]
        asked = [await embedding.query(question.text) for question in questions]
    finally:
        await embedding.close()
    return [name for name, _text in cut], np.concatenate(rows), np.concatenate(asked)


def row(questions: Sequence[office.Question], answers: Answers) -> list[str]:
    """For each kind: the share of questions whose paper comes first, and is among ten."""
    cells: list[str] = []
    for kind in KINDS:
        some = [(q.paper, found) for q, found in zip(questions, answers, strict=True) if q.kind == kind]
        first = sum(paper in found[:1] for paper, found in some) / len(some)
        ten = sum(paper in found[:10] for paper, found in some) / len(some)
        cells += [f"{first:.2f}", f"{ten:.2f}"]
    return cells


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chroma", type=Path, default=Path(tempfile.gettempdir(), "muniment-chroma", "bin", "python"))
    parser.add_argument("--alone", action="store_true")
    arguments = parser.parse_args()
    papers = office.papers(MODEL / "tokenizer.json")
    questions = office.questions(papers)
    answers: dict[str, Answers | None] = dict(await ours(papers, questions))
    if not arguments.alone:
        texts: Mapping[str, str] = {paper.name: paper.text for paper in papers}
        answers["Recoll"] = peers.recoll(texts, [(q.text, q.kind != "paraphrase") for q in questions])
        answers["Chroma"] = peers.chroma(*await vectors(papers, questions), arguments.chroma)
    head = ["", *(f"{kind}, {place}" for kind in KINDS for place in ("first", "in ten"))]
    print(machine.table(head, ([name, *row(questions, a)] for name, a in answers.items() if a is not None)))
    missing = [name for name, answer in answers.items() if answer is None]
    print(f"\n{len(papers):,} papers, {office.QUESTIONS} questions of each kind. {machine.described()}")
    if missing:
        print(f"Not on this machine: {', '.join(missing)}.")


if __name__ == "__main__":
    asyncio.run(main())
