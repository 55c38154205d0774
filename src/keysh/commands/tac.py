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
        # The last record has nothing behind it, and the first one nothing before it.
        lead, tail = (mark, "") if before else ("", mark)
        single = records.pop(0 if before else -1)
        if not before:
            yield single
        for end in range(len(records), 0, -BATCH):
            batch = records[max(0, end - BATCH) : end]
            yield lead + (tail + lead).join(reversed(batch)) + tail
        if before:
            yield single
