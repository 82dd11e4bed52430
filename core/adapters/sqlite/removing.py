"""Erasing rows with all that hangs on them: what each kind of thing left where."""

import json
from collections.abc import Callable, Iterator

from core.adapters.sqlite.conversation_rows import OF_SESSION, count_messages, existing, remove_messages, touch
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.history import erase_history
from core.adapters.sqlite.passages import remove_part, remove_passages
from core.adapters.sqlite.recognised import store_pages
from core.adapters.sqlite.trashing import drop_from_trash
from core.domain.changes import Operation
from core.domain.erasure import Doomed
from core.domain.memory import split_record_id
from core.domain.mentions import Mention
from core.domain.passages import Kind

Texts = Iterator[str | bytes]
Removed = list[str]
"""Digests of stored files that may have lost their last user."""


def remove(tx: Transaction, kind: Doomed, id: str) -> Removed:
    """Erase one thing where it is still there."""
    return _REMOVE[kind](tx, id) or []


def texts(connection: Connection, kind: Doomed, id: str) -> Texts:
    """Everything that is kept of one thing, as it is stored: texts, vectors, recognised words."""
    for sql, parameters in _TEXTS[kind](connection, id):
        for row in connection.execute(sql, parameters):
            yield from (value for value in row if isinstance(value, str | bytes) and value)


def hanging(connection: Connection, kind: Doomed, id: str) -> dict[str, int]:
    """How much goes along with one thing, named as in core.domain.erasure.SAID."""
    counts: dict[str, int] = {}
    for name, sql, parameters in _COUNTS[kind](connection, id):
        row = connection.execute(sql, parameters).fetchone()
        counts[name] = counts.get(name, 0) + (int(row[0]) if row else 0)
    return counts


MANIFESTS = (Doomed.AGENT, Doomed.SKILL)

# ---- what is where ---------------------------------------------------------------------------------------------------

_Query = tuple[str, tuple[object, ...]]
_Counted = tuple[str, str, tuple[object, ...]]


def _row_of(connection: Connection, kind: Doomed, id: str) -> int | None:
    """The row number of a record or shared entry."""
    if kind is Doomed.RECORD:
        sql, parameters = "SELECT number FROM records WHERE namespace = ? AND key = ?", split_record_id(id)
    elif kind in MANIFESTS:
        sql, parameters = f"SELECT number FROM {kind}s WHERE id = ?", (id,)
    else:
        sql, parameters = "SELECT number FROM shared WHERE key = ?", (id,)
    row = connection.execute(sql, parameters).fetchone()
    return int(row[0]) if row is not None else None


_OF = "p.kind = ? AND p.owner = ?"
_OF_MESSAGE = f"{_OF} AND p.part = ?"


def _passage_texts(where: str, parameters: tuple[object, ...]) -> list[_Query]:
    join = "JOIN passages p ON p.id ="
    return [
        (f"SELECT title, heading, text, label, body, extra FROM passage_texts t {join} t.id WHERE {where}", parameters),
        (f"SELECT v.vector FROM passage_vectors v {join} v.passage WHERE {where}", parameters),
        (f"SELECT c.code FROM passage_codes c {join} c.passage WHERE {where}", parameters),
    ]


def _passage_counts(where: str, parameters: tuple[object, ...]) -> list[_Counted]:
    return [
        ("passage", f"SELECT count(*) FROM passages p WHERE {where}", parameters),
        (
            "vector",
            f"SELECT count(*) FROM passages p JOIN passage_vectors v ON v.passage = p.id WHERE {where}",
            parameters,
        ),
    ]


def _kept_texts(connection: Connection, kind: Doomed, id: str) -> list[_Query]:
    number = _row_of(connection, kind, id)
    table = {Doomed.RECORD: "records", Doomed.SHARED: "shared"}[kind]
    name = "title_folded" if kind is Doomed.RECORD else "key_folded"
    return [
        (f"SELECT value, metadata, key, {name} FROM {table} WHERE number = ?", (number,)),
        *_history_texts(kind.value, number),
        *_passage_texts(_OF, (kind.value, id)),
    ]


