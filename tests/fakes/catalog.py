"""CatalogPort in memory."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.domain.catalog import (
    EVERYTHING,
    WEIGHTS,
    BrokenManifest,
    CatalogQuery,
    CategoryTree,
    Entry,
    Indexed,
    IndexOutcome,
    ManifestVersion,
    MissingSkill,
    Narrowing,
    Related,
    Source,
    in_category,
    same_domain,
    tree_of,
)
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.history import KEPT_VERSIONS
from core.domain.manifests import (
    AgentManifest,
    Manifest,
    ManifestKind,
    SkillManifest,
    manifest_from_json,
    manifest_json,
)
from core.domain.writing import plain, stem, words
from core.errors import NotFound, VersionConflict
from core.events import Changed
from tests.fakes.store import FakeStore
from tests.fakes.trash import FakeTrash
from tests.fakes.values import limited

AGENT, SKILL = ManifestKind.AGENT, ManifestKind.SKILL


@dataclass
class _Held:
    entry: Entry
    former: list[Entry] = field(default_factory=list[Entry])


class FakeCatalog:
    def __init__(self, store: FakeStore, trash: FakeTrash, actor: str = "person") -> None:
        self._store = store
        self._trash = trash
        self._actor = actor
        self._held: dict[ManifestKind, dict[str, _Held]] = {AGENT: {}, SKILL: {}}
        self._broken: dict[tuple[str, str], BrokenManifest] = {}

    async def index_agent(
        self, manifest: AgentManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        return self._index(manifest, source, expected).entry

    async def index_skill(
        self, manifest: SkillManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        return self._index(manifest, source, expected).entry

    async def index_many(self, manifests: Sequence[tuple[Manifest, Source | None]]) -> list[Indexed]:
        return [self._index(manifest, source, None) for manifest, source in manifests]

    def _index(self, manifest: Manifest, source: Source | None, expected: int | None) -> Indexed:
        manifest = manifest_from_json(manifest.kind, manifest_json(manifest))
        held = self._held[manifest.kind].get(manifest.id)
        present = held and held.entry
        if expected is not None and expected != (present.version if present else 0):
            raise VersionConflict("It was changed.", present=present and present.manifest, wanted=manifest)
        source = copy.deepcopy(source or Source())
        if source.place:
            self._mend(source.origin, source.place)
        if present is not None and present.manifest == manifest and _files(present.source) == _files(source):
            return Indexed(present, IndexOutcome.SAME)
        return Indexed(self._write(manifest, source), IndexOutcome.UPDATED if held else IndexOutcome.CREATED)

    def _write(self, manifest: Manifest, source: Source) -> Entry:
        now, held = self._store.clock(), self._held[manifest.kind].get(manifest.id)
        entry = Entry(manifest, 1, now, now, self._actor, source)
        if held is None:
            self._held[manifest.kind][manifest.id] = _Held(entry)
        else:
            held.former.insert(0, held.entry)
            entry = replace(entry, version=held.entry.version + 1, created_at=held.entry.created_at)
            held.entry = entry
        operation = Operation.UPDATED if held else Operation.CREATED
        self._store.changed(manifest.kind.value, manifest.id, entry.version, operation, self._actor)
        return entry

    async def remove_agent(self, id: str) -> bool:
        return self._remove(AGENT, id)

    async def remove_skill(self, id: str) -> bool:
        return self._remove(SKILL, id)

    def _remove(self, kind: ManifestKind, id: str) -> bool:
        held = self._held[kind].pop(id, None)
        if held is None:
            return False
        entry = held.entry

        def back() -> None:
            if id in self._held[kind]:
                raise VersionConflict("It is there again.", wanted=entry.manifest)
            self._held[kind][id] = held
            self._store.changed(kind.value, id, entry.version, Operation.CREATED, self._actor)

        self._trash.put(kind.value, id, entry.manifest.title, entry.manifest.description, self._actor, back)
        self._store.changed(kind.value, id, entry.version + 1, Operation.DELETED, self._actor)
        return True

    async def get_agent(self, id: str) -> Entry | None:
        return self._get(AGENT, id)

    async def get_skill(self, id: str) -> Entry | None:
        return self._get(SKILL, id)

    def _get(self, kind: ManifestKind, id: str) -> Entry | None:
        held = self._held[kind].get(id)
        return held and copy.deepcopy(held.entry)

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
        query_ = CatalogQuery(query, domain, category, limit, offset, tuple(tags), include_hidden, narrowing)
        return self._search(AGENT, query_)

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
        query_ = CatalogQuery(query, domain, category, limit, offset, tuple(tags), include_hidden, narrowing)
        return self._search(SKILL, query_)

    def _search(self, kind: ManifestKind, query: CatalogQuery) -> list[Entry]:
        found = [held.entry for held in self._held[kind].values() if _passes(held.entry.manifest, query)]
        found.sort(key=lambda entry: (fold(entry.manifest.title), entry.manifest.id))
        if query.words:
            found = _ranked(found, query)
        page = found[query.offset : query.offset + query.limit]
        return [replace(entry, source=replace(entry.source, files={})) for entry in page]

    async def get_category_tree(self) -> CategoryTree:
        return tree_of([
            (kind, held.entry.manifest.domain, held.entry.manifest.category, 1)
            for kind in ManifestKind
            for held in self._held[kind].values()
            if not held.entry.manifest.hidden
        ])  # fmt: skip

    async def ids(self, kind: ManifestKind) -> list[str]:
        return sorted(self._held[kind])

    async def skills_of(self, agent: str) -> list[Related]:
        held, skills = self._held[AGENT].get(agent), self._held[SKILL]
        wanted = held.entry.manifest.skills if held and isinstance(held.entry.manifest, AgentManifest) else ()
        return [
            Related(id, skills[id].entry.manifest.title) if id in skills else Related(id, missing=True) for id in wanted
        ]

    async def agents_using(self, skill: str) -> list[Related]:
        every = [held.entry.manifest for held in self._held[AGENT].values()]
        using = [one for one in every if isinstance(one, AgentManifest) and skill in one.skills]
        return [Related(one.id, one.title) for one in sorted(using, key=lambda one: (fold(one.title), one.id))]

    async def missing_skills(self) -> list[MissingSkill]:
        every = [held.entry.manifest for held in self._held[AGENT].values()]
        wanted = {skill for one in every if isinstance(one, AgentManifest) for skill in one.skills}
        return [MissingSkill(id, tuple(await self.agents_using(id))) for id in sorted(wanted - set(self._held[SKILL]))]

    async def versions(self, kind: ManifestKind, id: str, limit: int = 100) -> list[ManifestVersion]:
        limited(limit, KEPT_VERSIONS)
        held = self._held[kind].get(id)
        every = [held.entry, *held.former] if held else []
        return [
            ManifestVersion(
                one.version, one.manifest, one.updated_at, one.updated_by, held is not None and one is every[0]
            )
            for one in every[:limit]
        ]

    async def restore_version(self, kind: ManifestKind, id: str, version: int) -> Entry:
        held = self._held[kind].get(id)
        if held is None:
            raise NotFound(f"There is no {kind} “{id}”.")
        wanted = next((one for one in (held.entry, *held.former) if one.version == version), None)
        if wanted is None:
            raise NotFound(f"Version {version} is not kept.")
        return held.entry if wanted is held.entry else self._write(wanted.manifest, wanted.source)

    async def note_broken(self, found: Sequence[BrokenManifest]) -> None:
        for one in found:
            self._broken[one.origin, one.place] = replace(one, at=self._store.clock())
        if found:
            self._say_broken()

    async def broken(self) -> list[BrokenManifest]:
        return sorted(self._broken.values(), key=lambda one: (one.place, one.origin))

    async def dismiss_broken(self, origin: str, place: str) -> bool:
        return self._mend(origin, place)

    def _mend(self, origin: str, place: str) -> bool:
        gone = self._broken.pop((origin, place), None) is not None
        if gone:
            self._say_broken()
        return gone

    def _say_broken(self) -> None:
        self._store.published.append(Changed("broken_manifest", (), self._actor))

    async def close(self) -> None:
        return None


def _files(source: Source) -> tuple[object, ...]:
    return source.place, source.origin, source.files


def _passes(manifest: Manifest, query: CatalogQuery) -> bool:
    def holds(held: Sequence[str], wanted: Sequence[str]) -> bool:
        return not wanted or bool({same_domain(one) for one in held} & {same_domain(one) for one in wanted})

    narrowing = query.narrowing
    maturity = manifest.maturity if isinstance(manifest, AgentManifest) else None
    return (
        (query.include_hidden or not manifest.hidden)
        and (query.domain is None or same_domain(manifest.domain) == same_domain(query.domain))
        and (query.category is None or in_category(manifest.category, query.category))
        and holds(manifest.tags, query.tags)
        and holds(manifest.tools, narrowing.tools)
        and (not narrowing.risk_classes or manifest.risk_class in narrowing.risk_classes)
        and (not narrowing.maturities or maturity in narrowing.maturities)
    )


def _ranked(entries: list[Entry], query: CatalogQuery) -> list[Entry]:
    wanted = [plain(word) for word in query.words]
    going_on = wanted[-1] if len(wanted[-1]) > 1 and not query.text[-1].isspace() else None

    def score(entry: Entry, need: Callable[[Sequence[bool]], bool]) -> float:
        manifest = entry.manifest
        texts = (manifest.title, " ".join(manifest.tags), manifest.description, manifest.body)
        total, hits = 0.0, [False] * len(wanted)
        for text, weight in zip(texts, WEIGHTS.values(), strict=True):
            held = [plain(word) for word in words(text)]
            stems = {stem(word) for word in held}
            for number, word in enumerate(wanted):
                if stem(word) in stems or (word == going_on and any(one.startswith(word) for one in held)):
                    hits[number] = True
                    total += weight
        return total if need(hits) else 0.0

    for need in (all, any):
        scored = [(entry, score(entry, need)) for entry in entries]
        if found := [(entry, points) for entry, points in scored if points]:
            return [entry for entry, _ in sorted(found, key=lambda each: -each[1])]
    return []
