"""base32 and basenc: calls and random bytes against the real tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_gnu, run_keysh
from commands.comparison import assert_agreement

FILES = {
    "a": bytes(range(1, 256)) * 3, "empty": b"", "short": b"ab",
    "big": b"\xff\x00some bytes" * 30_000,
    "letters": b"NBSWY\n3DP", "two": b"MFRGG===MFRGG===", "cut": b"NBSWY3DPNB",
    "bad": b"NBSWY3DPNBSW$$$$", "odd": b"some bytes!",
}  # fmt: skip
ENCODINGS = [
    "base64", "base64url", "base32", "base32hex", "base16", "base2msbf", "base2lsbf", "z85",
]  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["a", "empty", "short", "big", "-w 10 a", "-w0 a", "-w1 short", "--wrap=3 a", "-d letters",
     "--decode two", "-d cut", "-d bad", "-di bad", "-d empty", "-di cut", "missing", "d", "-d d",
     "a short", "-w x a", "-w -1 a", "-z", "-", ""],
)  # fmt: skip
def test_base32_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("base32", words.split(), tmp_path, FILES, b"from a pipe")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "words", ["a", "empty", "short", "big", "odd", "-w 10 a", "-w0 a", "-d a", "-di a"]
)
def test_basenc_calls_match_gnu(tmp_path: Path, encoding: str, words: str) -> None:
    assert_agreement("basenc", [f"--{encoding}", *words.split()], tmp_path, FILES)


@pytest.mark.parametrize(
    "words", ["a", "", "--base64 --base32 a", "--base2msbf a short", "--base9 a", "--z85 missing"]
)
def test_choosing_an_encoding_matches_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("basenc", words.split(), tmp_path, FILES)


PIECES = [
    b"NBSWY3DP", b"NB", b"=", b"==", b"======", b"+/", b"-_", b"\n", b"$", b"0", b"01100001", b"4A",
    b"aGVs", b"WX", b"89", b"HelloWorld", b"#####", b" ", b"\xff",
]  # fmt: skip


@settings(max_examples=250, derandomize=True)
@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map(b"".join),
    st.sampled_from(ENCODINGS),
    st.sampled_from(["-d", "-di"]),
)
def test_random_input_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, encoding: str, option: str
) -> None:
    if encoding == "base32hex":  # GNU decodes W to Z, too, as base32 does
        text = text.translate(None, b"WXYZ")
    folder = tmp_path_factory.mktemp("basenc")
    words = (f"--{encoding}", option)
    assert run_keysh("basenc", *words, stdin=text) == run_gnu(
        "basenc", *words, cwd=folder, stdin=text
    )


@settings(max_examples=100, derandomize=True)
@given(st.binary(max_size=300), st.sampled_from(ENCODINGS[:-1]), st.integers(0, 80))
def test_output_round_trips(data: bytes, encoding: str, width: int) -> None:
    letters = run_keysh("basenc", f"--{encoding}", "-w", str(width), stdin=data)
    assert run_keysh("basenc", f"--{encoding}", "--decode", stdin=letters.out).out == data


def test_a_group_of_z85_may_be_too_large() -> None:
    answer = run_keysh("basenc", "--z85", "-d", stdin=b"HelloWorld#####")
    assert (answer.status, answer.out) == (1, b"\x86\x4f\xd2\x6f\xb5\x59\xf7\x5b")