def _history_texts(kind: str, row: int | None) -> list[_Query]:
    found: list[_Query] = [("SELECT value, metadata, source FROM versions WHERE kind = ? AND row = ?", (kind, row))]
    if kind == Doomed.RECORD.value:
        found.append(("SELECT question FROM accesses WHERE record = ?", (row,)))
    return found


def _kept_counts(connection: Connection, kind: Doomed, id: str) -> list[_Counted]:
    return [
        *_history_counts(kind.value, _row_of(connection, kind, id)),
        *_passage_counts(_OF, (kind.value, id)),
    ]


def _history_counts(kind: str, row: int | None) -> list[_Counted]:
    counts: list[_Counted] = [
        ("earlier version", "SELECT count(*) FROM versions WHERE kind = ? AND row = ?", (kind, row))
    ]
    if kind == Doomed.RECORD.value:
        counts.append(("use", "SELECT count(*) FROM accesses WHERE record = ?", (row,)))
    return counts


def _manifest_texts(connection: Connection, kind: Doomed, id: str) -> list[_Query]:
    columns = (
        "id, title, title_folded, domain_folded, category, place, origin, value, label, tagged, summary, body, files"
    )
    number = _row_of(connection, kind, id)
    found: list[_Query] = [
        (f"SELECT {columns} FROM {kind}s WHERE number = ?", (number,)),
        (f"SELECT word FROM {kind}_marks WHERE number = ?", (number,)),
    ]
    return [*found, *_history_texts(kind.value, number)]


def _session_texts(connection: Connection, id: str) -> list[_Query]:
    return [
        ("SELECT title, title_folded, last_line, origin FROM sessions WHERE id = ?", (id,)),
        (f"SELECT content, metadata FROM messages WHERE {OF_SESSION}", (id,)),
        *_passage_texts(_OF, (Kind.MESSAGE.value, id)),
    ]


def _session_counts(connection: Connection, id: str) -> list[_Counted]:
    return [
        ("message", f"SELECT count(*) FROM messages WHERE {OF_SESSION}", (id,)),
        *_passage_counts(_OF, (Kind.MESSAGE.value, id)),
    ]


def _message_place(connection: Connection, id: str) -> tuple[object, ...]:
    row = connection.execute(
        "SELECT s.id FROM messages m JOIN sessions s ON s.number = m.session WHERE m.id = ?", (id,)
    ).fetchone()
    return Kind.MESSAGE.value, row[0] if row else "", id


def _message_texts(connection: Connection, id: str) -> list[_Query]:
    return [
        ("SELECT content, metadata FROM messages WHERE id = ?", (id,)),
        *_passage_texts(_OF_MESSAGE, _message_place(connection, id)),
    ]


def _paper_texts(connection: Connection, id: str) -> list[_Query]:
    return [
        ("SELECT name, name_folded, origin, title, author, reason, notes FROM papers WHERE id = ?", (id,)),
        ("SELECT words FROM recognised WHERE paper = ?", (id,)),
        ("SELECT place FROM paper_places WHERE paper = ?", (id,)),
        ("SELECT CAST(path AS TEXT), trouble FROM watched_files WHERE paper = ?", (id,)),
        *_passage_texts(_OF, (Kind.PAPER.value, id)),
    ]


def _paper_counts(connection: Connection, id: str) -> list[_Counted]:
    return [
        ("stored file", "SELECT count(*) FROM papers WHERE id = ? AND linked = 0", (id,)),
        ("stored file", "SELECT count(*) FROM former_bytes WHERE paper = ?", (id,)),
        ("recognised page", "SELECT count(*) FROM recognised WHERE paper = ?", (id,)),
        *_passage_counts(_OF, (Kind.PAPER.value, id)),
    ]


