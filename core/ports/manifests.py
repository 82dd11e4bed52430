"""Port: files of manifests on disk: folders, ZIP archives, git checkouts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.manifest_reading import Bundle


@dataclass(frozen=True, slots=True)
class LeftOutFile:
    """Something that looks like a manifest's file and was not taken. reason: a sentence."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """How many files were written, and how many were there already, byte for byte."""

    written: int
    same: int


class ManifestScan(Protocol):
    """What lies in one source. origin: its name; revision: the commit of a git checkout, or ""."""

    origin: str
    revision: str
    left_out: Sequence[LeftOutFile]

    @property
    def count(self) -> int:
        """How many manifests there seem to be."""
        ...

    async def read(self, first: int, count: int) -> list[Bundle]:
        """The files of some of them, in order of their places. What can't be read is told in `troubles`."""
        ...

    async def close(self) -> None: ...


class ManifestFilesPort(Protocol):
    async def scan(self, source: Path) -> ManifestScan:
        """Look through a folder, a ZIP or one file; nothing outside of it is read and no link is followed.

        Raises UserError for what can't be read or is too large, and for an archive that names a path outside.
        """
        ...

    async def write(self, target: Path, files: Mapping[str, bytes], *, replace: bool = False) -> WrittenFiles:
        """Write files by their paths below `target`, or into one archive where its name ends in .zip.

        What is there already with the same bytes is left alone. Raises UserError where a file is there with other
        bytes, unless `replace`; nothing is written then.
        """
        ...
