"""Small papers made for the tests, by hand or with libraries that the readers don't use."""

import hashlib
import io
import zipfile
import zlib

PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")  # ISO 32000-1, 7.6.3.3


def pdf(
    *pages: str | None,
    password: str | None = None,
    annotation: str = "",
    field: str = "",
    attachment: bytes | None = None,
    clip: bytes | None = None,
    form: bytes | None = None,
    broken: int | None = None,
) -> bytes:
    """A PDF with one line of text a page; None is a page that is broken. password: RC4, 40 bits.

    broken: the contents are compressed, and those of the page of this number are damaged (0: of none).
    clip: a file behind a paper clip on each page. form: XML of a form that only a form program draws (XFA).
    """
    objects: dict[int, bytes] = {}
    kids: list[int] = []
    extra = ""
    if annotation or field:
        extra = "/Annots [" + ("90 0 R " if annotation else "") + ("91 0 R " if field else "") + "]"
        objects[90] = f"<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents ({annotation}) /T (Ann) >>".encode()
        objects[91] = f"<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [0 0 9 9] /T (Name) /V ({field}) >>".encode()
    if clip is not None:
        extra = "/Annots [92 0 R]"
        objects[92] = b"<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /Contents (see the file) /FS 93 0 R >>"
        objects[93] = b"<< /Type /Filespec /F (clip.txt) /UF (clip.txt) /EF << /F 94 0 R >> >>"
        objects[94] = _stream(b"/Type /EmbeddedFile", clip)
    for number, line in enumerate(pages):
        kid = 10 + 2 * number
        kids.append(kid)
        if line is None:
            objects[kid] = b"<< /Type /Nothing >>"
            continue
        objects[kid] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {kid + 1} 0 R {extra} "
            "/Resources << /Font << /F 3 0 R >> >> >>"
        ).encode()
        stream = f"BT /F 12 Tf 50 700 Td ({line}) Tj ET".encode("latin-1")
        if broken is not None:
            packed = bytearray(zlib.compress(stream))
            packed[-5] ^= 0x5A if broken == number + 1 else 0
            objects[kid + 1] = _stream(b"/Filter /FlateDecode", bytes(packed))
        else:
            objects[kid + 1] = _stream(b"", stream)
    references = " ".join(f"{kid} 0 R" for kid in kids)
    names = " /Names << /EmbeddedFiles << /Names [(note.txt) 80 0 R] >> >>" if attachment is not None else ""
    if form is not None:
        names += " /NeedsRendering true /AcroForm << /Fields [] /XFA 82 0 R >>"
        objects[82] = _stream(b"", form)
    objects[1] = f"<< /Type /Catalog /Pages 2 0 R{names} >>".encode()
    objects[2] = f"<< /Type /Pages /Count {len(kids)} /Kids [{references}] >>".encode()
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects[4] = b"<< /Title (A small paper) /Author (Front desk) /CreationDate (D:20260417093000+02'00') >>"
    if attachment is not None:
        objects[80] = b"<< /Type /Filespec /F (note.txt) /UF (note.txt) /EF << /F 81 0 R >> >>"
        objects[81] = _stream(b"/Type /EmbeddedFile", attachment)
    return _assembled(objects, password)


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<< %s /Length %d >> stream\n%s\nendstream" % (entries, len(data), data)


def cut_off_pdf(line: str, *, catalog: bool = True) -> bytes:
    """A PDF that breaks off behind its object stream, before it says where anything is. catalog: it lies in there."""
    objects = {
        10: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 11 0 R "
        b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        2: b"<< /Type /Pages /Count 1 /Kids [10 0 R] >>",
    }
    if catalog:
        objects[1] = b"<< /Type /Catalog /Pages 2 0 R >>"
    places, bodies = [], b""
    for number, body in objects.items():
        places.append(b"%d %d" % (number, len(bodies)))
        bodies += body + b"\n"
    table = b" ".join(places) + b"\n"
    packed = zlib.compress(table + bodies)
    entries = b"/Type /ObjStm /Filter /FlateDecode /N %d /First %d" % (len(objects), len(table))
    text = f"BT /F 12 Tf 50 700 Td ({line}) Tj ET".encode("latin-1")
    return b"%%PDF-1.5\n11 0 obj\n%s\nendobj\n5 0 obj\n%s\nendobj\n6 0 obj\n<< /Type /XRef" % (
        _stream(b"", text),
        _stream(entries, packed),
    )


