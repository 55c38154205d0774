"""Scope: the variables of a state, with their attributes and limits."""

from __future__ import annotations

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import NOUNSET
from keysh.interp.state.position import Position
from keysh.interp.variables.variable import (
    ARRAY,
    EXPORTED,
    READONLY,
    SPECIAL_ASSIGNMENT,
    NameReference,
    first_element,
    is_array,
    missing_subscript,
    readonly_variable,
    refuse_export,
    unbound_variable,
)
from keysh.text.chunks import utf8_bytes
from keysh.values import ABSENT, ARRAYS, CONTAINERS, ShellList, count_items, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.budget import Budget
    from keysh.interp.state.session import Session

MAX_UNCHECKED_TEXTS = 4  # texts that are joined first and measured then
MAX_JOINED_CHARACTERS = 1 << 20
BYTES_PER_ELEMENT = 64  # what an element of a list counts toward the limit for a value
MANY_ELEMENTS = 5000  # from this length on, each change of a list checks for the end of the run


class Scope(Position):
    """The variables.

    variables   name -> value; a missing name is unset
    attributes  name -> bits, for the few names that have any
    owned       the names whose containers are this state's own; None means all
    temporary   the variables set for one command, as in `x=1 f`: the value before, its attributes,
                and the number of frames inside the function; negative if the command is none

    No two variables share a container, so a list can be changed in place. A fork copies only the
    table: parent and child share the containers until one of them changes one (`own_value`), which
    is why a fork starts with an empty `owned`. After `fork` the parent waits for the child, so it
    keeps what it owns; after `fork_concurrent` it goes on, so its `owned` is emptied too, and that
    of all states above it. An assignment removes the name from `owned`, because one copy too many
    is harmless and one too few is not.
    """

    __slots__ = (
        "attributes", "budget", "dialect", "flags", "max_value_bytes", "owned", "safe_length",
        "session", "temporary", "variables",
    )  # fmt: skip

    session: Session
    budget: Budget
    dialect: Dialect  # of the text that runs
    flags: int  # the shell options, see interp/run/options.py
    max_value_bytes: int
    safe_length: int  # the characters that fit into a value, whichever they are
    variables: dict[str, Any]
    attributes: dict[str, int]
    owned: dict[str, None] | tuple[()] | None  # a table takes a third of a set, `()` nothing
    temporary: Mapping[str, tuple[Any, int, int]]  # a new one for a change

    def exported_variables(self) -> dict[str, str]:
        """Return the exported variables as text; bash arrays are never exported."""
        variables = self.variables
        return {
            name: text_of(variables[name])
            for name, bits in self.attributes.items()
            if bits & EXPORTED and name in variables and not is_array(variables[name])
        }

    def variable_text(self, name: str, value: Any) -> str:
        """Return the text of a variable whose value is not a string."""
        kind = value.__class__
        if kind is int:
            return str(value)
        if value is None:
            if self.flags & NOUNSET and name not in self.variables:
                raise unbound_variable(name)
            return ""
        found = self.variable_value(name, value)
        if isinstance(found, ShellList):  # of a reference to `a[@]`
            return self.join_values(" ", found)
        return self.text(found)

    def variable_value(self, name: str, value: Any) -> Any:
        """Return the value of a variable that holds neither a string nor a number.

        A name reference is followed; a bash array without a subscript is an error.
        """
        if value is None:
            if self.flags & NOUNSET and name not in self.variables:
                raise unbound_variable(name)
            return None
        kind = value.__class__
        if kind is NameReference:
            return self.session.services.read_text_path(self, value)
        if is_array(value):
            if not self.dialect.reads_first_element:
                raise missing_subscript(name, value)
            first = first_element(value)
            if first is not ABSENT:
                return first
            if self.flags & NOUNSET:
                raise unbound_variable(name)
            return None
        return value

    def assign(self, name: str, value: Any) -> None:
        """Set a variable as its attributes require; a container must be the variable's own."""
        bits = self.attributes.get(name, 0)
        if bits & SPECIAL_ASSIGNMENT and not (bits == ARRAY and isinstance(value, ARRAYS)):
            self.session.services.assign_by_attributes(self, name, value, bits)
            return
        if bits & EXPORTED:
            refuse_export(name, value)
        if isinstance(value, ARRAYS):
            self.attributes[name] = bits | ARRAY
        self.variables[name] = value
        if self.owned:
            self.owned.pop(name, None)

    def assign_copy(self, name: str, value: Any) -> None:
        """Set a variable to a value that something else may refer to, too."""
        self.assign(name, deep_copy(value) if isinstance(value, CONTAINERS) else value)

    def element_copy(self, value: Any) -> Any:
        """Return a value for a list or record: a copy, checked against the limit."""
        if not isinstance(value, CONTAINERS):
            return value
        copy: Any = deep_copy(value)
        self.check_elements(count_items(copy))
        return copy

    def own_value(self, name: str) -> Any:
        """Return the value of a variable for a change in place, copied if it may be shared."""
        value = self.variables.get(name)
        if self.owned is not None and name not in self.owned and isinstance(value, CONTAINERS):
            value = self.variables[name] = deep_copy(value)
            self.owned = self.owned or {}
            self.owned[name] = None
        return value

    def unset(self, name: str) -> None:
        """Unset a variable.

        A local of the running function stays local; a local of a calling function disappears, which
        uncovers the variable it hid. So does, in the bash dialect, what `x=1 f` has set.
        """
        if self.attributes.get(name, 0) & READONLY:
            raise readonly_variable(name)
        self.variables.pop(name, None)
        self.attributes.pop(name, None)
        last = len(self.frames) - 1
        outermost = 0  # frame whose local would be found before an assignment for one command
        is_temporary = name in self.temporary and self.dialect.is_lenient
        if is_temporary:
            outermost = abs(self.temporary[name][2]) - 1
        for index in range(last, outermost - 1, -1):
            saved = self.frames[index].saved_variables
            if saved is not None and name in saved:
                if index < last:
                    restore_variable(self, name, *self.saved_by(index).pop(name))
                return
        if is_temporary:  # as in bash the variable that it has hidden appears
            value, bits, _ = self.temporary[name]
            self.temporary = {one: kept for one, kept in self.temporary.items() if one != name}
            restore_variable(self, name, value, bits)

    def saved_by(self, index: int) -> dict[str, tuple[Any, int]]:
        """Return the variables that a frame will restore; the frame of a parent is copied first."""
        frame = self.frames[index]
        if index < self.shared_frames:
            frame = self.frames[index] = frame.copy()
        if frame.saved_variables is None:
            frame.saved_variables = {}
        return frame.saved_variables

    def export(self, name: str) -> None:
        """Export a variable."""
        refuse_export(name, self.variables.get(name))
        self.attributes[name] = self.attributes.get(name, 0) | EXPORTED

    def replace_exported_variables(self, env: Mapping[str, str]) -> None:
        """Export exactly these variables."""
        for name in [name for name, bits in self.attributes.items() if bits & EXPORTED]:
            if name not in env:
                self.variables.pop(name, None)
                self.attributes.pop(name, None)
        for name, value in env.items():
            if self.variables.get(name, ABSENT) != value:
                self.variables[name] = value
            self.export(name)

    def check_elements(self, items: int) -> None:
        """Stop the run if a list has more elements than the limit for a value allows."""
        if items * BYTES_PER_ELEMENT > self.max_value_bytes:
            raise self.value_too_large(items * BYTES_PER_ELEMENT)
        if items > MANY_ELEMENTS:
            self.budget.check()

    def check_size(self, size: int) -> None:
        """Stop the run if a value of `size` bytes is larger than the limit."""
        if size > self.max_value_bytes:
            raise self.value_too_large(size)

    def check_text(self, text: str) -> None:
        """Stop the run if a text is larger than a value may be."""
        if len(text) > self.safe_length:
            self.check_size(utf8_bytes(text))

    def text(self, value: Any) -> str:
        """Return a value as text, unless that is larger than a value may be."""
        kind = value.__class__
        if kind is str:
            return value  # type: ignore[no-any-return]
        if kind is int:
            return str(value)
        if isinstance(value, CONTAINERS):
            self.check_container(value)
        text = text_of(value)
        self.check_text(text)
        return text

    def check_texts(self, texts: Collection[str], times: int = 1) -> None:
        """Stop the run if these texts, repeated and joined, are larger than a value may be."""
        length = sum(map(len, texts)) * times
        if length > self.safe_length:
            self.check_size(length)  # what is far too large need not be looked at
            self.check_size(sum(map(utf8_bytes, texts)) * times)

    def check_container(self, container: Any) -> None:
        """Stop the run if a list or record is, as text, larger than a value may be."""
        length, todo = 0, [container]
        while todo:
            value = todo.pop()
            if value.__class__ is str:
                length += utf8_bytes(value)
            elif isinstance(value, dict):
                todo += value.keys()
                todo += value.values()
            elif isinstance(value, list):
                todo += value
            self.check_size(length)

    def join_values(self, separator: str, values: Collection[Any]) -> str:
        """Return values as one text, unless that is larger than a value may be."""
        try:  # nearly always there are only strings, and few: 1.5 times as fast
            if sum(map(len, values)) + len(separator) * len(values) <= self.safe_length:
                return separator.join(values)
        except TypeError:
            pass
        texts = [*map(self.text, values)]
        self.check_texts(texts)
        self.check_texts((separator,), len(texts))
        return separator.join(texts)

    def value_too_large(self, size: int) -> LimitReached:
        """Return the error for a value beyond the limit."""
        return LimitReached("value", size, self.max_value_bytes)


def are_long(words: Collection[object]) -> bool:
    """Whether strings or numbers are long together: the memory is looked at before a join."""
    if len(words) <= MAX_UNCHECKED_TEXTS:
        return False
    return sum(map(len, map(str, words))) > MAX_JOINED_CHARACTERS


def restore_variable(scope: Scope, name: str, value: Any, bits: int) -> None:
    """Restore a variable after an assignment for one command or one run."""
    if value is ABSENT:
        scope.variables.pop(name, None)
    else:
        scope.variables[name] = value
    if bits:
        scope.attributes[name] = bits
    else:
        scope.attributes.pop(name, None)
