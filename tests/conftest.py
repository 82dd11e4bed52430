"""How every test runs: on a loop of its own kind, in a home of its own, and failing on whatever it leaves behind.

Tests in core/ and contracts/ run on plain asyncio, a new loop each. Tests in ui/ and e2e/ replace the `loop` fixture by
one qasync loop for the whole session (qt_session.py). Async tests and async fixtures are plain `async def`.
"""

import asyncio
import functools
import inspect
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"

hypothesis.settings.register_profile("muniment", deadline=None, database=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("muniment")


def pytest_configure(config: pytest.Config) -> None:
    """Give the session a home of its own, before anything of the program is imported."""
    config.addinivalue_line("markers", "logs(pattern): log records of WARNING and above that match are expected")
    home = Path(tempfile.mkdtemp(prefix="muniment-tests-"))
    config.add_cleanup(functools.partial(shutil.rmtree, home, ignore_errors=True))
    folders = {
        "HOME": "",
        "USERPROFILE": "",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CACHE_HOME": ".cache",
        "XDG_RUNTIME_DIR": "run",
        "APPDATA": "AppData/Roaming",
        "LOCALAPPDATA": "AppData/Local",
        "TMPDIR": "tmp",
    }
    for variable, folder in folders.items():
        (home / folder).mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(home / folder)
    (home / "run").chmod(0o700)
    tempfile.tempdir = None  # asked for anew, from TMPDIR
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder with real files, records and queries; it lies beside the project and is not part of it."""
    if not CORPUS.is_dir():
        pytest.skip("../shared/corpus is not here")
    return CORPUS


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """The loop that the test and its async fixtures run on."""
    with asyncio.Runner() as runner:
        yield runner.get_loop()


@pytest.fixture(autouse=True)
def nothing_left_running(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Fail a test whose tasks outlive it and its fixtures."""
    yield
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=2))
        pytest.fail("tasks left running: " + ", ".join(sorted(repr(task.get_coro()) for task in left)))


class Alarms(logging.Handler):
    """Keeps the records of WARNING and above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture(autouse=True)
def nothing_logged(request: pytest.FixtureRequest, nothing_left_running: None) -> Iterator[None]:
    """Fail a test that logs a warning or an error which it does not expect with @pytest.mark.logs("pattern")."""
    expected = [re.compile(pattern) for marker in request.node.iter_markers("logs") for pattern in marker.args]
    alarms = Alarms()
    logging.getLogger().addHandler(alarms)
    yield
    logging.getLogger().removeHandler(alarms)
    texts = [record.getMessage() for record in alarms.records]
    stray = [text for text in texts if not any(pattern.search(text) for pattern in expected)]
    assert not stray, f"unexpected log records: {stray}"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function on the `loop` fixture, a Hypothesis test example by example."""
    # Hypothesis hides the coroutine function inside the function that it makes.
    generated = getattr(pyfuncitem.obj, "hypothesis", None)
    # With parameters it is the same function for each, wrapped already for the loop of the last one.
    test = inspect.unwrap(generated.inner_test) if generated is not None else pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    test = on_loop(pyfuncitem._request.getfixturevalue("loop"), test)
    if generated is not None:
        generated.inner_test = test
        return None
    names = pyfuncitem._fixtureinfo.argnames
    test(**{name: pyfuncitem.funcargs[name] for name in names})
    return True


def on_loop(loop: asyncio.AbstractEventLoop, function: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
    """Return a plain function that runs `function` on `loop`."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        return loop.run_until_complete(function(*args, **kwargs))

    return run


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> None:
    """Let fixtures be coroutine functions or async generators; they run on the `loop` fixture."""
    function = fixturedef.func
    set_function = functools.partial(setattr, fixturedef, "func")
    if inspect.isasyncgenfunction(function):
        loop = request.getfixturevalue("loop")
        set_function(as_generator(loop, function))
    elif inspect.iscoroutinefunction(function):
        set_function(on_loop(request.getfixturevalue("loop"), function))
    else:
        return
    # The loop differs from test to test, so the definition gets its own function back.
    request.addfinalizer(functools.partial(set_function, function))


def as_generator(loop: asyncio.AbstractEventLoop, function: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    """Return a plain generator function that runs the async generator function on `loop`."""

    @functools.wraps(function)
    def steps(*args: Any, **kwargs: Any) -> Iterator[Any]:
        generator = function(*args, **kwargs)
        yield loop.run_until_complete(anext(generator))
        try:
            loop.run_until_complete(anext(generator))
        except StopAsyncIteration:
            return
        raise RuntimeError(f"the fixture {function.__name__} yields more than once")

    return steps
