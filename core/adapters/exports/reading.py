"""The conversations of one export file, whatever it is: ChatGPT or Claude, as ZIP or JSON, or JSON Lines."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from core.adapters.exports.scanning import BrokenOff, objects
from core.adapters.extraction.chat_exports import conversation, plain_turn
from core.adapters.extraction.loose import items, mapping, word
from core.domain.conversations import LeftOut, ToldConversation, Turn

MAX_BYTES = 1024 * 1024 * 1024  # of a JSON text, unpacked
MAX_RATIO = 400  # text shrinks to a tenth, hardly ever to a hundredth
RATIO_FROM_BYTES = 20 * 1024 * 1024
MAX_LEFT_OUT = 1000  # lines that are named one by one
LOOKED_AT = 256 * 1024  # bytes that tell what a file seems to be
LINES = (".jsonl", ".ndjson")
_MEMBER = re.compile(r"(?i)^(?:conversations.*\.json|.*\.(?:jsonl|ndjson))$")
SESSION_NAMES = ("session", "session_id", "conversation", "conversation_id", "thread_id", "chat_id")

Told = ToldConversation | LeftOut


class CantRead(Exception):
    """The file as a whole is none that can be read. sentence: names it and says what helps."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(slots=True)
class Export:
    """An opened export. Conversations are made when they are asked for."""

    makers: list[Callable[[], Told | None]]

    def some(self, first: int, count: int) -> Iterator[Told]:
        """So many of them; what turns out to be no conversation at all is left out in silence."""
        for make in self.makers[first : first + count]:
            if (told := make()) is not None:
                yield told


def open_export(path: Path, name: str) -> Export:
    """Look through the whole file. Raises CantRead."""
    texts = list(_texts(path, name))
    makers: list[Callable[[], Told | None]] = []
    for text_name, data in texts:
        makers += _makers(data, text_name)
    if not makers:
        raise CantRead(f"“{name}” holds no conversations.")
    return Export(makers)


def seems(path: Path) -> str:
    """The program whose export a file seems to be, by its beginning; "" for anything else."""
    try:
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                member = next((m for m in archive.infolist() if _is_member(m) and not _too_large(m)), None)
                if member is None:
                    return ""
                with archive.open(member) as stream:
                    start = stream.read(LOOKED_AT)
        else:
            with path.open("rb") as file:
                start = file.read(LOOKED_AT)
    except Exception:  # zipfile raises a dozen kinds on what is no archive
        return ""
    if start.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] not in (b"[", b"{"):
        return ""
    for mark, program in ((b'"origin_program"', "Muniment"), (b'"chat_messages"', "Claude"), (b'"mapping"', "ChatGPT")):
        if mark in start:
            return program
    return ""


# ---- the texts of a file --------------------------------------------------------------------------------------------


def _texts(path: Path, name: str) -> Iterator[tuple[str, bytes]]:
    with path.open("rb") as file:
        magic = file.read(4)
        if magic != b"PK\x03\x04":
            file.seek(0)
            yield name, _bounded(file.read(MAX_BYTES + 1), name)
            return
    try:
        archive = zipfile.ZipFile(path)
        members = sorted((m for m in archive.infolist() if _is_member(m)), key=lambda member: member.filename)
    except Exception:  # zipfile raises a dozen kinds on damaged files
        raise _damaged(name) from None
    if not members:
        raise CantRead(
            f"“{name}” holds no file of conversations (conversations.json). "
            "Choose the archive as ChatGPT or Claude sent it."
        )
    with archive:
        for member in members:
            if member.flag_bits & 0x1:
                raise CantRead(
                    f"“{name}” is locked with a password. Unpack it and choose the conversations.json in it."
                )
            if _too_large(member):
                raise _too_much(name)
            try:
                with archive.open(member) as stream:
                    data = stream.read(member.file_size + 1)
            except MemoryError:
                raise
            except Exception:
                raise _damaged(name) from None
            yield PurePosixPath(member.filename).name, _bounded(data, name)


