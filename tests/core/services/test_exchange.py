"""Conversations that come in from exports and go out as files, through the whole program."""

import asyncio
import csv
import io
import json
import re
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.bootstrap import Program
from app.paths import Paths
from core.adapters.files.saving import FileSaving
from core.domain.conversation_files import FileFormat
from core.domain.conversations import ImportReport, LeftOut, Outcome, ToldConversation, Turn
from core.domain.memory import Role
from core.domain.query import Mode, SearchRequest
from core.domain.scopes import Job, JobState
from core.errors import EnvironmentFault, NotFound, UserError
from core.events import Event, EventHub, Progress
from core.ports.rows import ListQuery
from core.services.exchange import ConversationExchange
from core.services.jobs import JobService
from core.services.workspace import Workspace
from tests.fakes.conversations import FakeConversations
from tests.fakes.exports import MemoryExports
from tests.fakes.store import FakeStore, SetClock


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


async def talks(workspace: Workspace) -> dict[str, list[tuple[str, str]]]:
    """Title to (role, content) of each message."""
    sessions = await workspace.sessions.rows(await workspace.sessions.snapshot(ListQuery()))
    return {
        session.title: [(m.role.value, m.content) for m in await workspace.exchange.all_messages(session)]
        for session in sessions
        if session is not None
    }


# ---- real exports ---------------------------------------------------------------------------------------------------

ARRIVES: dict[str, dict[str, int]] = {  # file to title and number of messages
    "claude__malformed_export.json": {
        "Valid Conversation Before Errors": 1,
        "Missing UUID Field": 1,
        "Invalid Timestamp Format": 1,
        "Valid Conversation with Malformed Message": 3,
        "Empty Messages Array - Valid Edge Case": 0,
        "Valid Conversation After Errors": 1,
    },
    "claude__tool_messages.json": {
        "Code Execution with Tools": 6,
        "Web Search and Analysis": 4,
        "Mixed Text and Tool Blocks": 5,
        "Tool-Only Messages": 8,
    },
    "content_fidelity__claude_voice_note.json": {"Voice Note Test": 1},
    "content_fidelity__openai_content_types.json": {"Content Type Test": 12},
    "content_fidelity__openai_hidden.json": {"Hidden Message Test": 2},
    "content_fidelity__openai_multipart.json": {"Multi-Part Text Test": 3},
    "date_test_conversations.json": {
        "Early January conversation": 1,
        "Leap year conversation": 1,
        "Post-leap-day conversation": 1,
        "Year-end conversation": 1,
        "Previous year conversation": 1,
    },
    "golden_master__001_simple_text__raw.json": {"Indigenous DNA in Mexico": 2},
    "golden_master__002_with_images__raw.json": {"Interpretación pintura surrealista": 4},
    "golden_master__003_with_code__raw.json": {"Gmail API Management in Java": 7},
    "malformed_invalid_timestamp.json": {"Invalid Timestamp": 0},
    "malformed_missing_field.json": {"Conversation of 2023-11-14": 0},
}


@pytest.mark.parametrize("name", sorted(ARRIVES))
async def test_every_sample_arrives_once(corpus: Path, workspace: Workspace, name: str) -> None:
    source = corpus / "documents" / "llm-export" / name
    report = await workspace.exchange.take(source)
    assert {title: len(messages) for title, messages in (await talks(workspace)).items()} == ARRIVES[name]
    assert (report.count(Outcome.NEW), report.left) == (len(ARRIVES[name]), [])
    before = await workspace.changes.latest()
    again = await workspace.exchange.take(source)
    assert again.count(Outcome.KNOWN) == len(ARRIVES[name])
    assert await workspace.changes.latest() == before  # nothing at all was written


async def test_a_truncated_sample_is_refused_whole(corpus: Path, workspace: Workspace) -> None:
    with pytest.raises(UserError, match="nothing was taken over"):
        await workspace.exchange.take(corpus / "documents" / "llm-export" / "malformed_invalid_json.json")
    assert await talks(workspace) == {}


async def test_the_mixed_sample_arrives_but_for_the_one_without_messages(corpus: Path, workspace: Workspace) -> None:
    source = corpus / "cases" / "exports" / "chatgpt-mixed.json"
    report = await workspace.exchange.take(source)
    asked, answered = ("user", "Which room has a ramp?"), ("assistant", "The north room has a ramp.")
    assert await talks(workspace) == {
        "Room plan": [asked, answered],
        "Which room has a ramp?": [asked, answered],  # it has no title
        "No time": [asked, answered],
        "Hidden context": [answered],
        "Null message": [],
    }
    assert [left.title for left in report.left] == ["No mapping"]
    assert any("Null message" in note for note in report.notes)


