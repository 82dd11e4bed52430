"""RTF as Outlook compresses it (MS-OXRTFCP)."""

import struct

# The start of the dictionary that compressed RTF is packed against (MS-OXRTFCP, 2.1.2.1).
RTF_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
    b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
MAX_RTF_BYTES = 50 * 1024 * 1024


def unpacked_rtf(data: bytes) -> bytes:
    """Unpack compressed RTF (LZFu, MS-OXRTFCP 3.1.3); what breaks off is returned as far as it goes."""
    if len(data) < 16:
        return b""
    _size, _raw_size, kind, _check = struct.unpack("<IIII", data[:16])
    if kind == 0x414C454D:  # MELA: stored as it is
        return data[16:]
    window = bytearray(RTF_DICTIONARY.ljust(4096, b"\0"))
    write, read, out = len(RTF_DICTIONARY), 16, bytearray()
    while read < len(data) and len(out) < MAX_RTF_BYTES:
        control = data[read]
        read += 1
        for bit in range(8):
            if control >> bit & 1:
                if read + 1 >= len(data):
                    return bytes(out)
                token = data[read] << 8 | data[read + 1]
                read += 2
                start, length = token >> 4, (token & 0xF) + 2
                if start == write:
                    return bytes(out)
                for step in range(length):
                    byte = window[(start + step) % 4096]
                    out.append(byte)
                    window[write] = byte
                    write = (write + 1) % 4096
            elif read < len(data):
                out.append(data[read])
                window[write] = data[read]
                write, read = (write + 1) % 4096, read + 1
    return bytes(out)
