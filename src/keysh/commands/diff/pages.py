"""Pages: what diff prints, with a title over each page and room at its foot, as pr has it."""

from __future__ import annotations

from keysh.text.width import display_width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LENGTH, BODY, WIDTH = 66, 56, 72  # of a page and of what is in it, in lines; of its first line


def pages(text: str, title: str, date: str, tick: Callable[[], object]) -> Iterator[str]:
    """A text on pages, each as a text."""
    for number, lines in enumerate(bodies(text), 1):
        tick()
        head = f"\n\n{headline(date, title, f'Page {number}')}\n\n\n"
        blank = "\n" * (LENGTH - head.count("\n") - len(lines))
        yield head + "".join(f"{line}\n" for line in lines) + blank


def bodies(text: str) -> Iterator[list[str]]:
    """The lines of each page. A form feed ends one, and takes a newline behind it along."""
    parts = text.split("\f")
    for number, part in enumerate(parts, 1):
        lines = (part.removeprefix("\n") if number > 1 else part).split("\n")
        if not lines[-1]:
            lines.pop()
        if not lines and number < len(parts):
            yield lines
        for at in range(0, len(lines), BODY):
            yield lines[at : at + BODY]


def headline(date: str, title: str, page: str) -> str:
    """The title in the middle between the date and the number."""
    room = max(0, WIDTH - sum(map(display_width, (date, title, page))))
    left = room // 2
    return f"{date}{' ' * max(left, 1)}{title}{' ' * max(room - left, 1)}{page}"
