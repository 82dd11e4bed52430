"""Which rows hold a name: every kept text of a workspace is looked through, what search doesn't index as well."""

import json
from collections.abc import Callable, Iterable, Iterator

from core.adapters.sqlite.driver import Connection
from core.domain.erasure import Doomed, Thing
from core.domain.memory import record_id, split_record_id
from core.domain.mentions import Mention
from core.domain.text import one_line

UNTITLED = "Without a title"
TITLE = 120  # characters of a text that stands for its title


def mentioning(connection: Connection, mention: Mention) -> Iterator[Thing]:
    """Whole things first: what belongs to one of them (a message, a version) isn't named again."""
    gone: set[tuple[Doomed, str]] = set()
    catalog = (_manifests(Doomed.AGENT), _manifests(Doomed.SKILL), _broken)
    whole = (_records, _shared, _sessions, _papers, _removed_papers, *catalog)
    for find in (*whole, _trash, _messages, _versions, _uses):
        for thing, owner in find(connection, mention):
            if (thing.kind, thing.id) not in gone and owner not in gone:
                gone.add((thing.kind, thing.id))
                yield thing


_Owner = tuple[Doomed, str]
_Found = Iterator[tuple[Thing, _Owner | None]]


def _place(mention: Mention, texts: dict[str, str], values: dict[str, str]) -> str:
    """Where the name stands: the first of the names of texts and JSON texts that hold it; "" where none does."""
    for name, text in texts.items():
        if mention.within(text):
            return name
    for name, value in values.items():
        if value and mention.may_be_in(value) and mention.within_json(json.loads(value)):
            return name
    return ""


def _records(connection: Connection, mention: Mention) -> _Found:
    rows = connection.execute("SELECT number, namespace, key, value, metadata, source FROM records")
    for _, namespace, key, value, metadata, source in rows:
        texts, values = {"key": key, "namespace": namespace}, {"details": metadata, "value": value, "source": source}
        if why := _place(mention, texts, values):
            title = json.loads(metadata).get("title")
            said = title if isinstance(title, str) and title.strip() else key
            yield Thing(Doomed.RECORD, record_id(namespace, key), one_line(said), why), None


def _shared(connection: Connection, mention: Mention) -> _Found:
    for key, value, metadata in connection.execute("SELECT key, value, metadata FROM shared"):
        if why := _place(mention, {"key": key}, {"value": value, "details": metadata}):
            yield Thing(Doomed.SHARED, key, key, why), None


def _sessions(connection: Connection, mention: Mention) -> _Found:
    for id, title, origin in connection.execute("SELECT id, title, origin FROM sessions"):
        if why := _place(mention, {"title": title, "origin": origin, "id": id}, {}):
            yield Thing(Doomed.SESSION, id, title or UNTITLED, why), None


def _messages(connection: Connection, mention: Mention) -> _Found:
    rows = connection.execute(
        "SELECT m.id, m.content, m.metadata, s.id FROM messages m JOIN sessions s ON s.number = m.session"
    )
    for id, content, metadata, session in rows:
        if why := _place(mention, {"text": content, "id": id}, {"details": metadata}):
            yield Thing(Doomed.MESSAGE, id, _short(content), why), (Doomed.SESSION, session)


def _papers(connection: Connection, mention: Mention) -> _Found:
    rows = connection.execute("SELECT id, name, origin, title, author, reason, notes FROM papers")
    for id, name, origin, title, author, reason, notes in rows:
        texts = {"name": name, "title": title, "author": author, "origin": origin, "note": reason}
        if why := _place(mention, texts, {"note": notes}):
            yield Thing(Doomed.PAPER, id, name, why), None
    places = connection.execute(
        "SELECT q.id, q.name, l.place FROM paper_places l JOIN papers q ON q.id = l.paper UNION ALL"
        " SELECT q.id, q.name, CAST(f.path AS TEXT) FROM watched_files f JOIN papers q ON q.id = f.paper"
    )
    for id, name, place in places:
        if mention.within(place):
            yield Thing(Doomed.PAPER, id, name, "origin"), None
    pieces = connection.execute(
        "SELECT DISTINCT p.owner, q.name, t.text, t.heading FROM passages p JOIN passage_texts t ON t.id = p.id"
        " JOIN papers q ON q.id = p.owner WHERE p.kind = 'paper'"
    )
    for id, name, text, heading in pieces:
        if mention.within(text) or (heading and mention.within(heading)):
            yield Thing(Doomed.PAPER, id, name, "text"), None


def _manifests(kind: Doomed) -> Callable[[Connection, Mention], _Found]:
    def find(connection: Connection, mention: Mention) -> _Found:
        for id, title, place, origin, value, files in connection.execute(
            f"SELECT id, title, place, origin, value, files FROM {kind}s"
        ):
            texts = {"title": title, "id": id, "origin": f"{origin}\n{place}"}
            if why := _place(mention, texts, {"text": value, "origin": files}):
                yield Thing(kind, id, one_line(title) or id, why), None

    return find


def _broken(connection: Connection, mention: Mention) -> _Found:
    for number, place, origin, problems in connection.execute(
        "SELECT number, place, origin, problems FROM broken_manifests"
    ):
        if why := _place(mention, {"origin": f"{origin}\n{place}"}, {"note": problems}):
            yield Thing(Doomed.BROKEN, str(number), one_line(place), why), None


def _removed_papers(connection: Connection, mention: Mention) -> _Found:
    """Nobody can look into these any more, so they go."""
    for id, name in connection.execute("SELECT id, name FROM papers WHERE removed_at IS NOT NULL"):
        yield Thing(Doomed.PAPER, id, name, "removed"), None


