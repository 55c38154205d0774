"""unexpand: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.comparison import assert_agreement

FILES = {
    "x": b"        a       b\n  \tc   d\n", "b": b"a\x08       b\n",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-a x", "-t4 x", "-t 2,5 x", "-t2,/4 x", "--first-only -t4 x", "-t1 x", "-t0 x",
        "-a b", "no x", "-", "", "-4 x", "-a4 x", "-4 -a x", "-2,5 x", "-4 -t4 x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("unexpand", words.split(), tmp_path, FILES, b"         a\n")


CONTENT = st.lists(
    st.sampled_from([b"   ", b"  ", b" ", b"\t", b"a", b"\n", b"\x08", b"\xc3\xa9"]), max_size=30
).map(b"".join)
WORDS = st.lists(
    st.sampled_from(["-a", "-t4", "-t2,5", "-t3,/4", "-t1", "--first-only"]), max_size=3
)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("unexpand")
    assert_agreement("unexpand", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)
