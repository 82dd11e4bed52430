"""Rows of records: reading one, writing one with its tags, passages and former version. Both record adapters use it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.adapters.sqlite.cutting import cut
from core.adapters.sqlite.driver import Connection, Row
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.history import keep_former
from core.adapters.sqlite.passages import Analysed, replace_passages
from core.adapters.sqlite.presence import freshness
from core.adapters.sqlite.values import decoded, decoded_object, encoded, encoded_object, storable
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.memory import Json, Record, Source, tags_of
from core.domain.passages import Kind
from core.domain.readable import record_label, record_text
from core.domain.scopes import check_key
from core.domain.text import clean, one_line
from core.domain.tiers import START, Tier
from core.errors import VersionConflict
from core.ports.cutting import CutterPort

COLUMNS = (
    "number", "namespace", "key", "value", "tier", "metadata", "salience", "access_count", "created_at", "updated_at",
    "last_accessed_at", "pinned", "version", "created_by", "updated_by", "source",
)  # fmt: skip
SELECT = f"SELECT {', '.join(COLUMNS)} FROM records"
KIND = "record"


def record_of(row: Row) -> Record:
    """The record in a row of COLUMNS."""
    (
        _, namespace, key, value, tier, metadata, salience, accesses, created, updated, accessed, pinned, version,
        created_by, updated_by, source,
    ) = row  # fmt: skip
    return Record(
        namespace, key, decoded(value), Tier(tier), decoded_object(metadata), salience, accesses, created, updated,
        accessed, bool(pinned), version, created_by, updated_by, source_of(source),
    )  # fmt: skip


def source_of(text: str) -> Source | None:
    """A source as `source_text` wrote it."""
    if not text:
        return None
    held = decoded_object(text)
    return Source(str(held.get("kind", "")), str(held.get("id", "")), str(held.get("said", "")))


def source_text(source: Source | None) -> str:
    if source is None:
        return ""
    return encoded({"kind": source.kind, "id": source.id, "said": source.said}, "source")


def check_name(namespace: str, key: str) -> None:
    """Raises InvalidValue for what can be no namespace or no key."""
    storable(check_key(namespace, "namespace"), "namespace")
    storable(check_key(key), "key")


@dataclass(frozen=True, slots=True)
class Kept:
    """A record with the number of its row."""

    number: int
    record: Record


def find(connection: Connection, namespace: str, key: str) -> Kept | None:
    row = connection.execute(f"{SELECT} WHERE namespace = ? AND key = ?", (namespace, key)).fetchone()
    return Kept(int(row[0]), record_of(row)) if row is not None else None


@dataclass(frozen=True, slots=True)
class Ready:
    """A record that is ready to be written: its JSON as text, and its passages."""

    record: Record
    value: str
    metadata: str
    passages: Analysed

    def with_(self, record: Record) -> "Ready":
        """The same texts under other times and counts."""
        return replace(self, record=record)


async def ready(cutter: CutterPort, record: Record) -> Ready:
    """Check and cut, off the writer. Raises InvalidValue for a name or value that can't be kept."""
    check_name(record.namespace, record.key)
    value = encoded(record.value, f"value of “{record.key}”")
    metadata = encoded_object(record.metadata, f"metadata of “{record.key}”")
    record = replace(record, value=decoded(value), metadata=decoded_object(metadata), score=None, why=None)
    passages = await cut(cutter, record_text(record), one_line(record.title), heading=record_label(record))
    return Ready(record, value, metadata, passages)


def new_record(
    namespace: str, key: str, value: Json, tier: Tier, metadata: Mapping[str, Json] | None, source: Source | None
) -> Record:
    """A record that was never written; times and versions are set when it is."""
    return Record(namespace, key, value, Tier(tier), dict(metadata or {}), START, 0, 0.0, 0.0, 0.0, source=source)


def check_expected(expected: int | None, present: Record | None, wanted: Record) -> None:
    """Raises VersionConflict with both sides unless what stands is what the caller read."""
    if expected is None or expected == (present.version if present else 0):
        return
    said = "was changed meanwhile" if present else "was forgotten meanwhile"
    if expected == 0:
        said = "is here already"
    raise VersionConflict(f"“{wanted.title}” {said}. Nothing was written.", present=present, wanted=wanted)


def insert(tx: Transaction, made: Ready, number: int | None = None) -> None:
    """Write a record whose key is free, under this row number or the next."""
    values = _values(made)
    columns = ("number", *_WRITTEN)
    cursor = tx.execute(
        f"INSERT INTO records ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", (number, *values)
    )
    _tag(tx, number if number is not None else cursor.lastrowid, made.record)
    _index(tx, made)


def update(tx: Transaction, known: Kept, made: Ready) -> None:
    """Write over a record: its former version is kept, its passages are made anew where its words changed."""
    keep_former(tx, KIND, known.number)
    assigned = ", ".join(f"{column} = ?" for column in _WRITTEN)
    tx.execute(f"UPDATE records SET {assigned} WHERE number = ?", (*_values(made), known.number))
    before, after = known.record, made.record
    if before.tags != after.tags:
        tx.execute("DELETE FROM record_tags WHERE record = ?", (known.number,))
        _tag(tx, known.number, after)
    if _said(before) != _said(after):
        _index(tx, made)
    else:
        tx.execute(
            "UPDATE passages SET at = ? WHERE kind = ? AND owner = ?", (after.updated_at, Kind.RECORD.value, after.id)
        )


def put_accesses(tx: Transaction, number: int, record: Record) -> None:
    """Write how strong a record is, how often and when it was accessed."""
    tx.execute(
        "UPDATE records SET salience = ?, freshness = ?, access_count = ?, last_accessed_at = ? WHERE number = ?",
        (record.salience, freshness(record), record.access_count, record.last_accessed_at, number),
    )


def noted(tx: Transaction, record: Record, operation: Operation) -> Record:
    """Note the change of a record, and answer it."""
    tx.changed(KIND, record.id, record.version, operation)
    return record


_WRITTEN = (
    "namespace", "key", "tier", "value", "metadata", "title_folded", "salience", "freshness", "access_count",
    "created_at", "updated_at", "last_accessed_at", "pinned", "version", "created_by", "updated_by", "source",
)  # fmt: skip


def _values(made: Ready) -> tuple[object, ...]:
    record = made.record
    title = clean(record.title if record.title == record.key else f"{record.title}\n{record.key}")
    return (
        record.namespace, record.key, record.tier.value, made.value, made.metadata, fold(title), record.salience,
        freshness(record), record.access_count, record.created_at, record.updated_at, record.last_accessed_at,
        record.pinned, record.version, record.created_by, record.updated_by,
        source_text(record.source),
    )  # fmt: skip


def _said(record: Record) -> tuple[object, ...]:
    return record.title, record_label(record), record_text(record)


def _index(tx: Transaction, made: Ready) -> None:
    record = made.record
    replace_passages(tx, Kind.RECORD, record.id, made.passages, title=one_line(record.title), at=record.updated_at)


def _tag(tx: Transaction, number: int, record: Record) -> None:
    tags = [clean(tag) for tag in tags_of(record.metadata)]
    tx.executemany(
        "INSERT OR IGNORE INTO record_tags (folded, record, tag) VALUES (?, ?, ?)",
        [(fold(tag), number, tag) for tag in tags if tag.strip()],
    )
