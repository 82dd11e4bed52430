"""Build the frozen program into dist/muniment (python3 scripts/dev.py freeze does this and tries it out)."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "dist" / "muniment"
# Safe to strip: built by us or by Python. Libraries inside wheels are not ("ELF load command not page-aligned").
STRIPPED = ("_internal/libpython3*.so*", "_internal/python3.*/lib-dynload/*.so")


def main() -> int:
    """Build anew; return the exit code of PyInstaller."""
    shutil.rmtree(PROGRAM, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    command += ["--distpath", str(PROGRAM.parent), "--workpath", str(ROOT / "build"), "packaging/muniment.spec"]
    result = subprocess.run(command, cwd=ROOT, check=False).returncode
    if result:
        return result
    if sys.platform.startswith("linux") and shutil.which("strip"):
        libraries = [str(path) for pattern in STRIPPED for path in PROGRAM.glob(pattern)]
        subprocess.run(["strip", "--strip-unneeded", *libraries], check=bool(libraries))
    print(f"Built {PROGRAM}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
