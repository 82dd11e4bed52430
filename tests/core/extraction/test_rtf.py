"""RTF: charsets of fonts, what is seen and what isn't, tables, and what stands beside the text."""

import pytest

from tests.core.extraction.reading import read, text


def rtf(body: bytes, head: bytes = rb"\ansicpg1252") -> str:
    return text(read(rb"{\rtf1\ansi" + head + body + b"}", "letter.rtf"))


@pytest.mark.parametrize(
    ("charset", "letters", "words"),
    [
        (128, "こんにちは".encode("cp932"), "こんにちは"),
        (134, "就诊时间".encode("gbk"), "就诊时间"),
        (129, "진료".encode("cp949"), "진료"),
        (204, "Приём".encode("cp1251"), "Приём"),
        (238, "Čekárna".encode("cp1250"), "Čekárna"),
        (177, "שלום".encode("cp1255"), "שלום"),
    ],
)
def test_letters_are_those_of_their_font(charset: int, letters: bytes, words: str) -> None:
    fonts = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fnil\fcharset%d Own;}}" % charset
    escaped = b"".join(rb"\'%02x" % byte for byte in letters)
    assert rtf(rb"\f0 M\'fcller \f1 " + escaped + rb"\f0  ja\par", fonts) == f"Müller {words} ja"
    assert rtf(rb"{\f1 " + letters + rb"}\'fc\par", fonts) == f"{words}ü"


def test_the_codepage_of_the_file_counts_where_the_font_says_nothing() -> None:
    assert rtf(rb"{\fonttbl{\f0 Arial;}}\f0 za\'bf\'f3\'b3\'e6\par", rb"\ansicpg1250") == "zażółć"
    assert rtf(rb"caf\'8e\par", rb"\mac ") == "café"


def test_unicode_with_its_stand_ins() -> None:
    assert rtf(rb"\u8364?5 \uc2\u26085\'93\'fa\u26412xy \uc0\u8364 \uc1{\uc3\u8364abc}\u8364{}z\par") == "€5 日本 €€€z"
    assert rtf(rb"\u-10179?\u-8704?\par") == "😀"
    assert rtf(rb"{\upr{Muller}{\*\ud{M\u252?ller}}}\par") == "Müller"


def test_deleted_and_hidden_text_pictures_and_unknown_groups_are_not_seen() -> None:
    body = (
        rb"The fee is {\deleted ninety }\v secret\v0 fifty{\*\unknown nothing}{\pict\wmetafile8 0102abcd} francs"
        rb"{\*\bkmkstart a}{\stylesheet{\s1 heading 1;}}{\field{\*\fldinst HYPERLINK http://x}{\fldrslt  here}}"
        rb"\bin4 }{}}.\par"
    )
    assert rtf(body) == "The fee is fifty francs here."


def test_tables_headings_and_paragraphs_in_cells() -> None:
    body = (
        rb"{\stylesheet{\s1 heading 1;}{\s7\ql Normal;}}\pard\s1 Prices\par\pard"
        rb"\trowd\cellx1\cellx2\intbl Flu\cell 40\par and more\cell\row"
        rb"\trowd\cellx1\cellx2\intbl Tetanus\cell 35\cell\row\pard after\par"
    )
    result = read(rb"{\rtf1\ansi" + body + b"}", "prices.rtf")
    assert text(result) == "Prices\n\nFlu | 40 and more\nTetanus | 35\n\nafter"
    assert result.passages[0].heading == ("Prices",)


def test_notes_headers_comments_and_boxes_stand_beside_the_text() -> None:
    body = (
        rb"{\header Letterhead\par}The body{\footnote {\super 1} See the law.\par}"
        rb"{\*\atnauthor Ann}{\*\annotation Ask her.\par} goes on.\par"
        rb"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt In a box.\par}}}"
    )
    found = rtf(body)
    assert found.startswith("The body goes on.")
    for title, words in (("Header", "Letterhead"), ("Footnotes", "1 See the law."), ("Text boxes", "In a box.")):
        assert f"{title}\n\n{words}" in found
    assert "Ann\nAsk her." in found


def test_web_pages_wrapped_in_rtf_by_outlook() -> None:
    body = (
        rb"\fromhtml1{\*\htmltag64 <p>}\htmlrtf{\f0\htmlrtf0 See you{\*\htmltag84 &nbsp;}\htmlrtf\'a0\htmlrtf0"
        rb"{\*\htmltag <b>} on Friday\htmlrtf\par}\htmlrtf0{\*\htmltag72 </p>}{\*\htmltag64 <p>}Ann{\*\htmltag72 </p>}"
    )
    assert rtf(body).split("\n\n") == ["See you on Friday", "Ann"]


def test_properties_in_their_charset() -> None:
    result = read(rb"{\rtf1\ansi\ansicpg1250{\info{\title N\'e1v\u353?t\'ecva}{\author Ji\'f8\'ed}}x\par}", "a.rtf")
    assert (result.title, result.author) == ("Návštěva", "Jiří")


@pytest.mark.parametrize(
    "odd", [rb"{\rtf1", rb"{\rtf1 a}}}}b", rb"{\rtf1 \'zz\'4 \u a\bin999999999 b", rb"{\rtf1 " + b"{" * 9000]
)
def test_broken_rtf_ends(odd: bytes) -> None:
    assert "needle" in text(read(rb"{\rtf1 needle\par}" + odd, "a.rtf"))
