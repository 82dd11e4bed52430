"""A workspace on disk with everything in it, for tests of forgetting for good, and a look at all of its bytes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.adapters.files.artifacts import FileArtifacts
from core.adapters.files.remains import FileRemains
from core.adapters.files.saving import FileSaving
from core.adapters.sqlite.conversations import SqliteConversations
from core.adapters.sqlite.engine import Database
from core.adapters.sqlite.erasure import SqliteErasure
from core.adapters.sqlite.keepers import keepers
from core.adapters.sqlite.memory import SqliteMemory
from core.adapters.sqlite.migrations import prepare
from core.adapters.sqlite.papers import SqlitePapers
from core.adapters.sqlite.record_book import SqliteRecordBook
from core.adapters.sqlite.shared import SqliteShared
from core.adapters.sqlite.trash import SqliteTrash
from core.adapters.sqlite.vectors import SqliteVectors
from core.domain.extraction import Extracted, PassageDraft
from core.domain.papers import Paper
from core.domain.recognition import RecognisedPage
from core.events import Changed
from core.ports.embedding import ModelInfo
from core.services.erasure import ErasureService
from tests.fakes.cutting import OnePassage
from tests.fakes.store import SetClock

MODEL = ModelInfo("test", 16, 256, "digest")


@dataclass
class Office:
    """The ports of one workspace in `folder`."""

    folder: Path
    database: Database
    memory: SqliteMemory
    book: SqliteRecordBook
    conversations: SqliteConversations
    shared: SqliteShared
    papers: SqlitePapers
    artifacts: FileArtifacts
    trash: SqliteTrash
    vectors: SqliteVectors
    rows: SqliteErasure
    remains: FileRemains
    erasure: ErasureService
    published: list[Changed]

    async def add_paper(self, name: str, text: str, pages: Sequence[RecognisedPage] = ()) -> Paper:
        """A paper with this text, read and searchable."""
        source = self.folder.parent / "given" / name
        source.parent.mkdir(exist_ok=True)
        source.write_text(text, encoding="utf-8")
        paper, _ = await self.papers.add(await self.artifacts.take(source, 1 << 30), name, str(source))
        await self.papers.claim()
        draft = PassageDraft(text, end=len(text))
        source.unlink()
        return await self.papers.finish(paper.id, Extracted("text/plain", "txt", [draft], recognised=list(pages)))

    async def embed(self) -> None:
        """A vector for every passage that has none."""
        waiting = await self.vectors.without_meaning(1000)
        made = [np.random.default_rng(abs(hash(text))).normal(size=16) for _, text in waiting]
        if made:
            vectors = np.array(made, np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            await self.vectors.store([id for id, _ in waiting], vectors)

    async def close(self) -> None:
        self.vectors.close()
        await self.database.close()

    async def dump(self, table: str) -> list[tuple[object, ...]]:
        return await self.database.read(lambda c: c.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall())


async def opened(folder: Path, clock: SetClock, key: bytes | None = None, logs: Sequence[Path] = ()) -> Office:
    """Open the workspace, which is made where it is missing."""
    (folder / "artifacts" / "sha256").mkdir(parents=True, exist_ok=True)
    (folder / ".run").mkdir(exist_ok=True)
    published: list[Changed] = []
    database = await Database.open(
        folder / "workspace.db", key=key, clock=clock, publish=published.extend, prepare=prepare
    )
    cutter = OnePassage()
    papers = SqlitePapers(database)
    rows, remains = SqliteErasure(database), FileRemains(folder, logs)
    return Office(
        folder,
        database,
        SqliteMemory(database, cutter),
        SqliteRecordBook(database, cutter),
        SqliteConversations(database, cutter),
        SqliteShared(database, cutter),
        papers,
        FileArtifacts(folder, clock),
        SqliteTrash(database, keepers(cutter)),
        SqliteVectors(database, MODEL),
        rows,
        remains,
        ErasureService(rows, remains, papers.remove, FileSaving(), clock),
        published,
    )


def holding(folder: Path, text: str) -> list[str]:
    """The files below `folder` in which the text stands, in any case of ASCII letters, as UTF-8, UTF-16 or escaped."""
    forms = {
        form.lower()
        for form in (
            text.encode(),
            text.encode("utf-16-le"),
            text.encode("utf-16-be"),
            json.dumps(text)[1:-1].encode(),
        )
    }
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(form in path.read_bytes().lower() for form in forms)]
