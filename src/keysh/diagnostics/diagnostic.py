"""Diagnostic: what is wrong with a script, where, and how to fix it."""

from __future__ import annotations

from keysh.diagnostics.display import display_width, visible
from keysh.diagnostics.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# The codes are stable and never reused. Each has a page in tests/spec/errors.
CODES = {
    "E101": "a token is unexpected",
    "E102": "a construct is not closed",
    "E103": "a heredoc is not closed",
    "E104": "a command is missing",
    "E105": "a closing word closes nothing",
    "E106": "a `${…}` is malformed",
    "E107": "an arithmetic expression is malformed",
    "E108": "a `[[ … ]]` is malformed",
    "E109": "brackets after `=` are neither a value nor text",
    "E110": "a record cannot be read with a dot",
    "E111": "keysh does not have this construct",
    "E112": "an alias is more than the beginning of a command",
    "E113": "constructs nest too deeply",
    "E114": "a character cannot appear in a script",
    "E115": "a parenthesis is among words",
    "E116": "a redirection has no target",
    "E117": "a function's declaration is malformed",
    "E118": "a loop or a `case` is malformed",
    "E119": "an assignment is malformed",
    "E120": "a list or record is malformed",
    "E121": "a script exceeds a limit before it runs",
    "E201": "a list or record is used as text",
    "E202": "bytes that are not UTF-8 are used as text",
    "E203": "a path leads to nothing",
    "E204": "a list of words is made of text that sh would split",
    "E205": "no file matches a pattern",
    "E206": "division by zero",
    "E207": "a number is out of range",
    "E208": "text is not a number",
    "E209": "a variable must be set",
    "E210": "a status is outside 0 to 255",
    "E211": "a variable cannot be changed",
    "E212": "a redirection's target is not one word",
    "E213": "a regular expression is invalid",
    "E214": "a named pipe has no other end",
    "E299": "an error that nothing expected",
    "E301": "a command is unknown",
    "E302": "an option is unknown",
    "E303": "a value does not fit its parameter",
    "E304": "an operand is missing",
    "E305": "there are too many operands",
    "E306": "a command has no meaning here",
    "E307": "a function's parameter is invalid",
    "E309": "a literal regular expression is invalid",
    "E310": "sh would split the text of a variable",
    "E311": "an array is read without a subscript",
    "W301": "nothing assigns a variable",
    "W302": "a redirection is not used",
    "W303": "a record has a duplicate key",
    "W304": "sh would split this",
    "W305": "a glob may match nothing",
    "W306": "the last stage changes the shell",
    "W307": "an argument binds by name",
    "W308": "an option differs from bash",
    "W309": "a pattern stands where a test is meant",
    "W311": "only bash uses a variable",
    "W312": "a scattered function changes a variable",
}

# The codes by which keysh declines to guess while a script runs: they end the run. Any other
# run-time error fails its command alone.
REFUSALS = frozenset(("E201", "E202", "E203", "E204", "E208", "E211", "E212", "E311"))

BOLD, RED, YELLOW, GREEN, RESET_STYLE = "\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[0m"
# Columns of source shown around the location, unless the screen is narrower.
MAX_EXCERPT_COLUMNS = 100
MIN_EXCERPT_COLUMNS = 10
# Columns taken by the margin and by the mark for omitted text.
EXCERPT_FRAME_COLUMNS = 5


class Diagnostic:
    """An error or warning. Converted to a string it is the message for the user.

    code      such as "E301"; `keysh explain E301` prints its page
    severity  "error" or "warning"
    fact      what is wrong
    datum     with what: the word of the script, or ""
    fix       what to write instead, or ""
    source    the script
    start     where it begins, as an offset in the script
    end       where it ends
    """

    __module__ = "keysh"
    __slots__ = ("code", "datum", "end", "fact", "fix", "severity", "source", "start")

    def __init__(
        self,
        code: str,
        source: Source,
        start: int,
        end: int,
        fact: str,
        datum: str = "",
        fix: str = "",
        severity: str = "error",
    ) -> None:
        self.code, self.severity = code, severity
        self.source, self.start, self.end = source, start, end
        self.fact, self.datum, self.fix = fact, datum, fix

    @property
    def message(self) -> str:
        """Return the fact and its datum on one line."""
        return visible(f"{self.fact}: {self.datum}" if self.datum else self.fact)

    def __str__(self) -> str:
        return self.shown()

    def shown(self, columns: int = 0, *, colored: bool = False) -> str:
        """Return the diagnostic with its source line; `columns` is the terminal's width, if any."""
        line, column = self.source.position(self.start)
        position, code, fix = f"{visible(self.source.name)}:{line}:{column}:", self.code, "fix:"
        text, carets = self._excerpt(line, column, columns)
        if colored:
            tint = RED if self.severity == "error" else YELLOW
            position, fix = f"{BOLD}{position}{RESET_STYLE}", f"{GREEN}{fix}{RESET_STYLE}"
            code, carets = f"{tint}{code}{RESET_STYLE}", f"{tint}{carets}{RESET_STYLE}"
        parts = [f"{position} {code} {self.message}", text, carets]
        if self.fix:
            parts.append(f"{fix} {visible(self.fix)}")
        return "\n".join(parts)

    def __repr__(self) -> str:
        return f"<Diagnostic {self.code} {self.start}..{self.end} {self.message!r}>"

    def record(self) -> dict[str, object]:
        """Return the diagnostic as a record, for `--json`."""
        line, column = self.source.position(self.start)
        end_line, end_column = self.source.position(self.end)
        return {
            "code": self.code,
            "severity": self.severity,
            "file": visible(self.source.name),
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "fact": visible(self.fact),
            "datum": visible(self.datum),
            "fix": visible(self.fix),
        }

    def _excerpt(self, number: int, column: int, columns: int) -> tuple[str, str]:
        """Return the source line and the carets under the span, cut to the screen's width."""
        text = self.source.line(number)
        most = (
            min(MAX_EXCERPT_COLUMNS, max(MIN_EXCERPT_COLUMNS, columns - EXCERPT_FRAME_COLUMNS))
            if columns
            else MAX_EXCERPT_COLUMNS
        )
        offset = column - 1
        stop = min(len(text), offset + max(1, self.end - self.start))
        first = max(0, offset - most // 2) if len(text) > most else 0
        last = min(len(text), first + most)
        before = ("…" if first else "") + visible(text[first:offset])
        marked = visible(text[offset : min(stop, last)])
        after = visible(text[min(stop, last) : last]) + ("…" if last < len(text) else "")
        return (
            f"  {before}{marked}{after}".rstrip(),
            f"  {' ' * display_width(before)}{'^' * max(1, display_width(marked))}",
        )


def has_colors(env: Mapping[str, str]) -> bool:
    """Whether the environment says that the terminal has colors and they are wanted."""
    return not env.get("NO_COLOR") and env.get("TERM", "") not in ("", "dumb")
