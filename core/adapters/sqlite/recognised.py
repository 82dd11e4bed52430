"""Words of recognised pages with their places: derived from a paper's pictures, stored and dropped with its text."""

import json
import zlib
from collections.abc import Sequence

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Transaction
from core.domain.recognition import RecognisedPage, word_rows, words_from

NO_PAGE = 0  # a single picture


def store_pages(tx: Transaction, paper: str, pages: Sequence[RecognisedPage]) -> None:
    """In place of those that the paper had."""
    tx.execute("DELETE FROM recognised WHERE paper = ?", (paper,))
    for page in pages:
        words = zlib.compress(json.dumps(word_rows(page.words), ensure_ascii=False, separators=(",", ":")).encode())
        tx.execute(
            "INSERT INTO recognised (paper, part, page, turn, words) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (paper, page.part, page.page or NO_PAGE, page.turn, words),
        )


def stored_page(connection: Connection, paper: str, page: int | None, part: str) -> RecognisedPage | None:
    row = connection.execute(
        "SELECT turn, words FROM recognised WHERE paper = ? AND part = ? AND page = ?", (paper, part, page or NO_PAGE)
    ).fetchone()
    return None if row is None else RecognisedPage(page, part, row[0], words_from(json.loads(zlib.decompress(row[1]))))
