"""The place of conversations."""

from core.domain.memory import Role
from core.domain.passages import Kind
from tests.ui.features.desk import Desk, until
from ui.conversations.view import ConversationsView
from ui.qt.paged import LineRole
from ui.widgets.basics import Button
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


async def test_archiving_and_its_undo(desk: Desk) -> None:
    view = await shown(desk)
    await choose(view, "a")
    await until(lambda: buttons(view) == ["Archive", "Remove"])
    await view.presenter.archive()
    await until(lambda: view.presenter.one is not None and view.presenter.one.archived_at is not None)
    await until(lambda: buttons(view) == ["Take out of the archive", "Remove"])
    view.list_page.narrow("archived", "yes")
    await until(lambda: view.presenter.model.rowCount() == 1)
    assert desk.undos[-1].said == "Archived: “Ramp and lift”."
    await desk.take_back()
    await until(lambda: view.list_page.nothing.isVisible())


async def test_removing_is_undone_with_all_messages(desk: Desk) -> None:
    view = await shown(desk, turns=5)
    await choose(view, "a")
    port = desk.workspace.conversations
    session, messages = await port.get("a"), await port.messages("a")
    await view.presenter.remove()
    await until(lambda: view.presenter.model.rowCount() == 1)
    assert await port.get("a") is None
    await desk.take_back()
    assert await port.get("a") == session
    assert await port.messages("a") == messages
