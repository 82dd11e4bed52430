"""The catalog: agents and skills, the rules of their manifests, and how they are filed in a taxonomy.

Names of fields and their meaning: section 1 (CatalogPort) of the product's contract.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from core.errors import InvalidValue

CANONICAL_DOMAINS = ("clinical", "therapy", "wellness", "navigation", "education")
"""Always in the tree, in this order, even where nothing is filed there."""

MOST_AT_ONCE = 100  # manifests that one search answers
ID = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
LONGEST_ID, LONGEST_TITLE, LONGEST_TEXT = 100, 200, 200_000  # characters


class ManifestKind(StrEnum):
    AGENT = "agent"
    SKILL = "skill"


class RiskClass(StrEnum):
    WELLNESS = "wellness"
    ADMIN = "admin"
    EDUCATION = "education"
    CLINICAL_ASSIST = "clinical_assist"


class Maturity(StrEnum):
    DRAFT = "draft"
    BETA = "beta"
    STABLE = "stable"
    DEPRECATED = "deprecated"


# ---- fields ----------------------------------------------------------------------------------------------------------


def _id(value: str) -> str:
    if not ID.fullmatch(value) or len(value) > LONGEST_ID:
        raise ValueError(f"may hold only letters A to Z, digits, “-” and “_”, at most {LONGEST_ID} of them")
    return value


def _category(value: str) -> str:
    if value and not all(part.strip() == part and part for part in value.split(".")):
        raise ValueError("is made of names with one dot between them, such as “intake.forms”")
    return value


def _listed(value: object) -> object:
    """A list may be written as a list, or as one text with commas."""
    if value is None:
        return ()
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _each_once(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _printable(value: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("holds half a character") from None
    if "\0" in value:
        raise ValueError("can't hold a NUL character")
    return value


def _or_empty(value: object) -> object:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_or_empty), Field(max_length=LONGEST_TEXT), AfterValidator(_printable)]
Line = Annotated[str, BeforeValidator(_or_empty), Field(max_length=LONGEST_TITLE), AfterValidator(_printable)]
Title = Annotated[Line, Field(min_length=1)]
Id = Annotated[str, AfterValidator(_id)]
Word = Annotated[str, Field(min_length=1, max_length=LONGEST_TITLE), AfterValidator(_printable)]
Words = Annotated[
    tuple[Word, ...], BeforeValidator(_listed), AfterValidator(_each_once), PlainSerializer(list, return_type=list[str])
]
Ids = Annotated[
    tuple[Id, ...], BeforeValidator(_listed), AfterValidator(_each_once), PlainSerializer(list, return_type=list[str])
]
Texts = Annotated[tuple[Text, ...], PlainSerializer(list, return_type=list[str])]


class _Values(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="ignore", coerce_numbers_to_str=True, str_strip_whitespace=False, protected_namespaces=()
    )


class ModelChoice(_Values):
    """Which model an agent wants. temperature: 0 to 2."""

    provider: Line = ""
    name: Line = ""
    temperature: float | None = Field(None, ge=0, le=2, allow_inf_nan=False)


class Persona(_Values):
    role: Text = ""
    tone: Text = ""
    instructions: Text = ""


def _named_model(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


def _told_persona(value: object) -> object:
    return {"instructions": value} if isinstance(value, str) else value


class _Manifest(_Values):
    """What agents and skills have in common. domain is compared without case; category is dotted, exact in case.
    forbidden: tools that must never be used, whatever else says so."""

    kind: ClassVar[ManifestKind]
    id: Id
    title: Title
    version: Line = ""
    license: Line = ""
    risk_class: RiskClass | None = None
    domain: Annotated[Line, BeforeValidator(lambda value: value or "general")] = "general"
    category: Annotated[Line, AfterValidator(_category)] = ""
    tags: Words = ()
    description: Text = ""
    hidden: bool = False
    tools: Words = ()
    forbidden: Words = ()

    @property
    def body(self) -> str:
        """All further words by which it is found."""
        raise NotImplementedError


class AgentManifest(_Manifest):
    """An agent. skills: ids of skills, which may be missing from the catalog. max_iterations: 1 to 100."""

    kind: ClassVar[ManifestKind] = ManifestKind.AGENT
    maturity: Maturity = Maturity.DRAFT
    care_stages: Words = ()
    target_audience: Words = ()
    icon: Line = ""
    model: Annotated[ModelChoice | None, BeforeValidator(_named_model)] = None
    can_delegate: bool = False
    max_iterations: int = Field(3, ge=1, le=100)
    skills: Ids = ()
    persona: Annotated[Persona, BeforeValidator(_told_persona)] = Persona()
    prompt_template: Text = ""
    suggestions: Texts = ()

    @property
    def body(self) -> str:
        persona = self.persona
        parts = (persona.role, persona.tone, persona.instructions, self.prompt_template, *self.suggestions)
        words = (*self.target_audience, *self.care_stages, *self.skills, *self.tools)
        return "\n".join(part for part in (self.id, *parts, " ".join(words)) if part)


class SkillManifest(_Manifest):
    """A skill. name: as its folder or front matter calls it. metadata: free values of its author."""

    kind: ClassVar[ManifestKind] = ManifestKind.SKILL
    name: Title
    instructions: Text = ""
    references: Words = ()
    evals: Words = ()
    is_verified: bool = False
    compatibility: Text = ""
    metadata: dict[str, Any] = Field(default_factory=dict[str, Any])

    @property
    def body(self) -> str:
        parts = (self.id, self.name, self.instructions, self.compatibility, " ".join((*self.tools, *self.references)))
        return "\n".join(part for part in parts if part)


Manifest = AgentManifest | SkillManifest
MODELS: dict[ManifestKind, type[AgentManifest] | type[SkillManifest]] = {
    ManifestKind.AGENT: AgentManifest,
    ManifestKind.SKILL: SkillManifest,
}


# ---- what the catalog holds ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source:
    """Where a manifest came from. place: its folder or file within what was imported ("agents/intake-letter").
    origin: what was imported, in words (name of the folder or ZIP). revision: commit of a git checkout, or "".
    modified: UTC seconds of its newest file; 0 where nobody knows. files: its files, verbatim, by their path within
    `place` (for a single file its own name)."""

    place: str = ""
    origin: str = ""
    revision: str = ""
    modified: float = 0.0
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a manifest can't be used: which rule which field breaks, where. line: from 1; None for the file as a whole.
    field: dotted ("model.temperature"), or ""."""

    file: str
    line: int | None
    field: str
    rule: str

    @property
    def sentence(self) -> str:
        where = self.file + (f", line {self.line}" if self.line is not None else "")
        return f"{where}: {f'“{self.field}” ' if self.field else ''}{self.rule}."


