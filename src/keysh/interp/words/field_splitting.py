"""Field splitting of the bash dialect: segments of a word become fields, and fields paths.

`compile/words/word_fields` makes the segments; keysh's own dialect does not split (split_refusal).
"""

from __future__ import annotations

import re

from keysh.interp.run.options import EXTGLOB, FAILGLOB, NOGLOB, NULLGLOB
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.words.glob_expansion import glob_paths
from keysh.interp.words.word_splitting import DEFAULT_IFS
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from keysh.interp.state.state import State

    Segment: TypeAlias = tuple[int, str]
    # The pieces of a field, each with whether its wildcards count.
    Field: TypeAlias = list[tuple[str, bool]]

QUOTED, PATTERN, EXPANSION, BOUNDARY, SEPARATOR = range(5)
IFS_WHITESPACE = " \t\n"
# Whether a text may be split by the default IFS, or may be a pattern.
IS_SPECIAL = re.compile(r"[ \t\n*?\[\\]|[@+!]\(").search
IS_PATTERN = re.compile(r"[*?\[\\]").search
IS_EXTENDED_PATTERN = re.compile(r"[*?\[\\]|[@+!]\(").search


def add_fields(state: State, segments: Sequence[Segment], words: list[Any]) -> None:
    """Append the words that the segments of one word become."""
    for field in split_fields(segments, separators_of(state)):
        words.extend(field_words(state, field))


def separators_of(state: State) -> str:
    """Return the characters of IFS; the default ones if it is unset."""
    found = state.variables.get("IFS", DEFAULT_IFS)
    return found if found.__class__ is str else text_of(found)


def split_fields(segments: Sequence[Segment], separators: str) -> list[Field]:
    """Split the expansions among the segments at the separators."""
    fields: list[Field] = []
    current: Field | None = None
    waiting = ""  # expansions side by side are split as one text
    for kind, text in segments:
        if kind == EXPANSION:
            waiting += text
            continue
        if kind == SEPARATOR and separators:
            waiting += separators[0]
            continue
        current, waiting = split_expansion(waiting, separators, fields, current), ""
        if kind in (BOUNDARY, SEPARATOR):
            if current is not None:
                fields.append(current)
                current = None
        else:
            current = [*(current or ()), (text, kind == PATTERN)]
    current = split_expansion(waiting, separators, fields, current)
    if current is not None:
        fields.append(current)
    return fields


def split_expansion(
    text: str, separators: str, fields: list[Field], current: Field | None
) -> Field | None:
    """Split one expansion: append what is complete, return the field that it leaves open."""
    if not text:
        return current
    if not separators:
        return [*(current or ()), (text, True)]
    position, end = 0, len(text)
    while position < end:
        start = position
        while position < end and text[position] not in separators:
            position += 1
        if position > start:
            current = [*(current or ()), (text[start:position], True)]
            continue
        # Blanks of IFS around one other character of IFS are a single separator with it.
        position = after_blanks(text, position, separators)
        if position < end and text[position] in separators:
            position = after_blanks(text, position + 1, separators)
            fields.append(current if current is not None else [("", False)])
            current = None
        elif current is not None:
            fields.append(current)
            current = None
    return current


def after_blanks(text: str, position: int, separators: str) -> int:
    """Return the position behind the blanks that are separators."""
    while (
        position < len(text) and text[position] in IFS_WHITESPACE and text[position] in separators
    ):
        position += 1
    return position


def field_words(state: State, field: Field) -> list[str]:
    """Return the paths that a field matches; its text if it is no pattern or matches nothing."""
    text = "".join([piece for piece, _ in field])
    state.check_length(len(text))
    flags = state.flags
    is_pattern = IS_EXTENDED_PATTERN if flags & EXTGLOB else IS_PATTERN
    if flags & NOGLOB or not any(live and is_pattern(piece) for piece, live in field):
        return [text]
    paths = glob_paths(state, text, field)
    if paths:
        return paths
    if flags & NULLGLOB:
        return []
    if flags & FAILGLOB:
        raise RuntimeDiagnostic(
            "E205", "no file matches", text, "quotes for the text itself, or shopt -u failglob"
        )
    return [text]
