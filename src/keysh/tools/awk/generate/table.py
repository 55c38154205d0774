"""The constants of a program by their generated names."""

from __future__ import annotations

import re

from keysh.text.regex.native.guards import test_guard
from keysh.text.regex.regex import Regex, RegexError, regex_of
from keysh.tools.awk.parse.escapes import regex_warnings
from keysh.tools.awk.parse.lexer import AwkProgramError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class ConstantTable:
    """The constants of a program by their generated names: strings, patterns and functions."""

    __slots__ = ("_regexes", "_texts", "values", "warnings")

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.warnings: list[tuple[int, str]] = []  # about regular expressions, with their lines
        self._texts: dict[str, str] = {}
        self._regexes: dict[str, Regex] = {}

    def text(self, value: str) -> str:
        """Return the name of a string constant."""
        name = self._texts.get(value)
        if name is None:
            name = self._texts[value] = f"K{len(self._texts)}"
            self.values[name] = value
        return name

    def function(self, function: Callable[..., object]) -> str:
        """Add a function made for the program and return its name."""
        name = f"S{len(self.values)}"
        self.values[name] = function
        return name

    def regex(self, pattern: str, line: int, problem: str = "error") -> str:
        """Return the name of a regular expression, `E…`; `test_code` tests for it."""
        compiled = self._regexes.get(pattern)
        if compiled is None:
            try:
                compiled = self._regexes[pattern] = regex_of(pattern, "awk")
                self.warnings += [(line, warning) for warning in regex_warnings(pattern)]
            except RegexError as error:
                raise AwkProgramError(
                    f"cmd. line:{line}: {problem}: {error}: /{pattern}/"
                ) from None
        number = [*self._regexes].index(pattern)
        self.values[f"R{number}"], self.values[f"E{number}"] = match_test(compiled), compiled
        return f"E{number}"

    def test_code(self, name: str, text: str) -> str:
        """Return the code that tests whether the regular expression of a name matches a text."""
        regex = self.values[name]
        if isinstance(regex, Regex) and regex.literal is not None:
            return f"({self.text(regex.literal)} in {text})"
        test = f"R{name[1:]}"
        is_native = isinstance(getattr(self.values[test], "__self__", None), re.Pattern)
        return f"{test}({text})" if is_native else f"{test}({text}, tick)"


def match_test(regex: Regex) -> Callable[..., object]:
    """Return the fastest function that tests whether a text matches; one that is slow may tick."""
    matching = test_guard(regex)
    if matching.pattern is None:
        return regex.is_in
    search, fits, is_in = matching.pattern.search, matching.fits, regex.is_in
    if matching.is_for_all:
        return search
    return lambda text, tick: search(text) if fits(text) else is_in(text, tick)
