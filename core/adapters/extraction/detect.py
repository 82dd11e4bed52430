"""What kind of paper it is: by content first, by name only where the content leaves it open.

Measured on 263 real files of 20 formats (benchmarks/papers.py): these rules name every one that a reader exists for;
magika alone missed 31 (mail without many headers, UTF-16, HL7, mailboxes, SpreadsheetML) and brings onnxruntime into
the worker (0.3 s, 70 MB).
"""

import io
import json
import re
import zipfile
from pathlib import PurePosixPath
from typing import Any, cast

import olefile

from core.adapters.extraction.charset import decode
from core.adapters.extraction.chat_exports import is_export
from core.adapters.extraction.loose import items, mapping, word

HEAD_BYTES = 64 * 1024

MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"{\\rtf", "rtf"),
    (0, b"\x89PNG\r\n\x1a\n", "png"),
    (0, b"\xff\xd8\xff", "jpeg"),
    (0, b"GIF87a", "gif"),
    (0, b"GIF89a", "gif"),
    (0, b"II*\0", "tiff"),
    (0, b"MM\0*", "tiff"),
    (0, b"II+\0", "tiff"),
    (0, b"MM\0+", "tiff"),
    (8, b"WEBP", "webp"),
    (0, b"\0\0\1\0", "ico"),
    (0, b"\x1f\x8b", "gzip"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"Rar!\x1a\x07", "rar"),
    (0, b"BZh", "bzip2"),
    (0, b"\xfd7zXZ\0", "xz"),
    (257, b"ustar", "tar"),
    (0, b"!BDN", "pst"),
    (0, b"\x78\x9f\x3e\x22", "tnef"),
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"ID3", "audio"),
    (0, b"OggS", "audio"),
    (0, b"fLaC", "audio"),
    (0, b"MZ", "program"),
    (0, b"\x7fELF", "program"),
)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif")
OPENDOCUMENT = {
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.graphics": "odp",
    "application/vnd.oasis.opendocument.text-master": "odt",
    "application/vnd.oasis.opendocument.text-web": "odt",
}
BY_SUFFIX = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd"), "md"),
    **dict.fromkeys((".csv", ".tsv", ".tab"), "csv"),
    **dict.fromkeys((".htm", ".html", ".xhtml"), "html"),
    **dict.fromkeys((".eml", ".emlx", ".mht", ".mhtml"), "eml"),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), "json"),
    **dict.fromkeys((".xml", ".cda"), "xml"),
    ".mbox": "mbox",
    ".hl7": "hl7",
    ".ics": "ics",
    ".vcf": "vcf",
    ".dcm": "dicom",
}
TEXT_SUFFIXES = {".txt", ".log", *(name for name, kind in BY_SUFFIX.items() if kind != "dicom")}
# Formats whose bytes are never plain text: under such a name, text is a damaged or misnamed file.
BINARY_SUFFIXES = {".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".pdf", ".doc", ".xls", ".ppt", ".msg", ".zip"}
_MAIL_HEADER = re.compile(
    r"(?im)^(from|to|cc|subject|date|received|message-id|return-path|mime-version|content-type|delivered-to|reply-to|"
    r"x-[a-z-]+|dkim-signature|sender|in-reply-to|content-transfer-encoding): "
)
_HEADER_BLOCK = re.compile(r"\A(?:[A-Za-z][A-Za-z0-9-]{0,60}:[^\n]*\n(?:[ \t][^\n]*\n)*){2,}(?:\n|\Z)")
_HTML = re.compile(
    r"(?i)<(?:!doctype\s+html|html|head|body|title|table|div|p|h[1-6]|meta|script|style|br|font|span)[\s>/]"
)
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]")