@pytest.mark.parametrize("name", ["002_with_images", "003_with_code"])
async def test_texts_are_those_of_the_golden_masters(corpus: Path, workspace: Workspace, name: str) -> None:
    folder = corpus / "documents" / "llm-export"
    await workspace.exchange.take(folder / f"golden_master__{name}__raw.json")
    expected = (folder / f"golden_master__{name}__expected.md").read_text(encoding="utf-8")
    sections = re.split(r"(?m)^## (?:User|Assistant) \(`[0-9a-f-]+`\) - \S+$", expected)[1:]
    wanted = [section.strip().removesuffix("---").strip() for section in sections]
    wanted = [re.sub(r"!\[Image\]\(\S+\)\n\n", "[Picture]\n", text) for text in wanted if text]
    (messages,) = (await talks(workspace)).values()
    found = [content for _, content in messages]
    marks = re.compile("\ue200[^\ue201]*\ue201|[\ue203\ue204]")  # what only ChatGPT's own window can draw
    wanted = [marks.sub("", text) for text in wanted]
    plain = [sorted(re.sub(r"\W+", " ", text).strip() for text in texts) for texts in (found, wanted)]
    assert plain[0] == plain[1]


async def test_roles_and_dates_of_the_samples(corpus: Path, workspace: Workspace) -> None:
    folder = corpus / "documents" / "llm-export"
    await workspace.exchange.take(folder / "content_fidelity__openai_hidden.json")
    assert (await talks(workspace))["Hidden Message Test"] == [("user", "Hello"), ("system", "Visible system")]
    await workspace.exchange.take(folder / "malformed_invalid_timestamp.json")
    numbers = await workspace.sessions.snapshot(ListQuery(text="invalid timestamp"))
    (session,) = await workspace.sessions.rows(numbers)
    assert session is not None
    assert (session.dated, session.origin) == (False, "ChatGPT")
    await workspace.exchange.take(folder / "claude__tool_messages.json")
    tools = (await talks(workspace))["Code Execution with Tools"]
    assert [role for role, _ in tools] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


async def test_what_came_in_is_found(corpus: Path, workspace: Workspace) -> None:
    await workspace.exchange.take(corpus / "cases" / "exports" / "chatgpt-mixed.json")
    result = await workspace.search.search(SearchRequest("ramp", Mode.WORDS))
    assert {hit.passage.title for hit in result.hits} >= {"Room plan", "No time"}


# ---- progress, cancel, undo (in memory) -----------------------------------------------------------------------------


class Setting:
    """An exchange over fakes. published: every event."""

    def __init__(self) -> None:
        self.clock = SetClock()
        self.published: list[Event] = []

        def unexpected(error: BaseException) -> None:
            raise error

        self.events = EventHub(unexpected)
        self.events.subscribe(self.published.append)
        self.port = FakeConversations(FakeStore(self.clock, []))
        self.exports = MemoryExports()
        self.jobs = JobService("A", self.events, self.clock)
        self.exchange = ConversationExchange(self.port, self.exports, FileSaving(), self.jobs, self.events, self.clock)

    def tell(self, *told: ToldConversation | LeftOut) -> Path:
        self.exports.files["x.json"] = told
        return Path("/nowhere/x.json")

    async def job(self) -> Job:
        (job,) = await self.jobs.rows(await self.jobs.snapshot(ListQuery()))
        assert job is not None
        return job


def talk(id: str, *contents: str) -> ToldConversation:
    turns = tuple(Turn(Role.USER, text, None, f"{id}-{n}") for n, text in enumerate(contents))
    return ToldConversation("Claude", id, f"Talk {id}", 100.0, None, turns)


async def test_progress_names_what_is_at_hand_and_ends_full() -> None:
    setting = Setting()
    heard: list[Progress] = []
    path = setting.tell(*(talk(str(n), "a") for n in range(45)))
    report = await setting.exchange.take(path, heard.append)
    assert [(each.done, each.total, each.label) for each in heard] == [(n, 45, f"Talk {n}") for n in range(45)]
    assert setting.published[-1] == Progress("importing", 45, 45)
    assert (report.done, report.found, report.cancelled) == (45, 45, False)
    job = await setting.job()
    assert (job.title, job.state) == ("Import of “x.json”", JobState.COMPLETED)


