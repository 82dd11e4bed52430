"""Format 7: what is being forgotten for good, until it is. A row is gone when its erasure has ended."""

from core.adapters.sqlite.driver import Connection

STATEMENTS = (
    # things: JSON [[kind, id], …], '[]' from stage SPACE on. digests, papers: JSON, of files to be deleted. counts:
    # JSON. seed and the three blobs: core.domain.traces.Traces; the hashes as little-endian 64-bit numbers.
    """
    CREATE TABLE erasures (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,
        actor TEXT NOT NULL,
        stage TEXT NOT NULL,
        name TEXT NOT NULL,
        things TEXT NOT NULL,
        digests TEXT NOT NULL DEFAULT '[]',
        papers TEXT NOT NULL DEFAULT '[]',
        counts TEXT NOT NULL,
        unread INTEGER NOT NULL,
        seed TEXT NOT NULL,
        short BLOB NOT NULL,
        long BLOB NOT NULL,
        endings BLOB NOT NULL
    )
    """,
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
