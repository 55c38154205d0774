"""cksum: calls against the real tool, from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.agreeing import agree

FILES = {
    "x": b"some text\n" * 300, "e": b"", "list": b"d41d8cd98f00b204e9800998ecf8427e  e\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "x e no", "-", "", "-a bsd x", "-a sysv x e", "-a crc x", "-a md5 x", "-a sha256 x -",
        "-a sha1 --untagged x", "--tag -a md5 x", "-a blake2b x", "-z -a md5 x", "-a md5 -c x",
        "-a md5 -c list", "--untagged x", "-a md5 --untagged", "-a crc -c x",
    ],
)  # fmt: skip
def test_a_call_does_what_gnu_does(tmp_path: Path, words: str) -> None:
    agree("cksum", words.split(), tmp_path, FILES, b"in")
