"""Brace expansion: one word for each combination of the alternatives."""

from __future__ import annotations

from itertools import product
from string import ascii_letters, digits

from keysh.diagnostics.dialect import BASH
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.variables.brace_ranges import brace_range
from keysh.syntax import ast
from keysh.text.bounds.slices import ITEMS_PER_TICK, with_ticks
from keysh.text.chunks import utf8_bytes

NAME_CHARACTERS = f"{ascii_letters}{digits}_"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.state.state import State


def brace_adder(word: ast.Word, context: CompileContext, purpose: str) -> Adder:
    """Expand a word with braces, whose alternatives are compiled when it is first needed."""
    count = alternative_count(word)
    adders: list[Adder] = []

    def add(state: State, words: list[Any]) -> None:
        limit = state.session.limits.braces
        if limit is not None and count > limit:
            raise LimitReached("braces", count, limit)
        if not adders:
            # Assigned at once: another thread may be running the same script.
            adders[:] = [
                context.argument_adder(
                    ast.Word(word.start, word.end, with_tilde(parts, word)), purpose
                )
                for parts in with_ticks(alternatives(word, context.source.dialect), state.tick)
                if parts  # `{a,}` is one word, as in sh
            ]
        size = 0
        many = count > ITEMS_PER_TICK
        for add_alternative in with_ticks(adders, state.tick) if many else adders:
            add_alternative(state, words)
            size += utf8_bytes(words[-1]) if words and words[-1].__class__ is str else 0
            if size > state.max_value_bytes:
                raise state.value_too_large(size)

    return add


def alternative_count(word: ast.Word) -> int:
    """The number of words that will result, computed without making them."""
    count = 1
    for part in word.parts:
        if isinstance(part, ast.Brace):
            count *= sum(map(alternative_count, part.branches))
        elif isinstance(part, ast.BraceRange):
            items = brace_range(part.first, part.last, part.step)
            count *= 1 if items is None else len(items)
    return count


def alternatives(word: ast.Word, dialect: Dialect) -> Iterator[list[ast.Part]]:
    """The parts of each resulting word; the first braces vary slowest."""
    for choice in product(*(part_choices(part, dialect) for part in word.parts)):
        parts: list[ast.Part] = []
        for group in choice:
            for part in group:
                if parts and not dialect.has_literals and isinstance(part, ast.Text):
                    part = with_longer_name(parts, part)
                    if not part.value:
                        continue  # an empty text would make a word of an unset variable
                if parts and isinstance(part, ast.Text) and isinstance(parts[-1], ast.Text):
                    text = ast.Text(parts[-1].start, part.end, parts[-1].value + part.value)
                    parts[-1] = text
                else:
                    parts.append(part)
        yield parts


def with_tilde(parts: list[ast.Part], word: ast.Word) -> list[ast.Part]:
    """Let `~{/a,b}` begin with homes, `~/a` and `~b`, as sh does, which expands braces first."""
    first, text = word.parts[0], parts[0]
    if isinstance(text, ast.Tilde) and len(parts) > 1 and not ends_name_of_user(parts[1]):
        # `{~,b}a` is `~a`, which is nobody's home.
        return [ast.Text(text.start, text.end, text.value), *parts[1:]]
    if not isinstance(first, ast.Text) or first.value != "~" or not isinstance(text, ast.Text):
        return parts
    user, slash, rest = text.value.partition("/")
    if not slash and len(parts) > 1:
        return parts
    home = ast.Tilde(text.start, text.end, user)
    after = [ast.Text(text.start, text.end, slash + rest)] if slash else []
    return [home, *after, *parts[1:]]


def ends_name_of_user(part: ast.Part) -> bool:
    """Whether a part is text behind the name of a user."""
    return isinstance(part, ast.Text) and part.value[:1] in ("/", ":")


def with_longer_name(parts: list[ast.Part], text: ast.Text) -> ast.Text:
    """Let `$x` take the letters after it, as bash does, which expands braces first: `$x{a,b}`."""
    before = parts[-1]
    if not isinstance(before, ast.Variable) or before.braced or not before.name.isidentifier():
        return text
    rest = text.value.lstrip(NAME_CHARACTERS)
    more = text.value[: len(text.value) - len(rest)]
    parts[-1] = ast.Variable(before.start, before.end, before.name + more, False)
    return ast.Text(text.start, text.end, rest)


def part_choices(part: ast.Part, dialect: Dialect) -> Sequence[Sequence[ast.Part]]:
    """The alternatives of one part."""
    if isinstance(part, ast.Brace):
        return [parts for branch in part.branches for parts in alternatives(branch, dialect)]
    if isinstance(part, ast.BraceRange):
        items = brace_range(part.first, part.last, part.step)
        if items is None:
            step = f"..{part.step}" if part.step else ""
            items = [f"{{{part.first}..{part.last}{step}}}"]
        elif dialect is BASH and "\\" in items:
            # bash reads the backslash of `{A..z}` as a quote, before nothing.
            items = [text.replace("\\", "") for text in items]
        return [[ast.Text(part.start, part.end, text)] for text in items]
    return [[part]]
