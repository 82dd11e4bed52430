"""The place of conversations."""

from pathlib import Path

import pytest

from core.domain.conversations import LeftOut, ToldConversation, Turn
from core.domain.memory import Role
from core.domain.passages import Kind
from tests.ui.features.desk import Desk, until
from ui.conversations import words
from ui.conversations.view import ConversationsView
from ui.qt.paged import LineRole
from ui.widgets.basics import Button
from ui.widgets.outcome_note import OutcomeNote
from ui.widgets.passage_text import PassageText


async def shown(desk: Desk, *, turns: int = 2) -> ConversationsView:
    """Two conversations, the first with so many messages."""
    port = desk.workspace.conversations
    await port.begin("Ramp and lift", "a")
    for turn in range(turns):
        await port.add(
            "a", Role.USER if turn % 2 == 0 else Role.ASSISTANT, f"Message number {turn}.", 1_800_000_000.0 + turn
        )
    await port.begin("Holidays", "b")
    await port.add("b", Role.USER, "When do we close?")
    view = desk.build(ConversationsView)
    assert isinstance(view, ConversationsView)
    await until(lambda: view.presenter.model.state == "ready")
    return view


async def choose(view: ConversationsView, id: str) -> None:
    view.select(id)
    await until(lambda: view.presenter.one is not None and view.presenter.one.id == id and view.presenter.messages)


def text_of(view: ConversationsView) -> str:
    text = view.details.findChild(PassageText)
    return text.toPlainText() if isinstance(text, PassageText) else ""


def buttons(view: ConversationsView) -> list[str]:
    return [each.text() for each in view.details.findChildren(Button) if each.isVisible() and not each.property("kind")]


async def test_an_empty_list_says_how_one_begins(desk: Desk) -> None:
    view = desk.build(ConversationsView)
    await until(lambda: view.page.empty.isVisible())  # pyright: ignore[reportAttributeAccessIssue]


async def test_messages_are_shown_by_role_with_their_time(desk: Desk, qtmodeltester: object) -> None:
    view = await shown(desk)
    await choose(view, "a")
    await until(lambda: "Message number 1." in text_of(view))
    lines = text_of(view).split("\n")
    assert lines[0].startswith("You, ")
    assert lines[1] == "Message number 0."
    assert lines[2].startswith("Assistant, ")
    line = view.presenter.model.index(1, 0).data(LineRole)
    assert line.spoken.startswith("Conversation: ")
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_a_new_message_appears_by_itself(desk: Desk) -> None:
    view = await shown(desk)
    await choose(view, "a")
    await desk.workspace.conversations.add("a", Role.ASSISTANT, "One more thing.")
    await until(lambda: "One more thing." in text_of(view))
    assert "Message number 0." in text_of(view)


async def test_long_conversations_show_their_end_first(desk: Desk) -> None:
    view = await shown(desk, turns=130)
    await choose(view, "a")
    assert [message.position for message in view.presenter.messages[:1]] == [30]
    assert view.presenter.earlier
    view.presenter.read_earlier()
    await until(lambda: view.presenter.messages[0].position == 0)
    assert len(view.presenter.messages) == 130
    assert not view.presenter.earlier


async def test_a_passage_is_opened_at_its_message(desk: Desk) -> None:
    view = await shown(desk, turns=130)
    passages = await desk.workspace.search.of_owner(Kind.MESSAGE, "a")
    wanted = next(each for each in passages if each.text == "Message number 7.")
    view.select("a", wanted.id)
    await until(lambda: any(message.position == 7 for message in view.presenter.messages))
    text = view.details.findChild(PassageText)
    assert isinstance(text, PassageText)
    await until(lambda: text.top_of(wanted.part) is not None)
    await until(lambda: view.details.area.verticalScrollBar().value() > 0)


BUTTONS = ["Rename…", "Archive", "Export…", "Remove"]