def _trashed(connection: Connection, number: str) -> tuple[str, int]:
    row = connection.execute("SELECT kind, row FROM trash WHERE number = ?", (number,)).fetchone()
    return (str(row[0]), int(row[1])) if row is not None else ("", 0)


def _trash_texts(connection: Connection, number: str) -> list[_Query]:
    sql = (
        "SELECT title, title_folded, preview, content, json_extract(content, '$.value'),"
        " json_extract(content, '$.metadata') FROM trash WHERE number = ?"
    )
    messages = (
        "SELECT json_extract(m.value, '$[3]') FROM trash t, json_each(t.content, '$.messages') m WHERE t.number = ?"
    )
    return [(sql, (number,)), (messages, (number,)), *_history_texts(*_trashed(connection, number))]


_VERSION = "SELECT value, metadata, source FROM versions WHERE number = ?"
_ACCESS = "SELECT question FROM accesses WHERE number = ?"

_TEXTS: dict[Doomed, Callable[[Connection, str], list[_Query]]] = {
    Doomed.RECORD: lambda connection, id: _kept_texts(connection, Doomed.RECORD, id),
    Doomed.SHARED: lambda connection, id: _kept_texts(connection, Doomed.SHARED, id),
    Doomed.SESSION: _session_texts,
    Doomed.MESSAGE: _message_texts,
    Doomed.PAPER: _paper_texts,
    Doomed.TRASHED: _trash_texts,
    Doomed.VERSION: lambda connection, id: [(_VERSION, (id,))],
    Doomed.ACCESS: lambda connection, id: [(_ACCESS, (id,))],
    Doomed.AGENT: lambda connection, id: _manifest_texts(connection, Doomed.AGENT, id),
    Doomed.SKILL: lambda connection, id: _manifest_texts(connection, Doomed.SKILL, id),
    Doomed.BROKEN: lambda connection, id: [
        ("SELECT origin, place, problems FROM broken_manifests WHERE number = ?", (id,))
    ],
}
_COUNTS: dict[Doomed, Callable[[Connection, str], list[_Counted]]] = {
    Doomed.RECORD: lambda connection, id: _kept_counts(connection, Doomed.RECORD, id),
    Doomed.SHARED: lambda connection, id: _kept_counts(connection, Doomed.SHARED, id),
    Doomed.SESSION: _session_counts,
    Doomed.MESSAGE: lambda connection, id: _passage_counts(_OF_MESSAGE, _message_place(connection, id)),
    Doomed.PAPER: _paper_counts,
    Doomed.TRASHED: lambda connection, id: _history_counts(*_trashed(connection, id)),
    Doomed.VERSION: lambda connection, id: [],
    Doomed.ACCESS: lambda connection, id: [],
    Doomed.AGENT: lambda connection, id: _history_counts("agent", _row_of(connection, Doomed.AGENT, id)),
    Doomed.SKILL: lambda connection, id: _history_counts("skill", _row_of(connection, Doomed.SKILL, id)),
    Doomed.BROKEN: lambda connection, id: [],
}


# ---- erasing ---------------------------------------------------------------------------------------------------------


def _erase_kept(tx: Transaction, kind: Doomed, id: str) -> None:
    number = _row_of(tx.connection, kind, id)
    if number is None:
        return
    remove_passages(tx, Kind(kind.value), id)
    erase_history(tx, kind.value, [number])
    tx.execute(f"DELETE FROM {'records' if kind is Doomed.RECORD else 'shared'} WHERE number = ?", (number,))
    _unname(tx, kind.value, id)
    _unsource(tx, kind.value, id)


def _erase_manifest(tx: Transaction, kind: Doomed, id: str) -> None:
    number = _row_of(tx.connection, kind, id)
    if number is not None:
        erase_history(tx, kind.value, [number])
        tx.execute(f"DELETE FROM {kind}s WHERE number = ?", (number,))  # its marks and relations go with it
        _unname(tx, kind.value, id)


