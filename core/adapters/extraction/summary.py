"""What office files of the old kind say of themselves (the property set "SummaryInformation", MS-OLEPS)."""

from typing import Any

from core.adapters.extraction import dates
from core.adapters.extraction.charset import decode
from core.adapters.extraction.transcript import Transcript


def describe(transcript: Transcript, container: Any) -> None:
    """Title, author and date; nothing where the properties are damaged."""
    try:
        found: Any = container.get_metadata()
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        return
    codepage = found.codepage if isinstance(found.codepage, int) else 1252
    charset = "utf-8" if codepage in (65001, -535) else f"cp{codepage % 65536}"
    written = found.create_time or found.last_saved_time
    transcript.describe(
        title=_text(found.title, charset),
        author=_text(found.author, charset) or _text(found.last_saved_by, charset),
        written_on=dates.from_digits(written.isoformat()) if hasattr(written, "isoformat") else None,
    )


def _text(value: object, charset: str) -> str:
    return decode(value, charset).rstrip("\0") if isinstance(value, bytes) else str(value or "")
