"""Pictures in office files that hold nothing else: scans and photos that somebody put into a document."""

from pathlib import PurePosixPath

from core.adapters.extraction.source import Source
from core.adapters.extraction.unpacking import Container

FORMATS = ("docx", "pptx", "odt", "odp")
FOLDERS = ("media", "pictures")
PIXELS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".heic")
MOST = 500


def read(source: Source) -> None:
    """Read the pictures of an office file as its parts, in the order of their numbers; other files have none."""
    if source.format not in FORMATS:
        return
    container = Container(source.data, source.name)
    pictures = [name for name in container.names() if _is_picture(PurePosixPath(name))]
    for name in sorted(pictures, key=lambda name: (len(name), name))[:MOST]:
        source.part(PurePosixPath(name).name, container.read(name))


def _is_picture(path: PurePosixPath) -> bool:
    return path.parent.name.lower() in FOLDERS and path.suffix.lower() in PIXELS
