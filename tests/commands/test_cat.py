"""cat: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import command_named
from commands.comparison import assert_agreement
from commands.conformance import EVERY_BYTE, TextCommandConformance
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

FILES = {
    "f": b"a\nb\nc", "blank": b"\n\n\na\r\n\r\n$\n\n\n", "cr": b"a\r", "lf": b"\nb", "empty": b"",
    "tab": b"\ta\t\tb\n\t\n", "every": EVERY_BYTE * 2, "newline": b"\n",
}  # fmt: skip


class TestCat(TextCommandConformance):
    name = "cat"
    named = (("number", True, ("-n",)), ("show_ends", True, ("-E",)), ("show_all", True, ("-A",)),
             ("squeeze_blank", True, ("-s",)), ("number_nonblank", True, ("-b",)))  # fmt: skip


class TestCatWithNumbers(TextCommandConformance):
    name = "cat"
    arguments = ("-n",)


class TestCatVisible(TextCommandConformance):
    name = "cat"
    arguments = ("-A",)


class TestCatWithAllItHas(TextCommandConformance):
    name = "cat"
    arguments = ("-bsvET",)


@pytest.mark.parametrize(
    "words",
    [
        "f", "f f", "f - f", "- -", "d f", "missing f", "f/g", "-- f", "-u f", "-uu f lf",
        "-n f f", "-b f f", "-nb blank", "-bn blank", "-s blank", "-s newline newline newline f",
        "-E blank", "-bE blank", "-sE blank", "-nE blank", "-bsE blank blank", "-E cr lf", "-E cr",
        "-e cr lf", "-nE cr empty lf", "-T tab", "-t tab", "-t every", "-v every", "-A every",
        "-e every", "-A tab", "-nT tab", "-bT tab", "-vn tab", "-ns newline d newline",
        "--show-all every", "--show-ends f", "--show-tabs tab", "--number f", "--squeeze f",
        "--number-nonblank blank", "--show-nonprinting every", "-n missing f", "-n", "-A - f",
        "-Z f", "--foo", "-nZ f", "--show-x f", "--number=3 f",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("cat", words.split(" "), tmp_path, FILES, b"in\n\n\n\tput")


CONTENT = st.binary(max_size=40) | st.lists(
    st.sampled_from([b"\n", b"\n\n", b"a", b"\r", b"\t", b"\0", "é".encode(), b"\xff", b"$"])
).map(b"".join)
WORDS = st.lists(
    st.sampled_from(["-A", "-b", "-e", "-E", "-n", "-s", "-t", "-T", "-v", "x", "y", "-", "d"]),
    max_size=6,
)


@settings(max_examples=100, derandomize=True)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    assert_agreement("cat", words, tmp_path_factory.mktemp("cat"), {"x": x, "y": y}, stdin)


def test_chunks_are_passed_through_unchanged() -> None:
    chunks = ["a", "b\nc", "\n", "d" * 100_000]
    out: list[str] = []
    call = Call("cat", FakeShell(Router(MemoryFS())), Reader(chunks), Writer(out.append),
                Writer(lambda text: None))  # fmt: skip
    assert invoke(command_named("cat"), call, []) == 0
    assert out == chunks
    assert out[3] is chunks[3]


@pytest.mark.parametrize("option", ["-n", "-b", "-ne", "-bs"])
def test_numbering_thousands_of_lines_matches_gnu(tmp_path: Path, option: str) -> None:
    files = {"f": b"line\n" * 1_100_000, "g": b"\nx\n\n" * 400 + b"\xe9\r\n\0end"}
    assert_agreement("cat", [option, "g", "f", "g"], tmp_path, files, b"")
