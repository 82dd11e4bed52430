"""Format 9: the catalog. Agents and skills with their words, marks and relations, and what could not be read."""

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.schema.v002_passages import TOKENIZER


def _tables(table: str, one: str) -> tuple[str, ...]:
    return (
        # What lists and filters read stands first, so that they needn't read the rest of a row. label, tagged, summary,
        # body: index forms of title, tags, description and all else. value: every field of the manifest, as JSON.
        # files: JSON {path: text or {"base64": bytes}}. modified: UTC seconds, of the files.
        f"""
        CREATE TABLE {table} (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            hidden INTEGER NOT NULL,
            domain_folded TEXT NOT NULL,
            category TEXT NOT NULL,
            risk_class TEXT NOT NULL,
            maturity TEXT NOT NULL,
            title TEXT NOT NULL,
            title_folded TEXT NOT NULL,
            created_at REAL NOT NULL,
            updated_at REAL NOT NULL,
            updated_by TEXT NOT NULL,
            place TEXT NOT NULL,
            origin TEXT NOT NULL,
            revision TEXT NOT NULL,
            modified REAL NOT NULL,
            value TEXT NOT NULL,
            label TEXT NOT NULL,
            tagged TEXT NOT NULL,
            summary TEXT NOT NULL,
            body TEXT NOT NULL,
            files TEXT NOT NULL
        )
        """,
        f"CREATE INDEX {table}_title ON {table} (hidden, title_folded, id)",
        f"CREATE INDEX {table}_filed ON {table} (hidden, domain_folded, category)",
        # mark: tag or tool. word: in the form in which they are compared.
        f"""
        CREATE TABLE {one}_marks (
            mark TEXT NOT NULL,
            word TEXT NOT NULL,
            number INTEGER NOT NULL REFERENCES {table} (number) ON DELETE CASCADE,
            PRIMARY KEY (mark, word, number)
        ) WITHOUT ROWID
        """,
        f"CREATE INDEX {one}_marks_of ON {one}_marks (number)",
    )


def _index(table: str) -> tuple[str, ...]:
    return (
        f"""
        CREATE VIRTUAL TABLE {table}_fts USING fts5(
            label, tagged, summary, body, content='{table}', content_rowid='number', prefix='2 3',
            tokenize="{TOKENIZER}"
        )
        """,
        f"""
        CREATE TRIGGER {table}_added AFTER INSERT ON {table} BEGIN
            INSERT INTO {table}_fts(rowid, label, tagged, summary, body)
            VALUES (new.number, new.label, new.tagged, new.summary, new.body);
        END
        """,
        f"""
        CREATE TRIGGER {table}_removed AFTER DELETE ON {table} BEGIN
            INSERT INTO {table}_fts({table}_fts, rowid, label, tagged, summary, body)
            VALUES ('delete', old.number, old.label, old.tagged, old.summary, old.body);
        END
        """,
        f"""
        CREATE TRIGGER {table}_changed AFTER UPDATE ON {table} BEGIN
            INSERT INTO {table}_fts({table}_fts, rowid, label, tagged, summary, body)
            VALUES ('delete', old.number, old.label, old.tagged, old.summary, old.body);
            INSERT INTO {table}_fts(rowid, label, tagged, summary, body)
            VALUES (new.number, new.label, new.tagged, new.summary, new.body);
        END
        """,
    )


STATEMENTS = (
    *_tables("agents", "agent"),
    *_index("agents"),
    *_tables("skills", "skill"),
    *_index("skills"),
    # skill: an id, which may be missing among the skills.
    """
    CREATE TABLE agent_skills (
        agent INTEGER NOT NULL REFERENCES agents (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        skill TEXT NOT NULL,
        PRIMARY KEY (agent, position)
    ) WITHOUT ROWID
    """,
    "CREATE INDEX agent_skills_skill ON agent_skills (skill)",
    # problems: JSON list of [file, line, field, rule].
    """
    CREATE TABLE broken_manifests (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        origin TEXT NOT NULL,
        place TEXT NOT NULL,
        kind TEXT NOT NULL,
        problems TEXT NOT NULL,
        at REAL NOT NULL,
        UNIQUE (origin, place)
    )
    """,
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
