"""Where memory is kept: the environment goes before the setting; names that can't be served say so."""

from pathlib import Path

import pytest

from app.bootstrap import Program
from app.paths import Paths
from core.domain.backends import LATER, SUPPORTED, VARIABLE, memory_backend
from core.domain.tiers import Tier
from core.errors import UserError


@pytest.mark.parametrize(
    ("setting", "environment"),
    [
        ("", {}), ("sqlite", {}), (" SQLite ", {}), ("", {VARIABLE: "sqlite"}), ("", {VARIABLE: ""}),
        ("spector", {VARIABLE: "SQLITE"}),
    ],
)  # fmt: skip
def test_sqlite_is_chosen(setting: str, environment: dict[str, str]) -> None:
    assert memory_backend(setting, environment) == "sqlite"


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("by_setting", [True, False])
def test_known_names_say_that_they_come_later(name: str, by_setting: bool) -> None:
    with pytest.raises(UserError, match="comes with a later Muniment") as caught:
        memory_backend(name if by_setting else "", {} if by_setting else {VARIABLE: name})
    assert all(supported in caught.value.sentence for supported in (*SUPPORTED, name))
    assert (VARIABLE in caught.value.sentence) != by_setting
    assert caught.value.code == "backend"


def test_an_unknown_name_lists_the_supported_ones() -> None:
    with pytest.raises(UserError, match="mongo") as caught:
        memory_backend("sqlite", {VARIABLE: "mongo"})
    assert all(name in caught.value.sentence for name in (*SUPPORTED, *LATER))


async def test_the_program_heeds_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "data"
    data.mkdir()
    program = Program.build(Paths(data, data, data))
    path = (await program.workspaces.create(tmp_path, "W")).path
    settings = path / "workspace.toml"
    plain = settings.read_text(encoding="utf-8")
    settings.write_text(f'{plain}memory_backend = "postgres"\n', encoding="utf-8")
    with pytest.raises(UserError, match="postgres"):
        await program.workspaces.open(path)
    assert program.workspaces.current is None
    monkeypatch.setenv(VARIABLE, "sqlite")
    workspace = await program.workspaces.open(path)
    await workspace.memory.remember("key", 1, Tier.WORKING)
    await program.workspaces.close_current()
    monkeypatch.setenv(VARIABLE, "nonsense")
    settings.write_text(plain, encoding="utf-8")
    with pytest.raises(UserError, match=r"nonsense.*sqlite"):
        await program.workspaces.open(path)
    await program.close()
