"""Completions that a function or a command finds: `compgen -F` and `compgen -C`."""

from __future__ import annotations

from contextlib import contextmanager

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.command_substitution import captured_output
from keysh.interp.engine.function_call import call_function
from keysh.text.shell_quoting import single_quoted_text
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.state import State

REPLY = "COMPREPLY"


class CompletedLine:
    """The line whose last word is completed: for `compgen` there is none."""

    __slots__ = ("command", "word", "words")

    def __init__(self, command: str, word: str, words: Sequence[str] = ()) -> None:
        """`command` is `$1` of a completion function; `words` are those of the line."""
        self.command, self.word, self.words = command, word, words

    def arguments(self) -> list[str]:
        """Return `$1` to `$3` of a function or command that completes the word."""
        return [self.command, self.word, self.words[-2] if len(self.words) > 1 else ""]

    def variables(self) -> dict[str, Any]:
        """Return the variables that describe the line."""
        line = " ".join(self.words)
        return {
            "COMP_LINE": line, "COMP_POINT": len(line), "COMP_TYPE": 9 if self.words else 0,
            "COMP_KEY": 9 if self.words else 0, "COMP_WORDS": ShellList(self.words),
            "COMP_CWORD": len(self.words) - 1,
        }  # fmt: skip


def completions_of_function(
    state: State, function: ShellFunction, line: CompletedLine, number: int
) -> list[str]:
    """Call a function, at the line `number` of the script; return the words of $COMPREPLY."""
    with described_line(state, line):
        try:
            call_function(state, function, line.arguments(), number)
            reply = state.variables.get(REPLY)
        finally:
            state.unset(REPLY)
    if reply is None:
        return []
    return [text_of(one) for one in reply] if isinstance(reply, list) else [text_of(reply)]


def completions_of_command(state: State, command: str, line: CompletedLine) -> list[str]:
    """Run a command with the same words; return the lines that it prints."""
    text = " ".join([command, *map(single_quoted_text, line.arguments())])
    try:
        body = state.compiler.script(text, state.source_name, state)
    except ScriptError as error:
        state.err.write(f"{error}\n")
        return []
    with described_line(state, line):
        output = captured_output(state, body).text
    return [line for line in output.split("\n") if line]


@contextmanager
def described_line(state: State, line: CompletedLine) -> Iterator[None]:
    """Set the variables that describe the line to complete."""
    variables = line.variables()
    for name, value in variables.items():
        state.assign(name, value)
    try:
        yield
    finally:
        for name in variables:
            state.unset(name)
