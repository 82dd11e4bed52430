"""muniment memory remember | recall | get | forget | list"""

import argparse
import json
import sys
from typing import Any

from app.bootstrap import Program
from app.commands.answers import DONE, reply
from app.commands.opening import opened, takes_json, takes_workspace
from app.finding import text
from core.domain.conversation_files import iso
from core.domain.memory import Json, Record
from core.domain.readable import readable
from core.domain.text import one_line
from core.domain.tiers import Tier
from core.errors import InvalidValue, NotFound
from core.ports.rows import ListQuery
from core.services.workspace import Acting

TIERS = [tier.value for tier in Tier]


def add_to(commands: Any) -> None:
    memory = commands.add_parser("memory", help="remember, recall, get, forget or list memories")
    kinds = memory.add_subparsers(required=True, metavar="COMMAND")
    remember = kinds.add_parser(
        "remember", help="keep something under a key; what stood there becomes an earlier version"
    )
    remember.add_argument("key", type=text)
    remember.add_argument("value", nargs="?", type=text, help="a text; otherwise it is read from standard input")
    remember.add_argument("--value-json", action="store_true", help="the value is JSON, not a text")
    remember.add_argument("--tier", choices=TIERS, default=Tier.SEMANTIC.value)
    remember.add_argument("--title", type=text, default="")
    remember.add_argument("--tag", type=text, action="append", default=[], help="may be given more than once")
    remember.set_defaults(command=_remember)
    recall = kinds.add_parser("recall", help="find memories by words and meaning; no words: the most present ones")
    recall.add_argument("words", nargs="*", type=text)
    recall.add_argument("--tier", choices=TIERS)
    recall.add_argument("--tag", type=text, action="append", default=[], help="only those with all of these")
    recall.add_argument("--limit", type=int, default=10)
    recall.add_argument("--learn", action="store_true", help="count as a use of what is found, which keeps it present")
    recall.set_defaults(command=_recall)
    get = kinds.add_parser("get", help="print one memory")
    get.add_argument("key", type=text)
    get.set_defaults(command=_get)
    forget = kinds.add_parser("forget", help="move memories to the trash, where they stay for 30 days")
    forget.add_argument("keys", nargs="+", type=text, metavar="KEY")
    forget.set_defaults(command=_forget)
    listing = kinds.add_parser("list", help="list memories, the last written first")
    listing.add_argument("--tier", choices=TIERS)
    listing.set_defaults(command=_list)
    for command in (remember, recall, get, forget, listing):
        command.add_argument("--namespace", type=text, default=None if command is listing else "default")
        takes_workspace(command)
        takes_json(command)
    for command in (remember, recall, forget):
        command.add_argument("--as", dest="assistant", type=text, default="", metavar="ASSISTANT", help="who does it")


async def _acting(program: Program, arguments: argparse.Namespace) -> Acting:
    """What the assistant that was named works with, or the person."""
    workspace = await opened(program, arguments.workspace)
    return workspace.as_assistant(arguments.assistant) if arguments.assistant else workspace.as_person()


def _value(arguments: argparse.Namespace) -> Json:
    said = sys.stdin.read() if arguments.value is None else arguments.value
    if not arguments.value_json:
        return said.removesuffix("\n") if arguments.value is None else said
    try:
        return json.loads(said)
    except ValueError as error:
        raise InvalidValue(f"The value is no JSON: {error}.") from None


async def _remember(program: Program, arguments: argparse.Namespace) -> int:
    value = _value(arguments)
    acting = await _acting(program, arguments)
    metadata: dict[str, Json] = {"title": arguments.title} if arguments.title else {}
    if arguments.tag:
        metadata["tags"] = arguments.tag
    record = await acting.memory.remember(arguments.key, value, Tier(arguments.tier), arguments.namespace, metadata)
    again = f", version {record.version}" if record.version > 1 else ""
    reply(arguments, _described(record), f"Remembered “{record.title}”{again}.")
    return DONE


async def _recall(program: Program, arguments: argparse.Namespace) -> int:
    acting = await _acting(program, arguments)
    found = await acting.memory.recall(
        " ".join(arguments.words),
        Tier(arguments.tier) if arguments.tier else None,
        arguments.namespace,
        arguments.limit,
        tags=arguments.tag,
        learn=arguments.learn,
    )
    reply(arguments, [_described(record) for record in found], "\n".join(_line(record) for record in found))
    if not found and not arguments.json:
        print("Nothing was found.", file=sys.stderr)
    return DONE


async def _get(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    record = await workspace.memory.get(arguments.key, arguments.namespace)
    if record is None:
        raise NotFound(f"There is no memory “{arguments.key}”. See: muniment memory list")
    reply(arguments, _described(record), readable(record.value))
    return DONE


async def _forget(program: Program, arguments: argparse.Namespace) -> int:
    acting = await _acting(program, arguments)
    answers = [
        {"key": key, "forgotten": await acting.memory.forget(key, arguments.namespace)} for key in arguments.keys
    ]
    lines = [f"{'forgotten' if answer['forgotten'] else 'not there'}\t{answer['key']}" for answer in answers]
    reply(arguments, answers, "\n".join(lines))
    return DONE


async def _list(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    where = {name: getattr(arguments, name) for name in ("tier", "namespace") if getattr(arguments, name)}
    numbers = await workspace.records.snapshot(ListQuery(where=where))
    records: list[Record] = []
    for start in range(0, len(numbers), 1024):
        records += [row for row in await workspace.records.rows(numbers[start : start + 1024]) if row is not None]
    reply(arguments, [_described(record) for record in records], "\n".join(_line(record) for record in records))
    if not records and not arguments.json:
        print("There is no memory here.", file=sys.stderr)
    return DONE


def _line(record: Record) -> str:
    return f"{record.namespace}\t{record.key}\t{record.tier.value}\t{one_line(readable(record.value))[:120]}"


def _described(record: Record) -> dict[str, Any]:
    told: dict[str, Any] = {
        "namespace": record.namespace,
        "key": record.key,
        "title": record.title,
        "value": record.value,
        "tier": record.tier.value,
        "tags": list(record.tags),
        "metadata": record.metadata,
        "version": record.version,
        "pinned": record.pinned,
        "created": iso(record.created_at),
        "created_by": record.created_by,
        "updated": iso(record.updated_at),
        "updated_by": record.updated_by,
        "uses": record.access_count,
        "salience": record.salience,
    }
    if record.why is not None:
        told |= {"score": record.score, "relevance": record.why.relevance, "salience": record.why.salience}
    return told
