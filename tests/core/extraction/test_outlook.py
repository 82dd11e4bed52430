"""Outlook's files: mails, contacts, appointments (MSG), and winmail.dat (TNEF)."""

import struct
import uuid
from datetime import UTC, datetime

import pytest

from core.domain.extraction import Extracted, RefusalCode
from tests.core.extraction.old_office import ole
from tests.core.extraction.reading import attempt, read, refuse, text

SEEN = datetime(2026, 4, 17, 7, 30, tzinfo=UTC)
APPOINTMENTS = uuid.UUID("00062002-0000-0000-c000-000000000046")


def ticks(moment: datetime) -> bytes:
    return int((moment - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds() * 10_000_000).to_bytes(8, "little")


def message(
    texts: dict[int, str | bytes],
    *,
    fixed: dict[int, bytes] | None = None,
    binaries: dict[int, bytes] | None = None,
    inside: dict[str, bytes] | None = None,
    place: str = "",
    named: list[tuple[uuid.UUID, int]] | None = None,
) -> dict[str, bytes]:
    """Streams of a MSG file: texts in Unicode, or as bytes in the mail's code page."""
    header = bytes(24 if place else 32)
    entries = b"".join(
        struct.pack("<HHI8s", 0x40, tag, 6, value.ljust(8, b"\0")) for tag, value in (fixed or {}).items()
    )
    streams = {"__properties_version1.0": header + entries}
    for tag, value in texts.items():
        narrow = isinstance(value, bytes)
        streams[f"__substg1.0_{tag:04X}001{'E' if narrow else 'F'}"] = value if narrow else value.encode("utf-16-le")
    streams |= {f"__substg1.0_{tag:04X}0102": value for tag, value in (binaries or {}).items()}
    streams |= inside or {}
    if named:
        sets = list(dict.fromkeys(one for one, _number in named))
        streams["__nameid_version1.0/__substg1.0_00020102"] = b"".join(one.bytes_le for one in sets)
        streams["__nameid_version1.0/__substg1.0_00030102"] = b"".join(
            struct.pack("<IHH", number, (sets.index(one) + 3) << 1, index) for index, (one, number) in enumerate(named)
        )
    return {place + name: data for name, data in streams.items()}


def test_headers_come_from_whatever_holds_them() -> None:
    headers = "From: Ann <ann@example.org>\r\nDate: Fri, 17 Apr 2026 09:30:00 +0200\r\nTo: desk@example.org\r\n"
    result = read(ole(message({0x0037: "Room plan", 0x1000: "See you.", 0x007D: headers})), "plan.msg")
    assert (result.title, result.author) == ("Room plan", "Ann <ann@example.org>")
    assert result.written_on == "2026-04-17T09:30:00+02:00"
    assert "To: desk@example.org" in text(result)


def test_sender_and_the_one_in_whose_name() -> None:
    texts: dict[int, str | bytes] = {
        0x0C1A: "Front desk",
        0x0C1F: "desk@example.org",
        0x0042: "Dr Ng",
        0x0065: "ng@example.org",
    }
    found = text(read(ole(message({**texts, 0x0037: "x"})), "a.msg"))
    assert "From: Front desk <desk@example.org>\nOn behalf of: Dr Ng <ng@example.org>" in found
    exchange = {0x0C1A: "Ann", 0x0C1F: "/o=Clinic/cn=Ann", 0x5D01: "ann@example.org"}
    assert "From: Ann <ann@example.org>" in text(read(ole(message({**exchange, 0x0037: "x"})), "a.msg"))


@pytest.mark.parametrize(("page", "named"), [(950, "big5"), (28592, "iso8859-2"), (20866, "koi8-r"), (1251, "cp1251")])
def test_texts_in_the_code_page_of_the_mail(page: int, named: str) -> None:
    words = {"big5": "格式測試張毓倫", "iso8859-2": "Příští schůzka", "koi8-r": "Запись на приём", "cp1251": "Запись"}[
        named
    ]
    streams = message({0x0037: words.encode(named), 0x1000: b"x"}, fixed={0x3FFD: page.to_bytes(4, "little")})
    assert read(ole(streams), "a.msg").title == words


def test_contacts_are_read_whole() -> None:
    texts: dict[int, str | bytes] = {
        0x001A: "IPM.Contact",
        0x3001: "Dr Eva Müller",
        0x3A16: "Clinic",
        0x3A08: "+41 31 123",
        0x1000: "Knows the way",
    }
    found = text(read(ole(message({**texts, 0x0037: "Müller"}, fixed={0x3A42: ticks(SEEN)})), "eva.msg"))
    assert "Name: Dr Eva Müller\nOrganisation: Clinic\nTelephone at work: +41 31 123\nBorn: 2026-04-17" in found
    assert "Knows the way" in found


def test_appointments_keep_when_and_where() -> None:
    named = [(APPOINTMENTS, 0x820D), (APPOINTMENTS, 0x8208)]
    texts: dict[int, str | bytes] = {0x0037: "Budget", 0x8001: "Room 2", 0x001A: "IPM.Appointment"}
    found = text(read(ole(message(texts, fixed={0x8000: ticks(SEEN)}, named=named)), "a.msg"))
    assert "Starts: 2026-04-17 07:30 UTC\nPlace: Room 2" in found


def test_attachments_and_mails_inside_mails() -> None:
    attached = "__attach_version1.0_#00000000/"
    file = message({0x3707: "list.csv"}, binaries={0x3701: b"name,price\nFlu,40\n"}, place=attached)
    second = "__attach_version1.0_#00000001/"
    inner = message({0x0037: "Inner", 0x1000: "The inner text"}, place=f"{second}__substg1.0_3701000D/")
    whole = message({0x0037: "Outer"}, inside={**file, **inner, **message({}, place=second)})
    result = read(ole(whole), "a.msg")
    parts = {passage.part: passage.text for passage in result.passages}
    assert "Flu,40" in parts["list.csv"]
    assert "The inner text" in parts["Inner"]


def tnef(*attributes: tuple[int, int, bytes]) -> bytes:
    return b"\x78\x9f\x3e\x22\x01\x00" + b"".join(
        struct.pack("<BHHI", level, number, 6, len(value)) + value + b"\0\0" for level, number, value in attributes
    )


def properties(*entries: tuple[int, int, bytes]) -> bytes:
    body = struct.pack("<I", len(entries))
    for kind, tag, value in entries:
        body += struct.pack("<HHII", kind, tag, 1, len(value)) + value + bytes(-len(value) % 4)
    return body


def test_winmail_dat() -> None:
    data = tnef(
        (1, 0x9007, struct.pack("<II", 1250, 0)),
        (1, 0x8004, "Čekárna\0".encode("cp1250")),
        (1, 0x9003, properties((0x1F, 0x0C1A, "Ann\0".encode("utf-16-le")), (0x1E, 0x1000, b"See the list."))),
        (2, 0x9002, bytes(14)),
        (2, 0x8010, b"LIST~1.CSV\0"),
        (2, 0x800F, b"name,price\nFlu,40\n"),
        (2, 0x9005, properties((0x1F, 0x3707, "price list.csv\0".encode("utf-16-le")))),
    )
    result = read(data, "winmail.dat")
    assert (result.format, result.title, result.author) == ("tnef", "Čekárna", "Ann")
    assert "See the list." in text(result)
    assert {passage.part for passage in result.passages if "Flu,40" in passage.text} == {"price list.csv"}
    refusal = refuse(b"\x78\x9f\x3e\x22" + bytes(100), "winmail.dat")
    assert refusal.code is RefusalCode.DAMAGED
    assert "Ask the sender" in refusal.sentence


@pytest.mark.parametrize("cut", [8, 40, 90, 130, 200])
def test_winmail_dat_that_breaks_off(cut: int) -> None:
    data = tnef((1, 0x8004, b"Room plan\0"), (1, 0x9003, properties((0x1E, 0x1000, b"See the list. " * 20))))
    result = attempt(data[:cut], "winmail.dat")
    assert isinstance(result, Extracted) or "winmail.dat" in result.sentence
