"""What a screen reader is told of a program: its tree of names and roles, read over the accessibility bus (AT-SPI).

Programs register by themselves when they are started with the environment that `accessibility_bus` answers.
"""

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

TOOLS = ("dbus-daemon", "/usr/libexec/at-spi-bus-launcher")
ACCESSIBLE, TEXT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Text"
SHOWING, FOCUSED = 25, 12  # bits of the state set, from the protocol
ON_THE_BUS = {
    "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
    "QT_LOGGING_RULES": "qt.accessibility.atspi=false",  # it warns when somebody asks about what has just gone
}
ANSWER = 5.0  # seconds for one question
PATIENCE = 25.0  # seconds until something has to be told


@dataclass(frozen=True, slots=True)
class Node:
    """One thing in the tree. states: the protocol's bits."""

    bus: str
    path: str
    name: str
    role: str
    states: int

    @property
    def showing(self) -> bool:
        return bool(self.states >> SHOWING & 1)

    @property
    def focused(self) -> bool:
        return bool(self.states >> FOCUSED & 1)


class Reader:
    """A screen reader on one accessibility bus."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection

    def showing(self, pid: int) -> list[Node]:
        """Everything that the program with this process id shows now, from its windows down."""
        return [node for root in self._programs() if self._pid(root[0]) == pid for node in self._below(root)]

    def wait(self, pid: int, wanted: Callable[[list[Node]], Any], what: str) -> Any:
        """Ask until `wanted` answers something true of what is shown. Raises TimeoutError, telling what was shown."""
        deadline = time.monotonic() + PATIENCE
        while True:
            shown = self.showing(pid)
            if found := wanted(shown):
                return found
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}; shown: {[(node.role, node.name) for node in shown if node.name]}")
            time.sleep(0.1)

    def wait_for(self, pid: int, text: str, role: str = "") -> Node:
        """Wait for something shown whose name holds the text."""

        def wanted(shown: list[Node]) -> Node | None:
            return next((node for node in shown if text in node.name and node.role.startswith(role)), None)

        return self.wait(pid, wanted, f"nothing is called {text!r}")

    def _programs(self) -> list[tuple[str, str]]:
        return self._children(("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))

    def _below(self, place: tuple[str, str]) -> Iterator[Node]:
        """What is shown below, the parts of what is hidden left out; things may go while they are looked at."""
        for child in self._children(place):
            try:
                node = self._node(child)
            except DBusErrorResponse:
                continue
            if node.showing:
                yield node
                yield from self._below(child)

    def _node(self, place: tuple[str, str]) -> Node:
        bus, path = place
        address = DBusAddress(path, bus, ACCESSIBLE)
        name = self._ask(Properties(address).get("Name"))[0][1]
        role = self._ask(new_method_call(address, "GetRoleName"))[0]
        low, high = self._ask(new_method_call(address, "GetState"))[0]
        return Node(bus, path, name, role, low | high << 32)

    def _children(self, place: tuple[str, str]) -> list[tuple[str, str]]:
        bus, path = place
        try:
            return self._ask(new_method_call(DBusAddress(path, bus, ACCESSIBLE), "GetChildren"))[0]
        except DBusErrorResponse:
            return []

    def _pid(self, bus: str) -> int:
        address = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        return self._ask(new_method_call(address, "GetConnectionUnixProcessID", "s", (bus,)))[0]

    def _ask(self, message: Any) -> Any:
        answer = self._connection.send_and_get_reply(message, timeout=ANSWER)
        if answer.header.message_type.name == "error":
            raise DBusErrorResponse(answer)
        return answer.body


def missing_tools() -> list[str]:
    """Return the tools that an accessibility bus needs and that aren't here."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


@contextmanager
def accessibility_bus(environment: dict[str, str]) -> Iterator[tuple[Reader, dict[str, str]]]:
    """Start a session bus with its accessibility bus; answers a reader and the environment for programs on it."""
    command = ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as daemon:
        try:
            assert daemon.stdout is not None
            address = daemon.stdout.readline().decode().strip()
            with open_dbus_connection(bus=address) as session:
                asked = new_method_call(DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus"), "GetAddress")
                accessible = session.send_and_get_reply(asked, timeout=ANSWER * 4).body[0]
                with open_dbus_connection(bus=accessible) as connection:
                    yield Reader(connection), {**ON_THE_BUS, "DBUS_SESSION_BUS_ADDRESS": address}
        finally:
            daemon.terminate()
