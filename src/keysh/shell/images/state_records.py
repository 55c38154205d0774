"""The record of a state: everything that scripts can change in it, without the files."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.run.options import OPTION_BITS, TURNED_OFF_BITS
from keysh.interp.run.pipe_status import stage_statuses
from keysh.interp.variables.declare_output import function_text
from keysh.interp.variables.specials import last_word
from keysh.interp.variables.variable import ATTRIBUTE_NAMES
from keysh.schema.arguments import raw_text
from keysh.shell.images.typed_values import value_to_json
from keysh.syntax import ast
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.engine.traps import Trap
    from keysh.interp.run.function import ShellFunction
    from keysh.interp.state.completion_specs import CompletionSpec
    from keysh.interp.state.state import State


def record_of_function(function: ShellFunction) -> dict[str, Any]:
    """Return the text of a function as it was written, and where that was."""
    source, node = function.source, function.node
    text = source.text[node.start : node.end]
    if not defines_alone(text, function.name, source.dialect):
        # Such as one whose heredoc follows its last line.
        text = function_text(function)
    return {
        "name": function.name,
        "text": text,
        "dialect": source.dialect.name,
        "source": source.name,
        "line": source.position(node.start)[0],
        "exported": function.is_exported,
        "readonly": function.is_readonly,
    }


def record_of_state(
    state: State, record_function: Callable[[ShellFunction], dict[str, Any]] = record_of_function
) -> dict[str, Any]:
    """Return the record of a state between two runs."""
    return {
        "dialect": state.dialect.name,
        "variables": {name: value_to_json(value) for name, value in state.variables.items()},
        "attributes": {
            name: [word for word, bit in ATTRIBUTE_NAMES.items() if bits & bit]
            for name, bits in state.attributes.items()
        },
        "functions": [record_function(function) for function in state.functions.values()],
        "aliases": state.aliases,
        "completions": {
            name: record_of_completion(spec) for name, spec in state.completions.items()
        },
        "traps": {name: record_of_trap(trap) for name, trap in state.traps.items()},
        "options": [name for name, bit in OPTION_BITS.items() if state.flags & bit],
        "options off": [name for name, bit in TURNED_OFF_BITS.items() if state.flags & bit],
        "arguments": [value_to_json(value) for value in state.arguments],
        "name": state.name,
        "directory": state.cwd,
        "directories": list(state.directories),
        "umask": state.umask if state.has_set_umask else None,
        "ulimits": {name: list(limits) for name, limits in state.ulimits.items()},
        "getopts": list(state.getopts_position),
        "status": [+state.status, stage_statuses(state.status)],
        "last word": raw_text(last_word(state)),
        "age": state.session.clock() - state.seconds_from,
        "random": None if state.random_seed is None else list(state.random_seed),
    }


def defines_alone(text: str, name: str, dialect: Dialect) -> bool:
    """Whether a text is the definition of one function, and nothing else."""
    try:
        body = parse(Source(text, "<function>", dialect)).body
    except ScriptError:
        return False
    commands = [] if body is None else body.commands
    return len(commands) == 1 and isinstance(commands[0], ast.Function) and commands[0].name == name


def record_of_completion(spec: CompletionSpec) -> dict[str, Any]:
    """Return what `complete` has said about a command."""
    return {
        "options": sorted(spec.options),
        "actions": sorted(spec.actions),
        "texts": dict(spec.texts),
    }


def record_of_trap(trap: Trap | None) -> dict[str, Any] | None:
    """Return the text of a trap; None for a signal that is ignored."""
    return None if trap is None else {"text": trap.text, "dialect": trap.dialect.name}
