"""Manifests out of their files: agent folders, skill folders, one JSON file each.

Agents: agent.yaml, and where they are there metadata.yaml, persona.md and starters.json; what agent.yaml says counts
first. Skills: SKILL.md with front matter. `extends` and `include` name YAML files of the same folder whose fields count
where nothing nearer says otherwise. Whatever is wrong is told with file, line, field and rule.
"""

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from core.domain.catalog import Problem
from core.domain.manifest_yaml import Located, UnreadableText, meant, read_yaml
from core.domain.manifests import ID, MODELS, Manifest, ManifestKind

AGENT_FILES = ("agent.yaml", "agent.yml")
METADATA_FILES = ("metadata.yaml", "metadata.yml")
SKILL_FILE = "skill.md"  # in any case
MOST_EXTENDED = 5  # files that one manifest may be made of by `extends`
_REFERRING = ("extends", "include", "includes")
_RENAMED = {"allowed-tools": "tools", "allowed_tools": "tools", "forbidden_tools": "forbidden", "forbidden-tools":
            "forbidden", "starters": "suggestions"}  # fmt: skip
_WRITTEN_OTHERWISE = re.compile(r"[-_](?=[a-z])")
_UNQUOTED = re.compile(r"^([A-Za-z_-]+):[ \t]+([^\s\"'|>\[{&*!#%@`].*:(?:[ \t].*|))$")


class Layout(StrEnum):
    """How a manifest lies on disk."""

    AGENT_FOLDER = "agent_folder"
    SKILL_FOLDER = "skill_folder"
    JSON_FILE = "json_file"


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of one manifest. place: its folder or file within what is imported; files: by path within its folder.
    troubles: what the files themselves are refused for (a link, too large)."""

    place: str
    layout: Layout
    files: Mapping[str, bytes]
    modified: float = 0.0
    troubles: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of one bundle. manifest is None where problems say why."""

    kind: ManifestKind
    manifest: Manifest | None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    is_manifest: bool = True  # False for a JSON file that is something else


@dataclass(slots=True)
class _Fields:
    """Fields with the file and line that each is from. unlocated: the file for fields that nobody wrote."""

    main: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    sources: dict[str, tuple[str, Located, str]] = field(default_factory=dict[str, tuple[str, Located, str]])
    notes: list[Problem] = field(default_factory=list[Problem])
    offset: int = 0  # lines before the front matter

    def add(self, file: str, located: Located) -> None:
        """Take the fields of a file; what is there already counts more."""
        if not isinstance(located.data, dict):
            raise _Refused(Problem(file, 1, "", "holds no fields (“name: value”)"))
        for name, value in cast(dict[str, Any], located.data).items():
            if name in _REFERRING:
                continue
            known = _RENAMED.get(name, name)
            if known not in self.values:
                self.values[known] = value
                self.sources[known] = file, located, name

    def where(self, path: tuple[str | int, ...]) -> tuple[str, int | None]:
        """File and line of a field, or of what holds it."""
        if not path or path[0] not in self.sources:
            return self.main, 1 + self.offset
        file, located, written = self.sources[str(path[0])]
        sought = (written, *path[1:])
        while sought not in located.lines and len(sought) > 1:
            sought = sought[:-1]
        return file, self.line(file, located.lines.get(sought))

    def line(self, file: str, read: int | None) -> int | None:
        """The line of a file in which a line of its fields stands."""
        return None if read is None else read + (self.offset if file == self.main else 0)


class _Refused(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.rule)
        self.problem = problem


def read_bundle(bundle: Bundle) -> Reading:
    """The manifest of a bundle, or every problem that was found."""
    kind = ManifestKind.SKILL if bundle.layout is Layout.SKILL_FOLDER else ManifestKind.AGENT
    if bundle.troubles:
        return Reading(kind, None, bundle.troubles)
    try:
        if bundle.layout is Layout.AGENT_FOLDER:
            return _checked(kind, _agent_fields(bundle))
        if bundle.layout is Layout.SKILL_FOLDER:
            return _checked(kind, _skill_fields(bundle))
        return _read_json(bundle)
    except _Refused as refused:
        return Reading(kind, None, (refused.problem,))


# ---- the formats -----------------------------------------------------------------------------------------------------


def _agent_fields(bundle: Bundle) -> _Fields:
    main = next(name for name in AGENT_FILES if name in bundle.files)
    fields = _Fields(main)
    _add_with_extended(bundle, fields, main, [])
    for name in METADATA_FILES:
        if name in bundle.files:
            _add_with_extended(bundle, fields, name, [])
    if "persona.md" in bundle.files:
        _add_persona(fields, _decoded(bundle, "persona.md").strip())
    if "starters.json" in bundle.files and "suggestions" not in fields.values:
        located = Located(_starters(_json(bundle, "starters.json")))
        fields.values["suggestions"] = located.data
        fields.sources["suggestions"] = "starters.json", located, "suggestions"
    return fields


