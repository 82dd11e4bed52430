"""What every benchmark says of itself: the machine, the versions, the day; and a Markdown table."""

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import psutil
import sqlcipher3.dbapi2 as sqlcipher


def described() -> str:
    """One line for below a table."""
    memory = psutil.virtual_memory().total / 1024**3
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return (
        f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlcipher.sqlite_version}; "  # pyright: ignore[reportAttributeAccessIssue]
        f"load at the end {load:.1f}; "
        f"{datetime.now(UTC):%Y-%m-%d}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; numbers are aligned to the right."""
    rows = [[str(cell) for cell in row] for row in rows]
    rule = [":--" if column == 0 else "--:" for column in range(len(head))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in ([*head], rule, *rows))
