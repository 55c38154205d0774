"""Braces: the alternatives of a word, each a word by itself."""

from __future__ import annotations

from itertools import product

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.variables.braces import brace_range
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.state.state import State


def brace_adder(word: ast.Word, context: CompileContext, purpose: str) -> Adder:
    """A word with braces: one word for each alternative, made when it is first needed."""
    count = alternative_count(word)
    adders: list[Adder] = []

    def add(state: State, made: list[Any]) -> None:
        most = state.session.limits.braces
        if most is not None and count > most:
            raise LimitReached("braces", count, most)
        if not adders:
            # All at once: a shell on another thread may run this script too.
            adders[:] = [
                context.argument_adder(ast.Word(word.start, word.end, parts), purpose)
                for parts in alternatives(word)
                if parts  # `{a,}` is one word, as in sh
            ]
        size = 0
        for one in adders:
            one(state, made)
            size += len(made[-1]) if made and made[-1].__class__ is str else 0
            if size > state.max_value_chars:
                raise state.value_too_long(size)

    return add


def alternative_count(word: ast.Word) -> int:
    """How many words there will be; nothing is made."""
    count = 1
    for part in word.parts:
        if isinstance(part, ast.Brace):
            count *= sum(map(alternative_count, part.branches))
        elif isinstance(part, ast.BraceRange):
            found = brace_range(part.first, part.last, part.step)
            count *= 1 if found is None else len(found)
    return count


def alternatives(word: ast.Word) -> Iterator[list[ast.Part]]:
    """The alternatives, the first braces changing slowest."""
    for choice in product(*(part_choices(part) for part in word.parts)):
        parts: list[ast.Part] = []
        for group in choice:
            for part in group:
                if parts and isinstance(part, ast.Text) and isinstance(parts[-1], ast.Text):
                    joined = ast.Text(parts[-1].start, part.end, parts[-1].value + part.value)
                    parts[-1] = joined
                else:
                    parts.append(part)
        yield parts


def part_choices(part: ast.Part) -> Sequence[Sequence[ast.Part]]:
    """What one part may be."""
    if isinstance(part, ast.Brace):
        return [parts for branch in part.branches for parts in alternatives(branch)]
    if isinstance(part, ast.BraceRange):
        found = brace_range(part.first, part.last, part.step)
        if found is None:
            step = f"..{part.step}" if part.step else ""
            found = [f"{{{part.first}..{part.last}{step}}}"]
        return [[ast.Text(part.start, part.end, text)] for text in found]
    return [[part]]