def _is_member(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return not member.is_dir() and "__MACOSX" not in path.parts and _MEMBER.match(path.name) is not None


def _too_large(member: zipfile.ZipInfo) -> bool:
    size = member.file_size
    return size > MAX_BYTES or (size > RATIO_FROM_BYTES and size > MAX_RATIO * max(1, member.compress_size))


def _bounded(data: bytes, name: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise _too_much(name)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace").encode()
    return data


def _too_much(name: str) -> CantRead:
    return CantRead(f"“{name}” is far larger than conversations are and was not opened.")


def _damaged(name: str) -> CantRead:
    return CantRead(f"“{name}” is damaged or breaks off, and nothing was taken over. Ask for the export again.")


# ---- the conversations of a text ------------------------------------------------------------------------------------


def _makers(data: bytes, name: str) -> list[Callable[[], Told | None]]:
    if PurePosixPath(name).suffix.lower() in LINES or _is_lines(data):
        return [lambda told=told: told for told in _from_lines(data, name)]
    if data.lstrip(b" \t\r\n\xef\xbb\xbf")[:1] not in (b"[", b"{"):
        raise CantRead(f"“{name}” is no export of conversations. Choose the ZIP or JSON file that the program wrote.")
    try:
        places = objects(data)
    except BrokenOff:
        raise _damaged(name) from None
    if len(places) == 1 and data[slice(*places[0])].lstrip()[:1] == b"{":
        whole = _loaded(data[slice(*places[0])])
        inner = mapping(whole).get("conversations")
        if isinstance(inner, list):
            return [
                lambda raw=raw, n=n: conversation(raw, n)
                for n, raw in enumerate(items(mapping(whole)["conversations"]), 1)
            ]
    return [lambda place=place, n=n: _told(data[slice(*place)], n, name) for n, place in enumerate(places, 1)]


def _told(text: bytes, number: int, name: str) -> Told | None:
    raw = _loaded(text)
    damaged = LeftOut(f"Conversation {number}", f"Conversation {number} in “{name}” is damaged and was left out.")
    try:
        return damaged if raw is None else conversation(raw, number)
    except MemoryError:
        raise
    except Exception:  # a shape that nobody foresaw; the others come all the same
        return damaged


def _loaded(text: bytes) -> object:
    """The value; None for what is no JSON."""
    try:
        return json.loads(text.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


# ---- JSON Lines -----------------------------------------------------------------------------------------------------


def _is_lines(data: bytes) -> bool:
    """More than one object, one a line."""
    lines = data[:LOOKED_AT].lstrip(b" \t\r\n\xef\xbb\xbf").split(b"\n", 2)
    return (
        len(lines) > 1
        and all(line.strip()[:1] == b"{" and _loaded(line) is not None for line in lines[:1])
        and (lines[1].strip()[:1] == b"{")
    )


def _from_lines(data: bytes, name: str) -> Sequence[Told]:
    """Whole conversations, one a line; or messages, one a line, that belong together by the session they name."""
    told: list[Told] = []
    groups: dict[str, tuple[str, list[Turn]]] = {}
    left = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip(b" \t\r\0\xef\xbb\xbf"):
            continue
        raw = mapping(_loaded(line))
        whole = conversation(raw, number) if _is_whole(raw) else None
        turn = None if whole is not None else plain_turn(raw)
        if whole is not None:
            told.append(whole)
        elif turn is not None:
            key = next((str(raw[each]) for each in SESSION_NAMES if isinstance(raw.get(each), str | int)), "")
            title = word(raw.get("title"))
            groups.setdefault(key, (title, []))[1].append(turn)
        elif (left := left + 1) <= MAX_LEFT_OUT:
            told.append(LeftOut(f"Line {number}", f"Line {number} of “{name}” is no message and was left out."))
    if left > MAX_LEFT_OUT:
        told.append(LeftOut("More lines", f"{left - MAX_LEFT_OUT} more lines of “{name}” are no messages."))
    told += [ToldConversation("JSON", key, title, None, None, tuple(turns)) for key, (title, turns) in groups.items()]
    return told


def _is_whole(raw: dict[str, Any]) -> bool:
    return any(isinstance(raw.get(name), list | dict) for name in ("mapping", "chat_messages", "messages"))
