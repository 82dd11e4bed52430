"""Check what the linters don't: sizes, names that say nothing, marks of unfinished work."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from project_files import ROOT, project_files, report

MODULE_LINES = 400
FUNCTION_LINES = 50
EMPTY_NAMES = {"util", "utils", "manager", "managers", "base", "helper", "helpers", "common", "misc"}
# Spelt in parts, so that this file holds none of them.
UNFINISHED = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, r"mark\.x" + "fail")) + r")\b")


def check_module(path: Path) -> Iterator[str]:
    """Yield what is wrong with one Python file."""
    text, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
    if path.stem in EMPTY_NAMES or path.parent.name in EMPTY_NAMES:
        yield f"{name}: a name that says nothing about what is inside"
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line):
            yield f"{name}:{number}: unfinished: {line.strip()}"
    if name.parts[0] == "tests":
        return
    lines = text.count("\n")
    if lines > MODULE_LINES:
        yield f"{name}: {lines} lines, more than {MODULE_LINES}"
    tree = ast.parse(text, str(name))
    if text.strip() and ast.get_docstring(tree) is None:
        yield f"{name}: no docstring says what the module is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (size := code_lines(node)) > FUNCTION_LINES:
            yield f"{name}:{node.lineno}: {node.name} has {size} lines, more than {FUNCTION_LINES}"


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function takes, its docstring left out."""
    size = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        size -= (first.end_lineno or first.lineno) - first.lineno + 1
    return size


def main() -> int:
    """Print every problem; return 1 if there is one."""
    return report([problem for path in project_files(".py") for problem in check_module(path)], "Code")


if __name__ == "__main__":
    sys.exit(main())
