"""Cleaning and decoding."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.extraction.charset import decode, usable
from core.adapters.extraction.wide import wide_without_mark
from core.domain.text import clean, one_line, tidy
from tests.core.extraction.reading import read, text


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("Cafe\u0301 Zu\u0308rich", "Café Zürich"),
        ("before\x00after", "before after"),
        ("bell\x07 and \x1b[31m red \x1b[0mend", "bell and  red end"),
        ("op\u00adtional\u00adhyphen", "optionalhyphen"),
        ("exam\ufffe\r\nple", "example"),
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("whole \ud83d\ude00 pair", "whole 😀 pair"),
        ("\ufeffmark \ufffc\uffff", "mark "),
        ("tab\tstays \u200f\u200d", "tab\tstays \u200f\u200d"),
    ],
)
def test_cleaning(raw: str, kept: str) -> None:
    assert clean(raw) == kept


def test_tidy_and_one_line() -> None:
    assert tidy("\n\n a  \n\n\n\n b\t\n") == "a\n\n b"
    assert one_line(" a\n\tb\x00c ") == "a b c"


@given(st.text(st.characters(codec=None)))
def test_clean_text_can_be_stored_and_is_stable(raw: str) -> None:
    once = clean(raw)
    once.encode("utf-8")
    assert clean(once) == once
    assert "\0" not in once


WORDS = {
    "cp1252": "Prix : 40 € – l’été à Besançon",
    "cp1250": "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "cp1251": "Договор лежит в синей папке.",
    "koi8_r": "Привет, как дела, договор у меня",
    "cp866": "Счёт оплачен вчера",
    "cp1253": "Η απόδειξη είναι εδώ",
    "cp1255": "שלום לכם, המסמך נמצא כאן",
    "cp1256": "العيادة مغلقة يوم الجمعة",
    "cp874": "ผู้ป่วยต้องมาก่อนเวลา",
    "cp932": "来週の予約を確認してください。",
    "euc_jp": "予約の確認をお願いします",
    "iso2022_jp": "予約の確認",
    "gb18030": "重要文件，请确认预约时间",
    "big5": "請在星期三之前回覆。",
    "cp949": "중요한 문서입니다. 예약을 확인하세요",
}


# Encodings that hold the same letters at other places, older ones of the same countries, and single words.
OTHERS = [
    ("cp1254", "Sayın Ayşe Yıldız, randevunuz perşembe günü"),
    ("iso8859_9", "Çağrı merkezi gün boyu açıktır"),
    ("cp1257", "Gerbiama Živilė, jūsų vizitas ketvirtadienį"),
    ("cp1257", "Cienījamā Ilze Bērziņa"),
    ("cp1250", "Kedves Erzsébet, a következő időpont"),
    ("cp1250", "Pacient Jiří Dvořák,"),
    ("iso8859_2", "Zażółć gęślą jaźń. Pacjentka Małgorzata"),
    ("iso8859_5", "Уважаемая Ольга Петровна"),
    ("iso8859_15", "Votre reçu de 45 € est prêt, cœur"),
    ("koi8_r", "Уважаемая Ольга"),
    ("koi8_u", "Шановна пані Ірино, ваша довідка"),
    ("mac_cyrillic", "Уважаемая Ольга Петровна, ваш договор готов. Приём в четверг в десять часов утра."),
    ("cp850", "Sehr geehrte Frau Müller, die Rechnung über die Prüfung"),
    ("mac_roman", "Chère Madame Lefèvre, votre reçu est prêt. À bientôt"),
    ("cp932", "山田花子"),
    ("euc_jp", "山田花子様、ご予"),
    ("cp949", "김민지 님"),
    ("gb18030", "尊敬的王女士"),
    ("iso2022_kr", "중요한 문서입니다"),
    ("hz", "重要文件，请确认"),
    ("cp1252", "Të gjithë njerëzit lindin të lirë"),
    ("cp1252", "Noël"),
]


@pytest.mark.parametrize(("encoding", "words"), OTHERS)
def test_neighbours_and_older_encodings(encoding: str, words: str) -> None:
    assert decode(words.encode(encoding)) == words


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "words",
    [
        "Ваш договор готов",
        "شكرا جزيلا",
        "ご予約は木曜日です",
        "尊敬的王女士，您的",
        "김민지 님, 예약은",
        "התור שלך נקבע",
        "ผู้ป่วยต้องมา",
    ],
)
def test_utf16_without_a_mark_in_any_script(words: str, encoding: str) -> None:
    assert decode(words.encode(encoding)) == words


@pytest.mark.parametrize("data", [b"\0\1\2\3" * 90, b"MSFT\0\0\1\0" * 40, b"ab\1cd\2ef\3" * 30])
def test_bytes_that_are_no_text_are_not_taken_for_utf16(data: bytes) -> None:
    assert wide_without_mark(data) is None


@pytest.mark.parametrize("encoding", WORDS)
def test_short_texts_in_the_encodings_of_offices(encoding: str) -> None:
    assert decode(WORDS[encoding].encode(encoding)) == WORDS[encoding]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "utf-8"),
        (b"", "utf-16-le"),
        (b"", "utf-16-be"),
        (b"", "utf-32-le"),
    ],
)
def test_unicode_with_and_without_its_mark(mark: bytes, encoding: str) -> None:
    assert decode(mark + "The fax from the Zürich office".encode(encoding)) == "The fax from the Zürich office"


def test_a_declared_charset_counts_only_where_it_is_true() -> None:
    arabic = WORDS["cp1256"].encode("cp1256")
    assert decode(arabic, "utf-8") == WORDS["cp1256"]
    assert decode(arabic, "windows-1256") == WORDS["cp1256"]
    assert decode(arabic, "iso-8859-1") == WORDS["cp1256"]
    assert decode("Größe".encode("cp1252"), "x-user-defined") == "Größe"
    assert decode("“quoted”".encode("cp1252"), "iso-8859-1") == "“quoted”"


def test_a_few_broken_bytes_do_not_turn_utf8_into_rubbish() -> None:
    data = ("Überweisung für Müller, größer " * 20).encode() + b"\xff" + "schön".encode()
    assert decode(data).count("Überweisung") == 20
    assert decode(data).endswith("ÿschön")
    assert decode("Grüße äöü ß Ärger\n".encode() + b"caf\xe9 \x80").endswith("café €")
    assert decode("übermorgen früh größer".encode() + b"\xc3") == "übermorgen früh größer\ufffd"
    assert clean(decode("großer Smiley ü ä ö ".encode() + b"\xed\xa0\xbd\xed\xb8\x80")).endswith("😀")


@pytest.mark.parametrize("name", ["", None, "nonsense", "base64", "rot13", "idna\0"])
def test_charsets_that_are_none(name: str | None) -> None:
    assert usable(name) is None


@given(st.binary(max_size=400), st.sampled_from([None, "utf-8", "shift_jis", "big5", "utf-7", "hz", "punycode"]))
def test_decoding_never_raises(data: bytes, declared: str | None) -> None:
    decode(data, declared)


def test_a_declared_charset_of_another_alphabet_gives_way() -> None:
    german = "Sehr geehrte Frau Müller, größere Mengen können wir nicht"
    assert decode(german.encode("cp1252"), "windows-1251") == german
    assert decode(german.encode("cp1252"), "gb2312") == german
    russian = "Уважаемая Ольга Петровна, ваш договор готов"
    assert decode(russian.encode("cp1251"), "koi8-r") == russian


def test_what_a_mail_declares_and_writes_in_ascii() -> None:
    assert decode(b"Hi Mom -+Jjo--!", "utf-7") == "Hi Mom -☺-!"
    assert decode(b"Hi Mom -+Jjo--!") == "Hi Mom -+Jjo--!"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"before\0after needle\0\0\0 end\n" * 5, "needle"),
        (b"The visit notes end here" + b"\0" * 4000, "notes end here"),
        (b"See %PDF-1.4 in the header for details", "in the header"),
        (b"BZh ordered paper from the shop", "ordered paper"),
        (b"The ftyp box of a film", "ftyp box"),
        (b"ID3 tags explained", "tags explained"),
        (b"MZ is the mark of programs", "mark of programs"),
    ],
)
def test_text_with_nuls_or_with_the_first_letters_of_other_formats(data: bytes, words: str) -> None:
    assert words in text(read(data, "notes.txt"))


def test_halves_of_surrogates_that_break_off_in_utf8() -> None:
    words = "Größe Größe Größe ".encode()
    for odd in (b"\xed\xa0A", b"\xed\xb0", b"\xed\xa0\xc3\xa4", b"\xed\xa0\x80x"):
        assert "Größe" in text(read(words + odd + words, "a.txt"))


def test_the_line_that_tells_excel_the_separator_is_no_header() -> None:
    rows = "".join(f"Name {number};{number} words about it\n" for number in range(200))
    result = read(f"sep=;\nName;Note\n{rows}".encode(), "a.csv")
    assert all(passage.text.startswith("Name;Note") for passage in result.passages)


@pytest.mark.parametrize("word", ["Über", "ü", "Größe", "né", "Ćma", "日本", "a\u0301b"])
def test_short_words_in_utf8_are_no_utf16(word: str) -> None:
    assert decode(word.encode()) == word
    assert decode(word.encode(), "utf-8") == word
    assert decode(f"{word}.txt".encode(), "us-ascii") == f"{word}.txt"
