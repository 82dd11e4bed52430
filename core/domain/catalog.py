"""The catalog: what it holds of agents and skills, how it is searched, and the taxonomy in which they are filed."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.manifests import Manifest, ManifestKind, Maturity, RiskClass
from core.domain.terms import LONGEST_QUESTION, MOST_TERMS
from core.domain.writing import words
from core.errors import InvalidValue

CANONICAL_DOMAINS = ("clinical", "therapy", "wellness", "navigation", "education")
"""Always in the tree, in this order, even where nothing is filed there."""

MOST_AT_ONCE = 100  # manifests that one search answers


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
class ManifestVersion:
    """What a manifest was at a version, and who wrote it when (UTC seconds). present: it is so now."""

    version: int
    manifest: Manifest
    at: float
    by: str
    present: bool = False


class IndexOutcome(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Indexed:
    entry: Entry
    outcome: IndexOutcome


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a list is narrowed by beyond domain, category and tags: any of each; empty for all. Tools in any case."""

    risk_classes: tuple[RiskClass, ...] = ()
    maturities: tuple[Maturity, ...] = ()
    tools: tuple[str, ...] = ()


EVERYTHING = Narrowing()


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """What a search looks for. tags: any of them, in any case. domain in any case; category: exactly, or what is below
    it. limit 1 to 100."""

    text: str = ""
    domain: str | None = None
    category: str | None = None
    limit: int = 10
    offset: int = 0
    tags: tuple[str, ...] = ()
    include_hidden: bool = False
    narrowing: Narrowing = EVERYTHING

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST_AT_ONCE:
            raise InvalidValue(f"From 1 to {MOST_AT_ONCE} entries of the catalog can be read at once.")
        if not 0 <= self.offset < 1 << 31:
            raise InvalidValue("An offset can't be below 0.")

    @property
    def words(self) -> tuple[str, ...]:
        """The words looked for, in index form, each once; the last may go on."""
        return tuple(dict.fromkeys(words(self.text[:LONGEST_QUESTION])))[:MOST_TERMS]


WEIGHTS = {"title": 10.0, "tags": 6.0, "description": 3.0, "body": 1.0}
"""How much a word counts by where it stands (BM25)."""


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
    return unicodedata.normalize("NFC", " ".join(askable(name).split()).casefold())


def askable(text: str) -> str:
    """Text that somebody asks with, where half characters can't match anything."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


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
