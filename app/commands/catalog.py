"""muniment catalog import | starter | list | search | show | tree | export"""

import argparse
import sys
from pathlib import Path
from typing import Any

from app.bootstrap import Program
from app.commands.answers import ATTENTION, DONE, reply, shown
from app.commands.opening import opened, takes_json, takes_workspace
from app.finding import text
from core.domain.catalog import MOST_AT_ONCE, CategoryNode, DomainNode, Entry, Narrowing
from core.domain.manifests import ManifestKind, Maturity, RiskClass
from core.errors import NotFound
from core.services.manifests import ManifestReport
from core.services.workspace import Workspace

KINDS = {"agents": ManifestKind.AGENT, "skills": ManifestKind.SKILL}


def add_to(commands: Any) -> None:
    catalog = commands.add_parser("catalog", help="take in, find, show or export agents and skills")
    kinds = catalog.add_subparsers(required=True, metavar="COMMAND")
    taking = kinds.add_parser("import", help="take in agents and skills from a folder, a ZIP or a git checkout")
    taking.add_argument("source", type=Path, metavar="FOLDER")
    taking.set_defaults(command=_import)
    starter = kinds.add_parser("starter", help="put the agents and skills that come with Muniment into the catalog")
    starter.set_defaults(command=_starter)
    listing = kinds.add_parser("list", help="list agents and skills by title, and what could not be read")
    listing.set_defaults(command=_search, words="")
    search = kinds.add_parser("search", help="find agents and skills by words")
    search.add_argument("words", type=text, metavar="WORDS")
    search.set_defaults(command=_search)
    for command in (listing, search):
        _takes_filters(command)
    show = kinds.add_parser("show", help="print one agent or skill, with what uses it and what it uses")
    show.add_argument("kind", choices=[kind.value for kind in ManifestKind])
    show.add_argument("id", type=text)
    show.set_defaults(command=_show)
    tree = kinds.add_parser("tree", help="print domains and categories with how many agents and skills are there")
    tree.set_defaults(command=_tree)
    export = kinds.add_parser("export", help="write agents and skills as files into a folder or a ZIP")
    export.add_argument("target", type=Path, metavar="FOLDER")
    export.add_argument("--agent", action="append", type=text, metavar="ID", help="only this one; may be repeated")
    export.add_argument("--skill", action="append", type=text, metavar="ID", help="only this one; may be repeated")
    export.add_argument("--replace", action="store_true", help="replace files that say something else")
    export.set_defaults(command=_export)
    for command in (taking, starter, listing, search, show, tree, export):
        takes_workspace(command)
        takes_json(command)


def _takes_filters(command: argparse.ArgumentParser) -> None:
    command.add_argument("--kind", choices=list(KINDS), help="only these")
    command.add_argument("--domain", type=text, help="in any case")
    command.add_argument("--category", type=text, help="this one and what is below it")
    command.add_argument("--tag", action="append", default=[], type=text, help="any of these; may be repeated")
    command.add_argument("--tool", action="append", default=[], type=text, help="any of these; may be repeated")
    command.add_argument("--risk", action="append", default=[], choices=[each.value for each in RiskClass])
    command.add_argument("--maturity", action="append", default=[], choices=[each.value for each in Maturity])
    command.add_argument("--hidden", action="store_true", help="hidden ones too")
    command.add_argument("--limit", type=int, default=MOST_AT_ONCE, help=f"of each kind, up to {MOST_AT_ONCE}")
    command.add_argument("--offset", type=int, default=0, help="leave out so many of each kind")


# ---- coming in and going out -----------------------------------------------------------------------------------------


