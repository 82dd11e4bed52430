"""The five scopes as callers meet them: each call shows its owner; what is of the process alone is never on disk."""

import inspect
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import Program
from app.logs import log_to
from app.paths import Paths
from core.domain.memory import Role
from core.domain.scopes import RULES, ActorType, JobState, Owner, Persistence, Scope
from core.domain.tiers import Tier
from core.errors import NotFound, OutsideScope
from core.services.scopes import Scopes
from core.services.workspace import Workspace


@pytest.fixture
async def program(tmp_path: Path) -> AsyncIterator[Program]:
    data = tmp_path / "data"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    yield program
    await program.close()


@pytest.fixture
async def workspace(program: Program, tmp_path: Path) -> Workspace:
    return await program.workspaces.open((await program.workspaces.create(tmp_path, "W")).path)


@pytest.fixture
async def owner(workspace: Workspace) -> Owner:
    """Somebody who owns something in every scope."""
    session = await workspace.conversations.begin("Holidays")
    job = workspace.jobs.start("Plan", actor="Ada", actor_type=ActorType.AGENT)
    return replace(workspace.jobs.begin_step(job.id, "think"), session=session.id)


def test_the_rules_are_those_of_the_contract() -> None:
    table = {
        rule.scope.value: (rule.owner, rule.lifetime, rule.shared, rule.persistence.value) for rule in RULES.values()
    }
    assert table == {
        "conversation": ("session", "session", False, "database"),
        "workspace": ("workspace", "permanent", True, "database"),
        "execution": ("job", "job", False, "process"),
        "scratchpad": ("planner", "step", False, "process"),
        "semantic": ("workspace", "permanent", True, "database"),
    }


async def test_each_scope_is_an_interface_of_its_own(workspace: Workspace) -> None:
    scopes = workspace.scopes
    rules = {name: getattr(scopes, name).rule for name in Scopes.__dataclass_fields__}
    assert {name: rule.scope.value for name, rule in rules.items()} == {scope.value: scope.value for scope in Scope}
    assert len({id(getattr(scopes, name)) for name in rules}) == 5
    assert all(rule is RULES[rule.scope] for rule in rules.values())


async def test_every_scope_gives_its_owner_what_it_was_given(workspace: Workspace, owner: Owner) -> None:
    scopes, session = workspace.scopes, owner.session or ""
    message = await scopes.conversation.add(owner, session, Role.USER, "Are we open on Friday?", {"mood": "calm"})
    assert (message.role, message.content, message.metadata) == (Role.USER, "Are we open on Friday?", {"mood": "calm"})
    assert await scopes.conversation.messages(owner, session) == [message]
    assert await scopes.conversation.clear(owner, session) == 1

    await scopes.workspace.set(owner, "opening hours", "8 to 17", {"from": "door"})
    entry = await scopes.workspace.get(owner, "opening hours")
    assert entry is not None
    assert (entry.value, entry.metadata) == ("8 to 17", {"from": "door"})
    assert await scopes.workspace.delete(owner, "opening hours")

    await scopes.semantic.remember(owner, "ramp", "The ramp is at the north door", Tier.SEMANTIC)
    assert [record.key for record in await scopes.semantic.recall(owner, "north door")] == ["ramp"]
    assert await scopes.semantic.get(owner, "ramp") is not None
    assert await scopes.semantic.forget(owner, "ramp")

    for store in (scopes.execution, scopes.scratchpad):
        entry = store.set(owner, "page", 3, {"of": 9})
        assert store.get(owner, "page") == 3
        assert (entry.rule.persistence, entry.metadata) == (Persistence.PROCESS, {"of": 9})
        assert store.delete(owner, "page")
        assert store.get(owner, "page") is None


# ---- outside the owner ----------------------------------------------------------------------------------------------

SAMPLES: dict[str, Any] = {
    "key": "k",
    "namespace": "default",
    "value": "v",
    "role": Role.USER,
    "content": "c",
    "tier": Tier.SEMANTIC,
    "query": "q",
    "keep": True,
}


def calls() -> Iterator[tuple[str, str]]:
    """Every public method of every scope that is called on behalf of somebody."""
    for scope, kind in Scopes.__annotations__.items():
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_") and "caller" in inspect.signature(method).parameters:
                yield scope, name


async def call(scopes: Scopes, scope: str, name: str, caller: Owner, session: str) -> object:
    method = getattr(getattr(scopes, scope), name)
    samples = SAMPLES | {"session": session}
    needed = {
        parameter.name: samples[parameter.name]
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is parameter.empty and parameter.name != "caller"
    }
    answer = method(caller, **needed)
    return await answer if inspect.isawaitable(answer) else answer


def test_the_walk_meets_every_method() -> None:
    assert len(set(calls())) == 4 + 3 + 6 + 4 + 4


