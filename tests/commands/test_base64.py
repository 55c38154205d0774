"""base64: calls and random bytes against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_gnu, run_keysh
from commands.comparison import assert_agreement

FILES = {
    "a": bytes(range(256)) * 3, "empty": b"", "short": b"ab", "big": b"\xff\x00some bytes" * 30_000,
    "letters": b"aGVs\nbG8=\n", "two": b"aGVsbG8=aGVs", "cut": b"aGVsbA", "bad": b"aGVs$bG8=",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    ["a", "empty", "short", "big", "-w 10 a", "-w0 a", "-w1 short", "--wrap=3 a", "-d letters",
     "--decode two", "-d cut", "-d bad", "-di bad", "-d empty", "-di cut", "missing", "d", "-d d",
     "a short", "-w x a", "-w -1 a", "-z", "-", ""],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("base64", words.split(), tmp_path, FILES, b"from a pipe")


LETTERED = st.lists(st.sampled_from([b"aGVs", b"=", b"==", b"b", b"+/", b"\n", b"$", b"bG8="]))


@settings(max_examples=80, derandomize=True)
@given(LETTERED.map(b"".join), st.sampled_from(["-d", "-di"]))
def test_random_input_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, option: str
) -> None:
    folder = tmp_path_factory.mktemp("base64")
    assert run_keysh("base64", option, stdin=text) == run_gnu(
        "base64", option, cwd=folder, stdin=text
    )


@settings(max_examples=100, derandomize=True)
@given(st.binary(max_size=300), st.integers(0, 80))
def test_output_round_trips(data: bytes, width: int) -> None:
    letters = run_keysh("base64", "-w", str(width), stdin=data)
    assert run_keysh("base64", "--decode", stdin=letters.out).out == data


def test_line_width_may_be_huge(tmp_path: Path) -> None:
    for wrap in ("00000000000000000000005", "9" * 30, "9" * 5000):
        answer = run_keysh("base64", f"-w{wrap}", stdin=b"some text")
        assert answer == run_gnu("base64", f"-w{wrap}", cwd=tmp_path, stdin=b"some text")
