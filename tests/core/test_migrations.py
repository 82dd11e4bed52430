"""Bringing a database up to date: whole or not at all, with a copy first, and never backwards.

tests/data/formats holds a file of every earlier format, as that program wrote it; it is never made anew.
"""

import gzip
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.adapters.sqlite import driver, lists, migrations
from core.adapters.sqlite.changes import SqliteChanges
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.keepers import keepers
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.schema import STEPS, Step
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.trash import SqliteTrash
from core.domain.tiers import Tier
from core.errors import EnvironmentFault, WorkspaceUnreadable
from core.ports.rows import ListQuery
from tests.fakes.cutting import OnePassage

FORMATS = Path(__file__).resolve().parents[1] / "data" / "formats"
KEY = bytes(range(32))
LATEST = STEPS[-1].number


def stored(number: int, folder: Path, key: bytes | None = None) -> Path:
    """The stored file of a format, sealed with `key` if there is one."""
    plain = folder / "plain.db"
    plain.write_bytes(gzip.decompress((FORMATS / f"format-{number}.db.gz").read_bytes()))
    path = folder / "north" / "workspace.db"
    path.parent.mkdir()
    if key is None:
        return plain.rename(path)
    connection, _ = driver.connect(plain, None)
    connection.execute(f"ATTACH DATABASE '{path}' AS sealed KEY \"x'{key.hex()}'\"")
    connection.execute("SELECT sqlcipher_export('sealed')")
    connection.execute(f"PRAGMA sealed.user_version = {number}")
    connection.execute("DETACH DATABASE sealed")
    connection.close()
    plain.unlink()
    return path


async def opened(path: Path, key: bytes | None = None, steps: Sequence[Step] = STEPS) -> Database:
    return await Database.open(
        path, key=key, clock=time.time, publish=lambda events: None, prepare=lambda c: migrations.prepare(c, steps)
    )


def one(path: Path, sql: str, key: bytes | None = None) -> object:
    connection, _ = driver.connect(path, key)
    row = connection.execute(sql).fetchone()
    connection.close()
    assert row is not None
    return row[0]


def names(path: Path) -> set[str]:
    return {file.name for file in path.parent.iterdir()}


def test_there_is_a_stored_file_of_every_earlier_format() -> None:
    assert [step.number for step in STEPS] == list(range(1, LATEST + 1))
    assert {path.name for path in FORMATS.iterdir()} >= {f"format-{number}.db.gz" for number in range(1, LATEST)}


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "sealed"])
@pytest.mark.parametrize("number", range(1, LATEST))
async def test_a_file_of_an_earlier_format_opens_with_all_that_it_holds(
    tmp_path: Path, number: int, key: bytes | None
) -> None:
    path = stored(number, tmp_path, key)
    database = await opened(path, key)
    record = await SqliteMemory(database, OnePassage()).get("recall")
    assert record is not None
    assert (record.value, record.tier, record.version) == ({"months": 6}, Tier.SEMANTIC, 3)
    assert (record.salience, record.access_count, record.title) == (1.5, 2, "Recall interval")
    (message,) = await SqliteConversations(database, OnePassage()).messages("s1")
    assert message.content == "hello"
    entry = await SqliteShared(database, OnePassage()).get("hours")
    assert entry is not None
    assert entry.value == "8 to 5"
    paper = await SqlitePapers(database).claim()
    assert paper is not None
    assert paper.name == "a.pdf"
    assert len(await lists.record_rows(database).snapshot(ListQuery(text="RECALL"))) == 1
    assert [change.kind for change in await SqliteChanges(database).after(0)] == ["record", "paper"]
    await database.close()
    assert one(path, "PRAGMA user_version", key) == LATEST
    copy = path.with_name(f"workspace.before-format-{number + 1}.db")
    assert names(path) == {"workspace.db", copy.name}
    assert one(copy, "PRAGMA user_version", key) == number
    assert one(copy, "SELECT count(*) FROM records", key) == 1
    assert (b"Recall interval" in copy.read_bytes()) == (key is None)
    assert copy.stat().st_mode & 0o777 == 0o600


