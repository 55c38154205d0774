"""Patterns: words whose unquoted parts are a shell pattern, for `case`, `[[` and `${x#p}`."""

from __future__ import annotations

from keysh.interp.run.options import NOCASEMATCH
from keysh.syntax import ast
from keysh.syntax.constants import constant_text, unexpanded_text
from keysh.text.pattern import Pattern, pattern_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    PatternPiece: TypeAlias = "tuple[str | Expression, bool]"


MAX_CACHED_PATTERNS = 64  # patterns made of variables that one place keeps


def pattern(
    word: ast.Word, context: CompileContext, *, heeded: int = NOCASEMATCH
) -> Callable[[State], Pattern]:
    """A word as a pattern. `${x#p}` and `${x^p}` heed no option."""
    pieces = pattern_pieces(word.parts, context, expansions_live=True)
    if all(isinstance(text, str) for text, _ in pieces):
        return constant_pattern(pattern_text(pieces), heeded)  # type: ignore[arg-type]
    kept: dict[tuple[str, bool], Pattern] = {}

    def moving(state: State) -> Pattern:
        made = pattern_text(
            [(text if text.__class__ is str else text(state), live) for text, live in pieces]  # type: ignore[operator]
        )
        key = (made, bool(state.flags & heeded))
        found = kept.get(key)
        if found is None:
            if len(kept) >= MAX_CACHED_PATTERNS:
                kept.clear()
            found = kept[key] = Pattern(made, ignore_case=key[1])
        return found

    return moving


def constant_pattern(text: str, heeded: int) -> Callable[[State], Pattern]:
    """A pattern that is known."""
    made = Pattern(text)
    without_case: list[Pattern] = []

    def known(state: State) -> Pattern:
        if not state.flags & heeded:
            return made
        if not without_case:
            without_case.append(Pattern(text, ignore_case=True))
        return without_case[0]

    return known


def pattern_pieces(
    parts: Sequence[Node], context: CompileContext, *, expansions_live: bool
) -> list[PatternPiece]:
    """The pieces of a word; neighbours that are texts of one kind stay apart."""
    pieces: list[PatternPiece] = []
    # A bracket with quotes in it is not closed where it opens: `[a"-"z]`.
    opens = any(isinstance(part, ast.Glob) and part.value == "[" for part in parts)
    for part in parts:
        if isinstance(part, ast.Glob) or (opens and isinstance(part, ast.Text)):
            pieces.append((part.value, True))
        elif isinstance(part, ast.ExtendedGlob):
            pieces.append((f"{part.operator}(", True))
            for at, branch in enumerate(part.branches):
                if at:
                    pieces.append(("|", True))
                pieces.extend(branch_pieces(branch, context, expansions_live=expansions_live))
            pieces.append((")", True))
        elif isinstance(part, ast.DoubleQuoted):
            known = constant_text(part)
            pieces.append((context.part_text(part) if known is None else known, False))
        elif isinstance(part, ast.Text | ast.Quoted):
            pieces.append((part.value, False))
        elif isinstance(part, ast.Brace | ast.BraceRange):
            pieces.append((unexpanded_text(part), False))
        else:
            pieces.append((context.part_text(part), expansions_live))
    return pieces


def branch_pieces(
    branch: ast.Word, context: CompileContext, *, expansions_live: bool
) -> list[PatternPiece]:
    return pattern_pieces(branch.parts, context, expansions_live=expansions_live)


def one_star_literal(word: ast.Word) -> str | None:
    """The text of a pattern that is literal but for one star at most: `x`, `*`, `1*`, `*7`."""
    texts: list[str] = []
    stars = 0
    for part in word.parts:
        if isinstance(part, ast.Glob):
            if part.value != "*":
                return None
            stars += 1
            texts.append("*")
            continue
        known = constant_text(part)
        if known is None or "*" in known:
            return None
        texts.append(known)
    return "".join(texts) if stars <= 1 else None


# Shapes: the patterns so simple that methods of strings match them, `x`, `x*`, `*x`, `*x*`.


def literals_between_stars(word: ast.Word) -> list[str] | None:
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
        known = constant_text(part)
        if known is None:
            return None
        texts[-1] += known
    return texts


def has_no_wildcards(word: ast.Word) -> bool:
    """Whether nothing in a pattern is alive, so that it is a text, known or not."""
    kinds = ast.Text | ast.Quoted | ast.DoubleQuoted
    return all(isinstance(part, kinds) for part in word.parts)
