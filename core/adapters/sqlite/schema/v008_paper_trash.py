"""Format 8: papers that were removed lie in the trash as other things do, until they are put back or erased.

Their rows stay where they are, with `removed_at`: bytes that are given once more bring a paper back.
"""

from core.adapters.sqlite.driver import Connection

STATEMENTS = (
    """
    INSERT INTO trash (kind, id, row, title, title_folded, preview, content, removed_at, removed_by)
    SELECT 'paper', id, number, name, name_folded, '', '{}', removed_at, 'person' FROM papers
    WHERE removed_at IS NOT NULL ORDER BY removed_at
    """,
)


def apply(connection: Connection) -> None:
    for statement in STATEMENTS:
        connection.execute(statement)
