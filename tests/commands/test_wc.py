"""wc: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import sample_texts
from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from keysh import MemoryFS, Shell
from keysh.text import chunks as lines

FILES = {**sample_texts.FILES, "names": b"f\x00g\x00\x00-\x00missing", "refused": b"f\x00\x00"}


class TestWc(TextCommandConformance):
    name = "wc"


@pytest.mark.parametrize(
    "words",
    [
        "f", "-l f", "-w f", "-c f", "-m u", "-L u", "-lw f g", "-lwmcL f u", "f missing g", "d",
        "d f", "-l d", "-", "f - g", "", "-c", "--files0-from=names", "--files0-from=missing",
        "--files0-from=f x", "--files0-from=refused", "-Z", "-l e", "--bytes --lines f",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("wc", words.split(" ") if words else [], tmp_path, FILES, b"in put\n")


CONTENT = sample_texts.texts(b"\xe3\x80\x80", b"\x01", b"\xe4\xb8\xad", b"\x0c")
WORDS = st.lists(st.sampled_from(["-l", "-w", "-c", "-m", "-L", "x", "y", "-"]), max_size=4)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("wc")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("wc", given_words, folder, {"x": x, "y": y}, stdin)


def test_rows_are_typed() -> None:
    answer = run_keysh("wc", "--json", "/f", "-", stdin=b"a b\n", files={"/f": "x\ny\n"})
    assert answer.out.decode().splitlines() == [
        '{"name":"/f","lines":2,"words":2,"bytes":4}',
        '{"name":"-","lines":1,"words":2,"bytes":4}',
    ]


@settings(max_examples=60)
@given(content=CONTENT, size=st.integers(1, 4))
def test_byte_chunks_may_end_within_characters(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, size: int
) -> None:
    folder = tmp_path_factory.mktemp("wc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "FIRST_CHUNK_BYTES", size)
        patch.setattr(lines, "MAX_CHUNK_BYTES", size)
        assert_agreement("wc", ["-lwmcL", "x"], folder, {"x": content})


def test_columns_are_wide_with_a_file_list() -> None:
    shell = Shell(fs={"/": MemoryFS({"a": "x y z\n" * 4, "b": "x\n", "list": "a\0b\0"})})
    from_a_file = shell.run("wc --files0-from=list").stdout
    assert from_a_file == " 4 12 24 a\n 1  1  2 b\n 5 13 26 total\n"
    from_a_pipe = shell.run("wc --files0-from=<(cat list)").stdout
    assert from_a_pipe == "4 12 24 a\n1 1 2 b\n5 13 26 total\n"
