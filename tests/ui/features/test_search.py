"""The place that shows what was found."""

import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from core.domain.passages import Kind
from core.domain.query import Mode, Reason, SearchRequest, SearchResult
from core.domain.tiers import Tier
from tests.ui.features.desk import Desk, until
from ui.qt.paged import LineRole
from ui.search import words
from ui.search.presenter import Narrowing
from ui.search.view import SearchPlaceView
from ui.widgets.basics import Button
from ui.widgets.passage_text import PassageText


async def asked(desk: Desk, tmp_path: Path, text: str, mode: Mode = Mode.WORDS) -> SearchPlaceView:
    """A workspace with a few papers and a memory, and a question asked."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "report.txt").write_text("First words.\fThe ramp has a handrail on both sides.\n\nSecond words.", "utf-8")
    (folder / "letter.md").write_text("Prof. Ewa Kowalski writes about the wheelchair ramp.", "utf-8")
    await desk.workspace.memory.remember(
        "ramp", "Salt the ramp before seven.", Tier.PROCEDURAL, metadata={"title": "Salt"}
    )
    await desk.workspace.papers.add([folder])
    await desk.workspace.papers.idle()
    await desk.workspace.meaning.idle()
    view = desk.build(SearchPlaceView)
    assert isinstance(view, SearchPlaceView)
    view.ask(text, mode)
    await answered(view, text)
    return view


async def answered(view: SearchPlaceView, text: str) -> None:
    await until(lambda: view.presenter.result is not None and view.presenter.result.request.text == text)
    await until(lambda: view.presenter.model.state == "ready")


def buttons(view: SearchPlaceView) -> list[str]:
    return [each.text() for each in view.details.findChildren(Button) if each.isVisible()]


def titles(view: SearchPlaceView) -> list[str]:
    model = view.presenter.model
    lines = [model.index(row, 0).data(LineRole) for row in range(model.rowCount())]
    return [line.title for line in lines if line is not None]


async def test_hits_show_page_kind_and_marks(desk: Desk, tmp_path: Path, qtmodeltester: object) -> None:
    view = await asked(desk, tmp_path, "handrail")
    await until(lambda: titles(view) == ["report.txt, page 2"])
    line = view.presenter.model.index(0, 0).data(LineRole)
    assert [line.detail[start:end] for start, end in line.detail_marks] == ["handrail"]
    assert "Paper" in line.spoken
    assert line.status == "Paper"
    qtmodeltester.check(view.presenter.model, force_py=True)  # pyright: ignore[reportAttributeAccessIssue]


async def test_the_inspector_says_why_and_shows_the_text_around(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "handrail")
    await until(lambda: len(view.presenter.passages) == 3)
    text = view.details.findChild(PassageText)
    assert isinstance(text, PassageText)
    assert text.toPlainText().split("\n") == ["First words.", "The ramp has a handrail on both sides.", "Second words."]
    marked = [part for part in text._parts if part.marks]
    assert [part.text[start:end] for part in marked for start, end in part.marks] == ["handrail"]
    assert view.presenter.hit is not None
    assert words.found_because(view.presenter.hit.reason)[0].startswith("It holds")


async def test_the_latest_question_wins_and_stale_ones_are_dropped(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "ramp")
    for end in range(1, len("Kowalski") + 1):
        view.ask("Kowalski"[:end], Mode.WORDS)
    await answered(view, "Kowalski")
    await until(lambda: titles(view) == ["letter.md"])
    view.ask("   ", Mode.WORDS)
    await until(lambda: view.presenter.result is None)
    assert view.list_page.empty.sentence.text() == "Type what you are looking for"


async def test_an_answer_comes_within_150_ms_of_typing(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "ramp")
    begun = time.perf_counter()
    view.ask("seven", Mode.WORDS)
    await answered(view, "seven")
    assert view.presenter.result is not None
    spent = (time.perf_counter() - begun) * 1000 - view.presenter.result.milliseconds
    assert spent < 150, f"{spent:.0f} ms passed beside the search itself"


async def test_a_misspelt_name_is_repaired_and_the_exact_words_are_one_click_away(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "whelchair")
    await until(lambda: view.repair.isVisible())
    assert "“wheelchair” for “whelchair”" in view.repair.sentence.text()
    assert titles(view) == ["letter.md"]
    view.repair.exactly.click()
    await until(lambda: view.presenter.result is not None and view.presenter.result.request.exact)
    await until(lambda: view.list_page.empty.isVisible())
    assert not view.repair.isVisible()


async def test_nothing_found_says_what_was_searched_and_how_to_loosen(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "xylophone")
    await until(lambda: view.list_page.empty.isVisible())
    assert "Nothing matches “xylophone” in 5 passages" in view.list_page.empty.sentence.text()
    view._narrow("where", "shared")
    await until(lambda: "in Shared" in view.list_page.empty.sentence.text())
    button = view.list_page.empty.button
    assert button is not None
    assert button.isVisible()
    button.click()
    await until(lambda: view.presenter.narrowing == Narrowing())
    assert view._chips["where"].value == ""


async def test_chips_narrow_by_place_type_and_date(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "ramp")
    assert len(titles(view)) == 3
    view._narrow("where", "longterm")
    await until(lambda: titles(view) == ["Salt"])
    view._narrow("where", "")
    view._narrow("type", "text")
    await until(lambda: set(titles(view)) == {"report.txt, page 2", "letter.md"})
    view.presenter.narrow(type="", date="custom", after=0.0, before=1.0)
    await until(lambda: view.presenter.model.rowCount() == 0)


async def test_enter_opens_the_passage_and_a_memory_has_no_original(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "seven")
    view.focus_first()
    await until(lambda: view.presenter.hit is not None and view.presenter.hit.passage.kind is Kind.RECORD)
    view.list_page.list.opened.emit(0)
    assert desk.went == [view.presenter.hit.passage.id]  # pyright: ignore[reportOptionalMemberAccess]
    await until(lambda: buttons(view) == ["Open in its place"])
    await view.open_original()
    assert len(desk.went) == 2


async def test_what_is_added_meanwhile_is_found_without_asking_again(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "xylophone")
    await desk.workspace.memory.remember("music", "The xylophone is in the cellar.", Tier.SEMANTIC)
    await until(lambda: titles(view) == ["music"])


def result(**changes: object) -> SearchResult:
    values = {"request": SearchRequest("ramp"), "hits": (), "total": 0, "passages": 200, "meaning_ready": 50}
    return SearchResult(**{**values, **changes})  # pyright: ignore[reportArgumentType]


def test_it_is_said_while_meaning_is_prepared() -> None:
    assert words.meaning_waits(result()) == "Meaning is still being prepared: 25 % of the passages are ready."
    assert words.meaning_waits(result(meaning_ready=200)) == ""
    assert words.meaning_waits(result(request=SearchRequest("ramp", Mode.WORDS))) == ""
    assert words.meaning_waits(result(meaning_note="It can't be used here.")) == "It can't be used here."


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (
            Reason(words=("REF-48213",), words_rank=1, lookup=True),
            ["It holds exactly what you asked for: “REF-48213”."],
        ),
        (Reason(words=("ramp",), words_rank=2), ["It holds “ramp” (2nd by words)."]),
        (Reason(meaning_rank=11, similarity=0.4), ["It is close in meaning to your question (11th by meaning)."]),
        (Reason(meaning_rank=3, similarity=0.7), ["It is very close in meaning to your question (3rd by meaning)."]),
        (Reason(), []),
    ],
)
def test_reasons_are_sentences(reason: Reason, said: list[str]) -> None:
    assert words.found_because(reason) == said


def test_dates_reach_back_to_the_start_of_a_day() -> None:
    now = datetime(2026, 12, 1, 15, 30).timestamp()
    assert words.since("week", now) == datetime(2026, 11, 24).timestamp()
    assert words.since("", now) is None
    assert Narrowing(date="custom", after=5.0, before=9.0).filters(now).before == 9.0
    assert Narrowing(where="papers").filters(now).kinds == frozenset({Kind.PAPER})


async def test_it_is_said_when_only_the_meaning_is_near(desk: Desk, tmp_path: Path) -> None:
    view = await asked(desk, tmp_path, "handrail", Mode.BOTH)
    assert not view.note.isVisible()
    assert view.presenter.result is not None
    hit = view.presenter.result.hits[0]
    far = replace(hit, reason=Reason(meaning_rank=1, similarity=0.2))
    assert words.without_words(result(hits=(far,))) == "Nothing holds these words. This is near in meaning:"
    assert words.without_words(result(hits=(far, hit))) == ""
    assert words.without_words(result()) == ""
