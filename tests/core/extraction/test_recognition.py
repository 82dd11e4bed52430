"""Recognising text in pictures, with the real networks, on pages drawn for it."""

import base64
import io
import random
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image, ImageFilter

from app.paths import recognition_models
from core.adapters.extraction import ocr_page
from core.adapters.extraction.ocr_page import PageReader
from core.domain.extraction import Extracted, RefusalCode
from core.domain.recognition import marked
from tests.core.extraction.drawing import page, pdf_of, reader, recognised, saved
from tests.core.extraction.making import word
from tests.core.extraction.reading import read, refuse, text

LINES = ("Maria Kowalski, born 12.03.1957", "Ramipril 2.5 mg once daily", "Reference NC-2024-00817")
STRIP_OFFSETS = 273  # of a TIFF: where its pictures lie
LETTER = page(*((60, 50 + 70 * index, line) for index, line in enumerate(LINES)))


def extracted(data: bytes, name: str) -> Extracted:
    result = recognised(data, name)
    assert isinstance(result, Extracted), result
    return result


def test_lines_are_read_and_words_have_their_places() -> None:
    found = reader().read(LETTER)
    assert found.text.split("\n") == list(LINES)
    assert (found.turn, found.unread) == (0, 0)
    (word,) = [word for word in found.words if word.text == "Ramipril"]
    ink = LETTER.crop((0, 110, 178, 160)).point(lambda value: 255 - value).getbbox()  # "Ramipril" alone
    assert ink is not None
    left, top, right, bottom = word.left * 700, word.top * 300, word.right * 700, word.bottom * 300
    assert abs(left - ink[0]) < 12
    assert abs(right - ink[2]) < 16
    assert 110 < top < 110 + ink[1] + 8
    assert 110 + ink[3] - 8 < bottom < 175
    assert word.confidence > 0.9


@pytest.mark.parametrize(
    ("turned", "back"),
    [(Image.Transpose.ROTATE_90, 90), (Image.Transpose.ROTATE_180, 180), (Image.Transpose.ROTATE_270, 270)],
)
def test_a_page_that_lies_or_stands_on_its_head_is_read(turned: Image.Transpose, back: int) -> None:
    picture = LETTER.transpose(turned)
    found = reader().read(picture)
    assert found.text.split("\n") == list(LINES)
    assert found.turn == back
    (word,) = [word for word in found.words if word.text == "Kowalski,"]
    width, height = picture.size
    box = (word.left * width, word.top * height, word.right * width, word.bottom * height)
    cut = picture.crop(box)
    upright = cut.rotate(-back, expand=True)
    canvas = Image.new("RGB", (upright.width + 80, upright.height + 60), "white")
    canvas.paste(upright, (40, 30))
    assert "Kowalski" in reader().read(canvas).text


@pytest.mark.parametrize("degrees", [-3, 2, 5])
def test_a_skewed_page_is_read(degrees: float) -> None:
    picture = LETTER.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255))
    assert reader().read(picture).text.split("\n") == list(LINES)


def test_a_word_in_the_margin_that_runs_upwards_is_read() -> None:
    picture = LETTER.copy()
    picture.paste(page((5, 5, "CONFIDENTIAL"), size=(250, 40)).rotate(90, expand=True), (650, 25))
    assert "CONFIDENTIAL" in reader().read(picture).text


def test_accents_umlauts_and_other_scripts() -> None:
    lines = ("Für die Überweisung: Straße, Größe", "à l'hôpital après Noël, ça va", "El señor Núñez vendrá mañana")
    found = reader().read(page(*((40, 40 + 70 * index, line) for index, line in enumerate(lines))))
    alike = [line.replace("I", "l") for line in found.text.split("\n")]  # the typeface draws both alike
    assert alike == [line.replace("I", "l") for line in lines]


def test_a_small_l_where_a_capital_i_makes_no_sense() -> None:
    found = reader().read(page((30, 40, "Potassium 4.3 mmol/l, l'hôpital"), (30, 100, "I'm sure that I've seen it")))
    assert found.text.split("\n") == ["Potassium 4.3 mmol/l, l'hôpital", "I'm sure that I've seen it"]


