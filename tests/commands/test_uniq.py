"""uniq: tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement

FILES = {
    "x": b"a\na\nb\nA\nc c\nd c\n\n\n", "e": b"", "z": b"a\x00a\x00b",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-c x", "-d x", "-u x", "-D x", "-i x", "-ic x", "-f1 x", "-1 x", "-s1 x", "-w1 x",
        "-w0 x", "-z z", "--group x", "--group=both x", "--group=append x", "--group=prepend x",
        "--all-repeated=separate x", "--all-repeated=prepend x", "-du x", "-cD x", "--group -c x",
        "x out", "x d", "missing", "d", "x y z", "x y z\t", "-f x", "-wx x", "",
        "--group=x x", "--group=b x", "--all-repeated=x x", "--all-repeated=p x",
        "--all-repeated= x", "missing x", "d x", "missing out", "- x",
        "+1 x", "-c +1 x", "x +2", "x +1 out", "+1 x out", "+x x", "+1 +2 x", "+1 x out y",
        "-f2 x", "-f9 x", "-f1 -s1 -w1 -i x", "-ciD x", "-iD x", "-ci x", "-iz z", "-f1 -z z",
        "-f 99999999999999999999 x", "-s 99999999999999999999 x", "--group -i x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("uniq", words.split(" ") if words else [], tmp_path, FILES, b"a\na\n")


CONTENT = st.lists(
    st.sampled_from([b"\n", b"\n", b"a", b"a\n", b"A", b" ", b"b", b"\x00"]), max_size=30
).map(b"".join)  # fmt: skip
WORDS = st.lists(st.sampled_from(["-c", "-d", "-u", "-i", "-f1", "-s1", "-w2", "-z"]), max_size=3)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("uniq")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("uniq", given_words, folder, {"x": x, "y": y}, stdin)


def test_rows_are_typed() -> None:
    rows = run_keysh("uniq", "--json", stdin="é\né\nb\n".encode()).out.decode()
    assert rows == '{"count":2,"line":"é"}\n{"count":1,"line":"b"}\n'
    assert run_keysh("uniq", "--json", "-d", stdin=b"a\na\nb\n").out == b'{"count":2,"line":"a"}\n'
    assert "--json cannot be combined" in run_keysh("uniq", "--json", "-D").err
