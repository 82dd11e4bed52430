"""python -m core.adapters.workers KIND: a worker process, started by the program itself."""

import sys

from core.adapters.workers.child import run

if __name__ == "__main__":
    run(sys.argv[1])
