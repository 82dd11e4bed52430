"""Text to read: nothing is markup, marks stay where they are, line breaks of a page's width go."""

from PySide6.QtWidgets import QApplication

from ui.search.details import GLIMPSE, beginning, ending
from ui.widgets.passage_text import Part, PassageText, flowing, marks_of
from ui.widgets.theme import Theme


def test_breaks_of_a_pages_width_become_spaces_one_for_one() -> None:
    wrapped = (
        "Two marked places lie on the north side, 18 metres from\nthe door. The kerb is lowered.\n- item\nshort\nlines"
    )
    said = flowing(wrapped)
    assert said == wrapped.replace("from\nthe", "from the")
    assert len(said) == len(wrapped)
    assert flowing("") == ""


def test_marks_find_words_in_any_case_without_overlaps() -> None:
    assert marks_of("Ramp and ramps (a+b)", ["ramp", "ramps", "a+b"]) == [(0, 4), (9, 14), (16, 19)]
    assert marks_of("anything", ["", " "]) == []


def test_what_stands_around_is_cut_between_words() -> None:
    words = "word " * 100
    assert ending(words).startswith("… word")
    assert beginning(words).endswith("word …")
    assert len(beginning(words)) <= GLIMPSE + 2
    assert ending("short") == beginning("short") == "short"


def test_text_of_a_paper_is_never_markup(qapp: QApplication, look: Theme) -> None:
    text = PassageText("Text")
    text.resize(300, 100)
    hostile = "<b>bold</b><img src='file:///etc/passwd'> &amp; {x}"
    text.show_parts([Part("Page 1", "caption"), Part(hostile, marks=((3, 7),), name="0")])
    assert text.toPlainText() == f"Page 1\n{hostile}"
    assert text.top_of("0") is not None
    assert text.top_of("9") is None
    assert text.height() == text.sizeHint().height()


def test_the_look_of_the_text_follows_the_theme(qapp: QApplication, look: Theme) -> None:
    text = PassageText("Text")
    text.show_parts([Part("word")])
    before = text.height()
    look.set_scale(200)
    try:
        qapp.sendPostedEvents()
        assert text.height() > before
    finally:
        look.set_scale(100)
