"""Papers and their reading queue (PaperPort over SQLite).

The writer runs one operation at a time, so a paper is claimed by one reader only.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath

from core.adapters.sqlite.driver import Connection
from core.adapters.sqlite.engine import Database, Transaction
from core.adapters.sqlite.paper_rows import SELECT, existing, find_paper, gone, paper_of, touch
from core.adapters.sqlite.paper_trash import put_back, put_in_trash, take_from_trash
from core.adapters.sqlite.passages import analyse, remove_passages, replace_passages
from core.adapters.sqlite.recognised import store_pages, stored_page
from core.adapters.sqlite.retitling import analysed_under, retitle_passages
from core.adapters.sqlite.taking_in import take_in
from core.adapters.sqlite.values import storable
from core.domain.changes import Operation
from core.domain.extraction import Extracted, Note, PassageDraft, Refusal, RefusalCode
from core.domain.folding import fold
from core.domain.papers import Artifact, Paper, PaperState, QueueState
from core.domain.passages import Kind
from core.domain.recognition import RecognisedPage
from core.domain.text import clean, one_line
from core.errors import InvalidValue, VersionConflict

OLDEST_EVERY = 4  # claims: three take the smallest paper, the fourth the one that waits longest
DEADLY_ATTEMPTS = 3


class SqlitePapers:
    """The papers of one workspace. `actor` is who the changes are written down for; reading is done by the system."""

    def __init__(self, database: Database, actor: str = "person") -> None:
        self._database = database
        self._actor = actor
        self._claims = 0

    async def add(self, artifact: Artifact, name: str, origin: str) -> tuple[Paper, bool]:
        name, origin = clean(name), clean(origin)
        return await self._database.write(lambda tx: take_in(tx, artifact, name, origin), self._actor)

    async def get(self, id: str) -> Paper | None:
        return await self._database.read(lambda connection: find_paper(connection, id))

    async def claim(self, *, scans: bool = False, first: str = "") -> Paper | None:
        self._claims += 1
        order = "number" if self._claims % OLDEST_EVERY == 0 else "byte_length, number"

        def operation(tx: Transaction) -> Paper | None:
            row = tx.execute(
                "SELECT id FROM papers WHERE removed_at IS NULL AND state = 'waiting' AND scan = ?"
                f" ORDER BY id = ? DESC, {order} LIMIT 1",
                (int(scans), first),
            ).fetchone()
            if row is None:
                return None
            tx.execute("UPDATE papers SET attempts = attempts + 1 WHERE id = ?", (row[0],))
            return _set_state(tx, row[0], PaperState.READING)

        return await self._database.write(operation, "system")

    async def finish(self, id: str, extracted: Extracted, digest: str | None = None) -> Paper:
        extracted = replace(extracted, title=one_line(extracted.title or ""), author=one_line(extracted.author or ""))
        known = await self.get(id)
        if known is None:
            raise gone()
        title = _shown_title(known.name, extracted.title or "")
        ready = await asyncio.to_thread(analyse, extracted.passages, title)

        def operation(tx: Transaction) -> Paper:
            paper = existing(tx, id)
            if _given_up(paper, digest):
                return paper
            at = _instant(extracted.written_on, paper.added_at)
            title = _shown_title(paper.name, extracted.title or "")
            replace_passages(tx, Kind.PAPER, id, ready, title=title, at=at, format=extracted.format)
            _set_read(tx, paper, extracted)
            store_pages(tx, id, extracted.recognised)
            if extracted.scans:
                return _set_aside(tx, id)
            return _set_state(tx, id, PaperState.SEARCHABLE)

        return await self._database.write(operation, "system")

    async def defer(self, id: str, digest: str | None = None) -> Paper:
        def operation(tx: Transaction) -> Paper:
            paper = existing(tx, id)
            if _given_up(paper, digest):
                return paper
            _drop_passages(tx, id)
            return _set_aside(tx, id)

        return await self._database.write(operation, "system")

    async def refuse(self, id: str, refusal: Refusal, digest: str | None = None) -> Paper:
        def operation(tx: Transaction) -> Paper:
            paper = existing(tx, id)
            if _given_up(paper, digest):
                return paper
            if paper.scan and paper.passages:  # what could be read without its pictures is kept
                _add_note(tx, paper, Note(refusal.code.value, refusal.sentence))
                return _set_state(tx, id, PaperState.SEARCHABLE)
            _drop_passages(tx, id)
            _index_name(tx, paper)
            return _set_state(tx, id, PaperState.ATTENTION, refusal)

        return await self._database.write(operation, "system")

    async def requeue(self, ids: Sequence[str]) -> list[Paper]:
        def one(tx: Transaction, paper: Paper) -> Paper | None:
            if paper.removed_at is not None or paper.state in {PaperState.WAITING, PaperState.READING}:
                return None
            tx.execute("UPDATE papers SET attempts = 0 WHERE id = ?", (paper.id,))
            return _set_state(tx, paper.id, PaperState.WAITING)

        return await self._each(ids, one)

    async def cancel(self, ids: Sequence[str]) -> list[Paper]:
        def one(tx: Transaction, paper: Paper) -> Paper | None:
            if paper.removed_at is not None or paper.state not in {PaperState.WAITING, PaperState.READING}:
                return None
            # One that was searchable and was to be read once more is searchable still.
            return _set_state(tx, paper.id, PaperState.SEARCHABLE if paper.passages else PaperState.CANCELLED)

        return await self._each(ids, one)

    async def remove(self, ids: Sequence[str]) -> list[Paper]:
        def one(tx: Transaction, paper: Paper) -> Paper | None:
            if paper.removed_at is not None:
                return None
            put_in_trash(tx, paper)
            _drop_passages(tx, paper.id)
            tx.execute("UPDATE papers SET removed_at = ? WHERE id = ?", (tx.now, paper.id))
            return touch(tx, paper.id, Operation.DELETED)

        return await self._each(ids, one)

    async def rename(self, id: str, name: str, read: str | None = None) -> Paper:
        name = storable(one_line(name), "name")
        if not name:
            raise InvalidValue("Give the paper a name.")
        known = await self.get(id)
        if known is None:
            raise gone()
        ready = await analysed_under(self._database, Kind.PAPER, id, _shown_title(name, known.title))

        def operation(tx: Transaction) -> Paper:
            paper = existing(tx, id)
            if read is not None and paper.name != read:
                raise VersionConflict(f"It was renamed to “{paper.name}” while you were typing.")
            if paper.name == name:
                return paper
            tx.execute("UPDATE papers SET name = ?, name_folded = ? WHERE id = ?", (name, fold(name), id))
            retitle_passages(tx, Kind.PAPER, id, _shown_title(name, paper.title), ready)
            return touch(tx, id, Operation.UPDATED)

        return await self._database.write(operation, self._actor)

    async def restore(self, ids: Sequence[str]) -> list[Paper]:
        def one(tx: Transaction, paper: Paper) -> Paper | None:
            if paper.removed_at is None:
                return None
            take_from_trash(tx, paper)
            return put_back(tx, paper)

        return await self._each(ids, one)

    async def recover(self) -> int:
        def operation(tx: Transaction) -> int:
            waiting = 0
            for row in tx.execute(f"{SELECT} WHERE state = 'reading' ORDER BY number").fetchall():
                paper = paper_of(row)
                if paper.attempts >= DEADLY_ATTEMPTS:
                    sentence = (
                        f"Muniment stopped {paper.attempts} times while it was reading “{paper.name}”. "
                        "The paper is kept; it is read again when you ask for it."
                    )
                    _drop_passages(tx, paper.id)
                    _index_name(tx, paper)
                    _set_state(tx, paper.id, PaperState.ATTENTION, Refusal(RefusalCode.CRASHED, sentence))
                else:
                    _set_state(tx, paper.id, PaperState.WAITING)
                    waiting += 1
            return waiting

        return await self._database.write(operation, "system")

    async def give_back(self, *, scans: bool | None = None) -> int:
        def operation(tx: Transaction) -> int:
            reading = tx.execute(
                "SELECT id FROM papers WHERE state = 'reading' AND scan = coalesce(?, scan) ORDER BY number", (scans,)
            ).fetchall()
            for row in reading:
                tx.execute("UPDATE papers SET attempts = max(0, attempts - 1) WHERE id = ?", (row[0],))
                _set_state(tx, row[0], PaperState.WAITING)
            return len(reading)

        return await self._database.write(operation, "system")

    async def recognised(self, id: str, page: int | None, part: str = "") -> RecognisedPage | None:
        return await self._database.read(lambda connection: stored_page(connection, id, page, part))

    async def queue(self) -> QueueState:
        def operation(connection: Connection) -> QueueState:
            rows = connection.execute("SELECT state, count(*) FROM papers WHERE removed_at IS NULL GROUP BY state")
            count = {str(row[0]): int(row[1]) for row in rows}
            passages, waiting = connection.execute("SELECT passages, waiting FROM passage_totals").fetchall()[0]
            return QueueState(
                waiting=count.get(PaperState.WAITING, 0),
                reading=count.get(PaperState.READING, 0),
                searchable=count.get(PaperState.SEARCHABLE, 0),
                attention=count.get(PaperState.ATTENTION, 0),
                cancelled=count.get(PaperState.CANCELLED, 0),
                paused=False,
                passages=passages,
                passages_with_meaning=passages - waiting,
            )

        return await self._database.read(operation)

    async def _each(self, ids: Sequence[str], one: Callable[[Transaction, Paper], Paper | None]) -> list[Paper]:
        """Apply `one` to each paper that exists, in one transaction; answers those that it changed."""

        def operation(tx: Transaction) -> list[Paper]:
            papers = [find_paper(tx.connection, id) for id in dict.fromkeys(ids)]
            changed = [one(tx, paper) for paper in papers if paper is not None]
            return [paper for paper in changed if paper is not None]

        return await self._database.write(operation, self._actor)


def _given_up(paper: Paper, digest: str | None) -> bool:
    """Nobody wants any more what was read: the paper is out, or it isn't these bytes any more."""
    changed = digest is not None and digest != paper.digest
    return changed or paper.state is PaperState.CANCELLED or paper.removed_at is not None


