"""Office files that are locked with a password: an OLE container around an encrypted package, or an old binary file."""

import io
from functools import cache
from typing import Any

import olefile

from core.adapters.extraction.detect import detect
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable, password_needed
from core.domain.extraction import RefusalCode

OFFICE = ("docx", "xlsx", "xlsb", "pptx", "doc", "xls", "ppt")
# What Excel and PowerPoint lock files with that are only protected against changes: they open them without asking.
WITHOUT_ASKING = ("VelvetSweatshop", "/01Hannes Ruescher/01")
AES_256_BYTES = 32
PADDING = b"\x36"


def read(source: Source) -> None:
    """Unlock it with the password and read what is inside; without the right one it is refused."""
    data = next((found for word in WITHOUT_ASKING if (found := _unlocked(source.data, word)) is not None), None)
    if data is None and source.password is not None:
        data = _unlocked(source.data, source.password)
    if data is None:
        raise password_needed(source.name, source.password)
    format = detect(data, source.name)
    if format not in OFFICE:
        raise Unreadable(RefusalCode.DAMAGED, f"{source.name} is damaged inside its lock and can't be read.")
    source.data, source.format = data, format
    source.read_again(source)


@cache
def _library() -> Any:
    """msoffcrypto, by need (most readings open no lock), with what it leaves out: a hash that is shorter than the key
    (SHA-1 for AES-256) is filled up with 0x36 (MS-OFFCRYPTO 2.3.4.11)."""
    import msoffcrypto  # pyright: ignore[reportMissingTypeStubs]
    import msoffcrypto.method.ecma376_agile  # pyright: ignore[reportMissingTypeStubs]

    agile: Any = msoffcrypto.method.ecma376_agile
    decrypt: Any = agile._decrypt_aes_cbc

    def decrypt_with_padded_key(data: bytes, key: bytes, vector: bytes) -> bytes:
        return decrypt(data, key if len(key) in (16, 24) else key.ljust(AES_256_BYTES, PADDING), vector)

    agile._decrypt_aes_cbc = decrypt_with_padded_key
    return msoffcrypto


def _unlocked(data: bytes, password: str) -> bytes | None:
    """The file without its lock; None where it doesn't open, for to the library wrong and damaged look alike."""
    unlocked, library = io.BytesIO(), _library()
    try:
        office = library.OfficeFile(io.BytesIO(data))
        office.load_key(password=password)  # its own check refuses right passwords of some files
        office.decrypt(unlocked)
    except MemoryError:
        raise
    except Exception:
        return None
    found = unlocked.getvalue()
    return found if found.startswith((olefile.MAGIC, b"PK")) and found != data else None
