"""Call: inputs, warnings, statuses, and names in messages as in the real tools."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fake_shell import FakeShell
from keysh.interp.state.call import Call, CommandFailure, os_error_text
from keysh.interp.streams.streams import Reader, Writer
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import failure
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

FILES = {"/home/a": "one\ntwo\n", "/home/b": "three", "/dir/x": ""}


class Made:
    """A call and its output."""

    def __init__(self, stdin: str = "typed\n") -> None:
        self.out: list[str] = []
        self.err: list[str] = []
        self.ticks = 0
        surroundings = FakeShell(Router(MemoryFS(FILES)), "/home")
        surroundings.tick = self.tick  # type: ignore[method-assign]
        self.call = Call(
            "tool", surroundings, Reader([stdin]), Writer(self.out.append),
            Writer(self.err.append),
        )  # fmt: skip

    def tick(self) -> None:
        self.ticks += 1

    @property
    def said(self) -> str:
        return "".join(self.err)


@pytest.fixture
def made() -> Made:
    return Made()


def test_inputs_are_the_files_in_order(made: Made) -> None:
    result = [(source.name, source.read()) for source in made.call.inputs(["b", "-", "a"])]
    assert result == [("b", "three"), ("-", "typed\n"), ("a", "one\ntwo\n")]
    assert made.call.status == 0
    assert made.ticks == 3


def test_standard_input_is_read_without_files(made: Made) -> None:
    [source] = made.call.inputs([])
    assert (source.title, list(source.lines())) == ("standard input", ["typed\n"])


def test_default_input_may_differ(made: Made) -> None:
    assert [source.read() for source in made.call.inputs([], default="b")] == ["three"]


def test_missing_file_is_reported_and_skipped(made: Made) -> None:
    assert [source.name for source in made.call.inputs(["a", "no such", "b"])] == ["a", "b"]
    assert made.said == "tool: 'no such': No such file or directory\n"
    assert made.call.status == 1


def test_commands_can_choose_their_words(made: Made) -> None:
    words = {"says": "cannot open {quoted}: {why}", "reading": "error reading {name}: {why}"}
    for source in made.call.inputs(["missing", "/dir"], **words):
        assert source.read() == ""
    assert made.said == (
        "tool: cannot open 'missing': No such file or directory\n"
        "tool: error reading /dir: Is a directory\n"
    )


def test_reading_a_directory_fails(made: Made) -> None:
    sources = made.call.inputs(["/dir", "a"])
    assert next(sources).name == "/dir"
    assert made.said == ""
    assert next(sources).name == "a"
    assert made.said == ""  # the directory was never read
    for source in made.call.inputs(["/dir"]):
        assert list(source.lines()) == []
    assert made.said == "tool: /dir: Is a directory\n"


def test_failure_while_reading_keeps_the_text_read_before() -> None:
    made = Made()

    def chunks() -> Iterator[str]:
        yield "some "
        raise failure(errno.EIO, "/x")

    made.call.source = Reader(chunks())
    [source] = made.call.inputs(["-"], "{quoted}: {why}")
    assert source.read() == "some "
    assert made.said == "tool: 'standard input': Input/output error\n"
    assert made.call.status == 1


def test_file_is_closed_before_the_next_is_opened(made: Made) -> None:
    opened = []
    real = made.call.fs.open

    class Kept(Router):
        def open(self, *arguments: object) -> object:  # type: ignore[override]
            opened.append(real(*arguments))  # type: ignore[arg-type]
            return opened[-1]

    made.call._state.fs = Kept(MemoryFS())
    sources = made.call.inputs(["a", "b"])
    next(sources)
    next(sources)
    with pytest.raises(ValueError, match="closed"):
        opened[0].read()
    assert opened[1].read() == b"three"


def test_pushed_back_input_goes_to_the_next_reader(made: Made) -> None:
    [source] = made.call.inputs([])
    assert next(source.chunks()) == "typed\n"
    source.push_back("ed\n")
    assert made.call.stdin.read() == "ed\n"


def test_worst_warning_sets_the_status(made: Made) -> None:
    made.call.warn("one")
    made.call.warn("two", 2)
    made.call.warn("three")
    assert made.call.status == 2
    assert made.said == "tool: one\ntool: two\ntool: three\n"


def test_fail_is_an_exception_with_a_status(made: Made) -> None:
    result = made.call.fail("no", 3)
    assert isinstance(result, CommandFailure)
    assert (result.message, result.status) == ("no", 3)
    assert made.said == ""


def test_paths_are_relative_to_the_directory_of_the_call(made: Made) -> None:
    assert made.call.path("a/b") == "/home/a/b"
    assert made.call.path("/a") == "/a"
    assert made.call.open("../home/a").read() == b"one\ntwo\n"


def test_reason_is_the_text_of_the_kernel() -> None:
    assert os_error_text(failure(errno.EACCES, "/x")) == "Permission denied"
    assert os_error_text(OSError("no number")) == "no number"


# Characters that some style of quoting treats in its own way.
ODD = st.sampled_from(
    [*" '\"$`\\\n\t\r\a\v\f\b\x01\x1b\x7f!#~{}*=?[]^|@&();<>,:%+-._a1Z",
     *"é\u0300\u00a0\u00ad\u200b\u2028\u202e\ue000\u0378\x85\U0001f600\udcff\udce9"]
)  # fmt: skip
NAMES = st.lists(
    st.lists(ODD, min_size=1, max_size=5).map("".join).filter(lambda name: name not in (".", "..")),
    min_size=1, max_size=60, unique=True,
)  # fmt: skip
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def is_right(name: str) -> bool:
    """Whether GNU quotes a name correctly: its second pass begins inside the last escape."""
    return not ("'" in name and name[-1] in UNPRINTED)


UNPRINTED = "\n\t\r\a\v\f\b\x01\x1b\x7f\u2028\u0378\x85\udcff\udce9"


@settings(max_examples=60, derandomize=True)
@given(names=NAMES)
@example(names=["a", "it's", "a b", "two\nlines", "\udcff", "'\"'", "#'", "a#'", "{", "{}", "~"])
def test_names_are_quoted_as_ls_does(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("names")
    names = [name for name in names if is_right(name)]
    for name in names:
        (folder / name).touch()
    style = "--quoting-style=shell-escape-always"
    result = subprocess.run(
        ["ls", "-dU1", style, "--", *names, "/"],
        cwd=folder, env=ENVIRONMENT, capture_output=True, check=True,
    )  # fmt: skip
    reported = result.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]
    assert reported == [quoted_name(name) for name in [*names, "/"]]


@settings(max_examples=60, derandomize=True)
@given(names=NAMES)
@example(names=["a", "it's", "a b", "a:b", "a=b", "#a", "a#", "~", "a~", "{", "}", "{a", "a]", "-"])
def test_names_before_a_colon_are_shown_as_cat_does(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("names")
    names = ["", *(name for name in names if is_right(name) and name != "-")]
    result = subprocess.run(
        ["cat", "--", *names], cwd=folder, env=ENVIRONMENT, capture_output=True, check=False
    )
    reported = result.stderr.decode("utf-8", "surrogateescape").split("\n")[:-1]
    assert reported == [f"cat: {message_name(name)}: No such file or directory" for name in names]


@pytest.mark.parametrize(
    "name", ["x", "a b", "it's", "two\nlines", "\udcff", "größe", "\x7f", "", "'$", "tab\there"]
)
def test_names_are_quoted_as_head_does(tmp_path: Path, name: str) -> None:
    result = subprocess.run(
        ["head", "--", name], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False
    )
    reported = result.stderr.decode("utf-8", "surrogateescape")
    assert (
        reported
        == f"head: cannot open {quoted_name(name)} for reading: No such file or directory\n"
    )
