"""Tracing: the lines of `set -x`, each with the prefix `$PS4`, on standard error."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.options import XTRACE
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arrays import EntryList
from keysh.interp.variables.prompt_text import decoded_prompt
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.syntax import ast
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.text.shell_quoting import quoted_text, traced_text
from keysh.values import CONTAINERS, ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Writer


DECLARATIONS = ("declare", "export", "local", "readonly", "typeset")


def trace(state: State, text: str, site: Site, writer: Writer | None = None) -> None:
    """Print one trace line; `writer` is that of traces before the command's redirections."""
    (writer or trace_writer(state)).write(f"{trace_prompt(state, site)}{text}\n")


def trace_writer(state: State) -> Writer:
    """Return standard error, or the open descriptor whose number is in `$BASH_XTRACEFD`."""
    number = text_of(state.variables.get("BASH_XTRACEFD"))
    if number not in ("", "2") and is_digits(number):
        descriptor = state.descriptors.get(bounded_number(number))
        if number == "1":
            return state.out
        if descriptor is not None and descriptor.writer is not None:
            return descriptor.writer
    return state.err


def trace_words(
    state: State, words: Sequence[object], site: Site, writer: Writer | None = None
) -> None:
    """Trace the words of a command, quoted as input.

    As in bash a declaration shows its arrays first, and `export` and `readonly` each assignment.
    """
    state.reserve(2 * sum(len(word) for word in words if isinstance(word, str)))
    name = words[0] if words else ""
    if name not in DECLARATIONS or not any(isinstance(word, NamedArgument) for word in words):
        trace(state, " ".join(map(traceable_word, words)), site, writer)
        return
    shown: list[str] = []
    for word in words:
        if isinstance(word, NamedArgument) and isinstance(word.value, CONTAINERS):
            trace(state, traced_array(word), site, writer)
            shown.append(word.key)
        else:
            shown.append(traceable_word(word))
    trace(state, " ".join(shown), site, writer)
    for word in words if name in ("export", "readonly") else ():
        if isinstance(word, NamedArgument) and not isinstance(word.value, CONTAINERS):
            shown_value = traced_assignment(word.key + "+" * word.appends, word.value)
            trace(state, shown_value, site, writer)


def traced_array(word: NamedArgument) -> str:
    """Return the assignment of an array, with each element in quotes."""
    value = word.value
    if isinstance(value, EntryList):
        shown = [
            quoted_text(text_of(item))
            if key is None
            else f"[{quoted_text(key)}]{'+' * appends}={quoted_text(text_of(item))}"
            for key, item, appends in value
        ]
    elif isinstance(value, ShellList):
        shown = [quoted_text(text_of(item)) for item in value]
    else:
        return traceable_word(word)
    return f"{word.key}{'+' * word.appends}=({' '.join(shown)})"


def trace_assignment(
    state: State, act: Callable[[State], object], node: ast.Assign, site: Site
) -> None:
    """Perform an assignment and trace it; a list or record is shown as written in the source.

    `$PS4` is expanded first, because the assignment may change it.
    """
    before, writer = trace_prompt(state, site), trace_writer(state)
    text = site.source.text
    if isinstance(node.value, ast.Array):
        writer.write(f"{before}{text[node.start : node.end]}\n")
        act(state)
        return
    value = act(state)
    if isinstance(value, CONTAINERS):
        shown = text[node.start : node.end]
    else:
        target = text[node.target.start : node.target.end]
        shown = traced_assignment(target + "+" * node.append, value)
    writer.write(f"{before}{shown}\n")


def trace_arithmetic(state: State, text: str, site: Site) -> None:
    """Trace `(( … ))` with its variables expanded; what has a `$(…)` is shown as written."""
    if "$" in text and "$(" not in text and "`" not in text:
        text = text_of(state.compiler.expanded_text(text, state)(state))
    trace(state, f"(( {text} ))", site)


def traced_assignment(target: str, value: object) -> str:
    """Return an assignment quoted as input."""
    text = text_of(value)
    return f"{target}={traced_text(text) if text else ''}"


def trace_prompt(state: State, site: Site) -> str:
    """Expand `$PS4`, repeating its first character for each enclosing `$(…)` and `eval`."""
    text = text_of(state.variables.get("PS4"))
    if "\\" in text:
        text = decoded_prompt(state, text)
    if "$" in text or "`" in text or "\\" in text:
        text = expand_trace_prompt(state, text, site)
    return text[:1] * state.nesting + text


def expand_trace_prompt(state: State, text: str, site: Site) -> str:
    """Expand `$PS4` without tracing; return it unexpanded if the expansion fails."""
    variables, status, line = state.variables, state.status, state.variables.get("LINENO")
    flags = state.flags
    variables["LINENO"] = site.line
    state.flags &= ~XTRACE
    try:
        return text_of(state.compiler.expanded_text(text, state)(state))
    except (RuntimeDiagnostic, ScriptError):
        return text
    finally:
        state.flags, state.status = flags, status
        if line is None:
            variables.pop("LINENO", None)
        else:
            variables["LINENO"] = line


def traceable_word(word: Any) -> str:
    """Return a word quoted as input."""
    if isinstance(word, GlobArgument):
        return word.text
    if isinstance(word, NamedArgument):
        if not isinstance(word.value, CONTAINERS):
            return traced_text(word.text)
        return f"{word.key}{'+' * word.appends}={traceable_word(word.value)}"
    if isinstance(word, EntryList):
        entries = [(key, traceable_word(value), "+" * appends) for key, value, appends in word]
        shown = [item if key is None else f"[{key}]{sign}={item}" for key, item, sign in entries]
        return f"({' '.join(shown)})"
    if isinstance(word, ShellList):
        return f"({' '.join(map(traceable_word, word))})"
    text = text_of(word)
    return text if isinstance(word, CONTAINERS) else traced_text(text)
