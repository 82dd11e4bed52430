"""Format 1: the change stream, records, conversations, shared settings, papers and their bytes.

Conventions: `number` is the row number that lists use; AUTOINCREMENT keeps a removed row's number from being used
again. Times are REAL seconds since 1970 UTC; JSON is TEXT; `…_folded` columns hold `core.domain.folding.fold` of what a
list is filtered and sorted by, without regard to case and accents.
"""

from core.adapters.sqlite.driver import Connection

STATEMENTS = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE changes (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        version INTEGER NOT NULL,
        operation TEXT NOT NULL,
        at REAL NOT NULL,
        actor TEXT NOT NULL
    )
    """,
    "CREATE INDEX changes_of ON changes (kind, id)",
    # freshness: log2(salience) + last_accessed_at / half-life of the tier. Within a tier it sorts as the present
    # salience does, at any time, so the most present records are found without computing all of them.
    """
    CREATE TABLE records (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        tier TEXT NOT NULL,
        value TEXT NOT NULL,
        metadata TEXT NOT NULL,
        title_folded TEXT NOT NULL,
        salience REAL NOT NULL,
        freshness REAL NOT NULL,
        access_count INTEGER NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        last_accessed_at REAL NOT NULL,
        pinned INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL,
        UNIQUE (namespace, key)
    )
    """,
    "CREATE INDEX records_updated ON records (updated_at)",
    "CREATE INDEX records_title ON records (title_folded)",
    "CREATE INDEX records_tier ON records (tier, updated_at)",
    "CREATE INDEX records_namespace ON records (namespace, updated_at)",
    "CREATE INDEX records_freshness ON records (namespace, tier, freshness, updated_at)",
    "CREATE INDEX records_salience ON records (namespace, tier, salience, updated_at)",
    "CREATE INDEX records_pinned ON records (namespace, tier, salience, updated_at) WHERE pinned = 1",
    """
    CREATE TABLE sessions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        title_folded TEXT NOT NULL,
        created_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        messages INTEGER NOT NULL DEFAULT 0,
        archived_at REAL,
        last_line TEXT NOT NULL DEFAULT '',
        version INTEGER NOT NULL
    )
    """,
    "CREATE INDEX sessions_updated ON sessions (updated_at)",
    "CREATE INDEX sessions_title ON sessions (title_folded)",
    """
    CREATE TABLE messages (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        session INTEGER NOT NULL REFERENCES sessions (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        at REAL,
        metadata TEXT NOT NULL,
        UNIQUE (session, position)
    )
    """,
    """
    CREATE TABLE shared (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        key_folded TEXT NOT NULL,
        value TEXT NOT NULL,
        metadata TEXT NOT NULL,
        updated_at REAL NOT NULL,
        updated_by TEXT NOT NULL,
        version INTEGER NOT NULL
    )
    """,
    "CREATE INDEX shared_key ON shared (key_folded)",
    "CREATE INDEX shared_updated ON shared (updated_at)",
    """
    CREATE TABLE artifacts (
        digest TEXT PRIMARY KEY,
        byte_length INTEGER NOT NULL,
        added_at REAL NOT NULL
    ) WITHOUT ROWID
    """,
    # passages: how many the paper was cut into.
    """
    CREATE TABLE papers (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        digest TEXT NOT NULL UNIQUE REFERENCES artifacts (digest),
        name TEXT NOT NULL,
        name_folded TEXT NOT NULL,
        origin TEXT NOT NULL,
        byte_length INTEGER NOT NULL,
        state TEXT NOT NULL,
        added_at REAL NOT NULL,
        updated_at REAL NOT NULL,
        title TEXT NOT NULL DEFAULT '',
        author TEXT NOT NULL DEFAULT '',
        format TEXT NOT NULL DEFAULT '',
        media_type TEXT NOT NULL DEFAULT '',
        pages INTEGER,
        written_on TEXT,
        reason_code TEXT NOT NULL DEFAULT '',
        reason TEXT NOT NULL DEFAULT '',
        notes TEXT NOT NULL DEFAULT '[]',
        attempts INTEGER NOT NULL DEFAULT 0,
        passages INTEGER NOT NULL DEFAULT 0,
        removed_at REAL,
        version INTEGER NOT NULL
    )
    """,
    "CREATE INDEX papers_added ON papers (added_at) WHERE removed_at IS NULL",
    "CREATE INDEX papers_name ON papers (name_folded) WHERE removed_at IS NULL",
    "CREATE INDEX papers_state ON papers (state) WHERE removed_at IS NULL",
    "CREATE INDEX papers_waiting ON papers (byte_length) WHERE removed_at IS NULL AND state = 'waiting'",
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
