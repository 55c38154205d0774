"""tail - print the last lines or bytes of files."""

from __future__ import annotations

from contextlib import closing
from itertools import chain, islice

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call_input import CommandInput
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.number_types import Natural, SignedSizeType
from keysh.text.chunks import bytes_of_text
from keysh.tools.tail.ends import bytes_from, last_bytes, last_lines, lines_from
from keysh.tools.tail.follower import FileFollower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CallReader
    from keysh.schema.types import Path
    from keysh.vfs.stream import Stream

BLOCK_BYTES = 1 << 16  # read at once
SMALL_FILE_CHUNKS = 4  # a shorter file is read through
READ_ERROR = "error reading {quoted}: {why}"
FOLLOW_WAYS = {word: word for word in ("descriptor", "name")}


class FromStart(int):
    """A count written with a plus sign: the number of the first item to print."""


class TailCountType(SignedSizeType):
    """A size in which `+5` differs from `5`, and `-5` does not."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        value = abs(super().parse(text))
        return FromStart(value) if text.startswith("+") else value


if TYPE_CHECKING:
    Count: TypeAlias = int
else:
    Count = TailCountType("Count", "a number such as 10, +10 or 10K")


MAX_LEGACY_WORDS = 2  # a legacy option and a file


def legacy_option(word: str, word_count: int) -> str:
    """Translate the legacy forms `+5` to `-n+5` and `-5cf` to `-fc5`."""
    rest = word[1:].lstrip("0123456789")
    digits, sign = word[1 : len(word) - len(rest)], word[0]
    unit = rest.removesuffix("f")
    is_old = sign == "+" or (sign == "-" and digits)
    if word_count > MAX_LEGACY_WORDS or not is_old or unit not in ("", "b", "c", "l"):
        return ""
    option = "n" if unit in ("", "l") else "c"
    return f"-{rest[len(unit) :]}{option}{sign.strip('-')}{digits or '10'}{unit.strip('cl')}"


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(
        invalid_values={
            "lines": "invalid number of lines",
            "bytes": "invalid number of bytes",
            "sleep_interval": "invalid number of seconds",
            "pid": "invalid PID",
            "max_unchanged_stats": "invalid maximum number of unchanged stats between opens",
        }
    ),
    style=OptionStyle(legacy_form=legacy_option, unabbreviated="follow-descriptor follow-name"),
)
def tail(
    sh: Call,
    *files: Path,
    lines: Count = 10,
    bytes: Count | None = None,
    follow: str | bool = False,
    follow_descriptor: bool = False,
    follow_name: bool = False,
    retry: bool = False,
    pid: Natural | None = None,
    max_unchanged_stats: int = 5,
    sleep_interval: float = 0.1,
    quiet: bool = False,
    verbose: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Print the last 10 lines of each file, or of standard input.

    files ...                  files to read, - for standard input
    -n, --lines NUM            print the last NUM lines; with +NUM from line NUM on
                               (also -NUM)
    -c, --bytes NUM            print the last NUM bytes; with +NUM from byte NUM on
    --follow[=HOW]             print data as the files grow; HOW is name, or
                               descriptor (default), which stays with a renamed file
    -f, --follow-descriptor    same as --follow
    -F, --follow-name          same as --follow=name --retry
    --retry                    keep trying to open a file that is missing
    --pid PID                  with -f, stop when this job of the shell ends
    --max-unchanged-stats NUM  ignored: names are looked up every time
    -s, --sleep-interval SEC   with -f, seconds between checks; the default is 0.1
    -q, --quiet, --silent      never print headers with file names
    -v, --verbose              always print headers with file names
    -z, --zero-terminated      lines end with NUL, not with a newline

    NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, and so on; KiB is
    K. Following ends when the run is cancelled or its time is up.
    """
    del max_unchanged_stats
    mode = follow_way(sh)
    if sleep_interval < 0:
        raise sh.fail(f"invalid number of seconds: '{sleep_interval:g}'")
    retry = retry or follow_name
    del follow, follow_descriptor
    warn_of_useless_options(sh, mode, retry, pid)
    names = files or ("-",)
    if mode == "name" and "-" in names:
        raise sh.fail("cannot follow '-' by name")
    options = [name for name, _ in sh.given]
    counts = [name for name in options if name in ("lines", "bytes")] or ["lines"]
    # As in GNU, one plus sign makes all counts start from the beginning.
    is_from_start = any(isinstance(value, FromStart) for _, value in sh.given)
    if not (mode or is_from_start or (lines if counts[-1] == "lines" else bytes)):
        return
    headers = [name for name in options if name in ("quiet", "verbose")]
    shows = headers[-1] == "verbose" if headers else len(files) > 1
    follower = FileFollower(sh, [name for name in names if name != "-"] if mode else [])
    count, terminator = lines, "\0" if zero_terminated else "\n"
    if counts[-1] == "bytes":
        count, terminator = bytes or 0, ""
    gap = ""
    for source in sh.inputs(files, "cannot open {quoted} for reading: {why}", reading=READ_ERROR):
        if shows:
            yield f"{gap}==> {source.title} <==\n"
            gap = "\n"
        if is_from_start:
            chunks = follower.tracked_chunks(source)
            yield from (
                lines_from(chunks, count, terminator) if terminator else bytes_from(chunks, count)
            )
        else:
            yield from last_part(sh, follower, source, count, terminator)
    if any(name != "-" for name in files) and mode:
        yield from follower.appended_text(mode, retry, shows, sleep_interval, pid)


