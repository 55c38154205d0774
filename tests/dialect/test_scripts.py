"""Scripts of every kind print in the bash dialect what they print in real bash.

A file of `scripts/` holds many, each under a heading `### what it is about`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import SIGNATURES, need, needs

pytestmark = needs("bash")

BUILTINS = {"bash", "echo", "false", "printf", "pwd", "test", "true"}  # whose judge is bash itself

SCRIPTS = [
    pytest.param(text, id=f"{path.stem}: {title}")
    for path in sorted((Path(__file__).parent / "scripts").glob("*.sh"))
    for title, text in re.findall(
        r"^### (.*)\n((?:(?!### ).*\n?)*)", path.read_text(), re.MULTILINE
    )
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_script_runs_as_in_bash(script: str, tmp_path: Path) -> None:
    need(*(tool for tool in SIGNATURES.keys() - BUILTINS if re.search(rf"\b{tool}\b", script)))
    folders = tmp_path / "bash", tmp_path / "keysh"
    for folder in folders:
        folder.mkdir()
    theirs, ours = bash_answer(script, folders[0]), dialect_answer(script, folders[1])
    expected, found = (
        (output.replace(str(folder), "FOLDER"), status)
        for (output, status), folder in zip((theirs, ours), folders, strict=True)
    )
    assert found == expected
