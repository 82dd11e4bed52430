"""One small paper of each format that is read by code of our own, to be mutilated."""

import base64
import gzip
import io
import json
from functools import cache

import docx
import xlsxwriter
from pptx import Presentation

from tests.core.extraction.making import cut_off_pdf, pdf, zipped
from tests.core.extraction.old_office import doc, ole, ppt
from tests.core.extraction.test_cards import CARDS, EVENT
from tests.core.extraction.test_clinical import CLINICAL, ENTRIES, MESSAGES, dicom, entries, observation, patient
from tests.core.extraction.test_locked import AES_ZIP, OLD_ZIP, opendocument
from tests.core.extraction.test_mail import mail
from tests.core.extraction.test_opendocument import opendocument as plain_opendocument
from tests.core.extraction.test_opendocument import row, sheet
from tests.core.extraction.test_outlook import message, properties, tnef

RTF = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 MS Mincho;}}"
    rb"{\stylesheet{\s1 heading 1;}}"
    rb"{\info{\title Visit}{\creatim\yr2026\mo4\dy7}}\pard\s1 Head\par\pard words \'e9 \u8364? {\deleted gone}"
    rb"{\footnote note}\trowd\cellx1\intbl a\cell b\cell\row\f1 \'82\'b1\par{\*\objdata 0102}\bin3 abc}"
)
HTML = (
    b"<html><head><meta charset=utf-8><title>T</title></head><body><table><tr><td>a<td>b</table><h1>x</h1>"
    b"<p hidden>y<pre> z </pre><ul><li>one<input value=v></ul><noframes>n</noframes>"
)
CHATS = {"title": "t", "mapping": {"a": {"parent": None, "children": [], "message": {"author": {"role": "user"}}}}}


@cache
def samples() -> dict[str, bytes]:
    """By names that say their formats."""
    document, book, slides = docx.Document(), io.BytesIO(), Presentation()
    document.add_heading("Prices", 1)
    document.add_table(2, 2).cell(0, 0).text = "Flu"
    slides.slides.add_slide(slides.slide_layouts[1]).shapes.title.text = "Opening"
    letter, talk = io.BytesIO(), io.BytesIO()
    document.save(letter)
    slides.save(talk)
    with xlsxwriter.Workbook(book) as workbook:
        prices = workbook.add_worksheet("Prices")
        prices.write_row(0, 0, ["Flu", 40])
        prices.write_comment(0, 1, "ask first")
    attached = mail()
    attached.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="list.csv")
    attached.add_attachment(mail("inner"), filename="inner.eml")
    bundle = {"resourceType": "Bundle", "entry": entries(patient("a", "M"), observation(3, "urn:uuid:a"))}
    lines = "\n".join(json.dumps(one) for one in (patient("a", "M"), observation(3, "Patient/a")))
    file = base64.b64encode(pdf("inside")).decode()
    texts = message(
        {0x0037: "Plan", 0x1000: "See you.", 0x007D: "From: a@example.org\r\n"}, fixed={0x3FFD: b"\xe4\x04"}
    )
    plain = {
        "a.docx": letter.getvalue(),
        "a.pptx": talk.getvalue(),
        "a.xlsx": book.getvalue(),
        "a.pdf": pdf("one", "two", annotation="note", field="x", attachment=b"inside", clip=b"clip"),
        "squeezed.pdf": pdf("one", "two", broken=0),
        "cut.pdf": cut_off_pdf("one"),
        "a.doc": doc("Words\rmore \x13 A \x14b\x15\rc\x07d\x07\x07", stories={1: "n\r", 2: "h\r"}, deleted=(12, 14)),
        "a.ppt": ppt(["One\nTwo", "Three\nFour"], notes="x\ny"),
        "a.msg": ole(texts),
        "winmail.dat": tnef(
            (1, 0x8004, b"S\0"), (1, 0x9003, properties((0x1E, 0x1000, b"Body"))), (2, 0x9002, b"\0" * 14)
        ),
        "a.eml": attached.as_bytes(),
        "a.mbox": b"From a@b Fri Apr 17 09:30:00 2026\nSubject: x\nFrom: a@b\n\n>From x\n\n" * 3,
        "a.mht": b"From: <Saved>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
        b"Content-Type: text/html\n\n<p>x\n--b--\n",
        "a.odt": plain_opendocument("text", "<text:h>x</text:h><table:table><table:table-row/></table:table>"),
        "a.ods": sheet(row("a", "b", repeated=3)),
        "locked.odt": opendocument("geheim"),
        "aes.zip": AES_ZIP,
        "old.zip": OLD_ZIP,
        "a.zip": zipped({"a.txt": "words", "b.md": "# head", "c.zip": zipped({"d.txt": "x"})}),
        "a.gz": gzip.compress(b"words " * 50),
        "a.rtf": RTF,
        "a.html": HTML,
        "a.hl7": ("\r".join(MESSAGES) + f"\rOBX|2|ED|1^R||^application^pdf^Base64^{file}").encode(),
        "a.xml": CLINICAL.replace("<entry>", f"{ENTRIES}<entry>", 1).encode(),
        "a.json": json.dumps(bundle).encode(),
        "a.ndjson": lines.encode(),
        "record.xml": b'<Patient xmlns="http://hl7.org/fhir"><name><family value="A"/></name></Patient>',
        "chats.json": json.dumps([CHATS]).encode(),
        "a.dcm": dicom("Name", "ISO_IR 100"),
        "a.ics": EVENT.encode(),
        "a.vcf": CARDS,
        "a.csv": b'name;price\n"Flu; shot";40\n"open;50\n',
        "a.md": b"---\ntitle: x\n---\n# Head\n\n```\ncode\n```\n\nUnder\n=====\n",
        "utf16.txt": "Größe 診療".encode("utf-16-le"),
        "jp.txt": "診療時間は九時から".encode("cp932"),
    }
    return plain
