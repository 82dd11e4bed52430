"""Word, PowerPoint, Excel, OpenDocument and RTF."""

import io
import time
import zipfile
from typing import Any

import docx
import pptx
import pytest
import xlsxwriter
from msoffcrypto.format.ooxml import OOXMLFile
from pptx.util import Emu

from core.domain.extraction import RefusalCode
from tests.core.extraction.making import STRICT_WORD, paragraph, run, sheet, word, zipped
from tests.core.extraction.reading import read, refuse, text


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def letter() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Prices 2026"
    document.core_properties.author = "Front desk"
    document.sections[0].header.paragraphs[0].text = "Northside Clinic"
    document.sections[0].footer.paragraphs[0].text = "Bank: 12 34 56"
    document.add_heading("Price list", 1)
    document.add_paragraph("All prices are in euros.")
    document.add_heading("Vaccination", 2)
    table = document.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, [("Kind", "Price"), ("Flu", "40"), ("Travel", "90")], strict=True):
        row.cells[0].text, row.cells[1].text = cells
    return saved(document)


def test_word_headings_tables_header_and_footer() -> None:
    result = read(letter(), "prices.docx")
    found = text(result)
    for words in ("All prices are in euros.", "Kind | Price", "Flu | 40", "Northside Clinic", "Bank: 12 34 56"):
        assert words in found
    assert (result.format, result.title, result.author) == ("docx", "Prices 2026", "Front desk")


def test_headings_are_the_path_of_their_passages() -> None:
    document = docx.Document()
    document.add_heading("Clinic", 1)
    document.add_heading("Opening hours", 2)
    document.add_paragraph("The desk opens at eight. " * 60)
    document.add_heading("Parking", 2)
    document.add_paragraph("There are six places behind the house. " * 60)
    passages = read(saved(document), "clinic.docx").passages
    assert {passage.heading for passage in passages} == {("Clinic", "Opening hours"), ("Clinic", "Parking")}


def test_merged_cells_are_said_once() -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "both rows"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "both columns"
    found = text(read(saved(document), "merged.docx"))
    assert found.count("both rows") == 1
    assert found.count("both columns") == 1


BOX = (
    '<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    "<mc:Choice><w:drawing><w:txbxContent>{0}</w:txbxContent></w:drawing></mc:Choice>"
    "<mc:Fallback><w:pict><w:txbxContent>{0}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


def test_text_boxes_once_deletions_never() -> None:
    body = (
        f"<w:p>{run('before ')}{BOX.format(paragraph('in the box'))}{run('after')}</w:p>"
        "<w:p><w:del><w:r><w:delText>struck out</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>put in</w:t></w:r></w:ins></w:p>"
        "<w:p><w:r><w:ruby><w:rt><w:r><w:t>reading</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase>"
        "</w:ruby></w:r><w:r><w:t>京</w:t></w:r></w:p>"
    )
    found = text(read(word(body), "box.docx"))
    assert found.count("in the box") == 1
    assert "before after" in found
    assert "struck out" not in found
    assert "put in" in found
    assert "東京" in found


def test_notes_comments_and_a_merged_in_page() -> None:
    parts = {
        "footnotes.xml": (
            "footnotes",
            f"<w:footnotes><w:footnote>{paragraph('the small print')}</w:footnote></w:footnotes>",
        ),
        "comments.xml": (
            "comments",
            f'<w:comments><w:comment w:author="Ann">{paragraph("ask him")}</w:comment></w:comments>',
        ),
        "chunk.html": ("aFChunk", "<p>from the page</p>"),
    }
    found = text(read(word(paragraph("body") + '<w:altChunk r:id="r2"/>', parts=parts), "notes.docx"))
    for words in ("body", "the small print", "Ann: ask him", "from the page"):
        assert words in found


def test_strict_files_are_read() -> None:
    assert text(read(word(paragraph("strictly speaking"), space=STRICT_WORD), "strict.docx")) == "strictly speaking"


def test_word_under_another_name_is_found_by_content() -> None:
    assert read(letter(), "letter.doc").format == "docx"
    assert read(letter(), "letter").format == "docx"


def test_a_file_that_unpacks_too_far_is_refused_unopened() -> None:
    bomb = zipped({"[Content_Types].xml": "", "word/document.xml": b"\0" * (60 << 20)})
    assert len(bomb) < 100_000
    assert refuse(bomb, "bomb.docx").code is RefusalCode.TOO_LARGE


@pytest.mark.parametrize("name", ["letter.docx", "letter.zip", "letter.odt"])
def test_half_a_file_is_damaged(name: str) -> None:
    assert refuse(letter()[:3000], name).code is RefusalCode.DAMAGED


def test_a_locked_letter_asks_and_opens() -> None:
    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(letter())).encrypt("secret", locked)
    assert refuse(locked.getvalue(), "letter.docx").code is RefusalCode.PASSWORD
    assert refuse(locked.getvalue(), "letter.docx", password="wrong").code is RefusalCode.PASSWORD
    opened = read(locked.getvalue(), "letter.docx", password="secret")
    assert opened.format == "docx"
    assert "All prices are in euros." in text(opened)


