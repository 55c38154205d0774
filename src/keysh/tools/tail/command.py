"""tail - the last lines or bytes of files."""

from __future__ import annotations

from contextlib import closing
from itertools import chain, islice

from keysh.gnu.options import choice_of
from keysh.interp.state.call_input import CommandInput
from keysh.interp.streams.streams import reader_of
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.number_types import Natural, SignedSizeType
from keysh.text.chunks import bytes_of_text
from keysh.tools.tail.ends import bytes_from, last_bytes, last_lines, lines_from
from keysh.tools.tail.following import FileFollower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.schema.types import Path
    from keysh.vfs.api import Stream


# Seeking: the end of a large file found from behind, so that the rest need not be read.

BLOCK_BYTES = 1 << 16  # bytes that are looked at together


def open_near_end(sh: Call, name: str, count: int, end: bytes) -> tuple[Reader, int] | None:
    """What reads the last lines of a file, or its last bytes for no end, and where they begin.

    None says that it is of a kind that has to be read from its start.
    """
    path = sh.path(name)
    if path.startswith("/dev/"):
        return None
    try:
        if not sh.fs.stat(path, follow=True).is_file:
            return None
        stream = sh.open(name)
    except OSError:  # it has just been taken away
        return None
    try:
        size = stream.seek(0, 2)
        place = last_lines_offset(sh, stream, size, count, end) if end else max(0, size - count)
        stream.seek(place)
    except OSError:  # that is told of where the file is read through
        stream.close()
        return None
    return reader_of(stream), place


def last_lines_offset(sh: Call, stream: Stream, size: int, count: int, end: bytes) -> int:
    """Where the last lines begin."""
    at, place = size, size
    while at > 0 and count > 0:
        begin = max(0, at - BLOCK_BYTES)
        stream.seek(begin)
        data = stream.read(at - begin)
        sh.tick()
        stop = len(data)
        if at == size:  # an end that comes last ends a line
            stop -= data.endswith(end)
        found = data.count(end, 0, stop)
        for _ in range(min(found, count)):
            stop = data.rindex(end, 0, stop)
        place = begin + stop + len(end) if found >= count else begin
        count -= found
        at = begin
    return place


SMALL_FILE_CHUNKS = 4  # chunks of a file whose end is not looked for; the first ones are small
READ_ERROR = "error reading {quoted}: {why}"
FOLLOW_WAYS = {word: word for word in ("descriptor", "name")}


class FromStart(int):
    """A count written with a plus: where to begin, counted from the first."""


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


MAX_LEGACY_WORDS = 2  # with an old form: it, and a file


def legacy_option(word: str, many: int) -> str:
    """`+5` as `-n+5`, `-5cf` as `-fc5`: a number, what it is of, and whether to follow."""
    behind = word[1:].lstrip("0123456789")
    digits, sign = word[1 : len(word) - len(behind)], word[0]
    unit = behind.removesuffix("f")
    is_old = sign == "+" or (sign == "-" and digits)
    if many > MAX_LEGACY_WORDS or not is_old or unit not in ("", "b", "c", "l"):
        return ""
    option = "n" if unit in ("", "l") else "c"
    return f"-{behind[len(unit) :]}{option}{sign.strip('-')}{digits or '10'}{unit.strip('cl')}"


@command(
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
    """Print the last lines of each file, or of standard input.

    files ...                  files to read, - for standard input
    -n, --lines NUM            how many lines; +NUM is from line NUM on (also -NUM)
    -c, --bytes NUM            how many bytes, in the same way
    --follow[=WAY]             then print what is added to the files: by their name, or by their
                               descriptor, which is the default and stays with a renamed file
    -f, --follow-descriptor    the same as --follow
    -F, --follow-name          the same as --follow=name --retry
    --retry                    follow a file that is not there yet, too
    --pid JOB                  follow until this job of the shell has ended
    --max-unchanged-stats NUM  ignored: a name is looked up every time
    -s, --sleep-interval SEC   how long to wait before looking again; 0.1 without it
    -q, --quiet, --silent      never print headers with the files' names
    -v, --verbose              always print headers
    -z, --zero-terminated      lines end with NUL, not with a newline

    NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, and so on; KiB is K. A file is
    followed until the run is cancelled, or its time is over.
    """
    del max_unchanged_stats
    way = follow_way(sh)
    if sleep_interval < 0:
        raise sh.fail(f"invalid number of seconds: '{sleep_interval:g}'")
    retry = retry or follow_name
    del follow, follow_descriptor
    warn_of_useless_options(sh, way, retry, pid)
    names = files or ("-",)
    if way == "name" and "-" in names:
        raise sh.fail("cannot follow '-' by name")
    given = [name for name, _ in sh.given]
    counts = [name for name in given if name in ("lines", "bytes")] or ["lines"]
    # As in GNU's, one plus makes every count begin at the start.
    is_from_start = any(isinstance(value, FromStart) for _, value in sh.given)
    if not (way or is_from_start or (lines if counts[-1] == "lines" else bytes)):
        return
    headers = [name for name in given if name in ("quiet", "verbose")]
    shows = headers[-1] == "verbose" if headers else len(files) > 1
    following = FileFollower(sh, [name for name in names if name != "-"] if way else [])
    count, end = lines, "\0" if zero_terminated else "\n"
    if counts[-1] == "bytes":
        count, end = bytes or 0, ""
    gap = ""
    for source in sh.inputs(files, "cannot open {quoted} for reading: {why}", reading=READ_ERROR):
        if shows:
            yield f"{gap}==> {source.title} <==\n"
            gap = "\n"
        if is_from_start:
            chunks = following.tracked_chunks(source)
            yield from lines_from(chunks, count, end) if end else bytes_from(chunks, count)
        else:
            yield from last_part(sh, following, source, count, end)
    if any(name != "-" for name in files) and way:
        yield from following.appended_text(way, retry, shows, sleep_interval, pid)


def last_part(
    sh: Call, following: FileFollower, source: CommandInput, count: int, end: str
) -> Iterator[str]:
    """The last lines of an input; its last bytes, for no end."""
    if source.name == "-" and end:
        yield from last_lines(source.countable_chunks(), count, end)
        return
    chunks = following.tracked_chunks(source)
    begun = list(islice(chunks, SMALL_FILE_CHUNKS))
    is_long = len(begun) == SMALL_FILE_CHUNKS and source.name != "-"
    found = open_near_end(sh, source.name, count, bytes_of_text(end)) if is_long else None
    if found is None:
        text = chain(begun, chunks)
        yield from last_lines(text, count, end) if end else last_bytes(text, count)
        return
    reader, place = found
    with closing(reader):
        yield from following.tracked_chunks(
            CommandInput(sh, source.name, reader, READ_ERROR), place
        )


def follow_way(sh: Call) -> str:
    """By what files are followed; nothing where they are not."""
    way = ""
    for name, value in sh.given:
        if name == "follow":
            way = (
                choice_of("--follow", value, FOLLOW_WAYS)
                if isinstance(value, str)
                else "descriptor"
            )
        elif name in ("follow_descriptor", "follow_name") and value:
            way = name.removeprefix("follow_")
    return way


def warn_of_useless_options(sh: Call, way: str, retry: bool, pid: int | None) -> None:
    """Tell of options that mean nothing without others, as GNU's does."""
    says = []
    if retry and not way:
        says.append("--retry ignored; --retry is useful only when following")
    elif retry and way == "descriptor":
        says.append("--retry only effective for the initial open")
    if pid is not None and not way:
        says.append("PID ignored; --pid=PID is useful only when following")
    for one in says:
        sh.note(f"warning: {one}")
