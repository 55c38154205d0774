"""sort: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts
from keysh.tools.sort import pieces
from keysh.tools.sort.pieces import PieceSorter, group_by_key
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS


class TestSort(TextCommandConformance):
    name = "sort"

    def test_missing_file_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        """Nothing is printed unless all lines are known."""
        answer = self.agrees(folder, disk, ["a", "missing", "other", "b"])
        assert answer == (2, b"", "sort: cannot read: missing: No such file or directory\n")

    def test_directory_is_reported_and_the_others_are_read(
        self, folder: Path, disk: LocalFS
    ) -> None:
        answer = self.agrees(folder, disk, ["a", "dir", "b"])
        assert answer == (2, b"", "sort: read failed: dir: Is a directory\n")


@pytest.mark.parametrize(
    "words",
    [
        "f", "-r f", "-n n", "-h n", "-g n", "-V v", "-M m", "-u f f", "-k2 k", "-k2,2 k",
        "-k2,2n -k1,1r k", "-k2n -s k", "-k1.2 k", "-t: -k2 g", "-t: -k2,2 -r g", "-c f", "-C f",
        "-c k", "-cu n", "-m k k", "-o f k", "-o out k f", "-o out d",
        "-c missing", "-C missing", "-S x f", "-S 1x f", "-S 1M f",
        "-o out nox", "-o d f", "-o nox/y f", "-z z", "-f f u", "-d f", "-i u",
        "-b f", "--sort=version v", "missing f", "d", "-k0 f", "-k1.0 f", "-kx f", "-k1,x f",
        "-k1x f", "-t ab f", "-t \\t f", "-t  f", "-ng f", "-cC f", "-c f g", "-c -o x f",
        "-o a -o b f",
        "--files0-from=f g", "--files0-from=no", "--batch-size=1 f", "--batch-size=x f",
        "d missing f",
        "--parallel=0 f", "--parallel=x f", "--batch-size=9 --compress-program=no k",
        "--parallel=2 -S 10M f", "-k 99999999999 k", "-k2,1 k", "-", "",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("sort", words.split(" ") if words else [], tmp_path, FILES, b"in\nput\n")


CONTENT = texts(b"-", b"0", b"K", b"jan", b".")
WORDS = st.lists(
    st.sampled_from(
        [
            "-n",
            "-r",
            "-u",
            "-f",
            "-b",
            "-V",
            "-k2",
            "-k1,1n",
            "-k2,2r",
            "-s",
            "-k2.2,3",
            "-t:",
            "-c",
            "-M",
            "-h",
            "x",
            "y",
            "-",
        ]
    ),
    max_size=4,
)


@settings(max_examples=120)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("sort")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("sort", given_words, folder, {"x": x, "y": y}, stdin)


def test_random_order_keeps_equal_lines_together() -> None:
    lines = run_keysh("sort", "-R", stdin=b"a\nb\nc\na\nb\nc\n").out.split()
    assert sorted(lines) == [b"a", b"a", b"b", b"b", b"c", b"c"]
    assert lines[::2] == lines[1::2]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (
        ("ITEMS_PER_TICK", 3),
        ("PIECE_ITEMS", 4),
        ("MIN_PIECE_ITEMS", 2),
        ("SAMPLES_PER_PIECE", 2),
    ):
        monkeypatch.setattr(pieces, name, size)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("kinds", [1, 2, 10, 1000])
def test_sorted_runs_are_merged(kinds: int, is_reversed: bool) -> None:
    chance = Random(kinds)
    for size in range(80):
        items = [(chance.randrange(kinds), number) for number in range(size)]
        wanted = sorted(items, key=itemgetter(0), reverse=is_reversed)
        assert sorting(itemgetter(0)).run(list(items), is_reversed) == wanted
        rows = group_by_key(items, map(itemgetter(0), items), lambda: None)
        spreading = sorted(rows, reverse=is_reversed)
        assert [item for value in spreading for item in rows[value]] == wanted
        values = [value for value, _ in items]
        assert sorting().run(list(values), is_reversed) == sorted(values, reverse=is_reversed)
        alone = pieces.drop_repeats(sorting().run(list(values), is_reversed), lambda: None)
        assert alone == sorted(set(values), reverse=is_reversed)
        in_order = sorted(values)
        assert sorting().run(list(in_order), is_reversed) == in_order[:: -1 if is_reversed else 1]


def sorting(value: Callable[[Any], Any] | None = None) -> PieceSorter:
    return PieceSorter(value, lambda: None)


def test_runs_are_smaller_when_sorting_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    now = count()
    monkeypatch.setattr(pieces, "monotonic", lambda: next(now))
    items = [number * 7919 % 50_021 for number in range(50_021)]
    result = list(sorting().sorted_pieces(items))
    assert [len(one) for one in result[:6]] == [16_384, 8192, 4096, 2048, 1024, 1024]
    assert sorting().run(items, False) == list(range(50_021))


@pytest.mark.usefixtures("small_pieces")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from(
        ["", "a b", "B a", "b  c 2", "1.5", "-2", "10", "2K", "1M", "a9.tar", "a10", "feb", "~",
         "0x1f", "é", "a0", "a .h", "a 0"]
    ), max_size=30),
    words=st.lists(st.sampled_from(
        ["-n", "-g", "-h", "-V", "-M", "-f", "-d", "-r", "-u", "-s", "-k2", "-k1,1nr", "-k2,2f"]
    ), max_size=2),
)  # fmt: skip
def test_sorting_in_runs_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("sort")
    assert_agreement("sort", words, folder, {}, "".join(f"{line}\n" for line in lines).encode())


CELLS = ["", "a", "B", "10", "9", "-1", "0", "007", "1.5", ".h", "2K", "feb", "a0", "é"]
KEYS = ["-k1,1", "-k2,2", "-k3,3", "-k2", "-k1b,1", "-k2,3", "-k1,1n", "-k2n", "-k2,2nr", "-k2,2V",
        "-k3,3g", "-k1,1h", "-k2,2M", "-k2b,2V", "-k2,2df", "-k1.2,1", "-k4,4r"]  # fmt: skip


@settings(max_examples=150)
@given(
    rows=st.integers(1, 4).flatmap(
        lambda count: st.lists(
            st.lists(st.sampled_from(CELLS), min_size=count, max_size=count), max_size=12
        )
    ),
    odd=st.sampled_from(["", "", "", "a", "a b c d e", " a b", "a  b", "a b ", "a\tb", ":"]),
    separator=st.sampled_from([" ", " ", ":", "-"]),
    words=st.lists(st.sampled_from(KEYS), min_size=1, max_size=3),
    last=st.sampled_from([[], ["-u"], ["-s"], ["-r"], ["-n"], ["-z"]]),
)
def test_rows_with_equal_field_counts_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[str]],
    odd: str,
    separator: str,
    words: list[str],
    last: list[str],
) -> None:
    """Rows are cut into columns at once; now and then a line is not such a row."""
    lines = [*(separator.join(row) for row in rows), *([odd] if odd else [])]
    text = "".join(f"{line}\n" for line in lines)
    given_words = [*words, *last, *([] if separator == " " else ["-t", separator])]
    assert_agreement("sort", given_words, tmp_path_factory.mktemp("sort"), {}, text.encode())


@settings(max_examples=80)
@given(
    kinds=st.lists(
        st.lists(st.sampled_from(CELLS), min_size=2, max_size=2), min_size=1, max_size=4
    ),
    turns=st.lists(st.integers(0, 3), min_size=20, max_size=60),
    words=st.lists(st.sampled_from(KEYS), max_size=2),
    last=st.sampled_from([[], ["-u"], ["-s"], ["-r"], ["-n"], ["-ru"], ["-V"], ["-z"]]),
)
def test_few_distinct_lines_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    kinds: list[list[str]],
    turns: list[int],
    words: list[str],
    last: list[str],
) -> None:
    """Frequent lines and keys are counted and repeated, not compared."""
    text = "".join(f"{' '.join(kinds[turn % len(kinds)])}\n" for turn in turns)
    assert_agreement("sort", [*words, *last], tmp_path_factory.mktemp("sort"), {}, text.encode())


NUMBERS = st.lists(
    st.sampled_from(
        ["0", "-0", "7", "07", "-7", "12", "1000000000000000000000", "-3", "3.0", "12 "]
    )
    | st.integers(-(10**18), 10**18).map(str),
    max_size=12,
)


@settings(max_examples=80)
@given(
    lines=NUMBERS,
    words=st.lists(st.sampled_from(["-r", "-u", "-s", "-z", "-k1,1", "-k1nr"]), max_size=3),
)
def test_numeric_sorting_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("sort")
    text = "\n".join(lines).encode()
    assert_agreement("sort", ["-n", *words], folder, {}, text)


WORDS_OF_R = ["", "-u", "-k2", "-r", "-f", "-s", "-k1,1R -k2n"]


@settings(max_examples=30)
@given(chance=st.binary(min_size=14, max_size=20), text=CONTENT, word=st.sampled_from(WORDS_OF_R))
def test_random_source_matches_gnu(
    tmp_path_factory: pytest.TempPathFactory, chance: bytes, text: bytes, word: str
) -> None:
    folder = tmp_path_factory.mktemp("sort")
    assert_agreement(
        "sort", ["-R", "--random-source=r", *word.split()], folder, {"r": chance}, text
    )


@pytest.mark.parametrize("sources", [["no"], ["d"], ["x", "x"], ["x", "y"], ["y"]])
def test_random_source_errors_match_gnu(tmp_path: Path, sources: list[str]) -> None:
    files = {"x": b"0123456789abcdef", "y": b"short"}
    words = [f"--random-source={source}" for source in sources]
    assert_agreement("sort", ["-R", *words], tmp_path, files, b"a\nb\n")


TABLE = st.lists(
    st.lists(
        st.sampled_from(["1", "10", "-3", "", "a", "1.5", " 7", "9" * 25, "-"]),
        min_size=1,
        max_size=3,
    ),
    max_size=8,
)


@settings(max_examples=80)
@given(
    rows=TABLE,
    separator=st.sampled_from([":", ".", "-", "1", " "]),
    keys=st.lists(
        st.sampled_from(["2n", "2,2", "2,2n", "1,1", "3nr", "2,2b", "2bn", "2h"]),
        min_size=1,
        max_size=2,
    ),
    words=st.lists(st.sampled_from(["-s", "-u", "-z", "-b"]), max_size=1),
)
def test_single_field_keys_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[list[str]],
    separator: str,
    keys: list[str],
    words: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("sort")
    text = "\n".join(separator.join(row) for row in rows).encode()
    options = ["-t", separator, *[f"-k{key}" for key in keys], *words]
    assert_agreement("sort", options, folder, {}, text)


def test_full_disk_is_reported() -> None:
    answer = run_keysh("sort", "-o", "new", "f", fs=MemoryFS({"/f": "b\na\n" * 50}, max_bytes=250))
    says = "sort: fflush failed: new: No space left on device\nsort: write error\n"
    assert (answer.status, answer.out, answer.err) == (2, b"", says)