async def test_cancelling_keeps_what_came_and_the_next_time_brings_the_rest() -> None:
    setting = Setting()
    path = setting.tell(*(talk(str(n), "a") for n in range(30)))

    def heard(progress: Progress) -> None:
        if progress.done == 25:
            setting.jobs.cancel(job_now())

    def job_now() -> str:
        return next(id for id, job in setting.jobs._jobs.items() if not job.state.ended)

    report = await setting.exchange.take(path, heard)
    assert (report.cancelled, len(report.taken)) == (True, 26)
    assert (await setting.job()).state is JobState.CANCELLED
    again = await setting.exchange.take(path)
    assert (again.count(Outcome.KNOWN), again.count(Outcome.NEW), again.cancelled) == (26, 4, False)


async def test_an_import_is_taken_back_exactly() -> None:
    setting = Setting()
    await setting.exchange.take(setting.tell(talk("grows", "a"), talk("stays", "a"), talk("lost", "a")))
    sessions = {title: s for s in (await setting.port.rows().rows([1, 3, 5])) if s for title in [s.title]}
    await setting.port.remove(sessions["Talk lost"].id)
    before = {id: await setting.port.messages(id) for id in setting.port._sessions}
    path = setting.tell(talk("grows", "a", "b"), talk("stays", "a"), talk("lost", "a", "b"), talk("new", "x"))
    report = await setting.exchange.take(path)
    assert [taken.outcome.value for taken in report.taken] == ["grown", "known", "back", "new"]
    assert report.changed
    await setting.exchange.take_back(report)
    assert {id: await setting.port.messages(id) for id in setting.port._sessions} == before
    assert len((await setting.port.restore(sessions["Talk lost"].id)).id) == 32
    assert [m.content for m in await setting.port.messages(sessions["Talk lost"].id)] == ["a"]


async def test_what_the_store_refuses_is_named_and_the_rest_comes() -> None:
    setting = Setting()
    bad = ToldConversation("Muniment", "a/b", "Bad id", 1.0, None, ())
    report = await setting.exchange.take(setting.tell(bad, LeftOut("Torn", "“Torn” is torn."), talk("1", "a")))
    assert [left.title for left in report.left] == ["Bad id", "Torn"]
    assert report.count(Outcome.NEW) == 1


async def test_a_file_that_is_no_export_ends_its_job_as_failed() -> None:
    setting = Setting()
    with pytest.raises(UserError, match="no export"):
        await setting.exchange.take(Path("/nowhere/letter.txt"))
    assert (await setting.job()).state is JobState.FAILED


async def test_imports_wait_for_each_other() -> None:
    setting = Setting()
    path = setting.tell(*(talk(str(n), "a") for n in range(3)))
    reports = await asyncio.gather(*(setting.exchange.take(path) for _ in range(3)))
    assert [report.count(Outcome.NEW) for report in reports] == [3, 0, 0]


# ---- going out ------------------------------------------------------------------------------------------------------


async def filled(workspace: Workspace) -> list[str]:
    first = await workspace.conversations.begin("Ramp, lift")
    await workspace.conversations.add(first.id, Role.USER, 'Is there a "ramp"?\nOr a lift?', 100.0)
    await workspace.conversations.add(first.id, Role.ASSISTANT, "=1+1 is 2", 101.0, {"k": [1]})
    second = await workspace.conversations.begin("Holidays")
    return [first.id, second.id]


async def test_markdown_json_and_csv(workspace: Workspace, tmp_path: Path) -> None:
    ids = await filled(workspace)
    for format in FileFormat:
        await workspace.exchange.export(ids, format, tmp_path / f"out.{format}")
        assert stat.S_IMODE((tmp_path / f"out.{format}").stat().st_mode) == 0o600
    text = (tmp_path / "out.md").read_text(encoding="utf-8")
    assert "# Ramp, lift\n" in text
    assert '## Person, 1970-01-01T00:01:40Z\n\nIs there a "ramp"?\nOr a lift?\n' in text
    assert "# Holidays\n" in text
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text(encoding="utf-8"), newline="")))
    assert [row["text"] for row in rows] == [
        'Is there a "ramp"?\nOr a lift?',
        "'=1+1 is 2",
    ]  # no formula for a table program
    assert (rows[1]["conversation"], rows[1]["role"], rows[1]["at"]) == (
        "Ramp, lift",
        "assistant",
        "1970-01-01T00:01:41Z",
    )
    told = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert [(each["title"], len(each["messages"])) for each in told] == [("Ramp, lift", 2), ("Holidays", 0)]
    assert told[0]["messages"][1]["metadata"] == {"k": [1]}


