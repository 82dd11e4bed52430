"""Opening ZIP containers (archives, office formats). Sizes are checked before anything is unpacked."""

import io
import zipfile

from core.adapters.extraction.transcript import Unreadable, password_needed
from core.adapters.extraction.zip_lock import WrongPassword, unlocked
from core.domain.extraction import RefusalCode

LOCKED = 0x1  # flag bit 0 of a member
MAX_MEMBER_BYTES = 200 * 1024 * 1024
MAX_UNPACKED_BYTES = 600 * 1024 * 1024
MAX_MEMBERS = 20_000
MAX_RATIO = 400  # an office file shrinks to a tenth, hardly ever to a hundredth
RATIO_FROM_BYTES = 20 * 1024 * 1024


class Container:
    """A ZIP whose members can be read within bounds. Raises Unreadable for one that is damaged or expands too far."""

    def __init__(
        self, data: bytes, name: str, most_bytes: int = MAX_UNPACKED_BYTES, password: str | None = None
    ) -> None:
        self._name = name
        self._password = password
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(data))
            self.members = self.archive.infolist()
        except Exception:  # zipfile raises a dozen kinds on damaged files
            raise self._damaged() from None
        total = sum(member.file_size for member in self.members)
        if len(self.members) > MAX_MEMBERS or total > most_bytes or _is_bomb(total, len(data)):
            raise too_large(name)

    def names(self) -> list[str]:
        return [member.filename for member in self.members]

    def read(self, name: str | zipfile.ZipInfo) -> bytes:
        """Bytes of a member; Unreadable when it is damaged, locked, or larger than it says. KeyError when missing."""
        member = self.archive.getinfo(name) if isinstance(name, str) else name
        if member.flag_bits & LOCKED and self._password is None:
            raise password_needed(self._name, None)
        if member.file_size > MAX_MEMBER_BYTES:
            raise too_large(self._name)
        try:
            if member.flag_bits & LOCKED:
                data = unlocked(self.archive, member, self._password or "", member.file_size)
            else:
                with self.archive.open(member) as stream:
                    data = stream.read(member.file_size + 1)
        except MemoryError:
            raise
        except WrongPassword:
            raise password_needed(self._name, self._password) from None
        except Exception:
            raise self._damaged() from None
        if len(data) > member.file_size:
            raise too_large(self._name)
        return data

    def read_whats_left(self, name: str) -> tuple[bytes, bool]:
        """Bytes of a member as far as they go, and whether they are all. Unreadable where they are too many."""
        member = self.archive.getinfo(name)
        if member.file_size > MAX_MEMBER_BYTES:
            raise too_large(self._name)
        data = bytearray()
        try:
            with self.archive.open(member) as stream:
                while block := stream.read(4096):  # the last block is lost when the checksum fails
                    data += block
                    if len(data) > member.file_size:
                        raise too_large(self._name)
        except (MemoryError, Unreadable):
            raise
        except Exception:  # zipfile and zlib raise a dozen kinds; what came before is good as far as it goes
            return bytes(data), False
        return bytes(data), True

    def read_if_there(self, name: str) -> bytes | None:
        """Bytes of a member; None when there is none or it is damaged."""
        try:
            return self.read(name)
        except KeyError:
            return None
        except Unreadable as error:
            if error.code is RefusalCode.TOO_LARGE:
                raise
            return None

    def _damaged(self) -> Unreadable:
        return Unreadable(
            RefusalCode.DAMAGED, f"{self._name} is damaged or incomplete and can't be opened. Ask for it again."
        )


def too_large(name: str) -> Unreadable:
    return Unreadable(
        RefusalCode.TOO_LARGE,
        f"{name} unpacks to far more than its size and was not opened. It may be made to do harm.",
    )


def _is_bomb(unpacked: int, packed: int) -> bool:
    return unpacked > RATIO_FROM_BYTES and unpacked > MAX_RATIO * max(1, packed)
