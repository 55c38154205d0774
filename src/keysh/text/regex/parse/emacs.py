"""Patterns as Emacs has them, which find and tac take."""

from __future__ import annotations


def extended_from_emacs(text: str, *, spans_lines: bool = False) -> str:
    r"""Emacs's pattern as an extended one: there `\(`, `\)` and `\|` are what here is bare.

    In Emacs a dot stays on its line, unless it `spans_lines`. Where an alternative begins there is
    nothing to repeat, so `*` and its kin are themselves there; `^` is one elsewhere.
    """
    made, at = [], 0
    begins = True  # an alternative
    while at < len(text):
        piece = text[at]
        begun, begins = begins, False
        if piece == "[":
            end = text.find("]", at + 2 + (text[at + 1 : at + 2] == "^"))
            piece = text[at : end + 1] if end > 0 else text[at:]
            made.append(without_classes(piece) if end > 0 else piece)
        elif piece == "\\":
            piece = text[at : at + 2]
            is_mark = piece in (r"\(", r"\)", r"\|")
            made.append(piece[1] if is_mark else piece)
            begins = is_mark and piece != r"\)"
        elif piece == "." and not spans_lines:
            made.append("[^\n]")
        elif piece in "(){}|" or piece in ("*+?" if begun else "^"):
            made.append(f"\\{piece}")
        else:
            made.append(piece)
            begins = begun and piece == "^"
        at += len(piece)
    return "".join(made)


def without_classes(bracket: str) -> str:
    """A bracket in which `[:` and its kin are two characters, as they are for Emacs."""
    inside = bracket[1:-1]
    for mark in ":.=":
        inside = inside.replace(f"[{mark}", mark)
    return f"[{inside}{'[' if len(inside) < len(bracket) - 2 else ''}]"
