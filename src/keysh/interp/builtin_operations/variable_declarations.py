"""Declarations: the work behind `declare`, `local`, `export` and `readonly`."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.engine.scripts import evaluate_text
from keysh.interp.run.options import ALLEXPORT
from keysh.interp.state.attributes import append_to_attributed, as_array
from keysh.interp.state.call import CommandFailure
from keysh.interp.state.scope import restore_variable
from keysh.interp.state.state_of_call import invalid_identifier, variable_path
from keysh.interp.variables.arrays import EntryList, array_value
from keysh.interp.variables.hash_order import BashRecord
from keysh.interp.variables.locals import is_readonly_here, make_local
from keysh.interp.variables.value_paths import (
    ALL_SUBSCRIPTS,
    append_value,
    reference_target,
    write_path,
)
from keysh.interp.variables.variable import (
    ARRAY,
    DECLARED,
    EXPORTED,
    INTEGER,
    LOWER,
    READONLY,
    REFERENCE,
    UPPER,
    NameReference,
    first_key,
    refuse_export,
)
from keysh.schema.arguments import NamedArgument, raw_texts
from keysh.values import ABSENT, ARRAYS, CONTAINERS, ShellRecord, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from keysh.interp.run.function import Frame, ShellFunction
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

CASE_BITS = LOWER | UPPER
CLEARABLE_BITS = {
    "i": INTEGER, "l": LOWER, "u": UPPER, "n": REFERENCE, "r": READONLY, "x": EXPORTED,
    "a": 0, "A": 0, "t": 0,
}  # fmt: skip


class DeclareOptions:
    """The options of a declaration: attributes to set and clear, kind of array, scope."""

    __slots__ = (
        "bits_to_clear",
        "frame",
        "inherits",
        "is_global",
        "array_kind",
        "loses_array",
        "declares_unset",
        "bits_to_set",
    )

    def __init__(self, sets: int = 0, clears: int = 0, kind: str = "") -> None:
        self.bits_to_set, self.bits_to_clear = sets, clears
        self.array_kind = kind  # "a", "A", or empty for no array
        self.loses_array = False  # `+a`, which is an error
        self.frame: Frame | None = None  # the function in which variables become local
        self.is_global = False
        self.declares_unset = True  # whether a new name without a value is declared
        self.inherits = False  # whether a local variable starts with the value it hides


def take_plus_words(sh: Call, words: Sequence[object], options: DeclareOptions) -> Sequence[object]:
    """Read the leading `+LETTERS`, which remove attributes; return the remaining words."""
    for at, word in enumerate(words):
        if not isinstance(word, str) or word[:1] != "+" or len(word) == 1:
            return words[at:]
        for letter in word[1:]:
            if letter not in CLEARABLE_BITS:
                raise sh.fail(f"+{letter}: invalid option", 2)
            options.bits_to_clear |= CLEARABLE_BITS[letter]
            options.loses_array = options.loses_array or letter in "aA"
    return ()


class DeclareTarget:
    """One operand: a variable or an element, and its new value, if any."""

    __slots__ = ("appends", "has_value", "keys", "name", "value")

    def __init__(self, name: str, keys: Sequence[object], value: Any, appends: bool) -> None:
        self.name, self.keys, self.value, self.appends = name, keys, value, appends
        self.has_value = value is not ABSENT


def declare_target(sh: Call, word: object) -> DeclareTarget:
    """Parse one operand. Only an unquoted `x=…` keeps its type; everything else is text."""
    if isinstance(word, NamedArgument):
        value = word.value
        if isinstance(value, CONTAINERS) and not isinstance(value, EntryList):
            value = deep_copy(value)
        return DeclareTarget(word.key, (), value, word.appends)
    [text] = raw_texts([word])
    equals = text.find("=")
    if 0 <= text.find("[") < equals:
        equals = max(text.find("]=") + 1, text.find("]+=") + 2)
        equals = equals if text[equals : equals + 1] == "=" else -1
    if equals < 0:
        name, keys = variable_path(sh, text)
        return DeclareTarget(name, keys, ABSENT, False)
    appends = text[:equals].endswith("+")
    try:
        name, keys = variable_path(sh, text[: equals - appends])
    except CommandFailure:
        raise invalid_identifier(sh, text) from None
    return DeclareTarget(name, keys, text[equals + 1 :], appends)


def declare_all(sh: Call, state: State, words: Iterable[object], options: DeclareOptions) -> None:
    """Declare each operand; an error in one does not affect the others."""
    for word in words:
        try:
            target = declare_target(sh, word)
            saved = hidden_global(state, target.name) if options.is_global else None
            if saved is None:
                declare_one(sh, state, target, options)
            else:
                declare_hidden_global(sh, state, target, options, saved)
        except CommandFailure as failure:
            sh.warn(failure.message, failure.status)


def hidden_global(state: State, name: str) -> dict[str, tuple[Any, int]] | None:
    """Return the saved variables of the function whose local hides the global `name`, if any."""
    for at, frame in enumerate(state.frames):
        if frame.saved_variables and name in frame.saved_variables:
            return state.saved_by(at)
    return None


def declare_hidden_global(
    sh: Call,
    state: State,
    target: DeclareTarget,
    options: DeclareOptions,
    saved: dict[str, tuple[Any, int]],
) -> None:
    """Declare a global variable that a local one hides, by uncovering it for a moment."""
    name = target.name
    hiding = (state.variables.get(name, ABSENT), state.attributes.get(name, 0))
    restore_variable(state, name, *saved[name])
    try:
        declare_one(sh, state, target, options)
    finally:
        saved[name] = (state.variables.get(name, ABSENT), state.attributes.get(name, 0))
        restore_variable(state, name, *hiding)


def declare_one(sh: Call, state: State, target: DeclareTarget, options: DeclareOptions) -> None:
    """Set a variable's attributes and value."""
    if options.frame is not None:
        if is_readonly_here(state, target.name):
            raise sh.fail(f"{target.name}: readonly variable")
        hidden = state.variables.get(target.name, ABSENT), state.attributes.get(target.name, 0)
        make_local(state, target.name)
        if options.inherits and hidden[0] is not ABSENT:
            state.variables[target.name] = deep_copy(hidden[0])
            set_attributes(state, target.name, hidden[1])
    if not (options.bits_to_set | options.bits_to_clear) & REFERENCE:
        follow_target(state, target)
    name = target.name
    is_new = name not in state.variables and not target.has_value
    convert_to_array(sh, state, name, options)
    bits = state.attributes.get(name, 0)
    if isinstance(state.variables.get(name), ARRAYS):
        bits |= ARRAY
    sets_reference = options.bits_to_set & REFERENCE and target.has_value
    if options.bits_to_clear & bits & READONLY or (sets_reference and bits & READONLY):
        raise sh.fail(f"{name}: readonly variable")
    if options.bits_to_set & REFERENCE and isinstance(state.variables.get(name), CONTAINERS):
        raise sh.fail(f"{name}: reference variable cannot be an array")
    bits &= ~options.bits_to_clear
    if options.bits_to_set & CASE_BITS:
        bits &= ~CASE_BITS
    bits |= options.bits_to_set & ~READONLY
    if options.bits_to_set & REFERENCE:
        bits &= ~(CASE_BITS | INTEGER)
    makes = options.declares_unset or name in state.attributes
    if is_new and makes and (options.array_kind or not options.bits_to_set):
        bits |= DECLARED
    if state.flags & ALLEXPORT and target.has_value and not isinstance(target.value, CONTAINERS):
        bits |= EXPORTED
    set_attributes(state, name, bits)
    if (options.bits_to_set | options.bits_to_clear) & REFERENCE:
        change_reference(sh, state, target, bool(options.bits_to_set & REFERENCE))
    elif target.has_value:
        store_value(state, target)
    if options.bits_to_set & READONLY:
        set_attributes(state, name, state.attributes.get(name, 0) | READONLY)


