"""sum: calls against the real tool, from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {
    "x": b"some text\n" * 300, "e": b"",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-r x", "-s x e", "e", "", "x no e", "d", "-s", "-sr x", "-rs x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("sum", words.split(), tmp_path, FILES, b"in")
