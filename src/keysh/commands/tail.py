"""tail - the last lines or bytes of files."""

from __future__ import annotations

from collections import deque
from time import sleep

from keysh.runtime.streams import reader_of
from keysh.schema.declare import command
from keysh.schema.types import SizeType, Unfit
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from keysh.runtime.call import Call, Input
    from keysh.schema.types import Path


class FromStart(int):
    """A count written with a plus: where to begin, counted from the first."""


class CountType(SizeType):
    """A size in which `+5` differs from `5`, and `-5` does not."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        if text[-1:] in ("c", "w"):
            raise Unfit(self.must, text)
        value = abs(super().parse(text))
        return FromStart(value) if text.startswith("+") else value


if TYPE_CHECKING:
    Count: TypeAlias = int
else:
    Count = CountType("Count", "a number such as 10, +10 or 10K")


@command(invalid={"lines": "invalid number of lines", "bytes": "invalid number of bytes"})
def tail(
    sh: Call,
    *files: Path,
    lines: Count = 10,
    bytes: Count | None = None,
    follow: bool = False,
    sleep_interval: float = 1.0,
    quiet: bool = False,
    verbose: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Print the last lines of each file, or of standard input.

    files ...                 files to read, - for standard input
    -n, --lines NUM           how many lines; +NUM is from line NUM on (also -NUM)
    -c, --bytes NUM           how many bytes, in the same way
    -f, --follow              then print what is added to the files, until the run is cancelled
    -s, --sleep-interval SEC  how long to wait before looking again
    -q, --quiet, --silent     never print headers with the files' names
    -v, --verbose             always print headers
    -z, --zero-terminated     lines end with NUL, not with a newline

    NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, and so on; KiB is K. A file is
    followed as it was opened; to follow a name (-F, --retry, --pid) is left out.
    """
    given = [name for name, _ in sh.given]
    counts = [name for name in given if name in ("lines", "bytes")] or ["lines"]
    # As in GNU's, one plus makes every count begin at the start.
    is_from_start = any(isinstance(value, FromStart) for _, value in sh.given)
    if not (follow or is_from_start or (lines if counts[-1] == "lines" else bytes)):
        return
    headers = [name for name in given if name in ("quiet", "verbose")]
    shows = headers[-1] == "verbose" if headers else len(files) > 1
    gap, end = "", "\0" if zero_terminated else "\n"
    for source in sh.inputs(
        files, "cannot open {quoted} for reading: {why}", reading="error reading {quoted}: {why}"
    ):
        if shows:
            yield f"{gap}==> {source.title} <==\n"
            gap = "\n"
        if counts[-1] == "lines":
            yield from (lines_from if is_from_start else last_lines)(source, lines, end)
        elif bytes is not None:
            yield from (bytes_from if is_from_start else last_bytes)(source, bytes)
    if follow:
        yield from added(sh, [name for name in files if name != "-"], shows, sleep_interval)


def last_lines(source: Input, count: int, end: str) -> Iterator[str]:
    """So many lines; what cannot be among them is dropped on the way."""
    held: deque[tuple[str, int]] = deque()
    total = 0
    for chunk in source.chunks():
        found = chunk.count(end)
        held.append((chunk, found))
        total += found
        # One more is kept, for the last line may have no end.
        while total - held[0][1] > count:
            total -= held.popleft()[1]
    text = "".join(chunk for chunk, _ in held)
    at = len(text)
    if not text.endswith(end) and count:
        at, count = text.rfind(end) + 1, count - 1
    surplus = text.count(end, 0, at) - count
    if surplus > 0:
        begin = at if not count else 0
        for _ in range(surplus if count else 0):
            begin = text.index(end, begin) + 1
        text = text[begin:]
    yield text


def last_bytes(source: Input, count: int) -> Iterator[str]:
    """So many bytes, the first of which may be a part of a character."""
    held: deque[bytes] = deque()
    total = 0
    for chunk in source.chunks():
        data = encoded(chunk)
        held.append(data)
        total += len(data)
        while total - len(held[0]) >= count and len(held) > 1:
            total -= len(held.popleft())
    data = b"".join(held)
    yield data[len(data) - min(count, len(data)) :].decode("utf-8", "surrogateescape")


def lines_from(source: Input, number: int, end: str) -> Iterator[str]:
    """All from a line on."""
    left = max(0, number - 1)
    for chunk in source.chunks():
        found = chunk.count(end) if left else 0
        if left > found:
            left -= found
            continue
        at = 0
        for _ in range(left):
            at = chunk.index(end, at) + 1
        left = 0
        yield chunk[at:]


def bytes_from(source: Input, number: int) -> Iterator[str]:
    """All from a byte on."""
    left = max(0, number - 1)
    for chunk in source.chunks():
        if not left:
            yield chunk
            continue
        data = encoded(chunk)
        yield data[left:].decode("utf-8", "surrogateescape")
        left -= min(left, len(data))


def added(sh: Call, names: list[str], shows: bool, interval: float) -> Iterator[str]:
    """What is written to the files from now on; it ends only with the run."""
    streams = {name: sh.open(name) for name in names}
    try:
        for stream in streams.values():
            stream.seek(0, 2)
        last = names[-1] if names else ""
        while streams:
            for name, stream in streams.items():
                text = reader_of(stream).read()
                if text:
                    yield f"\n==> {name} <==\n{text}" if shows and name != last else text
                    last = name
            sh.tick()
            sleep(interval)
    finally:
        for stream in streams.values():
            stream.close()
