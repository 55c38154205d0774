"""The rules of one .gitignore file.

A pattern with a slash matches paths below the directory of the file; other patterns match names
anywhere below it.
"""

from __future__ import annotations

import re

from keysh.text.pattern import name_matcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.text.pattern import NameMatcher

ESCAPED_CHARACTER = re.compile(r"\\(.?)", re.DOTALL)
ANY_STEPS = None  # stands for `**` in the steps of a pattern


class IgnorePattern:
    """One pattern, which matches names or the steps of paths."""

    __slots__ = ("_directories_only", "_name", "_steps")

    def __init__(self, text: str, ignore_case: bool, tick: Callable[[], object]) -> None:
        def matcher(step: str) -> NameMatcher:
            return name_matcher(step, tick, ignore_case=ignore_case)

        self._directories_only = text.endswith("/")
        bare = text.removesuffix("/")
        self._name = None if "/" in text else matcher(bare)
        self._steps = [
            ANY_STEPS if step == "**" else matcher(step)
            for step in bare.removeprefix("/").split("/")
        ]

    def matches(self, name: str, steps: Sequence[str] | None, is_folder: bool) -> bool:
        """Whether it matches a file; `steps` lead to it from the directory of the ignore file."""
        if self._directories_only and not is_folder:
            return False
        if self._name is not None:
            return self._name(name)
        return steps is not None and self._matches_steps(steps)

    def _matches_steps(self, steps: Sequence[str]) -> bool:
        places = {0}  # numbers of steps that the pattern can have matched so far
        for number, matches in enumerate(self._steps, 1):
            if matches is ANY_STEPS:
                least = min(places) + (number == len(self._steps))
                places = set(range(least, len(steps) + 1))
            else:
                places = {at + 1 for at in places if at < len(steps) and matches(steps[at])}
            if not places:
                return False
        return len(steps) in places


class IgnoreRules:
    """The patterns of one file; `directory` is None if no path is below it."""

    __slots__ = ("directory", "ignore_patterns", "keep_patterns")

    def __init__(
        self, text: str, directory: str | None, ignore_case: bool, tick: Callable[[], object]
    ) -> None:
        self.directory = directory
        self.ignore_patterns: list[IgnorePattern] = []
        self.keep_patterns: list[IgnorePattern] = []
        for line in text.split("\n"):
            keeps = line.startswith("!")
            bare = trim_pattern(line[keeps:])
            if bare and not line.startswith("#"):
                (self.keep_patterns if keeps else self.ignore_patterns).append(
                    IgnorePattern(bare, ignore_case, tick)
                )

    def steps_below(self, path: str) -> list[str] | None:
        """Return the steps from the directory of the file to a path."""
        if self.directory is None or not path.startswith(f"{self.directory}/"):
            return None
        return path[len(self.directory) + 1 :].split("/")


def trim_pattern(line: str) -> str:
    """Strip trailing blanks unless escaped, then backslashes."""
    bare = line.rstrip(" ")
    if bare.endswith("\\") and bare != line:
        bare += " "
    return ESCAPED_CHARACTER.sub(r"\1", bare)