def test_columns_are_read_one_after_the_other_and_rows_of_a_table_across() -> None:
    left = ["The waiting room of the", "clinic closes at half past", "five on every weekday,", "and at noon on Friday."]
    right = [
        "Patients who come later",
        "ring the bell beside the",
        "door of the second floor",
        "and wait for the nurse.",
    ]
    both = [(30, 60, "Notice to all of our patients and to those who bring them")]
    both += [(30, 140 + 45 * row, line) for row, line in enumerate(left)]
    both += [(520, 140 + 45 * row, line) for row, line in enumerate(right)]
    found = reader().read(page(*both, size=(960, 360)))
    assert " ".join(found.text.split()) == " ".join([both[0][2], *left, *right])
    table = [(40 + 330 * column, 40 + 60 * row, cell) for row, line in enumerate(
        [("Test", "Result", "Unit"), ("Sodium", "141", "mmol"), ("Glucose", "5.4", "mmol"), ("Urea", "6.1", "mmol")]
    ) for column, cell in enumerate(line)]  # fmt: skip
    assert "Sodium 141 mmol" in reader().read(page(*table, size=(900, 320))).text.split("\n")


@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "BMP", "GIF", "TIFF"])
def test_every_format_of_pictures(format: str) -> None:
    name = f"letter.{format.lower()}"
    data = saved(LETTER.convert("P") if format == "GIF" else LETTER, format)
    assert refuse(data, name).code is RefusalCode.SCAN
    result = extracted(data, name)
    assert "Ramipril 2.5 mg once daily" in text(result)
    assert (result.format, result.media_type, result.scans) == (format.lower(), f"image/{format.lower()}", 0)
    assert [(passage.page, passage.part) for passage in result.passages] == [(None, "")]
    (found,) = result.recognised
    assert [word.text for word in marked(found, ["KOWAL"])] == ["Kowalski,"]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "RGBA", "CMYK", "I;16", "transparent", "I"])
def test_every_kind_of_colours(mode: str) -> None:
    if mode == "transparent":
        picture = Image.new("RGBA", LETTER.size, (0, 0, 0, 0))
        picture.putalpha(LETTER.convert("L").point(lambda value: 255 - value))
    elif mode in {"I;16", "I"}:
        values = np.asarray(LETTER.convert("L"), np.int32) * 256
        picture = Image.fromarray(values.astype(np.uint16) if mode == "I;16" else values)
        assert picture.mode == mode
    else:
        picture = LETTER.convert(mode)
    assert "Reference NC-2024-00817" in reader().read(picture).text


def test_a_photo_is_read_as_its_camera_was_held() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned by a quarter
    data = saved(LETTER.transpose(Image.Transpose.ROTATE_90), "JPEG", exif=exif)
    result = extracted(data, "photo.jpg")
    assert "Maria Kowalski" in text(result)
    assert result.recognised[0].turn == 0  # a viewer that heeds the camera shows it upright already


@pytest.mark.timeout(180)  # a page of 486 words
def test_a_heic_photo_is_read(corpus) -> None:
    result = extracted((corpus / "documents/image/DA-1p.heic").read_bytes(), "photo.heic")
    assert "Abomination" in text(result)


