"""Unquoted expansions in a list of words, each of which may be no word, one, or several."""

from __future__ import annotations

from keysh.compile.words.marks import LIST_PURPOSES, all_mark, flattened_parts
from keysh.interp.engine.splitting import refuse_unsplit, words_of_lines
from keysh.interp.run.problem import RuntimeDiagnostic
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
    """An unquoted expansion. Where sh would split it, and a list is wanted, E204."""
    if purpose in LIST_PURPOSES:

        def add_items(state: State, made: list[Any]) -> None:
            found = read(state)
            if found is None or found == "":
                return
            if found.__class__ is str:
                refuse_unsplit(state, found, node)
                made.append(found)
            elif isinstance(found, list):
                made.extend(found)
            elif isinstance(found, dict):
                raise RuntimeDiagnostic("E201", "a record is no list of words", text_of(found),
                              "$(keys …) or $(values …)").with_location(node)  # fmt: skip
            else:
                made.append(found)

        return add_items

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        if found.__class__ is ShellList:
            made.extend(found)
        elif found is not None and found != "":
            made.append(found)

    return add


def unquoted_substitution(part: ast.Substitution, context: CompileContext, purpose: str) -> Adder:
    """An unquoted `$(…)`: its value, or one word for each line."""
    read, joins = context.captured_value(part), purpose == "joined"

    def add(state: State, made: list[Any]) -> None:
        found, is_listing = read(state)
        if found.__class__ is str:
            made.extend(words_of_lines(state, found, part, is_listing, joins))
        elif isinstance(found, list):
            made.extend(found)
        elif found is not None:
            made.append(found)

    return add


def multi_word_adder(parts: Sequence[Node], context: CompileContext, purpose: str) -> Adder:
    """`a"$@"b`, `x$(y)`: the first of several words takes what stands before, the last the rest."""
    pieces: list[tuple[bool, Expression]] = []  # is many, and its value
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
    """`"${1+a $@}"`: the words of what may take the place of a variable."""
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
        made: list[Any] = []
        add(state, made)
        return made

    return words


def pieces_adder(pieces: Sequence[tuple[bool, Expression]], *, keeps: bool) -> Adder:
    """A word of pieces, some of which stand for many; one that is empty is none unless `keeps`."""

    def add(state: State, made: list[Any]) -> None:
        begun: str | None = "" if keeps else None
        for is_list, read in pieces:
            found = read(state)
            if not is_list:
                if found or begun is not None:
                    begun = (begun or "") + found
                continue
            items = found if isinstance(found, list) else [] if found is None else [found]
            for at, item in enumerate(items):
                if at:
                    made.append(begun)
                    begun = ""
                begun = (begun or "") + text_of(item)
        if begun is not None:
            made.append(begun)

    return add


def substitution_lines(part: ast.Substitution, context: CompileContext, purpose: str) -> Expression:
    """The lines of a `$(…)` among other parts."""
    read, joins = context.captured_value(part), purpose == "joined"

    def lines(state: State) -> list[Any]:
        found, is_listing = read(state)
        return words_of_lines(state, text_of(found), part, is_listing, joins)

    return lines
