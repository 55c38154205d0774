"""nl - lines with numbers."""

from __future__ import annotations

import errno
import os
from itertools import chain

from keysh.gnu.line_numbers import LineNumberFormat
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import Refusals, command
from keysh.text.chunks import bytes_of_text, whole_lines
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

    Wants = Callable[[str], bool]

MAX_NUMBER_WIDTH = 1000  # columns of a number, for each line takes as many
MAX_LINE_NUMBER = (1 << 63) - 1  # of all line numbers
OUT_OF_RANGE = os.strerror(errno.ERANGE)
SECTIONS = ("header", "body", "footer")


@command(
    refusals=Refusals(
        invalid_values={
            "line_increment": "invalid line number increment",
            "join_blank_lines": "invalid line number of blank lines",
            "starting_line_number": "invalid starting line number",
            "number_width": "invalid line number field width",
        }
    )
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
    r"""Print lines with numbers.

    files ...                        files to read, - for standard input
    -b, --body-numbering STYLE       which lines of the body get numbers
    -d, --section-delimiter CC       two characters; three times on a line by themselves they begin
                                     a header, twice a body, once a footer
    -f, --footer-numbering STYLE     which lines of footers get numbers
    -h, --header-numbering STYLE     which lines of headers get numbers
    -i, --line-increment NUM         how far numbers are apart
    -l, --join-blank-lines NUM       so many empty lines count as one
    -n, --number-format FORMAT       ln to the left, rn to the right, rz with zeros
    -p, --no-renumber                do not begin again with each section
    -s, --number-separator TEXT      what stands behind the number
    -v, --starting-line-number NUM   the first number
    -w, --number-width NUM           how many columns the number takes

    STYLE is a for all lines, t for those that are not empty, n for none, and pRE for those that a
    basic regular expression matches.
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
        says = f"invalid line numbering format: {locale_quoted_text(number_format)}"
        raise UsageFailure(says)
    numerals = LineNumberFormat(shape, number_separator)
    empty = " " * (width + len(bytes_of_text(number_separator)))

    def numbered(texts: Iterable[str]) -> Iterator[str]:
        wants, number, blanks = styles["body"], starting_line_number, 0
        for text in texts:
            lines = text.removesuffix("\n").split("\n")
            is_plain = wants in (is_any_line, bool) and "" not in lines and mark not in text
            if line_increment == 1 and is_plain and number + len(lines) <= MAX_LINE_NUMBER:
                yield f"{numerals.number_lines(lines, number)}\n"
                number += len(lines)
                blanks = 0 if wants is is_any_line else blanks
                continue
            made = []
            for line in lines:
                section = line.count(mark) if mark and line == mark * line.count(mark) else 0
                if 1 <= section <= 3:
                    wants = styles[SECTIONS[3 - section]]
                    if renumber:
                        number = starting_line_number
                    made.append("")
                    continue
                is_wanted = wants(line)
                if wants is is_any_line:
                    blanks = 0 if line else (blanks + 1) % join_blank_lines
                    is_wanted = not blanks
                if is_wanted and abs(number) > MAX_LINE_NUMBER:
                    yield "\n".join([*made, ""] if made else made)
                    raise sh.fail("line number overflow")
                made.append(f"{numerals.format_number(number) if is_wanted else empty}{line}")
                number += line_increment if is_wanted else 0
            yield "\n".join([*made, ""])

    texts = (whole_lines(source.chunks()) for source in sh.inputs(files))
    try:
        yield from numbered(chain.from_iterable(texts))
    except RegexLimit as limit:
        raise sh.fail(limit.message) from None


def is_any_line(line: str) -> bool:
    """What holds for all lines."""
    return True


def parse_style(sh: Call, section: str, text: str) -> Wants:
    """Which lines of a section get numbers."""
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
