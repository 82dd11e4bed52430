"""The list of workspaces: create, open, switch, rename, move, copy, delete; one broken one never stops the others."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from app.bootstrap import Program
from app.paths import Paths
from core.adapters.files.folder import WorkspaceFolder
from core.domain.tiers import Tier
from core.domain.workspaces import KnownState, WorkspaceInfo
from core.errors import InvalidValue, UserError, WorkspaceInUse, WorkspaceUnreadable
from core.services import workspaces as service
from core.services.workspaces import Workspaces

Make = Callable[[], Program]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    """Makes programs that share one user's data folder, as one start after the other does."""
    programs: list[Program] = []
    data = tmp_path / "data"
    data.mkdir()

    def program() -> Program:
        programs.append(Program.build(Paths(data, data, data)))
        return programs[-1]

    yield program
    for each in programs:
        await each.close()


@pytest.fixture
def workspaces(make: Make) -> Workspaces:
    return make().workspaces


async def test_a_new_workspace_opens_and_keeps_what_is_written(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "Northside Clinic")
    workspace = await workspaces.open(known.path)
    await workspace.memory.remember("opening hours", "8 to 17", Tier.SEMANTIC)
    await workspaces.close_current()

    again = await workspaces.open(known.path)
    record = await again.memory.get("opening hours")
    assert record is not None
    assert record.value == "8 to 17"
    assert again.notes == ()
    assert again.generation == 2


async def test_switching_closes_the_one_before(workspaces: Workspaces, tmp_path: Path) -> None:
    a = await workspaces.create(tmp_path, "A")
    b = await workspaces.create(tmp_path, "B")
    await workspaces.open(a.path)
    await workspaces.open(b.path)

    assert [entry.state for entry in await workspaces.list()] == [KnownState.READY, KnownState.OPEN]
    assert await workspaces.last_opened() == b.path


async def test_a_moved_folder_works_where_it_is_now(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "A")
    workspace = await workspaces.open(known.path)
    await workspace.memory.remember("k", 1, Tier.SEMANTIC)
    target = tmp_path / "elsewhere"
    target.mkdir()

    info = await workspaces.move(known.path, target)

    assert info.path == target / "A"
    assert not known.path.exists()
    assert [entry.path for entry in await workspaces.list()] == [target / "A"]
    assert await (await workspaces.open(info.path)).memory.get("k") is not None


async def test_a_folder_moved_by_hand_is_missing_and_can_be_added_again(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "A")
    (tmp_path / "elsewhere").mkdir()
    shutil.move(known.path, tmp_path / "elsewhere" / "A")

    (entry,) = await workspaces.list()
    assert entry.state is KnownState.MISSING
    assert entry.reason
    with pytest.raises(WorkspaceUnreadable):
        await workspaces.open(known.path)
    await workspaces.remove(known.path)
    await workspaces.add(tmp_path / "elsewhere" / "A")
    assert [entry.state for entry in await workspaces.list()] == [KnownState.READY]


async def test_two_copies_are_noticed_and_the_person_chooses(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "A")
    shutil.copytree(known.path, tmp_path / "A copy")
    await workspaces.add(tmp_path / "A copy")

    assert [entry.state for entry in await workspaces.list()] == [KnownState.COPY, KnownState.COPY]
    with pytest.raises(UserError, match="copies of one workspace"):
        await workspaces.open(known.path)
    await workspaces.keep_copy(tmp_path / "A copy")
    assert [entry.state for entry in await workspaces.list()] == [KnownState.READY, KnownState.READY]
    assert (await workspaces.open(tmp_path / "A copy")).info.id != known.id


async def test_one_broken_workspace_does_not_stop_the_others(workspaces: Workspaces, tmp_path: Path) -> None:
    broken = await workspaces.create(tmp_path, "Broken")
    whole = await workspaces.create(tmp_path, "Whole")
    (broken.path / "workspace.toml").write_bytes(b"id = \xff\x00")
    before = {path.name for path in broken.path.iterdir()}

    assert [entry.state for entry in await workspaces.list()] == [KnownState.BROKEN, KnownState.READY]
    with pytest.raises(WorkspaceUnreadable):
        await workspaces.open(broken.path)
    assert (await workspaces.open(whole.path)).info.name == "Whole"
    assert {path.name for path in broken.path.iterdir()} == before


async def test_a_drive_that_does_not_answer_holds_nothing_up(
    workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = await workspaces.create(tmp_path, "Dead")
    live = await workspaces.create(tmp_path, "Live")
    read = WorkspaceFolder.read

    async def slow(self: WorkspaceFolder, path: Path) -> WorkspaceInfo:
        if path == dead.path:
            await asyncio.Event().wait()
        return await read(self, path)

    monkeypatch.setattr(WorkspaceFolder, "read", slow)
    monkeypatch.setattr(service, "PATIENCE", 0.05)
    assert [entry.state for entry in await workspaces.list()] == [KnownState.MISSING, KnownState.READY]
    assert (await workspaces.open(live.path)).info.name == "Live"


async def test_a_damaged_database_is_said_and_left_as_it_is(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "A")
    await workspaces.open(known.path)
    await workspaces.close_current()
    damaged = b"this is no database" * 400
    (known.path / "workspace.db").write_bytes(damaged)

    with pytest.raises(WorkspaceUnreadable) as said:
        await workspaces.open(known.path)
    assert "A" in said.value.sentence
    assert (known.path / "workspace.db").read_bytes() == damaged
    assert workspaces.current is None


async def test_another_process_owns_it(make: Make, tmp_path: Path) -> None:
    first, second = make().workspaces, make().workspaces
    known = await first.create(tmp_path, "A")
    await first.open(known.path)

    with pytest.raises(WorkspaceInUse):
        await second.open(known.path)
    await first.close_current()
    assert (await second.open(known.path)).generation == 2


async def test_deleting_asks_for_the_name_and_uses_the_trash(
    workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trashed: list[Path] = []
    monkeypatch.setattr("core.adapters.files.trash.send2trash", trashed.append)
    known = await workspaces.create(tmp_path, "Old matter")
    await workspaces.open(known.path)

    with pytest.raises(InvalidValue):
        await workspaces.delete(known.path, "Old")
    assert trashed == []
    await workspaces.delete(known.path, "Old matter")
    assert trashed == [known.path]
    assert await workspaces.list() == []


async def test_names(workspaces: Workspaces, tmp_path: Path) -> None:
    known = await workspaces.create(tmp_path, "  CON: Müller / Söhne?  ")
    assert known.name == "CON: Müller / Söhne?"
    assert known.path.parent == tmp_path
    info = await workspaces.rename(known.path, "Müller & Sons")
    assert (info.name, info.path) == ("Müller & Sons", known.path)
    for bad in ("", "   ", "x" * 81, "a\x07b"):
        with pytest.raises(InvalidValue):
            await workspaces.create(tmp_path, bad)
    with pytest.raises(UserError):
        await workspaces.create(tmp_path, "CON: Müller / Söhne?")
