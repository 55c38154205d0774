"""shuf: a table of calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.sample_texts import FILES


@pytest.mark.parametrize(
    "words",
    [
        "e", "-n0 f", "-n0 missing", "-e a", "-i 3-3", "-i 5-4", "-i 9-1", "-i x", "-e -i 1-2",
        "-i1-2 x", "f g", "missing", "d", "-n x f", "-e", "-r e",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("shuf", words.split(" ") if words else [], tmp_path, FILES, b"")


def test_output_is_a_permutation_of_the_lines() -> None:
    lines = [b"%d" % i for i in range(3000)]
    drawn = run_keysh("shuf", stdin=b"\n".join(lines)).out.split()
    assert sorted(drawn, key=int) == lines
    assert drawn != lines


def test_head_count_draws_without_repetition() -> None:
    drawn = run_keysh("shuf", "-i", "1-50", "-n", "20").out.split()
    assert len(set(drawn)) == 20
    assert {int(one) for one in drawn} <= set(range(1, 51))


def test_repeat_draws_with_repetition() -> None:
    drawn = run_keysh("shuf", "-r", "-n", "2000", "-e", "a", "b").out.split()
    assert len(drawn) == 2000
    assert set(drawn) == {b"a", b"b"}


def test_randomness_comes_from_the_host() -> None:
    assert run_keysh("shuf", "-i", "1-99") == run_keysh("shuf", "-i", "1-99")


LETTERS = st.lists(st.sampled_from([b"a\n", b"b", b"\n", b"\xc3\xa9\n", b"\xff", b"c\n\n"]))


@settings(max_examples=60)
@given(
    chance=st.binary(max_size=40),
    text=LETTERS.map(b"".join),
    words=st.sampled_from(
        [
            "-i 1-1", "-i 1-7", "-i 1-300 -n 3", "-i 5-4", "-i 0-99999999999 -n 2",
            "-r -n 5 -e a b c",
            "-n 2", "-n 1", "", "-n 2 f", "f", "-n 9 f", "-r -n 3 f", "-r -i 1-300 -n 40", "-e a",
            "-r -n 0 f", "-n 0 f", "-r -n 2 -e",
        ]
    ),
)  # fmt: skip
def test_random_source_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, chance: bytes, text: bytes, words: str
) -> None:
    folder = tmp_path_factory.mktemp("shuf")
    assert_agreement(
        "shuf", ["--random-source=r", *words.split()], folder, {"r": chance, "f": text}, text
    )


@pytest.mark.parametrize(
    "words",
    [
        "--random-source=no -e a b", "--random-source=no -n 0 -e a", "--random-source=no -n1",
        "--random-source=f --random-source=e -e a", "--random-source=f --random-source=f -e a",
    ],
)  # fmt: skip
def test_random_source_errors_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("shuf", words.split(), tmp_path, FILES, b"a\n")


def test_sampling_a_large_file_matches_gnu(tmp_path: Path) -> None:
    """Of more than 8 MB, GNU's does not hold all lines."""
    large = (b"x" * 999 + b"\n") * 8_400
    files = {"f": b"first\n" + large, "r": bytes(range(256)) * 80}
    assert_agreement("shuf", ["--random-source=r", "-n", "3", "f"], tmp_path, files, b"")


def test_permutation_size_is_limited() -> None:
    answer = run_keysh("shuf", "-i", "1-3000000000")
    assert answer == (
        1,
        b"",
        "shuf: more than 10000000 lines to shuffle\nfix: draw fewer with -n\n",
    )
    assert run_keysh("shuf", "-i", "1-3000000000", "-n2").out.count(b"\n") == 2