@pytest.mark.parametrize(("scope", "name"), sorted(calls()))
async def test_nobody_reaches_another_owners_memory(workspace: Workspace, owner: Owner, scope: str, name: str) -> None:
    """With another workspace's id, and with everything right but the one id that the scope asks for."""
    session = owner.session or ""
    other = await workspace.conversations.begin("Another")
    job = workspace.jobs.start("Another", actor="Bo", actor_type=ActorType.AGENT)
    step = workspace.jobs.begin_step(job.id, "another")
    wrong = [replace(owner, workspace="0" * 32)]
    wrong += {
        "conversation": [replace(owner, session=other.id), replace(owner, session=None)],
        "execution": [replace(owner, job="gone"), replace(owner, job=None)],
        "scratchpad": [replace(owner, step="gone"), replace(owner, step=None)],
    }.get(scope, [])
    await workspace.memory.remember("k", "v", Tier.SEMANTIC)
    before = await workspace.changes.latest()
    for caller in wrong:
        with pytest.raises(OutsideScope):
            await call(workspace.scopes, scope, name, caller, session)
    assert await workspace.changes.latest() == before
    assert workspace.jobs.execution.entries(Owner(owner.workspace, job=job.id)) == []
    assert workspace.jobs.scratchpad.entries(step) == []
    await call(workspace.scopes, scope, name, owner, session)  # its owner does


# ---- lifetimes ------------------------------------------------------------------------------------------------------


async def test_the_end_of_a_session_archives_its_conversation(workspace: Workspace, owner: Owner) -> None:
    session = owner.session or ""
    message = await workspace.scopes.conversation.add(owner, session, Role.USER, "Are we open?")
    ended = await workspace.scopes.conversation.end(owner, session, keep=True)
    assert ended is not None
    assert ended.archived_at is not None
    assert await workspace.conversations.messages(session) == [message]


async def test_the_end_of_a_session_removes_its_conversation(workspace: Workspace, owner: Owner) -> None:
    session = owner.session or ""
    await workspace.scopes.conversation.add(owner, session, Role.USER, "Are we open?")
    assert await workspace.scopes.conversation.end(owner, session, keep=False) is None
    assert await workspace.conversations.get(session) is None
    with pytest.raises(NotFound):  # an error, and no empty answer
        await workspace.scopes.conversation.messages(owner, session)
    with pytest.raises(NotFound):
        await workspace.scopes.conversation.add(owner, session, Role.USER, "Still there?")


async def test_jobs_and_their_memory_end_with_the_workspace(
    program: Program, workspace: Workspace, owner: Owner
) -> None:
    scopes = workspace.scopes
    scopes.execution.set(owner, "page", 3)
    scopes.scratchpad.set(owner, "guess", "letter")
    await program.close()
    for store in (scopes.execution, scopes.scratchpad):
        with pytest.raises(OutsideScope):
            store.entries(owner)
    again = await program.workspaces.open(workspace.info.path)
    assert again.jobs.steps_now() == []
    with pytest.raises(OutsideScope):
        again.scopes.execution.get(owner, "page")


# ---- never on disk --------------------------------------------------------------------------------------------------

SECRET, KEPT = "zebrafinch-scratch", "kingfisher-kept"


@pytest.fixture
def logging_to(tmp_path: Path) -> Iterator[Path]:
    """The program's own log, at work; everything from DEBUG up goes into it."""
    root, folder = logging.getLogger(), tmp_path / "log"
    folder.mkdir()
    handlers, level = list(root.handlers), root.level
    log_to(folder)
    root.setLevel(logging.DEBUG)
    (handler,) = (each for each in root.handlers if each not in handlers)
    handler.setLevel(logging.DEBUG)
    yield folder
    root.setLevel(level)
    root.handlers[:] = handlers
    handler.close()


def files_with(marker: str, *folders: Path) -> list[Path]:
    """Files below the folders that hold the marker, in their names or in their bytes."""
    found: list[Path] = []
    for folder in folders:
        for path in folder.rglob("*"):
            if marker in path.name or (path.is_file() and marker.encode() in path.read_bytes()):
                found.append(path)
    return found


async def test_execution_and_scratchpad_never_reach_a_disk(
    program: Program, tmp_path: Path, logging_to: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    workspace = await program.workspaces.open((await program.workspaces.create(tmp_path, "W")).path)
    job = workspace.jobs.start(SECRET, actor=SECRET, actor_type=ActorType.AGENT, requested_by=SECRET)
    owner = workspace.jobs.begin_step(job.id, SECRET)
    paper = tmp_path / "papers" / "paper.txt"
    paper.parent.mkdir()
    paper.write_text(f"{KEPT} in a paper")
    where = (workspace.info.path, tmp_path / "data", logging_to, temporary)

    for round in range(3):  # while the database, the workers and the log are at work
        for store in (workspace.scopes.execution, workspace.scopes.scratchpad):
            store.set(owner, f"{SECRET} {round}", {SECRET: [SECRET] * 1000}, {SECRET: SECRET})
        workspace.jobs.heartbeat(job.id, detail=SECRET)
        await workspace.memory.remember(f"{KEPT} {round}", f"{KEPT} " * 500, Tier.SEMANTIC)
        await workspace.papers.add([paper])
        await workspace.papers.idle()
        with pytest.raises(OutsideScope):
            workspace.scopes.execution.get(replace(owner, workspace=SECRET), SECRET)
        logging.getLogger("muniment").info("round %d", round)
        assert files_with(SECRET, *where) == []
    workspace.jobs.end_step(owner.step or "")
    workspace.jobs.end(job.id, JobState.FAILED)
    assert files_with(SECRET, *where) == []
    await program.close()
    assert files_with(SECRET, *where) == []
    assert workspace.info.path / "workspace.db" in files_with(KEPT, *where)  # what is kept is found this way
    assert (logging_to / "muniment.log").stat().st_size > 0
    assert list(temporary.iterdir()) == []
