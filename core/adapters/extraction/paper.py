"""From bytes to `Extracted` or `Refusal`: finds the reader, keeps the bounds, and turns what goes wrong into words."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from core.adapters.extraction import office_pictures
from core.adapters.extraction.detect import detect
from core.adapters.extraction.formats import MEDIA_TYPES, READERS, refusal
from core.adapters.extraction.passages import PassageCutter
from core.adapters.extraction.recognition import Recognition
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Full, Transcript, Unreadable
from core.domain.extraction import PART_PASSWORD, Extracted, Refusal, RefusalCode

MAX_DEPTH = 8  # attachments in mails in archives …
MAX_PARTS = 2_000
MAX_PART_BYTES = 512 * 1024 * 1024  # of all parts together

Reader = Callable[[Source], None]


@dataclass(slots=True)
class _Bounds:
    """What is left for the parts of one paper."""

    parts: int = MAX_PARTS
    part_bytes: int = MAX_PART_BYTES


def read_paper(
    data: bytes,
    name: str,
    cutter: PassageCutter,
    *,
    password: str | None = None,
    characters: int = 32_000_000,
    recognition: Recognition | None = None,
    on_defect: Callable[[Exception], None] = lambda _error: None,
) -> Extracted | Refusal:
    """Read the paper. MemoryError passes through; anything else that a reader raises becomes a refusal or a note.

    recognition reads its pictures of text; without one they are counted, and a paper that has nothing else is refused
    with SCAN. on_defect hears of errors that no reader foresaw; their texts may hold words of the paper.
    """
    if not data:
        return Refusal(RefusalCode.EMPTY, f"{name} is empty. It is kept, and there is nothing in it to find.")
    found = _detected(data, name, on_defect)
    transcript = Transcript(characters)
    source = Source(name, data, found, transcript, _part_reader(_Bounds(), on_defect), _read, cutter.tokens, password)
    source.recognition = recognition
    try:
        _read(source)
        if not transcript.sections:
            office_pictures.read(source)
    except Full:
        transcript.note("text_cut", f"{name} holds more text than can be kept. What comes after the limit is left out.")
    except Unreadable as error:
        return Refusal(error.code, error.sentence)
    except (MemoryError, ImportError):
        raise
    except Exception as error:  # a reader, or the library under it, met something that nobody foresaw
        on_defect(error)
        if not transcript.sections:
            return damaged(name)
        transcript.note("damaged", f"{name} is damaged. What could be read before the damage is kept.")
    return _outcome(source, cutter)


def _outcome(source: Source, cutter: PassageCutter) -> Extracted | Refusal:
    """What was read, cut into passages; why there is nothing to find where there are none."""
    name, transcript = source.name, source.transcript
    passages = cutter.cut_transcript(transcript).passages
    if not passages and transcript.scans:
        return Refusal(
            RefusalCode.SCAN, f"{name} is a picture of text. Its words can be found as soon as that is read."
        )
    if not passages and any(note.code == "damaged" for note in transcript.notes):
        return damaged(name)
    if not passages:
        return Refusal(RefusalCode.NO_TEXT, f"{name} was read to its end, and there is no text in it.")
    return Extracted(
        media_type=MEDIA_TYPES.get(source.format, "application/octet-stream"),
        format=source.format,
        passages=passages,
        title=transcript.title,
        written_on=transcript.written_on,
        author=transcript.author,
        pages=transcript.pages,
        notes=transcript.notes,
        scans=transcript.scans,
        recognised=transcript.recognised,
    )


def damaged(name: str) -> Refusal:
    return Refusal(
        RefusalCode.DAMAGED,
        f"{name} is damaged and can't be read. Ask for it again, or open and save it in its program.",
    )


def _detected(data: bytes, name: str, on_defect: Callable[[Exception], None]) -> str:
    try:
        return detect(data, name)
    except MemoryError:
        raise
    except Exception as error:
        on_defect(error)
        return "binary"


def _read(source: Source) -> None:
    if (refused := refusal(source.format, source.name)) is not None:
        raise Unreadable(refused.code, refused.sentence)
    module, label = READERS[source.format]
    source.format = label
    reader: Reader = import_module(f"core.adapters.extraction.{module}").read  # by need: most are heavy
    reader(source)


def _part_reader(
    bounds: _Bounds, on_defect: Callable[[Exception], None]
) -> Callable[[Source, str, bytes, str | None], None]:
    def read_part(parent: Source, name: str, data: bytes, declared: str | None) -> None:
        transcript = parent.transcript
        if parent.depth + 1 > MAX_DEPTH:
            transcript.note("nesting_cut", f"{name} lies too deep inside other files and was left out.")
            return
        bounds.parts -= 1
        bounds.part_bytes -= len(data)
        if bounds.parts < 0 or bounds.part_bytes < 0:
            transcript.note("parts_cut", f"{parent.name} holds more than can be read. What comes later is left out.")
            return
        if not data:
            transcript.note("part_empty", f"{name} is empty.")
            return
        source = Source(
            name,
            data,
            _detected(data, name, on_defect),
            transcript,
            read_part,
            _read,
            parent.tokens,
            parent.password,
            declared,
            parent.depth + 1,
            parent.recognition,
        )
        before = len(transcript.sections)
        with transcript.part(name):
            try:
                _read(source)
            except (Full, MemoryError, ImportError):
                raise
            except Unreadable as error:
                code = "attachment_locked" if source.format == "encrypted" else "attachment_named"
                transcript.note(PART_PASSWORD if error.code is RefusalCode.PASSWORD else code, error.sentence)
            except Exception as error:
                on_defect(error)
                if len(transcript.sections) == before:
                    transcript.note("attachment_named", damaged(name).sentence)
                else:
                    transcript.note("damaged", f"{name} is damaged. What could be read before the damage is kept.")

    return read_part
