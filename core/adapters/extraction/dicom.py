"""DICOM: the header in words, reports in sections, documents inside. Pixels are never read."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pydicom

from core.adapters.extraction import dates
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

# Value representations that hold words, names, numbers and dates; the rest are bytes and identifiers of formats.
WORDY = ("AE", "AS", "CS", "DA", "DS", "DT", "IS", "LO", "LT", "PN", "SH", "ST", "TM", "UC", "UT")
PATIENT = 0x0010  # the group of elements that say who it is
# Content and concept name of a report, which are said in its own section.
ELSEWHERE = (0x0040A730, 0x0040A043)
STATED = ("TextValue", "PersonName", "DateTime", "Date", "Time", "UID")
MAX_REPORT_DEPTH = 30
MAX_LETTERS = 2_000
MAX_DEPTH = 6
MAX_ELEMENTS = 5_000


def read(source: Source) -> None:
    """Lines "Name of the element: value", names of patients in each of their scripts."""
    try:
        dataset: Any = pydicom.dcmread(  # pyright: ignore[reportUnknownMemberType]
            io.BytesIO(source.data), stop_before_pixels=True, force=True
        )
        patient = _lines(dataset, 0, lambda group: group == PATIENT)
        examination = _lines(dataset, 0, lambda group: group != PATIENT)
    except MemoryError:
        raise
    except Exception:  # pydicom raises what it meets
        raise _damaged(source.name) from None
    if not (patient or examination):
        if source.data[128:132] != b"DICM":
            raise _damaged(source.name)
        raise Unreadable(RefusalCode.NO_TEXT, f"The header of {source.name} is empty, and its picture has no text.")
    modality, study = _word(dataset, "Modality"), _word(dataset, "StudyDescription")
    transcript = source.transcript
    transcript.describe(
        title=" ".join(filter(None, (modality, study))), written_on=dates.from_digits(_word(dataset, "StudyDate"))
    )
    about = (_shown(_word(dataset, "PatientName")), dates.from_digits(_word(dataset, "PatientBirthDate")) or "")
    transcript.heading(", ".join(filter(None, about)), 1)
    for name, some in (("Patient", patient), ("Examination", examination)):
        if some:
            transcript.heading(name, 2)
            transcript.paragraph("\n".join(some))
    report = list(_report(dataset, 0))
    if report:
        transcript.heading(_coded(dataset, "ConceptNameCodeSequence") or "Report", 2)
        transcript.paragraph("\n".join(report))
    _read_enclosed(source, dataset)


def _read_enclosed(source: Source, dataset: Any) -> None:
    """A PDF or a clinical document that is wrapped in DICOM."""
    try:
        data = dataset.get("EncapsulatedDocument")
    except Exception:  # a damaged element
        return
    if isinstance(data, bytes) and data:
        kind = _word(dataset, "MIMETypeOfEncapsulatedDocument").rpartition("/")[2]
        source.part(f"{_word(dataset, 'DocumentTitle') or 'document'}.{kind or 'pdf'}", data)


def _report(item: Any, depth: int) -> Iterator[str]:
    """Content of a structured report (DICOM PS3.3, C.17.3): "name: value", what belongs to something behind it."""
    for inner in _items(item, "ContentSequence") if depth < MAX_REPORT_DEPTH else ():
        name = _coded(inner, "ConceptNameCodeSequence")
        value = _stated(inner)
        if name or value:
            yield f"{name}: {value}" if name and value else f"{name}:" if name else value
        yield from _report(inner, depth + 1)


def _stated(item: Any) -> str:
    kind = _word(item, "ValueType")
    if kind == "NUM":
        measured = next(_items(item, "MeasuredValueSequence"), None)
        if measured is None:
            return ""
        unit = _coded(measured, "MeasurementUnitsCodeSequence", "CodeValue")
        return f"{_word(measured, 'NumericValue')} {'' if unit in ('1', '{ratio}') else unit}".strip()
    if kind == "CODE":
        code, words = (_coded(item, "ConceptCodeSequence", key) for key in ("CodeValue", "CodeMeaning"))
        return f"{words} ({code})" if code and words else words
    said = next(filter(None, (_word(item, key) for key in STATED)), "")
    return (dates.from_digits(said) or said).replace("T", " ") if kind in ("DATE", "DATETIME") else _shown(said)


def _coded(item: Any, sequence: str, key: str = "CodeMeaning") -> str:
    code = next(_items(item, sequence), None)
    return "" if code is None else _word(code, key)


def _items(item: Any, sequence: str) -> Iterator[Any]:
    try:
        yield from item.get(sequence) or ()
    except Exception:  # a damaged sequence
        return


def _damaged(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.DAMAGED, f"{name} is not a DICOM file that can be read. Export it from its viewer again."
    )


def _word(dataset: Any, keyword: str) -> str:
    try:
        return str(dataset.get(keyword) or "")
    except Exception:
        return ""


def _lines(dataset: Any, depth: int, counts: Callable[[int], bool] = lambda _group: True) -> list[str]:
    """counts: whether elements of a group do, at the top."""
    lines: list[str] = []
    for tag in list(dataset.keys())[:MAX_ELEMENTS]:
        if not counts(tag >> 16) or tag in ELSEWHERE:
            continue
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
    shown = [_shown(str(value)) if element.VR == "PN" else str(value).strip() for value in values if value is not None]
    return ", ".join(filter(None, shown))[:MAX_LETTERS]


def _shown(name: str) -> str:
    """Parts of a name are separated by carets, the ways to write it by equals signs."""
    return name.replace("^", " ").replace("=", " = ").strip()
