"""Plain text, Markdown, web pages, tables, JSON and XML."""

import pytest

from core.adapters.extraction.dates import from_digits
from core.domain.extraction import RefusalCode
from tests.core.extraction.reading import read, refuse, text


def test_markdown_keeps_every_letter_and_its_headings() -> None:
    source = "# Clinic\n\nIntro.\n\n```sh\n# no heading\n```\n\n" + "## Hours ##\n\n" + "The desk opens at eight. " * 80
    result = read(source.encode(), "clinic.md")
    assert result.format == "md"
    assert result.title == "Clinic"
    assert result.passages[-1].heading == ("Clinic", "Hours")
    assert "# no heading" in text(result)
    assert "no heading" not in {word for passage in result.passages for word in passage.heading}


HEADERS = [
    "---\ntitle: Opening hours: winter\n---\n",
    "---\ntitle: 'unclosed\n---\n",
    "---\ntitle: never closed\n\n",
    "---\r\ntitle: returns\r\n---\r\n",
    "\ufeff---\ntitle: a mark\n---\n",
    "---\nlist:\n\t- one\n---\n",
    "---\na: &a [x]\nb: *a\n---\n",
    "---\nvalue: !!python/object/apply:os.getcwd []\n---\n",
    "+++\ntitle = 'toml'\n+++\n",
    '{\n"title": "json"\n}\n',
    "---\n\nA rule, no header.\n\n---\n",
    "---\nid: one\n---\n\n---\ntitle: two\n---\n",
]


@pytest.mark.parametrize("header", HEADERS)
def test_no_header_stands_in_the_way_of_the_body(header: str) -> None:
    result = read(f"{header}\nThe body is found.\n".encode(), "note.md")
    assert "The body is found." in text(result)
    for word in header.split():
        assert word.strip("\ufeff") in text(result)


@pytest.mark.parametrize("header", [HEADERS[0], HEADERS[1], HEADERS[2], HEADERS[5], HEADERS[7]])
def test_a_header_that_cannot_be_understood_is_named(header: str) -> None:
    notes = read(f"{header}\nbody\n".encode(), "note.md").notes
    assert [note.code for note in notes] == ["header_unreadable"]
    assert "note.md" in notes[0].sentence


def test_a_sound_header_gives_the_title_and_no_note() -> None:
    result = read(b"---\ntitle: Price list\nauthor: Ann\n---\n\nbody\n", "note.md")
    assert (result.title, result.author, result.notes) == ("Price list", "Ann", [])


def test_a_page_without_what_runs_or_is_fetched() -> None:
    page = (
        "<html><head><title>Rates</title><style>.noise{}</style><script>var noise=1</script></head><body>"
        "<h1>May</h1><p>One<b>word</b> and\n another</p><p>line<br>break</p>"
        "<img src='data:image/png;base64,AAAA' alt='Map'>"
        "<ul><li>first<li>second</ul><pre>kept\n  lines</pre><template>noise</template></body></html>"
    )
    result = read(page.encode(), "rates.html")
    assert (
        text(result) == "Rates\n\nMay\n\nOneword and another\n\nline\nbreak\n\nMap\n\nfirst\n\nsecond\n\nkept\n  lines"
    )
    assert result.title == "Rates"


def test_tables_of_data_are_rows_and_tables_of_layout_are_not() -> None:
    data = "<table><tr><th>Kind<th>Price</tr><tr><td>Flu<td>40</tr></table>"
    assert "Kind | Price\nFlu | 40" in text(read(f"<html><body>{data}</body></html>".encode(), "a.html"))
    layout = f"<html><body><table><tr><td><h2>News</h2><td>{data}</tr></table></body></html>"
    found = text(read(layout.encode(), "b.html"))
    assert "News" in found
    assert "Flu | 40" in found


def test_deep_pages_are_read_to_the_bottom() -> None:
    page = "<html><body>" + "<div>" * 1200 + "needle" + "</div>" * 1200
    assert text(read(page.encode(), "deep.html")) == "needle"


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "cp1256"),
        ("windows-1256", "cp1256"),
        ("utf-8", "utf-8"),
        ("utf-8", "utf-16"),
        ("x-user-defined", "utf-8"),
    ],
)
def test_declared_charsets_true_and_false(declared: str, encoding: str) -> None:
    page = f'<html><head><meta charset="{declared}"></head><body><p>العيادة مغلقة يوم الجمعة</p></body></html>'
    assert text(read(page.encode(encoding), "page.html")) == "العيادة مغلقة يوم الجمعة"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_rows_are_found_as_written_under_their_columns(delimiter: str) -> None:
    rows = [delimiter.join((f"name {number}", f"street {number}", str(number))) for number in range(400)]
    header = delimiter.join(("Name", "Street", "Number"))
    result = read("\r\n".join([header, *rows]).encode(), "people.csv")
    assert result.format == "csv"
    assert len(result.passages) > 5
    assert all(passage.text.startswith(header) for passage in result.passages)
    lines = [line for passage in result.passages for line in passage.text.split("\n")]
    assert [line for line in lines if line != header] == rows


def test_no_row_is_lost() -> None:
    ragged = 'a,b,c\n1,2,3,4\n5\n"unclosed,6\n7,8,9\n"two\nlines",10,11\n'
    found = text(read(ragged.encode(), "ragged.csv"))
    for row in ("1,2,3,4", "5", "7,8,9", "10,11", "two"):
        assert row in found
    wide = ",".join(f"column {number}" for number in range(900))
    values = ",".join(f"value{number}" for number in range(900))
    result = read(f"{wide}\n{values}\n".encode(), "wide.csv")
    assert all(f"value{number}" in text(result) for number in range(900))
    assert all(len(passage.text) <= 1600 for passage in result.passages)


