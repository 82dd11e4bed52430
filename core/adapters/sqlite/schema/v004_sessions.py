"""Format 4: where a conversation was taken over from, and whether it is known when it began."""

from core.adapters.sqlite.driver import Connection


def apply(connection: Connection) -> None:
    # origin: the other program's name, '' for what began here. dated: 0 where created_at is when it was taken in.
    connection.execute("ALTER TABLE sessions ADD COLUMN origin TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE sessions ADD COLUMN dated INTEGER NOT NULL DEFAULT 1")
