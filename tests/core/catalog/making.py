"""Folders with manifests, for tests."""

from collections.abc import Mapping
from pathlib import Path

AGENT = "# ours\nid: letters\ntitle: Intake letters\nskills: [write-letter, missing-one]\n"
SKILL = "---\nname: write-letter\ndescription: Writes a letter\n---\n\nBe brief.\n"


def folder_of(root: Path, files: Mapping[str, bytes | str]) -> Path:
    """A folder with these files."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return root