async def test_a_new_database_needs_no_copy_and_an_up_to_date_one_no_step(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    for _ in range(2):
        await (await opened(path)).close()
        assert names(path) == {"workspace.db"}
    assert one(path, "PRAGMA user_version") == LATEST
    assert one(path, "PRAGMA application_id") == migrations.APPLICATION


async def test_a_newer_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "north" / "workspace.db"
    path.parent.mkdir()
    await (await opened(path)).close()
    connection, _ = driver.connect(path, None)
    connection.execute(f"PRAGMA user_version = {LATEST + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceUnreadable, match=rf"“north”.*newer Muniment \(format {LATEST + 1}.*Update Muniment"):
        await opened(path)
    assert path.read_bytes() == before


async def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "workspace.db"
    connection, _ = driver.connect(path, None)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(WorkspaceUnreadable, match="another program"):
        await opened(path)
    assert one(path, "SELECT count(*) FROM sqlite_master") == 1


def good(connection: Connection) -> None:
    connection.execute("CREATE TABLE good (x)")
    connection.execute("INSERT INTO good VALUES (1)")


def bad(connection: Connection) -> None:
    connection.execute("CREATE TABLE half (x)")
    connection.execute("DELETE FROM records")
    connection.execute("INSERT INTO nowhere VALUES (1)")


async def test_a_step_that_fails_leaves_the_format_before_it(tmp_path: Path) -> None:
    path = stored(1, tmp_path)
    steps = (*STEPS, Step(LATEST + 1, "good", good), Step(LATEST + 2, "bad", bad))
    for _ in range(2):
        with pytest.raises(WorkspaceUnreadable, match=rf"could not be brought up to date.*step {LATEST + 2}, bad"):
            await opened(path, steps=steps)
        assert one(path, "PRAGMA user_version") == LATEST + 1
        assert one(path, "SELECT count(*) FROM good") == 1
        assert one(path, "SELECT count(*) FROM records") == 1
        assert one(path, "SELECT count(*) FROM sqlite_master WHERE name = 'half'") == 0
    assert names(path) == {
        "workspace.db",
        "workspace.before-format-2.db",
        f"workspace.before-format-{LATEST + 2}.db",
    }
    repaired = (*steps[:-1], Step(LATEST + 2, "bad", lambda connection: None))
    await (await opened(path, steps=repaired)).close()
    assert one(path, "PRAGMA user_version") == LATEST + 2
    assert f"workspace.before-format-{LATEST + 2}-2.db" in names(path)  # work may have been done since the first copy


async def test_without_room_for_the_copy_nothing_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored(1, tmp_path)
    before = path.read_bytes()

    def full(connection: Connection, number: int) -> Path:
        raise driver.OperationalError("database or disk is full")

    monkeypatch.setattr(migrations, "copy_before", full)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await opened(path)
    assert one(path, "PRAGMA user_version") == 1
    assert path.read_bytes()[100:] == before[100:]  # the header says by now that the file keeps a write-ahead log


async def test_a_copy_that_fails_is_not_left_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored(1, tmp_path)

    def fault(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fault)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await opened(path)
    monkeypatch.undo()
    assert names(path) == {"workspace.db"}
    assert one(path, "PRAGMA user_version") == 1


async def test_papers_whose_pictures_could_not_be_read_yet_are_read_again(tmp_path: Path) -> None:
    path = stored(4, tmp_path)
    connection, _ = driver.connect(path, None)
    scan = "is a picture. Reading text in pictures isn't possible yet; it is kept."
    rows = [
        ("a scan", "attention", "no_text", scan, "[]"),
        ("a photo", "attention", "unsupported", "b.heic is a picture in HEIC format and can't be read here.", "[]"),
        ("an empty note", "attention", "no_text", "c.txt was read to its end, and there is no text in it.", "[]"),
        ("a locked scan", "attention", "password", "d.pdf is locked", "[]"),
        ("half a scan", "searchable", "", "", '[["page_without_text", "Page 2 of e.pdf has no text", 2]]'),
        ("a mail with a scan", "searchable", "", "", f'[["attachment_named", "f.png {scan}", null]]'),
        ("a letter", "searchable", "", "", '[["page_unreadable", "Page 2 is damaged", 2]]'),
        ("a scan in the bin", "attention", "no_text", scan, "[]"),
    ]
    connection.execute("DELETE FROM papers")
    for number, row in enumerate(rows):
        connection.execute(
            "INSERT INTO artifacts (digest, byte_length, added_at) VALUES (?, 1, 1)", (f"digest {number}",)
        )
        connection.execute(
            "INSERT INTO papers (id, digest, name, name_folded, origin, byte_length, added_at, updated_at, version,"
            " state, reason_code, reason, notes, attempts) VALUES (?, ?, ?, '', '', 1, 1, 1, 1, ?, ?, ?, ?, 2)",
            (row[0], f"digest {number}", *row),
        )
    connection.execute("UPDATE papers SET removed_at = 1 WHERE name = 'a scan in the bin'")
    connection.close()
    database = await opened(path)
    papers, waiting = SqlitePapers(database), list[str]()
    while (paper := await papers.claim()) is not None:
        waiting.append(paper.name)
        assert (paper.attempts, paper.reason, paper.reason_code) == (1, "", "")
    assert sorted(waiting) == ["a mail with a scan", "a photo", "a scan", "half a scan"]
    changed = {change.id for change in await SqliteChanges(database).after(0) if change.version == 2}
    assert changed == set(waiting)
    await database.close()


async def test_papers_that_were_removed_before_lie_in_the_trash(tmp_path: Path) -> None:
    path = stored(7, tmp_path)
    connection, _ = driver.connect(path, None)
    connection.execute("UPDATE papers SET removed_at = 5")
    number = connection.execute("SELECT number FROM papers").fetchone()
    connection.close()
    database = await opened(path)
    trash = SqliteTrash(database, keepers(OnePassage()))
    (thing,) = await lists.trash_rows(database).rows(await lists.trash_rows(database).snapshot(ListQuery()))
    assert thing is not None
    assert (thing.kind, thing.title, thing.removed_at) == ("paper", "a.pdf", 5)
    await trash.restore(thing.number)
    paper = await SqlitePapers(database).claim()
    assert paper is not None
    assert (paper.name, paper.number) == ("a.pdf", number[0] if number else None)
    await database.close()