async def _import(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    return _taken(arguments, await workspace.manifests.take(arguments.source))


async def _starter(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    return _taken(arguments, await workspace.manifests.add_starter())


def _taken(arguments: argparse.Namespace, report: ManifestReport) -> int:
    outcomes = (("created", report.created), ("updated", report.updated), ("same", report.same))
    answer: dict[str, Any] = {
        outcome: [{"kind": each.kind.value, "id": each.id} for each in some] for outcome, some in outcomes
    }
    answer["broken"] = [
        {"place": one.place, "problems": [
            {"file": p.file, "line": p.line, "field": p.field, "rule": p.rule, "sentence": p.sentence}
            for p in one.problems
        ]}
        for one in report.broken
    ]  # fmt: skip
    answer["notes"] = [{"place": place, "sentence": note.sentence} for place, note in report.notes]
    answer["left_out"] = [{"place": left.place, "reason": left.reason} for left in report.left]
    lines = [f"{outcome}\t{each.kind}\t{each.id}" for outcome, some in outcomes for each in some]
    lines += [f"broken\t{one.place}\t{problem.sentence}" for one in report.broken for problem in one.problems]
    lines += [f"note\t{place}\t{note.sentence}" for place, note in report.notes]
    lines += [f"left out\t{left.place}\t{left.reason}" for left in report.left]
    reply(arguments, answer, "\n".join(lines))
    return ATTENTION if report.broken or report.cancelled else DONE


async def _export(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    named = arguments.agent is not None or arguments.skill is not None
    agents, skills = (arguments.agent or [], arguments.skill or []) if named else (None, None)
    done = await workspace.manifests.export(agents, skills, arguments.target, replace=arguments.replace)
    words = f"{done.written} files written to {shown(arguments.target)}, {done.same} were there already"
    reply(arguments, {"written": done.written, "same": done.same}, words)
    return DONE


# ---- looking ---------------------------------------------------------------------------------------------------------


async def _search(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    answer: dict[str, Any] = {}
    for name, kind in KINDS.items():
        if arguments.kind in (None, name):
            answer[name] = [_short(entry) for entry in await _found(workspace, kind, arguments)]
    if not arguments.words:
        answer["broken"] = [
            {"place": one.place, "origin": one.origin, "problems": [problem.sentence for problem in one.problems]}
            for one in await workspace.catalog.broken()
        ]
    lines = [
        "\t".join((kind[:-1], one["id"], one["title"], ".".join(filter(None, (one["domain"], one["category"])))))
        for kind in KINDS
        for one in answer.get(kind, ())
    ]
    lines += [f"broken\t{one['place']}\t{problem}" for one in answer.get("broken", ()) for problem in one["problems"]]
    reply(arguments, answer, "\n".join(lines))
    if not lines and not arguments.json:
        print("Nothing found." if arguments.words else "There is nothing like that in the catalog.", file=sys.stderr)
    return DONE


async def _found(workspace: Workspace, kind: ManifestKind, arguments: argparse.Namespace) -> list[Entry]:
    narrowing = Narrowing(
        tuple(map(RiskClass, arguments.risk)), tuple(map(Maturity, arguments.maturity)), tuple(arguments.tool)
    )
    catalog = workspace.catalog
    search = catalog.search_agents if kind is ManifestKind.AGENT else catalog.search_skills
    return await search(
        arguments.words,
        arguments.domain,
        arguments.category,
        arguments.limit,
        offset=arguments.offset,
        tags=arguments.tag,
        include_hidden=arguments.hidden,
        narrowing=narrowing,
    )


def _short(entry: Entry) -> dict[str, Any]:
    manifest = entry.manifest
    fields = ("id", "title", "description", "domain", "category", "tags", "risk_class", "version", "hidden")
    held = manifest.model_dump(mode="json")
    return {name: held[name] for name in fields}


async def _show(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    catalog, kind = workspace.catalog, ManifestKind(arguments.kind)
    entry = await (catalog.get_agent if kind is ManifestKind.AGENT else catalog.get_skill)(arguments.id)
    related = await (catalog.skills_of if kind is ManifestKind.AGENT else catalog.agents_using)(arguments.id)
    if entry is None and not (kind is ManifestKind.SKILL and related):
        raise NotFound(f"There is no {kind} “{arguments.id}” in the catalog.")
    relation = "uses" if kind is ManifestKind.AGENT else "used_by"
    answer: dict[str, Any] = entry.manifest.model_dump(mode="json") if entry else {"id": arguments.id, "missing": True}
    answer[relation] = [{"id": one.id, "title": one.title, "missing": one.missing} for one in related]
    if entry is not None:
        answer["source"] = {
            "place": entry.source.place, "origin": entry.source.origin, "revision": entry.source.revision,
            "files": list(entry.source.files), "catalog_version": entry.version,
        }  # fmt: skip
    lines = [f"{name}\t{_worded(value)}" for name, value in answer.items() if value not in (None, "", [], {})]
    reply(arguments, answer, "\n".join(lines))
    return DONE


def _worded(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_worded(inner)}" for name, inner in value.items() if inner not in ("", None, []))
    if isinstance(value, list):
        return "; ".join(_worded(inner) for inner in value)
    return str(value)


async def _tree(program: Program, arguments: argparse.Namespace) -> int:
    workspace = await opened(program, arguments.workspace)
    tree = await workspace.catalog.get_category_tree()
    answer = {
        "total": tree.total,
        "agents": tree.agents,
        "skills": tree.skills,
        "domains": [
            {"name": domain.name, "count": domain.count, "agents": domain.agents, "skills": domain.skills,
             "categories": [_node(node) for node in domain.categories]}
            for domain in tree.domains
        ],
    }  # fmt: skip
    lines: list[str] = []
    for domain in tree.domains:
        lines.append(f"{domain.name}\t{_counts(domain)}")
        lines += [line for node in domain.categories for line in _branch(node, "  ")]
    reply(arguments, answer, "\n".join(lines))
    return DONE


def _node(node: CategoryNode) -> dict[str, Any]:
    return {
        "path": node.path, "name": node.name, "count": node.count, "agents": node.agents, "skills": node.skills,
        "subcategories": [_node(below) for below in node.subcategories],
    }  # fmt: skip


def _branch(node: CategoryNode, indent: str) -> list[str]:
    own = f"{indent}{node.name}\t{_counts(node)}"
    return [own, *(line for below in node.subcategories for line in _branch(below, indent + "  "))]


def _counts(node: CategoryNode | DomainNode) -> str:
    return f"{node.agents} agent{'s' * (node.agents != 1)}\t{node.skills} skill{'s' * (node.skills != 1)}"
