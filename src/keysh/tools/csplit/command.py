"""csplit - split a file where patterns match."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure, UsageFailure
from keysh.schema.declare import command
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.regex.regex import RegexLimit
from keysh.text.shell_numbers import is_digits
from keysh.tools.csplit.output import SplitOutput, check_suffix_format
from keysh.tools.csplit.pattern import INFINITE, SplitPattern, parse_patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

DEFAULT_DIGITS = "2"
MAX_DIGITS = 255  # as long as a file name may be


@command(compatible="GNU coreutils 9.1")
def csplit(
    sh: Call,
    *words: str,
    suffix_format: str | None = None,
    prefix: str = "xx",
    keep_files: bool = False,
    suppress_matched: bool = False,
    digits: str = DEFAULT_DIGITS,
    silent: bool = False,
    elide_empty_files: bool = False,
) -> None:
    """Split a file at patterns into xx00, xx01 and so on, and print their sizes.

    words ...                   the file, - for standard input, and the patterns
    -b, --suffix-format FORMAT  use a format of printf, such as %03d.txt, instead of
                                two digits
    -f, --prefix TEXT           use TEXT instead of xx
    -k, --keep-files            do not remove the pieces after a failure
    --suppress-matched          leave out the lines that match
    -n, --digits NUM            use NUM digits instead of 2
    -s, -q, --silent, --quiet   do not print the sizes
    -z, --elide-empty-files     do not write empty pieces

    A pattern is one of these:
      NUM        up to the line before line NUM
      /RE/[NUM]  up to the line before the next one that matches a basic regular
                 expression; NUM, as in +1 or -2, moves the place
      %RE%[NUM]  the same, but leave the lines before it out
      {NUM}      repeat the pattern before NUM times; {*} as often as possible
    """
    if suffix_format is not None:
        check_suffix_format(sh, suffix_format)
    if not is_digits(digits) or int(digits[:9]) > MAX_DIGITS:
        raise sh.fail(f"invalid number: {locale_quoted_text(digits)}")
    if len(words) < 2:
        missing = f" after {locale_quoted_text(words[0])}" if words else ""
        raise UsageFailure(f"missing operand{missing}")
    output = SplitOutput(sh, prefix, suffix_format or f"%0{int(digits)}d")
    output.is_silent, output.skips_empty = silent, elide_empty_files
    is_done = False
    try:
        for source in sh.inputs(words[:1], "cannot open {quoted} for reading: {why}"):
            patterns = parse_patterns(sh, words[1:])
            splitter = FileSplitter(sh, list(source.lines()), output, leaves_out=suppress_matched)
            for pattern in patterns:
                splitter.split_at(pattern)
            splitter.write_rest()
            is_done = True
    except RegexLimit as limit:
        raise sh.fail(limit.message) from None
    finally:
        if not is_done and not keep_files:
            output.remove_all()


class FileSplitter:
    """The lines of a file, and how many of them are written."""

    __slots__ = (
        "_leaves_out",
        "_is_at_match",
        "_is_over",
        "_lines",
        "_output",
        "_position",
        "_sh",
    )

    def __init__(
        self, sh: Call, lines: list[str], output: SplitOutput, *, leaves_out: bool
    ) -> None:
        self._sh, self._output, self._leaves_out = sh, output, leaves_out
        self._lines = lines
        self._position = 0
        self._is_over = False  # the rest is left out
        self._is_at_match = False  # of a regular expression, which does not match there again

    def split_at(self, pattern: SplitPattern) -> None:
        """Split at a pattern as often as it is repeated."""
        repetition = 0
        while pattern.repetitions == INFINITE or repetition <= pattern.repetitions:
            self._sh.tick()
            is_last = (
                self._split_at_line(pattern, repetition)
                if pattern.regex is None
                else self._split_at_match(pattern, repetition)
            )
            if is_last:
                break
            repetition += 1

    def write_rest(self) -> None:
        """Write the lines behind the last place."""
        if self._is_over:
            return
        self._output.write(self._lines[self._position :])

    def _split_at_line(self, pattern: SplitPattern, repetition: int) -> bool:
        """Split before a line number, or the next multiple of it; never the last repetition."""
        if not self._lines:
            raise self._sh.fail("input disappeared")
        end = pattern.line * (repetition + 1) - 1
        if end > len(self._lines) or (end == len(self._lines) and pattern.line > 1):
            self._output.write(self._lines[self._position :])
            raise self._failure(pattern, repetition, "line number out of range")
        self._output.write(self._lines[self._position : max(end, self._position)])
        self._position, self._is_at_match = max(end, self._position), False
        if self._leaves_out:
            self._position += 1
        return False

    def _split_at_match(self, pattern: SplitPattern, repetition: int) -> bool:
        """Split at the next match; return whether a pattern that repeats for ever has none."""
        assert pattern.regex is not None
        start = self._position + self._is_at_match
        matching = next(
            (
                number
                for number in range(start, len(self._lines))
                if pattern.regex.is_in(self._lines[number].removesuffix("\n"), self._sh.tick)
            ),
            None,
        )
        if matching is None:
            if pattern.repetitions == INFINITE:
                self._is_over = pattern.is_skipped
                return True
            if not pattern.is_skipped:
                self.write_rest()
            raise self._failure(pattern, repetition, "match not found")
        end = matching + pattern.offset
        if end > len(self._lines) or end < self._position:
            if not pattern.is_skipped:
                self._output.write(self._lines[self._position : max(end, self._position)])
            raise self._failure(pattern, 0, "line number out of range")
        if not pattern.is_skipped:
            self._output.write(self._lines[self._position : end])
        self._position = end + self._leaves_out
        self._is_at_match = True
        return False

    def _failure(self, pattern: SplitPattern, repetition: int, message: str) -> CommandFailure:
        count = f" on repetition {repetition}" if repetition else ""
        return self._sh.fail(f"{locale_quoted_text(pattern.text)}: {message}{count}")
