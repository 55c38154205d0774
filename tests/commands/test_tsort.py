"""tsort: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

FILES = {
    "x": b"a b\nb c\na d\n", "loop": b"a b b c c a d a\n", "odd": b"a b c", "two": b"x x y y a x",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "loop", "odd", "two", "-", "", "no", "x y",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement(
        "tsort", words.split(), tmp_path, FILES, b"3 8 3 10 5 11 7 8 7 11 8 9 11 2 11 9 11 10\n"
    )


CONTENT = st.lists(st.sampled_from([b"a ", b"b ", b"c\n", b"d\t", b"e ", b"f "]), max_size=20).map(
    b"".join
)
WORDS = st.lists(st.just("--"), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("tsort")
    assert_agreement("tsort", [*words, "-"], folder, {"x": x, "y": y}, stdin)
