"""Color: the lines of the normal and of the unified form, marked for a terminal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RESET, HEADER, OLD, NEW, PLACE = (f"\033[{code}m" for code in ("0", "1", "31", "32", "36"))


def header(line: str) -> str:
    """A line that names a file."""
    return f"{HEADER}{line.removesuffix(chr(10))}{RESET}\n"


def colored(form: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines of a form; those of the others stay as they are."""
    color_of = {"normal": of_normal, "unified": of_unified}.get(form)
    if color_of is None:
        yield from lines
        return
    for line in lines:
        # What is said of a missing newline begins with that newline.
        color = "" if line[0] == "\n" else color_of(line)
        end = len(line.removesuffix("\n"))
        if form == "unified" and color == PLACE:
            end = line.index("@@", 2) + 2  # behind it may stand the function it is in
        yield f"{color}{line[:end]}{RESET}{line[end:]}" if color else line


def of_normal(line: str) -> str:
    """The color of a line of the normal form."""
    return "" if line == "---\n" else {"<": OLD, ">": NEW}.get(line[0], PLACE)


def of_unified(line: str) -> str:
    """The color of a line of the unified form."""
    return {"@": PLACE, "-": OLD, "+": NEW}.get(line[0], "")
