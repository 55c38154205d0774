"""dos2unix and unix2dos against the real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.comparison import assert_agreement

FILES = {
    "dos": b"a\r\nb\r\n", "unix": b"a\nb", "mixed": b"a\rb\r\nc\n",
    "returns": b"a\r\r\nb\n\r\r\r\n",
    "binary": b"a\r\nb\n\1x",
    "marked": b"\xef\xbb\xbfa\r\n", "wide": "é\r\n".encode("utf-16"), "empty": b"", "ff": b"\f\t\v",
    "big-endian": b"\xfe\xff\x00a\x00\n",
}  # fmt: skip


@pytest.mark.parametrize("name", ["dos2unix", "unix2dos"])
@pytest.mark.parametrize(
    "words",
    ["dos", "unix", "mixed", "returns", "binary", "marked", "wide", "big-endian", "empty",
     "-f binary ff",
     "missing dos", "d dos", "-q dos binary", "-c mac mixed", "-l mixed", "-m dos", "-r marked",
     "-b marked", "-k dos unix", "-n dos new", "-n dos", "unix -n dos new -o mixed", "-c x dos",
     "-i dos unix mixed binary marked wide", "-id mixed", "-ib marked", "-it binary dos",
     "-ic dos unix binary mixed", "-ix dos", "-i missing", "-v mixed dos", "-q missing",
     "-n dos d/new", ""],
)  # fmt: skip
def test_calls_match_the_real_tool(tmp_path: Path, name: str, words: str) -> None:
    assert_agreement(name, words.split(), tmp_path, FILES, b"x\ny\r\n")


@pytest.mark.parametrize("name", ["dos2unix", "unix2dos"])
@pytest.mark.parametrize("stdin", [b"a\0b\r\nc", b"a\r\n\xef\xbb\xbf", b"\xef\xbb\xbfx\n", b""])
def test_standard_input_is_copied_as_by_the_real_tool(
    tmp_path: Path, name: str, stdin: bytes
) -> None:
    assert_agreement(name, [], tmp_path, {}, stdin)
