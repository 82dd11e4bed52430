"""What a worker may not do: outlive the program, take all memory, reach the network, leave a core dump."""

import contextlib
import ctypes
import os
import socket
import sys
from typing import Any, NoReturn

PR_SET_PDEATHSIG = 1  # linux/prctl.h
SIGKILL = 9
CLONE_NEWUSER = 0x10000000  # linux/sched.h
CLONE_NEWNET = 0x40000000


def die_with_parent() -> None:
    """Linux: have the kernel end this process when its parent ends, whatever either is doing.

    Elsewhere, and for a parent that ended before this call, the end of file on the pipe does it.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)


def limit_memory(limit_bytes: int | None) -> None:
    """Bound the address space where the system can (not on Windows, hardly on macOS: there the watchdog holds)."""
    if sys.platform == "win32":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = resource.RLIM_INFINITY if limit_bytes is None else limit_bytes
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def forbid_core_dumps() -> None:
    """A core dump would hold the text of somebody's paper."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def lower_priority(niceness: int) -> None:
    """Give way to the window. niceness: as of nice(2); on Windows anything above 0 is "below normal"."""
    if niceness <= 0:
        return
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
    else:
        with contextlib.suppress(OSError):
            os.nice(niceness)


class _DeniedSocket(socket.socket):
    def __init__(self, *_arguments: Any, **_options: Any) -> None:
        raise PermissionError("a worker opens no connection")


def _denied(*_arguments: Any, **_options: Any) -> NoReturn:
    raise PermissionError("a worker opens no connection")


def deny_network() -> None:
    """Cut this process off: Python's sockets raise, and on Linux it moves to a network without any interface.

    Must run while the process has one thread. Where the system forbids new name spaces the first half remains.
    """
    socket.socket = _DeniedSocket
    socket.create_connection = _denied
    socket.getaddrinfo = _denied
    if sys.platform == "linux":
        system = ctypes.CDLL(None)
        if system.unshare(CLONE_NEWNET) != 0:  # needs the right to; a user name space of our own gives it
            system.unshare(CLONE_NEWUSER | CLONE_NEWNET)
