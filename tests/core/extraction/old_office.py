"""Containers and files of old office programs, made byte by byte: OLE (MS-CFB), Word (MS-DOC), PowerPoint (MS-PPT)."""

import struct
from itertools import pairwise

END, FREE, NONE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFF
SECTOR, SMALL_SECTOR, SMALL = 512, 64, 4096


def ole(streams: dict[str, bytes]) -> bytes:
    """An OLE container; "/" in a name puts the stream into a storage."""
    entries: list[tuple[str, bytes | None, list[int]]] = [("Root Entry", None, [])]
    folders: dict[str, int] = {"": 0}
    for path, data in streams.items():
        folder = ""
        *above, name = path.split("/")
        for step in above:
            inner = f"{folder}/{step}"
            if inner not in folders:
                folders[inner] = len(entries)
                entries[folders[folder]][2].append(len(entries))
                entries.append((step, None, []))
            folder = inner
        entries[folders[folder]][2].append(len(entries))
        entries.append((name, data, []))
    small, small_table, starts = _small_streams([data for _name, data, _inside in entries])
    sectors, table = bytearray(), list[int]()

    def stored(data: bytes) -> int:
        first = len(table)
        count = -(-len(data) // SECTOR)
        sectors.extend(data.ljust(count * SECTOR, b"\0"))
        table.extend([*range(first + 1, first + count), END] if count else [])
        return first if count else END

    for number, (_name, data, _inside) in enumerate(entries):
        if data is not None and len(data) >= SMALL:
            starts[number] = stored(data)
    starts[0] = stored(bytes(small))
    small_at = stored(struct.pack(f"<{len(small_table)}I", *small_table).ljust(SECTOR, b"\xff"))
    directory_at = stored(_directory(entries, starts, len(small)))
    table_sectors = -(-(len(table) + 8) // 128)
    table_at = len(table)
    table += [0xFFFFFFFD] * table_sectors
    packed = struct.pack(f"<{len(table)}I", *table).ljust(table_sectors * SECTOR, b"\xff")
    header = struct.pack(
        "<8s16xHHHHH6x9I",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, table_sectors, directory_at, 0, SMALL, small_at, -(-len(small_table) // 128) or 1, END, 0),
    )
    places = struct.pack("<109I", *range(table_at, table_at + table_sectors), *[FREE] * (109 - table_sectors))
    return header + places + bytes(sectors) + packed


def _small_streams(streams: list[bytes | None]) -> tuple[bytearray, list[int], dict[int, int]]:
    small, table, starts = bytearray(), list[int](), dict[int, int]()
    for number, data in enumerate(streams):
        if data is not None and len(data) < SMALL:
            count = -(-len(data) // SMALL_SECTOR)
            starts[number] = len(table) if count else END
            table += [*range(len(table) + 1, len(table) + count), END] if count else []
            small += data.ljust(count * SMALL_SECTOR, b"\0")
    return small, table, starts


def _directory(entries: list[tuple[str, bytes | None, list[int]]], starts: dict[int, int], small: int) -> bytes:
    right, child = dict[int, int](), dict[int, int]()
    for number, (_name, _data, inside) in enumerate(entries):
        ordered = sorted(inside, key=lambda entry: (len(entries[entry][0]), entries[entry][0].upper()))
        child[number] = ordered[0] if ordered else NONE
        right.update(pairwise(ordered))
    out = bytearray()
    for number, (name, data, _inside) in enumerate(entries):
        letters = name.encode("utf-16-le")
        kind = 5 if number == 0 else 1 if data is None else 2
        size = small if number == 0 else len(data or b"")
        out += struct.pack(
            "<64sHBBIII16xI16xIQ",
            *(letters, len(letters) + 2, kind, 1, NONE, right.get(number, NONE), child[number], 0),
            *(starts.get(number, 0), size),
        )
    return bytes(out.ljust(-(-len(out) // SECTOR) * SECTOR, b"\0"))


def doc(
    text: str,
    *,
    stories: dict[int, str] | None = None,
    deleted: tuple[int, int] | None = None,
    looks: dict[int, bytes] | None = None,
    encrypted: bool = False,
    others: dict[str, bytes] | None = None,
) -> bytes:
    """A Word 97 file in two pieces, one of 8 bits a character and one of 16.

    stories: number of the story (1 notes, 2 headers, 4 comments) to its text. deleted: first and last character of a
    deletion in the wide half. looks: number of a paragraph to its style (two bytes) and changes (sprms).
    """
    after = stories or {}
    whole = text + "".join(after[number] for number in sorted(after))
    half = len(whole) // 2
    narrow, wide = whole[:half].encode("cp1252"), whole[half:].encode("utf-16-le")
    at, wide_at = 1024, 1024 + len(narrow) + len(narrow) % 2
    body = bytearray(b"\0" * at + narrow + b"\0" * (len(narrow) % 2) + wide)
    body = body.ljust(-(-len(body) // 512) * 512, b"\0")

    def place(character: int) -> int:
        return at + character if character < half else wide_at + 2 * (character - half)

    characters = [(place(0), place(half) if half else 0, b""), (wide_at, place(len(whole)), b"")]
    if deleted is not None:
        marks = [wide_at, place(deleted[0]), place(deleted[1]), place(len(whole))]
        runs = pairwise(marks)
        characters = [(first, last, b"\x00\x08\x01" if n == 1 else b"") for n, (first, last) in enumerate(runs)]
    paragraphs, begin = list[tuple[int, int, bytes]](), 0
    for number, mark in enumerate(index for index, letter in enumerate(whole) if letter in "\r\x07"):
        paragraphs.append((place(begin), place(mark) + 1, (looks or {}).get(number, b"\0\0")))
        begin = mark + 1
    character_page, paragraph_page = len(body) // 512, len(body) // 512 + 1
    body += _formats(characters, 1) + _formats(paragraphs, 13)
    pieces = struct.pack("<3I", 0, half, len(whole))
    pieces += struct.pack("<HIH", 0, at * 2 | 0x40000000, 0) + struct.pack("<HIH", 0, wide_at, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    table = clx.ljust(256, b"\0")
    table += struct.pack("<3I", at, len(body), character_page) + struct.pack("<3I", at, len(body), paragraph_page)
    counts = [len(text), *(len(after.get(number, "")) for number in range(1, 8))]
    struct.pack_into("<HH", body, 0, 0xA5EC, 193)
    struct.pack_into("<H", body, 0x0A, 0x0200 | (0x0100 if encrypted else 0))
    struct.pack_into("<8i", body, 0x4C, *counts)
    struct.pack_into("<II", body, 0x01A2, 0, len(clx))
    struct.pack_into("<II", body, 0x00FA, 256, 12)
    struct.pack_into("<II", body, 0x0102, 268, 12)
    return ole({"WordDocument": bytes(body), "1Table": table, **(others or {})})


def _formats(runs: list[tuple[int, int, bytes]], width: int) -> bytes:
    """A page of formats (MS-DOC 2.9.22 and 2.9.23)."""
    page = bytearray(512)
    page[511] = len(runs)
    end = 510
    for number, (first, last, change) in enumerate(runs):
        struct.pack_into("<II", page, 4 * number, first, last)
        if not change:
            continue
        entry = bytes([len(change)]) + change
        if width > 1:
            change = change if len(change) % 2 else change + b"\0"
            entry = bytes([(len(change) + 1) // 2]) + change
        end = (end - len(entry)) // 2 * 2
        page[end : end + len(entry)] = entry
        page[4 * (len(runs) + 1) + width * number] = end // 2
    return bytes(page)


def record(kind: int, body: bytes, *, instance: int = 0, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(body)) + body


def ppt(slides: list[str], *, earlier: str = "", notes: str = "") -> bytes:
    """A PowerPoint file; each text has its title in the first line. earlier: a state of the first slide that was
    saved over. notes: of the first slide."""
    places: dict[int, int] = {}
    main = bytearray()

    def put(number: int, data: bytes) -> None:
        places[number] = len(main)
        main.extend(data)

    def texts(words: str) -> bytes:
        title, _line, rest = words.partition("\n")
        kinds = ((0, title.encode("utf-16-le"), 4000), (1, rest.encode("latin-1", "replace"), 4008))
        boxes = b"".join(record(3999, struct.pack("<I", kind)) + record(code, data) for kind, data, code in kinds)
        return record(0x040C, record(0xF00D, boxes, container=True), container=True)

    if earlier:
        main.extend(record(1006, texts(earlier), container=True))
    listed = b""
    for number, words in enumerate(slides, 2):
        put(number, record(1006, texts(words), container=True))
        listed += record(1011, struct.pack("<IIiII", number, 0, 0, 250 + number, 0))
    lists = record(4080, listed, container=True)
    if notes:
        put(99, record(1008, record(1009, struct.pack("<II", 252, 0)) + texts(notes), container=True))
        lists += record(4080, record(1011, struct.pack("<IIiII", 99, 0, 0, 400, 0)), instance=2, container=True)
    put(1, record(1000, lists, container=True))
    directory_at = len(main)
    main += record(6002, b"".join(struct.pack("<II", 1 << 20 | key, place) for key, place in places.items()))
    edit_at = len(main)
    main += record(4085, struct.pack("<IIIII", 0, 0, 0, directory_at, 1))
    user = record(4086, struct.pack("<III", 20, 0xE391C05F, edit_at))
    return ole({"PowerPoint Document": bytes(main), "Current User": user})