def test_a_picture_without_text_says_so() -> None:
    chance = random.Random(1)
    photo = Image.new("RGB", (400, 300))
    photo.putdata([(chance.randrange(90, 120), y // 2, x // 3) for y in range(300) for x in range(400)])
    photo = photo.filter(ImageFilter.GaussianBlur(3))
    refusal = recognised(saved(photo, "JPEG"), "holiday.jpg")
    assert not isinstance(refusal, Extracted)
    assert refusal.code is RefusalCode.NO_TEXT
    assert refusal.sentence == ("There is no text on this picture. holiday.jpg is kept and can be found by its name.")
    assert refuse(saved(Image.new("RGB", (9, 9)), "PNG"), "dot.png").code is RefusalCode.NO_TEXT


def test_writing_that_the_networks_do_not_know_is_not_called_a_picture_without_text() -> None:
    strange = page(*((60, 50 + 60 * index, "Привет, Здравствуйте, Щука, Жюль") for index in range(4)))
    refusal = recognised(saved(strange, "PNG"), "letter.png")
    assert not isinstance(refusal, Extracted)
    assert refusal.code is RefusalCode.NO_TEXT
    assert refusal.sentence.startswith("The text on this picture can't be read. Handwriting, and writing other than")
    assert "letter.png is kept" in refusal.sentence


def test_pages_of_a_tiff_keep_their_numbers_and_a_damaged_one_is_named() -> None:
    pages = [page((40, 40, f"This is sheet {number}")) for number in ("one", "two", "three")]
    data = bytearray(saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="tiff_adobe_deflate"))
    with Image.open(io.BytesIO(data)) as file:
        file.seek(1)
        where = file.tag_v2[STRIP_OFFSETS][0]  # type: ignore[attr-defined]
    data[where : where + 40] = bytes(40)
    heard: list[tuple[int, int]] = []
    result = recognised(bytes(data), "fax.tiff", heard)
    assert isinstance(result, Extracted)
    assert [(passage.page, passage.text) for passage in result.passages] == [
        (1, "This is sheet one"),
        (3, "This is sheet three"),
    ]
    assert [(note.code, note.page) for note in result.notes] == [("page_unreadable", 2)]
    assert (result.pages, [each.page for each in result.recognised], heard) == (3, [1, 3], [(1, 3), (3, 3)])


def test_of_a_mixed_pdf_only_pages_without_text_are_recognised() -> None:
    data = pdf_of("A page of text", LETTER, "", page((40, 40, "The last scan")))
    first = read(data, "mixed.pdf")
    assert (first.scans, [passage.page for passage in first.passages]) == (2, [1])
    heard: list[tuple[int, int]] = []
    result = recognised(data, "mixed.pdf", heard)
    assert isinstance(result, Extracted)
    assert {passage.page for passage in result.passages} == {1, 2, 4}
    assert (heard, result.scans) == ([(2, 4), (4, 4)], 0)
    assert [(note.code, note.page) for note in result.notes] == [("page_without_text", 3)]
    assert [each.page for each in result.recognised] == [2, 4]


def test_a_scan_with_a_stamped_number_is_a_scan_all_the_same() -> None:
    data = pdf_of(LETTER, stamp="Page 1")
    assert read(data, "stamped.pdf").scans == 1
    result = extracted(data, "stamped.pdf")
    assert "Page 1" in text(result)
    assert "Maria Kowalski" in text(result)


def test_scans_in_a_mail_are_parts() -> None:
    mail = b"".join(
        (
            b"From: a@b.example\r\nSubject: The letter\r\nMIME-Version: 1.0\r\n",
            b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nsee below\r\n",
            b'--x\r\nContent-Type: image/png; name="letter.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n',
            base64.encodebytes(saved(LETTER, "PNG")),
            b"\r\n--x--\r\n",
        )
    )
    assert read(mail, "mail.eml").scans == 1
    result = extracted(mail, "mail.eml")
    assert ("letter.png", True) in [(passage.part, "Ramipril" in passage.text) for passage in result.passages]
    assert [(each.part, each.page) for each in result.recognised] == [("letter.png", None)]


def test_a_scan_in_an_office_file_that_holds_nothing_else() -> None:
    scan = ("image", saved(LETTER, "PNG"))
    data = word("<w:p/>", members={"media/image1.png": scan})
    assert refuse(data, "letter.docx").code is RefusalCode.SCAN
    result = extracted(data, "letter.docx")
    assert [(passage.part, "Ramipril" in passage.text) for passage in result.passages] == [("image1.png", True)]
    beside_text = word("<w:p><w:r><w:t>Dear Sir</w:t></w:r></w:p>", members={"media/image1.png": scan})
    assert read(beside_text, "letter.docx").scans == 0


def test_what_can_hardly_be_read_is_said() -> None:
    poor = LETTER.resize((175, 75), Image.Resampling.BILINEAR).resize((700, 300), Image.Resampling.BILINEAR)
    result = recognised(saved(poor.filter(ImageFilter.GaussianBlur(2)), "PNG"), "poor.png")
    notes = result.notes if isinstance(result, Extracted) else []
    assert [note.code for note in notes] in ([], ["recognition_doubtful"], ["recognition_partial"])
    confidences = [word.confidence for each in getattr(result, "recognised", []) for word in each.words]
    assert not confidences or min(confidences) < 0.9


def test_a_first_reading_loads_nothing_of_recognition() -> None:
    code = (
        "import sys; from core.adapters.extraction import child, images, pdf, scans;"
        "sys.exit(any(name in sys.modules for name in ('onnxruntime', 'numpy', 'core.adapters.extraction.ocr_page')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_logo_that_stands_below_every_mail_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    logo, other = page((20, 20, "Northside"), size=(240, 70)), page((20, 20, "Southside"), size=(240, 70))
    lines: list[int] = []
    assert [reader().read(picture, lambda: lines.append(1)).text for picture in (logo, other, logo)] == [
        "Northside",
        "Southside",
        "Northside",
    ]
    assert len(lines) == 2
    fresh = PageReader(recognition_models())
    monkeypatch.setattr(ocr_page, "MOST_KNOWN", 2)
    for height in (30, 40, 50, 30):
        fresh.read(Image.new("RGB", (40, height), "white"))
    assert len(fresh._known) == 2
