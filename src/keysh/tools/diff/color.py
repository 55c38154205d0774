"""Color the output of diff for terminals, with the escape sequences of GNU diff."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLOR_CODES = {"header": "1", "place": "36", "old": "31", "new": "32", "reset": "0"}
ROW_COLORS = {"<": "old", ">": "new"}  # of side-by-side rows, by their marks
UNIFIED_COLORS = {"@": "place", "-": "old", "+": "new"}  # by the first character


def paint(color: str, text: str) -> str:
    """Return text in a color; without the name of a color, return it unchanged."""
    return f"\x1b[{COLOR_CODES[color]}m{text}\x1b[{COLOR_CODES['reset']}m" if color else text


def paint_header(line: str) -> str:
    """Color a line that names a file."""
    return paint("header", line.removesuffix("\n")) + "\n"


def paint_lines(style: str, lines: Iterable[str]) -> Iterable[str]:
    """Color the lines of a normal, unified or context diff; return others unchanged."""
    if style == "context":
        return paint_context(lines)
    if style == "normal":
        return (paint_line(normal_color(line), line) for line in lines)
    if style == "unified":
        return (paint_line(UNIFIED_COLORS.get(line[0], ""), line) for line in lines)
    return lines


def normal_color(line: str) -> str:
    """Return the color of a line of a normal diff."""
    return "" if line == "---\n" else ROW_COLORS.get(line[0], "place")


def paint_line(color: str, line: str) -> str:
    """Color a line except for its newline and the name of a function."""
    # The notice of a missing newline starts with that newline.
    end = len(line.removesuffix("\n")) if line[0] != "\n" else 0
    if color == "place" and line[0] == "@":
        end = line.index("@@", 2) + 2
    return paint(color if end else "", line[:end]) + line[end:]


def paint_context(lines: Iterable[str]) -> Iterator[str]:
    """Color a context diff, in which all lines of one half have the same color."""
    color = ""
    for line in lines:
        if line.startswith("***************"):
            yield line
        elif line.startswith(("*** ", "--- ")):  # no line of a hunk starts like this
            color = "old" if line[0] == "*" else "new"
            yield paint_line("place", line)
        else:
            yield paint_line(color, line)
