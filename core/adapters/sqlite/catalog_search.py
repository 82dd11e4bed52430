"""Searching the catalog: filters, order by title, and ranking by words."""

from core.adapters.sqlite.catalog_rows import SELECT, entry_of, table
from core.adapters.sqlite.driver import Connection
from core.domain.catalog import WEIGHTS, CatalogQuery, CategoryTree, Entry, askable, same_domain, tree_of
from core.domain.manifests import ManifestKind

_WEIGHTS = ", ".join(str(WEIGHTS[part]) for part in ("title", "tags", "description", "body"))


def search(connection: Connection, kind: ManifestKind, query: CatalogQuery) -> list[Entry]:
    """What a query finds, in order."""
    where, params = _conditions(kind, query)
    if query.text and query.words:
        return _by_words(connection, kind, query, where, params)
    sql = f"SELECT a.number FROM {table(kind)} a WHERE {where} ORDER BY a.title_folded, a.id LIMIT ? OFFSET ?"
    return _entries(connection, kind, sql, "a.title_folded, a.id", (*params, query.limit, query.offset))


def _by_words(
    connection: Connection, kind: ManifestKind, query: CatalogQuery, where: str, params: tuple[object, ...]
) -> list[Entry]:
    """Those that hold all words; where none does, those that hold any."""
    name = table(kind)
    source = f"{name}_fts f JOIN {name} a ON a.number = f.rowid WHERE {name}_fts MATCH ? AND {where}"
    match = _match(query, " AND ")
    if len(query.words) > 1:
        some = connection.execute(f"SELECT 1 FROM {source} LIMIT 1", (match, *params)).fetchone()
        match = match if some is not None else _match(query, " OR ")
    sql = (
        f"SELECT a.number, bm25({name}_fts, {_WEIGHTS}) AS score FROM {source}"
        " ORDER BY score, a.title_folded, a.id LIMIT ? OFFSET ?"
    )
    order = "found.score, a.title_folded, a.id"
    return _entries(connection, kind, sql, order, (match, *params, query.limit, query.offset))


def _entries(
    connection: Connection, kind: ManifestKind, found: str, order: str, params: tuple[object, ...]
) -> list[Entry]:
    sql = f"{SELECT} FROM ({found}) found CROSS JOIN {table(kind)} a ON a.number = found.number ORDER BY {order}"
    return [entry_of(kind, row) for row in connection.execute(sql, params).fetchall()]


def _match(query: CatalogQuery, between: str) -> str:
    """The words as an FTS5 expression. Each is a quoted string: nothing that is typed is syntax."""
    quoted = ['"' + word.replace('"', '""') + '"' for word in query.words]
    if len(query.words[-1]) > 1 and not query.text[-1].isspace():
        quoted[-1] = f"({quoted[-1]} OR {quoted[-1]} *)"
    return between.join(quoted)


def _conditions(kind: ManifestKind, query: CatalogQuery) -> tuple[str, tuple[object, ...]]:
    conditions, params = ["1" if query.include_hidden else "a.hidden = 0"], list[object]()

    def among(column: str, values: tuple[str, ...]) -> None:
        conditions.append(f"{column} IN ({', '.join('?' * len(values))})")
        params.extend(values)

    if query.domain is not None:
        among("a.domain_folded", (same_domain(query.domain),))
    if query.category is not None:
        # "/" follows "." in the order of bytes: what lies between is below the category.
        conditions.append("(a.category = ? OR (a.category >= ? AND a.category < ?))")
        category = askable(query.category)
        params.extend((category, f"{category}.", f"{category}/"))
    narrowing = query.narrowing
    if narrowing.risk_classes:
        among("a.risk_class", tuple(each.value for each in narrowing.risk_classes))
    if narrowing.maturities:
        among("a.maturity", tuple(each.value for each in narrowing.maturities))
    for mark, words in (("tag", query.tags), ("tool", narrowing.tools)):
        if words:
            wanted = tuple(dict.fromkeys(same_domain(word) for word in words))
            conditions.append(
                f"a.number IN (SELECT number FROM {kind.value}_marks WHERE mark = ? AND word IN"
                f" ({', '.join('?' * len(wanted))}))"
            )
            params.extend((mark, *wanted))
    return " AND ".join(conditions), tuple(params)


def tree(connection: Connection) -> CategoryTree:
    counts: list[tuple[ManifestKind, str, str, int]] = []
    for kind in ManifestKind:
        rows = connection.execute(
            f"SELECT domain_folded, category, count(*) FROM {table(kind)} WHERE hidden = 0 GROUP BY 1, 2"
        )
        counts += [(kind, domain, category, count) for domain, category, count in rows.fetchall()]
    return tree_of(counts)


def last_change(connection: Connection) -> int:
    """Where the stream of changes ends."""
    row = connection.execute("SELECT max(sequence) FROM changes").fetchone()
    return int(row[0] or 0) if row else 0


def changed_since(connection: Connection, sequence: int) -> bool:
    """Whether an agent or a skill was changed after this change: each is noted with its own, in its transaction."""
    sql = "SELECT 1 FROM changes WHERE sequence > ? AND kind IN ('agent', 'skill') LIMIT 1"
    return connection.execute(sql, (sequence,)).fetchone() is not None
