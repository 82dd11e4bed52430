"""Port: the catalog of agents and skills of one workspace."""

from collections.abc import Sequence
from typing import Protocol

from core.domain.catalog import (
    EVERYTHING,
    BrokenManifest,
    CategoryTree,
    Entry,
    Indexed,
    ManifestVersion,
    MissingSkill,
    Narrowing,
    Related,
    Source,
)
from core.domain.manifests import AgentManifest, Manifest, ManifestKind, SkillManifest


class CatalogPort(Protocol):
    """Agents and skills have ids of their own: the same id may stand for one of each.

    source: the files that the manifest was read from, kept verbatim; without one, what was kept of an earlier import
    goes, for it no longer says what the manifest says. Indexing what is there already, unchanged, writes nothing.
    expected: the version that the caller read; 0 wants that there is none. A VersionConflict carries both sides.
    """

    async def index_agent(
        self, manifest: AgentManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        """Store or replace; the former version is kept. Raises VersionConflict."""
        ...

    async def index_skill(
        self, manifest: SkillManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        """Store or replace; the former version is kept. Raises VersionConflict."""
        ...

    async def index_many(self, manifests: Sequence[tuple[Manifest, Source | None]]) -> list[Indexed]:
        """Store or replace all of these in one transaction. A place that was listed as broken is no longer."""
        ...

    async def remove_agent(self, id: str) -> bool:
        """Move it to the trash; False where there was none."""
        ...

    async def remove_skill(self, id: str) -> bool:
        """Move it to the trash; False where there was none. Agents that name it name a missing skill then."""
        ...

    async def get_agent(self, id: str) -> Entry | None:
        """With the files of its source."""
        ...

    async def get_skill(self, id: str) -> Entry | None:
        """With the files of its source."""
        ...

    async def search_agents(
        self,
        query: str = "",
        domain: str | None = None,
        category: str | None = None,
        limit: int = 10,
        *,
        offset: int = 0,
        tags: Sequence[str] = (),
        include_hidden: bool = False,
        narrowing: Narrowing = EVERYTHING,
    ) -> list[Entry]:
        """Without words by title. With words: those that hold all of them, or where none does those that hold any, best
        first (BM25, a title above tags above description above the rest); words are literal, the last may go on.

        domain in any case; category exactly or what is below it; tags: any of them. All of it holds before limit (1 to
        100) and offset. Hidden ones only where asked for. Raises InvalidValue.
        """
        ...

    async def search_skills(
        self,
        query: str = "",
        domain: str | None = None,
        category: str | None = None,
        limit: int = 10,
        *,
        offset: int = 0,
        tags: Sequence[str] = (),
        include_hidden: bool = False,
        narrowing: Narrowing = EVERYTHING,
    ) -> list[Entry]:
        """As `search_agents`."""
        ...

    async def get_category_tree(self) -> CategoryTree:
        """Counts of what isn't hidden, agents and skills apart."""
        ...

    async def ids(self, kind: ManifestKind) -> list[str]:
        """Every id, hidden ones too, in order."""
        ...

    async def skills_of(self, agent: str) -> list[Related]:
        """The skills that an agent names, in its order; those that are not in the catalog are marked."""
        ...

    async def agents_using(self, skill: str) -> list[Related]:
        """The agents that name a skill, by title, whether it is in the catalog or missing."""
        ...

    async def missing_skills(self) -> list[MissingSkill]:
        """Skills that agents name and that are not in the catalog, by id."""
        ...

    async def versions(self, kind: ManifestKind, id: str, limit: int = 100) -> list[ManifestVersion]:
        """The present version and the former ones, newest first; limit 1 to 200. Empty where there is none."""
        ...

    async def restore_version(self, kind: ManifestKind, id: str, version: int) -> Entry:
        """Write a former version anew, with its files. Raises NotFound."""
        ...

    async def note_broken(self, found: Sequence[BrokenManifest]) -> None:
        """List these as broken, in the place of what was listed for the same place of the same origin."""
        ...

    async def broken(self) -> list[BrokenManifest]:
        """What is listed as broken, by place."""
        ...

    async def dismiss_broken(self, origin: str, place: str) -> bool:
        """Take one off the list; False where it wasn't there."""
        ...

    async def close(self) -> None: ...
