"""Fields: the words of bash. A word is expanded, split at `$IFS`, globbed, and loses its quotes.

A word becomes segments (kind, text), segments become fields, and each field the paths it matches:

    QUOTED      quoted, or written without a wildcard: neither split nor a pattern
    PATTERN     a wildcard as written
    EXPANSION   of an unquoted `$x`, `$(…)`: it is split, and its wildcards count
    BOUNDARY    between two elements of `"$@"` or `"${xs[@]}"`
    SEPARATOR   between two elements of an unquoted `$@`, which are split as one text
"""

from __future__ import annotations

from keysh.compile.lazy_compiler import LazyCompiler
from keysh.compile.words.word_analysis import all_mark
from keysh.interp.state.scope import MAX_UNCHECKED_TEXTS
from keysh.interp.variables.specials import text_of_elements
from keysh.interp.words.field_splitting import (
    BOUNDARY,
    EXPANSION,
    IS_SPECIAL,
    PATTERN,
    QUOTED,
    SEPARATOR,
    add_fields,
)
from keysh.interp.words.word_splitting import DEFAULT_IFS
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import ShellList, StarList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.interp.words.field_splitting import Segment
    from keysh.syntax.node import Node

    # Appends the segments of a part of a word.
    Emitter: TypeAlias = Callable[[State, list[Segment]], object]

# Expansions that may be a whole word, as in `cp $from $to`.
LONE_PARTS = (
    ast.Variable, ast.Substitution, ast.ArithmeticExpansion, ast.Expand, ast.Replace, ast.Slice,
    ast.Length, ast.NamesOf,
)  # fmt: skip

pattern_pieces: LazyCompiler[..., Any] = LazyCompiler("words.patterns.pattern_pieces")
subject_and_test: LazyCompiler[..., Any] = LazyCompiler("parameters.expansions.subject_and_test")


def fields_adder(parts: Sequence[Node], context: CompileContext) -> Adder:
    """Compile a word of bash, without braces."""
    if len(parts) == 1:
        [part] = parts
        if isinstance(part, LONE_PARTS) and not is_replaced_by_operand(part):
            return lone_value(context.part(part))
        inner = part.parts if isinstance(part, ast.DoubleQuoted) else ()
        if len(inner) == 1 and may_be_several(inner[0]):
            return quoted_elements(context.part(inner[0]))
        if len(inner) == 1 and isinstance(inner[0], ast.Variable) and inner[0].name.isidentifier():
            return quoted_variable(inner[0], context)
        if is_one_text(part):
            read = context.part_text(part)
            return lambda state, words: words.append(read(state))
    elif all(map(is_simple, parts)):
        return joined_parts(parts, context)
    emit = word_emitter(parts, context)

    def add(state: State, words: list[Any]) -> None:
        segments: list[Segment] = []
        emit(state, segments)
        add_fields(state, segments, words)

    return add


# ---------------------------------------------------------------- the common shapes


def quoted_elements(read: Expression) -> Adder:
    """`"$@"`, `"${xs[@]}"`: a word for each element (1.5x)"""

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if isinstance(value, list) and value.__class__ is not StarList:
            words.extend([one if one.__class__ is str else text_of(one) for one in value])
        else:
            words.append(text_of_elements(state, value))

    return add


def quoted_variable(part: ast.Variable, context: CompileContext) -> Adder:
    """`"$x"`: one word, unless x is a reference to all elements of an array"""
    name, read = part.name, context.part(part)

    def add(state: State, words: list[Any]) -> None:
        held: Any = state.variables.get(name)
        if held.__class__ is str:
            words.append(held)
            return
        value = read(state)
        if value.__class__ is ShellList:
            words.extend(map(text_of, value))
        else:
            words.append(text_of_elements(state, value))

    return add


def is_plain_word(value: Any) -> bool:
    """Whether an element is a text that is one word, whether it is quoted or not."""
    return value.__class__ is str and value != "" and not IS_SPECIAL(value)


def lone_value(read: Expression) -> Adder:
    """`$x`, `$(…)`: nearly always one word without a blank, which is taken as it is (2.5x)"""

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if state.variables.get("IFS") == DEFAULT_IFS:
            kind = value.__class__
            if kind is int:
                words.append(value)
                return
            if kind is str and not IS_SPECIAL(value):
                if value:
                    words.append(value)
                return
            if isinstance(value, list) and all(map(is_plain_word, value)):
                words.extend(value)
                return
        add_fields(state, expansion_segments(value), words)

    return add


def is_one_text(part: Node) -> bool:
    """Whether a part is one word whatever happens: a text in quotes without `"$@"`."""
    if isinstance(part, ast.DoubleQuoted):
        return not any(may_be_several(inner) for inner in part.parts)
    return isinstance(part, ast.Quoted)


def may_be_several(part: Node) -> bool:
    """Whether a part in double quotes may be several words, or none."""
    if all_mark(part) == "@":
        return True
    return isinstance(part, ast.Expand | ast.Replace | ast.Slice) and part.indirect


def is_simple(part: Node) -> bool:
    """Whether a part is a plain text, a text in quotes, or a `$x`."""
    if isinstance(part, ast.Variable):
        return not all_mark(part)
    return isinstance(part, ast.Text) or is_one_text(part)


