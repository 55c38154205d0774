"""Compile words with globs: a command receives a GlobArgument, a list or loop the paths."""

from __future__ import annotations

import re

from keysh.compile.words.patterns import pattern_pieces
from keysh.interp.run.options import FAILGLOB_OFF, NOGLOB, NULLGLOB
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.words.glob_expansion import glob_paths
from keysh.schema.arguments import GlobArgument
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.context import Adder, CompileContext
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

# A set of characters, as `[a-z]` or `[]_[:alpha:]]`: no wildcard inside counts.
BRACKET_EXPRESSION = re.compile(r"\[[!^]?\]?(?:\[[:.=]\w+[:.=]\]|[^]/])*\]")
WILDCARD = re.compile(r"[*?]|[@+!]\(")


def glob_word(
    parts: Sequence[Node], word: ast.Word, context: CompileContext, purpose: str
) -> Adder:
    """Expand a word with a glob. An argument of a command is expanded by the binder instead."""
    pieces = pattern_pieces(parts, context, expansions_live=False)

    def texts(state: State) -> list[tuple[str, bool]]:
        return [(text if text.__class__ is str else text(state), live) for text, live in pieces]  # type: ignore[operator]

    def add(state: State, words: list[Any]) -> None:
        live_pieces = texts(state)
        text = "".join([piece for piece, _ in live_pieces])
        if state.flags & NOGLOB:
            words.append(text)
            return

        def paths() -> list[str]:
            return glob_paths(state, text, live_pieces)

        def expand() -> list[str]:
            return paths() or unmatched_argument(state, text, live_pieces, word)

        if purpose == "items":
            words.extend(paths() or unmatched_items(state, text, live_pieces))
        elif purpose == "array":
            words.extend(expand())
        else:
            words.append(GlobArgument(text, expand, paths))

    return add


def unmatched_items(state: State, text: str, pieces: list[tuple[str, bool]]) -> list[str]:
    """Return the items of a loop whose glob matches nothing: none, or the text."""
    passes_text = state.flags & FAILGLOB_OFF and not state.flags & NULLGLOB
    return [text] if has_only_brackets(pieces) or passes_text else []


def unmatched_argument(
    state: State, text: str, pieces: list[tuple[str, bool]], word: Node
) -> list[str]:
    """The words for a glob that matches nothing, by `nullglob` and `failglob`."""
    if state.flags & NULLGLOB:
        return []
    if has_only_brackets(pieces) or state.flags & FAILGLOB_OFF:
        return [text]
    raise RuntimeDiagnostic(
        "E205", "no file matches", text, "quotes for the text itself, or set -o nullglob for none"
    ).with_location(word)


def has_only_brackets(pieces: list[tuple[str, bool]]) -> bool:
    """Whether `[…]` is the only wildcard of a word."""
    pattern = "".join([piece if live else "_" for piece, live in pieces])
    return not WILDCARD.search(BRACKET_EXPRESSION.sub("", pattern))
