"""fmt - fill paragraphs to a width."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.chunks import batch_lines, lines, octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.fmt.paragraphs import FillStyle, ParagraphFiller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DEFAULT_WIDTH, MAX_WIDTH = 75, 2500
GOAL_LEEWAY_PERCENT = 7  # how far the goal is below the width
GOAL_MARGIN = 10  # added to a given goal for the width


@command
def fmt(
    sh: Call,
    *files: Path,
    crown_margin: bool = False,
    tagged_paragraph: bool = False,
    split_only: bool = False,
    uniform_spacing: bool = False,
    prefix: str = "",
    width: str | None = None,
    goal: str | None = None,
) -> Iterator[str]:
    """Fill paragraphs: join and split lines to the width without breaking words.

    files ...               files to read, - for standard input
    -c, --crown-margin      preserve the indentation of the first two lines
    -t, --tagged-paragraph  like -c, but the first line's indentation must differ
                            from the second's
    -s, --split-only        split long lines but do not join short ones
    -u, --uniform-spacing   one space between words, two after sentences
    -p, --prefix TEXT       format only lines that begin with TEXT, and keep it on
                            each line
    -w, --width WIDTH       maximum line width; the default is 75 (also -NUM)
    -g, --goal WIDTH        preferred line width; the default is 93% of the width
    """
    max_width = MAX_WIDTH if width is None else parse_width(sh, width, MAX_WIDTH)
    goal_width = (
        None
        if goal is None
        else parse_width(sh, goal, max_width if width is not None else MAX_WIDTH)
    )
    if width is None:
        max_width = DEFAULT_WIDTH if goal_width is None else goal_width + GOAL_MARGIN
    if goal_width is None:
        goal_width = max_width * (2 * (100 - GOAL_LEEWAY_PERCENT) + 1) // 200
    mode = "split" if split_only else ""
    mode = mode or ("crown" if crown_margin else "tagged" if tagged_paragraph else "")
    style = FillStyle(max_width, goal_width, mode, octets_of_text(prefix), uniform_spacing)
    opening = "cannot open {quoted} for reading: {why}"
    for source in sh.inputs(files, opening, reading="read error: {why}"):
        text = lines(source.octets(), sh.check_size)
        yield from map(
            text_of_octets, batch_lines(ParagraphFiller(style, sh.tick).filled_lines(text))
        )


def parse_width(sh: Call, text: str, maximum: int) -> int:
    if not is_digits(text):
        raise sh.fail(f"invalid width: {locale_quoted_text(text)}")
    if bounded_number(text) > maximum:
        raise sh.fail(f"invalid width: {locale_quoted_text(text)}: Numerical result out of range")
    return bounded_number(text)