def _set_read(tx: Transaction, paper: Paper, extracted: Extracted) -> None:
    """What the reader said of the paper."""
    tx.execute(
        "UPDATE papers SET title = ?, author = ?, name_folded = ?, format = ?, media_type = ?, pages = ?,"
        " written_on = ?, notes = ?, passages = ? WHERE id = ?",
        (
            extracted.title,
            extracted.author,
            fold(f"{paper.name}\n{extracted.title}".rstrip()),
            extracted.format,
            extracted.media_type,
            extracted.pages,
            extracted.written_on,
            json.dumps([(note.code, note.sentence, note.page) for note in extracted.notes]),
            len(extracted.passages),
            paper.id,
        ),
    )


def _set_state(tx: Transaction, id: str, state: PaperState, refusal: Refusal | None = None) -> Paper:
    code, sentence = (refusal.code.value, refusal.sentence) if refusal else ("", "")
    tx.execute("UPDATE papers SET state = ?, reason_code = ?, reason = ? WHERE id = ?", (state, code, sentence, id))
    if state not in {PaperState.WAITING, PaperState.READING}:
        tx.execute("UPDATE papers SET scan = 0 WHERE id = ?", (id,))
    return touch(tx, id, Operation.UPDATED)


def _set_aside(tx: Transaction, id: str) -> Paper:
    """Among those that wait until their pictures are recognised."""
    tx.execute("UPDATE papers SET scan = 1, attempts = 0 WHERE id = ?", (id,))
    return _set_state(tx, id, PaperState.WAITING)


