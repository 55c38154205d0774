"""tac - lines in the reverse order."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

BATCH = 512  # records that are given out at once


@command
def tac(sh: Call, *files: Path, before: bool = False, separator: str = "\n") -> Iterator[str]:
    """Print the lines of each file, the last first.

    files ...                files to read, - for standard input
    -b, --before             the separator stands before what it separates
    -s, --separator TEXT     what separates, instead of a newline
    """
    mark = separator or "\0"
    for source in sh.inputs(
        files, "failed to open {quoted} for reading: {why}", reading="{name}: read error: {why}"
    ):
        records = source.read().split(mark)
        if before:
            records[1:] = [mark + record for record in records[1:]]
        else:
            records[:-1] = [record + mark for record in records[:-1]]
        for end in range(len(records), 0, -BATCH):
            yield "".join(reversed(records[max(0, end - BATCH) : end]))
