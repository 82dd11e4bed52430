"""Members of a ZIP that are locked with a password: the old cipher of ZIP, and AES as WinZip and 7-Zip write it."""

import hashlib
import hmac
import struct
import zipfile
import zlib
from collections.abc import Iterator

AES = 99  # the method under which WinZip's AE-1 and AE-2 hide the real one
AES_FIELD = 0x9901
ROUNDS = 1_000  # of PBKDF2, as the format has it
CHECK_BYTES, SEAL_BYTES = 2, 10
CHARSETS = ("utf-8", "cp1252", "cp437")  # in which programs write the letters of a password


class WrongPassword(Exception):
    """The password is none of this member's, or its bytes are damaged: they can't be told apart."""


def unlocked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, password: str, most_bytes: int) -> bytes:
    """Bytes of the member, at most `most_bytes` and one. Raises WrongPassword, or what zipfile and zlib raise."""
    for word in _spellings(password):
        data = _unlocked(archive, member, word, most_bytes)
        if data is not None:
            return data
    raise WrongPassword


def _unlocked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, word: bytes, most_bytes: int) -> bytes | None:
    if member.compress_type == AES:
        return _unlocked_aes(archive, member, word, most_bytes)
    try:
        with archive.open(member, pwd=word) as stream:
            return stream.read(most_bytes + 1)
    except (RuntimeError, zipfile.BadZipFile, zlib.error):  # a wrong one passes zipfile's own check one time in 256
        return None


def _spellings(password: str) -> Iterator[bytes]:
    seen: set[bytes] = set()
    for charset in CHARSETS:
        try:
            word = password.encode(charset)
        except UnicodeError:
            continue
        if word and word not in seen:
            seen.add(word)
            yield word


def _unlocked_aes(archive: zipfile.ZipFile, member: zipfile.ZipInfo, word: bytes, most_bytes: int) -> bytes | None:
    strength, method = _aes_field(member.extra)
    raw = _raw(archive, member)
    salt_bytes, key_bytes = 4 + 4 * strength, 8 + 8 * strength
    salt, check = raw[:salt_bytes], raw[salt_bytes : salt_bytes + CHECK_BYTES]
    locked, seal = raw[salt_bytes + CHECK_BYTES : -SEAL_BYTES], raw[-SEAL_BYTES:]
    keys = hashlib.pbkdf2_hmac("sha1", word, salt, ROUNDS, 2 * key_bytes + CHECK_BYTES)
    if keys[2 * key_bytes :] != check:
        return None
    if not hmac.compare_digest(hmac.digest(keys[key_bytes : 2 * key_bytes], locked, "sha1")[:SEAL_BYTES], seal):
        return None
    data = _counted(keys[:key_bytes], locked)
    if method == zipfile.ZIP_STORED:
        return data[: most_bytes + 1]
    if method != zipfile.ZIP_DEFLATED:
        raise zipfile.BadZipFile("a method that isn't read under AES")
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, most_bytes + 1)


def _aes_field(extra: bytes) -> tuple[int, int]:
    """Strength (1 to 3) and the method under the lock, from the member's extra field."""
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, place)
        if kind == AES_FIELD and length >= 7:
            strength, method = struct.unpack_from("<BH", extra, place + 8)
            if 1 <= strength <= 3:
                return strength, method
        place += 4 + length
    raise zipfile.BadZipFile("AES without its field")


def _raw(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    file = archive.fp
    assert file is not None
    file.seek(member.header_offset)
    header = file.read(30)
    if len(header) < 30 or header[:4] != b"PK\3\4":
        raise zipfile.BadZipFile("no local header")
    name, extra = struct.unpack_from("<HH", header, 26)
    file.seek(member.header_offset + 30 + name + extra)
    return file.read(member.compress_size)


def _counted(key: bytes, locked: bytes) -> bytes:
    """AES in counter mode; the counter begins at 1 and, unlike NIST's, has its lowest byte first."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # by need: most readings open no lock

    counters = b"".join(number.to_bytes(16, "little") for number in range(1, -(-len(locked) // 16) + 1))
    stream = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(counters)[: len(locked)]
    mixed = int.from_bytes(stream, "little") ^ int.from_bytes(locked, "little")
    return mixed.to_bytes(len(locked), "little")
