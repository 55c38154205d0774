"""expand: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

FILES = {
    "x": b"a\tb\n\t c\td\n", "b": b"a\x08\tb\r\tc\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-i x", "-t4 x", "-4 x", "-t 2,5 x", "-t2,/4 x", "-t2,+3 x", "-t1 x", "-t0 x",
        "-tx x", "-t5,3 x", "-t3x x", "-t3/ x", "b", "-i b", "no x", "-", "",
        "-4,8 x", "-i4 x", "-i4,8 x", "-4i x", "-t/3,5 x", "-t+3,5 x", "-t2,/3,5 x", "-t/3,+3 x",
        "-t/ x", "-t+ x", "-t3,/ x", "-t3,/,5 x", "-t/3 -t/3 x", "-t/3 -t5 x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("expand", words.split(), tmp_path, FILES, b"\ta\n")


CONTENT = st.lists(
    st.sampled_from([b"\t", b"\t", b"a", b" ", b"\n", b"\x08", b"\r", b"\xc3\xa9"]), max_size=25
).map(b"".join)
WORDS = st.lists(st.sampled_from(["-i", "-t4", "-t2,5", "-t3,/4", "-t3,+2"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("expand")
    assert_agreement("expand", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)
