"""Archives: members are named and read as parts, within bounds of number, size and depth."""

import gzip
import io
import zlib
from pathlib import PurePosixPath
from zipfile import ZipInfo

from core.adapters.extraction.charset import guess
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.adapters.extraction.unpacking import LOCKED, Container, too_large
from core.domain.extraction import PART_PASSWORD, RefusalCode

MAX_ARCHIVE_BYTES = 20 * 1024 * 1024 * 1024  # members are unpacked one by one, and bounded all together as parts
MAX_GZIP_BYTES = 200 * 1024 * 1024
MOST_TRIED = 20  # members that a password doesn't open, until the others are taken as locked too
UTF8_NAMES = 0x800  # flag bit 11 of a ZIP entry


def read(source: Source) -> None:
    """A ZIP archive or a gzip file."""
    if source.format == "gz":
        _read_gzip(source)
    else:
        _read_zip(source)


def _read_zip(source: Source) -> None:
    container = Container(source.data, source.name, MAX_ARCHIVE_BYTES, source.password)
    members = [member for member in container.members if not member.is_dir()]
    if not members:
        raise Unreadable(RefusalCode.NO_TEXT, f"{source.name} is an archive with no files in it.")
    names = member_names(members)
    source.transcript.paragraph("In this archive:\n" + "\n".join(names))
    locked: list[str] = []
    opened = 0
    for member, name in zip(members, names, strict=True):
        if _is_clutter(name):
            continue
        if member.flag_bits & LOCKED and not opened and len(locked) >= MOST_TRIED:
            locked.append(name)
            continue
        try:
            data = container.read(member)
            opened += bool(member.flag_bits & LOCKED)
            source.part(name, data)
        except Unreadable as error:
            if error.code is RefusalCode.PASSWORD:
                locked.append(name)
            else:
                source.transcript.note("attachment_named", f"{name}: {error.sentence}")
    if locked:
        shown = ", ".join(locked[:5]) + (" …" if len(locked) > 5 else "")
        helps = "Type the password to read them." if source.password is None else "That password doesn't open them."
        sentence = f"{source.name} holds files that are locked with a password: {shown}. {helps}"
        source.transcript.note(PART_PASSWORD, sentence)


def member_names(members: list[ZipInfo]) -> list[str]:
    """Names as people gave them: a ZIP without the UTF-8 flag holds bytes of the code page of the maker's country."""
    raw = [None if member.flag_bits & UTF8_NAMES else _raw_name(member) for member in members]
    old = b"\n".join(name for name in raw if name is not None)
    encoding = "ascii" if old.isascii() else None
    if encoding is None:
        try:
            old.decode("utf-8")
            encoding = "utf-8"
        except UnicodeError:
            encoding = guess(old)
    return [
        member.filename if name is None else name.decode(encoding, "replace")
        for member, name in zip(members, raw, strict=True)
    ]


def _raw_name(member: ZipInfo) -> bytes | None:
    try:
        return member.orig_filename.encode("cp437")
    except UnicodeError:
        return None


def _is_clutter(name: str) -> bool:
    """What systems leave in archives without anybody having put it there."""
    path = PurePosixPath(name)
    return "__MACOSX" in path.parts or path.name in (".DS_Store", "Thumbs.db", "desktop.ini")


def _read_gzip(source: Source) -> None:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(source.data)) as stream:
            data = stream.read(MAX_GZIP_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise Unreadable(
            RefusalCode.DAMAGED, f"{source.name} is damaged or incomplete and can't be unpacked. Ask for it again."
        ) from None
    if len(data) > MAX_GZIP_BYTES:
        raise too_large(source.name)
    name = PurePosixPath(source.name).name
    inner = name[:-3] if name.lower().endswith(".gz") else name
    if data == source.data:
        raise Unreadable(RefusalCode.NO_TEXT, f"{source.name} unpacks to itself; there is nothing in it to read.")
    source.part(inner, data)
