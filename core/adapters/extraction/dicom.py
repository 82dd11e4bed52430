"""DICOM: the header in words. Pixels are never read."""

import io
from typing import Any

import pydicom

from core.adapters.extraction import dates
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

# Value representations that hold words, names, numbers and dates; the rest are bytes and identifiers of formats.
WORDY = ("AE", "AS", "CS", "DA", "DS", "DT", "IS", "LO", "LT", "PN", "SH", "ST", "TM", "UC", "UT")
MAX_LETTERS = 2_000
MAX_DEPTH = 6
MAX_ELEMENTS = 5_000


def read(source: Source) -> None:
    """Lines "Name of the element: value", names of patients in each of their scripts."""
    try:
        dataset: Any = pydicom.dcmread(  # pyright: ignore[reportUnknownMemberType]
            io.BytesIO(source.data), stop_before_pixels=True, force=True
        )
        lines = _lines(dataset, 0)
    except MemoryError:
        raise
    except Exception:  # pydicom raises what it meets
        raise _damaged(source.name) from None
    if not lines and source.data[128:132] != b"DICM":
        raise _damaged(source.name)
    if not lines:
        raise Unreadable(RefusalCode.NO_TEXT, f"The header of {source.name} is empty, and its picture has no text.")
    modality, study = _word(dataset, "Modality"), _word(dataset, "StudyDescription")
    source.transcript.describe(
        title=" ".join(filter(None, (modality, study))), written_on=dates.from_digits(_word(dataset, "StudyDate"))
    )
    source.transcript.paragraph("\n".join(lines))


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is not a DICOM file that can be read. Export it from its viewer again."
    )


def _word(dataset: Any, keyword: str) -> str:
    try:
        return str(dataset.get(keyword) or "")
    except Exception:
        return ""


def _lines(dataset: Any, depth: int) -> list[str]:
    lines: list[str] = []
    for tag in list(dataset.keys())[:MAX_ELEMENTS]:
        try:
            element = dataset[tag]
            if element.VR == "SQ" and depth < MAX_DEPTH:
                for item in element.value:
                    lines.extend(_lines(item, depth + 1))
            elif element.VR in WORDY and (value := _value(element)):
                lines.append(f"{element.name}: {value}")
        except MemoryError:
            raise
        except Exception:  # one damaged element doesn't hide the others
            continue
    return lines


def _value(element: Any) -> str:
    values = element.value if element.VM > 1 else [element.value]
    if element.VR == "DA":
        values = [dates.from_digits(str(value)) or value for value in values]
    shown = [str(value).replace("^", " ").replace("=", " = ").strip() for value in values if value not in (None, "")]
    return ", ".join(filter(None, shown))[:MAX_LETTERS]
