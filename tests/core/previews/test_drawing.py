"""Pages, as they are drawn."""

import io

import pytest
from PIL import Image

from core.adapters.previews.drawing import CantDraw, draw
from core.domain.previews import marks_of_lines
from core.domain.recognition import PlacedWord
from tests.core.extraction.making import pdf


def picture(format: str, size: tuple[int, int] = (40, 20), mode: str = "RGB", **options: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, options.pop("color", "red")).save(out, format, **options)  # type: ignore[arg-type]
    return out.getvalue()


def test_text_stands_dark_on_white() -> None:
    drawn = draw(pdf("Dear Mrs Adler"), "letter.pdf", 1, 600, ["Dear Mrs Adler"])
    page = Image.frombytes("RGB", (drawn.width, drawn.height), drawn.rgb)
    assert page.getpixel((5, 5)) == (255, 255, 255)
    mark = drawn.marks[0]
    box = (round(mark.left * 600), round(mark.top * 800), round(mark.right * 600), round(mark.bottom * 800))
    assert box[:2] == pytest.approx((50, 92), abs=6)
    assert min(page.crop(box).convert("L").tobytes()) < 80


def test_a_locked_paper_says_so() -> None:
    with pytest.raises(CantDraw, match="locked with a password"):
        draw(pdf("secret", password="1234"), "locked.pdf", 1, 600, [])


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"])
def test_pictures_are_shown_and_never_larger_than_they_are(format: str) -> None:
    drawn = draw(picture(format), "photo", 1, 600, [])
    assert (drawn.width, drawn.height, drawn.pages) == (40, 20, 1)
    assert drawn.rgb[0] > 200 > 60 > drawn.rgb[1]
    assert draw(picture(format), "photo", 1, 10, []).width == 10


def test_a_photo_stands_as_its_camera_was_held() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    drawn = draw(picture("JPEG", exif=exif), "photo.jpg", 1, 600, [])
    assert (drawn.width, drawn.height) == (20, 40)


def test_pages_of_a_scan() -> None:
    out = io.BytesIO()
    first, second = Image.new("RGB", (30, 30), "white"), Image.new("RGB", (30, 60), "black")
    first.save(out, "TIFF", save_all=True, append_images=[second])
    drawn = draw(out.getvalue(), "scan.tiff", 2, 600, [])
    assert (drawn.page, drawn.pages, drawn.height, drawn.rgb[:3]) == (2, 2, 60, b"\0\0\0")


def test_what_is_transparent_is_white_and_sixteen_bits_are_seen() -> None:
    assert draw(picture("PNG", mode="RGBA", color=(0, 0, 0, 0)), "a.png", 1, 600, []).rgb[:3] == b"\xff\xff\xff"
    deep = Image.new("I;16", (2, 1))
    deep.putpixel((0, 0), 1000)
    deep.putpixel((1, 0), 3000)
    out = io.BytesIO()
    deep.save(out, "PNG")
    assert draw(out.getvalue(), "b.png", 1, 600, []).rgb == b"\0\0\0\xff\xff\xff"


def test_bombs_and_damage_are_sentences() -> None:
    with pytest.raises(CantDraw, match="too large"):
        draw(picture("PNG", size=(20_000, 20_000), mode="1", color=1), "bomb.png", 1, 600, [])
    with pytest.raises(CantDraw, match="damaged"):
        draw(picture("PNG")[:60], "half.png", 1, 600, [])
    with pytest.raises(CantDraw, match="damaged"):
        draw(b"nothing of the kind", "odd.pdf", 1, 600, [])


def test_recognised_lines_are_marked_word_by_word_at_their_first_run() -> None:
    words = [
        PlacedWord(text, n / 10, 0.1, n / 10 + 0.05, 0.2, 1.0)
        for n, text in enumerate(["to", "be", "or", "not", "To", "Be,", "so"])
    ]
    assert [mark.left for mark in marks_of_lines(words, ["or NOT", "to be, so", "or so"])] == [0.2, 0.3, 0.4, 0.5, 0.6]
    assert list(marks_of_lines([], ["or"])) == []


def test_a_turned_page_shows_what_was_left_above() -> None:
    photo = Image.new("RGB", (40, 20), "white")
    photo.putpixel((0, 0), (255, 0, 0))
    out = io.BytesIO()
    photo.save(out, "PNG")
    drawn = draw(out.getvalue(), "photo.png", 1, 600, [], 90)
    page = Image.frombytes("RGB", (drawn.width, drawn.height), drawn.rgb)
    assert page.size == (20, 40)
    assert page.getpixel((19, 0)) == (255, 0, 0)
