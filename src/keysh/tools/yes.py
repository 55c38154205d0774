"""yes - print a line repeatedly."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
FIRST_CHUNK_CHARACTERS, MAX_CHUNK_CHARACTERS = 64, 65536


@command(compatible="GNU coreutils 9.1", output=OutputStyle(write_error=(1, "standard output: {}")))
def yes(sh: Call, *words: str) -> Iterator[str]:
    """Print a line repeatedly until the output is closed.

    words ...  the line; y by default
    """
    line = " ".join(words or ("y",)) + "\n"
    size = FIRST_CHUNK_CHARACTERS
    while True:
        sh.tick()
        yield line * max(1, size // len(line))
        size = min(size * 2, MAX_CHUNK_CHARACTERS)
