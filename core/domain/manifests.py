"""Manifests of agents and skills: their fields and rules.

Names of fields and their meaning: section 1 (CatalogPort) of the product's contract.
"""

import json
import re
from enum import StrEnum
from typing import Annotated, Any, ClassVar, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from core.errors import InvalidValue

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
    # Built when the first manifest is read: the program's start needn't wait for it.
    model_config = ConfigDict(
        frozen=True, extra="ignore", coerce_numbers_to_str=True, protected_namespaces=(), defer_build=True
    )


class ModelChoice(_Values):
    """Which model an agent wants. temperature: 0 to 2."""

    provider: Line = ""
    name: Line = ""
    temperature: Annotated[float | None, Field(ge=0, le=2, allow_inf_nan=False)] = None


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
    max_iterations: Annotated[int, Field(ge=1, le=100)] = 3
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


def manifest_json(manifest: Manifest) -> str:
    """Compact JSON with every field: what the catalog stores. Raises InvalidValue for metadata that JSON can't hold."""
    try:
        return json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"The metadata of “{manifest.id}” is no JSON value: {error}.") from None


def manifest_from_json(kind: ManifestKind, text: str) -> Manifest:
    return MODELS[kind].model_validate(cast(dict[str, Any], json.loads(text)))
