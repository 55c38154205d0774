"""File modes: parse `644` and `u+x,g=rw`, and apply them.

changes <- octal / clause ("," clause)*
clause  <- [ugoa]* (("+" / "-" / "=") (octal / [ugo] / [rwxXst]*))+
"""

from __future__ import annotations

import stat as kinds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat

ALL_MODE_BITS, SET_ID_BITS = 0o7777, 0o6000
CLASS_BITS = {"u": 0o4700, "g": 0o2070, "o": 0o1007, "a": ALL_MODE_BITS}
PERMISSION_BITS = {"r": 0o444, "w": 0o222, "x": 0o111, "s": 0o6000, "t": 0o1000}
COPIED_BITS = {"u": 0o700, "g": 0o070, "o": 0o007}
MODE_OPERATORS = ("+", "-", "=")


class ModeChange:
    """One operation.

    `affected` are the bits of the classes named, 0 if none were. `mentioned_bits` are those spelled
    out, which therefore apply to directories too. `copied_class` has the bits to copy from;
    `is_cautious` stands for `X`.
    """

    __slots__ = ("affected", "copied_class", "is_cautious", "mentioned_bits", "operator", "value")

    def __init__(self, operator: str, affected: int, value: int) -> None:
        self.operator, self.affected, self.value = operator, affected, value
        self.mentioned_bits = affected & value if affected else value
        self.copied_class, self.is_cautious = 0, False

    def apply_to(self, mode: int, umask: int, *, is_directory: bool) -> tuple[int, int]:
        """Return the changed mode, and the bits that the operation sets or clears."""
        # A directory keeps its set-ID bits unless they are spelled out.
        kept_bits = SET_ID_BITS & ~self.mentioned_bits if is_directory else 0
        value = self.value
        if self.copied_class:
            copied = self.copied_class & mode
            value = sum(bits for bits in (0o444, 0o222, 0o111) if copied & bits)
        elif self.is_cautious and (is_directory or mode & 0o111):
            value |= 0o111
        value &= (self.affected or ~umask) & ~kept_bits
        if self.operator == "=":
            preserved = (~self.affected if self.affected else 0) | kept_bits
            return mode & preserved | value, ALL_MODE_BITS & ~preserved
        return (mode | value if self.operator == "+" else mode & ~value), value


def parse_mode_changes(text: str) -> list[ModeChange] | None:
    """Parse a mode; None if it is invalid."""
    if text and not text.strip("01234567"):
        number = int(text[-5:], 8) if len(text.lstrip("0")) < 5 else ALL_MODE_BITS + 1
        if number > ALL_MODE_BITS:
            return None
        change = ModeChange("=", ALL_MODE_BITS, number)
        # Only a fifth digit affects the set-ID bits of a directory.
        change.mentioned_bits = ALL_MODE_BITS if len(text) > 4 else number & 0o7000 | 0o777
        return [change]
    changes: list[ModeChange] = []
    for clause in text.split(","):
        rest = clause.lstrip("ugoa")
        affected = 0
        for letter in clause[: len(clause) - len(rest)]:
            affected |= CLASS_BITS[letter]
        if rest[:1] not in MODE_OPERATORS or not rest:
            return None
        while rest:
            operation, rest = parse_operation(rest, affected)
            if operation is None:
                return None
            changes.append(operation)
    return changes


def parse_operation(text: str, affected: int) -> tuple[ModeChange | None, str]:
    """Parse one operation; return it and the rest of the text."""
    operator, text = text[0], text[1:]
    if text[:1] in COPIED_BITS:
        change = ModeChange(operator, affected, 0)
        change.copied_class = COPIED_BITS[text[0]]
        change.mentioned_bits = affected & change.copied_class if affected else change.copied_class
        rest = text[1:]
    elif text[:1] and text[0] in "01234567":
        rest = text.lstrip("01234567")
        number = int(text[: len(text) - len(rest)][:6], 8)
        if affected or rest or number > ALL_MODE_BITS:
            return None, ""
        change = ModeChange(operator, ALL_MODE_BITS, number)
        change.mentioned_bits = ALL_MODE_BITS
    else:
        rest = text.lstrip("rwxXst")
        letters = text[: len(text) - len(rest)]
        bits = 0
        for letter in letters.replace("X", ""):
            bits |= PERMISSION_BITS[letter]
        change = ModeChange(operator, affected, bits)
        change.is_cautious = "X" in letters
    if rest and rest[0] not in MODE_OPERATORS:
        return None, ""
    return change, rest


def changed_mode(
    mode: int, changes: list[ModeChange], umask: int, *, is_directory: bool = False
) -> int:
    """Return a mode after all changes."""
    mode &= ALL_MODE_BITS
    for change in changes:
        mode, _ = change.apply_to(mode, umask, is_directory=is_directory)
    return mode


def new_directory_mode(mode: int, changes: list[ModeChange], umask: int) -> tuple[int, int]:
    """Return the mode of a new directory after all changes, and the bits they affect."""
    affected_bits = 0
    for change in changes:
        mode, bits = change.apply_to(mode, umask, is_directory=True)
        affected_bits |= bits
    return mode, affected_bits


def mode_letters(mode: int) -> str:
    """Format permissions as nine letters, `rwxr-xr-x`."""
    return kinds.filemode(kinds.S_IFREG | mode)[1:]


def mode_copy(stat: Stat) -> list[ModeChange]:
    """Return the change that sets the mode of another file."""
    change = ModeChange("=", ALL_MODE_BITS, stat.mode & ALL_MODE_BITS)
    change.mentioned_bits = ALL_MODE_BITS
    return [change]
