"""What files in watched folders do to papers, in one transaction."""

from collections.abc import Mapping
from pathlib import Path

from core.adapters.sqlite.engine import Transaction
from core.adapters.sqlite.paper_rows import find_paper, touch
from core.adapters.sqlite.taking_in import again, follow, is_there, new_paper, with_bytes
from core.adapters.sqlite.watched_rows import decoded, encoded, numbers_of, shown, shown_name
from core.domain.papers import Artifact, Paper, PaperState
from core.domain.watching import Settled, TakenFile, WatchedFolder


class Settling:
    """Takes a batch of files of `folder` in, or notes that they are gone; `done` tells what that did."""

    def __init__(self, tx: Transaction, folder: WatchedFolder) -> None:
        self._tx = tx
        self._folder = folder
        self._to_read: dict[str, None] = {}
        self._renamed: dict[str, str] = {}
        self._lost = 0

    def done(self) -> Settled:
        return Settled(tuple(self._to_read), tuple(self._renamed.items()), self._lost)

    def take(self, file: TakenFile, lengths: Mapping[str, int]) -> None:
        before, digest = self._known_at(file.path)
        erased = before is not None and digest == file.digest and find_paper(self._tx.connection, before) is None
        if file.digest is None or erased:
            self._write(file, before)
            return
        artifact = Artifact(file.digest, lengths[file.digest], self._tx.now)
        paper = self._paper_of(file, artifact, before)
        self._write(file, paper.id)
        if paper.removed_at is None:
            paper = is_there(self._tx, paper, file.linked)
            self._forget_gone(paper)
            if paper.state is PaperState.WAITING:
                self._to_read[paper.id] = None
        if before is not None and before != paper.id:
            self._check_gone(before)

    def lose(self, path: str) -> None:
        key = (self._folder.number, encoded(path))
        row = self._tx.execute(
            "SELECT paper FROM watched_files WHERE folder = ? AND path = ? AND gone_at IS NULL", key
        ).fetchone()
        if row is None:
            return
        self._lost += 1
        paper = row[0]
        if paper is None or self._live(paper) > 1:
            self._tx.execute("DELETE FROM watched_files WHERE folder = ? AND path = ?", key)
            if paper is not None:
                self._rename(paper, path)
            return
        self._tx.execute(
            "UPDATE watched_files SET gone_at = ?, trouble = '' WHERE folder = ? AND path = ?", (self._tx.now, *key)
        )
        self._check_gone(paper)

    def _known_at(self, path: str) -> tuple[str | None, str | None]:
        """The paper of a file and the digest of its bytes, as they are known."""
        row = self._tx.execute(
            "SELECT paper, digest FROM watched_files WHERE folder = ? AND path = ?",
            (self._folder.number, encoded(path)),
        ).fetchone()
        return (None, None) if row is None else (row[0], row[1])

    def _paper_of(self, file: TakenFile, artifact: Artifact, before: str | None) -> Paper:
        name, origin = shown_name(file.path), shown(str(Path(self._folder.path, file.path)))
        known = with_bytes(self._tx, artifact.digest)
        if known is None:
            former = find_paper(self._tx.connection, before) if before is not None else None
            if former is not None and former.removed_at is None and self._only_here(former, file.path, origin):
                return follow(self._tx, former, artifact, file.linked)
            return new_paper(self._tx, artifact, name, origin, file.linked)
        if known.removed_at is not None and not self._is_watched(known):
            return again(self._tx, known, name, origin)
        return known

    def _only_here(self, paper: Paper, path: str, origin: str) -> bool:
        """No other file has these bytes, and nobody brought them from anywhere else."""
        elsewhere = self._tx.execute(
            "SELECT 1 FROM watched_files WHERE paper = ? AND gone_at IS NULL AND NOT (folder = ? AND path = ?)"
            " UNION ALL SELECT 1 FROM paper_places WHERE paper = ? AND place <> ?",
            (paper.id, self._folder.number, encoded(path), paper.id, origin),
        ).fetchone()
        return elsewhere is None

    def _is_watched(self, paper: Paper) -> bool:
        """A person removed the paper of a file that is known here: it stays removed, wherever the file goes."""
        return self._tx.execute("SELECT 1 FROM watched_files WHERE paper = ?", (paper.id,)).fetchone() is not None

    def _write(self, file: TakenFile, paper: str | None) -> None:
        self._tx.execute(
            "INSERT INTO watched_files (folder, path, size, modified, changed, inode, digest, paper, trouble)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (folder, path) DO UPDATE SET size = excluded.size,"
            " modified = excluded.modified, changed = excluded.changed, inode = excluded.inode,"
            " digest = excluded.digest, paper = excluded.paper, trouble = excluded.trouble, gone_at = NULL",
            (
                self._folder.number,
                encoded(file.path),
                *numbers_of(file.signature),
                file.digest,
                paper,
                file.trouble,
            ),
        )

    def _live(self, paper: str) -> int:
        sql = "SELECT count(*) FROM watched_files WHERE paper = ? AND gone_at IS NULL"
        row = self._tx.execute(sql, (paper,)).fetchone()
        return int(row[0]) if row else 0

    def _forget_gone(self, paper: Paper) -> None:
        """The paper has a file: where it lay before was left, as by a move."""
        left = self._tx.execute(
            "SELECT folder, path FROM watched_files WHERE paper = ? AND gone_at IS NOT NULL", (paper.id,)
        ).fetchall()
        for folder, path in left:
            self._tx.execute("DELETE FROM watched_files WHERE folder = ? AND path = ?", (folder, path))
            self._rename(paper.id, decoded(path))

    def _rename(self, paper: str, left: str) -> None:
        """A paper that went by the name of a file goes by that of the file that there is now."""
        known = find_paper(self._tx.connection, paper)
        if known is None or known.removed_at is not None or known.name != shown_name(left):
            return
        rows = self._tx.execute(
            "SELECT path FROM watched_files WHERE paper = ? AND gone_at IS NULL ORDER BY folder, path", (paper,)
        ).fetchall()
        names = [shown_name(decoded(row[0])) for row in rows]
        if names and known.name not in names:
            self._renamed[paper] = names[0]

    def _check_gone(self, paper: str) -> None:
        """After a file of it went."""
        known = find_paper(self._tx.connection, paper)
        if known is None or known.removed_at is not None or self._live(paper) > 0:
            return
        if known.linked:
            self._tx.execute("UPDATE papers SET gone_at = ? WHERE id = ?", (self._tx.now, paper))
        touch(self._tx, paper)
