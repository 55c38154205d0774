"""Bracket expressions, `[a-z[:digit:]_]` and `[!…]`: the characters that one matches."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

BLANKS = "\t "


def is_printed(char: str) -> bool:
    return char.isprintable() or (char.isspace() and ord(char) > 0x7F)


def is_alphanumeric(char: str) -> bool:
    return char.isalpha() or char.isdecimal()


CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": is_alphanumeric,
    "alpha": lambda char: is_alphanumeric(char) and not "0" <= char <= "9",
    "ascii": str.isascii,
    "blank": lambda char: char in BLANKS,
    "cntrl": lambda char: char < " " or "\x7f" <= char < "\xa0",
    "digit": lambda char: "0" <= char <= "9",
    "graph": lambda char: is_printed(char) and not char.isspace(),
    "lower": str.islower,
    "print": is_printed,
    "punct": lambda char: is_printed(char) and not char.isspace() and not is_alphanumeric(char),
    "space": lambda char: char.isspace() and not "\x1c" <= char <= "\x1f",
    "upper": str.isupper,
    "word": lambda char: is_alphanumeric(char) or char == "_",
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}


class Characters:
    """The characters that a bracket expression matches."""

    __slots__ = ("classes", "is_negated", "ranges", "singles")

    def __init__(self, is_negated: bool) -> None:
        self.is_negated = is_negated
        self.singles: set[str] = set()
        self.ranges: list[tuple[str, str]] = []
        self.classes: list[Callable[[str], bool]] = []

    def has(self, char: str) -> bool:
        """Whether it matches a character."""
        is_member = (
            char in self.singles
            or any(first <= char <= last for first, last in self.ranges)
            or any(test(char) for test in self.classes)
        )
        return is_member != self.is_negated


def bracket(text: str, at: int, end: int, ignore_case: bool) -> tuple[Characters, int] | None:
    """The expression behind a `[` and the place behind its `]`; None where it is not closed."""
    made = Characters(text[at : at + 1] in ("!", "^"))
    at += made.is_negated
    is_first = True
    while at < end:
        if text[at] == "]" and not is_first:
            return made, at + 1
        is_first = False
        if text.startswith("[:", at) and (close := text.find(":]", at + 2, end)) >= 0:
            add_class(made, text[at + 2 : close], ignore_case)
            at = close + 2
            continue
        if text[at] == "[" and text[at + 1 : at + 2] == "=" and text[at + 3 : at + 5] == "=]":
            made.singles.add(text[at + 2])
            at += 5
            continue
        low, at = member(text, at, end)
        if text[at : at + 1] == "-" and at + 1 < end and text[at + 1] != "]":
            high, at = member(text, at + 1, end)
            if low and high:
                if ignore_case:
                    low, high = low.lower(), high.lower()
                made.ranges.append((low, high))
        elif low:
            made.singles.add(low.lower() if ignore_case and len(low.lower()) == 1 else low)
    return None


def member(text: str, at: int, end: int) -> tuple[str, int]:
    """One character, escaped or as `[.x.]`; empty for a collating symbol that is none."""
    if text.startswith("[.", at) and (close := text.find(".]", at + 3, end)) >= 0:
        symbol = text[at + 2 : close]
        return (symbol if len(symbol) == 1 else ""), close + 2
    if text[at] == "\\" and at + 1 < end:
        at += 1
    return text[at], at + 1


def add_class(made: Characters, name: str, ignore_case: bool) -> None:
    """A named class; a name that is none stands for nothing."""
    if ignore_case and name in ("lower", "upper"):
        made.classes.append(lambda char: char.lower() != char.upper())
    elif name in CLASSES:
        made.classes.append(CLASSES[name])
