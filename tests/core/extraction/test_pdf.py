"""PDF: pages under their true numbers, and everything that is not plain page text."""

import pytest

from core.adapters.extraction.hyphens import LineEnds
from core.domain.extraction import RefusalCode
from tests.core.extraction.making import cut_off_pdf, pdf
from tests.core.extraction.reading import cutter, read, refuse, text


def test_each_page_has_its_number() -> None:
    result = read(pdf("The first page", "The second page", "The third page"), "three.pdf")
    assert [(passage.page, passage.text) for passage in result.passages] == [
        (1, "The first page"),
        (2, "The second page"),
        (3, "The third page"),
    ]
    assert (result.format, result.media_type, result.pages) == ("pdf", "application/pdf", 3)
    assert result.title == "A small paper"
    assert result.author == "Front desk"
    assert result.written_on == "2026-04-17T09:30:00+02:00"


def test_a_page_that_fails_is_named_and_moves_no_number() -> None:
    result = read(pdf("The first page", None, "The third page"), "hole.pdf")
    assert [(passage.page, passage.text) for passage in result.passages] == [
        (1, "The first page"),
        (3, "The third page"),
    ]
    assert [(note.code, note.page) for note in result.notes] == [("page_unreadable", 2)]


def test_a_page_without_text_is_named_beside_others() -> None:
    result = read(pdf("The first page", "", "The third page"), "mixed.pdf")
    assert [passage.page for passage in result.passages] == [1, 3]
    assert [(note.code, note.page) for note in result.notes] == [("page_without_text", 2)]


def test_a_paper_without_text_is_refused() -> None:
    assert refuse(pdf("", ""), "scan.pdf").code is RefusalCode.NO_TEXT


def test_no_readable_page_is_damage() -> None:
    assert refuse(pdf(None), "broken.pdf").code is RefusalCode.DAMAGED


def test_annotations_and_form_fields_are_text() -> None:
    result = read(pdf("A form", annotation="call back on Monday", field="Maria Kowalski"), "form.pdf")
    assert "Ann: call back on Monday" in text(result)
    assert "Name: Maria Kowalski" in text(result)


def test_attachments_are_named_and_read() -> None:
    result = read(pdf("A letter", attachment=b"what the attachment says"), "letter.pdf")
    inside = [passage for passage in result.passages if passage.part == "note.txt"]
    assert [passage.text for passage in inside] == ["what the attachment says"]
    assert inside[0].page is None
    assert "Attachments: note.txt" in text(result)
    assert result.pages == 1


@pytest.mark.parametrize("password", ["secret", "päss"])
def test_a_locked_paper_asks_and_opens(password: str) -> None:
    data = pdf("Behind the lock", password=password)
    asked = refuse(data, "locked.pdf")
    assert asked.code is RefusalCode.PASSWORD
    wrong = refuse(data, "locked.pdf", password="wrong")
    assert wrong.code is RefusalCode.PASSWORD
    assert wrong.sentence != asked.sentence
    assert text(read(data, "locked.pdf", password=password)) == "Behind the lock"


def test_rubbish_before_the_header_and_a_wrong_name() -> None:
    assert text(read(b"\r\n\r\n" + pdf("Found by content"), "letter.txt")) == "Found by content"


@pytest.mark.parametrize("data", [b"%PDF-1.4", b"%PDF-1.7\n1 0 obj", pdf("x")[:120]])
def test_damaged_files_are_refused(data: bytes) -> None:
    assert refuse(data, "half.pdf").code in (RefusalCode.DAMAGED, RefusalCode.NO_TEXT)


def test_a_document_that_lies_about_its_pages_ends() -> None:
    data = pdf("The only page").replace(b"/Count 1 ", b"/Count 9999999 ")
    result = read(data, "liar.pdf")
    assert result.passages[0].text == "The only page"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("dual|encoder", "dual-encoder"),
        ("follow|up", "follow-up"),
        ("infor|mation", "information"),
        ("recep|tionist", "receptionist"),
        ("COVID|19", "COVID-19"),
        ("Mueller|Luedenscheidt", "Mueller-Luedenscheidt"),
        ("infor|mation dual|encoder", "information dual-encoder"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_stays_where_it_belongs(line: str, shown: str) -> None:
    broken = line.replace("|", "-) Tj 0 -15 Td (")
    assert text(read(pdf(broken), "lines.pdf")).split() == shown.split()


def test_what_the_paper_says_elsewhere_decides_on_a_hyphen() -> None:
    ends = LineEnds(cutter().tokens)
    assert ends.mended("The note-book lies here.") == "The note-book lies here."
    assert ends.mended("a note\ufffebook") == "a note-book"
    assert ends.mended("The followup was short. A follow\ufffe\r\nup") == "The followup was short. A followup"
    assert ends.mended("one\x02two\x02three") == "one-two-three"
    assert ends.mended("left open\ufffe") == "left open-"


def test_a_file_behind_a_paper_clip_is_read() -> None:
    result = read(pdf("A letter", clip=b"what the clip holds"), "letter.pdf")
    assert [passage.text for passage in result.passages if passage.part == "clip.txt"] == ["what the clip holds"]
    assert "see the file" in text(result)


def test_a_form_that_only_a_form_program_draws() -> None:
    form = (
        b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.0/">'
        b"<field><caption><value><text>Name of the patient</text></value></caption></field></template>"
        b'<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><patient>Maria Kowalski</patient>'
        b"</xfa:data></xfa:datasets></xdp:xdp>"
    )
    assert "Name of the patient\npatient: Maria Kowalski" in text(read(pdf("Please wait", form=form), "form.pdf"))
    assert "Maria Kowalski" in text(read(pdf("", form=form), "form.pdf"))


@pytest.mark.parametrize("catalog", [True, False])
def test_a_paper_that_breaks_off_before_its_index(catalog: bool) -> None:
    result = read(cut_off_pdf("Still to be read", catalog=catalog), "half.pdf")
    assert [(passage.page, passage.text) for passage in result.passages] == [(1, "Still to be read")]
    assert [note.code for note in result.notes] == ["damaged"]
    assert refuse(cut_off_pdf("x")[:200], "half.pdf").code is RefusalCode.DAMAGED


def test_a_page_with_damaged_content_is_named_and_later_pages_keep_their_numbers() -> None:
    result = read(pdf("one", "two", "three", broken=2), "list.pdf")
    assert [(note.code, note.page) for note in result.notes] == [("page_unreadable", 2)]
    assert "Page 2 of list.pdf is damaged" in result.notes[0].sentence
    assert [(passage.page, passage.text) for passage in result.passages if passage.page != 2] == [
        (1, "one"),
        (3, "three"),
    ]
    assert not read(pdf("one", "two", broken=0), "whole.pdf").notes


@pytest.mark.parametrize("lost", [20, 60, 200])
def test_a_file_that_lost_its_end_is_read_as_far_as_it_goes(lost: int) -> None:
    result = read(pdf("first", "second")[:-lost], "cut.pdf")
    assert [passage.text for passage in result.passages] == ["first", "second"]
