"""The patterns of a call of grep as one regular expression."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.streams import reader_of
from keysh.text.regex import Regex, RegexError, RegexLimit, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call

SYNTAXES = {
    "extended_regexp": "egrep", "fixed_strings": "fixed", "basic_regexp": "grep",
    "perl_regexp": "perl",
}  # fmt: skip


def pattern_text(sh: Call, operand: str | None) -> str | None:
    """The patterns, one a line: the operand's, or those of -e and -f. None where there are none."""
    if operand is not None:
        return operand
    pieces: list[str] = []
    for option, value in sh.given:
        if option == "regexp":
            pieces += value
        elif option == "file":
            texts = [patterns_in(sh, path) for path in value]
            pieces += [text.removesuffix("\n") for text in texts if text]
    return "\n".join(pieces) if pieces else None


def patterns_in(sh: Call, path: str) -> str:
    """The text of a file of patterns."""
    if path == "-":
        return sh.stdin.read()
    try:
        reader = reader_of(sh.open(path))
        try:
            return reader.read()
        finally:
            reader.close()
    except OSError as error:
        raise sh.fail(f"{path}: {why(error)}", 2) from None


def regex_for(sh: Call, patterns: str, *, ignore_case: bool, whole: str) -> Regex:
    """The expression, in the syntax that is asked for."""
    syntax = {"egrep": "egrep", "fgrep": "fixed"}.get(sh.name, "grep")
    asked = [SYNTAXES[option] for option, _ in sh.given if option in SYNTAXES]
    if len(set(asked)) > 1:
        raise sh.fail("conflicting matchers specified", 2)
    syntax = asked[-1] if asked else syntax
    if syntax == "perl" and "\n" in patterns:
        raise sh.fail("the -P option only supports a single pattern", 2)
    try:
        return regex_of(patterns, syntax, ignore_case=ignore_case, whole=whole)
    except (RegexError, RegexLimit) as error:
        raise sh.fail(error.message, 2) from None
