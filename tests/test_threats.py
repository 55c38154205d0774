"""docs/threats.md is complete: each threat has an id, all columns, and a test that is run."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from keysh import Limits

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "threats.md"
COLUMNS = ("id", "attacker", "asset", "what is tried", "measure", "test", "what is left")
MIN_THREATS = 150
CELL_BORDER = re.compile(r"(?<!\\)\|")


def threats() -> list[list[str]]:
    """Return the cells of all rows."""
    lines = PAGE.read_text("utf-8").splitlines()
    rows = [
        line for line in lines if line.startswith("|") and not line.startswith(("| id", "|---"))
    ]
    return [[cell.strip() for cell in CELL_BORDER.split(row)[1:-1]] for row in rows]


@cache
def functions_of(path: Path) -> frozenset[str]:
    """Return the names of the functions in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


@cache
def hostile_scripts() -> frozenset[str]:
    """Return the names of the scripts in tests/hostile."""
    names: set[str] = set()
    for path in (ROOT / "tests" / "hostile").glob("*.toml"):
        for group in tomllib.loads(path.read_text("utf-8"))["group"]:
            names.update(f"{path.stem}-{name}" for name in group["scripts"])
    return frozenset(names)


def is_hostile_script(name: str) -> bool:
    """Whether there is such a script; `*` at the end stands for any rest."""
    if name.endswith("*"):
        return any(script.startswith(name[:-1]) for script in hostile_scripts())
    return name in hostile_scripts()


def fault_of_reference(reference: str) -> str:
    """Return why a reference to a test is wrong; empty if it is right."""
    found = re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)(?:\[([^\]]+)\])?`", reference)
    if found is None:
        return "is no reference to a test"
    file, name, case = found.groups()
    path = ROOT / file
    if not path.is_file() or not path.name.startswith("test_"):
        return "names no file that pytest collects"
    if name not in functions_of(path):
        return "names no test in its file"
    if case is not None and not is_hostile_script(case):
        return "names no script in tests/hostile"
    return ""


def test_there_are_enough() -> None:
    assert len(threats()) >= MIN_THREATS


def test_each_has_an_id_of_its_own() -> None:
    ids = [cells[0] for cells in threats()]
    assert [one for one in ids if not re.fullmatch(r"KT-\d{3}", one)] == []
    assert sorted({one for one in ids if ids.count(one) > 1}) == []


def test_each_has_all_columns() -> None:
    header = " | ".join(COLUMNS)
    assert f"| {header} |" in PAGE.read_text("utf-8")
    assert [cells for cells in threats() if len(cells) != len(COLUMNS) or not all(cells)] == []


def test_each_has_a_test_that_is_collected() -> None:
    faults = {cells[5]: fault_of_reference(cells[5]) for cells in threats()}
    assert {reference: fault for reference, fault in faults.items() if fault} == {}


@pytest.mark.parametrize(
    "reference",
    [
        "`tests/test_threats.py::test_nothing`",
        "`tests/test_none.py::test_a`",
        "tests/test_spec.py",
        "`tests/hostile/test_hostile_scripts.py::test_script[no-such-script]`",
        "`tests/documents.py::test_a`",
    ],
)
def test_a_wrong_reference_is_a_fault(reference: str) -> None:
    assert fault_of_reference(reference)


SECURITY = ROOT / "docs" / "security.md"
UNITS = {"MiB": 1 << 20, "GiB": 1 << 30, "s": 1}


def test_the_table_of_defaults_is_that_of_limits() -> None:
    text = SECURITY.read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (none|[\d,]+)(?: (MiB|GiB|s))? \|", text, re.MULTILINE)
    told = {
        kind: None if number == "none" else int(number.replace(",", "")) * UNITS.get(unit, 1)
        for kind, number, unit in rows
    }
    assert told == {kind: getattr(Limits(), kind) for kind in Limits.__slots__}