def _assembled(objects: dict[int, bytes], password: str | None) -> bytes:
    identity = b"0123456789abcdef"
    trailer = "/Root 1 0 R /Info 4 0 R"
    if password is not None:
        key, owner, user = _keys(password.encode("latin-1"), identity)
        for number, body in objects.items():
            head, mark, rest = body.partition(b" stream\n")
            if mark:
                stream, end, after = rest.rpartition(b"\nendstream")
                objects[number] = head + mark + _rc4(_object_key(key, number), stream) + end + after
        del objects[4]
        objects[70] = b"<< /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >>" % (
            owner.hex().encode(),
            user.hex().encode(),
        )
        trailer = f"/Root 1 0 R /Encrypt 70 0 R /ID [<{identity.hex()}> <{identity.hex()}>]"
    out = bytearray(b"%PDF-1.6\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += f"trailer << /Size 99 {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def _keys(password: bytes, identity: bytes) -> tuple[bytes, bytes, bytes]:
    """File key, owner entry and user entry (ISO 32000-1, algorithms 2, 3 and 4; revision 2)."""
    padded = (password + PADDING)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    key = hashlib.md5(padded + owner + (-4 & 0xFFFFFFFF).to_bytes(4, "little") + identity).digest()[:5]
    return key, owner, _rc4(key, PADDING)


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    other = 0
    for index in range(256):
        other = (other + state[index] + key[index % len(key)]) % 256
        state[index], state[other] = state[other], state[index]
    out, index, other = bytearray(), 0, 0
    for byte in data:
        index = (index + 1) % 256
        other = (other + state[index]) % 256
        state[index], state[other] = state[other], state[index]
        out.append(byte ^ state[(state[index] + state[other]) % 256])
    return bytes(out)


def zipped(members: dict[str, bytes | str], *, stored: bool = False) -> bytes:
    """A ZIP archive of these members."""
    buffer = io.BytesIO()
    kind = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(buffer, "w", kind) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word(
    body: str,
    *,
    space: str = WORD,
    parts: dict[str, tuple[str, str]] | None = None,
    members: dict[str, tuple[str, bytes]] | None = None,
) -> bytes:
    """A DOCX with this XML as its body.

    parts: file name to (kind of relation, XML) beside the document. members: the same for files that are no XML.
    """
    parts, inside = parts or {}, members or {}
    related = "".join(
        f'<Relationship Id="r{number}" Type="{OFFICE}/{kind}" Target="{name}"/>'
        for number, (name, (kind, _data)) in enumerate([*parts.items(), *inside.items()])
    )
    content: dict[str, bytes | str] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="a" Type="{OFFICE}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{space}" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{RELATIONS}">{related}</Relationships>',
    }
    for name, (_kind, xml) in parts.items():
        content[f"word/{name}"] = xml.replace(">", f' xmlns:w="{space}">', 1)
    content |= {f"word/{name}": data for name, (_kind, data) in inside.items()}
    return zipped(content)


def sheet(rows: str) -> bytes:
    """An XLSX with one sheet of these rows (XML). Formats: 1 a date, 2 two decimals, 3 percent, 4 five digits."""
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    related = "".join(
        f'<Relationship Id="{kind}" Type="{OFFICE}/{kind}" Target="{kind}.xml"/>' for kind in ("worksheet", "styles")
    )
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="#,##0.00 [$€-407]"/>'
        '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="9"/>'
        '<xf numFmtId="164"/></cellXfs>'
    )
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="a" Type="{OFFICE}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook {space} xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Prices" sheetId="1" r:id="worksheet"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}">{related}</Relationships>',
            "xl/worksheet.xml": f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>",
            "xl/styles.xml": f"<styleSheet {space}>{styles}</styleSheet>",
        }
    )


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def paragraph(text: str) -> str:
    return f"<w:p>{run(text)}</w:p>"
