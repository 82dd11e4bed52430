"""Text recognition: seconds of processor a page, wrong letters and memory, on drawn pages whose text is known.

    python -m benchmarks.ocr [--only TEXT] [--pages N]

One line a condition: clean, skewed, turned, in columns, of low resolution, noisy. The character error rate is the edit
distance over the length of the true text; runs of white space count as one space, and what Unicode calls compatible
(µ and μ) as the same. Where the program tesseract is on the path, it reads the same pages (English and German data
where it has them), in the same run. Ends with a scan of three pages in the real worker: its largest resident set.
"""

import argparse
import asyncio
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from rapidfuzz.distance import Levenshtein

from app.paths import recognition_models, resources
from benchmarks.machine import described, table
from core.adapters.extraction.ocr_page import PageReader
from core.adapters.extraction.process import ProcessExtraction
from core.domain.extraction import Extracted

A4 = (8.27, 11.69)  # inches
MARGIN, GUTTER = 0.9, 0.4
LEADING = 1.45
POINTS = 72
WHITE = (255, 255, 255)
COMMAND = [sys.executable, "-m", "core.adapters.workers", "extraction"]

TEXTS = (
    """Northside Clinic, 14 Harbour Street. Dear Dr. Müller, thank you for referring Mrs. Eleanor Whitcombe, born
12.03.1957, reference NC-2024-00817. She was seen on 4 March 2026 with shortness of breath on exertion and swelling of
both ankles that had grown worse over six weeks.

Her blood pressure was 148/92 mmHg, her pulse 88 beats a minute and regular. The chest was clear. An echocardiogram
showed an ejection fraction of 45 %, with mild mitral regurgitation. Creatinine 112 µmol/l, potassium 4.3 mmol/l, HbA1c
7.2 %.

We have started Ramipril 2.5 mg once daily and Furosemide 40 mg each morning. Please check renal function and
electrolytes in two weeks, and increase the dose of Ramipril to 5 mg if her blood pressure allows. She should weigh
herself daily and call us if she gains more than 2 kg within three days.

The invoice of £184.50 (no. INV-90211-B) covers the consultation, the tracing and the blood tests. It is payable within
30 days to the account named below. Questions about this letter are answered by Ms. Oyelaran on 020 7946 0018, or by
e-mail to desk@northside.example.""",
    """Sehr geehrte Frau Doktor Größler, für die Überweisung Ihrer Patientin danken wir sehr. Die Straße zum Parkhaus
ist gesperrt; Frau Jäger fährt mit dem Bus über die Königsallee. Der Termin am Donnerstag, 17.4.2026 um 9:30 Uhr, bleibt
bestehen.

Une prochaine consultation est prévue après Noël, où elle recevra un traitement adapté ; le dossier est à la réception.
El señor Núñez vendrá mañana por la mañana con los análisis de sangre. Pan Wiśniewski przyjdzie w środę o godzinie
ósmej, a paní Dvořáková až příští týden.

Anamnese: seit sechs Wochen Belastungsdyspnoe, keine Synkopen. Medikation: Metoprolol 47,5 mg morgens, Simvastatin 20
mg abends. Befund: RR 135/85 mmHg, Puls 72/min, Lunge frei. Wir empfehlen eine Kontrolle der Nierenwerte in 14 Tagen;
Aktenzeichen 4711-B/26, Rückfragen unter 0221 55 2081.""",
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What is done to a page after it is drawn."""

    name: str
    spoil: Callable[[Image.Image], Image.Image]
    dpi: int = 200
    points: float = 10.5
    columns: int = 1


def noisy(picture: Image.Image) -> Image.Image:
    """Grey paper, grain, soft edges: a photocopy of a fax."""
    values = np.asarray(picture, np.float32) * 0.75 + 40
    values += np.random.default_rng(1).normal(0, 60, values.shape[:2])[..., np.newaxis]
    spoiled = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
    return spoiled.filter(ImageFilter.GaussianBlur(0.7))


def photographed(picture: Image.Image) -> Image.Image:
    """From a desk by hand: a table around it, a shadow, a lean of two degrees, JPEG's traces."""
    width, height = picture.size
    desk = Image.new("RGB", (width + 300, height + 300), (92, 74, 60))
    desk.paste(picture, (150, 150))
    desk = desk.rotate(-2, Image.Resampling.BICUBIC, fillcolor=(92, 74, 60))
    shade = np.linspace(1.0, 0.45, desk.width, dtype=np.float32)[np.newaxis, :, np.newaxis]
    dark = Image.fromarray((np.asarray(desk, np.float32) * shade).astype(np.uint8))
    with tempfile.TemporaryFile() as file:
        dark.save(file, "JPEG", quality=45)
        file.seek(0)
        return Image.open(file).convert("RGB")


def leaning(degrees: float) -> Callable[[Image.Image], Image.Image]:
    return lambda picture: picture.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=WHITE)


CONDITIONS = (
    Condition("clean, 200 dpi", lambda picture: picture),
    Condition("small print, 8 pt, 300 dpi", lambda picture: picture, dpi=300, points=8),
    Condition("leaning by 3 degrees", leaning(3)),
    Condition("turned by 90 degrees", lambda picture: picture.transpose(Image.Transpose.ROTATE_90)),
    Condition("turned by 180 degrees", lambda picture: picture.transpose(Image.Transpose.ROTATE_180)),
    Condition("turned by 270 degrees", lambda picture: picture.transpose(Image.Transpose.ROTATE_270)),
    Condition("two columns, 9 pt", lambda picture: picture, points=9, columns=2),
    Condition("100 dpi", lambda picture: picture, dpi=100),
    Condition("75 dpi", lambda picture: picture, dpi=75),
    Condition("noise", noisy),
    Condition("photographed", photographed),
)