def _add_persona(fields: _Fields, text: str) -> None:
    persona = fields.values.get("persona")
    if persona is None or persona == "":
        fields.values["persona"] = text
        fields.sources["persona"] = "persona.md", Located(text, {("persona",): 1}), "persona"
    elif isinstance(persona, dict) and not cast(dict[str, Any], persona).get("instructions"):
        fields.values["persona"] = {**cast(dict[str, Any], persona), "instructions": text}


def _starters(data: Any) -> list[Any]:
    """A list of texts, or of objects with a text; or an object that holds such a list."""
    if isinstance(data, dict):
        held = cast(dict[str, Any], data)
        data = next((held[name] for name in ("starters", "suggestions") if name in held), None)
    if not isinstance(data, list):
        raise _Refused(Problem("starters.json", 1, "", "is no list of texts"))
    return [_starter(one) for one in cast(list[Any], data)]


def _starter(one: Any) -> Any:
    if not isinstance(one, dict):
        return one
    held = cast(dict[str, Any], one)
    return next((held[name] for name in ("prompt", "text", "message", "title") if name in held), held)


def _skill_fields(bundle: Bundle) -> _Fields:
    main = next(name for name in bundle.files if name.lower() == SKILL_FILE)
    text = _decoded(bundle, main)
    if not text.strip():
        raise _Refused(Problem(main, None, "", "is empty; it has to begin with fields between two lines of “---”"))
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        raise _Refused(Problem(main, 1, "", "has no header; it has to begin with fields between two lines of “---”"))
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        raise _Refused(Problem(main, 1, "", "has a header that doesn't end; a line of “---” has to end it"))
    fields = _Fields(main, offset=1)
    _add_with_extended(bundle, fields, main, [], _front_matter(main, lines[1:end], fields.notes))
    if "instructions" not in fields.values:
        fields.values["instructions"] = "\n".join(lines[end + 1 :]).strip()
    if "metadata" in fields.values:
        fields.values["metadata"] = meant(fields.values["metadata"]) or {}
    return _with_names(bundle, fields)


def _with_names(bundle: Bundle, fields: _Fields) -> _Fields:
    """A skill needs a name or an id; the title is made of the name where there is none."""
    values, folder = fields.values, posixpath.basename(bundle.place)
    if not values.get("id"):
        name = str(values.get("name") or folder)
        slug = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
        values["id"] = slug if ID.fullmatch(slug) else name
        if "name" in fields.sources:
            fields.sources["id"] = fields.sources["name"]
    values.setdefault("name", str(values["id"]))
    if not values.get("title"):
        spaced = _WRITTEN_OTHERWISE.sub(" ", str(values["name"]))
        values["title"] = spaced[:1].upper() + spaced[1:]
    return fields


def _front_matter(file: str, lines: list[str], notes: list[Problem]) -> Located:
    """The header as data. A value with a colon that somebody forgot to put in quotes is read as it is meant."""
    try:
        return read_yaml("\n".join(lines))
    except UnreadableText as error:
        mended = list(lines)
        for number, line in enumerate(lines):
            if found := _UNQUOTED.match(line.rstrip()):
                mended[number] = f"{found[1]}: {json.dumps(found[2], ensure_ascii=False)}"
                rule = "holds a colon and is read as one text; put it in quotes"
                notes.append(Problem(file, number + 2, found[1], rule))
        try:
            return read_yaml("\n".join(mended))
        except UnreadableText:
            line = None if error.line is None else error.line + 1
            raise _Refused(Problem(file, line, error.where, error.rule)) from None


def _read_json(bundle: Bundle) -> Reading:
    (name,) = bundle.files
    data = _json(bundle, name)
    kind = _kind_of(data, bundle.place)
    if kind is None:
        return Reading(ManifestKind.AGENT, None, is_manifest=False)
    fields = _Fields(name)
    _refuse_references(name, data)
    fields.add(name, Located(data, _json_lines(bundle.files[name])))
    return _checked(kind, _with_names(bundle, fields) if kind is ManifestKind.SKILL else fields)


def _kind_of(data: Any, place: str) -> ManifestKind | None:
    """What a JSON file says that it is; None for one that is no manifest."""
    if not isinstance(data, dict) or not ({"id", "title"} <= data.keys() or "kind" in data):
        return None
    said = cast(dict[str, Any], data).get("kind")
    if said in ("agent", "skill"):
        return ManifestKind(said)
    above = posixpath.basename(posixpath.dirname(place)).lower()
    if above in ("agents", "skills"):
        return ManifestKind(above[:-1])
    if not {"domain", "category", "risk_class", "instructions", "persona"} & data.keys():
        return None
    return ManifestKind.SKILL if {"instructions", "evals", "references"} & data.keys() else ManifestKind.AGENT


