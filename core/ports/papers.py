"""Ports of papers: their bytes, and their rows with the reading queue."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.domain.extraction import Extracted, Refusal
from core.domain.papers import Artifact, Paper, QueueState
from core.domain.recognition import RecognisedPage


class ArtifactPort(Protocol):
    """Content-addressed bytes. A file is whole or not there; bytes under a digest never change."""

    async def take(self, source: Path, limit: int) -> Artifact:
        """Copy a file into the store: staged, hashed while copied, checked, fsynced, renamed. The source stays as it
        is.
        Raises UserError when it can't be read, is no regular file, changes while it is copied or is above `limit`
        bytes;
        EnvironmentFault when the disk is full. Cancelling leaves nothing behind. Stored bytes that were damaged are
        replaced by whole ones."""
        ...

    async def link(self, source: Path, limit: int) -> Artifact:
        """Hash a file where it lies; nothing is copied. `path` finds it for as long as its watched folder knows it.
        Raises as `take`."""
        ...

    async def path(self, digest: str) -> Path:
        """Where the bytes lie, for readers in this program: in the store, or, of a linked paper, in the file that has
        them. A file that was changed doesn't have them any more; its hash decides. Raises NotFound with a sentence."""
        ...

    async def verify(self, digest: str) -> bool:
        """True if the bytes are there and have this digest."""
        ...

    async def export(self, digest: str, target: Path) -> None:
        """Write a copy to `target` (whole or not at all); never follows a link out of the store."""
        ...

    async def stored(self) -> list[str]:
        """The digests of all bytes in the store, damaged ones among them."""
        ...

    async def discard(self, digest: str, *, unused_for: float = 0.0) -> bool:
        """Remove bytes that nothing refers to any more (the caller knows), unless they were taken in (once more)
        within the last `unused_for` seconds."""
        ...

    async def clear_staging(self) -> int:
        """At open: remove what a killed process left half-copied. Answers how many files."""
        ...


class PaperPort(Protocol):
    """Rows of papers. Each method is one transaction; what it answers is durable."""

    async def add(self, artifact: Artifact, name: str, origin: str) -> tuple[Paper, bool]:
        """A paper in state waiting and True; or the paper that has these bytes already and False. One that was
        removed comes back with its id, under the name that it is given now, and counts as new."""
        ...

    async def get(self, id: str) -> Paper | None: ...

    async def claim(self, *, scans: bool = False, first: str = "") -> Paper | None:
        """Take the next waiting paper (small ones are not held up by big ones), set it to reading, count the
        attempt. scans: of those whose pictures are to be recognised; the others otherwise. first: id of the paper
        that somebody looks at, which goes before all others."""
        ...

    async def finish(self, id: str, extracted: Extracted, digest: str | None = None) -> Paper:
        """Store passages and index terms, set searchable: all in one transaction. Nothing is stored for a paper that
        was cancelled or removed meanwhile, or that has other bytes than these (`digest`) by now."""
        ...

    async def defer(self, id: str, digest: str | None = None) -> Paper:
        """It has nothing but pictures of text: it waits until they are recognised."""
        ...

    async def refuse(self, id: str, refusal: Refusal, digest: str | None = None) -> Paper:
        """Set attention with the reason; of its passages none is kept, and it is found by its name. Where only its
        pictures could not be recognised, it stays searchable by what else it holds, and the reason becomes a note."""
        ...

    async def requeue(self, ids: Sequence[str]) -> list[Paper]: ...

    async def cancel(self, ids: Sequence[str]) -> list[Paper]:
        """Waiting and reading papers become cancelled; others stay."""
        ...

    async def remove(self, ids: Sequence[str]) -> list[Paper]:
        """Out of every list and of the index; the bytes stay, so that `restore` can undo it."""
        ...

    async def rename(self, id: str, name: str, read: str | None = None) -> Paper:
        """Give the paper another name, by which it is found at once; the bytes and their digest stay. Raises
        InvalidValue for an empty name, NotFound, VersionConflict where the name isn't `read` any more."""
        ...

    async def restore(self, ids: Sequence[str]) -> list[Paper]: ...

    async def recover(self) -> int:
        """At open: papers that a killed process was reading wait again; one that died three times needs attention
        instead."""
        ...

    async def give_back(self, *, scans: bool | None = None) -> int:
        """At an orderly close: papers that were being read wait again, and the attempt doesn't count. scans: as for
        `claim`; None for all."""
        ...

    async def recognised(self, id: str, page: int | None, part: str = "") -> RecognisedPage | None:
        """The words that were recognised on a page (None: a single picture) of a paper, or of a part of it; None where
        none were."""
        ...

    async def queue(self) -> QueueState: ...
