"""fmt - paragraphs filled to a width."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.chunks import batches, from_octets, lines, octets
from keysh.text.gnu_quoting import locale_quoted
from keysh.text.shell_numbers import is_digits, known_number
from keysh.tools.fmt.filling import Filling, Style

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

USUAL, WIDEST = 75, 2500
LEEWAY = 7  # percent of the width that lines may be short of it
ROOM = 10  # between a goal and a width that is not given


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
    most = WIDEST if width is None else count(sh, width, WIDEST)
    wished = None if goal is None else count(sh, goal, most if width is not None else WIDEST)
    if width is None:
        most = USUAL if wished is None else wished + ROOM
    if wished is None:
        wished = most * (2 * (100 - LEEWAY) + 1) // 200
    manner = "split" if split_only else ""
    manner = manner or ("crown" if crown_margin else "tagged" if tagged_paragraph else "")
    style = Style(most, wished, manner, octets(prefix), uniform_spacing)
    says = "cannot open {quoted} for reading: {why}"
    for source in sh.inputs(files, says, reading="read error: {why}"):
        text = lines(map(octets, source.chunks()))
        yield from map(from_octets, batches(Filling(style, sh.tick).filled(text)))


def count(sh: Call, text: str, most: int) -> int:
    """A width."""
    if not is_digits(text):
        raise sh.fail(f"invalid width: {locale_quoted(text)}")
    if known_number(text) > most:
        raise sh.fail(f"invalid width: {locale_quoted(text)}: Numerical result out of range")
    return known_number(text)
