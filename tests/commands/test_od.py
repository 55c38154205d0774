"""od: calls and random bytes against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_gnu, run_keysh
from commands.comparison import assert_agreement

FILES = {
    "a": bytes(range(256)), "empty": b"", "text": b"hello\n\tworld\0\x07\xc3\xa9", "odd": b"abcde",
    "same": b"\0" * 100 + b"x" + b"\0" * 64, "floats": b"\0\0\x80?\xdb\x0fI@\0\0\0\0\0\0\xf0?",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["a", "empty", "text", "odd", "same", "-v same", "-c text", "-a a", "-b odd", "-x odd", "-d a",
     "-s a", "-i a", "-l a", "-o text", "-f floats", "-A d a", "-Ax a", "-An a", "-A n -t x1 text",
     "-An -tx1 text", "-An -c text", "-t x1z a", "-t x1 -t c text", "-tx1c text", "-t x2z text",
     "-t d1 a", "-t u1 a", "-t o1 a", "-t x4 odd", "-t x8 a", "-t d8 text", "-t u8 a", "-t o4 a",
     "-t fF floats", "-t fD floats", "-t f floats", "-t x a", "-t dS a", "-t xC a", "-xc text",
     "-c -x -b text", "-j 3 text", "--endian=x a", "--endian=b a", "-N x a", "-w x a", "-j x a",
     "-N 5 text", "-j2 -N4 -c text", "-N 0 text", "-w8 a", "-w a",
     "--width=4 -t x1 a", "-w3 -t x2 a", "-j 100 text", "-j 1b a", "odd text", "missing odd",
     "missing none", "d", "-", "-t q a", "-t x3 a", "-A q a", "--endian=big -x text", "-t x1 empty",
     "-An empty", "-t x1 same", "-N 40 same", "-t x1 -A x -v same", "-z",
     "-S 3 text", "--strings text", "--strings=2 -S 4 text", "-S 4 --strings text", "-S x text",
     "--strings=x text", "-S -3 text", "-S 1 -a text", "-S 1 -t x1 text", "-S 3 -An text",
     "-S 2 -A x -j 2 text", "-S 1K text", "-S 3 -N 0 text", "-S 0 -N 0 text", "-S 2 -j 999 text",
     "-j 0x10 a", "-j 010 -N 0x10 a", "-N 1x a", "-j 0x a", "-j 1KB text", "-w0 a", "-w0 -tx4 a",
     "-e a", "-h a", "-I a", "-L a", "-B a", "-O a", "-D a", "-H a", "-X a", "-F a", "-t fL a",
     "-t f16 -t x1 floats", "--endian=big -t fL a", "-t fC a", "-t f2 a", "text +4", "text 4",
     "text +0x4", "text 4b", "text +4.", "+4", "4", "text +4 +2", "-c text 2", "-v text +4",
     "-w4 text 4", "--endian=big text 4", "-- text 4", "text odd 4", "-t x1 text 4", "text 8",
     "--traditional text", "--traditional text 4", "--traditional text 4 20", "--traditional 4 5",
     "--traditional 0x1 0x2b", "--traditional -A n text 4 2", "--traditional -tx1 -tc text 4 20",
     "--traditional -A x text 4 2", "--traditional text odd", "--traditional text 4 odd",
     "--traditional text 4 5 6", "--traditional", "--trad a 0x4"],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("od", words.split(), tmp_path, FILES, b"from a pipe")


TYPES = st.lists(
    st.sampled_from(["a", "c", "x1", "x2", "d4", "u8", "o2", "o1z", "fF", "f8", "fL"]),
    min_size=1, max_size=3,
)  # fmt: skip


@settings(max_examples=60, derandomize=True)
@given(st.binary(max_size=70), TYPES, st.sampled_from(["-w8", "-w16", "-v", "-Ad", "-An"]))
def test_random_bytes_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, types: list[str], option: str
) -> None:
    words = [option, *(f"-t{kind}" for kind in types)]
    folder = tmp_path_factory.mktemp("od")
    assert run_keysh("od", *words, stdin=data) == run_gnu("od", *words, cwd=folder, stdin=data)


PIECES = [b"a", b"bc", b"\0", b"\n", b"\x07", b"\xff", b" ~", b"\0\0"]


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(PIECES), max_size=14).map(b"".join), st.integers(0, 4),
    st.integers(0, 4), st.none() | st.integers(0, 12), st.booleans(),
)  # fmt: skip
def test_strings_match_od(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, least: int, skip: int, most: int | None,
    is_split: bool,
) -> None:  # fmt: skip
    folder = tmp_path_factory.mktemp("od")
    files = {"a": data[:5], "b": data[5:]} if is_split else {"a": data}
    words = ["-S", str(least), "-j", str(skip), *([] if most is None else ["-N", str(most)])]
    assert_agreement("od", [*words, *files], folder, files)
