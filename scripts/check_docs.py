"""Check the documents: links and named commands exist, generated pages are current, nothing names a registry."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import commands
import generate_docs
from project_files import ROOT, project_files, report

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
SCRIPT = re.compile(r"\bpython3? ((?:scripts|benchmarks|packaging)/[\w/]+\.py)(?: +([a-z]\w*))?")
# Where packages come from is each machine's own setting. Spelt in parts, so that this file holds none of them.
HOSTS = re.compile(
    "|".join(("pypi" + r"\.org", "pythonhosted" + r"\.org", "npm" + r"js\.", "index" + "-url", "find" + "-links"))
)
PINNED = re.compile(r"[\w.-]+==[\w.]+( ; .+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?|#.*|")
TEXT = (".md", ".py", ".toml", ".txt", ".cfg", ".ini", ".json", ".yml", ".yaml", ".sh", ".spec", ".svg", ".html", "")


def check_links(path: Path, text: str) -> Iterator[str]:
    """Yield links to files and headings that aren't there; addresses outside the project are not asked."""
    for match in LINK.finditer(FENCE.sub("", text)):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = target.partition("#")
        linked = (path.parent / file).resolve() if file else path
        if not linked.exists():
            yield f"{path.relative_to(ROOT)}: no {target}"
        elif heading and linked.suffix == ".md" and heading not in headings(linked):
            yield f"{path.relative_to(ROOT)}: no heading #{heading} in {linked.name}"


def headings(path: Path) -> set[str]:
    """Return the anchors that a Markdown page's headings get."""
    titles = re.findall(r"^#+ +(.+?) *$", FENCE.sub("", path.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def check_commands(path: Path, text: str) -> Iterator[str]:
    """Yield scripts named in a document that aren't there, and commands that dev.py doesn't have."""
    for match in SCRIPT.finditer(text):
        if not (ROOT / match[1]).is_file():
            yield f"{path.relative_to(ROOT)}: no {match[1]}"
        elif match[1] == "scripts/dev.py" and match[2] and match[2] not in commands.COMMANDS:
            yield f"{path.relative_to(ROOT)}: dev.py has no command {match[2]}"


def check_readme(text: str) -> Iterator[str]:
    """Yield the commands that the README owes its reader."""
    for command in ("python3 scripts/dev.py start", "python3 scripts/dev.py test"):
        if command not in text:
            yield f"README.md: {command} is missing"


def check_addresses(path: Path) -> Iterator[str]:
    """Yield lines that say where packages come from."""
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if HOSTS.search(line):
            yield f"{path.relative_to(ROOT)}:{number}: names a package registry"


def check_pins(path: Path) -> Iterator[str]:
    """Yield lines of a requirement file that are neither a pinned name nor a hash."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not PINNED.fullmatch(line):
            yield f"{path.relative_to(ROOT)}:{number}: not a pinned name with hashes: {line}"


def check_generated() -> Iterator[str]:
    """Yield generated pages that differ from what the program declares now."""
    for path, text in generate_docs.pages().items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield f"{path.relative_to(ROOT)}: out of date; run .venv/bin/python scripts/generate_docs.py"


def main() -> int:
    """Print every problem; return 1 if there is one."""
    problems: list[str] = []
    for path in project_files(".md"):
        text = path.read_text(encoding="utf-8")
        problems += [*check_links(path, text), *check_commands(path, text)]
    problems += check_readme((ROOT / "README.md").read_text(encoding="utf-8"))
    for path in project_files(*TEXT):
        problems += check_addresses(path)
    problems += check_generated()
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        problems += check_pins(path)
    return report(problems, "Documents")


if __name__ == "__main__":
    sys.exit(main())
