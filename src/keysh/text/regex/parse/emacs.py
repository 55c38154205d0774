"""Translate Emacs regular expressions, which find and tac accept, to extended ones."""

from __future__ import annotations


def extended_from_emacs(text: str, *, spans_lines: bool = False) -> str:
    r"""Translate a pattern: in Emacs's syntax `\(`, `\)` and `\|` are operators.

    A dot matches no newline unless `spans_lines`. At the start of an alternative there is nothing
    to repeat, so `*`, `+` and `?` are literal there; `^` is literal elsewhere.
    """
    pieces, position = [], 0
    at_next_start = True  # of an alternative
    while position < len(text):
        piece = text[position]
        at_start, at_next_start = at_next_start, False
        if piece == "[":
            end = text.find("]", position + 2 + (text[position + 1 : position + 2] == "^"))
            piece = text[position : end + 1] if end > 0 else text[position:]
            pieces.append(without_classes(piece) if end > 0 else piece)
        elif piece == "\\":
            piece = text[position : position + 2]
            is_mark = piece in (r"\(", r"\)", r"\|")
            pieces.append(piece[1] if is_mark else piece)
            at_next_start = is_mark and piece != r"\)"
        elif piece == "." and not spans_lines:
            pieces.append("[^\n]")
        elif piece in "(){}|" or piece in ("*+?" if at_start else "^"):
            pieces.append(f"\\{piece}")
        else:
            pieces.append(piece)
            at_next_start = at_start and piece == "^"
        position += len(piece)
    return "".join(pieces)


def without_classes(bracket: str) -> str:
    """Return a bracket in which `[:`, `[.` and `[=` are plain characters, as in Emacs."""
    members = bracket[1:-1]
    for mark in ":.=":
        members = members.replace(f"[{mark}", mark)
    return f"[{members}{'[' if len(members) < len(bracket) - 2 else ''}]"
