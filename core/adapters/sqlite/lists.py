"""The long lists of a workspace: what each shows, how it can be sorted and narrowed."""

import math

from core.adapters.sqlite import conversations, memory, papers, shared
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.rows import Facet, ListTable, SqlRows
from core.domain.memory import Message, Record, Role, Session, SharedEntry
from core.domain.papers import Paper, PaperState
from core.domain.tiers import FLOOR, HALF_LIFE, Tier
from core.ports.rows import RowsPort


def record_rows(database: Database) -> RowsPort[Record]:
    """Records, changed last first."""
    table = ListTable(
        table="records",
        columns=memory.COLUMNS,
        make=memory.record_of,
        own_order=("updated_at", True),
        searched="title_folded",
        sorts={
            "title": "title_folded",
            "updated": "updated_at",
            "created": "created_at",
            "accessed": "last_accessed_at",
            "accesses": "access_count",
            "tier": _tier_order(),
            "namespace": "namespace",
            "salience": _presence(),
        },
        facets={
            "tier": Facet("tier = ?", tuple(Tier)),
            "namespace": Facet("namespace = ?"),
            "pinned": Facet(values=("yes", "no"), conditions={"yes": "pinned = 1", "no": "pinned = 0"}),
        },
    )
    return SqlRows(database, table)


def session_rows(database: Database) -> RowsPort[Session]:
    """Conversations, the last used first."""
    archived = {"no": "archived_at IS NULL", "yes": "archived_at IS NOT NULL"}
    table = ListTable(
        table="sessions",
        columns=conversations.SESSION_COLUMNS,
        make=conversations.session_of,
        own_order=("updated_at", True),
        searched="title_folded",
        sorts={"title": "title_folded", "updated": "updated_at", "created": "created_at", "messages": "messages"},
        facets={"archived": Facet(values=tuple(archived), conditions=archived)},
    )
    return SqlRows(database, table)


class SqliteMessageRows:
    """MessageRows over SQLite: the messages of one session, in order."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, session: str) -> RowsPort[Message]:
        table = ListTable(
            table="messages",
            columns=conversations.MESSAGE_COLUMNS,
            make=conversations.message_of,
            own_order=("position", False),
            searched="folded(content)",
            sorts={"position": "position", "at": "at", "role": "role"},
            facets={"role": Facet("role = ?", tuple(Role))},
            always="session = (SELECT number FROM sessions WHERE id = ?)",
            always_params=(session,),
        )
        return SqlRows(self._database, table)


def shared_rows(database: Database) -> RowsPort[SharedEntry]:
    """Shared entries, by key."""
    table = ListTable(
        table="shared",
        columns=shared.COLUMNS,
        make=shared.shared_of,
        own_order=("key_folded", False),
        searched="key_folded",
        sorts={"key": "key_folded", "updated": "updated_at", "by": "updated_by"},
        facets={"by": Facet("updated_by = ?")},
    )
    return SqlRows(database, table)


def paper_rows(database: Database) -> RowsPort[Paper]:
    """Papers that were not removed, the newest first."""
    table = ListTable(
        table="papers",
        columns=papers.COLUMNS,
        make=papers.paper_of,
        own_order=("added_at", True),
        searched="name_folded",
        sorts={
            "name": "name_folded",
            "added": "added_at",
            "updated": "updated_at",
            "written": "written_on",
            "size": "byte_length",
            "pages": "pages",
            "format": "format",
            "state": "state",
        },
        facets={"state": Facet("state = ?", tuple(PaperState)), "format": Facet("format = ?")},
        always="removed_at IS NULL",
    )
    return SqlRows(database, table)


def _tier_order() -> str:
    return "CASE tier " + " ".join(f"WHEN '{tier}' THEN {place}" for place, tier in enumerate(Tier)) + " END"


def _presence() -> str:
    """SQL for log2 of the present salience (`core.domain.tiers.salience_now`), from sums alone: this SQLite has no pow.

    freshness - last_accessed_at / half-life is log2 of the salience at last access.
    """
    faded = " ".join(
        f"WHEN '{tier}' THEN max("
        f"freshness - max(:now, last_accessed_at) / {life}, "
        f"freshness - last_accessed_at / {life} + {math.log2(FLOOR)})"
        for tier, life in HALF_LIFE.items()
    )
    kept = " ".join(f"WHEN '{tier}' THEN freshness - last_accessed_at / {life}" for tier, life in HALF_LIFE.items())
    return f"CASE WHEN pinned THEN CASE tier {kept} END ELSE CASE tier {faded} END END"
