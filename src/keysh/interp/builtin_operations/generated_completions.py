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
    from collections.abc import Iterator
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

REPLY = "COMPREPLY"


def completions_of_function(sh: Call, state: State, name: str, word: str) -> list[str]:
    """Call a function with compgen, the word and an empty word; return the words of $COMPREPLY."""
    function = state.functions.get(name)
    if function is None:
        sh.complain(f"completion: function `{name}' not found", as_shell=True)
        return []
    with described_line(state):
        try:
            call_function(state, function, [sh.name, word, ""], sh.site.line if sh.site else 0)
            reply = state.variables.get(REPLY)
        finally:
            state.unset(REPLY)
    if reply is None:
        return []
    return [text_of(one) for one in reply] if isinstance(reply, list) else [text_of(reply)]


def completions_of_command(sh: Call, state: State, command: str, word: str) -> list[str]:
    """Run a command with compgen, the word and an empty word; return the lines that it prints."""
    text = f"{command} {sh.name} {single_quoted_text(word)} ''"
    try:
        body = state.compiler.script(text, state.source_name)
    except ScriptError as error:
        state.err.write(f"{error}\n")
        return []
    with described_line(state):
        output = captured_output(state, body).text
    return [line for line in output.split("\n") if line]


@contextmanager
def described_line(state: State) -> Iterator[None]:
    """Set the variables that describe the line to complete: compgen, as in bash, has none."""
    variables: dict[str, Any] = {
        "COMP_LINE": "", "COMP_POINT": 0, "COMP_TYPE": 0, "COMP_KEY": 0,
        "COMP_WORDS": ShellList(), "COMP_CWORD": -1,
    }  # fmt: skip
    for name, value in variables.items():
        state.assign(name, value)
    try:
        yield
    finally:
        for name in variables:
            state.unset(name)
