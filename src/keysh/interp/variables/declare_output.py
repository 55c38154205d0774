"""Print variables and functions as `declare -p`, `set` and `declare -f` do."""

from __future__ import annotations

from keysh.interp.variables.variable import (
    DECLARED,
    EXPORTED,
    INTEGER,
    LOWER,
    READONLY,
    REFERENCE,
    UPPER,
)
from keysh.text.shell_quoting import (
    double_quoted_text,
    is_printable_text,
    is_special,
    quoted_if_needed,
)
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.interp.run.forward_types import AnyState
    from keysh.interp.run.function import ShellFunction


ATTRIBUTE_LETTERS = (
    (INTEGER, "i"), (REFERENCE, "n"), (READONLY, "r"), (EXPORTED, "x"), (LOWER, "l"), (UPPER, "u"),
)  # fmt: skip


def attribute_letters(value: Any, bits: int) -> str:
    """Return the option letters of `declare` that match a variable's type and attributes."""
    kind = "a" if isinstance(value, list) else "A" if isinstance(value, dict) else ""
    return kind + "".join(letter for bit, letter in ATTRIBUTE_LETTERS if bits & bit)


def declaration(name: str, value: Any, bits: int, quote: Callable[[str], str]) -> str:
    """Return `declare -x name="value"`; `quote` quotes a value that is not an array."""
    if isinstance(value, list | dict):
        written = f"({array_entries(value)})"
    else:
        written = quote(text_of(value))
    return f"declare -{attribute_letters(value, bits) or '-'} {name}={written}"


def array_entries(value: list[Any] | dict[str, Any]) -> str:
    """Return the text between the parentheses of an array."""
    if isinstance(value, dict):
        pairs = [
            f"[{key_text(key)}]={double_quoted_text(text_of(item))} " for key, item in value.items()
        ]
        return "".join(pairs)
    indexes = value.indexes() if isinstance(value, ShellList) else range(len(value))
    return " ".join(
        f"[{index}]={double_quoted_text(text_of(item))}"
        for index, item in zip(indexes, value, strict=True)
    )


def key_text(key: str) -> str:
    """Return a key, quoted if necessary."""
    is_plain = key and key != "@" and not is_special(key) and is_printable_text(key)
    return key if is_plain else double_quoted_text(key)


def declare_line(state: AnyState, name: str) -> str | None:
    """Return the line of `declare -p` for a variable; None if it does not exist."""
    bits = state.attributes.get(name, 0)
    if name in state.variables and not is_declared_only(state, name):
        value = state.variables[name]
        if isinstance(value, list | dict):
            state.check_container(value)
        return declaration(name, value, bits, double_quoted_text)
    special = state.compiler.special(name)
    if special is not None:
        return declaration(name, special(state), bits, double_quoted_text)
    is_local = any(
        frame.saved_variables is not None and name in frame.saved_variables
        for frame in state.frames
    )
    if not bits and not is_local:
        return None
    return f"declare -{attribute_letters(state.variables.get(name), bits) or '-'} {name}"


def is_declared_only(state: AnyState, name: str) -> bool:
    """Whether a variable is an array that was declared but never assigned."""
    return bool(state.attributes.get(name, 0) & DECLARED) and not state.variables[name]


def declare_lines(state: AnyState, bits: int = 0, kind: type | None = None) -> str:
    """Return the `declare -p` lines of all variables with these attributes and array kind."""
    lines: list[str] = []
    for name in sorted({*state.variables, *state.attributes}):
        is_meant = state.attributes.get(name, 0) & bits == bits
        if is_meant and (kind is None or isinstance(state.variables.get(name), kind)):
            line = declare_line(state, name)
            lines += [line, "\n"] if line else []
            state.tick()
    state.reserve(sum(map(len, lines)))
    return "".join(lines)


def variable_lines(state: AnyState) -> str:
    """Return all variables that have a value, as `set` prints them."""
    variables = state.variables
    names = [name for name in sorted(variables) if not is_declared_only(state, name)]
    lines: list[str] = []
    for name in names:
        lines.append(f"{name}={assignable_text(variables[name])}\n")
        state.tick()
    state.reserve(sum(map(len, lines)))
    return "".join(lines)


def function_lines(state: AnyState) -> str:
    """Return the text of all functions."""
    return "".join(function_text(state.functions[name]) for name in sorted(state.functions))


def readonly_function_lines(state: AnyState) -> str:
    """Return what `readonly -f` prints: each readonly function, and the command that marks it."""
    names = [name for name in sorted(state.functions) if state.functions[name].is_readonly]
    return "".join(
        f"{function_text(state.functions[name])}{function_name_line(state.functions[name])}\n"
        for name in names
    )


def function_name_line(function: ShellFunction) -> str:
    """Return the line of `declare -F` for a function."""
    return f"declare -f{'r' * function.is_readonly}{'x' * function.is_exported} {function.name}"


def assignable_text(value: Any) -> str:
    """Return a value as it could follow `=` in an assignment."""
    if isinstance(value, list | dict):
        return f"({array_entries(value)})"
    text = text_of(value)
    return quoted_if_needed(text) if text else ""


def function_text(function: ShellFunction) -> str:
    """Return the source of a function as bash prints it."""
    from keysh.syntax.printer.bash_commands import bash_function_text  # noqa: PLC0415 - only where it is shown

    return f"{bash_function_text(function.source, function.node)}\n"