async def test_our_own_json_is_recognised_here_and_comes_into_another_workspace(
    program: Program, workspace: Workspace, tmp_path: Path
) -> None:
    ids = await filled(workspace)
    target = tmp_path / "out.json"
    await workspace.exchange.export(ids, FileFormat.JSON, target)
    assert await workspace.exchange.seems(target) == "Muniment"
    assert (await workspace.exchange.take(target)).count(Outcome.KNOWN) == 2
    before = await talks(workspace)
    other = await program.workspaces.open((await program.workspaces.create(tmp_path, "Other")).path)
    assert await talks(other) == {}
    report = await other.exchange.take(target)
    assert report.count(Outcome.NEW) == 2
    assert await talks(other) == before


async def test_an_export_is_written_whole_or_not_at_all(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await filled(workspace)
    target = tmp_path / "out.md"
    target.write_text("from before")
    with pytest.raises(NotFound):
        await workspace.exchange.export([*ids, "gone"], FileFormat.MARKDOWN, target)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(EnvironmentFault, match="no room left"):
        await workspace.exchange.export(ids, FileFormat.MARKDOWN, target)
    monkeypatch.undo()
    assert target.read_text() == "from before"
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


async def test_no_workspace_is_read_or_written_by_way_of_an_export(
    program: Program, workspace: Workspace, tmp_path: Path
) -> None:
    ids = await filled(workspace)
    other = (await program.workspaces.create(tmp_path, "Other")).path
    inside = other / "artifacts" / "conversations.json"
    inside.parent.mkdir(exist_ok=True)
    inside.write_text("[]")
    link = tmp_path / "innocent.json"
    link.symlink_to(inside)
    for source in (inside, link, other / "workspace.db"):
        with pytest.raises(UserError, match="kept apart"):
            await workspace.exchange.take(source)
    for folder in (other, workspace.info.path):
        with pytest.raises(UserError, match="kept apart"):
            await workspace.exchange.export(ids, FileFormat.JSON, folder / "out.json")
        assert not (folder / "out.json").exists()


def test_a_report_says_whether_anything_came() -> None:
    assert not ImportReport("x").changed


async def test_the_trash_of_the_workspace_gives_a_conversation_back_and_erases_it(workspace: Workspace) -> None:
    session = (await filled(workspace))[0]
    before = await workspace.conversations.get(session), await workspace.conversations.messages(session)
    await workspace.conversations.remove(session)
    found = await workspace.trash.find("session", session)
    assert found is not None
    assert (found.title, found.preview.startswith('Is there a "ramp"?')) == ("Ramp, lift", True)
    await workspace.trash.restore(found.number)
    assert (await workspace.conversations.get(session), await workspace.conversations.messages(session)) == before
    await workspace.conversations.remove(session)
    assert await workspace.trash.empty() == 1
    with pytest.raises(NotFound):
        await workspace.conversations.restore(session)


async def test_an_import_that_is_cut_off_with_its_workspace_is_finished_later(
    program: Program, workspace: Workspace, tmp_path: Path
) -> None:
    messages = [{"role": "user", "content": f"message {n}", "id": f"m{n}"} for n in range(30)]
    told = [{"id": f"c{n}", "title": f"Talk {n}", "messages": messages} for n in range(60)]
    source = tmp_path / "talks.json"
    source.write_text(json.dumps(told))
    some = asyncio.Event()
    heard = workspace.exchange.take(source, lambda progress: some.set() if progress.done == 3 else None)
    taking = asyncio.get_running_loop().create_task(heard)
    await some.wait()
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    await program.close()
    again = await program.workspaces.open(workspace.info.path)
    report = await again.exchange.take(source)
    assert (report.count(Outcome.NEW) > 0, report.left) == (True, [])
    assert {title: len(messages) for title, messages in (await talks(again)).items()} == {
        f"Talk {n}": 30 for n in range(60)
    }
