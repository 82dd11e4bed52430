"""Selections of records and shared entries, written out as files."""

from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from core.domain.conversation_files import FileFormat, beginning, between, ending
from core.domain.memory import Record, SharedEntry
from core.domain.memory_files import ENTRY_COLUMNS, RECORD_COLUMNS, entry_file_text, record_file_text
from core.errors import UserError
from core.ports.conversations import FilePort
from core.ports.rows import RowsPort
from core.services.apart import refuse_other_workspaces

TOGETHER = 500  # rows read at once

Row = TypeVar("Row")


class WritingOut:
    """Writes rows of this workspace's lists, by their numbers, in the order in which they are given."""

    def __init__(self, records: RowsPort[Record], entries: RowsPort[SharedEntry], files: FilePort) -> None:
        self._records = records
        self._entries = entries
        self._files = files

    async def records(self, numbers: Sequence[int], format: FileFormat, target: Path) -> int:
        """Write records into one file, whole or not at all; answers how many. What was forgotten meanwhile is left out.
        Raises UserError (nothing left to write, another workspace's folder), EnvironmentFault."""
        return await self._write(self._records, numbers, record_file_text, RECORD_COLUMNS, format, target)

    async def entries(self, numbers: Sequence[int], format: FileFormat, target: Path) -> int:
        """As `records`, for shared entries."""
        return await self._write(self._entries, numbers, entry_file_text, ENTRY_COLUMNS, format, target)

    async def _write(
        self,
        rows: RowsPort[Row],
        numbers: Sequence[int],
        text: Callable[[Row, FileFormat], str],
        columns: Sequence[str],
        format: FileFormat,
        target: Path,
    ) -> int:
        await refuse_other_workspaces(target)
        written = 0

        async def pieces() -> AsyncIterator[str]:
            nonlocal written
            yield beginning(format, columns)
            for start in range(0, len(numbers), TOGETHER):
                for row in await rows.rows(numbers[start : start + TOGETHER]):
                    if row is not None:
                        yield (between(format) if written else "") + text(row, format)
                        written += 1
            if not written:
                raise UserError("None of what was chosen is there any more. Nothing was written.")
            yield ending(format)

        await self._files.write(target, pieces())
        return written
