"""head - print the first lines or bytes of files."""

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


MIN_LINES_PER_WRITE = 64  # so that single lines are not written one by one


class AllBut(int):
    """A count written with a minus sign: all but the last NUM, which may be 0."""


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


def legacy_option(word: str, word_count: int) -> str:
    """Translate the legacy form `-5cq` to `-qc5`."""
    del word_count
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
    compatible="GNU coreutils 9.1",
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
    """Print the first 10 lines of each file, or of standard input.

    files ...              files to read, - for standard input
    -n, --lines NUM        print the first NUM lines; with -NUM all but the last NUM
                           (also -NUM)
    -c, --bytes NUM        print the first NUM bytes; with -NUM all but the last NUM
    -q, --quiet, --silent  never print headers with file names
    -v, --verbose          always print headers with file names
    -z, --zero-terminated  lines end with NUL, not with a newline

    NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, and so on; KiB is
    K.
    """
    options = [name for name, _ in sh.given]
    counts = [name for name in options if name in ("lines", "bytes")] or ["lines"]
    headers = [name for name in options if name in ("quiet", "verbose")]
    shows = headers[-1] == "verbose" if headers else len(files) > 1
    gap, terminator = "", "\0" if zero_terminated else "\n"
    for source in sh.inputs(
        files, "cannot open {quoted} for reading: {why}", reading="error reading {quoted}: {why}"
    ):
        if shows:
            yield f"{gap}==> {source.title} <==\n"
            gap = "\n"
        if counts[-1] == "lines":
            yield from (all_but_lines if isinstance(lines, AllBut) else first_lines)(
                source, lines, terminator
            )
        elif bytes is not None:
            yield from (all_but_bytes if isinstance(bytes, AllBut) else first_bytes)(source, bytes)


def first_lines(source: CommandInput, count: int, terminator: str) -> Iterator[str]:
    """Yield the first lines and leave the rest for the next reader."""
    if not count:
        return
    for chunk in source.chunks():
        line_count = chunk.count(terminator)
        if line_count < count:
            count -= line_count
            yield chunk
            continue
        position = 0
        for _ in range(count):
            position = chunk.index(terminator, position) + 1
        source.push_back(chunk[position:])
        yield chunk[:position]
        return


def first_bytes(source: CommandInput, count: int) -> Iterator[str]:
    """Yield the first bytes, which may end inside a character."""
    if not count:
        return
    for chunk in source.chunks():
        data = bytes_of_text(chunk)
        if len(data) < count:
            count -= len(data)
            yield chunk
            continue
        source.push_back(text_of_bytes(data[count:]))
        yield text_of_bytes(data[:count])
        return


def all_but_lines(source: CommandInput, count: int, terminator: str) -> Iterator[str]:
    """Yield all but the last `count` lines, which are held back."""
    if not count:
        yield from source.chunks()
        return
    pending: list[str] = []
    for line in source.lines(terminator):
        pending.append(line)
        if len(pending) > 2 * count + MIN_LINES_PER_WRITE:
            yield "".join(pending[:-count])
            del pending[:-count]
    yield "".join(pending[:-count])


def all_but_bytes(source: CommandInput, count: int) -> Iterator[str]:
    """Yield all but the last `count` bytes."""
    if not count:
        yield from source.chunks()
        return

    def cut() -> Iterator[bytes]:
        pending = bytearray()
        for chunk in source.chunks():
            pending += bytes_of_text(chunk)
            if len(pending) > count:
                yield bytes(pending[:-count])
                del pending[:-count]

    data = cut()
    yield from decode_chunks(lambda size: next(data, b""))