def _add_note(tx: Transaction, paper: Paper, note: Note) -> None:
    notes = [(each.code, each.sentence, each.page) for each in (*paper.notes, note)]
    tx.execute("UPDATE papers SET notes = ? WHERE id = ?", (json.dumps(notes), paper.id))


def _index_name(tx: Transaction, paper: Paper) -> None:
    """What has no text that can be read is found by its name: by a passage without text, which isn't counted."""
    replace_passages(
        tx, Kind.PAPER, paper.id, [PassageDraft("")], title=paper.name, at=paper.added_at, format=paper.format
    )


def _drop_passages(tx: Transaction, id: str) -> None:
    remove_passages(tx, Kind.PAPER, id)
    store_pages(tx, id, [])
    tx.execute("UPDATE papers SET passages = 0 WHERE id = ?", (id,))


def _shown_title(name: str, title: str) -> str:
    """The title by which passages are found and shown: the paper's own, and its file's name, which people remember."""
    if not title or fold(title) in {fold(name), fold(PurePath(name).stem)}:
        return name
    return f"{title} · {name}"


def _instant(written_on: str | None, otherwise: float) -> float:
    """When the paper says that it was written, in UTC seconds; `otherwise` where it says nothing or no whole date."""
    if written_on is None:
        return otherwise
    try:
        moment = datetime.fromisoformat(written_on)
    except ValueError:
        return otherwise
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
