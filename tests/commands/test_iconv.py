"""iconv against the C library's."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from keysh.tools import iconv

FILES = {
    "text": "café €\n".encode(), "cut": b"caf\xc3", "bad": b"a\xffb", "empty": b"", "ascii": b"x\n",
    "latin": b"caf\xe9\n", "marked": "hé".encode("utf-16"), "big-endian": b"\xfe\xff\x00h\x20\xac",
    "pair": "か\u309aÊ\u0304か\u309a\n".encode(), "lone": b"h\x00i", "wide": "h€".encode("utf-32"),
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["text", "-t ascii text", "-c -t ascii text", "-t latin1 text", "-t iso-8859-15 text",
     "-t utf-16 text", "-t utf-16le text", "-t utf-16be text", "-t utf-32 text", "-t ucs-2 ascii",
     "-t ucs-4 ascii", "-t unicode ascii", "-t utf-16 empty", "-t utf-16 ascii ascii",
     "-f latin1 latin", "-f iso_8859-1 latin", "-f LATIN1 -t UTF8 latin", "-f ascii text",
     "-f utf8 cut", "-f utf8 -t latin1 bad", "-c bad", "-f utf-16 marked",
     "-f utf-16 -t ascii marked", "-f utf-16 big-endian", "-f utf-16 -t latin1 big-endian",
     "-f utf-16 lone", "-f utf-32 -t utf-8 wide", "-t ascii text ascii", "missing ascii", "d",
     "-t cp1252 -o out text", "-o d/none/x ascii", "-s -t ascii text", "-t koi8-r ascii",
     "-f utf-8 -t utf-8 - ", "-f cp437 latin", "-t euc-jp text", "-t shift_jis ascii", "-z"],
)  # fmt: skip
def test_calls_match_the_c_library(tmp_path: Path, words: str) -> None:
    assert_agreement("iconv", words.split(), tmp_path, FILES, "from a pïpe".encode())


def test_names_of_encodings_work() -> None:
    names = [name.removesuffix("//") for name in run_keysh("iconv", "-l").out.decode().split()]
    assert {"UTF-8", "UTF-16", "ASCII", "ISO8859-1", "CP1252"} <= set(names)
    for name in names:
        answer = run_keysh("iconv", "-f", name, "-t", "utf-8", stdin=b"")
        assert (answer.status, answer.err) == (0, "")


def test_python_encodings_that_are_no_character_sets_are_unknown() -> None:
    for name in ("base64", "rot13", "punycode", "unicode_escape", "utf-8-sig"):
        answer = run_keysh("iconv", "-t", name, stdin=b"x")
        assert answer.status == 1
        assert f"conversion to `{name}' is not supported" in answer.err


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize(
    "words",
    ["-t utf-16 text", "-t ascii text", "-c -t ascii text", "-t utf-7 text", "-t iso-2022-jp text",
     "-t utf-32 empty", "-t latin1 bad", "-c -t euc-jisx0213 pair", "-c -t shift_jisx0213 pair",
     "-c -t big5-hkscs pair"],
)  # fmt: skip
def test_long_texts_are_encoded_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, size: int
) -> None:
    monkeypatch.setattr(iconv, "MAX_ENCODED_CHARACTERS", size)
    assert_agreement("iconv", words.split(), tmp_path, FILES, b"")
