"""env: tables against GNU's, and the environment that it passes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from keysh import LocalFS, Shell
from keysh.schema.arguments import NamedArgument


class Runs:
    """A shell whose only command is `env`; it records the calls."""

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
    """Both start with an empty environment, so that they print the same."""
    expected = run_gnu("env", "-i", *words, cwd=folder)
    assert run_keysh("env", "-i", *words, fs=on_disk(folder), run=Runs(folder)) == expected, words


@pytest.mark.parametrize(
    "words",
    ["A=1", "A=1 B=2 A=3", "-u A A=1", "-u", "-q", "--foo", "-C", "-C d", "-0 A=1 B=", "-0 A=1 ls",
     "-u A=b", "- A=1", "-- A=1", "-C nope ls", "-C f ls", "=x", "A==", "--null A=1",
     "--unset=B A=1", "--uns B A=1", "-uB A=1", "-i0 A=1", "A=é", "--chdir=nope ls",
     "--default-signal=PIPE A=1", "--default-signal A=1", "-v A=1 B=2", "--debug -u A A=1"],
)  # fmt: skip
def test_table(words: str, folder: Path) -> None:
    agree(words.split(" "), folder)


@pytest.mark.parametrize(
    "text",
    ['A=1 B="x y"', "A=${HOME} B=${B}", r"A=a\tb\nc\#d", "A=${HOME", 'A="x', "A='x", "A=$HOME",
     r"A=\q", "A=x\\", r"A=1 \c B=2", r'A="\c"', "A=1 # B=2", "A=1#2 B=x", r"""A='a\'b\\c"d'""",
     r'A="a\_b\$x"', "", "A=${1x}", "A=${_a1}b${B}c", '"A=1 2"   B=3\tC=4', "A=''", r'A=\$\"x\\',
     r"A='$HOME\n'", "-u A -i A=2", "- A=1", " # x", r"A=1\_B=2", "-0 A=1", "-x", "A=${NONE}",
     "-S 'A=1 B=2'", "-0 -S 'A=1 C=2'", "-S", "--unset", "-C d A=1", "A=1 ${NONE} B=2"],
)  # fmt: skip
@pytest.mark.parametrize("option", ["-S", "--split-string="])
def test_split_string_words(option: str, text: str, folder: Path) -> None:
    words = ["-i", f"{option}{text}", *([] if text.endswith("S") else ["Z=9"])]
    set_ones = {"HOME": "/h", "B": "1 2", "_a1": "u"}
    expected = run_gnu("env", *words, cwd=folder, **set_ones)
    fs = on_disk(folder)
    assert run_keysh("env", *words, fs=fs, env=set_ones, run=Runs(folder)) == expected


def test_split_string_names_the_command(folder: Path) -> None:
    runs = Runs(folder)
    run_keysh("env", "-S", "-u B A='1 2' echo -x ${B}", "-y", run=runs, env={"B": "b c"})
    assert (runs.words, runs.env) == (["echo", "-x", "b c", "-y"], {"A": "1 2"})
    run_keysh("env", "-vS", "-u B A='1 2' echo -x ${B}", "y", "-z", run=runs, env={"B": "b c"})
    assert runs.words == ["echo", "-x", "b c", "y", "-z"]
    assert runs.env == {"A": "1 2"}


def test_debug_output(folder: Path) -> None:
    for words in (
        ["-v", "-u", "HOME", "-C", "d", "A=1", "true", "x y"],
        ["-vS", "-i A=1 true", "y"],
    ):
        reported = run_gnu("env", *words, cwd=folder).err
        assert run_keysh("env", *words, fs=on_disk(folder), run=Runs(folder)).err == reported


@pytest.mark.parametrize(
    "words",
    [["-S", "-u HOME", "-i", "A=1"], ["-S", "-i", "-S", "A=1 B=2", "C=3"], ["-iS", "", "-0", "A=1"],
     ["-i", "-S", "A=1", "-x"], ["-iS", "", "--", "A=1"], ["-iS", "--", "-x"]],
)  # fmt: skip
def test_options_after_a_split_string_follow_its_words(words: list[str], folder: Path) -> None:
    runs = Runs(folder)
    answer = run_keysh("env", *words, fs=on_disk(folder), env={"HOME": str(folder)}, run=runs)
    if "-x" in words:  # which is a command
        assert runs.words == ["-x"]
        return
    environment = run_gnu("env", *words, cwd=folder)
    environment = environment._replace(out=b"".join(
        part for part in environment.out.splitlines(keepends=True) if b"PATH" not in part
        and b"LC_ALL" not in part
    ))  # fmt: skip
    assert answer == environment


SIGNALS = [
    "--ignore-signal=USR1", "--block-signal=TERM,int", "--ignore-signal", "--block-signal",
    "--ignore-signal=SIGUSR1 --default-signal=10", "--block-signal=KILL", "--ignore-signal=9",
    "--ignore-signal --default-signal=INT", "--block-signal=RTMIN,RTMAX-2", "--default-signal",
    "--ignore-signal=USR1 --block-signal=USR1", "--ignore-signal=,", "--ignore-signal=nosuch",
    "--block-signal=0", "--default-signal=KILL", "--ignore-signal=INT --default-signal", "--ign=15",
]  # fmt: skip


@pytest.mark.parametrize("options", SIGNALS)
def test_signal_options_match_gnu(options: str, folder: Path) -> None:
    words = f"env {options} -v --list-signal-handling true"
    with Shell(check=False) as shell:
        result = shell.run(words)
    real = run_gnu(*words.split(), cwd=folder)
    assert (result.code, result.stderr) == (real.status, real.err)


def test_programs_start_with_default_signals() -> None:
    with Shell(external=True, env={"PATH": "/usr/bin:/bin"}, fs=LocalFS("/")) as shell:
        result = shell.run("env --ignore-signal=INT /bin/echo started")
        assert (result.code, result.stdout) == (125, "")
        assert "a program cannot begin with signals blocked or ignored" in result.stderr
        assert shell.run("env --default-signal=INT /bin/echo started").stdout == "started\n"


def test_rows_are_records() -> None:
    assert run_keysh("env", "-i", "--json", "A=1", "B=").out == (
        b'{"name":"A","value":"1"}\n{"name":"B","value":""}\n'
    )


@pytest.mark.parametrize("name", ["=", "A=b", ""])
def test_name_that_cannot_be_unset(name: str, folder: Path) -> None:
    words = ["-u", name, "A=1"]
    assert run_keysh("env", *words, fs=on_disk(folder)) == run_gnu("env", *words, cwd=folder)


WORD = st.sampled_from(
    ["-i", "-0", "-u", "A", "B", "A=1", "B=2", "A=", "=x", "-uA", "--null", "-C", "d", "f",
     "--unset=A", "-", "--", "C=a=b"]
)  # fmt: skip


@given(words=st.lists(WORD, max_size=5))
@settings(derandomize=True, max_examples=150, phases=[Phase.generate])
def test_agrees_with_gnu(words: list[str], folder: Path) -> None:
    runs = Runs(folder)
    answer = run_keysh("env", "-i", *words, fs=on_disk(folder), run=runs)
    if not runs.words:
        assert answer == run_gnu("env", "-i", *words, cwd=folder), words


def test_command_receives_its_words_unchanged(folder: Path) -> None:
    runs, named = Runs(folder), NamedArgument("k", [1], "k=[1]")
    given = (NamedArgument("A", 1, "A=1"), "c", named, "-u", [1])
    start = {"B": "2", "C": "3"}
    answer = run_keysh("env", "-u", "B", "-C", "l", *given, fs=on_disk(folder), env=start, run=runs)
    assert answer == Answer(7, b"", "")
    assert runs.words == ["c", named, "-u", [1]]
    assert (runs.env, runs.cwd) == ({"C": "3", "A": "1"}, "/d")
    run_keysh("env", "c", fs=on_disk(folder), env=start, run=runs)
    assert (runs.env, runs.cwd) == (start, None)