def last_part(
    sh: Call, follower: FileFollower, source: CommandInput, count: int, terminator: str
) -> Iterator[str]:
    """Yield the last lines of an input, or without a `terminator` its last bytes."""
    if source.name == "-" and terminator:
        yield from last_lines(source.countable_chunks(), count, terminator)
        return
    chunks = follower.tracked_chunks(source)
    first_chunks = list(islice(chunks, SMALL_FILE_CHUNKS))
    is_long = len(first_chunks) == SMALL_FILE_CHUNKS and source.name != "-"
    open_end = open_near_end(sh, source.name, count, bytes_of_text(terminator)) if is_long else None
    if open_end is None:
        text = chain(first_chunks, chunks)
        yield from last_lines(text, count, terminator) if terminator else last_bytes(text, count)
        return
    reader, offset = open_end
    with closing(reader):
        yield from follower.tracked_chunks(
            CommandInput(sh, source.name, reader, READ_ERROR), offset
        )


def follow_way(sh: Call) -> str:
    """Return how files are followed: "name", "descriptor" or ""."""
    mode = ""
    for name, value in sh.given:
        if name == "follow":
            mode = (
                choice_of("--follow", value, FOLLOW_WAYS)
                if isinstance(value, str)
                else "descriptor"
            )
        elif name in ("follow_descriptor", "follow_name") and value:
            mode = name.removeprefix("follow_")
    return mode


def warn_of_useless_options(sh: Call, mode: str, retry: bool, pid: int | None) -> None:
    """Warn of options without effect, as GNU does."""
    messages = []
    if retry and not mode:
        messages.append("--retry ignored; --retry is useful only when following")
    elif retry and mode == "descriptor":
        messages.append("--retry only effective for the initial open")
    if pid is not None and not mode:
        messages.append("PID ignored; --pid=PID is useful only when following")
    for message in messages:
        sh.note(f"warning: {message}")


# The end of a large file is searched backward, so that the rest need not be read.


def open_near_end(
    sh: Call, name: str, count: int, terminator: bytes
) -> tuple[CallReader, int] | None:
    """Open a file where its last lines begin, or without a `terminator` its last bytes.

    Return None if the file has to be read from its start.
    """
    path = sh.path(name)
    if path.startswith("/dev/"):
        return None
    try:
        if not sh.fs.stat(path, follow=True).is_file:
            return None
        stream = sh.open(name)
    except OSError:  # removed in the meantime
        return None
    try:
        size = stream.seek(0, 2)
        offset = (
            last_lines_offset(sh, stream, size, count, terminator)
            if terminator
            else max(0, size - count)
        )
        stream.seek(offset)
    except OSError:  # reported when the file is read from its start
        stream.close()
        return None
    return sh.reader_of(stream), offset


def last_lines_offset(sh: Call, stream: Stream, size: int, count: int, terminator: bytes) -> int:
    """Return where the last lines begin."""
    block_end, offset = size, size
    while block_end > 0 and count > 0:
        block_start = max(0, block_end - BLOCK_BYTES)
        stream.seek(block_start)
        data = stream.read(block_end - block_start)
        sh.tick()
        limit = len(data)
        if block_end == size:  # a final line end is part of the last line
            limit -= data.endswith(terminator)
        line_count = data.count(terminator, 0, limit)
        for _ in range(min(line_count, count)):
            limit = data.rindex(terminator, 0, limit)
        offset = block_start + limit + len(terminator) if line_count >= count else block_start
        count -= line_count
        block_end = block_start
    return offset