def _unname(tx: Transaction, kind: str, id: str) -> None:
    """The id is made of words: the stream of changes keeps another one, under which it also says the end."""
    row = tx.execute("SELECT max(sequence), max(version) FROM changes WHERE kind = ? AND id = ?", (kind, id)).fetchone()
    if row is not None and row[0] is not None:
        nameless = f"erased:{row[0]}"
        tx.execute("UPDATE changes SET id = ? WHERE kind = ? AND id = ?", (nameless, kind, id))
        tx.changed(kind, nameless, int(row[1]) + 1, Operation.DELETED)
    tx.derived(kind)


def _unsource(tx: Transaction, kind: str, id: str) -> None:
    """What was made from it doesn't say so any more."""
    like = f"%{json.dumps(id, ensure_ascii=False)[1:-1].replace('%', '_')}%"
    for table in ("records", "versions"):
        tx.execute(
            f"UPDATE {table} SET source = '' WHERE source LIKE ? AND json_extract(source, '$.kind') = ?"
            " AND json_extract(source, '$.id') = ?",
            (like, kind, id),
        )


def _erase_session(tx: Transaction, id: str) -> None:
    row = tx.execute("SELECT version FROM sessions WHERE id = ?", (id,)).fetchone()
    if row is None:
        return
    remove_messages(tx, id)
    tx.execute("DELETE FROM sessions WHERE id = ?", (id,))
    tx.changed("session", id, int(row[0]) + 1, Operation.DELETED)
    _unsource(tx, "session", id)


def _erase_message(tx: Transaction, id: str) -> None:
    _, session, _ = _message_place(tx.connection, id)
    if not session:
        return
    _embed_again(tx, str(session), id)
    remove_part(tx, Kind.MESSAGE, str(session), id)
    tx.execute("DELETE FROM messages WHERE id = ?", (id,))
    tx.changed("message", id, 2, Operation.DELETED)
    count_messages(tx, str(session))
    touch(tx, str(session), existing(tx.connection, str(session)).updated_at)


def _embed_again(tx: Transaction, session: str, message: str) -> None:
    """The vectors of the message behind it were made with its words as well."""
    rows = tx.execute(
        "SELECT q.id FROM passages p JOIN passages q ON q.kind = p.kind AND q.owner = p.owner"
        " AND q.ordinal = p.ordinal + 1 WHERE p.kind = 'message' AND p.owner = ? AND p.part = ? AND q.part <> p.part",
        (session, message),
    ).fetchall()
    for (id,) in rows:
        tx.execute("DELETE FROM passage_codes WHERE passage = ?", (id,))
        tx.execute("DELETE FROM passage_vectors WHERE passage = ?", (id,))
        tx.execute("INSERT OR IGNORE INTO passages_waiting VALUES (?)", (id,))
        tx.derived("passage")


def _erase_paper(tx: Transaction, id: str) -> Removed:
    row = tx.execute("SELECT digest, version, name FROM papers WHERE id = ?", (id,)).fetchone()
    if row is None:
        return []
    _unsay_problems(tx, lambda said: str(row[2]) in said)
    former = tx.execute("SELECT digest FROM former_bytes WHERE paper = ?", (id,)).fetchall()
    remove_passages(tx, Kind.PAPER, id)
    store_pages(tx, id, [])
    tx.execute("DELETE FROM watched_files WHERE paper = ?", (id,))
    tx.execute("DELETE FROM trash WHERE kind = ? AND id = ?", (Kind.PAPER.value, id))
    tx.execute("DELETE FROM papers WHERE id = ?", (id,))  # its places and former bytes go with it
    tx.changed("paper", id, int(row[1]) + 1, Operation.DELETED)
    _unsource(tx, "paper", id)
    return [digest for digest in (str(row[0]), *(str(each[0]) for each in former)) if _is_orphan(tx, digest)]


