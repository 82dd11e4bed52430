"""Pictures of text on their way into a transcript: counted in a first reading, recognised in a second one.

Recognition takes seconds a page, so papers that need it are read twice: once for what can be had at once, and later,
apart from the others, with their pictures.
"""

import re

from PIL import Image

from core.adapters.extraction.hyphens import LineEnds
from core.adapters.extraction.recognition import MOST_PAGES
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode
from core.domain.recognition import DOUBTFUL, RecognisedPage

SMALLEST_SIDE = 24  # pixels: nothing smaller holds a line that could be read
DOUBTFUL_SHARE, DOUBTFUL_WORDS, DOUBTFUL_PAGE = 0.06, 3, 0.9  # beyond which the person is told
UNREAD_LINES, UNREAD_SHARE = 3, 0.3
SOME_LINES = 2  # a single one may be a pattern in a photo
NOT_COVERED = "Handwriting, and writing other than Latin, Chinese and Japanese, can't be read."

_BROKEN_WORD = re.compile(r"(?<=\w)-\n(?=\w)")


def worth_reading(width: int, height: int) -> bool:
    """Large enough for a line of text: no dots, rules and pixels that count who opens a mail."""
    return min(width, height) >= SMALLEST_SIDE


def no_text(source: Source, what: str) -> Unreadable:
    """The refusal where nothing could be recognised. what: "this picture", "the pages of scan.pdf"."""
    if source.recognition is not None and source.recognition.unread >= SOME_LINES:
        sentence = f"The text on {what} can't be read. {NOT_COVERED} {source.name} is kept."
    else:
        sentence = f"There is no text on {what}. {source.name} is kept and can be found by its name."
    return Unreadable(RefusalCode.NO_TEXT, sentence)


def count(source: Source, pages: int = 1) -> None:
    """There are pictures here whose text has yet to be recognised."""
    source.transcript.scans += pages


def recognise(source: Source, picture: Image.Image, page: int | None, of: int, where: str) -> bool:
    """Read a picture into the transcript of a source that has a recognition; False where there is no text on it.

    page: its number in the paper, None for a single picture. where: "page 2 of scan.pdf", for sentences.
    """
    assert source.recognition is not None
    transcript = source.transcript
    if not source.recognition.begin(page or 1, of):
        sentence = f"{source.name} has more pictures of text than can be read. Those after {MOST_PAGES} are left out."
        transcript.note("pages_cut", sentence)
        return False
    try:
        read = source.recognition.page(picture)
    except (MemoryError, ImportError):
        raise
    except Exception:  # a picture that the networks can't take doesn't hide the pages behind it
        transcript.note("page_unreadable", f"The text on {where} could not be read.", page)
        return False
    if read.unread >= UNREAD_LINES and read.unread >= UNREAD_SHARE * (read.unread + read.lines):
        transcript.note("recognition_partial", f"Some lines on {where} could not be read. {NOT_COVERED}", page)
    if not read.text:
        return False
    transcript.paragraph(LineEnds(source.tokens).mended(_BROKEN_WORD.sub("\ufffe\n", read.text)))
    words = [word for word in read.words if word.confidence < DOUBTFUL]
    often = len(words) >= DOUBTFUL_WORDS and len(words) >= DOUBTFUL_SHARE * len(read.words)
    if often or read.confidence < DOUBTFUL_PAGE:
        transcript.note("recognition_doubtful", f"Some words on {where} could be misread.", page)
    transcript.recognised.append(RecognisedPage(page, transcript.part_name, read.turn, read.words))
    return True
