"""Other programs over the same papers, in the same run: Recoll (full text) and Chroma (a plain vector store)."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

MINUTES = 600.0  # seconds
CHROMA = """
import json, sys
import numpy as np
import chromadb
from chromadb.config import Settings
folder, names = sys.argv[1], json.load(open(sys.argv[1] + "/names.json"))
rows, asked = np.load(folder + "/rows.npy"), np.load(folder + "/asked.npy")
client = chromadb.PersistentClient(folder + "/store", settings=Settings(anonymized_telemetry=False))
held = client.create_collection("papers", metadata={"hnsw:space": "cosine"})
ids = [f"{n}|{name}" for n, name in enumerate(names)]
for first in range(0, len(ids), 2000):
    held.add(ids=ids[first:first + 2000], embeddings=rows[first:first + 2000].tolist())
found = held.query(query_embeddings=asked.tolist(), n_results=20, include=[])["ids"]
json.dump([[id.partition("|")[2] for id in some] for some in found], open(folder + "/found.json", "w"))
"""


def recoll(texts: Mapping[str, str], asked: Sequence[tuple[str, bool]]) -> list[list[str]] | None:
    """Names of the first ten papers for each question; None where Recoll isn't installed (Debian: recollcmd).

    asked: the text, and whether all of its words must be there (recollq -a) or any (recollq -o).
    """
    if shutil.which("recollindex") is None or shutil.which("recollq") is None:
        return None
    with tempfile.TemporaryDirectory(prefix="muniment-recoll-") as place:
        papers, settings = Path(place, "papers"), Path(place, "settings")
        papers.mkdir()
        settings.mkdir()
        for name, text in texts.items():
            (papers / name).write_text(text, "utf-8")
        (settings / "recoll.conf").write_text(f"topdirs = {papers}\n", "utf-8")
        subprocess.run(["recollindex", "-c", settings], check=True, capture_output=True, timeout=MINUTES)
        return [_recollq(settings, text, every) for text, every in asked]


def _recollq(settings: Path, text: str, every: bool) -> list[str]:
    command = ["recollq", "-c", str(settings), "-a" if every else "-o", "-n", "10", "-b", text]
    answer = subprocess.run(command, check=False, capture_output=True, text=True, timeout=MINUTES)
    return [line.rpartition("/")[2] for line in answer.stdout.splitlines() if line.startswith("file://")]


def chroma(names: Sequence[str], rows: np.ndarray, asked: np.ndarray, python: Path) -> list[list[str]] | None:
    """Names of the nearest papers for each question's vector, each once; None where Chroma can't be had.

    names: the paper of each row. python: of an environment with chromadb; made with venv and pip where it is missing.
    """
    if not python.exists():
        folder = python.parent.parent
        made = subprocess.run([sys.executable, "-m", "venv", folder], check=False, capture_output=True)
        if (
            made.returncode
            or subprocess.run([python, "-m", "pip", "install", "-q", "chromadb"], check=False).returncode
        ):
            return None
    with tempfile.TemporaryDirectory(prefix="muniment-chroma-") as place:
        folder = Path(place)
        (folder / "names.json").write_text(json.dumps(list(names)), "utf-8")
        np.save(folder / "rows.npy", rows)
        np.save(folder / "asked.npy", asked)
        subprocess.run([python, "-c", CHROMA, place], check=True, timeout=MINUTES, env={"HOME": place, "PATH": ""})
        found = json.loads((folder / "found.json").read_text("utf-8"))
        return [list(dict.fromkeys(some))[:10] for some in found]
