"""Plain text."""

from core.adapters.extraction.source import Source
from core.domain.text import one_line


def read(source: Source) -> None:
    """The text as it stands."""
    source.transcript.paragraph(source.text())
    if source.name.lower().endswith(".json") and not source.depth:
        source.transcript.note(
            "damaged", f"{one_line(source.name)} breaks off or breaks the rules of JSON; it is kept as text."
        )
