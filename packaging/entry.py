"""Where the frozen program begins: the window, a command of the command line, or one of its own worker processes."""

import multiprocessing
import sys

if __name__ == "__main__":
    # First of all, on Linux too: a process that multiprocessing spawned must not become a second program.
    multiprocessing.freeze_support()
    from app.__main__ import main

    sys.exit(main(sys.argv[1:]))