def unname(tx: Transaction, mention: Mention) -> None:
    """Take a name out of what belongs to no thing: ids of what is long gone, and what was said of watched folders."""
    for kind, id in tx.execute("SELECT DISTINCT kind, id FROM changes WHERE kind IN ('record', 'shared')").fetchall():
        if not str(id).startswith("erased:") and mention.within(str(id)):
            tx.execute("UPDATE changes SET id = 'erased:' || sequence WHERE kind = ? AND id = ?", (kind, id))
    files = tx.execute("SELECT folder, path, CAST(path AS TEXT), trouble FROM watched_files WHERE paper IS NULL")
    for folder, path, said, trouble in files.fetchall():
        if mention.within(said) or mention.within(trouble):
            tx.execute("DELETE FROM watched_files WHERE folder = ? AND path = ?", (folder, path))
    _unsay_problems(tx, mention.within)


def _unsay_problems(tx: Transaction, named: Callable[[str], bool]) -> None:
    """What the last look into watched folders met is said again by the next one, if it is still so."""
    for number, problems, trouble in tx.execute("SELECT number, problems, trouble FROM watched_folders").fetchall():
        kept = [problem for problem in json.loads(problems) if not named(json.dumps(problem, ensure_ascii=False))]
        tx.execute(
            "UPDATE watched_folders SET problems = ?, trouble = ? WHERE number = ?",
            (json.dumps(kept, ensure_ascii=False), "" if named(trouble) else trouble, number),
        )


def _is_orphan(tx: Transaction, digest: str) -> bool:
    """Whether nothing refers to these bytes any more; their row goes then."""
    users = "SELECT 1 FROM papers WHERE digest = ? UNION ALL SELECT 1 FROM former_bytes WHERE digest = ?"
    if tx.execute(users, (digest, digest)).fetchone() is not None:
        return False
    tx.execute("DELETE FROM artifacts WHERE digest = ?", (digest,))
    return True


def _erase_trashed(tx: Transaction, number: str) -> Removed:
    row = tx.execute("SELECT kind, row, id FROM trash WHERE number = ?", (number,)).fetchone()
    if row is None:
        return []
    kind, held, id = row
    if kind in (Doomed.RECORD, Doomed.SHARED, *MANIFESTS):
        erase_history(tx, kind, [held])
        if _row_of(tx.connection, Doomed(kind), id) is None:
            _unname(tx, kind, id)
    drop_from_trash(tx, int(number))
    return _erase_paper(tx, str(id)) if kind == Doomed.PAPER.value else []


def _erase_row(table: str, kind: str) -> Callable[[Transaction, str], None]:
    def erase(tx: Transaction, number: str) -> None:
        tx.execute(f"DELETE FROM {table} WHERE number = ?", (number,))
        tx.derived(kind)

    return erase


_REMOVE: dict[Doomed, Callable[[Transaction, str], Removed | None]] = {
    Doomed.RECORD: lambda tx, id: _erase_kept(tx, Doomed.RECORD, id),
    Doomed.SHARED: lambda tx, id: _erase_kept(tx, Doomed.SHARED, id),
    Doomed.SESSION: _erase_session,
    Doomed.MESSAGE: _erase_message,
    Doomed.PAPER: _erase_paper,
    Doomed.TRASHED: _erase_trashed,
    Doomed.VERSION: _erase_row("versions", "record"),
    Doomed.ACCESS: _erase_row("accesses", "record"),
    Doomed.AGENT: lambda tx, id: _erase_manifest(tx, Doomed.AGENT, id),
    Doomed.SKILL: lambda tx, id: _erase_manifest(tx, Doomed.SKILL, id),
    Doomed.BROKEN: _erase_row("broken_manifests", Doomed.BROKEN.value),
}
