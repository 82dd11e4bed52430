"""Forgetting for good leaves no trace of random texts: every file is searched for all of their longer pieces."""

import asyncio
import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.erasure import Doomed, Wanted
from core.domain.memory import Role
from core.domain.tiers import Tier
from tests.core.erasure.office import opened
from tests.fakes.store import SetClock

PIECE = 10  # characters
LETTERS = st.characters(codec="utf-8", categories=("L", "N", "Zs", "P", "S"))
TEXTS = st.text(LETTERS, min_size=2 * PIECE, max_size=3000).filter(lambda text: len(set(text)) > PIECE)


def pieces(texts: list[str]) -> set[bytes]:
    """Runs of PIECE characters, in the ways in which a file may hold them."""
    found: set[bytes] = set()
    for text in texts:
        for start in range(0, len(text) - PIECE + 1, PIECE // 2):
            piece = text[start : start + PIECE]
            if len(set(piece)) > PIECE // 2:
                found |= {piece.encode(), piece.encode("utf-16-le"), json.dumps(piece)[1:-1].encode()}
    return found


async def run(folder: Path, secret: list[str], staying: str) -> None:
    north = folder / "north"
    office = await opened(north, SetClock())
    one, two, three, four = secret
    await office.memory.remember("one", {"a": one}, Tier.WORKING)
    await office.memory.remember("one", "written again", Tier.WORKING)
    await office.memory.remember("stays", staying, Tier.SEMANTIC)
    await office.shared.set("two", two)
    await office.shared.delete("two")
    session = await office.conversations.begin("Call")
    await office.conversations.add(session.id, Role.USER, three)
    paper = await office.add_paper("paper.txt", four)
    await office.embed()
    wanted = (
        (Doomed.RECORD, "7:default:one"), (Doomed.SHARED, "two"), (Doomed.SESSION, session.id), (Doomed.PAPER, paper.id)
    )  # fmt: skip
    report = await office.erasure.carry_out(await office.erasure.plan(Wanted(wanted)))
    assert report.verified, report.left
    kept = {piece for piece in pieces(secret) if piece in staying.encode()}
    looked_for = pieces(secret) - kept
    for closed in (False, True):
        if closed:
            await office.close()
        for path in north.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                assert not [piece for piece in looked_for if piece in content], path
    assert staying.encode() in b"".join(path.read_bytes() for path in north.glob("workspace.db"))


@settings(max_examples=15, deadline=None)
@given(secret=st.lists(TEXTS, min_size=4, max_size=4))
def test_no_piece_of_them_is_left(secret: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), secret, "The desk opens at nine in the morning"))
