"""Manifests as rows: what is written of one, and what a row says."""

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.history import keep_former
from core.adapters.sqlite.values import storable
from core.domain.catalog import Entry, Source, askable, same_domain
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.manifests import AgentManifest, Manifest, ManifestKind, manifest_from_json, manifest_json
from core.domain.writing import index_form
from core.errors import VersionConflict

COLUMNS = (
    "number", "id", "version", "hidden", "domain_folded", "category", "risk_class", "maturity", "title", "title_folded",
    "created_at", "updated_at", "updated_by", "place", "origin", "revision", "modified", "value", "label", "tagged",
    "summary", "body", "files",
)  # fmt: skip
_READ = "a.value, a.version, a.created_at, a.updated_at, a.updated_by, a.place, a.origin, a.revision, a.modified"
SELECT = f"SELECT {_READ}, '{{}}'"
SELECT_WITH_FILES = f"SELECT {_READ}, a.files"
_TABLES = {ManifestKind.AGENT: "agents", ManifestKind.SKILL: "skills"}


def table(kind: ManifestKind) -> str:
    return _TABLES[kind]


@dataclass(frozen=True, slots=True)
class Ready:
    """A manifest ready to be written: its JSON, the words of its index and its files as text."""

    entry: Entry
    value: str
    words: tuple[str, str, str, str]
    files: str

    @property
    def kind(self) -> ManifestKind:
        return self.entry.manifest.kind


def ready(manifest: Manifest, source: Source | None) -> Ready:
    """Raises InvalidValue for metadata that is no JSON."""
    value = storable(manifest_json(manifest), "manifest")
    texts = (manifest.title, "\n".join(manifest.tags), manifest.description, manifest.body)
    label, tagged, summary, body = (index_form(text) for text in texts)
    entry = Entry(manifest_from_json(manifest.kind, value), 1, 0.0, 0.0, "", source or Source())
    return Ready(entry, value, (label, tagged, summary, body), files_json(entry.source.files))


def files_json(files: Mapping[str, bytes]) -> str:
    """JSON of files by path: texts as they are, all else in base 64. Exact to the byte."""
    held: dict[str, object] = {}
    for path, data in files.items():
        try:
            held[path] = data.decode("utf-8")
        except UnicodeDecodeError:
            held[path] = {"base64": base64.b64encode(data).decode()}
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


def files_of(text: str) -> dict[str, bytes]:
    held: dict[str, str | dict[str, str]] = json.loads(text)
    return {
        path: data.encode("utf-8") if isinstance(data, str) else base64.b64decode(data["base64"])
        for path, data in held.items()
    }


def entry_of(kind: ManifestKind, row: Row) -> Entry:
    """The entry in a row of SELECT or SELECT_WITH_FILES."""
    value, version, created_at, updated_at, updated_by, place, origin, revision, modified, files = row
    source = Source(place, origin, revision, modified, files_of(files) if files != "{}" else {})
    return Entry(manifest_from_json(kind, value), version, created_at, updated_at, updated_by, source)


def find(connection: Connection, kind: ManifestKind, id: str) -> tuple[int, Entry] | None:
    """The number of its row, and the entry with its files."""
    sql = f"{SELECT_WITH_FILES}, a.number FROM {table(kind)} a WHERE a.id = ?"
    row = connection.execute(sql, (askable(id),)).fetchone()
    return (int(row[-1]), entry_of(kind, row[:-1])) if row is not None else None


def check_expected(expected: int | None, present: Entry | None, wanted: Manifest) -> None:
    if expected is None or expected == (present.version if present else 0):
        return
    said = "was changed meanwhile" if present else "was removed meanwhile"
    if expected == 0:
        said = "is in the catalog already"
    raise VersionConflict(
        f"“{wanted.title}” {said}. Nothing was written.", present=present and present.manifest, wanted=wanted
    )


def written(tx: Transaction, known: tuple[int, Entry] | None, made: Ready) -> Entry:
    """Write now, as who the transaction is for, keeping what stood there."""
    kind, manifest = made.kind, made.entry.manifest
    if known is not None:
        keep_former(tx, kind.value, known[0])
    version = known[1].version + 1 if known else 1
    created = known[1].created_at if known else tx.now
    entry = replace(made.entry, version=version, created_at=created, updated_at=tx.now, updated_by=tx.actor)
    put(tx, replace(made, entry=entry), known[0] if known else None)
    tx.changed(kind.value, manifest.id, version, Operation.UPDATED if known else Operation.CREATED)
    return entry


def put(tx: Transaction, made: Ready, number: int | None) -> None:
    """Write the row with all that hangs on it, exactly as given."""
    entry, manifest, name = made.entry, made.entry.manifest, table(made.kind)
    maturity = manifest.maturity.value if isinstance(manifest, AgentManifest) else ""
    risk, source = manifest.risk_class.value if manifest.risk_class else "", entry.source
    values = (
        number, manifest.id, entry.version, int(manifest.hidden), same_domain(manifest.domain), manifest.category, risk,
        maturity, manifest.title, fold(manifest.title), entry.created_at, entry.updated_at, entry.updated_by,
        source.place, source.origin, source.revision, source.modified, made.value, *made.words, made.files,
    )  # fmt: skip
    changing = ", ".join(f"{column} = excluded.{column}" for column in COLUMNS if column not in ("number", "id"))
    tx.execute(
        f"INSERT INTO {name} ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"
        f" ON CONFLICT (id) DO UPDATE SET {changing}",
        values,
    )
    row = tx.execute(f"SELECT number FROM {name} WHERE id = ?", (manifest.id,)).fetchone()
    _put_hanging(tx, manifest, int(row[0]) if row else 0)


def _put_hanging(tx: Transaction, manifest: Manifest, number: int) -> None:
    kind = manifest.kind.value
    tx.execute(f"DELETE FROM {kind}_marks WHERE number = ?", (number,))
    marks = {("tag", same_domain(word)) for word in manifest.tags} | {("tool", same_domain(t)) for t in manifest.tools}
    tx.executemany(f"INSERT INTO {kind}_marks (mark, word, number) VALUES (?, ?, ?)", _numbered(marks, number))
    if isinstance(manifest, AgentManifest):
        tx.execute("DELETE FROM agent_skills WHERE agent = ?", (number,))
        tx.executemany(
            "INSERT INTO agent_skills (agent, position, skill) VALUES (?, ?, ?)",
            [(number, position, skill) for position, skill in enumerate(manifest.skills)],
        )


def _numbered(marks: Iterable[tuple[str, str]], number: int) -> list[tuple[str, str, int]]:
    return [(mark, word, number) for mark, word in sorted(marks)]
