"""Format 3: who wrote a record and from what, former versions, accesses, tags, and the trash.

`versions`, `accesses` and `refusals` name a row by its number, not by its key: a key that is forgotten and remembered
again begins a history of its own, and what comes back from the trash comes back under its old number with its history.
"""

import json
from typing import Any, cast

from core.adapters.sqlite.driver import Connection
from core.domain.folding import fold
from core.domain.memory import tags_of

STATEMENTS = (
    # source: JSON object, or '' where a record is from nothing but its writer.
    "ALTER TABLE records ADD COLUMN created_by TEXT NOT NULL DEFAULT 'person'",
    "ALTER TABLE records ADD COLUMN updated_by TEXT NOT NULL DEFAULT 'person'",
    "ALTER TABLE records ADD COLUMN source TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE shared ADD COLUMN type TEXT NOT NULL DEFAULT 'anything'",
    """
    UPDATE shared SET type = CASE json_type(value)
        WHEN 'text' THEN 'text' WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' WHEN 'true' THEN 'yes_no'
        WHEN 'false' THEN 'yes_no' WHEN 'array' THEN 'list' WHEN 'object' THEN 'structure' ELSE 'anything' END
    """,
    # What a record or shared entry was before it was written again. at, actor: of the write that made this version.
    """
    CREATE TABLE versions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        row INTEGER NOT NULL,
        version INTEGER NOT NULL,
        value TEXT NOT NULL,
        metadata TEXT NOT NULL,
        type TEXT NOT NULL,
        pinned INTEGER NOT NULL,
        source TEXT NOT NULL,
        at REAL NOT NULL,
        actor TEXT NOT NULL,
        UNIQUE (kind, row, version)
    )
    """,
    # kind: recalled, reinforced. salience: after it. question: what was asked, for a recall.
    """
    CREATE TABLE accesses (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        record INTEGER NOT NULL,
        kind TEXT NOT NULL,
        at REAL NOT NULL,
        actor TEXT NOT NULL,
        salience REAL NOT NULL,
        question TEXT NOT NULL
    )
    """,
    "CREATE INDEX accesses_of ON accesses (record, number)",
    """
    CREATE TABLE record_tags (
        folded TEXT NOT NULL,
        record INTEGER NOT NULL REFERENCES records (number) ON DELETE CASCADE,
        tag TEXT NOT NULL,
        PRIMARY KEY (folded, record)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX record_tags_of ON record_tags (record)",
    # A proposal that was refused comes again only when the record was used as often once more.
    "CREATE TABLE refusals (record INTEGER PRIMARY KEY, access_count INTEGER NOT NULL, at REAL NOT NULL)",
    "CREATE INDEX records_often ON records (access_count) WHERE tier = 'working'",
    # row: the number that it had in its own table and gets again. content: that row as a JSON object.
    """
    CREATE TABLE trash (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        row INTEGER NOT NULL,
        title TEXT NOT NULL,
        title_folded TEXT NOT NULL,
        preview TEXT NOT NULL,
        content TEXT NOT NULL,
        removed_at REAL NOT NULL,
        removed_by TEXT NOT NULL
    )
    """,
    "CREATE INDEX trash_of ON trash (kind, id)",
    "CREATE INDEX trash_removed ON trash (removed_at)",
    "CREATE INDEX trash_title ON trash (title_folded)",
)

_ID = "length(namespace) || ':' || namespace || ':' || key"


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
    for column, order in (("created_by", "ASC"), ("updated_by", "DESC")):
        connection.execute(
            f"UPDATE records SET {column} = coalesce((SELECT actor FROM changes WHERE kind = 'record' "
            f"AND id = {_ID} ORDER BY sequence {order} LIMIT 1), 'person')"
        )
    tagged = connection.execute("SELECT number, metadata FROM records WHERE instr(metadata, '\"tags\"') > 0")
    for number, metadata in tagged.fetchall():
        connection.executemany(
            "INSERT OR IGNORE INTO record_tags (folded, record, tag) VALUES (?, ?, ?)",
            [(fold(tag), number, tag) for tag in tags_of(cast("dict[str, Any]", json.loads(metadata)))],
        )
