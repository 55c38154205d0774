"""cut: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts
from keysh.text.bounds import slices
from keysh.tools import cut
from keysh.tools.cut import MIN_GAP_CHARACTERS


class TestCut(TextCommandConformance):
    name = "cut"
    arguments = ("-d:", "-f1,2")


class TestCutOfBytes(TextCommandConformance):
    name = "cut"
    arguments = ("-c2-5,8",)


@pytest.mark.parametrize(
    "words",
    [
        "-c1 f", "-b2-3 u", "-c2- f", "-c-2 f", "-c1,3-4 f", "-d: -f2 g", "-d: -f1,3 g", "-f2 f",
        "-sd: -f1 g", "-d: -f2- --output-delimiter=-- g", "-c1,3 --output-delimiter=- f",
        "--complement -d: -f2 g", "--complement -c1 f", "-z -c1 z", "-f1 -d  g", "f", "-f0 f",
        "-f x f", "-f 3-1 f", "-f - f", "-c f", "-b1 -f1 f", "-d ab -f1 f", "-d: -c1 f",
        "-s -c1 f", "-f1 missing g", "-f1 d", "-n -b1 u", "-f1,,2 g", "-f 1-2-3 g",
        "-c99999999999999999999 f", "-c 1,3,5- f", "-b1,3-4,6 u", "--complement -c 2,4 f",
        "--complement -c 1- f", "--complement -f 1- g", "-c 1,3,5,7,9,11,13,15,17,19 f",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("cut", words.split(" ") if words else [], tmp_path, FILES, b"a:b")


CONTENT = texts()
WORDS = st.lists(
    st.sampled_from(["-d:", "-s", "--complement", "--output-delimiter=-", "-z"]), max_size=4
)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("cut", ["-f2,4-", *given_words, "x", "-"], folder, {"x": x, "y": y}, stdin)


ROWS = st.lists(
    st.lists(
        st.sampled_from([b"a", b"", b"\xc3\xa9", b"\xff", b"\r", b"x y"]), min_size=3, max_size=3
    ),
    max_size=6,
).map(lambda rows: b"".join([b":".join(row) + b"\n" for row in rows]))
TAIL = st.sampled_from([b"", b"a:b:c", b"a:b", b"a:b:c:d:e:f\n", b":::\n", b"\n", b"none"])
LISTS = st.sampled_from(["1,3-", "1-2,4-", "1,4-", "1,3,5-", "1,3", "2-", "1,20-"])


@settings(max_examples=80)
@given(rows=ROWS, tail=TAIL, fields=LISTS, words=WORDS)
def test_complement_of_inner_fields_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    rows: bytes,
    tail: bytes,
    fields: str,
    words: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    many = 4 * MIN_GAP_CHARACTERS // (len(rows + tail) + 1)  # of a text that is cut as a whole
    assert_agreement("cut", ["-d:", f"-f{fields}", *words], folder, {}, rows * many + tail)
    assert_agreement("cut", ["-d:", f"-f{fields}", *words], folder, {}, rows * many + tail * many)


@pytest.mark.parametrize("fields", ["1,3-", "1-2,4-", "1-3,6-", "1-5,7-"])
@pytest.mark.parametrize("mark", [":", "^", "]", "\\", ".", "-"])
def test_gap_in_large_tables_matches_gnu(tmp_path: Path, mark: str, fields: str) -> None:
    rows = [mark.join(f"{row}{at}" for at in range(8))
            for row in range(MIN_GAP_CHARACTERS // 8)]  # fmt: skip
    content = "\n".join(rows).encode()
    assert_agreement("cut", ["-d", mark, "-f", fields], tmp_path, {}, content + b"\n")
    assert_agreement("cut", ["-d", mark, "-f", fields], tmp_path, {}, content)
    assert_agreement(
        "cut", ["-d", mark, "-zf", fields], tmp_path, {}, content.replace(b"\n", b"\0")
    )


@pytest.mark.parametrize("content", [b"", b"a", b"\n", b"a\n", b"a\nb", b"a\nb\nc\n", b"a\n\n\nd"])
@pytest.mark.parametrize("words", ["-f1", "-f2", "-f2-", "-sf1", "-f1,3 --output-delimiter=::"])
def test_newline_as_delimiter_makes_lines_fields(
    tmp_path: Path, content: bytes, words: str
) -> None:
    assert_agreement("cut", ["-d\n", *words.split(), "x", "-"], tmp_path, {"x": content}, b"p\nq\n")


@pytest.mark.parametrize("fields", ["1-300", "2-299", "1,300", "299-", "300-", "1-5000"])
@pytest.mark.parametrize("count", [1, 299, 300, 301, 900])
def test_long_lines_are_split_in_parts(
    monkeypatch: pytest.MonkeyPatch, fields: str, count: int
) -> None:
    line = ",".join(map(str, range(count))).encode()
    words = ("-d,", "--output-delimiter=;", f"-f{fields}")
    expected = run_keysh("cut", *words, stdin=line)
    for module in (cut, slices):
        monkeypatch.setattr(module, "MAX_SLICE_CHARACTERS", 10)
    assert run_keysh("cut", *words, stdin=line) == expected
