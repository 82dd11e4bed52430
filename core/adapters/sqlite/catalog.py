"""The catalog of one workspace (CatalogPort over SQLite)."""

import asyncio
import json
from collections.abc import Callable, Sequence

from core.adapters.sqlite.catalog_rows import (
    COLUMNS,
    Ready,
    check_expected,
    files_of,
    find,
    put,
    ready,
    table,
    written,
)
from core.adapters.sqlite.catalog_search import changed_since, last_change, search, tree
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.history import checked_limit, erase_history, former, one_former
from core.adapters.sqlite.trashing import Content, move_to_trash
from core.domain.catalog import (
    EVERYTHING,
    BrokenManifest,
    CatalogQuery,
    CategoryTree,
    Entry,
    Indexed,
    IndexOutcome,
    ManifestVersion,
    MissingSkill,
    Narrowing,
    Problem,
    Related,
    Source,
    askable,
)
from core.domain.changes import Operation
from core.domain.history import KEPT_VERSIONS
from core.domain.manifests import AgentManifest, Manifest, ManifestKind, SkillManifest, manifest_from_json
from core.errors import NotFound, VersionConflict

BROKEN = "broken_manifest"
AGENT, SKILL = ManifestKind.AGENT, ManifestKind.SKILL


class SqliteCatalog:
    """`actor` is who the changes are written down for."""

    def __init__(self, database: Database, actor: str = "person") -> None:
        self._database = database
        self._actor = actor
        self._tree: tuple[int, CategoryTree] | None = None  # as it was after this change of the stream

    # ---- writing ----------------------------------------------------------------------------------------------------

    async def index_agent(
        self, manifest: AgentManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        return await self._index(manifest, source, expected)

    async def index_skill(
        self, manifest: SkillManifest, source: Source | None = None, *, expected: int | None = None
    ) -> Entry:
        return await self._index(manifest, source, expected)

    async def _index(self, manifest: Manifest, source: Source | None, expected: int | None) -> Entry:
        made = ready(manifest, source)

        def operation(tx: Transaction) -> Entry:
            known = find(tx.connection, made.kind, manifest.id)
            check_expected(expected, known and known[1], manifest)
            return _indexed(tx, known, made).entry

        return await self._database.write(operation, self._actor)

    async def index_many(self, manifests: Sequence[tuple[Manifest, Source | None]]) -> list[Indexed]:
        made = await asyncio.to_thread(lambda: [ready(*each) for each in manifests])

        def operation(tx: Transaction) -> list[Indexed]:
            return [_indexed(tx, find(tx.connection, one.kind, one.entry.manifest.id), one) for one in made]

        return await self._database.write(operation, self._actor)

    async def remove_agent(self, id: str) -> bool:
        return await self._remove(AGENT, id)

    async def remove_skill(self, id: str) -> bool:
        return await self._remove(SKILL, id)

    async def _remove(self, kind: ManifestKind, id: str) -> bool:
        def operation(tx: Transaction) -> bool:
            known = find(tx.connection, kind, id)
            if known is None:
                return False
            number, entry = known
            move_to_trash(
                tx, kind.value, id, table=table(kind), columns=COLUMNS, number=number, title=entry.manifest.title,
                text=entry.manifest.description,
            )  # fmt: skip
            tx.execute(f"DELETE FROM {table(kind)} WHERE number = ?", (number,))
            tx.changed(kind.value, id, entry.version + 1, Operation.DELETED)
            return True

        return await self._database.write(operation, self._actor)

    # ---- reading ----------------------------------------------------------------------------------------------------

    async def get_agent(self, id: str) -> Entry | None:
        return await self._get(AGENT, id)

    async def get_skill(self, id: str) -> Entry | None:
        return await self._get(SKILL, id)

    async def _get(self, kind: ManifestKind, id: str) -> Entry | None:
        found = await self._database.read(lambda connection: find(connection, kind, id))
        return found and found[1]

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
        wanted = CatalogQuery(query, domain, category, limit, offset, tuple(tags), include_hidden, narrowing)
        return await self._database.read(lambda connection: search(connection, AGENT, wanted))

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
        wanted = CatalogQuery(query, domain, category, limit, offset, tuple(tags), include_hidden, narrowing)
        return await self._database.read(lambda connection: search(connection, SKILL, wanted))

    async def get_category_tree(self) -> CategoryTree:
        def operation(connection: Connection) -> tuple[int, CategoryTree]:
            held = self._tree
            latest = last_change(connection)
            if held is not None and not changed_since(connection, held[0]):
                return latest, held[1]
            return latest, tree(connection)

        self._tree = await self._database.read(operation)
        return self._tree[1]

    async def ids(self, kind: ManifestKind) -> list[str]:
        sql = f"SELECT id FROM {table(kind)} ORDER BY id"
        return await self._database.read(lambda c: [str(row[0]) for row in c.execute(sql).fetchall()])

    async def skills_of(self, agent: str) -> list[Related]:
        sql = (
            "SELECT r.skill, s.title FROM agents a JOIN agent_skills r ON r.agent = a.number"
            " LEFT JOIN skills s ON s.id = r.skill WHERE a.id = ? ORDER BY r.position"
        )
        return await self._database.read(
            lambda c: [
                Related(id, title or "", title is None) for id, title in c.execute(sql, (askable(agent),)).fetchall()
            ]
        )

    async def agents_using(self, skill: str) -> list[Related]:
        return await self._database.read(lambda connection: _using(connection, skill))

    async def missing_skills(self) -> list[MissingSkill]:
        sql = "SELECT DISTINCT skill FROM agent_skills WHERE skill NOT IN (SELECT id FROM skills) ORDER BY skill"

        def operation(connection: Connection) -> list[MissingSkill]:
            return [MissingSkill(id, tuple(_using(connection, id))) for (id,) in connection.execute(sql).fetchall()]

        return await self._database.read(operation)

    # ---- versions ---------------------------------------------------------------------------------------------------

    async def versions(self, kind: ManifestKind, id: str, limit: int = 100) -> list[ManifestVersion]:
        checked_limit(limit, KEPT_VERSIONS, "versions")

        def operation(connection: Connection) -> list[ManifestVersion]:
            known = find(connection, kind, id)
            if known is None:
                return []
            number, entry = known
            present = ManifestVersion(entry.version, entry.manifest, entry.updated_at, entry.updated_by, present=True)
            rows = former(connection, kind.value, number, limit)
            older = [ManifestVersion(row[0], manifest_from_json(kind, row[1]), row[6], row[7]) for row in rows]
            return [present, *older][:limit]

        return await self._database.read(operation)

    async def restore_version(self, kind: ManifestKind, id: str, version: int) -> Entry:
        def operation(tx: Transaction) -> Entry:
            known = find(tx.connection, kind, id)
            if known is None:
                raise NotFound(f"There is no {kind} “{id}”.")
            if version == known[1].version:
                return known[1]
            row = one_former(tx.connection, kind.value, known[0], version)
            if row is None:
                raise NotFound(f"Version {version} of “{known[1].manifest.title}” is not kept any more.")
            place, origin, revision, modified = json.loads(row[5])
            source = Source(place, origin, revision, modified, files_of(row[2]))
            return written(tx, known, ready(manifest_from_json(kind, row[1]), source))

        return await self._database.write(operation, self._actor)

    # ---- what could not be read -------------------------------------------------------------------------------------

    async def note_broken(self, found: Sequence[BrokenManifest]) -> None:
        def operation(tx: Transaction) -> None:
            for one in found:
                problems = json.dumps([[p.file, p.line, p.field, p.rule] for p in one.problems], ensure_ascii=False)
                tx.execute(
                    "INSERT INTO broken_manifests (origin, place, kind, problems, at) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT (origin, place) DO UPDATE"
                    " SET kind = excluded.kind, problems = excluded.problems, at = excluded.at",
                    (one.origin, one.place, one.kind.value, problems, tx.now),
                )
            if found:
                tx.derived(BROKEN)

        await self._database.write(operation, self._actor)

    async def broken(self) -> list[BrokenManifest]:
        sql = "SELECT place, origin, kind, problems, at FROM broken_manifests ORDER BY place, origin"

        def operation(connection: Connection) -> list[BrokenManifest]:
            return [
                BrokenManifest(place, origin, ManifestKind(kind), tuple(Problem(*p) for p in json.loads(problems)), at)
                for place, origin, kind, problems, at in connection.execute(sql).fetchall()
            ]

        return await self._database.read(operation)

    async def dismiss_broken(self, origin: str, place: str) -> bool:
        return await self._database.write(lambda tx: _mended(tx, origin, place), self._actor)

    async def close(self) -> None:
        """The database is closed by whoever opened it."""


class ManifestKeeper:
    """TrashKeeper of agents or of skills."""

    def __init__(self, kind: ManifestKind) -> None:
        self._kind = kind

    async def returning(self, content: Content, row: int) -> Callable[[Transaction], None]:
        kind = self._kind
        source = Source(*(content[name] for name in ("place", "origin", "revision", "modified")))
        made = ready(manifest_from_json(kind, content["value"]), source)
        created_at, updated_at = content["created_at"], content["updated_at"]
        entry = Entry(made.entry.manifest, content["version"], created_at, updated_at, content["updated_by"], source)
        made = Ready(entry, made.value, made.words, content["files"])

        def operation(tx: Transaction) -> None:
            known = find(tx.connection, kind, entry.manifest.id)
            if known is not None:
                raise VersionConflict(
                    f"“{entry.manifest.title}” is in the catalog again. It stays as it is now.",
                    present=known[1].manifest,
                    wanted=entry.manifest,
                )
            put(tx, made, row)
            tx.changed(kind.value, entry.manifest.id, entry.version, Operation.CREATED)

        return operation

    def erase(self, tx: Transaction, rows: Sequence[int]) -> None:
        erase_history(tx, self._kind.value, rows)


def _indexed(tx: Transaction, known: tuple[int, Entry] | None, made: Ready) -> Indexed:
    source = made.entry.source
    if source.place:
        _mended(tx, source.origin, source.place)
    if known is not None and _is_same(known[1], made.entry):
        return Indexed(known[1], IndexOutcome.SAME)
    outcome = IndexOutcome.CREATED if known is None else IndexOutcome.UPDATED
    return Indexed(written(tx, known, made), outcome)


def _is_same(known: Entry, wanted: Entry) -> bool:
    a, b = known.source, wanted.source
    return known.manifest == wanted.manifest and (a.place, a.origin, a.files) == (b.place, b.origin, b.files)


def _mended(tx: Transaction, origin: str, place: str) -> bool:
    gone = tx.execute("DELETE FROM broken_manifests WHERE origin = ? AND place = ?", (origin, place)).rowcount > 0
    if gone:
        tx.derived(BROKEN)
    return gone


def _using(connection: Connection, skill: str) -> list[Related]:
    sql = (
        "SELECT a.id, a.title FROM agent_skills r JOIN agents a ON a.number = r.agent WHERE r.skill = ?"
        " ORDER BY a.title_folded, a.id"
    )
    return [Related(id, title) for id, title in connection.execute(sql, (askable(skill),)).fetchall()]
