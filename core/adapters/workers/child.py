"""What runs inside a worker process, from its first line to its kind of work."""

import json
import os
import sys
from importlib import import_module

from core.adapters.workers.channel import Channel, open_channel
from core.adapters.workers.confine import deny_network, die_with_parent, forbid_core_dumps, lower_priority

KINDS = ("extraction", "embedding", "exports", "previews")
SETTINGS = "MUNIMENT_WORKER"  # environment variable: JSON with "niceness"


def enter() -> Channel:
    """Confine this process and return the pipe to the program. Must come before any thread is started."""
    channel = open_channel()
    settings = json.loads(os.environ.pop(SETTINGS, "{}"))
    forbid_core_dumps()
    lower_priority(int(settings.get("niceness", 0)))
    deny_network()
    die_with_parent()  # after deny_network: new credentials would clear it
    return channel


def run(kind: str) -> None:
    """Serve the work of this kind (one of KINDS) until the program closes the pipe."""
    channel = enter()
    if kind not in KINDS:
        sys.exit(f"unknown kind of worker: {kind}")
    import_module(f"core.adapters.{kind}.child").serve(channel)  # by name: those packages stand above this one
