"""Watched folders and their files as rows of the database."""

import json
import os

from core.adapters.sqlite.driver import Connection, Row
from core.domain.text import clean, one_line
from core.domain.watching import FolderState, Keep, KnownFile, Signature, WatchedFolder

MOST_TROUBLES = 50


def _count(condition: str) -> str:
    return f"(SELECT count(*) FROM watched_files f WHERE f.folder = watched_folders.number AND {condition})"


FOLDER_COLUMNS = (
    "number", "id", "path", "keep", "rules", "subfolders", "state", "created_at", "trouble", "problems", "skipped",
    "device", "looked_at", "removed_at", "version",
    _count("1"), _count("f.trouble <> ''"), _count("f.gone_at IS NOT NULL"),
    f"""
    (SELECT json_group_array(trouble) FROM (
        SELECT f.trouble FROM watched_files f
        WHERE f.folder = watched_folders.number AND f.trouble <> '' LIMIT {MOST_TROUBLES}
    ))
    """,
)  # fmt: skip
SELECT_FOLDER = f"SELECT {', '.join(FOLDER_COLUMNS)} FROM watched_folders"

SELECT_FILE = """
    SELECT f.path, f.size, f.modified, f.changed, f.inode, f.digest, f.paper, coalesce(p.linked, 0), f.trouble,
        f.gone_at
    FROM watched_files f LEFT JOIN papers p ON p.id = f.paper
"""


def folder_of(row: Row) -> WatchedFolder:
    """The folder in a row of FOLDER_COLUMNS."""
    number, id, path, keep, rules, subfolders, state, created_at, trouble, problems, *rest = row
    skipped, device, looked_at, removed_at, version, files, refused, gone, troubles = rest
    return WatchedFolder(
        id=id,
        number=number,
        path=decoded(path),
        keep=Keep(keep),
        rules=rules,
        subfolders=bool(subfolders),
        state=FolderState(state),
        created_at=created_at,
        trouble=trouble,
        problems=(*json.loads(problems), *json.loads(troubles)),
        skipped=skipped,
        device=device,
        looked_at=looked_at,
        files=files - refused - gone,
        refused=refused,
        gone=gone,
        removed_at=removed_at,
        version=version,
    )


def file_of(row: Row) -> KnownFile:
    """The file in a row of SELECT_FILE."""
    path, size, modified, changed, inode, digest, paper, linked, trouble, gone_at = row
    return KnownFile(
        path=decoded(path),
        signature=Signature(size, modified, changed, inode),
        digest=digest,
        paper=paper,
        linked=bool(linked),
        trouble=trouble,
        gone=gone_at is not None,
    )


def find_folder(connection: Connection, id: str) -> WatchedFolder | None:
    row = connection.execute(f"{SELECT_FOLDER} WHERE id = ?", (id,)).fetchone()
    return None if row is None else folder_of(row)


def encoded(path: str) -> bytes:
    return os.fsencode(path)


def decoded(path: bytes) -> str:
    return os.fsdecode(path)


def numbers_of(signature: Signature) -> tuple[int, int, int, int]:
    """The columns size, modified, changed, inode."""
    return (signature.size, signature.modified, signature.changed, signature.inode)


def shown(path: str) -> str:
    """A path as it can be written anywhere."""
    return clean(os.fsencode(path).decode("utf-8", "replace"))


def shown_name(path: str) -> str:
    return one_line(shown(path.rpartition("/")[2])) or "Without a name"
