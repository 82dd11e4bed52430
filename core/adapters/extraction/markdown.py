"""Markdown: kept word for word, cut along its headings. No header, however broken, stands in the way of the body."""

import re
from collections.abc import Iterator

from core.adapters.extraction.source import Source

FENCES = ("---", "+++")
_HEADING = re.compile(r"[ ]{0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
MAX_HEADING_CHARACTERS = 1_000  # in longer lines, and in longer fields of the header, the patterns would take for ever
_CODE_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_UNDERLINE = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_FIELD = re.compile(r"[\"']?([\w .-]+)[\"']?\s*[:=]\s*(.*)")
_STRANGE_VALUE = re.compile(r"[`*&!%@]|\[\[|'[^']*$|\"[^\"]*$")


def read(source: Source) -> None:
    """Sections under their headings; the front matter (YAML, TOML or JSON) is text like the rest."""
    lines = source.text().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = _front_matter_end(lines)
    transcript = source.transcript
    if end:
        transcript.paragraph("\n".join(lines[:end]))
        fields = dict(_fields(lines[1 : end - 1]))
        transcript.describe(title=fields.get("title"), author=fields.get("author"))
        if (fault := _fault(lines[1 : end - 1])) is not None:
            sentence = f"Line {fault + 2} of the header of {source.name} can't be understood; it is kept as text."
            transcript.note("header_unreadable", sentence)
    elif lines and lines[0].strip() in FENCES and any(_FIELD.match(line[:200]) for line in lines[1:2]):
        transcript.note("header_unreadable", f"The header of {source.name} has no end; it is kept as text.")
    for level, title, block in _sections(lines[end:]):
        if level:
            transcript.describe(title=title)
            transcript.heading(title, level, shown=block)
        else:
            transcript.paragraph(block)


def _front_matter_end(lines: list[str]) -> int:
    """Number of lines that the front matter takes, its fences included; 0 when there is none."""
    opening = lines[0].strip() if lines else ""
    if opening in FENCES and len(lines) > 1 and lines[1].strip():
        return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.strip() == opening), 0)
    if opening == "{":
        return next((number + 1 for number, line in enumerate(lines) if line.rstrip() == "}"), 0)
    return 0


def _fields(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if (field := _FIELD.match(line.strip()[:MAX_HEADING_CHARACTERS])) is not None:
            yield field[1].strip().lower(), field[2].strip().rstrip(",").strip("\"'`*")


def _fault(lines: list[str]) -> int | None:
    """Index of the first line that YAML would stumble over."""
    for number, line in enumerate(lines):
        field = _FIELD.match(line.strip()[:MAX_HEADING_CHARACTERS])
        if line.startswith("\t") or (field and _STRANGE_VALUE.match(field[2])):
            return number
        if field and ": " in field[2] and field[2][:1] not in "\"'[{|>":
            return number
    return None


def _sections(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Headings as (level, title, the line as written) and runs of other lines as (0, "", text)."""
    held: list[str] = []
    fence = ""
    for line in lines:
        code = _CODE_FENCE.match(line)
        short = len(line) <= MAX_HEADING_CHARACTERS
        if fence:
            if code and code[1].startswith(fence) and line.strip() == code[1]:
                fence = ""
        elif code:
            fence = code[1]
        elif short and (heading := _HEADING.match(line)) is not None and heading[2]:
            yield 0, "", "\n".join(held)
            held = []
            yield len(heading[1]), heading[2], line
            continue
        elif (
            (under := _UNDERLINE.match(line)) and held and held[-1].strip() and (len(held) < 2 or not held[-2].strip())
        ):
            title = held.pop()
            yield 0, "", "\n".join(held)
            held = []
            yield (1 if under[1][0] == "=" else 2), title.strip(), f"{title}\n{line}"
            continue
        held.append(line)
    yield 0, "", "\n".join(held)
