"""Which files grep searches, by their names: --include, --exclude and --exclude-dir."""

from __future__ import annotations

from keysh.text.pattern import Pattern


class Names:
    """Globs in the order they were given: of those that match a name, the last one counts.

    Where none does, files are searched if the first one excludes others.
    """

    __slots__ = ("_globs",)

    def __init__(self) -> None:
        self._globs: list[tuple[Pattern, bool]] = []

    def add(self, glob: str, *, includes: bool) -> None:
        """One more glob, of names to search or to leave out."""
        self._globs.append((Pattern(glob.rstrip("/") or glob, extended=False), includes))

    def leave_out(self, name: str, *, is_operand: bool) -> bool:
        """Whether a file is not searched; of an operand each end behind a slash is a name too."""
        if not self._globs:
            return False
        names = [name]
        if is_operand:
            names += [name[at + 1 :] for at, char in enumerate(name[:-1]) if char == "/"]
        for glob, includes in reversed(self._globs):
            if any(map(glob.matches, names)):
                return not includes
        return self._globs[0][1]
