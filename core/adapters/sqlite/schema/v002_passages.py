"""Format 2: passages, their full-text index, the vocabulary, and vectors.

`passages` is narrow, because filters read it for thousands of hits; the text stands apart. Triggers keep the index,
the vectors, the waiting list and the totals true whatever deletes a passage. Passage ids rise and are never used again,
so the highest are the newest.
"""

from core.adapters.sqlite.driver import Connection

# Marks (Mn, Mc) belong to words: without them the vowels of Thai and Indic scripts would split every word.
TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"

STATEMENTS = (
    """
    CREATE TABLE passages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        owner TEXT NOT NULL,
        ordinal INTEGER NOT NULL,
        part TEXT NOT NULL DEFAULT '',
        page INTEGER,
        at REAL,
        format TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE UNIQUE INDEX passages_of ON passages (kind, owner, ordinal)",
    "CREATE INDEX passages_owner ON passages (owner)",
    "CREATE INDEX passages_at ON passages (at) WHERE at IS NOT NULL",
    "CREATE INDEX passages_format ON passages (format)",
    # heading: JSON array or ''. label: index form of title and heading; body: index form of text, NULL where it is the
    # text itself; extra: index words of other spellings (core.domain.spellings).
    """
    CREATE TABLE passage_texts (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        heading TEXT NOT NULL DEFAULT '',
        text TEXT NOT NULL,
        label TEXT,
        body TEXT,
        extra TEXT NOT NULL DEFAULT ''
    )
    """,
    """
    CREATE VIEW passage_words AS
    SELECT id, coalesce(label, title) AS title, coalesce(body, text) AS body, extra FROM passage_texts
    """,
    f"""
    CREATE VIRTUAL TABLE passage_index USING fts5(
        title, body, extra, content='passage_words', content_rowid='id', prefix='2 3', tokenize="{TOKENIZER}"
    )
    """,
    """
    CREATE TRIGGER passage_texts_added AFTER INSERT ON passage_texts BEGIN
        INSERT INTO passage_index(rowid, title, body, extra)
        VALUES (new.id, coalesce(new.label, new.title), coalesce(new.body, new.text), new.extra);
    END
    """,
    """
    CREATE TRIGGER passage_texts_removed AFTER DELETE ON passage_texts BEGIN
        INSERT INTO passage_index(passage_index, rowid, title, body, extra)
        VALUES ('delete', old.id, coalesce(old.label, old.title), coalesce(old.body, old.text), old.extra);
    END
    """,
    """
    CREATE TRIGGER passage_texts_changed AFTER UPDATE ON passage_texts BEGIN
        INSERT INTO passage_index(passage_index, rowid, title, body, extra)
        VALUES ('delete', old.id, coalesce(old.label, old.title), coalesce(old.body, old.text), old.extra);
        INSERT INTO passage_index(rowid, title, body, extra)
        VALUES (new.id, coalesce(new.label, new.title), coalesce(new.body, new.text), new.extra);
    END
    """,
    # Unstemmed words of the workspace's own texts, without accents, and in how many passages each stands.
    """
    CREATE TABLE vocabulary (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        word TEXT NOT NULL UNIQUE,
        passages INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE models (
        number INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        dimension INTEGER NOT NULL
    )
    """,
    # One row a passage. code: sign of each dimension, one bit each, most significant first; it is read whole into
    # memory. vector: int8, scaled to the largest component of its own row.
    "CREATE TABLE passage_codes (passage INTEGER PRIMARY KEY, model INTEGER NOT NULL, code BLOB NOT NULL)",
    "CREATE TABLE passage_vectors (passage INTEGER PRIMARY KEY, vector BLOB NOT NULL)",
    "CREATE TABLE passages_waiting (passage INTEGER PRIMARY KEY)",
    "CREATE TABLE passage_totals (passages INTEGER NOT NULL, waiting INTEGER NOT NULL)",
    "INSERT INTO passage_totals VALUES (0, 0)",
    """
    CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
        INSERT INTO passages_waiting VALUES (new.id);
        UPDATE passage_totals SET passages = passages + 1;
    END
    """,
    """
    CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
        DELETE FROM passage_texts WHERE id = old.id;
        DELETE FROM passages_waiting WHERE passage = old.id;
        DELETE FROM passage_codes WHERE passage = old.id;
        DELETE FROM passage_vectors WHERE passage = old.id;
        UPDATE passage_totals SET passages = passages - 1;
    END
    """,
    """
    CREATE TRIGGER passages_waiting_added AFTER INSERT ON passages_waiting BEGIN
        UPDATE passage_totals SET waiting = waiting + 1;
    END
    """,
    """
    CREATE TRIGGER passages_waiting_removed AFTER DELETE ON passages_waiting BEGIN
        UPDATE passage_totals SET waiting = waiting - 1;
    END
    """,
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
