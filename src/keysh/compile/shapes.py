"""Shapes: the patterns so simple that methods of strings match them, `x`, `x*`, `*x`, `*x*`."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.literals import constant


def shape(word: ast.Word) -> list[str] | None:
    """The literal texts between a pattern's stars, or None where it has more than those.

    x -> [x]    x* -> [x, ""]    *x* -> ["", x, ""]    x*y -> [x, y]
    """
    texts = [""]
    for part in word.parts:
        if isinstance(part, ast.Glob):
            if part.value.strip("*"):
                return None
            texts.append("")
            continue
        known = constant(part)
        if known is None:
            return None
        texts[-1] += known
    return texts


def is_quoted(word: ast.Word) -> bool:
    """Whether nothing in a pattern is alive, so that it is a text, known or not."""
    kinds = ast.Text | ast.Quoted | ast.DoubleQuoted
    return all(isinstance(part, kinds) for part in word.parts)
