"""Mail in all its forms."""

import base64
import io
import zipfile
from datetime import datetime, timedelta
from email.message import EmailMessage

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7

from core.adapters.extraction.compressed_rtf import unpacked_rtf
from core.domain.extraction import PART_PASSWORD, RefusalCode
from tests.core.extraction.making import pdf, zipped
from tests.core.extraction.reading import read, refuse, text


def mail(body: str = "See you on Friday.", **headers: str) -> EmailMessage:
    message = EmailMessage()
    given = {"From": "Ann <ann@example.org>", "To": "desk@example.org", "Subject": "Room plan"}
    given |= {"Date": "Fri, 17 Apr 2026 09:30:00 +0200"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    for name, value in given.items():
        message[name] = value
    message.set_content(body)
    return message


def test_headers_and_body() -> None:
    result = read(mail().as_bytes(), "plan.eml")
    assert text(result).startswith("From: Ann <ann@example.org>\nTo: desk@example.org\n")
    assert "See you on Friday." in text(result)
    assert (result.title, result.author, result.written_on) == (
        "Room plan",
        "Ann <ann@example.org>",
        "2026-04-17T09:30:00+02:00",
    )


@pytest.mark.parametrize("date", ["yesterday", "Fri, 99 Apr 2026", "", "0000"])
def test_an_invalid_date_is_no_date(date: str) -> None:
    data = b"From: a@example.org\nTo: b@example.org\nDate: " + date.encode() + b"\nSubject: x\n\nbody"
    result = read(data, "odd.eml")
    assert result.written_on is None
    assert "Date:" not in text(result)


def test_subjects_in_every_coding() -> None:
    encoded = b"Subject: =?utf-8?B?w5xiZXJ3?= =?utf-8?B?ZWlzdW5n?=\nFrom: a@example.org\n\nbody"
    assert read(encoded, "a.eml").title == "Überweisung"
    raw = "Subject: Überweisung\nFrom: a@example.org\n\nbody".encode("cp1252")
    assert read(raw, "b.eml").title == "Überweisung"
    broken = b"Subject: =?no-such-charset?B?!!!?=\nFrom: a@example.org\n\nbody"
    assert read(broken, "c.eml").passages


def test_of_two_alternatives_one_is_kept_unless_they_differ() -> None:
    same = mail("The desk opens at eight and closes at four.")
    same.add_alternative("<p>The desk <b>opens</b> at eight and closes at four.</p>", subtype="html")
    assert text(read(same.as_bytes(), "same.eml")).count("opens") == 1
    differs = mail("Please look at the HTML.")
    differs.add_alternative("<p>The parking place behind the house is closed until August.</p>", subtype="html")
    found = text(read(differs.as_bytes(), "differs.eml"))
    assert "Please look" in found
    assert "parking place" in found


def test_attachments_are_parts_with_their_own_pages() -> None:
    message = mail()
    message.add_attachment(b"room,seats\nnorth,12\n", maintype="text", subtype="csv", filename="rooms.csv")
    message.add_attachment(pdf("one", "two"), maintype="application", subtype="octet-stream", filename="plan.pdf")
    result = read(message.as_bytes(), "plan.eml")
    assert "Attachments: rooms.csv, plan.pdf" in text(result)
    assert [(passage.part, passage.page) for passage in result.passages] == [
        ("", None),
        ("rooms.csv", None),
        ("plan.pdf", 1),
        ("plan.pdf", 2),
    ]
    assert result.pages is None


def test_what_cannot_be_read_is_named_and_stops_nothing() -> None:
    locked = bytearray(zipped({"secret.txt": "hidden"}, stored=True))
    locked[6] |= 1
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    message = mail()
    message.add_attachment(bytes(locked), maintype="application", subtype="zip", filename="locked.zip")
    message.add_attachment(b"\x00\x01\x02\x03" * 90, maintype="application", subtype="x", filename="blob.bin")
    message.add_attachment(pdf("kept", password="x"), maintype="application", subtype="pdf", filename="locked.pdf")
    message.add_attachment(b"the last words", maintype="text", subtype="plain", filename="last.txt")
    result = read(message.as_bytes(), "mixed.eml")
    assert "the last words" in text(result)
    codes = {note.code for note in result.notes}
    assert codes == {PART_PASSWORD, "attachment_named"}
    told = " ".join(note.sentence for note in result.notes)
    for name in ("locked.zip", "blob.bin", "locked.pdf"):
        assert name in told


def test_mail_in_mail_is_read_to_a_depth() -> None:
    message = mail("the innermost words", Subject="level 0")
    for level in range(1, 4):
        outer = mail(f"words of level {level}", Subject=f"level {level}")
        outer.add_attachment(message)
        message = outer
    result = read(message.as_bytes(), "nested.eml")
    assert result.title == "level 3"
    assert "the innermost words" in text(result)
    inner = next(passage for passage in result.passages if "innermost" in passage.text)
    assert inner.part == "level 2.eml > level 1.eml > level 0.eml"
    for level in range(4, 40):
        outer = mail("more", Subject=f"level {level}")
        outer.add_attachment(message)
        message = outer
    deep = read(message.as_bytes(), "deep.eml")
    assert "nesting_cut" in {note.code for note in deep.notes}


def test_three_thousand_nested_parts_end() -> None:
    data = b"From: a@example.org\nSubject: bomb\nMIME-Version: 1.0\n"
    for number in range(3000):
        data += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
    result = read(data + b"Content-Type: text/plain\n\ncore", "bomb.eml")
    assert "bomb" in text(result)


def test_no_headers_apple_files_and_saved_pages() -> None:
    assert text(read(b"\n\njust a body", "bare.eml")) == "just a body"
    apple = mail("apple words").as_bytes()
    emlx = str(len(apple)).encode() + b"\n" + apple + b"<?xml version='1.0'?><plist>flags</plist>"
    found = text(read(emlx, "1.emlx"))
    assert "apple words" in found
    assert "plist" not in found
    page = (
        b"From: <Saved by a browser>\nSubject: Prices\nMIME-Version: 1.0\n"
        b"Content-Type: multipart/related; boundary=b\n\n"
        b"--b\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<h1>Prices=20now</h1>\n"
        b"--b\nContent-Type: text/css\n\n.hidden{}\n--b--\n"
    )
    result = read(page, "page.mhtml")
    assert result.format == "mhtml"
    assert text(result).split() == ["Prices", "now", "Prices"]


def test_mail_is_recognised_without_a_name() -> None:
    assert read(mail().as_bytes(), "message").format == "eml"
    assert read(b"Note: nothing\nmore text here", "note.txt").format == "txt"


def test_a_mailbox_keeps_its_mails_apart() -> None:
    mails = [mail(f"body of mail {number}", Subject=f"Subject {number}").as_bytes() for number in (1, 2, 3)]
    box = b"".join(b"From ann@example.org Mon Jun 01 10:00:00 2009\n" + data + b"\n>From here on\n\n" for data in mails)
    result = read(box, "box.mbox")
    assert [passage.part for passage in result.passages] == [f"Mail {n}: Subject {n}" for n in (1, 2, 3)]
    assert "\nFrom here on" in text(result)
    single = read(b"From ann@example.org Mon Jun 01 10:00:00 2009\n" + mails[0], "one.eml")
    assert (single.format, single.title) == ("eml", "Subject 1")


def test_compressed_rtf_of_outlook() -> None:
    sample = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )  # the example of MS-OXRTFCP, 4.1.1
    assert unpacked_rtf(sample) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    for length in range(len(sample)):
        unpacked_rtf(sample[:length])