def detect(data: bytes, name: str) -> str:
    """Short name of the format; "text" for text of no special kind, "binary" for bytes that say nothing."""
    head = data[:HEAD_BYTES]
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if head[128:132] == b"DICM":  # before the others: its first 128 bytes may pose as a TIFF, and it may wrap a PDF
        return "dicom"
    if _is_pdf(head, data):
        return "pdf"
    if head.startswith(ZIP):
        return _in_zip(data, suffix)
    if head.startswith(OLE):
        return _in_ole(data, suffix)
    for offset, magic, found in MAGIC:
        if head.startswith(magic, offset) and not (_is_word(magic) and _is_text(head)):
            return found
    if head[4:8] == b"ftyp" and not _is_text(head):
        return "heic" if head[8:12] in HEIC_BRANDS else "video"
    if head.startswith(b"BM") and len(head) > 30 and head[6:10] == b"\0\0\0\0":
        return "bmp"
    if _is_bare_dicom(head) or (suffix == ".dcm" and not _is_text(head, suffix)):
        return "dicom"
    if suffix in (".p7m", ".p7s"):
        return "cms"
    if suffix in (".pgp", ".gpg") or head.lstrip().startswith(b"-----BEGIN PGP MESSAGE"):
        return "encrypted"
    if not _is_text(head, suffix):
        return "owner" if name.startswith("~$") or _is_owner_file(data) else "binary"
    return _in_text(decode(head), data, suffix)


