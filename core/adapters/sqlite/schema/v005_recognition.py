"""Format 5: recognised text. Words with their places, and which papers wait for recognition, apart from the others.

Papers that ended because their pictures could not be read yet, or whose pictures were left out, are read again.
"""

from core.adapters.sqlite.driver import Connection

STATEMENTS = (
    # scan: it was read without its pictures of text, which are recognised when it is its turn.
    "ALTER TABLE papers ADD COLUMN scan INTEGER NOT NULL DEFAULT 0",
    # page: 1-based, 0 for a single picture. words: deflated JSON, core.domain.recognition.word_rows.
    """
    CREATE TABLE recognised (
        paper TEXT NOT NULL,
        part TEXT NOT NULL,
        page INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        words BLOB NOT NULL,
        PRIMARY KEY (paper, part, page)
    ) WITHOUT ROWID
    """,
    # By the sentences of the program that said so.
    """
    CREATE TEMP TABLE again AS SELECT id FROM papers WHERE removed_at IS NULL AND (
        state = 'attention' AND (
            reason_code = 'no_text' AND reason LIKE '%Reading text in pictures isn''t possible yet%'
            OR reason_code = 'unsupported' AND reason LIKE '%is a picture in HEIC format%'
        ) OR state = 'searchable' AND (
            notes LIKE '%"page_without_text"%'
            OR notes LIKE '%Reading text in pictures isn''t possible yet%'
            OR notes LIKE '%is a picture in HEIC format%'
        )
    )
    """,
    """
    UPDATE papers SET state = 'waiting', reason_code = '', reason = '', attempts = 0, version = version + 1
    WHERE id IN (SELECT id FROM again)
    """,
    """
    INSERT INTO changes (kind, id, version, operation, at, actor)
    SELECT 'paper', id, version, 'updated', unixepoch('subsec'), 'system' FROM papers
    WHERE id IN (SELECT id FROM again) ORDER BY number
    """,
    "DROP TABLE temp.again",
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
