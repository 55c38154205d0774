"""What starting the program loads: each module takes 0.1 ms of every script's time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

SOURCE = Path(__file__).parent.parent / "src"

# What of Python itself a script may need that only prints, and what those bring with them.
STANDARD = {
    "__future__", "_collections", "_contextvars", "_functools", "_operator", "_sre", "_thread",
    "_warnings", "collections", "contextvars", "copyreg", "enum", "errno", "functools", "gc",
    "importlib", "importlib._bootstrap", "importlib._bootstrap_external", "itertools", "keyword",
    "operator", "re", "re._casefix", "re._compiler", "re._constants", "re._parser", "reprlib",
    "time", "types", "warnings",
}  # fmt: skip
MOST = 150  # modules of keysh

# Parts that a script which only prints never needs.
UNWANTED = (
    "keysh.adapters", "keysh.completion", "keysh.plan", "keysh.process", "keysh.programs",
    "keysh.repl", "keysh.compile.aliases", "keysh.compile.arithmetic", "keysh.compile.control",
    "keysh.compile.expansions", "keysh.compile.functions", "keysh.compile.substitutions",
    "keysh.compile.tests", "keysh.syntax.printer", "keysh.syntax.recover", "keysh.text.regular",
    "keysh.vfs.memory", "keysh.vfs.overlay", "keysh.vfs.readonly",
)  # fmt: skip

PROGRAM = "import sys; sys.path.insert(0, {path!r}); {code}; print(*sys.modules)"


def loaded(code: str, *options: str) -> set[str]:
    """The modules that an interpreter without site-packages holds after some code."""
    program = PROGRAM.format(path=str(SOURCE), code=code)
    done = subprocess.run(
        [sys.executable, *options, "-S", "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.fixture(scope="module")
def started() -> set[str]:
    """What `keysh -c 'echo hi'` loads beyond what an interpreter has."""
    return loaded("from keysh.cli import main; main(['-c', 'echo hi'])") - loaded("import os")


def test_nothing_more_of_python(started: set[str]) -> None:
    assert {name for name in started if name.split(".")[0] != "keysh"} <= STANDARD


def test_nothing_unwanted_of_keysh(started: set[str]) -> None:
    assert not [name for name in started if f"{name}.".startswith(tuple(f"{n}." for n in UNWANTED))]


def test_as_few_as_ever(started: set[str]) -> None:
    mine = [name for name in started if name.split(".")[0] == "keysh"]
    assert "keysh.commands.echo" in mine
    assert len(mine) <= MOST


@pytest.mark.parametrize(("arguments", "status"), [(["-c", "exit 7"], 7), (["--version"], 0)])
def test_end_of_the_process_is_its_status(arguments: list[str], status: int) -> None:
    """The program ends without taking its modules down; nothing is lost by that."""
    done = subprocess.run(
        [sys.executable, "-m", "keysh", *arguments], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == status
    assert not done.stderr


def test_what_waits_for_the_end_is_called() -> None:
    """A library that has asked to be told of the end is told."""
    code = (
        "import atexit, sys; atexit.register(print, 'told'); from keysh.cli import main;"
        " sys.argv[1:] = ['-c', 'echo hi']; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "hi\ntold\n"