def set_attributes(state: State, name: str, bits: int) -> None:
    """Set a variable's attributes; variables without any are not in the table."""
    if bits & EXPORTED:
        refuse_export(name, state.variables.get(name))
    if bits:
        state.attributes[name] = bits
    else:
        state.attributes.pop(name, None)


def follow_target(state: State, target: DeclareTarget) -> None:
    """Replace a name reference by its target."""
    target.name, target.keys = reference_target(state, target.name, target.keys)


def change_reference(sh: Call, state: State, target: DeclareTarget, is_reference: bool) -> None:
    """Turn a variable into a name reference, or a name reference into a variable."""
    name = target.name
    target_value = target.value if target.has_value else state.variables.get(name)
    if target_value is None:
        return
    text = text_of(target_value)
    if is_reference:
        means_all = text[-3:] in ALL_SUBSCRIPTS and state.dialect.reads_first_element
        try:
            inner, _ = variable_path(sh, text[:-3] if means_all else text)
        except CommandFailure:
            set_attributes(state, name, state.attributes.get(name, 0) & ~REFERENCE)
            raise sh.fail(f"`{text}': invalid variable name for name reference") from None
        if inner == name:
            raise sh.fail(f"{name}: nameref variable self references not allowed")
    state.variables[name] = NameReference(text) if is_reference else str(text)


