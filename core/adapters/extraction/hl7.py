"""HL7 v2 messages: every segment, as it was sent, under what it is about."""

import re

from core.adapters.extraction import dates
from core.adapters.extraction.source import Source

# HL7 v2.5.1, chapters 2, 3, 4, 6, 7, 9 and 10.
SEGMENTS = {
    "MSH": "Message",
    "EVN": "Event",
    "PID": "Patient",
    "PD1": "Patient, more",
    "NK1": "Next of kin",
    "PV1": "Visit",
    "PV2": "Visit, more",
    "MRG": "Merged patient",
    "AL1": "Allergy",
    "DG1": "Diagnosis",
    "PR1": "Procedure",
    "GT1": "Guarantor",
    "IN1": "Insurance",
    "IN2": "Insurance, more",
    "ORC": "Order",
    "OBR": "Observation request",
    "OBX": "Result",
    "NTE": "Note",
    "SPM": "Specimen",
    "RXA": "Vaccination or medicine given",
    "RXR": "Route",
    "RXE": "Prescription",
    "TXA": "Document",
    "SCH": "Appointment",
    "AIS": "Service",
    "ROL": "Role",
    "FT1": "Charge",
    "ACC": "Accident",
    "DB1": "Disability",
}
_SEGMENT = re.compile(r"[A-Z][A-Z0-9]{2}(?=[^\w\s]|$)")
_ESCAPES = {"F": "|", "S": "^", "T": "&", "R": "~", "E": "\\", ".br": "\n", "H": "", "N": ""}


def read(source: Source) -> None:
    """One group for each message, so that no passage mixes two patients. Lines may end in CR, LF or both."""
    transcript = source.transcript
    lines = [line.strip("\x0b\x1c \t") for line in re.split(r"[\r\n]+", source.text().lstrip("\ufeff"))]
    for line in filter(None, lines):
        found = _SEGMENT.match(line)
        kind = found.group() if found else ""
        if kind == "MSH":
            transcript.boundary()
            fields = line.split(line[3:4])
            transcript.describe(written_on=dates.from_digits(fields[6]) if len(fields) > 6 else None)
            transcript.describe(title=f"HL7 message {fields[8].replace('^', ' ')}" if len(fields) > 8 else None)
        text = _unescaped(line) if kind != "MSH" else line
        transcript.paragraph(f"{SEGMENTS[kind]}:\n{text}" if kind in SEGMENTS else text)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(F|S|T|R|E|H|N|\.br)\\", lambda found: _ESCAPES[found[1]], text)
