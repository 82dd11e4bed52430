"""One office a test, plain or sealed; after each the database is checked whole."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.adapters.sqlite import driver
from tests.contracts.conftest import KEY, check_whole
from tests.core.erasure.office import Office, opened
from tests.fakes.store import SetClock


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture(params=("plain", "sealed"))
async def office(request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock) -> AsyncIterator[Office]:
    key = KEY if request.param == "sealed" else None
    office = await opened(tmp_path / "north", clock, key)
    yield office
    await office.close()
    connection, _ = driver.connect(tmp_path / "north" / "workspace.db", key)
    connection.execute("DELETE FROM passage_codes")  # as if nothing had vectors yet, which is what is checked
    connection.execute("DELETE FROM passage_vectors")
    connection.execute("INSERT OR IGNORE INTO passages_waiting SELECT id FROM passages")
    totals = connection.execute("SELECT passages, waiting FROM passage_totals").fetchall()
    counted = connection.execute("SELECT count(*), count(*) FROM passages").fetchall()
    connection.close()
    assert totals == counted
    check_whole(tmp_path / "north" / "workspace.db", key)