# ---- files -----------------------------------------------------------------------------------------------------------


def _add_with_extended(
    bundle: Bundle, fields: _Fields, name: str, trail: list[str], located: Located | None = None
) -> None:
    """Take the fields of a YAML file, and then of those that it extends or includes."""
    if name in trail or len(trail) >= MOST_EXTENDED:
        raise _Refused(Problem(name, 1, "extends", f"leads round in a circle or over more than {MOST_EXTENDED} files"))
    located = located or _yaml(bundle, name)
    if located.data is None:
        raise _Refused(Problem(name, None, "", "is empty"))
    fields.add(name, located)
    for reference in _REFERRING:
        wanted = cast(dict[str, Any], located.data).get(reference)
        line = fields.line(name, located.lines.get((reference,)))
        for one in cast(list[Any], wanted) if isinstance(wanted, list) else [wanted] if wanted else []:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), str(one).replace("\\", "/")))
            if target not in bundle.files or posixpath.isabs(str(one)) or ":" in str(one):
                rule = f"names “{one}”; only files of the same folder may be named"
                raise _Refused(Problem(name, line, reference, rule))
            _add_with_extended(bundle, fields, target, [*trail, name])


def _refuse_references(name: str, data: dict[str, Any]) -> None:
    for reference in _REFERRING:
        if data.get(reference):
            rule = "names another file; a manifest of one JSON file stands alone"
            raise _Refused(Problem(name, None, reference, rule))


def _decoded(bundle: Bundle, name: str) -> str:
    data = bundle.files[name]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _Refused(Problem(name, line, "", "is no UTF-8 text; save it as UTF-8")) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _yaml(bundle: Bundle, name: str) -> Located:
    try:
        return read_yaml(_decoded(bundle, name))
    except UnreadableText as error:
        raise _Refused(Problem(name, error.line, error.where, error.rule)) from None


def _json(bundle: Bundle, name: str) -> Any:
    text = _decoded(bundle, name)
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise _Refused(Problem(name, error.lineno, "", f"is no valid JSON ({error.msg})")) from None
    except RecursionError:
        raise _Refused(Problem(name, None, "", "is nested too deep")) from None
    except ValueError as error:
        raise _Refused(Problem(name, None, "", f"is no valid JSON ({error})")) from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _json_lines(data: bytes) -> dict[tuple[str | int, ...], int]:
    """JSON is nearly YAML: its lines are found by reading it so. Empty where that fails (tabs, very large)."""
    try:
        return read_yaml(data.decode("utf-8-sig")).lines
    except UnreadableText:
        return {}


# ---- rules -----------------------------------------------------------------------------------------------------------

_SAID = {
    "missing": "is missing",
    "string_too_short": "can't be empty",
    "string_type": "has to be a text",
    "bool_parsing": "has to be true or false",
    "bool_type": "has to be true or false",
    "int_parsing": "has to be a whole number",
    "int_type": "has to be a whole number",
    "int_from_float": "has to be a whole number",
    "float_parsing": "has to be a number",
    "float_type": "has to be a number",
    "finite_number": "has to be a number",
    "tuple_type": "has to be a list",
    "dict_type": "has to be fields with names",
    "model_type": "has to be a text, or fields with names",
}


def _checked(kind: ManifestKind, fields: _Fields) -> Reading:
    model = MODELS[kind]
    notes = list(fields.notes)
    for name in fields.values:
        if name not in model.model_fields and name not in ("kind", "type", "schema", "$schema"):
            file, line = fields.where((name,))
            notes.append(Problem(file, line, name, "is no field that the catalog knows; it is kept in the file"))
    try:
        return Reading(kind, model.model_validate(fields.values), notes=tuple(notes))
    except ValidationError as error:
        problems = [_problem(fields, detail) for detail in error.errors(include_url=False)]
        return Reading(kind, None, tuple(problems), tuple(notes))


def _problem(fields: _Fields, detail: ErrorDetails) -> Problem:
    path = detail["loc"]
    file, line = fields.where(path)
    context = detail.get("ctx", {})
    match detail["type"]:
        case "value_error":
            rule = str(context["error"])
        case "enum":
            rule = f"has to be one of {str(context['expected']).replace(' or ', ', ')}"
        case "string_too_long":
            rule = f"can't be longer than {context['max_length']:,} characters"
        case "greater_than_equal":
            rule = f"can't be below {context['ge']:g}"
        case "less_than_equal":
            rule = f"can't be above {context['le']:g}"
        case other:
            rule = _SAID.get(other, detail["msg"][:1].lower() + detail["msg"][1:])
    if "id" in path and isinstance(detail["input"], str) and detail["type"] == "value_error":
        rule = f"can't be “{detail['input'][:60]}”: it {rule}"
    return Problem(file, line, ".".join(str(part) for part in path), rule)