def convert_to_array(sh: Call, state: State, name: str, options: DeclareOptions) -> None:
    """Convert a variable to the requested kind of array."""
    value = state.variables.get(name)
    if options.loses_array and isinstance(value, CONTAINERS):
        raise sh.fail(f"{name}: cannot destroy array variables in this way")
    if options.array_kind == "a" and not isinstance(value, list):
        if isinstance(value, dict):
            raise sh.fail(f"{name}: cannot convert associative to indexed array")
        state.variables[name] = as_array(value)
    elif options.array_kind == "A" and not isinstance(value, dict):
        if isinstance(value, list):
            raise sh.fail(f"{name}: cannot convert indexed to associative array")
        kind = BashRecord if state.dialect is BASH else ShellRecord
        state.variables[name] = kind() if value is None else kind({"0": value})


def store_value(state: State, target: DeclareTarget) -> None:
    """Assign the value as the variable's current type requires."""
    name, value = target.name, target.value
    old = state.variables.get(name)
    if target.keys:
        write_path(state, name, target.keys, value, append=target.appends)
        return
    if isinstance(old, CONTAINERS) and isinstance(value, str) and is_array_text(value):
        evaluate_text(state, f"{name}{'+' * target.appends}={value}", "declare")
        return
    if isinstance(value, EntryList) and target.appends:
        state.assign(name, value.extended_value(state, name))
        return
    value = array_value(state, name, value)
    if isinstance(old, CONTAINERS) and not isinstance(value, CONTAINERS):
        write_path(state, name, [first_key(old)], value, append=target.appends)
    elif not target.appends:
        state.assign(name, value)
    elif state.attributes.get(name, 0):
        append_to_attributed(state, name, value)
    else:
        state.variables[name] = append_value(state, state.own_value(name), value)


def is_array_text(text: str) -> bool:
    """Whether text is an array literal, as in `declare -a "xs=(a b)"`, which sh evaluates."""
    return text[:1] == "(" and text[-1:] == ")"


def mark_functions(
    sh: Call, state: State, names: Iterable[str], marked: Callable[[ShellFunction], ShellFunction]
) -> None:
    """Replace functions by copies that are exported or readonly."""
    for name in names:
        if name in state.functions:
            state.functions[name] = marked(state.functions[name])
        else:
            sh.warn(f"{name}: not a function")