def test_numbers_name_no_columns() -> None:
    assert text(read(b"1,2\n3,4\n5,6\n", "n.csv")) == "1,2\n3,4\n5,6"
    assert text(read("名前,年齢\n佐藤太郎,30\n".encode("cp932"), "j.csv")) == "名前,年齢\n佐藤太郎,30"


def test_json_becomes_lines_and_broken_json_stays_text() -> None:
    result = read(b'{"patient": {"name": "M\\u00fcller", "tags": ["a", "b"], "open": true, "none": null}}', "x.json")
    assert text(result) == "patient name: Müller\npatient tags: a\npatient tags: b\npatient open: true"
    half = read(b'{"patient": "Kowalski", ', "half.json")
    assert "Kowalski" in text(half)
    assert [note.code for note in half.notes] == ["damaged"]
    assert "needle" in text(read(b'{"text": "half \\ud83d and needle"}', "s.json"))


def test_xml_is_read_and_its_entities_are_not() -> None:
    assert "city: Bern" in text(read(b"<?xml version='1.0'?><a><city>Bern</city></a>", "x.xml"))
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY b "bbbb"><!ENTITY c "'
        + b"&b;" * 100
        + b'">]><a><x>words &f; &c;</x></a>'
    )
    found = text(read(bomb, "bomb.xml"))
    assert "words" in found
    assert "root:" not in found
    assert "bbbb" not in found


def test_text_is_text_whatever_its_name_says() -> None:
    assert read(b"wombat", "no_extension").format == "txt"
    assert refuse(b"just words", "letter.docx").code is RefusalCode.DAMAGED
    assert refuse(bytes(range(256)) * 4, "random.bin").code is RefusalCode.UNSUPPORTED
    assert refuse(b"", "empty.md").code is RefusalCode.EMPTY
    assert refuse(b" \n ", "blank.md").code is RefusalCode.NO_TEXT


@pytest.mark.parametrize(
    ("raw", "iso"),
    [
        ("D:20260417093000+02'00'", "2026-04-17T09:30:00+02:00"),
        ("20260417", "2026-04-17"),
        ("2026-04-17T09:30:00Z", "2026-04-17T09:30:00+00:00"),
        ("202604", "2026-04"),
        ("20269917", None),
        ("00000000", None),
        ("2026", None),
        ("soon", None),
        ("", None),
    ],
)
def test_dates_are_iso_or_nothing(raw: str, iso: str | None) -> None:
    assert from_digits(raw) == iso


def test_fields_readings_and_frames_of_a_page() -> None:
    page = (
        "<p><ruby>東<rt>とう</rt></ruby><ruby>京<rt>きょう</rt></ruby></p>"
        "<input value='typed in'><input type=hidden value=noise><input type=submit value=noise>"
    )
    found = text(read(page.encode(), "form.html"))
    assert "東京" in found
    assert "typed in" in found
    assert "noise" not in found
    frames = "<html><frameset><frame src=a><noframes><p>said to old browsers</p></noframes></frameset></html>"
    assert "said to old browsers" in text(read(frames.encode(), "frames.html"))


@pytest.mark.parametrize(
    ("encoding", "declared", "words"),
    [
        ("cp1251", "koi8-r", "Уважаемая Ольга, договор готов"),
        ("cp1256", "windows-1252", "موعدكم يوم الخميس في الساعة"),
        ("cp1250", "iso-8859-2", "Příští kontrola ve čtvrtek, Jiří"),
        ("iso8859_2", "windows-1250", "Zażółć gęślą jaźń"),
        ("cp1252", "macintosh", "Grüße aus Köln, café"),
        ("mac_roman", "macintosh", "Grüße aus Köln, café"),
        ("euc_jp", "shift_jis", "ご予約は木曜日の午前です"),
        ("big5", "utf-8", "您的預約時間是星期四"),
    ],
)
def test_pages_that_declare_another_charset(encoding: str, declared: str, words: str) -> None:
    page = f"<html><head><meta charset={declared}></head><body><p>{words}</p></body></html>"
    assert words in text(read(page.encode(encoding), "page.html"))
    late = f"<html><!-- {'x' * 60_000} --><body><p>{words}</p></body></html>"
    assert words in text(read(late.encode(encoding), "page.html"))


@pytest.mark.parametrize(
    "way",
    ["hidden", 'style="display:none"', "style='color:red; visibility : hidden'", 'style="mso-hide:all"'],
)
def test_what_a_page_hides_stands_apart_behind_what_it_shows(way: str) -> None:
    page = f"<p>seen</p><div {way}><p {way}>unseen</p><table><tr><td>cell<td>x</table></div><p>seen too</p>"
    shown, apart = read(page.encode(), "a.html").passages
    assert shown.text.split() == ["seen", "seen", "too"]
    assert apart.text.split() == ["Not", "shown", "on", "the", "page:", "unseen", "cell", "|", "x"]
    assert text(read(f"<div {way}><p>by its script</div>".encode(), "b.html")) == "by its script"


@pytest.mark.parametrize(
    ("charset", "words"),
    [("shift_jis", "診療時間 ｶﾅ"), ("gb2312", "就诊时间"), ("big5", "門診時間"), ("euc-kr", "진료 시간")],
)
def test_short_pages_in_their_declared_charset(charset: str, words: str) -> None:
    page = f"<html><meta charset={charset}><body>{words}</body></html>"
    assert text(read(page.encode(charset), "a.html")) == words
