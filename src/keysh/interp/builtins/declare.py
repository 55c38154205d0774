"""Declaring: what `declare`, `local`, `export` and `readonly` make of their words."""

from __future__ import annotations

from keysh.interp.engine.scripts import evaluate
from keysh.interp.state.attributes import appended, as_array
from keysh.interp.state.call import Failure
from keysh.interp.state.state import put_back
from keysh.interp.state.state_of_call import not_a_name, place_of
from keysh.interp.variables.arrays import EntryList, shaped
from keysh.interp.variables.locals import is_fixed, make_local
from keysh.interp.variables.value_paths import destination, joined, write
from keysh.interp.variables.variable import (
    ABSENT,
    DECLARED,
    EXPORTED,
    INTEGER,
    LOWER,
    READONLY,
    REFERENCE,
    UPPER,
    NameReference,
    refuse_export,
)
from keysh.schema.arguments import NamedArgument, written
from keysh.values import CONTAINERS, ShellRecord, copied, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from keysh.interp.run.function import Frame
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

CASES = LOWER | UPPER


class Wanted:
    """What the options ask for: bits to set and to clear, the kind of array, and the scope."""

    __slots__ = ("clears", "frame", "inherits", "is_global", "kind", "loses_array", "makes", "sets")

    def __init__(self, sets: int = 0, clears: int = 0, kind: str = "") -> None:
        self.sets, self.clears = sets, clears
        self.kind = kind  # "a", "A", or empty for no array
        self.loses_array = False  # `+a`, which is refused
        self.frame: Frame | None = None  # where the variables are to be local
        self.is_global = False
        self.makes = True  # whether a name that means nothing is declared
        self.inherits = False  # whether a local one begins as what it hides


class Target:
    """One word: a variable or an element, and the value it gets, if any."""

    __slots__ = ("appends", "has_value", "keys", "name", "value")

    def __init__(self, name: str, keys: Sequence[object], value: Any, appends: bool) -> None:
        self.name, self.keys, self.value, self.appends = name, keys, value, appends
        self.has_value = value is not ABSENT


def target_of(sh: Call, word: object) -> Target:
    """What a word declares. Only an unquoted `x=…` is typed; any other text is text."""
    if isinstance(word, NamedArgument):
        value = word.value
        if isinstance(value, CONTAINERS) and not isinstance(value, EntryList):
            value = copied(value)
        return Target(word.key, (), value, word.appends)
    [text] = written([word])
    at = text.find("=")
    if 0 <= text.find("[") < at:
        at = max(text.find("]=") + 1, text.find("]+=") + 2)
        at = at if text[at : at + 1] == "=" else -1
    if at < 0:
        name, keys = place_of(sh, text)
        return Target(name, keys, ABSENT, False)
    appends = text[:at].endswith("+")
    try:
        name, keys = place_of(sh, text[: at - appends])
    except Failure:
        raise not_a_name(sh, text) from None
    return Target(name, keys, text[at + 1 :], appends)


def declare_all(sh: Call, state: State, words: Iterable[object], wanted: Wanted) -> None:
    """Declare each word; one that is refused does not keep the others from it."""
    for word in words:
        try:
            target = target_of(sh, word)
            saved = beneath(state, target.name) if wanted.is_global else None
            if saved is None:
                declare_one(sh, state, target, wanted)
            else:
                declare_beneath(sh, state, target, wanted, saved)
        except Failure as failure:
            sh.warn(failure.message, failure.status)


def beneath(state: State, name: str) -> dict[str, tuple[Any, int]] | None:
    """What the function has saved under whose local variable the global one of that name lies."""
    for at, frame in enumerate(state.frames):
        if frame.saved and name in frame.saved:
            return state.saved_by(at)
    return None


def declare_beneath(
    sh: Call, state: State, target: Target, wanted: Wanted, saved: dict[str, tuple[Any, int]]
) -> None:
    """Declare a global variable that a local one hides: it comes up for this moment."""
    name = target.name
    hiding = (state.variables.get(name, ABSENT), state.attributes.get(name, 0))
    put_back(state, name, *saved[name])
    try:
        declare_one(sh, state, target, wanted)
    finally:
        saved[name] = (state.variables.get(name, ABSENT), state.attributes.get(name, 0))
        put_back(state, name, *hiding)


