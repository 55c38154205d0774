"""env: tables against GNU's, and what it hands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from commands.conformance import plain
from commands.running import Answer, gnu, on_disk, ours
from keysh.schema.arguments import NamedArgument


class Runs:
    """Runs `env`, the only command there is, and remembers what was asked of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.words: list[object] = []
        self.env: dict[str, str] = {}
        self.cwd: str | None = None

    def __call__(
        self,
        words: Sequence[object],
        /,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
    ) -> int:
        self.words, self.env, self.cwd = [*words], dict(env or {}), cwd
        return 7


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("env")
    (folder / "d").mkdir()
    (folder / "f").touch()
    (folder / "l").symlink_to("d")
    return folder


def agree(words: Sequence[str], folder: Path) -> None:
    """Both start from an empty environment, so that they print the same."""
    theirs = plain(gnu("env", "-i", *words, cwd=folder))
    assert ours("env", "-i", *words, fs=on_disk(folder), run=Runs(folder)) == theirs, words


@pytest.mark.parametrize(
    "words",
    ["A=1", "A=1 B=2 A=3", "-u A A=1", "-u", "-q", "--foo", "-C", "-C d", "-0 A=1 B=", "-0 A=1 ls",
     "-u A=b", "- A=1", "-- A=1", "-C nope ls", "-C f ls", "=x", "A==", "--null A=1",
     "--unset=B A=1", "--uns B A=1", "-uB A=1", "-i0 A=1", "A=é", "--chdir=nope ls"],
)  # fmt: skip
def test_table(words: str, folder: Path) -> None:
    agree(words.split(" "), folder)


@pytest.mark.parametrize("name", ["=", "A=b", ""])
def test_name_that_cannot_be_unset(name: str, folder: Path) -> None:
    words = ["-u", name, "A=1"]
    assert ours("env", *words, fs=on_disk(folder)) == plain(gnu("env", *words, cwd=folder))


WORD = st.sampled_from(
    ["-i", "-0", "-u", "A", "B", "A=1", "B=2", "A=", "=x", "-uA", "--null", "-C", "d", "f",
     "--unset=A", "-", "--", "C=a=b"]
)  # fmt: skip


@given(words=st.lists(WORD, max_size=5))
@settings(derandomize=True, max_examples=150, phases=[Phase.generate])
def test_agrees_with_gnu(words: list[str], folder: Path) -> None:
    runs = Runs(folder)
    answer = ours("env", "-i", *words, fs=on_disk(folder), run=runs)
    if not runs.words:
        assert answer == plain(gnu("env", "-i", *words, cwd=folder)), words


def test_command_gets_its_words_as_they_are(folder: Path) -> None:
    runs, named = Runs(folder), NamedArgument("k", [1], "k=[1]")
    given = (NamedArgument("A", 1, "A=1"), "c", named, "-u", [1])
    start = {"B": "2", "C": "3"}
    answer = ours("env", "-u", "B", "-C", "l", *given, fs=on_disk(folder), env=start, run=runs)
    assert answer == Answer(7, b"", "")
    assert runs.words == ["c", named, "-u", [1]]
    assert (runs.env, runs.cwd) == ({"C": "3", "A": "1"}, "/d")
    ours("env", "c", fs=on_disk(folder), env=start, run=runs)
    assert (runs.env, runs.cwd) == (start, None)