async def test_archiving_and_its_undo(desk: Desk) -> None:
    view = await shown(desk)
    await choose(view, "a")
    await until(lambda: buttons(view) == BUTTONS)
    await view.presenter.archive()
    await until(lambda: view.presenter.one is not None and view.presenter.one.archived_at is not None)
    await until(lambda: buttons(view) == ["Rename…", "Take out of the archive", "Export…", "Remove"])
    view.list_page.narrow("archived", "yes")
    await until(lambda: view.presenter.model.rowCount() == 1)
    assert desk.undos[-1].said == "Archived: “Ramp and lift”."
    await desk.take_back()
    await until(lambda: view.list_page.nothing.isVisible())


async def test_removing_many_is_undone_with_all_messages(desk: Desk) -> None:
    view = await shown(desk, turns=5)
    view.list_page.list.selectAll()
    await until(lambda: view.presenter.chosen_count == 2)
    port = desk.workspace.conversations
    session, messages = await port.get("a"), await port.messages("a")
    await view.presenter.remove()
    await until(lambda: view.list_page.empty.isVisible())
    assert await port.get("a") is None
    assert desk.undos[-1].said == "Removed 2 conversations."
    await desk.take_back()
    assert await port.get("a") == session
    assert await port.messages("a") == messages
    assert await port.get("b") is not None


# ---- titles ---------------------------------------------------------------------------------------------------------


async def test_renaming_and_its_undo(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    view = await shown(desk)
    await choose(view, "a")
    asked: list[str] = []

    async def ask(*_: object, text: str, **__: object) -> str:
        asked.append(text)
        return "Ramp at the north door"

    monkeypatch.setattr("ui.conversations.view.ask_text", ask)
    await view.rename()
    await until(lambda: view.details.title.text() == "Ramp at the north door")
    assert asked == ["Ramp and lift"]
    assert desk.undos[-1].said == "Renamed to “Ramp at the north door”."
    await desk.take_back()
    await until(lambda: view.details.title.text() == "Ramp and lift")


async def test_a_title_that_was_changed_meanwhile_is_shown_before_it_is_replaced(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = await shown(desk)
    await choose(view, "a")
    asked: list[str] = []

    async def ask(_parent: object, _title: str, sentence: str, **__: object) -> str:
        asked.append(sentence)
        if len(asked) == 1:
            await desk.workspace.conversations.rename("a", "An assistant's title")
        return "Mine"

    monkeypatch.setattr("ui.conversations.view.ask_text", ask)
    await view.rename()
    assert "renamed to “An assistant's title” meanwhile" in asked[1]
    assert (await desk.workspace.conversations.get("a")).title == "Mine"
    await desk.take_back()
    assert (await desk.workspace.conversations.get("a")).title == "An assistant's title"


# ---- finding --------------------------------------------------------------------------------------------------------


async def test_words_are_found_all_over_a_long_conversation(desk: Desk) -> None:
    view = await shown(desk, turns=130)
    await choose(view, "a")
    bar = view.details.find_bar
    view.find()
    bar.line.setText("number 1")
    bar.wanted.emit("number 1")
    await until(lambda: bar.count.text() == "41 of 41")  # 1, 10 to 19, 100 to 129; the last one first
    assert view.presenter.spot.position == 129
    bar.step.emit(1)  # round to the first, which has to be read first
    await until(lambda: bar.count.text() == "1 of 41")
    await until(lambda: view.presenter.messages[0].position <= 1)
    text = view.details.findChild(PassageText)
    await until(lambda: text.top_of(view.presenter.spot.message) is not None)
    bar.step.emit(-1)
    await until(lambda: bar.count.text() == "41 of 41")
    bar.line.setText("zebra")
    await until(lambda: bar.count.text() == "Not here")
    assert not bar.next.isEnabled()
    view.select("b")
    await until(lambda: view.presenter.one is not None and view.presenter.one.id == "b")
    assert (bar.line.text(), bar.count.text()) == ("", "")


async def test_a_new_message_keeps_the_place_that_was_found(desk: Desk) -> None:
    view = await shown(desk, turns=6)
    await choose(view, "a")
    bar = view.details.find_bar
    bar.line.setText("message")
    bar.wanted.emit("message")
    await until(lambda: bar.count.text() == "6 of 6")
    bar.step.emit(-1)
    await until(lambda: bar.count.text() == "5 of 6")
    await desk.workspace.conversations.add("a", Role.USER, "One more message")
    await until(lambda: bar.count.text() == "5 of 7")


# ---- in and out -----------------------------------------------------------------------------------------------------


def talk(id: str, *contents: str, notes: tuple[str, ...] = ()) -> ToldConversation:
    turns = tuple(Turn(Role.USER, text, 1_700_000_000.0, f"{id}-{n}") for n, text in enumerate(contents))
    return ToldConversation("ChatGPT", id, f"Talk {id}", 1_700_000_000.0, None, turns, False, notes)


async def test_an_import_says_what_came_and_is_undone(desk: Desk, tmp_path: Path) -> None:
    view = await shown(desk)
    desk.exports.files["talks.zip"] = [talk("1", "a"), talk("2", "b"), LeftOut("Torn", "“Torn” is damaged.")]
    reports = await view.take_over([tmp_path / "talks.zip", tmp_path / "letter.pdf"])
    await until(lambda: view.presenter.model.rowCount() == 4)
    note = view.page.findChild(OutcomeNote)
    assert note.sentence.text() == "2 conversations are new. 2 were left out."
    assert [name for name, _ in words.reasons(reports)] == ["Torn", "letter.pdf"]

    def tags() -> dict[str, tuple[str, ...]]:
        lines = [view.presenter.model.index(row, 0).data(LineRole) for row in range(4)]
        return {line.title: line.tags for line in lines if line is not None}

    await until(lambda: tags().get("Talk 1") == ("ChatGPT",) and tags().get("Holidays") == ())
    view.list_page.narrow("origin", "ChatGPT")
    await until(lambda: view.presenter.model.rowCount() == 2)
    assert desk.undos[-1].said == "Took over 2 conversations."
    await desk.take_back()
    await until(lambda: view.list_page.nothing.isVisible())
    assert await desk.workspace.conversations.get("a") is not None


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ([], "Nothing was taken over."),
        ([talk("1", "a")], "1 conversation is new."),
        ([LeftOut("x", "y")], "Nothing was taken over. 1 was left out."),
    ],
)
async def test_what_became_of_an_import_in_words(
    desk: Desk, tmp_path: Path, told: list[ToldConversation | LeftOut], sentence: str
) -> None:
    view = await shown(desk)
    desk.exports.files["x.zip"] = told
    assert words.outcome(await view.take_over([tmp_path / "x.zip"])) == sentence
    desk.exports.files["x.zip"] = [talk("1", "a", "b")]
    second = words.outcome(await view.take_over([tmp_path / "x.zip"]))
    assert second == ("1 conversation got new messages." if sentence.endswith("new.") else "1 conversation is new.")