def _trash(connection: Connection, mention: Mention) -> _Found:
    for number, id, title, preview, content in connection.execute(
        "SELECT number, id, title, preview, content FROM trash"
    ):
        if why := _place(mention, {"title": title, "id": id, "text": preview}, {"content": _whole(content)}):
            yield Thing(Doomed.TRASHED, str(number), title or UNTITLED, why), None
    rows = connection.execute(
        "SELECT t.number, t.title, v.value, v.metadata, v.source FROM versions v"
        " JOIN trash t ON t.kind = v.kind AND t.row = v.row"
    )
    for number, title, value, metadata, source in rows:
        if _place(mention, {}, {"value": value, "details": metadata, "source": source}):
            yield Thing(Doomed.TRASHED, str(number), title or UNTITLED, "earlier version"), None


def _whole(content: str) -> str:
    """A row in the trash holds JSON as text within its JSON; it is taken apart, so that escapes divide no words."""
    held: dict[str, object] = json.loads(content)
    for name in ("value", "metadata", "source", "files"):
        inner = held.get(name)
        if isinstance(inner, str) and inner:
            held[name] = json.loads(inner)
    return json.dumps(held, ensure_ascii=False)


def _versions(connection: Connection, mention: Mention) -> _Found:
    owners: dict[tuple[str, int], tuple[_Owner, str]] = {}
    rows = connection.execute("SELECT number, kind, row, version, value, metadata, source FROM versions")
    for number, kind, row, version, value, metadata, source in rows:
        why = _place(mention, {}, {"value": value, "details": metadata, "source": source})
        if why and (owner := owners.setdefault((kind, row), _owner(connection, kind, row)))[1]:
            yield Thing(Doomed.VERSION, str(number), f"Version {version} of {owner[1]}", why), owner[0]


def _owner(connection: Connection, kind: str, row: int) -> tuple[_Owner, str]:
    """Whose version it is, with its title; "" where it lies in the trash, with which it goes."""
    if kind == "shared":
        found = connection.execute("SELECT key FROM shared WHERE number = ?", (row,)).fetchone()
        return ((Doomed.SHARED, found[0]), f"“{found[0]}”") if found else ((Doomed.SHARED, ""), "")
    if kind in (Doomed.AGENT, Doomed.SKILL):
        found = connection.execute(f"SELECT id, title FROM {kind}s WHERE number = ?", (row,)).fetchone()
        return ((Doomed(kind), found[0]), f"“{found[1]}”") if found else ((Doomed(kind), ""), "")
    found = connection.execute("SELECT namespace, key FROM records WHERE number = ?", (row,)).fetchone()
    return ((Doomed.RECORD, record_id(*found)), f"“{found[1]}”") if found else ((Doomed.RECORD, ""), "")


def _uses(connection: Connection, mention: Mention) -> _Found:
    rows = connection.execute(
        "SELECT a.number, a.question, r.namespace, r.key FROM accesses a LEFT JOIN records r ON r.number = a.record"
        " WHERE a.question <> ''"
    )
    for number, question, namespace, key in rows:
        if mention.within(question):
            owner = (Doomed.RECORD, record_id(namespace, key)) if key is not None else None
            yield Thing(Doomed.ACCESS, str(number), _short(question), "question"), owner


def _short(text: str) -> str:
    return one_line(text[: 4 * TITLE])[:TITLE] or UNTITLED


def watched(connection: Connection, papers: Iterable[str]) -> tuple[str, ...]:
    """Files of these papers that lie in watched folders, from where they would come in again."""
    sql = (
        "SELECT CAST(f.path AS TEXT) FROM watched_files f JOIN watched_folders w ON w.number = f.folder"
        " WHERE f.paper = ? AND f.gone_at IS NULL AND w.removed_at IS NULL"
    )
    return tuple(str(row[0]) for paper in papers for row in connection.execute(sql, (paper,)).fetchall())


def picked(connection: Connection, kind: Doomed, id: str) -> Iterator[Thing]:
    """The thing with this id, and what lies of it in the trash."""
    titled = _TITLED[kind](connection, id)
    if titled is not None:
        yield Thing(kind, id, titled or UNTITLED)
    for number, title in connection.execute(
        "SELECT number, title FROM trash WHERE kind = ? AND id = ? ORDER BY number", (kind.value, id)
    ).fetchall():
        yield Thing(Doomed.TRASHED, str(number), title or UNTITLED)


def _record_title(connection: Connection, id: str) -> str | None:
    try:
        names = split_record_id(id)
    except ValueError:
        return None
    row = connection.execute(
        "SELECT coalesce(json_extract(metadata, '$.title'), key) FROM records WHERE namespace = ? AND key = ?", names
    ).fetchone()
    return None if row is None else one_line(str(row[0]))


def _one(sql: str) -> Callable[[Connection, str], str | None]:
    def find(connection: Connection, id: str) -> str | None:
        row = connection.execute(sql, (id,)).fetchone()
        return None if row is None else one_line(str(row[0]))

    return find


_TITLED: dict[Doomed, Callable[[Connection, str], str | None]] = {
    Doomed.RECORD: _record_title,
    Doomed.SESSION: _one("SELECT title FROM sessions WHERE id = ?"),
    Doomed.SHARED: _one("SELECT key FROM shared WHERE key = ?"),
    Doomed.PAPER: _one("SELECT name FROM papers WHERE id = ?"),
}
