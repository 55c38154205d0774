"""What is behind the end of a script is not read, as in bash: archives, and notes after `exit`."""

from __future__ import annotations

from pathlib import Path

import pytest

import keysh
from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs


@needs("bash")
@pytest.mark.parametrize(
    "ending", ["exit 3", "exec echo done", "return 2>/dev/null\nexit 4", "exit"]
)
def test_text_behind_the_end(tmp_path: Path, ending: str) -> None:
    script = f"echo first\nif false; then\nexit 1\nfi\n{ending}\nthis ( is no ' script\n"
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


def test_an_archive_may_hold_any_byte() -> None:
    files = {"/a.sh": b'tail -c 3 "$0"\nexit 0\n\0\1\xffbin'}
    assert keysh.run("bash a.sh", files=files).stdout == "bin"


@pytest.mark.parametrize(
    "script", ["echo a; exit\n)", "exit 1 | cat\n)", "f() {\nexit\n)", "exec >x\n)"]
)
def test_an_error_that_may_be_reached_is_one(script: str) -> None:
    result = keysh.run(f"echo first\n{script}", dialect="bash")
    assert (result.stdout, result.code) == ("", 2)
