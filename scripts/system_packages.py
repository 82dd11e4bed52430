"""The system libraries and tools that pip can't bring: look for them, install them where we may, else say how."""

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

# A library that Qt loads -> its Debian and Ubuntu packages, the newer name first.
OFF_SCREEN: dict[str, tuple[str, ...]] = {
    "libglib-2.0.so.0": ("libglib2.0-0t64", "libglib2.0-0"),
    "libEGL.so.1": ("libegl1",),
    "libGL.so.1": ("libgl1",),
    "libX11.so.6": ("libx11-6",),
    "libdbus-1.so.3": ("libdbus-1-3",),
    "libfontconfig.so.1": ("libfontconfig1",),
    "libfreetype.so.6": ("libfreetype6",),
    "libxkbcommon.so.0": ("libxkbcommon0",),
    "libgssapi_krb5.so.2": ("libgssapi-krb5-2",),
}
ON_SCREEN: dict[str, tuple[str, ...]] = {
    "libxcb-cursor.so.0": ("libxcb-cursor0",),
    "libxcb-icccm.so.4": ("libxcb-icccm4",),
    "libxcb-image.so.0": ("libxcb-image0",),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1",),
    "libxcb-render-util.so.0": ("libxcb-render-util0",),
    "libxcb-shape.so.0": ("libxcb-shape0",),
    "libxcb-xkb.so.1": ("libxcb-xkb1",),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0",),
}
# A program that the end-to-end tests use -> its package.
TEST_TOOLS = {
    "Xvfb": "xvfb",
    "openbox": "openbox",
    "xdotool": "xdotool",
    "dbus-daemon": "dbus",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}


def ensure_qt(*, screen: bool) -> None:
    """See that the libraries Qt needs can be loaded; where they can't be installed, print the command that does."""
    if not sys.platform.startswith("linux"):
        return
    wanted = {**OFF_SCREEN, **(ON_SCREEN if screen else {})}
    missing = [names for library, names in wanted.items() if not loads(library)]
    if not missing:
        return
    packages = [known_name(names) for names in missing]
    if not install(packages):
        print(f"Qt needs system libraries that are missing here. Type:  {command(packages)}", file=sys.stderr)


def ensure_test_tools() -> None:
    """See that a virtual screen, a window manager and a typist are there; without them the end-to-end tests skip."""
    if not sys.platform.startswith("linux"):
        return
    packages = [package for program, package in TEST_TOOLS.items() if shutil.which(program) is None]
    if packages and not install(packages):
        print(f"The end-to-end tests are left out. To run them type:  {command(packages)}", file=sys.stderr)


def ensure_build_tools() -> None:
    """See that PyInstaller finds Python as a library, which Debian keeps apart, and the tools that read libraries."""
    if not sys.platform.startswith("linux"):
        return
    python = f"libpython{sys.version_info.major}.{sys.version_info.minor}"
    packages = [] if shutil.which("objdump") else ["binutils"]
    beside = Path(sysconfig.get_config_var("LIBDIR") or "/", f"{python}.so.1.0")
    if not beside.exists() and not loads(f"{python}.so.1.0"):
        packages.append(python)
    if packages and not install(packages):
        print(f"The frozen program needs more to be built. Type:  {command(packages)}", file=sys.stderr)


def loads(library: str) -> bool:
    """Tell whether the dynamic linker finds this library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def install(packages: Sequence[str]) -> bool:
    """Install Debian packages where this is Debian or Ubuntu and we are root; tell whether that was done."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return False
    print(f"Installing {' '.join(packages)} …", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdout": subprocess.DEVNULL, "env": environment}
    subprocess.run(["apt-get", "-qq", "update"], check=False, **quiet)
    arguments = ["apt-get", "-qq", "install", "--yes", "--no-install-recommends"]
    # The names are asked for once more: before the update apt may not have known any.
    names = [known_name(other_names(package)) for package in packages]
    return subprocess.run([*arguments, *names], check=False, **quiet).returncode == 0


def command(packages: Sequence[str]) -> str:
    """Return the command that a person types to install these packages."""
    return f"sudo apt-get update && sudo apt-get install --yes {' '.join(packages)}"


def known_name(names: Sequence[str]) -> str:
    """Return the first of these package names that apt knows here, else the last."""
    if len(names) > 1 and shutil.which("apt-cache") is not None:
        for name in names[:-1]:
            if subprocess.run(["apt-cache", "show", name], capture_output=True, check=False).returncode == 0:
                return name
    return names[-1]


def other_names(package: str) -> tuple[str, ...]:
    """Return all names under which this package is known, itself included."""
    return next((names for names in {**OFF_SCREEN, **ON_SCREEN}.values() if package in names), (package,))
