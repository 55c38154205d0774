"""The examples: right, and in the form that `keysh fmt` gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from keysh import Shell
from keysh.cli import main

pytestmark = pytest.mark.quick

SCRIPTS = sorted(Path(__file__).parents[1].glob("examples/*.ksh"))


def test_there_are_examples() -> None:
    assert SCRIPTS


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_example(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path)]) == 0
    assert main(["fmt", "--check", str(path)]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_example_runs(path: Path) -> None:
    result = Shell(name=str(path)).run(path.read_text("utf-8"))
    assert (result.code, result.stderr) == (0, "")
    assert result.stdout
