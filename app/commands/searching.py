"""muniment search"""

import argparse
import sys
from typing import Any

from app.bootstrap import Program
from app.commands.answers import DONE, reply
from app.commands.opening import opened, takes_json, takes_workspace
from app.finding import text
from core.domain.query import Filters, Hit, Mode, SearchRequest, SearchResult


def add_to(commands: Any) -> None:
    search = commands.add_parser("search", help="find passages by words and by meaning")
    search.add_argument("words", nargs="+", type=text, metavar="WORD")
    search.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.BOTH.value)
    search.add_argument("--limit", type=_limit, default=10, metavar="N", help="at most N results (1 to 200)")
    search.add_argument(
        "--format", action="append", default=[], metavar="TYPE", help="only this type of paper: pdf, eml, …"
    )
    search.add_argument("--exact", action="store_true", help="don't repair words that the workspace doesn't know")
    search.set_defaults(command=_search)
    takes_workspace(search)
    takes_json(search)


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 200:
        raise argparse.ArgumentTypeError("must be a number from 1 to 200")
    return int(text)


async def _search(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    request = SearchRequest(
        text=" ".join(arguments.words),
        mode=Mode(arguments.mode),
        filters=Filters(formats=frozenset(arguments.format)),
        limit=arguments.limit,
        exact=arguments.exact,
    )
    result = await workspace.search.search(request)
    for repair in result.repairs:
        print(f"Showing “{repair.used}” for “{repair.typed}”. Use --exact for what you typed.", file=sys.stderr)
    if result.meaning_note:
        print(result.meaning_note, file=sys.stderr)
    reply(arguments, _result(result), "\n".join(_hit_line(hit) for hit in result.hits))
    if not result.hits and not arguments.json:
        print("Nothing matches.", file=sys.stderr)
    return DONE


def _result(result: SearchResult) -> dict[str, Any]:
    return {
        "query": result.request.text,
        "total": result.total,
        "repairs": [{"typed": repair.typed, "used": repair.used} for repair in result.repairs],
        "meaning_ready": result.meaning_ready,
        "passages": result.passages,
        "hits": [_hit(hit) for hit in result.hits],
    }


def _hit(hit: Hit) -> dict[str, Any]:
    passage, reason = hit.passage, hit.reason
    return {
        "title": passage.title,
        "kind": passage.kind.value,
        "owner": passage.owner,
        "passage": passage.id,
        "page": passage.page,
        "part": passage.part,
        "heading": list(passage.heading),
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "score": hit.score,
        "more": hit.more,
        "why": {
            "words_rank": reason.words_rank,
            "meaning_rank": reason.meaning_rank,
            "similarity": reason.similarity,
            "words": list(reason.words),
            "lookup": reason.lookup,
        },
    }


def _hit_line(hit: Hit) -> str:
    where = hit.passage.title + (f", page {hit.passage.page}" if hit.passage.page else "")
    return f"{where}\t{' '.join(hit.snippet.split())}"