def test_slides_with_tables_groups_and_notes() -> None:
    deck = pptx.Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Slide number {number}"
        slide.notes_slide.notes_text_frame.text = f"say hello {number}"
        group = slide.shapes.add_group_shape()
        group.shapes.add_textbox(Emu(0), Emu(0), Emu(10), Emu(10)).text_frame.text = f"in a group {number}"
        table = slide.shapes.add_table(1, 2, Emu(0), Emu(0), Emu(10), Emu(10)).table
        table.cell(0, 0).text, table.cell(0, 1).text = "left", f"right {number}"
    result = read(saved(deck), "deck.pptx")
    assert result.pages == 2
    for number in (1, 2):
        found = "\n".join(passage.text for passage in result.passages if passage.page == number)
        for words in (
            f"Slide number {number}",
            f"say hello {number}",
            f"in a group {number}",
            f"left | right {number}",
        ):
            assert words in found


def workbook() -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        patients = book.add_worksheet("Patients")
        patients.write_row(0, 0, ["Name", "Insurance", "Weight"])
        patients.write_row(1, 0, ["Kowalski", 123456789012345, 70.5])
        patients.write(500_000, 0, "far below")
        book.add_worksheet("Empty")
        prices = book.add_worksheet("Prices")
        prices.write_row(0, 0, ["Kind", "Price"])
        for row in range(1, 300):
            prices.write_row(row, 0, [f"service {row}", row])
    return buffer.getvalue()


def test_sheets_rows_and_long_numbers() -> None:
    result = read(workbook(), "book.xlsx")
    assert result.pages == 3
    found = text(result)
    assert "Kowalski | 123456789012345 | 70.5" in found
    assert "far below" in found
    for row in (1, 150, 299):
        assert f"service {row} | {row}" in found
    prices = [passage for passage in result.passages if passage.page == 3]
    assert len(prices) > 2
    assert all("Kind | Price" in passage.text for passage in prices)
    assert prices[0].heading == ("Prices",)


def test_opendocument() -> None:
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<o:document-content xmlns:o="{space}:office:1.0" xmlns:t="{space}:text:1.0" xmlns:b="{space}:table:1.0">'
        "<o:body><o:text><t:h t:outline-level='1'>Notice</t:h><t:p>Closed<t:s t:c='2'/>on<t:line-break/>Friday</t:p>"
        "<b:table><b:table-row><b:table-cell><t:p>a</t:p></b:table-cell><b:table-cell><t:p>b</t:p></b:table-cell>"
        "</b:table-row></b:table></o:text></o:body></o:document-content>"
    )
    data = zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})
    result = read(data, "notice.odt")
    assert result.format == "odt"
    assert "Closed  on\nFriday" in text(result)
    assert "a | b" in text(result)


