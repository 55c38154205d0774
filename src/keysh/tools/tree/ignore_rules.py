"""The rules of one .gitignore: what it leaves out, and what it keeps.

A pattern with a slash, be it at its end, is for paths below the directory of its file; others are
for names anywhere below it.
"""

from __future__ import annotations

import re

from keysh.text.pattern import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
ANY_STEPS = None  # what stands for `**` among the steps of a pattern


class Rule:
    """One pattern. `steps` are None where it is for names."""

    __slots__ = ("_for_folders", "_name", "_steps")

    def __init__(self, text: str, ignore_case: bool) -> None:
        def pattern(step: str) -> Pattern:
            return Pattern(step, extended=False, ignore_case=ignore_case)

        self._for_folders = text.endswith("/")
        bare = text.removesuffix("/")
        self._name = None if "/" in text else pattern(bare)
        self._steps = [
            ANY_STEPS if step == "**" else pattern(step)
            for step in bare.removeprefix("/").split("/")
        ]

    def fits(self, name: str, steps: Sequence[str] | None, is_folder: bool) -> bool:
        """Whether it is for a file, of whose path the steps below the pattern's file are told."""
        if self._for_folders and not is_folder:
            return False
        if self._name is not None:
            return self._name.matches(name)
        return steps is not None and self._fits_steps(steps)

    def _fits_steps(self, steps: Sequence[str]) -> bool:
        places = {0}  # how many steps the pattern may have taken so far
        for number, pattern in enumerate(self._steps, 1):
            if pattern is ANY_STEPS:
                least = min(places) + (number == len(self._steps))
                places = set(range(least, len(steps) + 1))
            else:
                places = {at + 1 for at in places if at < len(steps) and pattern.matches(steps[at])}
            if not places:
                return False
        return len(steps) in places


class Rules:
    """What one file says; `place` is its directory's path, None where no path is below it."""

    __slots__ = ("keeping", "leaving", "place")

    def __init__(self, text: str, place: str | None, ignore_case: bool) -> None:
        self.place = place
        self.leaving: list[Rule] = []
        self.keeping: list[Rule] = []
        for line in text.split("\n"):
            keeps = line.startswith("!")
            bare = trimmed(line[keeps:])
            if bare and not line.startswith("#"):
                (self.keeping if keeps else self.leaving).append(Rule(bare, ignore_case))

    def steps_to(self, path: str) -> list[str] | None:
        """The steps from the file's directory to a path."""
        if self.place is None or not path.startswith(f"{self.place}/"):
            return None
        return path[len(self.place) + 1 :].split("/")


def trimmed(line: str) -> str:
    """A line without blanks at its end, but for one behind a backslash, and without backslashes."""
    bare = line.rstrip(" ")
    if bare.endswith("\\") and bare != line:
        bare += " "
    return ESCAPED.sub(r"\1", bare)
