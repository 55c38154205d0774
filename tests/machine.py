"""Find the test modules that may notice which machine they run on.

The others only compute: they import nothing that reaches the machine, and use nothing of keysh that
does. They answer the same without tools, network, HOME or the rights of root, so `.ci/bare` leaves
them out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
COMPUTING = {
    "__future__", "abc", "ast", "base64", "bisect", "builtins", "cProfile", "codecs", "collections",
    "contextlib", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "enum",
    "fractions", "functools", "gc", "hashlib", "hypothesis", "importlib", "inspect", "io",
    "itertools", "json", "jsonschema", "keysh", "lark", "math", "operator", "pathlib", "pickle",
    "pkgutil", "pytest", "random", "re", "shlex", "string", "struct", "sys", "textwrap",
    "threading", "time", "tokenize", "tomllib", "types", "typing", "unicodedata", "urllib",
    "weakref", "yaml", "zlib",
}  # fmt: skip
# What of keysh and of pytest leads to files, programs, the network or the terminal.
DOORS = re.compile(
    r"\b(?:LocalFS|SqliteFS|Network|Store|external|isolated|materialize|mapper|scatter|store=|"
    r"environ|Path\.home|write_text|write_bytes|tmp_path\w*|capfd\w*|monkeypatch|keysh\.(?:cli|process|worker|shell\.store)\b)"
)


@cache
def may_notice_machine(path: Path) -> bool:
    """Whether a module, its folder's fixtures or a helper that it imports reach the machine."""
    text = path.read_text("utf-8")
    if DOORS.search(text):
        return True
    fixtures = path.with_name("conftest.py")
    if fixtures.exists() and fixtures.parent != TESTS and path != fixtures:
        return may_notice_machine(fixtures) or imports_of_machine(path, text)
    return imports_of_machine(path, text)


def imports_of_machine(path: Path, text: str) -> bool:
    """Whether a module imports what reaches the machine."""
    for name in imported_names(text):
        if name.partition(".")[0] in COMPUTING:
            continue
        inner = name.replace(".", "/") + ".py"
        helper = next(
            (file for file in (path.parent / inner, TESTS / inner) if file.exists()), None
        )
        if helper is None or may_notice_machine(helper):
            return True
    return False


def imported_names(text: str) -> Iterator[str]:
    """Yield the modules that a module imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
