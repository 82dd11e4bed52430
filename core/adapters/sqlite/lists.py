"""The long lists of a workspace: what each shows, how it can be sorted and narrowed."""

from collections.abc import Iterable
from itertools import chain

from core.adapters.sqlite import conversation_rows, records, shared, trash, watched_rows
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.paper_rows import COLUMNS as PAPER_COLUMNS
from core.adapters.sqlite.paper_rows import paper_of
from core.adapters.sqlite.presence import presence
from core.adapters.sqlite.rows import Facet, ListTable, SqlRows
from core.domain.formats import GROUPS, OTHER
from core.domain.memory import Message, Record, Role, Session, SharedEntry, ValueType
from core.domain.papers import Paper, PaperState
from core.domain.tiers import Tier
from core.domain.trash import Trashed
from core.domain.watching import FolderState, Keep, WatchedFolder
from core.ports.rows import RowsPort


def record_rows(database: Database) -> RowsPort[Record]:
    """Records, changed last first."""
    table = ListTable(
        table="records",
        columns=records.COLUMNS,
        make=records.record_of,
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
            "salience": presence(),
        },
        facets={
            "tier": Facet("tier = ?", tuple(Tier)),
            "namespace": Facet("namespace = ?"),
            "pinned": Facet(values=("yes", "no"), conditions={"yes": "pinned = 1", "no": "pinned = 0"}),
            "tag": Facet("number IN (SELECT record FROM record_tags WHERE folded = folded(?))"),
            "by": Facet("updated_by = ?"),
        },
    )
    return SqlRows(database, table)


def session_rows(database: Database) -> RowsPort[Session]:
    """Conversations, the last used first."""
    archived = {"no": "archived_at IS NULL", "yes": "archived_at IS NOT NULL"}
    table = ListTable(
        table="sessions",
        columns=conversation_rows.SESSION_COLUMNS,
        make=conversation_rows.session_of,
        own_order=("updated_at", True),
        searched="title_folded",
        sorts={"title": "title_folded", "updated": "updated_at", "created": "created_at", "messages": "messages"},
        facets={"archived": Facet(values=tuple(archived), conditions=archived), "origin": Facet("origin = ?")},
    )
    return SqlRows(database, table)


class SqliteMessageRows:
    """MessageRows over SQLite: the messages of one session, in order."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, session: str) -> RowsPort[Message]:
        table = ListTable(
            table="messages",
            columns=conversation_rows.MESSAGE_COLUMNS,
            make=conversation_rows.message_of,
            own_order=("position", False),
            searched="folded(content)",
            sorts={"position": "position", "at": "at", "role": "role"},
            facets={"role": Facet("role = ?", tuple(Role))},
            always=conversation_rows.OF_SESSION,
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
        facets={"by": Facet("updated_by = ?"), "type": Facet("type = ?", tuple(ValueType))},
    )
    return SqlRows(database, table)


def trash_rows(database: Database) -> RowsPort[Trashed]:
    """What lies in the trash, removed last first."""
    table = ListTable(
        table="trash",
        columns=trash.COLUMNS,
        make=trash.trashed_of,
        own_order=("number", True),
        searched="title_folded",
        sorts={"title": "title_folded", "removed": "removed_at", "kind": "kind", "by": "removed_by"},
        facets={"kind": Facet("kind = ?"), "by": Facet("removed_by = ?")},
    )
    return SqlRows(database, table)


def paper_rows(database: Database) -> RowsPort[Paper]:
    """Papers that were not removed, the newest first."""
    table = ListTable(
        table="papers",
        columns=PAPER_COLUMNS,
        make=paper_of,
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
        facets={
            "state": Facet("state = ?", tuple(PaperState)),
            "format": Facet("format = ?"),
            "group": Facet(values=(*GROUPS, OTHER), conditions=_groups()),
        },
        always="removed_at IS NULL",
    )
    return SqlRows(database, table)


def folder_rows(database: Database) -> RowsPort[WatchedFolder]:
    """Folders that are watched, by path."""
    table = ListTable(
        table="watched_folders",
        columns=watched_rows.FOLDER_COLUMNS,
        make=watched_rows.folder_of,
        own_order=("path_folded", False),
        searched="path_folded",
        sorts={"path": "path_folded", "added": "created_at", "looked": "looked_at", "state": "state"},
        facets={"state": Facet("state = ?", tuple(FolderState)), "keep": Facet("keep = ?", tuple(Keep))},
        always="removed_at IS NULL",
    )
    return SqlRows(database, table)


def _groups() -> dict[str, str]:
    """Conditions of the groups of formats."""

    def quoted(formats: Iterable[str]) -> str:
        return ", ".join(f"'{format}'" for format in formats)

    found = {name: f"format IN ({quoted(formats)})" for name, formats in GROUPS.items()}
    return {**found, OTHER: f"format NOT IN ({quoted(chain.from_iterable(GROUPS.values()))})"}


def _tier_order() -> str:
    return "CASE tier " + " ".join(f"WHEN '{tier}' THEN {place}" for place, tier in enumerate(Tier)) + " END"