def _in_zip(data: bytes, suffix: str) -> str:
    """The office format inside a ZIP; a ZIP too damaged to list goes by what its name promises."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                kind = archive.read("mimetype").decode("ascii", "replace").strip().removesuffix("-template")
                if kind in OPENDOCUMENT:
                    return OPENDOCUMENT[kind]
                if kind == "application/epub+zip":
                    return "epub"
    except Exception:  # zipfile raises a dozen kinds on damaged files
        return suffix[1:] if suffix in (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp") else "zip"
    folders = {name.replace("\\", "/").lower() for name in names}
    if "xl/workbook.bin" in folders:
        return "xlsb"
    for folder, found in (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx")):
        if any(name.startswith(folder) for name in folders) and "[content_types].xml" in folders:
            return found
    return "zip"


def _in_ole(data: bytes, suffix: str) -> str:
    try:
        with cast(Any, olefile.OleFileIO(io.BytesIO(data))) as container:
            streams: set[str] = {entry[0].lower() for entry in container.listdir(streams=True, storages=True)}
    except Exception:  # olefile raises what it meets in damaged files
        return {".msg": "msg", ".xls": "xls", ".doc": "doc", ".ppt": "ppt"}.get(suffix, "ole")
    kinds = (
        ("encryptedpackage", "locked-office"),
        ("worddocument", "doc"),
        ("workbook", "xls"),
        ("book", "xls"),
        ("powerpoint document", "ppt"),
        ("__properties_version1.0", "msg"),
    )
    return next((found for stream, found in kinds if stream in streams), "ole")


def _in_text(text: str, data: bytes, suffix: str) -> str:
    start = text.lstrip("\ufeff\x0b \t\r\n")
    if start.startswith(("MSH|", "FHS|", "BHS|")) or re.match(r"MSH[^\w\s]", start):
        return "hl7"
    if start[:15].upper() == "BEGIN:VCALENDAR":
        return "ics"
    if start[:11].upper() == "BEGIN:VCARD":
        return "vcf"
    if start.startswith("<"):
        return _in_markup(start, suffix)
    if _is_mailbox(start) or (suffix == ".mbox" and start.startswith("From ")):
        return "mbox"
    if suffix != ".md" and _is_mail(start, suffix):
        return "eml"
    if start[:1] in ("{", "[") and (found := _in_json(data, suffix)) is not None:
        return found
    if suffix in BINARY_SUFFIXES:
        return f"not-{suffix[1:]}"
    by_name = BY_SUFFIX.get(suffix)
    if by_name == "json":
        return "broken-json" if suffix == ".json" else "jsonl"
    return "text" if by_name in (None, "xml", "mbox", "hl7", "ics", "vcf", "dicom") else by_name


def _in_markup(start: str, suffix: str) -> str:
    body = re.sub(r"(?s)<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?>", "", start[:8000]).lstrip()
    root = _ROOT.match(body)
    local = root[2] if root else ""
    opening = body[:2000]
    if local == "ClinicalDocument" or "urn:hl7-org:v3" in opening or "2.16.840.1.113883" in opening:
        return "ccda"
    if "http://hl7.org/fhir" in opening and local[:1].isupper():
        return "fhir"
    if root and root[1] and local == "document" and "opendocument" in opening:
        return "fodf"
    if local == "Workbook" and "schemas-microsoft-com:office:spreadsheet" in opening:
        return "xmlss"
    if local.lower() == "html" or re.match(r"(?i)<!doctype\s+html", start):
        return "html"
    if suffix in (".md", ".markdown"):
        return "md"
    if local == "svg":
        return "xml"
    if start.startswith("<?xml") or suffix in (".xml", ".cda"):
        return "xml"
    if suffix in (".html", ".htm", ".xhtml") or len(_HTML.findall(start[:4000])) > 1:
        return "html"
    return BY_SUFFIX.get(suffix, "text")


def _is_mailbox(start: str) -> bool:
    """An mbox opens with a "From " line and goes on with a header."""
    lines = start.split("\n", 2)
    return len(lines) > 1 and lines[0].startswith("From ") and re.match(r">?[A-Za-z][\w-]*:", lines[1]) is not None


def _is_mail(start: str, suffix: str) -> bool:
    if suffix in (".eml", ".emlx", ".mht", ".mhtml"):
        return True
    unix = start.replace("\r\n", "\n").replace("\r", "\n")
    block = _HEADER_BLOCK.match(unix)
    if block is None:
        return False
    known = {match[1].lower() for match in _MAIL_HEADER.finditer(block.group())}
    return len(known) >= 2 and bool(known & {"from", "to", "received", "message-id", "return-path", "mime-version"})


def _in_json(data: bytes, suffix: str) -> str | None:
    """What a JSON text holds; under a name of its own (.txt, .md) only a known kind of content counts."""
    if len(data) > 256 * 1024 * 1024:
        return None
    try:
        content: object = json.loads(decode(data))
    except (ValueError, RecursionError):
        if _is_record(decode(data[:HEAD_BYTES]).lstrip()):
            return "fhir"
        return "jsonl" if suffix in (".jsonl", ".ndjson") else "broken-json" if suffix == ".json" else None
    if word(mapping(next(iter(items(content)), None)).get("resourceType")):
        return "fhir"
    if is_export(content):
        return "chats"
    return "json" if suffix in (".json", ".jsonl", ".ndjson", "") else None


def _is_record(text: str) -> bool:
    """A bulk export of FHIR: one resource a line."""
    first, _end, second = text.partition("\n")
    try:
        return bool(second.strip()) and bool(word(mapping(json.loads(first)).get("resourceType")))
    except (ValueError, RecursionError):
        return False


def _is_pdf(head: bytes, data: bytes) -> bool:
    """The mark at the beginning, or a little behind it: scanners and servers put lines of their own in front."""
    place = head.find(b"%PDF-", 0, 1024 + 5)
    if place < 0:
        return False
    return not head[:place].strip(b"\xef\xbb\xbf\0 \t\r\n") or b" obj" in head[place:] or b"startxref" in data[-2048:]


def _is_word(magic: bytes) -> bool:
    """A mark that a text may begin with as well."""
    return magic.isascii() and magic.decode().isprintable() and not magic.startswith(b"{")


def _is_text(head: bytes, suffix: str = "") -> bool:
    """Text has hardly any control characters or NULs, once UTF-16 is read as such.

    Under a name that promises text it may hold more NULs: programs leave them where they stopped or filled up.
    """
    if not head:
        return True
    promised = suffix in TEXT_SUFFIXES
    text = decode(head[:8192])
    text = re.sub("\0+", "\0", text) if promised else text
    controls = sum(1 for letter in text if "\0" < letter < " " and letter not in "\t\n\r\f\x0b\x1b\x07\x08")
    most_nuls = len(text) // (5 if promised else 50)
    wrong = text.count("\ufffd")
    some = max(2, len(text) // 50)
    return controls <= some and text.count("\0") <= max(2, most_nuls) and wrong <= max(3, len(text) // 10)


def _is_bare_dicom(head: bytes) -> bool:
    """DICOM without its preamble: a first element of group 2 or 8, with a value representation or a small length."""
    if len(head) < 16 or head[0:2] not in (b"\x02\0", b"\x08\0") or head[3:4] != b"\0":
        return False
    return (head[4:6].isalpha() and head[4:6].isupper()) or int.from_bytes(head[4:8], "little") < 256


def _is_owner_file(data: bytes) -> bool:
    """Word's lock file: 162 bytes, the user's name with its length in front, in 8-bit and in UTF-16."""
    return len(data) in (162, 165) and 0 < data[0] < 54 and data[1 : 1 + data[0]].isascii() and data[55] == data[0]
