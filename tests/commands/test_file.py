"""file: its options against the real tool, over files whose kinds need no magic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands.running import gnu, on_disk, ours
from commands.same_effects import fill


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = fill(tmp_path_factory.mktemp("file") / "t")
    (root / "d").chmod(0o1777)
    (root / "e").chmod(0o2755)
    (root / "all").write_bytes(b"")
    (root / "all").chmod(0o7755)
    (root / "text").write_text("some words\n" * 9)
    (root / "names").write_text("text\nempty\n\nnowhere\nd/sub")
    return root


@pytest.mark.parametrize(
    "words",
    [
        "text d e empty all", "-b text d e all", "-N text d e", "-F = text d", "-F :: -N text d",
        "-F  text d", "-0 text d", "-00 text d", "-b -0 text", "-0b text", "-i all d text",
        "-f names", "-N -f names", "-b -f names", "-f names d text", "-f nope d", "-f - d",
        "-i -N text d nope", "--mime-type -f names", "nope nowhere to_d to_a", "-L to_d nowhere",
    ],
)  # fmt: skip
def test_a_call_does_what_the_real_tool_does(folder: Path, words: str) -> None:
    with on_disk(folder) as fs:
        answer = ours("file", *words.split(" "), fs=fs, stdin=b"text\nd\n")
    assert answer == gnu("file", *words.split(" "), cwd=folder, stdin=b"text\nd\n")


def test_rows_have_the_names_of_a_list_too(folder: Path) -> None:
    with on_disk(folder) as fs:
        rows = ours("file", "--json", "-f", "names", "text", fs=fs).out.splitlines()
    names = [json.loads(row)["name"] for row in rows]
    assert names == ["text", "empty", "", "nowhere", "d/sub", "text"]


def test_no_file_at_all_is_refused() -> None:
    answer = ours("file")
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.startswith("file: missing operand\n")
