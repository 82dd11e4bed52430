"""Office files that are locked with a password (an OLE container around an encrypted package)."""

import io
from typing import Any

import msoffcrypto  # pyright: ignore[reportMissingTypeStubs]

from core.adapters.extraction.detect import detect
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable
from core.domain.extraction import RefusalCode

OFFICE = ("docx", "xlsx", "xlsb", "pptx")


def read(source: Source) -> None:
    """Unlock it with the password and read what is inside; without the right one it is refused."""
    if source.password is None:
        raise Unreadable(
            RefusalCode.PASSWORD, f"{source.name} is locked with a password. Type the password to read it."
        )
    data = _unlocked(source)
    source.data, source.format = data, detect(data, source.name)
    if source.format not in OFFICE:
        raise Unreadable(RefusalCode.DAMAGED, f"{source.name} is damaged inside its lock and can't be read.")
    source.read_again(source)


def _unlocked(source: Source) -> bytes:
    unlocked = io.BytesIO()
    try:
        office: Any = msoffcrypto.OfficeFile(io.BytesIO(source.data))  # pyright: ignore[reportUnknownMemberType]
        office.load_key(password=source.password, verify_password=True)
        office.decrypt(unlocked)
    except MemoryError:
        raise
    except Exception:  # a wrong password and a damaged container look alike to the library
        raise Unreadable(RefusalCode.PASSWORD, f"That password doesn't open {source.name}. Try another one.") from None
    return unlocked.getvalue()