def drawn(text: str, condition: Condition) -> tuple[Image.Image, str]:
    """A page with the text, and the text as it runs in reading order."""
    dpi, size = condition.dpi, condition.points * condition.dpi / POINTS
    picture = Image.new("RGB", (round(A4[0] * dpi), round(A4[1] * dpi)), WHITE)
    draw = ImageDraw.Draw(picture)
    face = ImageFont.truetype(str(resources() / "fonts" / "Inter-Regular.ttf"), size)
    width = ((A4[0] - 2 * MARGIN - (condition.columns - 1) * GUTTER) / condition.columns) * dpi
    lines = [line for paragraph in text.split("\n\n") for line in (*_wrapped(paragraph, draw, face, width), "")]
    in_column = -(-len(lines) // condition.columns)
    for number, line in enumerate(lines):
        column, row = divmod(number, in_column)
        place = (MARGIN * dpi + column * (width + GUTTER * dpi), MARGIN * dpi + row * size * LEADING)
        draw.text(place, line, font=face, fill=(15, 15, 15))
    return condition.spoil(picture), " ".join(text.split())


def _wrapped(paragraph: str, draw: ImageDraw.ImageDraw, face: ImageFont.FreeTypeFont, width: float) -> list[str]:
    lines = [""]
    for word in paragraph.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font=face) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def error_rate(found: str, truth: str) -> float:
    found, truth = (" ".join(unicodedata.normalize("NFKC", text).split()) for text in (found, truth))
    return Levenshtein.distance(found, truth) / len(truth)


@dataclass(frozen=True, slots=True)
class Result:
    seconds: float  # of processor, a page
    errors: float  # mean over the pages


def ours(reader: PageReader, pages: list[tuple[Image.Image, str]]) -> Result:
    begun = time.process_time()
    texts = [reader.read(picture).text for picture, _ in pages]
    seconds = (time.process_time() - begun) / len(pages)
    rates = [error_rate(text, truth) for text, (_, truth) in zip(texts, pages, strict=True)]
    return Result(seconds, sum(rates) / len(rates))


def tesseract(program: str, pages: list[tuple[Image.Image, str]]) -> Result:
    listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=True).stdout.split()
    languages = "+".join(name for name in ("eng", "deu", "fra", "spa", "pol", "ces") if name in listed)
    before, rates = resource.getrusage(resource.RUSAGE_CHILDREN), []
    with tempfile.TemporaryDirectory() as folder:
        for picture, truth in pages:
            path = Path(folder, "page.png")
            picture.save(path)
            # 1: finds how the page is turned, where its data for that are there.
            command = [program, str(path), "-", "-l", languages, "--psm", "1" if "osd" in listed else "3"]
            rates.append(error_rate(subprocess.run(command, capture_output=True, text=True, check=True).stdout, truth))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Result(spent / len(pages), sum(rates) / len(rates))


async def in_worker() -> str:
    """A scan of three pages as the program reads it."""
    reader = ProcessExtraction(COMMAND, resources() / "model" / "tokenizer.json", models=recognition_models())
    pages = [drawn(text, CONDITIONS[0])[0] for text in (*TEXTS, TEXTS[0])]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scan.pdf")
        pages[0].save(path, save_all=True, append_images=pages[1:], resolution=200)
        begun = time.perf_counter()
        result = await reader.read(path, path.name)
        seconds = time.perf_counter() - begun
    await reader.close()
    assert isinstance(result, Extracted), result
    return (
        f"A scan of {result.pages} pages in the worker: {seconds:.1f} s by the clock with its start, "
        f"{sum(len(page.words) for page in result.recognised)} words, at most {reader.peak_bytes >> 20} MB resident."
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", default="", help="conditions whose name contains this text")
    parser.add_argument("--pages", type=int, default=len(TEXTS), help="pages for each condition")
    options = parser.parse_args()
    reader, program = PageReader(recognition_models()), shutil.which("tesseract")
    begun = time.process_time()
    reader.load()
    print(f"Loading the networks: {time.process_time() - begun:.2f} s of processor.\n")
    rows: list[list[object]] = []
    for condition in CONDITIONS:
        if options.only not in condition.name:
            continue
        pages = [drawn(text, condition) for text in TEXTS[: options.pages]]
        mine = ours(reader, pages)
        row: list[object] = [condition.name, f"{mine.seconds:.1f}", f"{mine.errors:.2%}"]
        if program is not None:
            other = tesseract(program, pages)
            row += [f"{other.seconds:.1f}", f"{other.errors:.2%}"]
        rows.append(row)
        print(*row, sep="  ", flush=True)
    head = ["page", "s of processor", "wrong letters"]
    print("", table(head if program is None else [*head, "tesseract, s", "tesseract, wrong"], rows), "", sep="\n")
    print(asyncio.run(in_worker()))
    print(described())
    return 0


if __name__ == "__main__":
    sys.exit(main())