def test_a_broken_outlook_mail_is_refused() -> None:
    assert refuse(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "mail.msg").code is RefusalCode.DAMAGED


def test_archives_name_and_read_their_members() -> None:
    inner = zipped({"deep.txt": "deep words"})
    data = zipped({"a/letter.txt": "first words", "inner.zip": inner, "__MACOSX/x": "rubbish", "empty.txt": ""})
    result = read(data, "papers.zip")
    assert {passage.part for passage in result.passages} == {"", "a/letter.txt", "inner.zip", "inner.zip > deep.txt"}
    assert "first words" in text(result)
    assert "rubbish" not in text(result)


def test_archives_of_other_countries_keep_their_names() -> None:
    for name, encoding in (("文章.txt", "cp932"), ("审计需求文档.txt", "gb18030"), ("Größe.txt", "utf-8")):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("N" * len(name.encode(encoding)), "words")
        data = buffer.getvalue().replace(b"N" * len(name.encode(encoding)), name.encode(encoding))
        assert name in text(read(data, "names.zip"))


def test_a_bomb_of_archives_ends() -> None:
    data = b"0" * 1000
    for _level in range(12):
        data = zipped({f"{number}.zip": data for number in range(3)})
    result = read(data, "bomb.zip")
    assert {"nesting_cut", "parts_cut"} & {note.code for note in result.notes}
    assert refuse(zipped({"zeros": b"\0" * (40 << 20)}), "zeros.zip").code is RefusalCode.TOO_LARGE


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_mailboxes_with_any_line_end_and_without_blank_lines(end: bytes) -> None:
    lines = [
        *(b"From a@example.org Fri Apr 17 09:30:00 2026", b"Subject: one", b"From: a@example.org", b""),
        *(b"The first.", b">From here on.", b"From nobody in particular", b"", b"From now on nothing.", b""),
        *(b"From b@example.org Fri Apr 17 09:31:00 2026", b"Subject: two", b"", b"The second."),
        *(b"From c@example.org Fri Apr  7 09:31:00 2026", b"Subject: three", b"", b"The third.", b""),
    ]
    result = read(end.join(lines), "all.mbox")
    parts = {passage.part: passage.text for passage in result.passages}
    assert list(parts) == ["Mail 1: one", "Mail 2: two", "Mail 3: three"]
    assert "From here on.\nFrom nobody in particular\n\nFrom now on nothing." in parts["Mail 1: one"]