def declare_one(sh: Call, state: State, target: Target, wanted: Wanted) -> None:
    """Give a variable its attributes and its value."""
    if wanted.frame is not None:
        if is_fixed(state, target.name):
            raise sh.fail(f"{target.name}: readonly variable")
        hidden = state.variables.get(target.name, ABSENT), state.attributes.get(target.name, 0)
        make_local(state, target.name)
        if wanted.inherits and hidden[0] is not ABSENT:
            state.variables[target.name] = copied(hidden[0])
            set_bits(state, target.name, hidden[1])
    if not (wanted.sets | wanted.clears) & REFERENCE:
        follow(state, target)
    name = target.name
    is_new = name not in state.variables and not target.has_value
    shape(sh, state, name, wanted)
    bits = state.attributes.get(name, 0)
    if wanted.clears & bits & READONLY:
        raise sh.fail(f"{name}: readonly variable")
    if wanted.sets & REFERENCE and isinstance(state.variables.get(name), CONTAINERS):
        raise sh.fail(f"{name}: reference variable cannot be an array")
    bits &= ~wanted.clears
    if wanted.sets & CASES:
        bits &= ~CASES
    bits |= wanted.sets & ~READONLY
    if wanted.sets & REFERENCE:
        bits &= ~(CASES | INTEGER)
    makes = wanted.makes or name in state.attributes
    if is_new and makes and (wanted.kind or not wanted.sets):
        bits |= DECLARED
    set_bits(state, name, bits)
    if (wanted.sets | wanted.clears) & REFERENCE:
        refer(sh, state, target, bool(wanted.sets & REFERENCE))
    elif target.has_value:
        store(state, target)
    if wanted.sets & READONLY:
        set_bits(state, name, state.attributes.get(name, 0) | READONLY)


def set_bits(state: State, name: str, bits: int) -> None:
    """Set a variable's attributes; plain variables are not in the table."""
    if bits & EXPORTED:
        refuse_export(name, state.variables.get(name))
    if bits:
        state.attributes[name] = bits
    else:
        state.attributes.pop(name, None)


def follow(state: State, target: Target) -> None:
    """Let a reference be what it stands for."""
    target.name, target.keys = destination(state, target.name, target.keys)


def refer(sh: Call, state: State, target: Target, is_reference: bool) -> None:
    """Make a variable stand for another one, or no longer."""
    name = target.name
    found = target.value if target.has_value else state.variables.get(name)
    if found is None:
        return
    text = text_of(found)
    if is_reference:
        try:
            inner, _ = place_of(sh, text)
        except Failure:
            raise sh.fail(f"`{text}': invalid variable name for name reference") from None
        if inner == name:
            raise sh.fail(f"{name}: nameref variable self references not allowed")
    state.variables[name] = NameReference(text) if is_reference else str(text)


def shape(sh: Call, state: State, name: str, wanted: Wanted) -> None:
    """Make a variable the kind of array that the options ask for."""
    found = state.variables.get(name)
    if wanted.loses_array and isinstance(found, CONTAINERS):
        raise sh.fail(f"{name}: cannot destroy array variables in this way")
    if wanted.kind == "a" and not isinstance(found, list):
        if isinstance(found, dict):
            raise sh.fail(f"{name}: cannot convert associative to indexed array")
        state.variables[name] = as_array(found)
    elif wanted.kind == "A" and not isinstance(found, dict):
        if isinstance(found, list):
            raise sh.fail(f"{name}: cannot convert indexed to associative array")
        state.variables[name] = ShellRecord() if found is None else ShellRecord({"0": found})


def store(state: State, target: Target) -> None:
    """Give a variable its value, by what it is already."""
    name, value = target.name, target.value
    found = state.variables.get(name)
    if target.keys:
        write(state, name, target.keys, value, append=target.appends)
        return
    if isinstance(found, CONTAINERS) and isinstance(value, str) and is_array(value):
        evaluate(state, f"{name}{'+' * target.appends}={value}", "declare")
        return
    if isinstance(value, EntryList) and target.appends:
        state.assign(name, value.added_to(state, name))
        return
    value = shaped(state, name, value)
    if isinstance(found, CONTAINERS) and not isinstance(value, CONTAINERS):
        first = "0" if isinstance(found, dict) else 0
        write(state, name, [first], value, append=target.appends)
    elif not target.appends:
        state.assign(name, value)
    elif state.attributes.get(name, 0):
        appended(state, name, value)
    else:
        state.variables[name] = joined(state, state.own(name), value)


def is_array(text: str) -> bool:
    """Whether a text is an array's, as in `declare -a "xs=(a b)"`, which sh reads like code."""
    return text[:1] == "(" and text[-1:] == ")"
