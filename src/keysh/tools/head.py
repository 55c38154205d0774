"""head - the first lines or bytes of files."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.number_types import SignedSizeType
from keysh.text.chunks import bytes_of_text, decode_chunks, text_of_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.schema.types import Path


MIN_LINES_PER_WRITE = 64  # lines at least that are given out at once


class AllBut(int):
    """A count written with a minus: all but the last so many, which may be none."""


class HeadCountType(SignedSizeType):
    """A size in which `-0` differs from `0`."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        value = super().parse(text)
        return AllBut(-value) if "-" in text else value


if TYPE_CHECKING:
    Count: TypeAlias = int
else:
    Count = HeadCountType("Count", "a number such as 10, -10 or 10K")


def legacy_option(word: str, many: int) -> str:
    """`-5cq` as `-qc5`: a number, and behind it what it is of."""
    del many
    letters = word[1:].lstrip("0123456789")
    digits = word[1 : len(word) - len(letters)]
    if word[0] != "-" or not digits or letters.strip("bckmlqvz"):
        return ""
    option, suffix, others = "n", "", ""
    for letter in letters:
        if letter in "qvz":
            others += letter
        else:
            option, suffix = "n" if letter == "l" else "c", letter.strip("cl")
    return f"-{others}{option}{digits}{suffix}"


@command(
    refusals=Refusals(
        invalid_values={"lines": "invalid number of lines", "bytes": "invalid number of bytes"}
    ),
    style=OptionStyle(legacy_form=legacy_option),
)
def head(
    sh: Call,
    *files: Path,
    lines: Count = 10,
    bytes: Count | None = None,
    quiet: bool = False,
    verbose: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Print the first lines of each file, or of standard input.

    files ...                files to read, - for standard input
    -n, --lines NUM          how many lines; -NUM is all but the last NUM (also -NUM)
    -c, --bytes NUM          how many bytes, in the same way
    -q, --quiet, --silent    never print headers with the files' names
    -v, --verbose            always print headers
    -z, --zero-terminated    lines end with NUL, not with a newline

    NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, and so on; KiB is K.
    """
    given = [name for name, _ in sh.given]
    counts = [name for name in given if name in ("lines", "bytes")] or ["lines"]
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
            yield from (all_but_lines if isinstance(lines, AllBut) else first_lines)(
                source, lines, end
            )
        elif bytes is not None:
            yield from (all_but_bytes if isinstance(bytes, AllBut) else first_bytes)(source, bytes)


def first_lines(source: CommandInput, count: int, end: str) -> Iterator[str]:
    """So many lines; what stands behind them is left for the next reader."""
    if not count:
        return
    for chunk in source.chunks():
        found = chunk.count(end)
        if found < count:
            count -= found
            yield chunk
            continue
        at = 0
        for _ in range(count):
            at = chunk.index(end, at) + 1
        source.push_back(chunk[at:])
        yield chunk[:at]
        return


def first_bytes(source: CommandInput, count: int) -> Iterator[str]:
    """So many bytes, the last of which may be a part of a character."""
    if not count:
        return
    for chunk in source.chunks():
        data = bytes_of_text(chunk)
        if len(data) < count:
            count -= len(data)
            yield chunk
            continue
        source.push_back(text_of(data[count:]))
        yield text_of(data[:count])
        return


def all_but_lines(source: CommandInput, count: int, end: str) -> Iterator[str]:
    """All lines but the last so many, which are held back until more come."""
    if not count:
        yield from source.chunks()
        return
    held: list[str] = []
    for line in source.lines(end):
        held.append(line)
        if len(held) > 2 * count + MIN_LINES_PER_WRITE:
            yield "".join(held[:-count])
            del held[:-count]
    yield "".join(held[:-count])


def all_but_bytes(source: CommandInput, count: int) -> Iterator[str]:
    """All bytes but the last so many."""
    if not count:
        yield from source.chunks()
        return

    def cut() -> Iterator[bytes]:
        held = bytearray()
        for chunk in source.chunks():
            held += bytes_of_text(chunk)
            if len(held) > count:
                yield bytes(held[:-count])
                del held[:-count]

    data = cut()
    yield from decode_chunks(lambda size: next(data, b""))


def text_of(data: bytes) -> str:
    """Bytes as text, which may begin and end inside of a character."""
    return text_of_bytes(data)
