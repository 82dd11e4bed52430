"""Files that stand as base 64 inside of texts."""

import base64


def unpacked(text: str | bytes) -> bytes | None:
    """Its bytes, however the text is broken into lines; None where it is damaged."""
    joined = b"".join(text.split()) if isinstance(text, bytes) else "".join(text.split())
    try:
        return base64.b64decode(joined, validate=True)
    except ValueError:
        return None
