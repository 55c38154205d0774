"""Give a new state what the record of another one holds; nothing of it runs."""

from __future__ import annotations

from keysh.diagnostics.dialect import DIALECTS
from keysh.diagnostics.exceptions import ImageError, ScriptError
from keysh.interp.engine.traps import TRAP_FLAGS, compiled_trap
from keysh.interp.run.options import OPTION_BITS, TURNED_OFF_BITS
from keysh.interp.run.pipe_status import pipe_status
from keysh.interp.state.completion_specs import TEXT_LETTERS, CompletionSpec
from keysh.interp.variables.variable import ATTRIBUTE_NAMES
from keysh.shell.images.state_records import defines_alone
from keysh.shell.images.typed_values import value_from_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.state.state import State

ALL_OPTION_BITS = sum(OPTION_BITS.values()) + sum(TURNED_OFF_BITS.values())
# A function keeps the number of its line, as far as that costs little.
MAX_KEPT_LINES = 100_000


def restore_state(state: State, record: dict[str, Any]) -> None:
    """Set all that a record holds in a state that has run nothing; raise ImageError."""
    try:
        set_all(state, record)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ImageError(f"the image is damaged: its state is not one of keysh ({error})") from None
    except RecursionError:
        raise ImageError("the image is damaged: a value is nested too deeply") from None


def set_all(state: State, record: dict[str, Any]) -> None:
    state.dialect = named_dialect(record["dialect"])
    for function in record["functions"]:
        define_function(state, function)
    state.aliases = {
        checked_text(name): checked_text(text) for name, text in record["aliases"].items()
    }
    state.completions = {
        checked_text(name): completion_of_record(one)
        for name, one in record.get("completions", {}).items()
    }
    for name, trap in record["traps"].items():
        set_trap(state, checked_text(name), trap)
    state.variables = {
        checked_text(name): value_from_json(value) for name, value in record["variables"].items()
    }
    state.attributes = {
        checked_text(name): sum(ATTRIBUTE_NAMES[word] for word in set(words))
        for name, words in record["attributes"].items()
    }
    options = sum(OPTION_BITS[name] for name in set(record["options"]))
    turned_off = sum(TURNED_OFF_BITS[name] for name in set(record["options off"]))
    state.flags = state.flags & ~ALL_OPTION_BITS | options | turned_off
    state.arguments = [value_from_json(value) for value in record["arguments"]]
    state.name = state.source_name = checked_text(record["name"])
    state.cwd = checked_text(record["directory"])
    state.directories = tuple(map(checked_text, record["directories"]))
    if record["umask"] is not None:
        state.umask, state.has_set_umask = checked_number(record["umask"]) & 0o777, True
    state.ulimits = {
        checked_text(name): (checked_number(soft), checked_number(hard))
        for name, (soft, hard) in record["ulimits"].items()
    }
    index, offset = record["getopts"]
    state.getopts_position = (checked_number(index), checked_number(offset))
    status, stages = record["status"]
    state.status = pipe_status(checked_number(status), [checked_number(one) for one in stages])
    state.last_words = (checked_text(record["last word"]),)
    state.seconds_from = state.session.clock() - checked_number(record["age"])
    if record["random"] is not None:
        seed, last = record["random"]
        state.random_seed = checked_number(seed), checked_number(last)


def completion_of_record(record: dict[str, Any]) -> CompletionSpec:
    """Return what `complete` has said about a command."""
    texts = {letter: checked_text(record["texts"][letter]) for letter in record["texts"]}
    options, actions = (
        frozenset(map(checked_text, record[kind])) for kind in ("options", "actions")
    )
    if not texts.keys() <= TEXT_LETTERS.keys():
        raise ValueError("a completion has an unknown part")
    return CompletionSpec(options, actions, texts)


def define_function(state: State, record: dict[str, Any]) -> None:
    """Define a function of a text that must hold nothing else."""
    dialect = named_dialect(record["dialect"])
    name, text = checked_text(record["name"]), checked_text(record["text"])
    if not defines_alone(text, name, dialect):
        raise ImageError(f"the image is damaged: the text of the function {name} is none")
    line = min(checked_number(record["line"]), MAX_KEPT_LINES)
    compiler = state.session.compilers[dialect]
    body = compiler.script("\n" * (line - 1) + text, checked_text(record["source"]))
    status = state.status
    body(state)
    state.status = status
    if record["exported"]:
        state.functions[name] = state.functions[name].with_export(True)
    if record["readonly"]:
        state.functions[name] = state.functions[name].with_readonly()


def set_trap(state: State, name: str, record: dict[str, Any] | None) -> None:
    """Set a trap; one whose text is no script fails when it would run, as in bash."""
    if record is None:
        state.traps[name] = None
        return
    dialect, text = named_dialect(record["dialect"]), checked_text(record["text"])
    try:
        trap = compiled_trap(state, text, dialect)
    except ScriptError as error:
        raise ImageError(f"the image is damaged: the trap {name} is no script\n{error}") from None
    state.traps[name] = trap
    state.flags |= TRAP_FLAGS.get(name, 0)


def named_dialect(name: Any) -> Dialect:
    """Return a dialect by its name."""
    return DIALECTS[checked_text(name)]


def checked_text(value: Any) -> str:
    if value.__class__ is not str:
        raise TypeError(f"{value!r} should be text")
    return str(value)


def checked_number(value: Any) -> int:
    if value.__class__ is not int:
        raise TypeError(f"{value!r} should be a whole number")
    return int(value)