async def test_the_chosen_ones_are_exported(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = await shown(desk)
    await choose(view, "a")
    target = tmp_path / "out" / "Ramp.md"
    target.parent.mkdir()

    async def choose_format(*_: object) -> str:
        return "md"

    async def choose_place(_parent: object, _title: str, name: str) -> Path:
        assert name == "Ramp and lift.md"
        return target

    monkeypatch.setattr("ui.conversations.view.choose", choose_format)
    monkeypatch.setattr("ui.conversations.view.choose_target", choose_place)
    await view.export()
    assert "Message number 1." in target.read_text()
    assert view.page.findChild(OutcomeNote).sentence.text() == "Wrote 1 conversation to “Ramp.md”."


async def test_a_message_whose_writer_is_not_named_is_nobodys(desk: Desk, tmp_path: Path) -> None:
    view = await shown(desk)
    turn = Turn(Role.SYSTEM, "Who said it?", None, "1", {"author_unknown": True})
    desk.exports.files["x.zip"] = [ToldConversation("Claude", "1", "Talk", None, None, (turn,))]
    (report,) = await view.take_over([tmp_path / "x.zip"])
    await choose(view, report.taken[0].session.id)
    await until(lambda: "Who said it?" in text_of(view))
    assert text_of(view).startswith("Writer not named\n")
    assert "date not known" in words.about(report.taken[0].session)
