"""Unquoted expansions in a list of words: each becomes no word, one, or several."""

from __future__ import annotations

from keysh.compile.words.word_analysis import (
    LIST_PURPOSES,
    OWN_PURPOSES,
    all_mark,
    flattened_parts,
    is_indirect,
)
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.specials import text_of_elements
from keysh.interp.words.word_splitting import refuse_lines, refuse_unsplit, words_of_lines
from keysh.syntax import ast
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    # A piece of a word: whether it may be several words, whether it is quoted, and its reader.
    Piece: TypeAlias = tuple[bool, bool, Expression]


def unquoted_value(read: Expression, node: Node, purpose: str) -> Adder:
    """`$x`. In a list a string that sh would split is refused (E204)."""
    if purpose in LIST_PURPOSES:

        def add_items(state: State, words: list[Any]) -> None:
            value = read(state)
            if value is None or value == "":
                return
            if value.__class__ is str:
                refuse_unsplit(state, value, node)
                words.append(value)
            elif isinstance(value, list):
                words.extend(value)
            elif isinstance(value, dict):
                raise RuntimeDiagnostic("E201", "a record is not a list of words", text_of(value),
                              "$(keys …) or $(values …)").with_location(node)  # fmt: skip
            else:
                words.append(value)

        return add_items

    may_split = purpose not in OWN_PURPOSES

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if isinstance(value, ShellList):
            words.extend(value)
        elif value.__class__ is str and may_split and "\n" in value:
            if not has_quoted_operand(node):
                refuse_lines(state, value, node)
            words.append(value)
        elif value is not None and value != "":
            words.append(value)

    return add


def has_quoted_operand(node: Node) -> bool:
    """Whether an expansion may be quoted text, as `${x:-"a b"}` is, which sh does not split."""
    return any(isinstance(inner, ast.Quoted | ast.DoubleQuoted) for inner in node.walk())


def unquoted_substitution(part: ast.Substitution, context: CompileContext, purpose: str) -> Adder:
    """`$(…)`: its value, or one word for each line"""
    read, joins = context.captured_value(part), purpose == "joined"

    def add(state: State, words: list[Any]) -> None:
        value, is_listing = read(state)
        if value.__class__ is str:
            words.extend(words_of_lines(state, value, part, is_listing, joins))
        elif isinstance(value, list):
            words.extend(value)
        elif value is not None:
            words.append(value)

    return add


def multi_word_adder(parts: Sequence[Node], context: CompileContext, purpose: str) -> Adder:
    """`a"$@"b`, `x$(y)`: the first word takes the text before, the last one the text after."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, ast.Substitution):
            pieces.append((True, False, substitution_lines(part, context, purpose)))
        elif isinstance(part, ast.DoubleQuoted):
            is_word = not any(all_mark(inner) == "@" for inner in part.parts)
            pieces.append((False, is_word, lambda state: ""))
            for inner in part.parts:
                if all_mark(inner) == "@":
                    pieces.append((True, True, context.part(inner)))
                elif is_indirect(inner):
                    pieces.append((True, True, quoted_elements(context.part(inner))))
                else:
                    pieces.append((False, False, context.part_text(inner)))
        elif all_mark(part) or is_indirect(part):
            pieces.append((True, False, context.part(part)))
        else:
            pieces.append((False, isinstance(part, ast.Quoted), context.part_text(part)))
    return pieces_adder(pieces)


def quoted_elements(read: Expression) -> Expression:
    """`"a${!r}b"`: all elements where `r` ends with `[@]`, one text where with `[*]`"""

    def elements(state: State) -> Any:
        value = read(state)
        return value if value.__class__ is ShellList else [text_of_elements(state, value)]

    return elements


def operand_words(word: ast.Word, context: CompileContext) -> Expression:
    """`"${1+a $@}"`: the words of an operand that may replace a variable"""
    add = pieces_adder(
        [
            (True, True, context.part(part))
            if all_mark(part) == "@"
            else (False, False, context.part_text(part))
            for part in flattened_parts(word.parts)
        ]
    )

    def words(state: State) -> list[Any]:
        expanded: list[Any] = []
        add(state, expanded)
        return expanded

    return words


def pieces_adder(pieces: Sequence[Piece]) -> Adder:
    """Join pieces, some of them several words, to words; an empty one needs a quoted piece."""

    def add(state: State, words: list[Any]) -> None:
        current, is_kept = "", False
        for is_list, is_quoted, read in pieces:
            value = read(state)
            if not is_list:
                current += value
                is_kept = is_kept or is_quoted
                continue
            items = value if isinstance(value, list) else [] if value is None else [value]
            for index, item in enumerate(items):
                if index:
                    if current or is_kept:
                        words.append(current)
                    current, is_kept = "", False
                current += text_of(item)
                is_kept = is_kept or is_quoted
        if current or is_kept:
            words.append(current)

    return add


def substitution_lines(part: ast.Substitution, context: CompileContext, purpose: str) -> Expression:
    """The lines of a `$(…)` among other parts."""
    read, joins = context.captured_value(part), purpose == "joined"

    def lines(state: State) -> list[Any]:
        value, is_listing = read(state)
        return words_of_lines(state, text_of(value), part, is_listing, joins)

    return lines
