"""`set -x`: bash is the judge of the traces that scripts print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dialect.dialect_oracle import ENVIRONMENT
from real_tools import needs

TEXT = (Path(__file__).parent / "traced_scripts.sh").read_text()
PIECES = re.split(r"^#== (.*)\n", TEXT, flags=re.MULTILINE)[1:]
SCRIPTS = dict(zip(PIECES[::2], PIECES[1::2], strict=True))


def answer(command: list[str], script: str, folder: Path) -> tuple[bytes, bytes, int]:
    folder.mkdir()
    (folder / "script").write_text(script)
    done = subprocess.run(
        [*command, "./script"], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    return done.stdout, done.stderr, done.returncode


@needs("bash")
@pytest.mark.parametrize("name", SCRIPTS)
def test_traces(name: str, tmp_path: Path) -> None:
    expected = answer(["bash"], SCRIPTS[name], tmp_path / "bash")
    keysh = [sys.executable, "-m", "keysh", "--dialect=bash"]
    assert answer(keysh, SCRIPTS[name], tmp_path / "keysh") == expected
