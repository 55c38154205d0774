"""Invoking a command: its kinds of return values and of failures."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.declare import Refusals, command, command_of
from keysh.vfs.api import failure
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

pytestmark = pytest.mark.quick


def ran(function: Callable[..., Any], *arguments: object) -> tuple[int, str, str]:
    """A command's status, output and messages."""
    out: list[str] = []
    err: list[str] = []
    made = command_of(function)
    call = Call(made.name, FakeShell(Router(MemoryFS())), Reader([]), Writer(out.append),
                Writer(err.append))  # fmt: skip
    status = invoke(made, call, arguments)
    return status, "".join(out), "".join(err)


def acting(act: Callable[[Call], object]) -> Callable[..., object]:
    """A command that does this."""

    @command
    def tool(sh: Call, *words: str, count: int = 1, loud: bool = False) -> object:
        """Do something.

        words ...        ignored
        -n, --count NUM  how often
        -l, --loud       with noise
        """
        return act(sh)

    return tool


@pytest.mark.parametrize(
    ("answer", "status", "out"),
    [
        (None, 0, ""),
        (0, 0, ""),
        (3, 3, ""),
        ("text", 0, "text"),
        ("line\n", 0, "line\n"),
        ("", 0, ""),
        (True, 0, "true\n"),
        (False, 0, "false\n"),
        (1.5, 0, "1.5\n"),
        ([1, "a"], 0, '[1,"a"]\n'),
        ({"a": None}, 0, '{"a":null}\n'),
        ([], 0, "[]\n"),
    ],
)
def test_return_value_is_a_status_or_output(answer: object, status: int, out: str) -> None:
    assert ran(acting(lambda sh: answer)) == (status, out, "")


def test_warnings_set_the_status_unless_one_is_returned() -> None:
    def answering(answer: object) -> Callable[..., object]:
        def act(sh: Call) -> object:
            sh.warn("hm", 2)
            return answer

        return acting(act)

    assert ran(answering(None)) == (2, "", "tool: hm\n")
    assert ran(answering(0)) == (2, "", "tool: hm\n")
    assert ran(answering(5)) == (5, "", "tool: hm\n")
    assert ran(answering("text")) == (2, "text", "tool: hm\n")


def generating(last: object, raised: Exception | None = None) -> Callable[..., object]:
    def act(sh: Call) -> Iterator[str]:
        yield "one\n"
        yield ""
        yield "two"
        if raised is not None:
            raise raised
        return last  # type: ignore[return-value]

    return acting(act)


def test_generator_yields_chunks_and_returns_a_status() -> None:
    assert ran(generating(None)) == (0, "one\ntwo", "")
    assert ran(generating(4)) == (4, "one\ntwo", "")
    assert ran(generating("\nthree")) == (0, "one\ntwo\nthree", "")


def test_generator_output_is_written_immediately() -> None:
    seen: list[int] = []
    out: list[str] = []

    def act(sh: Call) -> Iterator[str]:
        for i in range(3):
            seen.append(len(out))
            yield str(i)

    call = Call("tool", FakeShell(Router(MemoryFS())), Reader([]), Writer(out.append),
                Writer(out.append))  # fmt: skip
    assert invoke(command_of(acting(act)), call, []) == 0
    assert seen == [0, 1, 2]


def test_failing_generator_keeps_its_earlier_output() -> None:
    gone = failure(errno.ENOENT, "/x")
    assert ran(generating(None, gone)) == (1, "one\ntwo", "tool: No such file or directory\n")


def test_fail_ends_a_command_with_its_status() -> None:
    def act(sh: Call) -> None:
        sh.out.write("before\n")
        raise sh.fail("cannot go on", 7)

    assert ran(acting(act)) == (7, "before\n", "tool: cannot go on\n")


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (failure(errno.EACCES, "/secret"), "tool: Permission denied\n"),
        (failure(errno.ENOENT, "a b"), "tool: No such file or directory\n"),
        (OSError(errno.ENOSPC, "full"), "tool: No space left on device\n"),
    ],
)
def test_file_error_of_the_host_becomes_a_message_without_its_path(
    error: OSError, message: str
) -> None:
    def act(sh: Call) -> None:
        raise error

    assert ran(acting(act)) == (1, "", message)


@pytest.mark.parametrize(("path", "shown"), [("/x", "/x"), ("/a b", "'/a b'")])
def test_file_error_of_the_script_names_the_path(path: str, shown: str) -> None:
    def act(sh: Call) -> None:
        sh.open(path)

    assert ran(acting(act)) == (1, "", f"tool: {shown}: No such file or directory\n")


def test_programming_error_is_not_hidden() -> None:
    def act(sh: Call) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ran(acting(act))


TRY = "Try 'tool --help' for more information.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--wrong"], f"tool: unrecognized option '--wrong'\n{TRY}"),
        (["-x"], f"tool: invalid option -- 'x'\n{TRY}"),
        (["-n"], f"tool: option requires an argument -- 'n'\n{TRY}"),
        (["--count"], f"tool: option '--count' requires an argument\n{TRY}"),
        (["--loud=3"], f"tool: option '--loud' doesn't allow an argument\n{TRY}"),
        (["-n", "x"], "tool: count must be a whole number, but is 'x'\n"),
    ],
)
def test_misuse_is_reported_and_nothing_runs(words: list[str], message: str) -> None:
    def act(sh: Call) -> None:
        raise AssertionError

    assert ran(acting(act), *words) == (1, "", message)


def test_misuse_status_is_chosen_by_the_command() -> None:
    @command(refusals=Refusals(usage_status=2))
    def tool(sh: Call, one: str, /) -> None:
        """Do something.

        one  needed
        """

    assert ran(tool) == (2, "", f"tool: missing operand\n{TRY}")
    assert ran(tool, "a", "b") == (2, "", f"tool: extra operand 'b'\n{TRY}")


def test_help_is_printed_and_nothing_runs() -> None:
    def act(sh: Call) -> None:
        raise AssertionError

    status, out, err = ran(acting(act), "--help", "x")
    assert (status, err) == (0, "")
    assert out.startswith("Usage: tool [OPTION]... [WORD]...\nDo something.\n")


def test_options_are_passed_in_order() -> None:
    assert ran(acting(lambda sh: f"{sh.given}"), "-l", "-n5", "--no-loud") == (
        0, "[('loud', True), ('count', 5), ('loud', False)]", "",
    )  # fmt: skip
