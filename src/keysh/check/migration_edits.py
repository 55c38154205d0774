"""Edits that let keysh do what sh does with a script, as a text to put in place of a span.

read x | while read y; do n=$y; done    ->  read x | ( while read y; do n=$y; done )
head lines=3                            ->  head 'lines='3
for x in $list                          ->  for x in $(words $list)
"""

from __future__ import annotations

from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.node import Node

    Edit: TypeAlias = tuple[int, int, str]  # start and end of what a text replaces

WORD_ENDS = " \t\n;&|()"


def stage_edits(stage: Node) -> Sequence[Edit]:
    """Return the edits that make a stage a subshell; none if a heredoc's body follows it."""
    if any(isinstance(node, ast.Heredoc) for node in stage.walk()):
        return ()
    return (stage.start, stage.start, "( "), (stage.end, stage.end, " )")


def text_edits(argument: ast.Argument) -> Sequence[Edit]:
    """Return the edit that quotes the name in `name=value`."""
    if not isinstance(argument, ast.Named) or argument.append:
        return ()
    end = argument.start + len(argument.key) + 1
    return ((argument.start, end, f"'{argument.key}='"),)


def split_edits(found: Diagnostic) -> Sequence[Edit]:
    """Return the edit for a word that sh splits at blanks, if that is the whole word."""
    text = found.source.text
    source = text[found.start : found.end]
    is_word = text[found.start - 1 : found.start] in WORD_ENDS and (
        text[found.end : found.end + 1] in WORD_ENDS
    )
    if found.code not in ("E204", "E310") or not is_word or f"`$(words {source})`" not in found.fix:
        return ()
    return ((found.start, found.end, f"$(words {source})"),)


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with the edits made; of two that overlap the first one is."""
    pieces: list[str] = []
    done = 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        if start >= done:
            pieces += (text[done:start], replacement)
            done = end
    return "".join([*pieces, text[done:]])
