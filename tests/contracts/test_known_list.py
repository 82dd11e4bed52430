"""KnownListPort."""

from pathlib import Path

from core.ports.workspaces import KnownListPort


async def test_an_empty_list(known_list: KnownListPort) -> None:
    assert await known_list.read() == []
    assert await known_list.last_opened() is None


async def test_entries_keep_the_persons_order(known_list: KnownListPort) -> None:
    entries = [
        (Path("/b/Praxis Süd"), "Praxis „Süd“"),
        (Path("/a"), 'A "quoted" \\ name 🦷'),
        (Path("/b\udcff"), "odd"),
    ]
    await known_list.change(lambda before: [*before, *entries])
    assert await known_list.read() == entries
    await known_list.change(lambda before: before[:1])
    assert await known_list.read() == entries[:1]


async def test_the_last_opened_stands_beside_the_entries(known_list: KnownListPort) -> None:
    await known_list.set_last_opened(Path("/b/x"))
    await known_list.change(lambda _: [(Path("/a"), "A")])
    assert await known_list.last_opened() == Path("/b/x")
    await known_list.set_last_opened(None)
    assert await known_list.last_opened() is None
    assert await known_list.read() == [(Path("/a"), "A")]
