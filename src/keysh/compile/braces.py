"""Braces: the alternatives of a word, each a list of parts."""

from __future__ import annotations

from itertools import product

from keysh.runtime.braces import brace_range
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from keysh.syntax.node import Node


def alternatives(word: ast.Word) -> tuple[int, Callable[[], Iterator[list[Node]]]]:
    """How many words a word with braces stands for, and what makes them."""
    return counted(word), lambda: expanded(word)


def counted(word: ast.Word) -> int:
    """How many words there will be; nothing is made."""
    count = 1
    for part in word.parts:
        if isinstance(part, ast.Brace):
            count *= sum(map(counted, part.branches))
        elif isinstance(part, ast.BraceRange):
            found = brace_range(part.first, part.last, part.step)
            count *= 1 if found is None else len(found)
    return count


def expanded(word: ast.Word) -> Iterator[list[Node]]:
    """The alternatives, the first braces changing slowest."""
    for choice in product(*(choices(part) for part in word.parts)):
        parts: list[Node] = []
        for group in choice:
            for part in group:
                if parts and isinstance(part, ast.Text) and isinstance(parts[-1], ast.Text):
                    joined = ast.Text(parts[-1].start, part.end, parts[-1].value + part.value)
                    parts[-1] = joined
                else:
                    parts.append(part)
        yield parts


def choices(part: Node) -> Sequence[Sequence[Node]]:
    """What one part may be."""
    if isinstance(part, ast.Brace):
        return [parts for branch in part.branches for parts in expanded(branch)]
    if isinstance(part, ast.BraceRange):
        found = brace_range(part.first, part.last, part.step)
        if found is None:
            step = f"..{part.step}" if part.step else ""
            found = [f"{{{part.first}..{part.last}{step}}}"]
        return [[ast.Text(part.start, part.end, text)] for text in found]
    return [[part]]
