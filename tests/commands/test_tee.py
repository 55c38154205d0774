"""tee: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement
from commands.sample_texts import FILES


@pytest.mark.parametrize(
    "words",
    [
        "out",
        "-a f",
        "f g",
        "-a f f",
        "d out",
        "-p x",
        "/missing/x",
        "",
        "--output-error=warn f",
        "--output-error d f",
        "--output-error=exit d f",
        "--output-error=x",
    ],
)
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("tee", words.split(" ") if words else [], tmp_path, FILES, b"some\ntext")
