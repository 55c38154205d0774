"""Table: the constants of a program, by the names that generated code has for them."""

from __future__ import annotations

from keysh.text.regex.native.guards import test_guard
from keysh.text.regex.regex import Regex, RegexError, regex_of
from keysh.tools.awk.parse.escapes import regex_warnings
from keysh.tools.awk.parse.lexer import AwkProgramError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class ConstantTable:
    """The constants of a program, by the names that its code has for them."""

    __slots__ = ("_regexes", "_texts", "values", "warnings")

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.warnings: list[tuple[int, str]] = []  # of odd regular expressions, with their lines
        self._texts: dict[str, str] = {}
        self._regexes: dict[str, Regex] = {}

    def text(self, value: str) -> str:
        """The name of a text."""
        name = self._texts.get(value)
        if name is None:
            name = self._texts[value] = f"K{len(self._texts)}"
            self.values[name] = value
        return name

    def function(self, function: Callable[..., object]) -> str:
        """The name of a function that is made for the program."""
        name = f"S{len(self.values)}"
        self.values[name] = function
        return name

    def regex(self, pattern: str, line: int, problem: str = "error") -> str:
        """The name of a regular expression; `R…` is its test, `E…` the whole."""
        found = self._regexes.get(pattern)
        if found is None:
            try:
                found = self._regexes[pattern] = regex_of(pattern, "awk")
                self.warnings += [(line, says) for says in regex_warnings(pattern)]
            except RegexError as error:
                raise AwkProgramError(
                    f"cmd. line:{line}: {problem}: {error}: /{pattern}/"
                ) from None
        number = [*self._regexes].index(pattern)
        self.values[f"R{number}"], self.values[f"E{number}"] = match_test(found), found
        return f"E{number}"


def match_test(regex: Regex) -> Callable[[str], object]:
    """The fastest function that says whether a text matches."""
    matching = test_guard(regex)
    if matching.pattern is None:
        return regex.is_in
    search, fits, is_in = matching.pattern.search, matching.fits, regex.is_in
    if matching.is_for_all:
        return search
    return lambda text: search(text) if fits(text) else is_in(text)
