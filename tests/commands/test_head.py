"""head: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, command_named
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance, reader
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

TEN = b"".join(b"%d\n" % i for i in range(1, 21))
FILES = {
    "f": TEN, "short": b"a\nb\nc", "empty": b"", "zero": b"a\0b\0\nc", "utf8": "äöü\n€€\n".encode(),
}  # fmt: skip


class TestHead(TextCommandConformance):
    name = "head"
    named = (("lines", 3, ("-n", "3")), ("bytes", 5, ("-c", "5")), ("quiet", True, ("-q",)),
             ("verbose", True, ("--verbose",)), ("zero_terminated", True, ("-z",)))  # fmt: skip


class TestHeadOfBytes(TextCommandConformance):
    name = "head"
    arguments = ("-c", "4099")


class TestHeadWithoutTheLastLines(TextCommandConformance):
    name = "head"
    arguments = ("-n", "-2")


class TestHeadWithoutTheLastBytes(TextCommandConformance):
    name = "head"
    arguments = ("--bytes=-3",)


@pytest.mark.parametrize(
    "words",
    [
        "-n 3 f", "-n3 f", "-3 f", "--lines=3 f", "--lines 3 f", "--li=3 f", "-n +3 f", "-n 0 f",
        "-n -3 f", "-n -0 f", "-n -15 f", "-n -25 f", "-n -1 short", "-n 2 short", "-n 3 short",
        "-n 1K f", "-n 1b f", "-n 1kB f", "-n 1MiB f", "-n -1K f",
        "-c 3 f", "-c3 f", "-c 0 f", "-c -3 f", "-c -0 f", "-c -100 f", "-c 1b f", "-c -1K f",
        "-c 1 utf8", "-c 3 utf8", "-c -1 utf8", "-c -6 utf8", "--bytes=5 utf8",
        "-z -n 1 zero", "-z -n -1 zero", "-z zero", "-zn1 zero f",
        "f short", "-q f short", "-v f", "-qv f", "-vq f short", "--silent f short", "-v",
        "f - short", "f f", "empty short", "-v empty empty",
        "d", "d f", "-n 0 d", "-c 0 d f", "-n -1 d", "-c -1 d", "-n 0 missing", "missing",
        "-n2 -c3 f", "-c3 -n2 f", "-5q f short", "-2v f",
        "-n x f", "-n", "-c", "-n 1x f", "-c 1x f", "-n 1c f", "-n 1w f", "-n 1kb f", "--lines= f",
        "-2c f", "-2cq f short", "-1k f", "-1b f", "-1m f", "-3l f", "-3qz f", "-2vk f", "-3lc f",
        "-n 99999999999999999999 f", "-c 99999999999999999999 f", "--ver f",
        "-n -x f", "-c -5x f", "--lines", "-Z f", "--foo f", "--quiet=yes f", "-nx -Z",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("head", words.split(" "), tmp_path, FILES, TEN)


CONTENT = st.binary(max_size=40) | st.lists(
    st.sampled_from([b"\n", b"a", b"\r\n", b"\0", "é".encode(), b"\xff", b"bcd"])
).map(b"".join)
COUNT = st.integers(-12, 12).map(str) | st.sampled_from(["-0", "1K", "-1b", "+2", "1kB"])
WORDS = st.lists(
    st.tuples(st.sampled_from(["-n", "-c"]), COUNT)
    | st.sampled_from([("-q",), ("-v",), ("-z",), ("--lines=2",), ("x",), ("y",), ("-",), ("d",)]),
    max_size=5,
).filter(
    lambda groups: groups.count(("-",)) < 2
)  # from a pipe, GNU's head leaves nothing for the second


@settings(max_examples=100, derandomize=True)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, groups=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    x: bytes,
    y: bytes,
    stdin: bytes,
    groups: list[tuple[str, ...]],
) -> None:
    words = [word for group in groups for word in group]
    assert_agreement("head", words, tmp_path_factory.mktemp("head"), {"x": x, "y": y}, stdin)


def fed(source: Reader, *words: str) -> Answer:
    """Run head on a reader."""
    out: list[str] = []
    err: list[str] = []
    call = Call("head", FakeShell(Router(MemoryFS())), source, Writer(out.append),
                Writer(err.append))  # fmt: skip
    status = invoke(command_named("head"), call, words)
    return Answer(status, "".join(out).encode("utf-8", "surrogateescape"), "".join(err))


@pytest.mark.parametrize("words", [("-n", "3"), ("-c", "9"), ("-n", "0"), ("-zn1",)])
def test_endless_input_is_read_no_further_than_needed(words: tuple[str, ...]) -> None:
    requests = 0

    def endless() -> Iterator[str]:
        nonlocal requests
        while True:
            requests += 1
            yield "ab\nc\0"

    assert fed(Reader(endless()), *words).status == 0
    assert requests <= 3


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        (("-n", "1"), "two\nthree\n"),
        (("-c", "5"), "wo\nthree\n"),
        (("-n", "0"), "one\ntwo\nthree\n"),
        (("-n", "9"), ""),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_rest_is_left_for_the_next_reader(words: tuple[str, ...], rest: str, size: int) -> None:
    source = reader(b"one\ntwo\nthree\n", size)
    fed(source, *words)
    assert source.read() == rest


def test_cutting_a_character_keeps_both_halves() -> None:
    source = reader("é".encode(), 10)
    assert fed(source, "-c", "1").out == b"\xc3"
    assert source.read().encode("utf-8", "surrogateescape") == b"\xa9"
