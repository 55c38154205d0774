"""Exported functions: what the environment of a command says of them.

bash gives its functions to child shells in variables, such as `BASH_FUNC_greet%%=() { echo hi; }`.
Functions of keysh's own dialect are given to the shells of keysh alone.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.variables.declare_output import function_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.interp.run.function import ShellFunction


def environment_of_functions(functions: Iterable[ShellFunction]) -> dict[str, str]:
    """Return the variables that carry functions, by their names."""
    return {
        f"BASH_FUNC_{function.name}%%": variable_text(function)
        for function in functions
        if function.is_exported and function.source.dialect is BASH
    }


def variable_text(function: ShellFunction) -> str:
    """Return the text of a function, which bash reads only if it begins with `() {`."""
    body = function_text(function).partition("()")[2].strip()
    return f"() {body}" if body.startswith("{") else f"() {{\n{body}\n}}"
