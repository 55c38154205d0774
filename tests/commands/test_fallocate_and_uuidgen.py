"""fallocate and uuidgen, against util-linux's where the answer is not random."""

from __future__ import annotations

from pathlib import Path

import pytest

import keysh
from commands.comparison import assert_agreement

FILES = {"f": b"some bytes"}


@pytest.mark.parametrize(
    "words",
    ["-l 20 f", "-l 5 f", "-o 8 -l 5 f", "-n -l 20 f", "-n -l 20 new", "-l 1K new", "-l 1KB new",
     "-l 1KiB f", "-l 0 f", "-l x f", "-l -5 f", "-o -4 -l 3 f", "-l 3 f f", "-l 3", "f", "",
     "-l 3 d/none/x", "-x -l 20 f", "-l 3 d"],
)  # fmt: skip
def test_fallocate_matches_util_linux(tmp_path: Path, words: str) -> None:
    assert_agreement("fallocate", words.split(), tmp_path, FILES)


@pytest.mark.parametrize(
    "words",
    ["-s -n @dns -N a", "-m -n @url -N é", "-s -n @oid -N 1.2", "-m -n @x500 -N x",
     "-s -n 2ed6657d-e927-568b-95e1-2665a8aea6a2 -N a", "-s -x -n @dns -N 00ff", "-s -N a",
     "-n @dns -N a", "-s -n @dns", "-s", "-N a", "-n @dns", "-s -n x -N a", "-z"],
)  # fmt: skip
def test_uuidgen_of_names_matches_util_linux(tmp_path: Path, words: str) -> None:
    assert_agreement("uuidgen", words.split(), tmp_path, FILES)


def test_uuids_come_from_the_shells_random_numbers_and_time() -> None:
    script = "uuidgen; uuidgen -t; uuidgen"
    texts = [keysh.Shell(random=4, clock=1.5e9).run(script).stdout for _ in range(2)]
    assert texts[0] == texts[1]
    first, timed, last = texts[0].split()
    assert first != last
    assert (first[14], last[14], timed[14]) == ("4", "4", "1")
