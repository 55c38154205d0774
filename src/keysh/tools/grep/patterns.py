"""The patterns of grep, compiled to one regular expression."""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.text.regex.regex import Regex, RegexError, RegexLimit, regex_of
from keysh.text.regex.regex_errors import TOO_BIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Call

OPTION_SYNTAXES = {
    "extended_regexp": "egrep", "fixed_strings": "fixed", "basic_regexp": "grep",
    "perl_regexp": "perl",
}  # fmt: skip


class PatternList:
    """The patterns, one per line: the operand, or those of -e and -f in their order."""

    __slots__ = ("_pieces",)

    def __init__(self, sh: Call, operand: str | None) -> None:
        self._pieces: list[tuple[str, str]] = []  # the texts, each with the file it is from
        if operand is not None:
            self._pieces.append((operand, ""))
            return
        for option, value in sh.given:
            if option == "regexp":
                self._pieces += [(text, "") for text in value]
            elif option == "file":
                for path in value:
                    if text := read_pattern_file(sh, path):
                        self._pieces.append((text.removesuffix("\n"), path))

    @property
    def text(self) -> str | None:
        """All patterns, one per line; None if there are none."""
        return "\n".join([text for text, _ in self._pieces]) if self._pieces else None

    def location(self, is_bad: Callable[[str], bool]) -> str:
        """Return `FILE:LINE: ` of the first bad pattern, or "" if it is not from a file."""
        for text, path in self._pieces:
            for number, line in enumerate(text.split("\n"), 1):
                if is_bad(line):
                    return f"{path}:{number}: " if path else ""
        return ""


def read_pattern_file(sh: Call, path: str) -> str:
    """Read a pattern file."""
    try:
        with InputFile(sh, path) as reader:
            return reader.read()
    except OSError as error:
        raise sh.fail(f"{path}: {os_error_text(error)}", 2) from None


def packing_of(command: str) -> str:
    """Return "z", "bz" or "xz" if zgrep, bzegrep, xzfgrep or the like is called, "" for grep."""
    prefix = command.removesuffix("grep").removesuffix("e").removesuffix("f")
    return prefix if prefix in ("z", "bz", "xz") else ""


def compile_patterns(
    sh: Call, patterns: PatternList, text: str, *, ignore_case: bool, whole: str
) -> Regex:
    """Compile the patterns in the syntax that the options select."""
    plain_name = sh.name[len(packing_of(sh.name)) :]
    syntax = {"egrep": "egrep", "fgrep": "fixed"}.get(plain_name, "grep")
    asked = [OPTION_SYNTAXES[option] for option, _ in sh.given if option in OPTION_SYNTAXES]
    if len(set(asked)) > 1:
        raise sh.fail("conflicting matchers specified", 2)
    syntax = asked[-1] if asked else syntax
    if syntax == "perl" and "\n" in text:
        raise sh.fail("the -P option only supports a single pattern", 2)
    try:
        return regex_of(text, syntax, ignore_case=ignore_case, whole=whole)
    except RegexLimit as error:
        raise sh.fail(error.message, 2) from None
    except RegexError as error:
        is_placed = syntax != "perl" and error.message != TOO_BIG
        place = (
            patterns.location(lambda line: is_invalid_pattern(line, syntax)) if is_placed else ""
        )
        raise sh.fail(f"{place}{error.message}", 2) from None


def is_invalid_pattern(pattern: str, syntax: str) -> bool:
    """Whether a pattern is invalid by itself."""
    try:
        regex_of(pattern, syntax)
    except RegexError:
        return True
    return False