def signed(content: bytes, *, streamed: bool) -> bytes:
    """A mail inside its signature, made by a library that this program doesn't read with."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Ann")])
    begins = datetime(2026, 1, 1)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(begins).not_valid_after(begins + timedelta(days=9))
    builder = (
        pkcs7.PKCS7SignatureBuilder()
        .set_data(content)
        .add_signer(made.sign(key, hashes.SHA256()), key, hashes.SHA256())
    )
    data = builder.sign(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])
    if not streamed:
        return data
    start = data.index(content)  # the same in pieces whose end is told behind them
    head = data[: data.rindex(b"\xa0", 0, start)]
    pieces = b"".join(b"\x04" + bytes([len(piece)]) + piece for piece in (content[:50], content[50:]))
    return head + b"\xa0\x80\x24\x80" + pieces + b"\0\0\0\0" + data[start + len(content) :]


@pytest.mark.parametrize("streamed", [True, False])
def test_signed_mails_are_read_and_encrypted_ones_named(streamed: bool) -> None:
    inner = b"Content-Type: text/plain; charset=utf-8\r\n\r\nThe signed words: Gr\xc3\xbc\xc3\x9fe\r\n"
    head = b"From: ann@example.org\nTo: b@example.org\nSubject: x\nContent-Transfer-Encoding: base64\n"
    kind = b"Content-Type: application/pkcs7-mime; name=smime.p7m\n\n"
    result = read(head + kind + base64.encodebytes(signed(inner, streamed=streamed)), "signed.eml")
    assert "The signed words: Grüße" in text(result)
    locked = read(head + kind + base64.encodebytes(bytes(200)), "locked.eml")
    assert [note.code for note in locked.notes] == ["attachment_locked"]


def test_reports_of_delivery_say_what_failed() -> None:
    data = (
        b"From: a@b\nTo: c\nSubject: failed\nContent-Type: multipart/report; boundary=b\n\n--b\n"
        b"Content-Type: text/plain\n\n"
        b"Your mail failed.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n"
        b"Final-Recipient: rfc822; ann@example.org\nAction: failed\n--b--\n"
    )
    found = text(read(data, "report.eml"))
    assert "Final-Recipient: rfc822; ann@example.org\nAction: failed" in found
    assert "Your mail failed." in found


def test_a_body_in_html_is_read_once() -> None:
    message = mail()
    message.set_content("<p>The desk opens at eight.</p><p style='display:none'>preview</p>", subtype="html")
    assert text(read(message.as_bytes(), "a.eml")).count("opens") == 1
    message.set_content("<p>The desk opens at eight.</p>", subtype="html")
    assert text(read(message.as_bytes(), "a.eml")).count("opens") == 1