def test_rtf_in_code_pages_and_with_an_embedded_file() -> None:
    packed = b"\x02\x00list.txt\x00C:\\list.txt\x00\x00\x00\x03\x00\x0c\x00\x00\x00C:\\list.txt\x00"
    inside = b"the packed words"
    packed += len(inside).to_bytes(4, "little") + inside
    data = (
        rb"{\rtf1\ansi\ansicpg1250{\info{\title Visit}{\author Ann}{\creatim\yr2026\mo4\dy7}}"
        rb"za\'bf\'f3\'b3\'e6 g\'ea\'9cl\'b9\par \u26481?\u20140? half \u55357? end"
        rb"{\object\objemb{\*\objclass Package}{\*\objdata " + packed.hex().encode() + rb"}}}"
    )
    result = read(data, "visit.rtf")
    assert "zażółć gęślą" in text(result)
    assert "東京" in text(result)
    assert (result.title, result.author, result.written_on) == ("Visit", "Ann", "2026-04-07")
    assert [passage.text for passage in result.passages if passage.part == "list.txt"] == ["the packed words"]


def test_words_of_pictures_charts_and_embedded_files_in_word() -> None:
    described = (
        '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="x" descr="The way to the clinic"/></w:drawing></w:r>'
        '<w:r><w:pict><v:shape xmlns:v="v"><v:textpath string="Welcome"/></v:shape></w:pict></w:r></w:p>'
    )
    chart = (
        '<c:chart xmlns:c="c" xmlns:a="a"><a:p><a:r><a:t>Visits</a:t></a:r></a:p>'
        "<c:strCache><c:pt><c:v>spring</c:v></c:pt></c:strCache></c:chart>"
    )
    parts = {
        "charts/chart1.xml": ("chart", chart),
        "diagrams/data1.xml": (
            "diagramData",
            '<d:model xmlns:d="d" xmlns:a="a"><a:p><a:t>Head nurse</a:t></a:p></d:model>',
        ),
    }
    found = text(read(word(paragraph("body") + described, parts=parts), "pictures.docx"))
    for words in ("The way to the clinic", "Welcome", "Visits", "spring", "Head nurse"):
        assert words in found


def test_a_file_inside_a_letter_is_a_part_of_it() -> None:
    inner = word(paragraph("words of the inner letter"))
    outer = word(paragraph("body"), members={"embeddings/inner.docx": ("package", inner)})
    passages = read(outer, "outer.docx").passages
    assert [passage.part for passage in passages if "inner letter" in passage.text] == ["inner.docx"]


def test_content_controls_by_the_hundred() -> None:
    body = "<w:sdt><w:sdtContent>" * 900 + paragraph("the innermost words") + "</w:sdtContent></w:sdt>" * 900
    assert "the innermost words" in text(read(word(body), "nested.docx"))


def test_what_breaks_off_inside_is_kept_and_said() -> None:
    whole = word(paragraph("first words") * 50)
    cut = zipped({"[Content_Types].xml": "", "word/document.xml": whole_document(whole)[:900]})
    result = read(cut, "cut.docx")
    assert "first words" in text(result)
    assert [note.code for note in result.notes] == ["damaged"]


