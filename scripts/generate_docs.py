"""Write docs/generated from what the program declares: its command line, its commands and keys, its settings.

    .venv/bin/python scripts/generate_docs.py

check_docs.py compares the pages with what this makes.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from command_page import commands_page
from project_files import ROOT

FOLDER = ROOT / "docs" / "generated"
NOTE = "<!-- Written by scripts/generate_docs.py; do not edit. -->\n\n"


def pages() -> dict[Path, str]:
    """Return each generated page with its text."""
    sys.path.insert(0, str(ROOT))
    makers: dict[str, Callable[[], str]] = {
        "command-line.md": command_line_page,
        "commands.md": commands_page,
        "settings.md": settings_page,
    }
    return {FOLDER / name: NOTE + make() for name, make in makers.items()}


def command_line_page() -> str:
    """Return the page of commands and options, from the parser of app.cli."""
    from app import cli

    exit_codes = (cli.__doc__ or "").split("\n\n")[1]
    text = f"# Command line\n\n{' '.join(exit_codes.split())}\n"
    for words, parser, summary in subcommands("muniment", cli.parser()):
        rows = [f"| `{spelling(action)}` | {action.help or ''} |" for action in shown(parser)]
        text += f"\n## {words}\n\n{summary[:1].upper()}{summary[1:]}.\n"
        if rows:
            text += "\n| argument | |\n|---|---|\n" + "\n".join(rows) + "\n"
    return text


def subcommands(words: str, parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Yield every command that has none below it: its words, its parser, what it does."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, below in action.choices.items():
                deeper = list(subcommands(f"{words} {name}", below))
                yield from deeper or [(f"{words} {name}", below, summaries[name])]


def shown(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a parser's arguments, the help option left out."""
    return [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]


def spelling(action: argparse.Action) -> str:
    """Return how an argument is typed, without what differs between versions of Python."""
    choices = "\\|".join(map(str, action.choices or ()))
    value = action.metavar if isinstance(action.metavar, str) else (choices or action.dest.upper())
    if not action.option_strings:
        return f"{value} …" if action.nargs == "+" else value
    takes_value = action.nargs != 0
    return ", ".join(action.option_strings) + (f" {value}" if takes_value else "")


def settings_page() -> str:
    """Return the page of settings, from ui.qt.settings."""
    from ui.qt.settings import DECLARED

    shown_settings = [setting for setting in DECLARED if setting.shown]
    cells = [(s.title, f"`{s.key}`", s.default, ", ".join(map(str, s.choices)), s.help) for s in shown_settings]
    rows = ["| " + " | ".join(map(str, row)) + " |" for row in cells]
    return "# Settings\n\n| setting | key | at first | choices | |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def main() -> int:
    """Write the pages that changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
