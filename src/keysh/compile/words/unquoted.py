"""Unquoted expansions in a list of words: each becomes no word, one, or several."""

from __future__ import annotations

from keysh.compile.words.word_analysis import LIST_PURPOSES, OWN_PURPOSES, all_mark, flattened_parts
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.words.word_splitting import refuse_lines, refuse_unsplit, words_of_lines
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import ShellList, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


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

    may_split = purpose not in OWN_PURPOSES and not has_quoted_operand(node)

    def add(state: State, words: list[Any]) -> None:
        value = read(state)
        if value.__class__ is ShellList:
            words.extend(value)
        elif value.__class__ is str and may_split and "\n" in value:
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
    pieces: list[tuple[bool, Expression]] = []  # whether it may be several words, and its reader
    keeps = False
    for part in parts:
        keeps = keeps or bool(constant_text(part)) or isinstance(part, ast.Quoted)
        if isinstance(part, ast.Substitution):
            pieces.append((True, substitution_lines(part, context, purpose)))
        elif isinstance(part, ast.DoubleQuoted):
            for inner in part.parts:
                if all_mark(inner) == "@":
                    pieces.append((True, context.part(inner)))
                else:
                    pieces.append((False, context.part_text(inner)))
            keeps = keeps or not any(all_mark(inner) == "@" for inner in part.parts)
        elif all_mark(part):
            pieces.append((True, context.part(part)))
        else:
            pieces.append((False, context.part_text(part)))
    return pieces_adder(pieces, keeps=keeps)


def operand_words(word: ast.Word, context: CompileContext) -> Expression:
    """`"${1+a $@}"`: the words of an operand that may replace a variable"""
    parts = flattened_parts(word.parts)
    add = pieces_adder(
        [
            (True, context.part(part))
            if all_mark(part) == "@"
            else (False, context.part_text(part))
            for part in parts
        ],
        keeps=any(map(constant_text, parts)),
    )

    def words(state: State) -> list[Any]:
        expanded: list[Any] = []
        add(state, expanded)
        return expanded

    return words


def pieces_adder(pieces: Sequence[tuple[bool, Expression]], *, keeps: bool) -> Adder:
    """Join pieces, some of them several words, to words; an empty one vanishes unless `keeps`."""

    def add(state: State, words: list[Any]) -> None:
        current: str | None = "" if keeps else None
        for is_list, read in pieces:
            value = read(state)
            if not is_list:
                if value or current is not None:
                    current = (current or "") + value
                continue
            items = value if isinstance(value, list) else [] if value is None else [value]
            for index, item in enumerate(items):
                if index:
                    words.append(current)
                    current = ""
                current = (current or "") + text_of(item)
        if current is not None:
            words.append(current)

    return add


def substitution_lines(part: ast.Substitution, context: CompileContext, purpose: str) -> Expression:
    """The lines of a `$(…)` among other parts."""
    read, joins = context.captured_value(part), purpose == "joined"

    def lines(state: State) -> list[Any]:
        value, is_listing = read(state)
        return words_of_lines(state, text_of(value), part, is_listing, joins)

    return lines
