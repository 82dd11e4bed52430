"""Papers and their bytes in memory."""

import hashlib
import os
import stat
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.changes import Operation
from core.domain.extraction import Extracted, Note, Refusal, RefusalCode
from core.domain.formats import GROUPS, OTHER, group_of
from core.domain.papers import Artifact, Paper, PaperState, QueueState
from core.domain.recognition import RecognisedPage
from core.domain.text import one_line
from core.errors import InvalidValue, NotFound, UserError, VersionConflict
from tests.fakes.rows import FakeRows
from tests.fakes.store import FakeStore, SetClock
from tests.fakes.trash import FakeTrash

OPEN = {PaperState.WAITING, PaperState.READING}


class FakePapers:
    """PaperPort."""

    def __init__(self, store: FakeStore, trash: FakeTrash | None = None, actor: str = "person") -> None:
        self._store = store
        self._trash = trash or FakeTrash(store)
        self._actor = actor
        self._papers: dict[str, Paper] = {}
        self._claims = 0
        self._brought: dict[str, list[str]] = {}
        self._recognised: dict[str, list[RecognisedPage]] = {}

    def _set(self, paper: Paper, operation: Operation = Operation.UPDATED, **values: Any) -> Paper:
        new = replace(paper, version=paper.version + 1, updated_at=self._store.clock(), **values)
        self._papers[paper.id] = new
        self._store.changed("paper", paper.id, new.version, operation, self._actor)
        return new

    def _existing(self, id: str) -> Paper:
        if id not in self._papers:
            raise NotFound("This paper is not in the workspace any more.")
        return self._papers[id]

    def _put_back(self, paper: Paper) -> Paper:
        again = paper.state in {PaperState.READING, PaperState.SEARCHABLE}
        state = PaperState.WAITING if again else paper.state
        return self._set(paper, Operation.CREATED, removed_at=None, state=state, scan=False)

    def all(self) -> list[Paper]:
        return list(self._papers.values())

    # ---- what files in watched folders do to papers -----------------------------------------------------------------

    def held(self, id: str | None) -> Paper | None:
        return self._papers.get(id) if id is not None else None

    def with_bytes(self, digest: str) -> Paper | None:
        return next((paper for paper in self._papers.values() if paper.digest == digest), None)

    def brought(self, id: str) -> list[str]:
        """Where a person took it from."""
        return self._brought.get(id, [])

    def make(self, artifact: Artifact, name: str, origin: str, linked: bool = False) -> Paper:
        now = self._store.clock()
        paper = Paper(
            id=uuid.uuid4().hex,
            number=max((paper.number for paper in self._papers.values()), default=0) + 1,
            digest=artifact.digest,
            name=name,
            origin=origin,
            byte_length=artifact.byte_length,
            state=PaperState.WAITING,
            added_at=now,
            updated_at=now,
            linked=linked,
        )
        self._papers[paper.id] = paper
        self._store.changed("paper", paper.id, 1, Operation.CREATED, self._actor)
        return paper

    def again(self, paper: Paper, name: str, origin: str) -> Paper:
        """A removed paper whose bytes are given once more."""
        self._trash.take("paper", paper.id)
        return self._set(
            paper, Operation.CREATED, removed_at=None, state=PaperState.WAITING, attempts=0, reason_code="", reason="",
            name=name, origin=origin,
        )  # fmt: skip

    def follow(self, paper: Paper, artifact: Artifact, linked: bool) -> Paper:
        return self._set(
            paper, digest=artifact.digest, byte_length=artifact.byte_length, linked=linked, gone_at=None,
            state=PaperState.WAITING, scan=False, attempts=0, reason_code="", reason="",
        )  # fmt: skip

    def there(self, paper: Paper, linked: bool) -> Paper:
        """Its bytes are at hand."""
        linked = paper.linked and linked
        missing = paper.state is PaperState.ATTENTION and paper.reason_code == RefusalCode.MISSING
        if linked == paper.linked and paper.gone_at is None and not missing:
            return paper
        state = PaperState.WAITING if missing else paper.state
        reason = ("", "") if missing else (paper.reason_code, paper.reason)
        return self._set(paper, linked=linked, gone_at=None, state=state, reason_code=reason[0], reason=reason[1])

    def gone(self, paper: Paper) -> Paper:
        return self._set(paper, gone_at=self._store.clock())

    # ---- PaperPort --------------------------------------------------------------------------------------------------

    def erase(self, paper: Paper) -> None:
        del self._papers[paper.id]
        self._store.changed("paper", paper.id, paper.version + 1, Operation.DELETED, "system")

    def note(self, id: str, code: str, note: Note | None) -> Paper:
        paper = self._existing(id)
        notes = (*(each for each in paper.notes if each.code != code), *([note] if note else []))
        return paper if notes == paper.notes else self._set(paper, Operation.UPDATED, notes=notes)

    async def add(self, artifact: Artifact, name: str, origin: str) -> tuple[Paper, bool]:
        paper, new = self.with_bytes(artifact.digest), True
        if paper is None:
            paper = self.make(artifact, name, origin)
        elif paper.removed_at is not None:
            paper = self.again(paper, name, origin)
        else:
            new = False
        if origin and origin not in self._brought.setdefault(paper.id, []):
            self._brought[paper.id].append(origin)
        return self.there(paper, linked=False), new

    async def rename(self, id: str, name: str, read: str | None = None) -> Paper:
        name = one_line(name)
        if not name:
            raise InvalidValue("Give the paper a name.")
        paper = self._existing(id)
        if read is not None and paper.name != read:
            raise VersionConflict(f"It was renamed to “{paper.name}” while you were typing.")
        return paper if paper.name == name else self._set(paper, Operation.UPDATED, name=name)

    async def get(self, id: str) -> Paper | None:
        return self._papers.get(id)

    async def claim(self, *, scans: bool = False, first: str = "") -> Paper | None:
        self._claims += 1
        here = [p for p in self._papers.values() if p.removed_at is None and p.scan is scans]
        waiting = [p for p in here if p.state is PaperState.WAITING]
        if not waiting:
            return None
        oldest = self._claims % 4 == 0
        wanted = [p for p in waiting if p.id == first]
        paper = min(wanted or waiting, key=lambda p: p.number if oldest else (p.byte_length, p.number))  # type: ignore[arg-type]
        return self._set(paper, state=PaperState.READING, attempts=paper.attempts + 1, reason="", reason_code="")

    async def finish(self, id: str, extracted: Extracted, digest: str | None = None) -> Paper:
        paper = self._existing(id)
        if digest not in (None, paper.digest) or paper.state is PaperState.CANCELLED or paper.removed_at is not None:
            return paper
        self._recognised[id] = list(extracted.recognised)
        aside = extracted.scans > 0
        return self._set(
            paper,
            state=PaperState.WAITING if aside else PaperState.SEARCHABLE,
            scan=aside,
            attempts=0 if aside else paper.attempts,
            title=extracted.title or "",
            format=extracted.format,
            media_type=extracted.media_type,
            pages=extracted.pages,
            written_on=extracted.written_on,
            notes=tuple(extracted.notes),
            passages=len(extracted.passages),
            reason="",
            reason_code="",
        )

    async def defer(self, id: str, digest: str | None = None) -> Paper:
        paper = self._existing(id)
        if digest not in (None, paper.digest) or paper.state is PaperState.CANCELLED or paper.removed_at is not None:
            return paper
        return self._set(paper, state=PaperState.WAITING, scan=True, attempts=0, passages=0, reason="", reason_code="")

    async def recognised(self, id: str, page: int | None, part: str = "") -> RecognisedPage | None:
        pages = self._recognised.get(id, [])
        return next((each for each in pages if (each.page, each.part) == (page, part)), None)

    async def refuse(self, id: str, refusal: Refusal, digest: str | None = None) -> Paper:
        paper = self._existing(id)
        if digest not in (None, paper.digest) or paper.state is PaperState.CANCELLED or paper.removed_at is not None:
            return paper
        if paper.scan and paper.passages:
            notes = (*paper.notes, Note(refusal.code.value, refusal.sentence))
            return self._set(paper, state=PaperState.SEARCHABLE, scan=False, notes=notes)
        self._recognised.pop(id, None)
        return self._set(
            paper,
            state=PaperState.ATTENTION,
            scan=False,
            reason_code=refusal.code.value,
            reason=refusal.sentence,
            passages=0,
        )

    async def requeue(self, ids: Sequence[str]) -> list[Paper]:
        return self._each(
            ids,
            lambda paper: paper.removed_at is None and paper.state not in OPEN,
            lambda paper: self._set(paper, state=PaperState.WAITING, attempts=0, reason="", reason_code=""),
        )

    async def cancel(self, ids: Sequence[str]) -> list[Paper]:
        return self._each(
            ids,
            lambda paper: paper.removed_at is None and paper.state in OPEN,
            lambda paper: self._set(
                paper, scan=False, state=PaperState.SEARCHABLE if paper.passages else PaperState.CANCELLED
            ),
        )

    async def remove(self, ids: Sequence[str]) -> list[Paper]:
        return self._each(
            ids,
            lambda paper: paper.removed_at is None,
            self._removed,
        )

    def _removed(self, paper: Paper) -> Paper:
        self._recognised.pop(paper.id, None)
        removed = self._set(paper, Operation.DELETED, removed_at=self._store.clock(), passages=0)
        id = paper.id
        self._trash.put(
            "paper", id, paper.name, "", self._actor,
            back=lambda: self._put_back(self._papers[id]) and None, gone=lambda: self.erase(self._papers[id]),
        )  # fmt: skip
        return removed

    async def restore(self, ids: Sequence[str]) -> list[Paper]:
        def back(paper: Paper) -> Paper:
            self._trash.take("paper", paper.id)
            return self._put_back(paper)

        return self._each(ids, lambda paper: paper.removed_at is not None, back)

    def _each(self, ids: Sequence[str], fits: Callable[[Paper], bool], change: Callable[[Paper], Paper]) -> list[Paper]:
        papers = [self._papers[id] for id in dict.fromkeys(ids) if id in self._papers]
        return [change(paper) for paper in papers if fits(paper)]

    async def recover(self) -> int:
        waiting = 0
        for paper in list(self._papers.values()):
            if paper.state is not PaperState.READING:
                continue
            if paper.attempts >= 3:
                code = RefusalCode.CRASHED.value
                self._set(
                    paper,
                    state=PaperState.ATTENTION,
                    scan=False,
                    reason_code=code,
                    reason=f"“{paper.name}” stopped it.",
                )
            else:
                self._set(paper, state=PaperState.WAITING)
                waiting += 1
        return waiting

    async def give_back(self, *, scans: bool | None = None) -> int:
        reading = [p for p in self._papers.values() if p.state is PaperState.READING and scans in (None, p.scan)]
        for paper in reading:
            self._set(paper, state=PaperState.WAITING, attempts=max(0, paper.attempts - 1))
        return len(reading)

    async def queue(self) -> QueueState:
        here = [paper for paper in self._papers.values() if paper.removed_at is None]
        count = {state: sum(paper.state is state for paper in here) for state in PaperState}
        return QueueState(
            waiting=count[PaperState.WAITING],
            reading=count[PaperState.READING],
            searchable=count[PaperState.SEARCHABLE],
            attention=count[PaperState.ATTENTION],
            cancelled=count[PaperState.CANCELLED],
            paused=False,
            passages=sum(paper.passages or paper.state is PaperState.ATTENTION for paper in here),  # those: their names
            passages_with_meaning=0,
        )

    def rows(self) -> FakeRows[Paper]:
        return FakeRows(
            everything=lambda: {p.number: p for p in self._papers.values() if p.removed_at is None},
            title=lambda paper: f"{paper.name}\n{paper.title}",
            own_key=lambda paper: paper.added_at,
            own_descending=True,
            sort_keys={"name": lambda paper: paper.name.lower(), "size": lambda paper: paper.byte_length},
            facet_values={
                "state": lambda paper: paper.state,
                "format": lambda paper: paper.format,
                "group": lambda paper: group_of(paper.format),
            },
            facets={"state": tuple(PaperState), "format": (), "group": (*GROUPS, OTHER)},
        )


