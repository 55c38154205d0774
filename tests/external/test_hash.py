"""Where a program was found is remembered until something changes, or `hash` forgets it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from keysh import LocalFS, Shell

SCRIPT = """
make() { printf '#!/bin/sh\\necho %s\\n' $1 > $1/tool; chmod +x $1/tool; }
mkdir a b; make b
PATH=$PWD/a:$PWD/b:$PATH
tool; tool
make a; tool
{forgets}
tool
"""


@pytest.mark.parametrize("forgets", ["hash -r", "hash -d tool", "hash tool", "PATH=$PATH:/", ":"])
def test_program_in_an_earlier_directory_is_found(forgets: str, tmp_path: Path) -> None:
    script = SCRIPT.replace("{forgets}", forgets)
    folders = [tmp_path / "bash", tmp_path / "keysh"]
    for folder in folders:
        folder.mkdir()
    env = {"PATH": "/usr/bin:/bin"}
    bash = subprocess.run(
        ["bash", "-c", script], cwd=folders[0], env=env, capture_output=True, text=True, check=True
    )
    with Shell(LocalFS("/"), cwd=str(folders[1]), env=env, external=True) as shell:
        result = shell.run(script)
    assert (result.stdout, result.stderr) == (bash.stdout, "")
    assert result.stdout == ("b\nb\nb\nb\n" if forgets == ":" else "b\nb\nb\na\n")
