"""Shell patterns from words, for `case`, `[[` and `${x#p}`: quoted parts match literally."""

from __future__ import annotations

from keysh.interp.run.options import NOCASEMATCH
from keysh.interp.words.shell_pattern import shell_pattern
from keysh.syntax import ast
from keysh.syntax.constants import constant_text, unexpanded_text
from keysh.text.pattern import pattern_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node
    from keysh.text.pattern import Pattern

    # A string, or its reader, and whether its wildcards are active.
    PatternPiece: TypeAlias = "tuple[str | Expression, bool]"


# Patterns that one place in a script keeps compiled: 2.5 times as fast as compiling each.
MAX_CACHED_PATTERNS = 64


def pattern(
    word: ast.Word, context: CompileContext, *, case_option: int = NOCASEMATCH
) -> Callable[[State], Pattern]:
    """Compile a word as a pattern. `${x#p}` and `${x^p}` pass no `case_option`."""
    pieces = pattern_pieces(word.parts, context, expansions_live=True)
    if all(isinstance(text, str) for text, _ in pieces):
        return constant_pattern(pattern_text(pieces), case_option)  # type: ignore[arg-type]
    cache: dict[tuple[str, bool], Pattern] = {}

    def cached_pattern(state: State) -> Pattern:
        expanded = pattern_text(
            [(text if text.__class__ is str else text(state), live) for text, live in pieces]  # type: ignore[operator]
        )
        key = (expanded, bool(state.flags & case_option))
        compiled = cache.get(key)
        if compiled is None:
            if len(cache) >= MAX_CACHED_PATTERNS:
                cache.clear()
            compiled = cache[key] = shell_pattern(state, expanded, ignore_case=key[1])
        return compiled

    return cached_pattern


def constant_pattern(text: str, case_option: int) -> Callable[[State], Pattern]:
    """A pattern without variables."""
    case_sensitive: list[Pattern] = []
    case_insensitive: list[Pattern] = []

    def choose(state: State) -> Pattern:
        ignores_case = bool(state.flags & case_option)
        known = case_insensitive if ignores_case else case_sensitive
        if not known:
            known.append(shell_pattern(state, text, ignore_case=ignores_case))
        return known[0]

    return choose


def pattern_pieces(
    parts: Sequence[Node],
    context: CompileContext,
    *,
    expansions_live: bool,
    is_in_bracket: bool = False,
) -> list[PatternPiece]:
    """The texts of a word's parts, each with whether its wildcards are active."""
    pieces: list[PatternPiece] = []
    # A bracket may contain quotes, so its end is in a later part: `[a"-"z]`, `[+(])`.
    opens = is_in_bracket or any(isinstance(part, ast.Glob) and part.value == "[" for part in parts)
    for part in parts:
        if isinstance(part, ast.Glob) or (opens and isinstance(part, ast.Text)):
            pieces.append((part.value, True))
        elif isinstance(part, ast.ExtendedGlob):
            pieces.append((f"{part.operator}(", True))
            for index, branch in enumerate(part.branches):
                if index:
                    pieces.append(("|", True))
                pieces += pattern_pieces(
                    branch.parts,
                    context,
                    expansions_live=expansions_live,
                    is_in_bracket=opens,
                )
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


def one_star_literal(word: ast.Word) -> str | None:
    """The text of a pattern that is literal but for one `*` at most: `x`, `*`, `1*`, `*7`."""
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


# Simple patterns, `x`, `x*`, `*x`, `*x*`, which methods of str can match.


def literals_between_stars(word: ast.Word) -> list[str] | None:
    """The literal texts between the stars of a pattern; None if it has other wildcards.

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
    """Whether a pattern has no active wildcard, so that it matches its own text only."""
    kinds = ast.Text | ast.Quoted | ast.DoubleQuoted
    return all(isinstance(part, kinds) for part in word.parts)
