#!/usr/bin/env python3
"""Make the papers of the sample workspace that are not written by hand: PDF, scans, DOCX and mail.

Run it from .venv after changing a text in scripts/sample/; the results in resources/sample/papers/ are committed.
"""

import random
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import docx
import docx.document
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from sample_mail import MAILS, Mail
from sample_pdf import HEIGHT, MARGIN, WIDTH, Pdf

TEXTS = Path(__file__).parent / "sample"
PAPERS = Path(__file__).parents[1] / "resources" / "sample" / "papers"
FONT = PAPERS.parents[1] / "fonts" / "Inter-Regular.ttf"
PIXELS_A_POINT = 1.55


def main() -> None:
    """Write every generated paper."""
    write("Access report 2025.pdf", report("access_report.txt", "Access report 2025"))
    write("Letters/St Anne's Hospital, 2 April 2026.pdf", letter("letter_hospital.txt", readable=True))
    write("Letters/scan_0231.pdf", letter("letter_landlord.txt", readable=False))
    referral = PAPERS / "Procedures" / "Referral letters.docx"
    word_document("referral_letters.txt").save(str(referral))
    for mail in MAILS:
        write(f"Mail/{mail.file}", message(mail).as_bytes())


def write(name: str, content: bytes) -> None:
    path = PAPERS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    print(f"{len(content):8,d}  {path.relative_to(PAPERS)}")


def report(source: str, title: str) -> bytes:
    """A PDF with headings; a line of equals signs begins a page."""
    pdf = Pdf(title)
    parts = (TEXTS / source).read_text("utf-8").split("=====\n")
    for number, part in enumerate(parts, 1):
        page = pdf.page()
        y: float = HEIGHT - MARGIN
        for line in part.splitlines():
            if line.startswith("## "):
                y = pdf.paragraph(page, y - 12, line[3:], 12.5, "bold")
            elif line.startswith("# "):
                y = pdf.paragraph(page, y, line[2:], 18, "bold") - 6
            elif line:
                y = pdf.paragraph(page, y, line) - 3
        pdf.text(page, MARGIN, MARGIN / 2, 9, f"{title}, page {number} of {len(parts)}")
    return pdf.save()


def letter(source: str, *, readable: bool) -> bytes:
    """A scanned letter: a picture of the page and, if `readable`, the text that its software leaves under it."""
    lines = (TEXTS / source).read_text("utf-8").splitlines()
    pdf = Pdf()
    page = pdf.page()
    page.picture = scan(lines, seed=len(lines))
    if readable:
        for index, line in enumerate(lines):
            if line:
                pdf.text(page, MARGIN, line_y(index), 11, line, mode=3)
    return pdf.save()


def line_y(index: int) -> float:
    return HEIGHT - 80 - index * 18


def scan(lines: list[str], seed: int) -> Image.Image:
    """What a scanner makes of a typed letter: grey, a little tilted, with specks."""
    chance = random.Random(seed)
    size = (int(WIDTH * PIXELS_A_POINT), int(HEIGHT * PIXELS_A_POINT))
    picture = Image.new("L", size, 246)
    draw = ImageDraw.Draw(picture)
    font = ImageFont.truetype(FONT, 11.5 * PIXELS_A_POINT)
    for index, line in enumerate(lines):
        place = (MARGIN * PIXELS_A_POINT, (HEIGHT - line_y(index) - 11) * PIXELS_A_POINT)
        draw.text(place, line, fill=40, font=font)
    for _ in range(160):
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        draw.point((x, y), fill=chance.randrange(90, 200))
    draw.line([(size[0] - 6, 0), (size[0] - 2, size[1])], fill=190, width=3)
    tilted = picture.rotate(0.5, resample=Image.Resampling.BICUBIC, fillcolor=246)
    return tilted.filter(ImageFilter.GaussianBlur(0.5))


def word_document(source: str) -> "docx.document.Document":
    """A Word document: # title, ## heading, * list, | row of the table at the end."""
    document = docx.Document()
    rows: list[list[str]] = []
    for line in (TEXTS / source).read_text("utf-8").splitlines():
        if line.startswith("## "):
            document.add_heading(line[3:], 1)
        elif line.startswith("# "):
            document.add_heading(line[2:], 0)
            document.core_properties.title = line[2:]
        elif line.startswith("* "):
            document.add_paragraph(line[2:], style="List Bullet")
        elif line.startswith("|"):
            rows.append(line[1:].split("|"))
        elif line:
            document.add_paragraph(line)
    table = document.add_table(rows=0, cols=len(rows[0]), style="Table Grid")
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.core_properties.author = "Northside Clinic"
    document.core_properties.created = document.core_properties.modified = datetime(2026, 2, 20, 10, 0)
    return document


def message(mail: Mail) -> EmailMessage:
    """An e-mail as a mail program saves it."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = mail.sender, mail.to, mail.subject
    made["Date"] = format_datetime(datetime.fromisoformat(mail.date).replace(tzinfo=UTC))
    made["Message-ID"] = f"<{mail.file.removesuffix('.eml').lower().replace(' ', '-')}@northside.example>"
    made.set_content(mail.text)
    for name, text in mail.attachments:
        made.add_attachment(text, subtype="csv" if name.endswith(".csv") else "plain", filename=name)
    if made.is_multipart():
        made.set_boundary("=_northside_1")
    return made


if __name__ == "__main__":
    main()
