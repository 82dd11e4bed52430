"""python -m app: the window, a command, or (for the program itself) a worker process.

(nothing)              the window
--sample               the window on the sample workspace
--offscreen [--sample] a day with the sample workspace without a screen; prints what it did
--worker KIND          a worker process of the program
workspace | add | …    the command line (see app.cli)
"""

import gc
import multiprocessing
import os
import sys
from collections.abc import Sequence

from core.errors import EnvironmentFault

WINDOW_OPTIONS = {"--sample", "--offscreen"}


def main(argv: Sequence[str]) -> int:
    """Run what the arguments ask for and answer the exit code. Qt is imported only where there is a window."""
    if argv[:1] == ["--worker"]:
        from core.adapters.workers.child import run

        run(argv[1])
        return 0
    if not WINDOW_OPTIONS.issuperset(argv):
        from app import cli

        return cli.main(argv)
    try:
        return _with_qt(argv)
    except EnvironmentFault as fault:
        print(fault.sentence, file=sys.stderr)
        return 4


def _with_qt(argv: Sequence[str]) -> int:
    """Raises EnvironmentFault where the window can't be there."""
    if "--offscreen" in argv:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        from app.day import run_day

        return run_day()
    gc.disable()  # until the window is there: a start makes much and throws little away
    from app.window import run_window

    return run_window(sample="--sample" in argv)


if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main(sys.argv[1:]))
