"""Format 6: watched folders and their files, the places of papers, and papers whose bytes stay where they lie.

Paths are BLOBs, as the operating system has them: a name need not be UTF-8. Those of files are relative to their
folder, with "/" between names.
"""

from core.adapters.sqlite.driver import Connection

STATEMENTS = (
    # linked: the bytes are not in the store but in a watched folder. gone_at: since when none of its files is there.
    "ALTER TABLE papers ADD COLUMN linked INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE papers ADD COLUMN gone_at REAL",
    "CREATE INDEX papers_gone ON papers (gone_at) WHERE gone_at IS NOT NULL",
    # keep: copy or link. device: of the disk, to tell an empty folder from one whose disk is not there. problems: JSON
    # list of sentences of the last look. skipped: files that the last look left out. A folder that is watched no more
    # keeps its row: linked papers lie in it.
    """
    CREATE TABLE watched_folders (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        path BLOB NOT NULL UNIQUE,
        path_folded TEXT NOT NULL,
        keep TEXT NOT NULL,
        rules TEXT NOT NULL,
        subfolders INTEGER NOT NULL,
        state TEXT NOT NULL,
        trouble TEXT NOT NULL DEFAULT '',
        problems TEXT NOT NULL DEFAULT '[]',
        skipped INTEGER NOT NULL DEFAULT 0,
        device INTEGER,
        created_at REAL NOT NULL,
        looked_at REAL,
        removed_at REAL,
        version INTEGER NOT NULL
    )
    """,
    # size in bytes, modified and changed in nanoseconds: the file as it was when its bytes had this digest. trouble:
    # why it could not be taken in.
    """
    CREATE TABLE watched_files (
        folder INTEGER NOT NULL REFERENCES watched_folders (number) ON DELETE CASCADE,
        path BLOB NOT NULL,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        changed INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        digest TEXT,
        paper TEXT,
        trouble TEXT NOT NULL DEFAULT '',
        gone_at REAL,
        PRIMARY KEY (folder, path)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX watched_files_paper ON watched_files (paper)",
    "CREATE INDEX watched_files_digest ON watched_files (digest)",
    "CREATE INDEX watched_files_trouble ON watched_files (folder) WHERE trouble <> ''",
    "CREATE INDEX watched_files_gone ON watched_files (folder) WHERE gone_at IS NOT NULL",
    # Where a person took the paper from; files in watched folders stand in watched_files.
    """
    CREATE TABLE paper_places (
        paper TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        place TEXT NOT NULL,
        taken_at REAL NOT NULL,
        PRIMARY KEY (paper, place)
    ) WITHOUT ROWID
    """,
    "INSERT INTO paper_places (paper, place, taken_at) SELECT id, origin, added_at FROM papers WHERE origin <> ''",
    # The bytes that a paper had before its file was changed.
    """
    CREATE TABLE former_bytes (
        paper TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
        digest TEXT NOT NULL,
        replaced_at REAL NOT NULL,
        PRIMARY KEY (paper, digest)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX former_bytes_digest ON former_bytes (digest)",
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
