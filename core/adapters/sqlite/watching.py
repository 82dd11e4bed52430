"""Watched folders, their files, and what these do to papers (WatchedFoldersPort over SQLite)."""

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.settling import Settling
from core.adapters.sqlite.watched_rows import (
    SELECT_FILE,
    SELECT_FOLDER,
    decoded,
    encoded,
    file_of,
    find_folder,
    folder_of,
    shown,
)
from core.domain.changes import Operation
from core.domain.folding import fold
from core.domain.watching import (
    FolderState,
    Keep,
    KnownFile,
    LookReport,
    Place,
    Settled,
    Signature,
    TakenFile,
    WatchedFolder,
)
from core.errors import NotFound, UserError


class SqliteWatching:
    """The watched folders of one workspace. `actor` is who the changes of folders are written down for; what becomes
    of papers is the system's doing."""

    def __init__(self, database: Database, actor: str = "person") -> None:
        self._database = database
        self._actor = actor

    async def add(self, path: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        def operation(tx: Transaction) -> WatchedFolder:
            row = tx.execute("SELECT id, removed_at FROM watched_folders WHERE path = ?", (encoded(path),)).fetchone()
            if row is not None and row[1] is None:
                raise UserError(f"“{shown(path)}” is watched already.")
            if row is not None:
                _describe(tx, row[0], keep, rules, subfolders)
                return _back(tx, row[0])
            id = uuid.uuid4().hex
            tx.execute(
                "INSERT INTO watched_folders (id, path, path_folded, keep, rules, subfolders, state, created_at,"
                " version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)",
                (id, encoded(path), fold(shown(path)), keep, rules, subfolders, FolderState.CATCHING_UP, tx.now),
            )
            tx.changed("folder", id, 1, Operation.CREATED)
            return _existing(tx, id)

        return await self._database.write(operation, self._actor)

    async def get(self, id: str) -> WatchedFolder | None:
        return await self._database.read(lambda connection: find_folder(connection, id))

    async def list(self) -> Sequence[WatchedFolder]:
        sql = f"{SELECT_FOLDER} WHERE removed_at IS NULL ORDER BY number"
        return await self._database.read(lambda c: [folder_of(row) for row in c.execute(sql).fetchall()])

    async def change(self, id: str, keep: Keep, rules: str, subfolders: bool) -> WatchedFolder:
        def operation(tx: Transaction) -> WatchedFolder:
            _existing(tx, id)
            _describe(tx, id, keep, rules, subfolders)
            return _touch(tx, id, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def remove(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        def operation(tx: Transaction) -> Sequence[WatchedFolder]:
            here = [
                id for id in dict.fromkeys(ids) if (known := find_folder(tx.connection, id)) and not known.removed_at
            ]
            for id in here:
                tx.execute("UPDATE watched_folders SET removed_at = ? WHERE id = ?", (tx.now, id))
            return [_touch(tx, id, Operation.DELETED) for id in here]

        return await self._database.write(operation, self._actor)

    async def restore(self, ids: Sequence[str]) -> Sequence[WatchedFolder]:
        def operation(tx: Transaction) -> Sequence[WatchedFolder]:
            gone = [id for id in dict.fromkeys(ids) if (known := find_folder(tx.connection, id)) and known.removed_at]
            return [_back(tx, id) for id in gone]

        return await self._database.write(operation, self._actor)

    async def note(self, id: str, state: FolderState, trouble: str = "", look: LookReport | None = None) -> None:
        def operation(tx: Transaction) -> None:
            tx.execute("UPDATE watched_folders SET state = ?, trouble = ? WHERE id = ?", (state, trouble, id))
            if look is not None:
                tx.execute(
                    "UPDATE watched_folders SET problems = ?, skipped = ?, device = ?, looked_at = ? WHERE id = ?",
                    (json.dumps(look.problems), look.skipped, look.device, tx.now, id),
                )
            tx.derived("folder", (id,))

        await self._database.write(operation, "system")

    async def known(self, id: str, paths: Sequence[str]) -> Mapping[str, KnownFile]:
        sql = (
            f"{SELECT_FILE} WHERE f.folder = (SELECT number FROM watched_folders WHERE id = ?)"
            f" AND f.path IN ({', '.join('?' * len(paths))})"
        )
        return await self._files(sql, (id, *map(encoded, paths)))

    async def known_below(self, id: str, below: str, after: str, limit: int) -> Mapping[str, KnownFile]:
        conditions = ["f.folder = (SELECT number FROM watched_folders WHERE id = ?)", "f.path > ?"]
        params: list[object] = [id, encoded(after)]
        if below:
            conditions.append("(f.path = ? OR f.path >= ? AND f.path < ?)")
            params += [encoded(below), encoded(f"{below}/"), encoded(f"{below}0")]  # "0" comes right after "/"
        sql = f"{SELECT_FILE} WHERE {' AND '.join(conditions)} ORDER BY f.path LIMIT ?"
        return await self._files(sql, (*params, limit))

    async def _files(self, sql: str, params: tuple[object, ...]) -> Mapping[str, KnownFile]:
        def operation(connection: Connection) -> Mapping[str, KnownFile]:
            return {file.path: file for file in map(file_of, connection.execute(sql, params).fetchall())}

        return await self._database.read(operation)

    async def settle(self, id: str, files: Sequence[TakenFile], lengths: Mapping[str, int]) -> Settled:
        def operation(tx: Transaction) -> Settled:
            settling = Settling(tx, _existing(tx, id))
            for file in files:
                settling.take(file, lengths)
            tx.derived("folder", (id,))
            return settling.done()

        return await self._database.write(operation, "system")

    async def lose(self, id: str, paths: Sequence[str]) -> Settled:
        def operation(tx: Transaction) -> Settled:
            settling = Settling(tx, _existing(tx, id))
            for path in paths:
                settling.lose(path)
            tx.derived("folder", (id,))
            return settling.done()

        return await self._database.write(operation, "system")

    async def in_store(self, digest: str) -> bool:
        sql = "SELECT 1 FROM papers WHERE digest = ? AND linked = 0"
        return await self._database.read(lambda c: c.execute(sql, (digest,)).fetchone()) is not None

    async def linked_at(self, digest: str) -> Sequence[tuple[Path, Signature]]:
        sql = (
            "SELECT d.path, f.path, f.size, f.modified, f.changed, f.inode FROM watched_files f"
            " JOIN watched_folders d ON d.number = f.folder WHERE f.digest = ? ORDER BY f.gone_at IS NOT NULL"
        )

        def operation(connection: Connection) -> Sequence[tuple[Path, Signature]]:
            rows = connection.execute(sql, (digest,)).fetchall()
            return [(Path(decoded(folder), decoded(path)), Signature(*numbers)) for folder, path, *numbers in rows]

        return await self._database.read(operation)

    async def places(self, paper: str) -> Sequence[Place]:
        sql = (
            "SELECT d.path, f.path, f.gone_at, d.removed_at FROM watched_files f JOIN watched_folders d"
            " ON d.number = f.folder WHERE f.paper = ? ORDER BY d.number, f.path"
        )

        def operation(connection: Connection) -> Sequence[Place]:
            watched = {
                shown(str(Path(decoded(folder), decoded(path)))): (gone_at is not None, removed_at is None)
                for folder, path, gone_at, removed_at in connection.execute(sql, (paper,)).fetchall()
            }
            taken = connection.execute("SELECT place FROM paper_places WHERE paper = ? ORDER BY taken_at", (paper,))
            others = [Place(str(row[0])) for row in taken.fetchall() if row[0] not in watched]
            return [Place(path, looked, gone) for path, (gone, looked) in watched.items()] + others

        return await self._database.read(operation)


def _existing(tx: Transaction, id: str) -> WatchedFolder:
    folder = find_folder(tx.connection, id)
    if folder is None:
        raise NotFound("This folder is not watched any more.")
    return folder


def _describe(tx: Transaction, id: str, keep: Keep, rules: str, subfolders: bool) -> None:
    tx.execute(
        "UPDATE watched_folders SET keep = ?, rules = ?, subfolders = ? WHERE id = ?", (keep, rules, subfolders, id)
    )


def _back(tx: Transaction, id: str) -> WatchedFolder:
    tx.execute(
        "UPDATE watched_folders SET removed_at = NULL, state = ?, trouble = '' WHERE id = ?",
        (FolderState.CATCHING_UP, id),
    )
    return _touch(tx, id, Operation.CREATED)


def _touch(tx: Transaction, id: str, operation: Operation) -> WatchedFolder:
    tx.execute("UPDATE watched_folders SET version = version + 1 WHERE id = ?", (id,))
    folder = _existing(tx, id)
    tx.changed("folder", id, folder.version, operation)
    return folder
