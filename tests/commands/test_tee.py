"""tee: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.agreeing import agree

FILES = {
    "f": b"one two\nb\tc\n\nlast", "g": b"x:y:z\n1:2\nplain\n",
    "n": b"10\n9\n-1\n2.5\n 3\n1K\n2M\n", "e": b"", "z": b"b\x00a\x00c",
    "u": b"gr\xc3\xb6\xc3\x9fe \xe2\x82\xac\n\xc3\xa4\n", "v": b"a10\na9\na1.2\n.b\na~\n",
    "m": b"mar\nJAN\nx\nfeb 2\n", "k": b"b 2 x\na 2 y\nc 10 x\na 1 z\n",
}  # fmt: skip


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
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("tee", words.split(" ") if words else [], tmp_path, FILES, b"some\ntext")
