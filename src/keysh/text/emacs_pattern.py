"""Patterns as Emacs has them, which find and tac take."""

from __future__ import annotations


def extended_of_emacs(text: str, *, spans_lines: bool = False) -> str:
    r"""Emacs's pattern as an extended one: there `\(`, `\)` and `\|` are what here is bare.

    In Emacs a dot stays on its line, unless it `spans_lines`.
    """
    made, at = [], 0
    while at < len(text):
        char = text[at]
        if char == "[":
            end = text.find("]", at + 2 + (text[at + 1 : at + 2] == "^"))
            made.append(without_classes(text[at : end + 1]) if end > 0 else text[at:])
            at = end + 1 if end > 0 else len(text)
            continue
        if char == "\\" and text[at + 1 : at + 2] in ("(", ")", "|"):
            piece = text[at : at + 2]
            made.append(piece[1])
            at += 2
            continue
        if char == "\\":
            piece = text[at : at + 2]
        elif char == "." and not spans_lines:
            made.append("[^\n]")
            at += 1
            continue
        elif char in "(){}|":
            made.append(f"\\{char}")
            at += 1
            continue
        else:
            piece = char
        made.append(piece)
        at += len(piece)
    return "".join(made)


def without_classes(bracket: str) -> str:
    """A bracket in which `[:` and its kin are two characters, as they are for Emacs."""
    inside = bracket[1:-1]
    for mark in ":.=":
        inside = inside.replace(f"[{mark}", mark)
    return f"[{inside}{'[' if len(inside) < len(bracket) - 2 else ''}]"
