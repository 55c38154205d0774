"""yes: it streams, and stops when its reader closes."""

from __future__ import annotations

import pytest

from commands.command_runner import command_named
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


class Closed(Exception):
    """The reader has closed the output."""


@pytest.mark.parametrize(
    ("words", "line"), [((), "y\n"), (("a", "b"), "a b\n"), (("x" * 70_000,), "x" * 70_000 + "\n")]
)
def test_line_is_repeated_until_the_reader_closes(words: tuple[str, ...], line: str) -> None:
    chunks: list[str] = []

    def put(text: str) -> None:
        chunks.append(text)
        if len(chunks) == 5:
            raise Closed

    call = Call(
        "yes", FakeShell(Router(MemoryFS())), Reader([]), Writer(put), Writer(lambda text: None)
    )
    with pytest.raises(Closed):
        invoke(command_named("yes"), call, words)
    text = "".join(chunks)
    assert text == line * (len(text) // len(line))
