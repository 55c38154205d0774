"""Both versions of what a hunk changes, each between the conditions of C's preprocessor."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ELSE, END = "#else\n", "#endif\n"


def between_conditions(
    marked: Sequence[tuple[str, str]], only_old: str, only_new: str
) -> list[str]:
    """The lines of a hunk; the conditions stand before what only one of the versions has."""
    made: list[str] = []
    at = 0
    while at < len(marked):
        if marked[at][0] == " ":
            made.append(marked[at][1])
            at += 1
            continue
        end = at
        while end < len(marked) and marked[end][0] != " ":
            end += 1
        old = [text for mark, text in marked[at:end] if mark == "-"]
        new = [text for mark, text in marked[at:end] if mark == "+"]
        if old:
            made += [only_old, *old]
        if new:
            made += [ELSE if old else only_new, *new]
        made.append(END)
        at = end
    return made
