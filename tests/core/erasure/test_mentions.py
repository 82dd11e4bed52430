"""A name in a text: which ways of writing it count."""

import pytest

from core.domain.mentions import Mention
from core.domain.traces import TraceTable, traces_of
from core.errors import InvalidValue


@pytest.mark.parametrize(
    ("name", "there", "absent"),
    [
        ("Anna Kowalski", ["ANNA  KOWALSKI", "Kowalski, Anna", "anna-kowalski", "Anna\nKowalski's"], ["Anna Kowalska"]),
        ("Müller", ["muller", "Müller-Lüdenscheid", "(MÜLLER)"], ["Obermüller", "Mullers"]),
        ("Łódź", ["lodz", "ŁÓDŹ"], ["Lodzia"]),
        ("Großmann", ["Grossmann", "GROSSMANN"], ["Grosman"]),
        ("Sea-Watch", ["seawatch", "Sea Watch", "SEA-WATCH"], ["sea", "watch sea level"]),
        ("seawatch", ["Sea-Watch"], ["Sea Watch tower"]),
        ("RX-208", ["rx208", "RX 208", "rx/208"], ["RX-2081", "208"]),
        ("17.4.2026", ["April 17, 2026", "2026-04-17"], ["April 2026", "18.4.2026"]),
        ("+49 30 1234567", ["030 1234567", "(030) 123 45 67"], ["030 1234568"]),
        ("山田", ["山田太郎さん"], ["山中"]),
        ("ﬁsher", ["Fisher"], ["fish"]),
    ],
)
def test_spellings(name: str, there: list[str], absent: list[str]) -> None:
    mention = Mention(name)
    assert [text for text in there if not mention.within(f"We saw {text}, today")] == []
    assert [text for text in absent if mention.within(f"We saw {text}, today")] == []


def test_json_is_looked_through_whole() -> None:
    mention = Mention("Kowalski")
    assert mention.within_json({"a": [1, {"b": "line\nKowalski"}]})
    assert mention.within_json({"kowalski": None})
    assert Mention("4711").within_json([4711])
    assert not mention.within_json({"a": [True, None, 1.5, "kowal"]})


@pytest.mark.parametrize("name", ["", "-", "a", '"', "…"])
def test_too_little_to_look_for(name: str) -> None:
    with pytest.raises(InvalidValue):
        Mention(name)


def test_traces_are_found_wherever_and_however_a_piece_stands() -> None:
    text = "The patient came in at nine o'clock with a “broken” arm."
    table = TraceTable(traces_of([text, b"\x01\x02\x03\x04\x05\x06\x07\x08" * 3]))
    for data in (text.encode(), text.encode("utf-16-le"), text.encode("unicode_escape"), text[8:].encode()):
        for before in range(9):
            assert table.found(b"x" * before + data + b"y")
    assert not table.found(b"The pati" + b"nothing of it" * 100)
    assert not table.found(b"")
    assert not table.found(bytes(100_000))


def test_what_stays_leaves_no_trace() -> None:
    one, two = "The boiler in the north room was replaced", "In January the roof was repaired by a builder"
    traces = TraceTable(traces_of([one, two])).without([f"xx{one}yy".encode()])
    left = TraceTable(traces)
    assert not left.found(one.encode())
    assert left.found(two.encode())
    assert len(traces.without_endings()) < len(traces)
