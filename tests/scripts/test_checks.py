"""The checks of scripts/ find what they are there to find."""

from pathlib import Path

import check_code
import check_docs
import dev
import pytest


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project in place of this one."""
    for module in (check_code, check_docs):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    return tmp_path


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_links(root: Path) -> None:
    put(root, "docs/other.md", "# A heading, here\n\n```\n# no heading\n```\n")
    text = "[a](docs/other.md) [b](docs/other.md#a-heading-here) [c](https://example.org) `[d]`\n"
    assert list(check_docs.check_links(put(root, "README.md", text), text)) == []
    text = "[a](gone.md) [b](docs/other.md#no-heading) ![c](gone.png)\n```\n[d](code.md)\n```\n"
    problems = list(check_docs.check_links(root / "README.md", text))
    assert [problem.split(": ")[1] for problem in problems] == [
        "no gone.md",
        "no heading #no-heading in other.md",
        "no gone.png",
    ]


def test_commands(root: Path) -> None:
    put(root, "scripts/dev.py", "")
    path = root / "README.md"
    assert list(check_docs.check_commands(path, "python3 scripts/dev.py test -k x\n")) == []
    assert len(list(check_docs.check_commands(path, "python3 scripts/dev.py fly\npython3 scripts/gone.py\n"))) == 2


def test_readme_owes_its_commands() -> None:
    assert len(list(check_docs.check_readme("python3 scripts/dev.py start"))) == 1


@pytest.mark.parametrize("line", ["https://" + "pypi" + ".org/simple", "--extra-" + "index" + "-url=x"])
def test_registries(root: Path, line: str) -> None:
    assert len(list(check_docs.check_addresses(put(root, "a.txt", f"one\n{line}\n")))) == 1


def test_pins(root: Path) -> None:
    hashes = f"    --hash=sha256:{'a' * 64} \\\n    --hash=sha256:{'b' * 64}\n"
    good = f"# comment\nnumpy==2.4.6 ; python_full_version < '3.12' \\\n{hashes}"
    assert list(check_docs.check_pins(put(root, "runtime.txt", good))) == []
    bad = "numpy>=2\n--no-index\nname @ file:///x\n"
    assert len(list(check_docs.check_pins(put(root, "runtime.txt", bad)))) == 3


def test_code(root: Path) -> None:
    body = "".join(f"    x{number} = {number}\n" for number in range(60))
    problems = check_code.check_module(put(root, "core/helpers.py", f"def long():\n{body}# TO" + "DO later\n"))
    found = [problem.split(": ", 1)[1] for problem in problems]
    assert len(found) == 4
    assert "long has 61 lines, more than 50" in found
    assert (
        list(
            check_code.check_module(
                put(root, "core/short.py", '"""Short."""\n\n\ndef short() -> None:\n    """Do."""\n')
            )
        )
        == []
    )


def test_long_module(root: Path) -> None:
    text = '"""Long."""\n' + "x = 1\n" * 400
    assert list(check_code.check_module(put(root, "core/long.py", text))) == ["core/long.py: 401 lines, more than 400"]


def test_another_python_is_found_or_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert dev.another_python() is None
    for name, answer in (("python3.11", "exit 1"), ("python3.12", "echo 3 12")):
        put(tmp_path, name, f"#!/bin/sh\n{answer}\n").chmod(0o755)
    assert dev.another_python() == str(tmp_path / "python3.12")
    assert [dev.fits(version) for version in ((3, 10), (3, 11), (3, 13), (3, 14))] == [False, True, True, False]
