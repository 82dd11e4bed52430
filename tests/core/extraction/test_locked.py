"""Papers that are locked with a password, and parts of papers that are."""

import base64
import hashlib
import io
import zipfile
import zlib

import docx
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from msoffcrypto.format.ooxml import OOXMLFile

from core.domain.extraction import PART_PASSWORD, RefusalCode
from tests.core.extraction.making import zipped
from tests.core.extraction.reading import read, refuse, text
from tests.core.extraction.test_mail import mail

# One file, note.txt, "The caretaker has the spare key.", locked with "geheim" by 7-Zip (AES) and by Info-ZIP.
AES_ZIP = base64.b64decode(
    "UEsDBDMAAQBjAIM5gV0AAAAANQAAACEAAAAIAAsAbm90ZS50eHQBmQcAAgBBRQEAALlGVl7Vw8cVs3udG7Bc2Aan/XDCZ7X+iBl1vgUVjK2Ked"
    "e1tWwgkwauQlNmkGgYbSdGq2thUEsBAj8DMwABAGMAgzmBXQAAAAA1AAAAIQAAAAgALwAAAAAAAAAggKSBAAAAAG5vdGUudHh0CgAgAAAAAAAB"
    "ABgA+gDURGOB3QEAAAAAAAAAAAAAAAAAAAAAAZkHAAIAQUUBAABQSwUGAAAAAAEAAQBlAAAAZgAAAAAA"
)
OLD_ZIP = base64.b64decode(
    "UEsDBBQACQAIAII5gV34nFIILAAAACEAAAAIABwAbm90ZS50eHRVVAkAA0RzDmtEcw5rdXgLAAEEAAAAAAQAAAAAS4cMPxQ+m/yImVAfH/mPmF"
    "5DDeqLjP7plpR86LrtUb/du9EfK9mRCj8Q79BQSwcI+JxSCCwAAAAhAAAAUEsBAh4DFAAJAAgAgjmBXficUggsAAAAIQAAAAgAGAAAAAAAAQAA"
    "AKSBAAAAAG5vdGUudHh0VVQFAANEcw5rdXgLAAEEAAAAAAQAAAAAUEsFBgAAAAABAAEATgAAAH4AAAAAAA=="
)


def office(words: str, password: str) -> bytes:
    document, plain, locked = docx.Document(), io.BytesIO(), io.BytesIO()
    document.add_paragraph(words)
    document.save(plain)
    OOXMLFile(plain).encrypt(password, locked)
    return locked.getvalue()


@pytest.mark.parametrize("archive", [AES_ZIP, OLD_ZIP], ids=["aes", "old"])
def test_locked_archives_say_what_is_in_them_and_open_with_the_password(archive: bytes) -> None:
    for password, helps in ((None, "Type the password"), ("falsch", "That password doesn't open")):
        asked = read(archive, "keys.zip", password=password)
        assert "note.txt" in text(asked)
        assert "caretaker" not in text(asked)
        assert [note.code for note in asked.notes] == [PART_PASSWORD]
        assert helps in asked.notes[0].sentence
    opened = read(archive, "keys.zip", password="geheim")
    assert "The caretaker has the spare key." in text(opened)
    assert not opened.notes


def test_damaged_locked_members_are_named() -> None:
    broken = bytearray(AES_ZIP)
    broken[60] ^= 0xFF
    assert [note.code for note in read(bytes(broken), "a.zip", password="geheim").notes] == [PART_PASSWORD]


def test_a_locked_attachment_opens_with_the_password() -> None:
    message = mail()
    message.add_attachment(AES_ZIP, maintype="application", subtype="zip", filename="keys.zip")
    locked = office("The alarm code changes in May.", "geheim")
    message.add_attachment(locked, maintype="application", subtype="octet-stream", filename="code.docx")
    asked = read(message.as_bytes(), "a.eml")
    assert {note.code for note in asked.notes} == {PART_PASSWORD}
    found = text(read(message.as_bytes(), "a.eml", password="geheim"))
    assert "caretaker" in found
    assert "alarm code" in found


def test_files_locked_against_changes_only_open_by_themselves() -> None:
    locked = office("Anybody may read this.", "VelvetSweatshop")
    assert locked.startswith(b"\xd0\xcf")
    assert "Anybody may read this." in text(read(locked, "a.docx"))


def opendocument(password: str, kind: str = "text") -> bytes:
    """As LibreOffice 3.4 to 24.2 locks it: AES in chains of blocks, a key of 100,000 rounds."""
    content = (
        b'<o:document-content xmlns:o="urn:o" xmlns:text="urn:t"><o:body><text:p>The deposit is 400.</text:p></o:body>'
        b"</o:document-content>"
    )
    salt, vector = bytes(range(16)), bytes(range(16, 32))
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(password.encode()).digest(), salt, 100_000, 32)
    padded = packed + bytes(16 - len(packed) % 16 - 1) + bytes([16 - len(packed) % 16])
    locked = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor().update(padded)
    encoded = {
        "c": base64.b64encode(hashlib.sha256(packed[:1024]).digest()).decode(),
        "v": base64.b64encode(vector).decode(),
        "s": base64.b64encode(salt).decode(),
    }
    manifest = f"""<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">
<m:file-entry m:full-path="content.xml" m:size="{len(content)}"><m:encryption-data m:checksum="{encoded["c"]}">
<m:algorithm m:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" m:initialisation-vector="{encoded["v"]}"/>
<m:start-key-generation m:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" m:key-size="32"/>
<m:key-derivation m:key-derivation-name="PBKDF2" m:key-size="32" m:iteration-count="100000" m:salt="{encoded["s"]}"/>
</m:encryption-data></m:file-entry></m:manifest>"""
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    return zipped({"mimetype": mimetype, "content.xml": locked, "META-INF/manifest.xml": manifest}, stored=True)


def test_locked_opendocument() -> None:
    locked = opendocument("geheim")
    assert refuse(locked, "deposit.odt").code is RefusalCode.PASSWORD
    assert refuse(locked, "deposit.odt", password="falsch").code is RefusalCode.PASSWORD
    assert text(read(locked, "deposit.odt", password="geheim")) == "The deposit is 400."


def test_a_lock_that_is_not_known_is_said() -> None:
    with zipfile.ZipFile(io.BytesIO(opendocument("x"))) as archive:
        manifest = archive.read("META-INF/manifest.xml").decode()
    package: dict[str, bytes | str] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "META-INF/manifest.xml": manifest.replace("content.xml", "encrypted-package"),
        "encrypted-package": "x",
    }
    assert refuse(zipped(package), "new.odt").code is RefusalCode.PASSWORD
    refusal = refuse(zipped(package), "new.odt", password="geheim")
    assert refusal.code is RefusalCode.UNSUPPORTED
    assert "Save it without its password" in refusal.sentence