class FakeUpkeep:
    """UpkeepPort over the rows of FakePapers."""

    def __init__(self, papers: FakePapers) -> None:
        self._of = papers

    async def digests(self) -> set[str]:
        return {paper.digest for paper in self._of.all()}

    async def some(self, after: int, count: int) -> list[Paper]:
        found = [paper for paper in self._of.all() if paper.removed_at is None and paper.number > after]
        return sorted(found, key=lambda paper: paper.number)[:count]

    async def set_note(self, id: str, code: str, note: Note | None) -> Paper:
        return self._of.note(id, code, note)


class FakeArtifacts:
    """ArtifactPort; `folder` is where paths are given out."""

    def __init__(self, folder: Path, clock: SetClock) -> None:
        self._folder = folder
        self._clock = clock
        self._bytes: dict[str, bytes] = {}
        self._taken: dict[str, float] = {}

    async def take(self, source: Path, limit: int) -> Artifact:
        content = self._read(source, limit)
        digest = hashlib.sha256(content).hexdigest()
        self._bytes[digest] = content
        self._taken[digest] = time.time()
        return Artifact(digest, len(content), self._clock())

    async def link(self, source: Path, limit: int) -> Artifact:
        content = self._read(source, limit)
        return Artifact(hashlib.sha256(content).hexdigest(), len(content), self._clock())

    def _read(self, source: Path, limit: int) -> bytes:
        name = os.fsencode(source.name).decode("utf-8", "replace")
        try:
            status = source.stat()
            if not stat.S_ISREG(status.st_mode):
                raise UserError(f"“{name}” is no ordinary file.")
            if status.st_size > limit:
                raise UserError(f"“{name}” is larger than {limit} bytes.")
            return source.read_bytes()
        except OSError as error:
            raise UserError(f"“{name}” can't be opened ({error.strerror}).") from None

    async def path(self, digest: str) -> Path:
        if digest not in self._bytes:
            raise NotFound("The stored bytes of this paper are not in the workspace any more.")
        path = self._folder / digest
        path.write_bytes(self._bytes[digest])
        return path

    async def verify(self, digest: str) -> bool:
        return digest in self._bytes

    async def export(self, digest: str, target: Path) -> None:
        source = await self.path(digest)
        if not target.parent.is_dir():
            raise UserError(f"“{target.name}” can't be written there.")
        target.unlink(missing_ok=True)
        target.write_bytes(source.read_bytes())

    async def stored(self) -> list[str]:
        return sorted(self._bytes)

    async def discard(self, digest: str, *, unused_for: float = 0.0) -> bool:
        if unused_for and digest in self._bytes and time.time() - self._taken[digest] < unused_for:
            return False
        return self._bytes.pop(digest, None) is not None

    async def clear_staging(self) -> int:
        return 0
