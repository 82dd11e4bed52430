"""Files that lie inside office documents: other office files, and whatever was packed into an OLE object."""

import io
from typing import Any, cast

import olefile

from core.adapters.extraction.charset import decode
from core.adapters.extraction.package import Package
from core.adapters.extraction.source import Source

KINDS = ("package", "oleObject")  # relations of a part to what is embedded in it
MAX_EMBEDDED = 200


def read_embedded(source: Source, package: Package, part: str) -> None:
    """Each embedded file as a part. Objects of old programs (formulas, drawings) hold no text and are passed over."""
    names = dict.fromkeys(name for kind in KINDS for name in package.related(part, kind))
    for name in list(names)[:MAX_EMBEDDED]:
        data = package.bytes_of(name)
        if data is None:
            continue
        title = name.rpartition("/")[2]
        if not data.startswith(olefile.MAGIC):
            source.part(title, data)
        elif (packed := _packed(data)) is not None:
            source.part(packed[0] or title, packed[1])


def read_pool(source: Source, container: Any, pool: str) -> None:
    """The files packed into the objects of an office file of the old kind, each as a part.

    pool: how the name of the storage begins that holds them (Word), or that each of them is (Excel).
    """
    entries: list[list[str]] = container.listdir()
    objects = {tuple(entry[:-1]): "" for entry in entries if len(entry) > 1 and entry[0].startswith(pool)}
    names: list[str] = []
    for path in sorted(objects)[:MAX_EMBEDDED]:
        inside = {entry[-1].lower() for entry in entries if tuple(entry[:-1]) == path}
        if (packed := unpacked_native(stream(container, *path, "\x01Ole10Native"))) is not None:
            names.append(packed[0] or "embedded file")
            source.part(names[-1], packed[1])
        elif "package" in inside:
            source.part("embedded file", stream(container, *path, "Package"))
        elif inside & {"worddocument", "workbook", "powerpoint document"}:
            sentence = f"{source.name} holds an office file of the old kind inside; save it apart and add it."
            source.transcript.note("attachment_named", sentence)
    if names:
        source.transcript.paragraph("Embedded files: " + ", ".join(names))


def read_object(source: Source, data: bytes) -> None:
    """The file in an OLE object (a container by itself); nothing where it holds none."""
    if (packed := _packed(data)) is not None:
        source.part(packed[0] or "embedded file", packed[1])


def stream(container: Any, *path: str) -> bytes:
    """Bytes of a stream of an OLE container; b"" where it is missing or damaged."""
    try:
        return container.openstream(list(path)).read()
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        return b""


def _packed(data: bytes) -> tuple[str, bytes] | None:
    """Name and bytes of the file in an OLE object; None when it holds none."""
    try:
        with cast(Any, olefile.OleFileIO(io.BytesIO(data))) as container:
            if container.exists("package"):
                return "", container.openstream("package").read()
            if container.exists("\x01Ole10Native"):
                return unpacked_native(container.openstream("\x01Ole10Native").read())
            if container.exists("WordDocument") or container.exists("Workbook") or container.exists("CONTENTS"):
                return "", data
    except MemoryError:
        raise
    except Exception:  # olefile raises what it meets in damaged files
        return None
    return None


def unpacked_native(data: bytes) -> tuple[str, bytes] | None:
    """Name and bytes of a file packed by Windows' "Package" (MS-OLEDS, 2.3.6); None when it is none.

    Layout: size, two bytes, label and path ended by NULs, eight bytes whose second half is the length of another path,
    the length of the file, the file.
    """
    label_end = data.find(b"\0", 6)
    path_end = data.find(b"\0", label_end + 1)
    if label_end < 0 or path_end < 0:
        return None
    place = path_end + 1 + 4
    place += 4 + int.from_bytes(data[place : place + 4], "little")
    length = int.from_bytes(data[place : place + 4], "little")
    content = data[place + 4 : place + 4 + length]
    return (decode(data[6:label_end]), content) if content else None
