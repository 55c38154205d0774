"""split: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_keysh
from commands.comparison import assert_agreement
from keysh.vfs.memory.filesystem import MemoryFS

FILES = {
    "x": b"a\nbb\nccc\n\n\xc3\xa9\nlast", "z": b"a\0b\0",
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "-l2 x", "-2 x", "-b 4 x", "-C5 x", "-n3 x", "-nl/3 x", "-n r/4 x", "-n2/3 x", "-nl/1/2 x",
        "-n r/2/3 x", "-l1 -a1 x", "-dl1 x", "-xl1 x q", "--numeric-suffixes=8 -l1 x", "-n9 -e x",
        "-n 9 x", "-t a -l1 x", "-t \\0 -l1 z", "--additional-suffix=.x -l3 x",
        "--verbose -l3 x v", "-l0 x", "-bx x", "-n0 x", "-n 4/3 x", "-l1 -b1 x", "-t ab x",
        "--additional-suffix=a/b x", "-a x x", "no", "x y z", "-", "-a1 -n30 x",
        "--numeric-suffixes=x x", "d", "-u -l1 x", "-n 2/3 --filter=cat x",
        "-n 99999999999999999999 x", "-l 99999999999999999999 x", "-d2 x", "-2d x", "-xl2d x",
        "-n 1K x", "-n l/1K x", "-n 2/1K x", "-n 1k/3 x", "-l 1K x", "-b 1K x", "-a 1K x",
        "-n -3 x", "-l -3 x", "-b -3 x", "-n 1/2/3 x", "-n +3 x", "-d -a2 -n 101 x",
        "-a2 -n 1000 x", "-d -n 101 x", "-n / x", "-n l/ x", "-l 2 d", "-b 2 d", "-n l x", "-n 3 d",
        "--numeric-suffixes=99 -a1 -l1 x", "--hex-suffixes=10 -a1 -l1 x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("split", words.split(), tmp_path, FILES, b"in\nput\n")


def test_directory_is_not_split(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    with on_disk(tmp_path) as fs:
        assert (
            run_keysh("split", "-n", "3", "d", fs=fs).err
            == "split: d: cannot determine file size: Is a directory\n"
        )
    assert [path.name for path in tmp_path.iterdir()] == ["d"]


CONTENT = st.lists(
    st.sampled_from([b"a", b"bb", b"\n", b"ccc\n", b"\xc3\xa9", b"\0"]), max_size=30
).map(b"".join)
WORDS = st.lists(st.sampled_from(["-l3", "-d", "-x", "-e", "-a3", "-t" + "a"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("split")
    assert_agreement("split", [*words, "x"], folder, {"x": x, "y": y}, stdin)


def test_full_disk_error_has_the_given_name() -> None:
    fs = MemoryFS({"/d/a": b"x" * 1000}, max_bytes=1500)
    answer = run_keysh("split", "-b600", "a", "p", fs=fs, cwd="/d")
    assert answer == Answer(1, b"", "split: paa: No space left on device\n")
