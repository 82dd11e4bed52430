"""Pieces of a passage that get vectors of their own."""

from hypothesis import given
from hypothesis import strategies as st

from core.domain.pieces import LEAST, MOST, pieces

LETTER = (
    "Dear Mr Holm,\nThank you for your letter of last week. The boiler had to be replaced because the roof leaked.\n"
    "The amount is payable within thirty days. Yours sincerely"
)


def test_sentences_stand_alone_and_short_ones_together() -> None:
    assert pieces(LETTER) == [
        "Dear Mr Holm, Thank you for your letter of last week.",
        "The boiler had to be replaced because the roof leaked.",
        "The amount is payable within thirty days.",
        "Yours sincerely",
    ]
    assert pieces("诊所周末不开门。请打总机电话。" * 9)
    assert pieces("One thing only, said in one sentence.") == []
    assert pieces("") == []


@given(st.text(alphabet="ab .!?\n。", max_size=3000))
def test_pieces_cover_the_text_and_are_few(text: str) -> None:
    found = pieces(text)
    assert len(found) <= MOST
    assert len(found) != 1
    if found:
        assert "".join("".join(found).split()) == "".join(text.split())
        assert all(len(piece) >= LEAST // 2 for piece in found[:-1])
