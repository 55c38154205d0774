"""rev - reverse lines."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.text.chunks import whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path


def reverse_whole(sh: Call, *files: Path) -> Work | None:
    """Return how to reverse a whole text of standard input."""
    return None if files else lambda text, _: (reversed_lines(text), 0)


@command(compatible="util-linux 2.38.1", whole=reverse_whole)
def rev(sh: Call, *files: Path) -> Iterator[str]:
    """Print each line with its characters reversed.

    files ...  files to read, - for standard input
    """
    for source in sh.inputs(files, "cannot open {name}: {why}", reading="{name}: 0: {why}"):
        for text in whole_lines(source.chunks(), sh.check_size):
            yield reversed_lines(text)


def reversed_lines(text: str) -> str:
    # Reverse the whole text, then restore the order of the lines.
    return "\n".join(text[::-1].split("\n")[::-1])