def whole_document(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("word/document.xml")


def test_a_part_whose_bytes_changed_is_read_as_far_as_it_goes() -> None:
    body = paragraph("The first words.") + paragraph("Some more of them. " * 1000)
    data = bytearray(zipped({"[Content_Types].xml": "", "word/document.xml": whole_document(word(body))}, stored=True))
    place = data.index(b"first words")
    data[place : place + 5] = b"FIRST"  # the checksum no longer fits
    result = read(bytes(data), "changed.docx")
    assert "The FIRST words." in text(result)
    assert [note.code for note in result.notes] == ["damaged"]


def test_slides_with_described_pictures_and_shapes_of_the_master() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    picture = slide.shapes.add_textbox(Emu(0), Emu(0), Emu(10), Emu(10))
    element: Any = picture._element  # pyright: ignore[reportPrivateUsage]
    element.nvSpPr.cNvPr.set("descr", "The way to the clinic")
    master = deck.slide_masters[0]._element  # pyright: ignore[reportPrivateUsage]
    fixed = slide.shapes.add_textbox(Emu(0), Emu(0), Emu(10), Emu(10))
    fixed.text_frame.text = "Confidential"
    master.cSld.spTree.append(fixed._element)  # pyright: ignore[reportPrivateUsage]
    found = text(read(saved(deck), "deck.pptx"))
    assert "The way to the clinic" in found
    assert found.count("Confidential") == 1


def test_a_cell_in_the_last_corner_of_a_sheet() -> None:
    rows = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" s="1"><v>46129</v></c></row>'
        '<row r="1048576"><c r="XFD1048576" t="str"><v>the corner</v></c><c t="b"><v>1</v></c></row>'
    )
    begun = time.perf_counter()
    result = read(sheet(rows), "corner.xlsx")
    assert time.perf_counter() - begun < 10
    assert "Name | 2026-04-17" in text(result)
    assert "the corner | TRUE" in text(result)
    assert [passage.page for passage in result.passages] == [1]


def test_numbers_are_read_as_their_cells_show_them() -> None:
    rows = (
        '<row r="3"><c r="C3" s="2"><v>45.5</v></c><c r="D3" s="3"><v>0.19</v></c><c r="E3" s="4"><v>1307</v></c></row>'
        '<row r="5"><c r="C5"><v>36.6</v></c><c r="D5" s="2"><f>1/3</f><v>0.3333333</v></c>'
        '<c r="E5" s="1"><v>46129</v></c></row>'
    )
    found = text(read(sheet(rows), "shown.xlsx"))
    assert "45.50 | 19% | 01307" in found
    assert "36.6 | 0.33 | 2026-04-17" in found


def test_comments_boxes_and_edges_of_a_sheet() -> None:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer) as book:
        page = book.add_worksheet("Prices")
        page.write(0, 0, "Flu")
        page.write_comment(0, 0, "ask before you order", {"author": "Ann"})
        page.insert_textbox(3, 3, "valid until June")
        page.set_header("&L&8Northside Clinic&R&P")
        chart: Any = book.add_chart({"type": "column"})
        chart.add_series({"values": "=Prices!$A$1:$A$2"})
        chart.set_title({"name": "Visits in spring"})
        page.insert_chart("F9", chart)
    found = text(read(buffer.getvalue(), "prices.xlsx"))
    for words in ("ask before you order", "valid until June", "Northside Clinic", "Visits in spring"):
        assert words in found


def test_a_far_cell_of_an_opendocument_sheet() -> None:
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<o:document-content xmlns:o="{space}:office:1.0" xmlns:t="{space}:text:1.0" xmlns:b="{space}:table:1.0">'
        "<o:body><o:spreadsheet>"
        "<b:table b:name='Prices'><b:table-row><b:table-cell><t:p>Flu</t:p></b:table-cell></b:table-row>"
        "<b:table-row b:number-rows-repeated='1048574'><b:table-cell b:number-columns-repeated='16384'/></b:table-row>"
        "<b:table-row><b:table-cell b:number-columns-repeated='16383'/><b:table-cell><t:p>the corner</t:p>"
        "</b:table-cell></b:table-row></b:table></o:spreadsheet></o:body></o:document-content>"
    )
    data = zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content})
    found = text(read(data, "prices.ods"))
    assert "Flu" in found
    assert "the corner" in found


def test_text_formatted_as_hidden_is_not_read() -> None:
    hidden = "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:t>seen</w:t></w:r></w:p>"
    shown = '<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown</w:t></w:r></w:p>'
    assert text(read(word(hidden + shown), "a.docx")).split() == ["seen", "shown"]
