"""fmt - paragraphs filled to a width."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.chunks import batch_lines, lines, octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.fmt.filling import FillStyle, ParagraphFiller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DEFAULT_WIDTH, MAX_WIDTH = 75, 2500
GOAL_LEEWAY_PERCENT = 7  # percent of the width that lines may be short of it
GOAL_MARGIN = 10  # between a goal and a width that is not given


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
    """Fill each paragraph: its lines as long as the width allows, with words kept whole.

    files ...                 files to read, - for standard input
    -c, --crown-margin        keep the indents of the first two lines
    -t, --tagged-paragraph    the same, and the first line's must differ from the second's
    -s, --split-only          cut long lines, join none
    -u, --uniform-spacing     one blank between words, two behind sentences
    -p, --prefix TEXT         only lines that begin so, which is put before each again
    -w, --width WIDTH         columns at most; 75 without it (also -NUM)
    -g, --goal WIDTH          columns wished for; 93% of the width without it
    """
    most = MAX_WIDTH if width is None else parse_width(sh, width, MAX_WIDTH)
    wished = (
        None if goal is None else parse_width(sh, goal, most if width is not None else MAX_WIDTH)
    )
    if width is None:
        most = DEFAULT_WIDTH if wished is None else wished + GOAL_MARGIN
    if wished is None:
        wished = most * (2 * (100 - GOAL_LEEWAY_PERCENT) + 1) // 200
    manner = "split" if split_only else ""
    manner = manner or ("crown" if crown_margin else "tagged" if tagged_paragraph else "")
    style = FillStyle(most, wished, manner, octets_of_text(prefix), uniform_spacing)
    says = "cannot open {quoted} for reading: {why}"
    for source in sh.inputs(files, says, reading="read error: {why}"):
        text = lines(map(octets_of_text, source.chunks()))
        yield from map(
            text_of_octets, batch_lines(ParagraphFiller(style, sh.tick).filled_lines(text))
        )


def parse_width(sh: Call, text: str, most: int) -> int:
    """A width."""
    if not is_digits(text):
        raise sh.fail(f"invalid width: {locale_quoted_text(text)}")
    if bounded_number(text) > most:
        raise sh.fail(f"invalid width: {locale_quoted_text(text)}: Numerical result out of range")
    return bounded_number(text)
