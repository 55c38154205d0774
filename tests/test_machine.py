"""Tests of the choice of modules that may notice the machine: what is left out only computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from machine import TESTS, may_notice_machine

HELPERS = {
    "starter.py": "import subprocess\n",
    "caller.py": "from starter import start\n",
    "adder.py": "import math\n",
}


@pytest.mark.parametrize(
    ("text", "notices"),
    [
        ("import re\nimport keysh\nfrom adder import add\n", False),
        ("import subprocess\n", True),
        ("def test():\n    import os.path\n", True),
        ("from caller import call\n", True),
        ("import no_such_helper\n", True),
        ("def test(tmp_path): ...\n", True),
        ("import keysh\nkeysh.Shell(external=True)\n", True),
        ("from keysh.cli.main import main\n", True),
    ],
)
def test_module_notices_the_machine(tmp_path: Path, text: str, notices: bool) -> None:
    for name, helper in HELPERS.items():
        (tmp_path / name).write_text(helper)
    (tmp_path / "test_it.py").write_text(text)
    assert may_notice_machine(tmp_path / "test_it.py") is notices


def test_fixtures_of_the_folder_count(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import socket\n")
    (tmp_path / "test_it.py").write_text("import re\n")
    assert may_notice_machine(tmp_path / "test_it.py")


def test_modules_of_both_kinds_are_told_apart() -> None:
    assert not may_notice_machine(TESTS / "check" / "test_variables.py")
    assert may_notice_machine(TESTS / "process" / "test_stop.py")
