"""OpenDocument files that are locked with a password: each of their members by itself (ODF 1.2, part 3, 3.8)."""

import base64
import hashlib
import io
import zipfile
import zlib
from typing import Any

from core.adapters.extraction.markup import Element, attribute, below, parse
from core.adapters.extraction.source import Source
from core.adapters.extraction.transcript import Unreadable, password_needed
from core.adapters.extraction.unpacking import MAX_MEMBER_BYTES, Container
from core.domain.extraction import RefusalCode

READ = ("content.xml", "styles.xml", "meta.xml")
MOST_ROUNDS = 5_000_000  # of the derivation of a key: more is made to keep a computer busy
CHECKED_BYTES = 1024  # of which the manifest keeps a sum


def unlock(source: Source) -> bool:
    """Replace the source's data by the file without its lock; False for one that has none.

    Raises Unreadable without the right password, or where the lock is of a kind that isn't known here.
    """
    container = Container(source.data, source.name)
    manifest = parse(container.read_if_there("META-INF/manifest.xml") or b"")
    entries = {attribute(entry, "full-path") or "": entry for entry in below(manifest, "file-entry")}
    locked = {name: entry for name, entry in entries.items() if next(below(entry, "encryption-data"), None) is not None}
    if not locked:
        return False
    if source.password is None:
        raise password_needed(source.name, None)
    if not any(name in READ for name in locked):  # one encrypted package, as LibreOffice writes it since 24.8
        raise _unknown(source.name)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("mimetype", *READ):
            data = container.read_if_there(name)
            if data is not None:
                archive.writestr(name, _opened(source, data, locked[name]) if name in locked else data)
    source.data = out.getvalue()
    return True


def _unknown(name: str) -> Unreadable:
    sentence = f"{name} is locked in a way that can't be opened here. Save it without its password and add it again."
    return Unreadable(RefusalCode.UNSUPPORTED, sentence)


def _opened(source: Source, data: bytes, entry: Element) -> bytes:
    lock = next(below(entry, "encryption-data"))
    algorithm, derivation, start = (
        next(below(lock, name), None) for name in ("algorithm", "key-derivation", "start-key-generation")
    )
    if algorithm is None or derivation is None:
        raise _unknown(source.name)
    try:
        key = _key(
            source.password or "",
            derivation,
            "" if start is None else attribute(start, "start-key-generation-name") or "",
        )
        packed = _decrypted(
            data, key, attribute(algorithm, "algorithm-name") or "", _bytes(algorithm, "initialisation-vector")
        )
    except ValueError:
        raise _unknown(source.name) from None
    said = _bytes(lock, "checksum")
    sums = (hashlib.new(kind, packed[:CHECKED_BYTES]).digest() for kind in ("sha256", "sha1"))
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        opened = stream.decompress(packed, MAX_MEMBER_BYTES)
    except zlib.error:
        opened = b""
    if not opened or (not stream.eof and said not in sums):
        raise password_needed(source.name, source.password)
    return opened


def _bytes(element: Element, name: str) -> bytes:
    return base64.b64decode(attribute(element, name) or "")


def _key(password: str, derivation: Element, start: str) -> bytes:
    rounds = int(attribute(derivation, "iteration-count") or 1024)
    if "pbkdf2" not in (attribute(derivation, "key-derivation-name") or "").lower() or not 0 < rounds <= MOST_ROUNDS:
        raise ValueError
    first = hashlib.new("sha256" if "256" in start else "sha1", password.encode()).digest()
    size = int(attribute(derivation, "key-size") or 16)
    return hashlib.pbkdf2_hmac("sha1", first, _bytes(derivation, "salt"), rounds, size)


def _decrypted(data: bytes, key: bytes, algorithm: str, vector: bytes) -> bytes:
    # By need: most readings open no lock.
    from cryptography.hazmat.decrepit.ciphers import algorithms as old_algorithms
    from cryptography.hazmat.decrepit.ciphers import modes as old_modes
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    if algorithm.endswith(("#aes256-cbc", "#aes192-cbc", "#aes128-cbc")):
        data = data[: len(data) // 16 * 16]
        return Cipher(algorithms.AES(key), modes.CBC(vector)).decryptor().update(data)
    if "blowfish" in algorithm.lower():
        blowfish: Any = old_algorithms.Blowfish(key)
        return Cipher(blowfish, old_modes.CFB(vector)).decryptor().update(data)
    raise ValueError
