"""Field splitting of the bash dialect: segments of a word become fields, and fields paths.

`compile/words/word_fields` makes the segments; keysh's own dialect does not split (word_splitting).
"""

from __future__ import annotations

import re

from keysh.interp.run.options import EXTGLOB, FAILGLOB, NOGLOB, NULLGLOB
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.scope import MAX_UNCHECKED_TEXTS
from keysh.interp.words.glob_expansion import glob_paths
from keysh.interp.words.word_splitting import field_separators
from keysh.text.fields import field_splitter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from keysh.interp.state.state import State
    from keysh.text.fields import FieldSplitter

    Segment: TypeAlias = tuple[int, str]
    # The pieces of a field, each with whether its wildcards count.
    Field: TypeAlias = list[tuple[str, bool]]

QUOTED, PATTERN, EXPANSION, BOUNDARY, SEPARATOR = range(5)
# Whether a text may be split by the default IFS, or may be a pattern.
IS_SPECIAL = re.compile(r"[ \t\n*?\[\\]|[@+!]\(").search
IS_PATTERN = re.compile(r"[*?\[]").search
IS_EXTENDED_PATTERN = re.compile(r"[*?\[]|[@+!]\(").search
# A backslash in a value quotes: if no other character is special, the value stays as it is.
IS_BARE_PATTERN = re.compile(r"(?<!\\)(?:\\\\)*+(?:[*?\[]|[@+!]\()").search


def add_fields(state: State, segments: Sequence[Segment], words: list[Any]) -> None:
    """Append the words that the segments of one word become."""
    for field in split_fields(segments, field_separators(state)):
        words.extend(field_words(state, field))


def split_fields(segments: Sequence[Segment], separators: str) -> list[Field]:
    """Split the expansions among the segments at the separators."""
    splitter = field_splitter(separators)
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
        current, waiting = split_expansion(waiting, splitter, fields, current), ""
        if kind in (BOUNDARY, SEPARATOR):
            if current is not None:
                fields.append(current)
                current = None
        else:
            current = [*(current or ()), (text, kind == PATTERN)]
    current = split_expansion(waiting, splitter, fields, current)
    if current is not None:
        fields.append(current)
    return fields


def split_expansion(
    text: str, splitter: FieldSplitter, fields: list[Field], current: Field | None
) -> Field | None:
    """Split one expansion: append what is complete, return the field that it leaves open."""
    if not text:
        return current
    pieces = splitter.pieces(text)
    for index in range(0, len(pieces), 2):
        if index and (current is not None or pieces[index - 1] is not None):
            fields.append(current if current is not None else [("", False)])
            current = None
        if pieces[index]:
            current = [*(current or ()), (pieces[index], True)]
    return current


def field_words(state: State, field: Field) -> list[str]:
    """Return the paths that a field matches; its text if it is no pattern or matches nothing."""
    pieces = [piece for piece, _ in field]
    if len(pieces) > MAX_UNCHECKED_TEXTS:
        state.check_texts(pieces)
    text = "".join(pieces)
    if len(text) > state.safe_length:
        state.check_text(text)
    flags = state.flags
    is_pattern = IS_EXTENDED_PATTERN if flags & EXTGLOB else IS_PATTERN
    if flags & NOGLOB or not any(
        live and is_pattern(piece) and ("\\" not in piece or IS_BARE_PATTERN(piece))
        for piece, live in field
    ):
        return [text]
    paths = glob_paths(state, text, field)
    if paths:
        return paths
    if flags & FAILGLOB:
        raise RuntimeDiagnostic(
            "E205", "no file matches", text, "quotes for the text itself, or shopt -u failglob"
        )
    return [] if flags & NULLGLOB else [text]
