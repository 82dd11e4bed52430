"""Papers that reach out: for other files, for the network, for programs to start. Read in the real worker, under watch.

A hook hears of every file, socket and program that Python opens there; inotify sees what native libraries open beside
it; a server on this machine waits for callers.
"""

import ctypes
import io
import os
import socket
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from core.adapters.extraction.process import ProcessExtraction
from core.adapters.workers.process import TEMPORARY_PREFIX
from core.domain.extraction import Extracted
from tests.core.extraction.making import OFFICE, RELATIONS, paragraph, pdf, word, zipped
from tests.core.extraction.old_office import doc
from tests.core.extraction.reading import TOKENIZER

SECRET = "the words of another file"
WATCHED = """
import os, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
def hear(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        os.write(log, f"open {os.fsdecode(arguments[0])} {arguments[1]} {arguments[2]}\\n".encode("utf-8", "replace"))
    elif event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "urllib.")):
        os.write(log, f"{event} {arguments!r}\\n".encode("utf-8", "replace"))
from core.adapters.workers.child import run
sys.addaudithook(hear)
run("extraction")
"""
IN_OPEN = 0x20  # linux/inotify.h
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify watches on Linux only")


class Watch:
    """Tells whether anybody opened a file in this folder."""

    def __init__(self, folder: Path) -> None:
        system = ctypes.CDLL(None)
        self._descriptor = system.inotify_init1(os.O_NONBLOCK)
        assert system.inotify_add_watch(self._descriptor, os.fsencode(folder), IN_OPEN) >= 0

    def opened(self) -> bool:
        try:
            return bool(os.read(self._descriptor, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._descriptor)


def samples(secret: Path, port: int) -> dict[str, bytes]:
    file, page = secret.as_uri(), f"http://127.0.0.1:{port}/"
    entities = f'<!DOCTYPE r [<!ENTITY a SYSTEM "{file}"><!ENTITY % b SYSTEM "{page}b.dtd"> %b;]>'
    include = f'<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="{file}" parse="text"/>'
    xml = f'<?xml version="1.0"?><?xml-stylesheet href="{page}x.xsl"?>{entities}'
    external = f'<Relationship Id="x" Type="{OFFICE}/{{kind}}" Target="{{target}}" TargetMode="External"/>'
    relations = "".join(
        external.format(kind=kind, target=target)
        for kind, target in (("attachedTemplate", page), ("image", file), ("aFChunk", file), ("oleObject", file))
    )
    letter = word(paragraph("Words") + '<w:altChunk r:id="x"/>')
    with zipfile.ZipFile(io.BytesIO(letter)) as archive:
        members: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
        document = archive.read("word/document.xml")
    members["word/_rels/document.xml.rels"] = f'<Relationships xmlns="{RELATIONS}">{relations}</Relationships>'
    members["word/document.xml"] = xml.encode() + document.replace(b"Words", b"Words &a;")
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = 0o120777 << 16
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(link, str(secret))
        archive.writestr(f"../../../../../../../..{secret}", "outside")
    fields = f'Words \x13 INCLUDETEXT "{secret}" \x14\x15\x13 DDEAUTO cmd "/c calc" \x14\x15\r'
    mail = "From: a@example.org\nTo: b@example.org\nSubject: x\nMIME-Version: 1.0\nContent-Type: "
    outside = pdf("Words").replace(
        b"/Type /Catalog", f"/Type /Catalog /OpenAction << /S /Launch /F ({secret}) >>".encode()
    )
    rtf = (
        rf"{{\rtf1 Words {{\field{{\*\fldinst INCLUDEPICTURE {page}x.png}}{{\fldrslt}}}}{{\*\template {secret}}}\par}}"
    )
    texts = {
        "entities.xml": f"{xml}<r>Words &a; {include}</r>",
        "clinical.xml": f'{xml}<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Words &a;</title></ClinicalDocument>',
        "record.xml": f'{xml}<Patient xmlns="http://hl7.org/fhir"><name><text value="Words"/></name>{include}'
        "</Patient>",
        "picture.svg": f'{xml}<svg><text>Words &a;</text><image href="{file}"/></svg>',
        "page.html": f'<base href="{page}"><link rel=stylesheet href=x.css><img src="{file}"><iframe src="{page}">'
        "</iframe><script src=x.js></script><!--[if IE]><p>IE</p><![endif]--><p>Words",
        "mail.eml": f'{mail}text/html\n\n<img src="{page}pixel.gif"><p>Words',
        "external.eml": f'{mail}message/external-body; access-type=local-file; name="{secret}"\n\nWords',
        "saved.mht": f"{mail}multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n"
        f'Content-Location: {file}\n\n<p>Words<img src="{file}">\n--b--\n',
        "letter.rtf": rtf,
        "event.ics": f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Words\nATTACH:{file}\nEND:VEVENT\nEND:VCALENDAR",
        "card.vcf": f"BEGIN:VCARD\nFN:Words\nPHOTO;VALUE=uri:{page}\nEND:VCARD",
        "record.json": f'{{"resourceType": "Binary", "contentType": "text/plain", "url": "{file}", '
        '"data": "V29yZHM="}',
        "lab.hl7": f"MSH|^~\\&|LAB\rOBX|1|RP|1^Words||{secret}^{page}",
        "flat.fodt": f'{xml}<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        f'xmlns:t="urn:t"><office:body><t:p>Words &a;</t:p>{include}</office:body></office:document>',
        "note.md": f"# Words\n\n![x]({file})\n\n{{% include {secret} %}}",
        "table.csv": f'Name,Value\nWords,"=WEBSERVICE(""{page}"")"\nx,=cmd|\'/c calc\'!A0',
    }
    files = {
        "letter.docx": zipped(members),
        "old.doc": doc(fields),
        "archive.zip": packed.getvalue(),
        "launch.pdf": outside,
    }
    return files | {name: words.encode() for name, words in texts.items()}


async def test_no_paper_reaches_for_files_networks_or_programs(tmp_path: Path) -> None:
    hidden, papers, log = tmp_path / "hidden", tmp_path / "papers", tmp_path / "log"
    hidden.mkdir()
    papers.mkdir()
    log.touch()
    secret = hidden / "secret.txt"
    secret.write_text(SECRET)
    watch = Watch(hidden)
    extraction = ProcessExtraction([sys.executable, "-c", WATCHED, str(log)], TOKENIZER)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        try:
            for name, data in samples(secret, server.getsockname()[1]).items():
                (papers / name).write_bytes(data)
                result = await extraction.read(papers / name, name)
                assert isinstance(result, Extracted), (name, result)
                found = " ".join(passage.text for passage in result.passages)
                assert "Words" in found or name == "archive.zip", (name, found)
                assert SECRET not in found, name
                assert not list(Path(tempfile.gettempdir()).glob(f"{TEMPORARY_PREFIX}{os.getpid()}-*/*")), name
        finally:
            await extraction.close()
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not watch.opened()
    watch.close()
    heard = log.read_text("utf-8").splitlines()
    assert any(str(papers / "page.html") in line for line in heard)  # the hook does hear
    assert [line for line in heard if not _is_expected(line, papers)] == []
    assert not list(Path(tempfile.gettempdir()).glob(f"{TEMPORARY_PREFIX}{os.getpid()}-*"))


def _is_expected(line: str, papers: Path) -> bool:
    """Opening the paper itself, modules of Python and of the program, and what the system tells about itself."""
    if not line.startswith("open "):
        return False
    path = line.removeprefix("open ").rsplit(" ", 2)[0]
    own = (papers, Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[3], Path("/proc"), Path("/dev/null"))
    return any(Path(path).is_relative_to(folder) for folder in own)


async def test_the_watch_sees_what_it_should(tmp_path: Path) -> None:
    """A worker that does reach out is noticed by each of the three."""
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    watch = Watch(tmp_path)
    assert secret.read_text() == SECRET
    assert watch.opened()
    watch.close()
    assert not _is_expected(f"open {secret} r 0", tmp_path / "papers")
    assert not _is_expected("socket.connect ('127.0.0.1', 80)", tmp_path)
