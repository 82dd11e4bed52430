"""Calendars and address cards."""

from tests.core.extraction.reading import read, text


def test_calendars_and_cards() -> None:
    event = (
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Budget talk\\, part 2\r\n"
        "DTSTART;TZID=Europe/Bern:20261102T090000\r\n"
        "DESCRIPTION:A long li\r\n ne folded\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    result = read(event.encode(), "invite.ics")
    assert (
        "Subject: Budget talk, part 2\nStarts: 2026-11-02 09:00:00 (Europe/Bern)\nDescription: A long line folded"
        in text(result)
    )
    cards = (
        "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Eva\n"
        "TEL;WORK:+41 31 123 45 67\n"
        "END:VCARD\nBEGIN:VCARD\nFN:Jan Kowalski\nADR:;;Main Street 5;Bern;;3000;CH\nEND:VCARD\n"
    )
    result = read(cards.encode(), "people.vcf")
    assert "Full name: Eva Müller\nTelephone: +41 31 123 45 67" in text(result)
    assert "Address: Main Street 5, Bern, 3000, CH" in text(result)
    assert len(result.passages) == 2


EVENT = """BEGIN:VCALENDAR
X-WR-CALNAME:Practice
BEGIN:VTIMEZONE
BEGIN:STANDARD
DTSTART:19701025T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY:Check-up
DTSTART;TZID=Europe/Zurich:20260417T093000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,-1FR;UNTIL=20261231T000000Z
EXDATE;TZID=Europe/Zurich:20260501T093000,20260515T093000
ATTENDEE;CN="Müller, Eva";ROLE=REQ-PARTICIPANT:mailto:eva@example.org
BEGIN:VALARM
DESCRIPTION:Ring the bell
END:VALARM
ATTACH;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=note.txt:aGVsbG8gbmVlZGxl
ATTACH:file:///etc/hostname
END:VEVENT
BEGIN:VTODO
SUMMARY:Order gloves
DUE;VALUE=DATE:20260420
END:VTODO
END:VCALENDAR
"""


def test_events_say_when_how_often_and_in_which_zone() -> None:
    result = read(EVENT.encode("utf-16"), "a.ics")
    found = text(result)
    assert (result.title, result.written_on) == ("Practice", "2026-04-17T09:30:00")
    for words in (
        "Starts: 2026-04-17 09:30:00 (Europe/Zurich)",
        "Repeats: every 2 weeks on Monday, -1 Friday until 2026-12-31",
        "Not on: 2026-05-01 09:30:00 (Europe/Zurich), 2026-05-15 09:30:00 (Europe/Zurich)",
        "Attendee: Müller, Eva eva@example.org",
        "Attached: file:///etc/hostname",
        "Due: 2026-04-20",
    ):
        assert words in found
    assert "Ring the bell" not in found
    assert {passage.part: passage.text for passage in result.passages}["note.txt"] == "hello needle"
    assert not any("Check-up" in passage.text and "gloves" in passage.text for passage in result.passages)


CARDS = (
    b"BEGIN:VCARD\r\nVERSION:2.1\r\n"
    b"N;CHARSET=WINDOWS-1251;ENCODING=QUOTED-PRINTABLE:=C8=E2=E0=ED=EE=E2;=C8=E2=E0=ED\r\n"
    b"ADR;HOME;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:;;Bahnhofstra=C3=9Fe 1=0D=0A=\r\n"
    b"2. Stock;Z=C3=BCrich;;8000;CH\r\n"
    b"PHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRg\r\n ABAQAAAQABAAD\r\n\r\nEND:VCARD\r\n"
    b"begin:vcard\r\nfn:Jan Kowalski\r\n"
    b'item1.tel;type="work,voice";value=uri:tel:+41-31\r\nitem1.x-ablabel:Desk\r\nend:vcard\r\n'
)


def test_cards_of_every_version() -> None:
    result = read(CARDS, "people.vcf")
    assert "Full name: Иван Иванов\nAddress: Bahnhofstraße 1\n2. Stock, Zürich, 8000, CH (home)" in text(result)
    assert "Name: Jan Kowalski\nTelephone: +41-31 (work)\nLabelled: Desk" in text(result)
    assert "4AAQ" not in text(result)
