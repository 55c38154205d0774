"""Modes as -perm takes them: `644`, `u+x,g=rw`."""

from __future__ import annotations

CLASSES = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": 0o7777}
BITS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}


def mode_of(text: str) -> int | None:
    """The bits that a mode sets where none were set; None for what is no mode."""
    if text and not text.strip("01234567"):
        number = int(text, 8)
        return number if number <= 0o7777 else None
    mode = 0
    for clause in text.split(","):
        behind = clause.lstrip("ugoa")
        who = 0
        for letter in clause[: len(clause) - len(behind)] or "a":
            who |= CLASSES[letter]
        if behind[:1] not in ("+", "-", "=") or not behind:
            return None
        while behind:
            operator, rest = behind[0], behind[1:]
            behind = rest.lstrip("rwxst")
            bits = 0
            for letter in rest[: len(rest) - len(behind)]:
                bits |= BITS[letter]
            if behind and behind[0] not in "+-=":
                return None
            bits &= who
            mode = mode | bits if operator == "+" else mode & ~(bits if operator == "-" else who)
            mode |= bits if operator == "=" else 0
    return mode
