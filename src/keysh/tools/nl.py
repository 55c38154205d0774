"""nl - number lines."""

from __future__ import annotations

import errno
import os
from itertools import chain

from keysh.gnu.line_numbers import LineNumberFormat
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import LINES_PER_BATCH, bytes_of_text, pieces_of_lines, whole_lines
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

    Wants = Callable[[str], bool]

MAX_NUMBER_WIDTH = 1000  # columns, which every line takes
MAX_ADDED_CHARACTERS = 1 << 20  # to one text, by numbers and what stands after them
MAX_LINE_NUMBER = (1 << 63) - 1  # and the negative of it
OUT_OF_RANGE = os.strerror(errno.ERANGE)
SECTIONS = ("header", "body", "footer")


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(
        invalid_values={
            "line_increment": "invalid line number increment",
            "join_blank_lines": "invalid line number of blank lines",
            "starting_line_number": "invalid starting line number",
            "number_width": "invalid line number field width",
        }
    ),
)
def nl(
    sh: Call,
    *files: Path,
    body_numbering: str = "t",
    section_delimiter: str = "\\:",
    footer_numbering: str = "n",
    header_numbering: str = "n",
    line_increment: int = 1,
    join_blank_lines: int = 1,
    number_format: str = "rn",
    renumber: bool = True,
    number_separator: str = "\t",
    starting_line_number: int = 1,
    number_width: int = 6,
) -> Iterator[str]:
    """Number lines.

    files ...                     files to read, - for standard input
    -b, --body-numbering STYLE    which lines of the body to number; t by default
    -d, --section-delimiter CC    the two characters that delimit sections: alone on
                                  a line, three times for a header, twice for a
                                  body, once for a footer
    -f, --footer-numbering STYLE  which lines of footers to number; n by default
    -h, --header-numbering STYLE  which lines of headers to number; n by default
    -i, --line-increment NUM      increment between line numbers
    -l, --join-blank-lines NUM    count NUM consecutive empty lines as one
    -n, --number-format FORMAT    ln left-justified, rn right-justified, rz with
                                  leading zeros
    -p, --no-renumber             do not reset the number at each section
    -s, --number-separator TEXT   print TEXT after the number
    -v, --starting-line-number NUM
                                  first line number
    -w, --number-width NUM        width of the number

    STYLE is a for all lines, t for nonempty lines, n for none, and pRE for lines
    that match the basic regular expression RE.
    """
    if not 0 < number_width <= MAX_NUMBER_WIDTH:
        raise sh.fail(f"invalid line number field width: '{number_width}': {OUT_OF_RANGE}")
    if join_blank_lines < 1:
        raise sh.fail(f"invalid line number of blank lines: '{join_blank_lines}': {OUT_OF_RANGE}")
    styles = {
        "header": parse_style(sh, "header", header_numbering),
        "body": parse_style(sh, "body", body_numbering),
        "footer": parse_style(sh, "footer", footer_numbering),
    }
    mark = section_delimiter if len(section_delimiter) > 1 else f"{section_delimiter}:"
    if not section_delimiter:
        mark = ""
    width = number_width
    shape = {"ln": f"<{width}", "rn": f">{width}", "rz": f"0{width}"}.get(number_format)
    if shape is None:
        message = f"invalid line numbering format: {locale_quoted_text(number_format)}"
        raise UsageFailure(message)
    numerals = LineNumberFormat(shape, number_separator)
    empty = " " * (width + len(bytes_of_text(number_separator)))

    def number_lines(texts: Iterable[str]) -> Iterator[str]:
        is_numbered_line, number, blanks = styles["body"], starting_line_number, 0
        for text in texts:
            lines = text.removesuffix("\n").split("\n")
            is_plain = (
                is_numbered_line in (is_any_line, bool) and "" not in lines and mark not in text
            )
            if line_increment == 1 and is_plain and number + len(lines) <= MAX_LINE_NUMBER:
                yield f"{numerals.number_lines(lines, number)}\n"
                number += len(lines)
                blanks = 0 if is_numbered_line is is_any_line else blanks
                continue
            output = []
            for line in lines:
                section = line.count(mark) if mark and line == mark * line.count(mark) else 0
                if 1 <= section <= 3:
                    is_numbered_line = styles[SECTIONS[3 - section]]
                    if renumber:
                        number = starting_line_number
                    output.append("")
                    continue
                is_numbered = is_numbered_line(line)
                if is_numbered_line is is_any_line:
                    blanks = 0 if line else (blanks + 1) % join_blank_lines
                    is_numbered = not blanks
                if is_numbered and abs(number) > MAX_LINE_NUMBER:
                    yield "\n".join([*output, ""] if output else output)
                    raise sh.fail("line number overflow")
                output.append(f"{numerals.format_number(number) if is_numbered else empty}{line}")
                number += line_increment if is_numbered else 0
            yield "\n".join([*output, ""])

    texts = chain.from_iterable(
        whole_lines(source.chunks(), sh.check_size) for source in sh.inputs(files)
    )
    lines_per_text = MAX_ADDED_CHARACTERS // len(empty)
    if lines_per_text < LINES_PER_BATCH:
        texts = chain.from_iterable(pieces_of_lines(text, lines_per_text + 1) for text in texts)
    try:
        yield from number_lines(texts)
    except RegexLimit as limit:
        raise sh.fail(limit.message) from None


def is_any_line(line: str) -> bool:
    """Return True, for the style a."""
    return True


def parse_style(sh: Call, section: str, text: str) -> Wants:
    """Return the test for the lines of a section that are numbered."""
    if text == "a":
        return is_any_line
    if text == "t":
        return bool
    if text == "n":
        return lambda line: False
    if text[:1] == "p":
        try:
            regex = regex_of(text[1:], "basic")
        except RegexError as error:
            raise sh.fail(error.message) from None
        return lambda line: regex.is_in(line, sh.tick)
    raise UsageFailure(f"invalid {section} numbering style: {locale_quoted_text(text)}")
