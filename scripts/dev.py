#!/usr/bin/env python3
"""Work on Muniment: python3 scripts/dev.py COMMAND. Needs Python 3.11 to 3.13 and nothing else.

start    make ready what is missing, then open the program on its sample workspace
test     make ready what is missing, then run every check and every test, as CI does
check    the checks without the tests (style, types, imports, documents)
env      only make .venv with the pinned packages
freeze   build the frozen program in dist/ and try it out

Further arguments go to the program (start) or to pytest (test).
"""

# This file alone has to be read by older Pythons too, so that it can say what is missing: no newer syntax here.
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
NEWEST = (3, 13)


def fits(version):  # type: (tuple[int, ...]) -> bool
    """Tell whether the program runs on this Python."""
    return OLDEST <= tuple(version[:2]) <= NEWEST


def another_python():  # type: () -> str | None
    """Return the path of a Python that fits, from PATH or from pyenv; None if there is none."""
    names = ["python3." + str(minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
    found = [shutil.which(name) for name in names]
    pyenv = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    found += [str(path) for name in names for path in sorted(pyenv.glob("*/bin/" + name))]
    for candidate in found:
        if candidate is None:
            continue
        question = [candidate, "-c", "import sys; print(*sys.version_info[:2])"]
        answer = subprocess.run(question, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        words = answer.stdout.split()
        # A pyenv shim exists for every version that was ever installed and fails when it is not active.
        if answer.returncode == 0 and len(words) == 2 and fits((int(words[0]), int(words[1]))):
            return candidate
    return None


def main(argv):  # type: (list[str]) -> int
    """Run the command, under another Python where this one does not fit; return the exit code."""
    if not fits(sys.version_info[:2]):
        other = another_python()
        if other is None:
            this = ".".join(str(part) for part in sys.version_info[:2])
            print("Muniment needs Python 3.11, 3.12 or 3.13; this one is " + this + " and no other was found.")
            print("Install one of them (on Debian or Ubuntu: apt-get install python3 python3-venv) and run this again.")
            return 1
        return subprocess.run([other, str(Path(__file__).resolve()), *argv], check=False).returncode

    import commands

    return commands.main(argv, __doc__ or "")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