@dataclass(frozen=True, slots=True)
class Entry:
    """A manifest in the catalog. source.files is only filled where one entry is asked for. Times are UTC seconds."""

    manifest: Manifest
    version: int
    created_at: float
    updated_at: float
    updated_by: str
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class BrokenManifest:
    """Something that should be a manifest and can't be read. It stays listed until it can, or a person removes it."""

    place: str
    origin: str
    kind: ManifestKind
    problems: tuple[Problem, ...]
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Related:
    """The other end of a relation. missing: an agent names it, and no such skill is in the catalog."""

    id: str
    title: str = ""
    missing: bool = False


@dataclass(frozen=True, slots=True)
class MissingSkill:
    id: str
    agents: tuple[Related, ...]


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """What a search looks for. tags, risk_classes, maturities, tools: any of them; empty for all. Tags and tools in any
    case. domain in any case; category: exactly, or what is below it. limit 1 to 100."""

    text: str = ""
    domain: str | None = None
    category: str | None = None
    limit: int = 10
    offset: int = 0
    tags: tuple[str, ...] = ()
    include_hidden: bool = False
    risk_classes: tuple[RiskClass, ...] = ()
    maturities: tuple[Maturity, ...] = ()
    tools: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST_AT_ONCE:
            raise InvalidValue(f"From 1 to {MOST_AT_ONCE} entries of the catalog can be read at once.")
        if self.offset < 0:
            raise InvalidValue("An offset can't be below 0.")


# ---- the tree --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CategoryNode:
    """path: the whole dotted category; name: its last part. Counts hold what is below, too."""

    path: str
    name: str
    agents: int
    skills: int
    subcategories: "tuple[CategoryNode, ...]" = ()

    @property
    def count(self) -> int:
        return self.agents + self.skills


@dataclass(frozen=True, slots=True)
class DomainNode:
    name: str
    agents: int
    skills: int
    categories: tuple[CategoryNode, ...] = ()

    @property
    def count(self) -> int:
        return self.agents + self.skills


@dataclass(frozen=True, slots=True)
class CategoryTree:
    """Everything that isn't hidden. Canonical domains first and always; others by name where something is there."""

    domains: tuple[DomainNode, ...]

    @property
    def agents(self) -> int:
        return sum(domain.agents for domain in self.domains)

    @property
    def skills(self) -> int:
        return sum(domain.skills for domain in self.domains)

    @property
    def total(self) -> int:
        return self.agents + self.skills


def same_domain(name: str) -> str:
    """The form in which domains, tags and tools are compared: without case, composed."""
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def in_category(held: str, wanted: str) -> bool:
    return held == wanted or held.startswith(wanted + ".")


@dataclass(slots=True)
class _Branch:
    counts: list[int] = field(default_factory=lambda: [0, 0])
    below: "dict[str, _Branch]" = field(default_factory=dict[str, "_Branch"])


def tree_of(counts: Sequence[tuple[ManifestKind, str, str, int]]) -> CategoryTree:
    """Build the tree from (kind, domain, category, how many)."""
    roots = {name: _Branch() for name in CANONICAL_DOMAINS}
    for kind, domain, category, count in counts:
        side = 0 if kind is ManifestKind.AGENT else 1
        branch = roots.setdefault(same_domain(domain), _Branch())
        branch.counts[side] += count
        for part in category.split(".") if category else ():
            branch = branch.below.setdefault(part, _Branch())
            branch.counts[side] += count
    others = sorted(set(roots) - set(CANONICAL_DOMAINS))
    return CategoryTree(tuple(
        DomainNode(name, roots[name].counts[0], roots[name].counts[1], _nodes(roots[name], ""))
        for name in (*CANONICAL_DOMAINS, *others)
    ))  # fmt: skip


def _nodes(branch: _Branch, above: str) -> tuple[CategoryNode, ...]:
    return tuple(
        CategoryNode(above + name, name, below.counts[0], below.counts[1], _nodes(below, f"{above}{name}."))
        for name, below in sorted(branch.below.items())
    )


def manifest_json(manifest: Manifest) -> str:
    """Compact JSON with every field: what the catalog stores. Raises InvalidValue for metadata that JSON can't hold."""
    try:
        return json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"The metadata of “{manifest.id}” is no JSON value: {error}.") from None


def manifest_from_json(kind: ManifestKind, text: str) -> Manifest:
    return MODELS[kind].model_validate(cast(dict[str, Any], json.loads(text)))
