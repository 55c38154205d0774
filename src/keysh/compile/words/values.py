"""Values after the `=` of an assignment: typed words, lists, records and arrays."""

from __future__ import annotations

from keysh.compile.lazy_compiler import LazyCompiler
from keysh.compile.words.word_analysis import is_indirect, stands_for_all
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arrays import EntryList, UnexpandedTilde
from keysh.interp.variables.specials import text_of_elements
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.shell_numbers import MAX_ID_DIGITS
from keysh.values import (
    CONTAINERS,
    ShellList,
    count_items,
    deep_copy,
    json_number,
    text_of,
    type_name,
    value_of_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

spread_elements_of: LazyCompiler[[ast.Spread, CompileContext], Expression] = LazyCompiler(
    "words.spreads.spread_elements_of"
)

INFINITY = float("inf")


def value(node: ast.Value, context: CompileContext) -> Expression:
    """Compile a value. It may be shared with a variable: whoever keeps it copies it."""
    if isinstance(node, ast.List):
        return list_value(node, context)
    if isinstance(node, ast.Record):
        return record_value(node, context)
    if isinstance(node, ast.Array):
        return array_value(node, context)
    return word_value(node, context)


def is_fresh(node: ast.Value | None) -> bool:
    """Whether a value is made anew each time, so that nothing else can hold it."""
    return not isinstance(node, ast.Word) or constant_text(node) is not None


def word_value(word: ast.Word, context: CompileContext) -> Expression:
    """A word: bare text is typed, a lone `$x` keeps its type, anything else is a string."""
    known = constant_text(word)
    if known is not None:
        is_bare = all(isinstance(part, ast.Text) for part in word.parts)
        constant = bare_value(known, context) if is_bare else known
        return lambda state: constant
    if len(word.parts) == 1:
        part = word.parts[0]
        if isinstance(part, ast.Variable) and part.name not in ("@", "*"):
            return context.part(part)
        if isinstance(part, ast.Substitution):
            read = context.captured_value(part)
            return lambda state: read(state)[0]
        if isinstance(part, ast.ArithmeticExpansion):
            return context.arithmetic(part.expression)
        if isinstance(
            part, ast.Expand | ast.Replace | ast.Slice | ast.Length
        ) and not stands_for_all(part):
            read = context.part(part)
            return joined_elements(read) if any(map(is_indirect, part.walk())) else read
    return context.text(word)


def joined_elements(read: Expression) -> Expression:
    """`${!r}`: its value, or the text of all elements"""

    def value_or_text(state: State) -> Any:
        value = read(state)
        return text_of_elements(state, value) if isinstance(value, ShellList) else value

    return value_or_text


def bare_value(text: str, context: CompileContext) -> object:
    """The value of bare text. In bash only numbers are typed, which changes nothing but speed."""
    value = value_of_text(text)
    if context.source.dialect.has_literals:
        return value
    return value if value.__class__ is int and len(text) <= MAX_ID_DIGITS else text


def element_value(node: ast.Value, context: CompileContext) -> Expression:
    """An element of a literal, which owns its value. Numbers are typed as in JSON."""
    if isinstance(node, ast.Word):
        known = constant_text(node)
        if known is not None:
            is_bare = all(isinstance(part, ast.Text) for part in node.parts)
            if is_bare and is_out_of_range(known):
                return lambda state: refuse_number(known, node)
            constant = typed_literal(known) if is_bare else known
            return lambda state: constant
        read = context.value(node)

        def copied_value(state: State) -> Any:
            value = read(state)
            return deep_copy(value) if isinstance(value, CONTAINERS) else value

        return copied_value
    return context.value(node)


def is_out_of_range(text: str) -> bool:
    """Whether a text is a JSON number too large for any number, such as `1e999`."""
    return "e" in text.lower() and is_json_number(text) and float(text) in (INFINITY, -INFINITY)


def refuse_number(text: str, node: ast.Word) -> object:
    """E207 for a number out of range."""
    raise RuntimeDiagnostic(
        "E207", "out of the range of numbers", text, f'text: "{text}"'
    ).with_location(node)


def typed_literal(text: str) -> object:
    """Bare text in a literal: `null` is typed too, and a number keeps its spelling."""
    if text == "null":
        return None
    if is_json_number(text):
        return json_number(text)
    return value_of_text(text)


def is_json_number(text: str) -> bool:
    """Whether a text is a number of JSON."""
    if text[:1] not in ("-", *"0123456789"):
        return False
    from json import loads  # noqa: PLC0415 - only for literals

    try:
        return isinstance(loads(text), int | float)
    except ValueError:
        return False


def list_value(node: ast.List, context: CompileContext) -> Expression:
    """`[a, "b c", ...$more]`"""
    adders: list[tuple[bool, Expression]] = [
        (True, spread_elements_of(element, context))
        if isinstance(element, ast.Spread)
        else (False, element_value(element, context))
        for element in node.elements
    ]

    def make(state: State) -> list[Any]:
        items: list[Any] = []
        for is_spread, read in adders:
            if is_spread:
                items.extend([deep_copy(item) for item in read(state)])
            else:
                items.append(read(state))
        state.check_elements(count_items(items))
        return items

    return make


def record_value(node: ast.Record, context: CompileContext) -> Expression:
    """`{name: amy, ...$more}`"""
    pairs: list[tuple[Expression | None, Expression]] = []
    for pair in node.pairs:
        if isinstance(pair, ast.Spread):
            pairs.append((None, spread_record(pair, context)))
        else:
            pairs.append((context.text(pair.key), element_value(pair.value, context)))

    def make(state: State) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for key, read in pairs:
            if key is None:
                record.update(deep_copy(read(state)))  # type: ignore[call-overload]
            else:
                record[key(state)] = read(state)
        state.check_elements(count_items(record))
        return record

    return make


def spread_record(spread: ast.Spread, context: CompileContext) -> Expression:
    """Compile the record that is spread into another one."""
    read, word = context.value(spread.word), spread.word

    def record(state: State) -> dict[str, Any]:
        value = read(state)
        if isinstance(value, dict):
            return value
        if value is None:
            return {}
        message = f"only a record can be spread in a record, this is a {type_name(value)}"
        raise RuntimeDiagnostic("E201", message, text_of(value)).with_location(word)

    return record


def array_value(node: ast.Array, context: CompileContext) -> Expression:
    """`(a b)` is a list of words; `([k]=v)` a list or, under `declare -A`, a record."""
    entries = node.entries
    if not any(isinstance(entry, ast.Entry) for entry in entries):
        words = context.words(entries, purpose="array")  # type: ignore[arg-type]
        return lambda state: ShellList([deep_copy(word) for word in words(state)])
    makers: list[Callable[[State, EntryList], object]] = []
    for entry in entries:
        if isinstance(entry, ast.Entry):
            makers.append(keyed_entry(entry, context))
        else:
            makers.append(unkeyed_entries(entry, context))

    def make(state: State) -> EntryList:
        array = EntryList()
        for add in makers:
            add(state, array)
        return array

    return make


def keyed_entry(entry: ast.Entry, context: CompileContext) -> Callable[[State, EntryList], object]:
    """`[key]=value`"""
    key = context.keys([entry.subscript])
    if entry.value is None:
        read: Expression = empty_text
    elif context.source.dialect.is_lenient and any(
        isinstance(part, ast.Tilde) for part in entry.value.parts
    ):
        read = tilde_value(entry.value, context)
    else:
        read = context.value(entry.value)
    appends = entry.append
    return lambda state, array: array.append(
        (text_of(key(state)[0]), deep_copy(read(state)), appends)
    )


def empty_text(state: State) -> str:
    """The value of `[key]=`."""
    return ""


def tilde_value(word: ast.Word, context: CompileContext) -> Expression:
    """`~/x` as the value of a key: only an array with indexes has it expanded, in bash"""
    readers = [(context.part_text(part), part) for part in word.parts]

    def value(state: State) -> UnexpandedTilde:
        texts = [read(state) for read, _ in readers]
        text = UnexpandedTilde("".join(texts))
        text.written = "".join(
            part.value if isinstance(part, ast.Tilde) else one
            for one, (_, part) in zip(texts, readers, strict=True)
        )
        return text

    return value


def unkeyed_entries(
    entry: ast.Word | ast.Spread, context: CompileContext
) -> Callable[[State, EntryList], object]:
    """A word between keyed entries"""
    words = context.words([entry], purpose="array")
    return lambda state, array: array.extend([(None, word, False) for word in words(state)])