def joined_parts(parts: Sequence[Node], context: CompileContext) -> Adder:
    """`a$x"b"`: nearly always one word, joined without looking at segments (2x)"""
    readers = [context.part_text(part) for part in parts]
    expansions = [index for index, part in enumerate(parts) if isinstance(part, ast.Variable)]
    has_many = sum(constant_text(part) is None for part in parts) > MAX_UNCHECKED_TEXTS
    keeps = len(expansions) < len(parts)
    kinds = [EXPANSION if isinstance(part, ast.Variable) else QUOTED for part in parts]

    def add(state: State, words: list[Any]) -> None:
        texts = [read(state) for read in readers]
        is_plain = state.variables.get("IFS") == DEFAULT_IFS
        if is_plain and not any(IS_SPECIAL(texts[index]) for index in expansions):
            if has_many:
                state.check_texts(texts)
            text = "".join(texts)
            if len(text) > state.safe_length:
                state.check_text(text)
            if text or keeps:
                words.append(text)
            return
        add_fields(state, list(zip(kinds, texts, strict=True)), words)

    return add


# ---------------------------------------------------------------- segments


def word_emitter(
    parts: Sequence[Node], context: CompileContext, *, in_operand: bool = False
) -> Emitter:
    """Compile the parts of a word; the text of an operand, `${x:-a b}`, is split like a value."""
    # Between brackets the text belongs to the pattern.
    has_bracket = any(isinstance(part, ast.Glob) and part.value == "[" for part in parts)
    text_kind = EXPANSION if in_operand else PATTERN if has_bracket else QUOTED
    emitters = [part_emitter(part, context, text_kind) for part in parts]
    if len(emitters) == 1:
        return emitters[0]

    def emit(state: State, segments: list[Segment]) -> None:
        for emit_part in emitters:
            emit_part(state, segments)

    return emit


def part_emitter(part: Node, context: CompileContext, text_kind: int) -> Emitter:
    """Compile one part."""
    if isinstance(part, ast.Text):
        return constant_segment(text_kind, part.value)
    if isinstance(part, ast.Quoted):
        return constant_segment(QUOTED, part.value)
    if isinstance(part, ast.Glob):
        return constant_segment(PATTERN, part.value)
    if isinstance(part, ast.ExtendedGlob):
        return extended_glob_emitter(part, context)
    if isinstance(part, ast.DoubleQuoted):
        return quoted_emitter(part, context)
    if isinstance(part, ast.Expand) and is_replaced_by_operand(part):
        return operand_emitter(part, context)
    if isinstance(part, ast.Tilde | ast.ProcessSubstitution):
        read = context.part(part)
        return lambda state, segments: segments.append((QUOTED, text_of(read(state))))
    if isinstance(part, ast.Brace | ast.BraceRange):  # of an operand, where braces do not expand
        read = context.part_text(part)
        return lambda state, segments: segments.append((text_kind, read(state)))
    read = context.part(part)
    return lambda state, segments: segments.extend(expansion_segments(read(state)))


def constant_segment(kind: int, text: str) -> Emitter:
    segment = kind, text
    return lambda state, segments: segments.append(segment)


def expansion_segments(value: Any) -> list[Segment]:
    """The segments of an unquoted value."""
    if not isinstance(value, list):
        return [(EXPANSION, text_of(value))]
    segments: list[Segment] = []
    for item in value:
        if segments:
            segments.append((SEPARATOR, ""))
        segments.append((EXPANSION, text_of(item)))
    return segments


def extended_glob_emitter(part: ast.ExtendedGlob, context: CompileContext) -> Emitter:
    """`@(a|$b)`: a pattern, with quoted pieces"""
    pieces = [
        (PATTERN if is_live else QUOTED, text)
        for text, is_live in pattern_pieces([part], context, expansions_live=True)
    ]

    def emit(state: State, segments: list[Segment]) -> None:
        segments += [
            (kind, text if text.__class__ is str else text(state)) for kind, text in pieces
        ]

    return emit


def quoted_emitter(part: ast.DoubleQuoted, context: CompileContext) -> Emitter:
    """`"a$@b"`: one word, or one for each element"""
    # Quotes make a word even of nothing, unless all that they hold is `"$@"`.
    is_only_elements = bool(part.parts) and all(map(may_be_several, part.parts))
    readers: list[tuple[bool, Expression]] = [
        (True, context.part(inner)) if may_be_several(inner) else (False, context.part_text(inner))
        for inner in part.parts
    ]

    def emit(state: State, segments: list[Segment]) -> None:
        if not is_only_elements:
            segments.append((QUOTED, ""))
        for is_several, read in readers:
            value = read(state)
            if not is_several or not isinstance(value, list) or value.__class__ is StarList:
                segments.append((QUOTED, text_of_elements(state, value)))
                continue
            for index, item in enumerate(value):
                if index:
                    segments.append((BOUNDARY, ""))
                segments.append((QUOTED, text_of(item)))

    return emit


# ---------------------------------------------------------------- ${x:-w} and ${x:+w}


def is_replaced_by_operand(part: Node) -> bool:
    """Whether a part may be replaced by its operand, whose quotes count."""
    if not isinstance(part, ast.Expand) or part.operand is None:
        return False
    has_quotes = any(not isinstance(piece, ast.Text) for piece in part.operand.parts)
    return has_quotes and part.operator.lstrip(":") in ("-", "+")


def operand_emitter(part: ast.Expand, context: CompileContext) -> Emitter:
    """`${x:-w}` and `${x:+w}`"""
    find, lacks = subject_and_test(part, context)
    assert part.operand is not None
    emit_operand = word_emitter(part.operand.parts, context, in_operand=True)
    replaces_missing = part.operator.endswith("-")

    def emit(state: State, segments: list[Segment]) -> None:
        value = find(state)
        if lacks(value) is replaces_missing:
            emit_operand(state, segments)
        elif replaces_missing:
            segments.extend(expansion_segments(value))

    return emit
