"""wc - count lines, words and bytes."""

from __future__ import annotations

import os
from stat import S_ISREG

from keysh.gnu.input_files import read_name_list, refuse_operands
from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.wc.counts import Counts
from keysh.vfs.dev import DeviceStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

COUNT_COLUMNS = ("lines", "words", "chars", "bytes", "max_line_length")
UNKNOWN_SIZE_WIDTH = 7  # of each column, where an input may be of any size


@command(output=OutputStyle(write_error=(1, "write error")))
def wc(
    sh: Call,
    *files: Path,
    bytes: bool = False,
    chars: bool = False,
    lines: bool = False,
    max_line_length: bool = False,
    words: bool = False,
    files0_from: Path | None = None,
    json: bool = False,
) -> Iterator[object]:
    """Count the lines, words and bytes of each file, or of standard input.

    files ...                files to read, - for standard input
    -c, --bytes              how many bytes
    -m, --chars              how many characters
    -l, --lines              how many newlines
    -L, --max-line-length    how many columns the widest line takes
    -w, --words              how many words
    --files0-from FILE       read the files' names from FILE, each ended by NUL; - for standard
                             input
    --json                   rows as JSON lines: name, lines, words, chars, bytes, max_line_length,
                             those that are asked for; and no total

    The counts stand in this order: lines, words, characters, bytes, widest line.
    """
    asked = {name for name, value in sh.given if value and name in COUNT_COLUMNS}
    wanted = [name for name in COUNT_COLUMNS if name in (asked or ("lines", "words", "bytes"))]
    names: Iterator[str] | Sequence[str | None] = files
    width = 1
    if files0_from is not None:
        refuse_operands(files)
        names = read_name_list(sh, files0_from, counts_refused=True)
        # Only a list that is a file is read before the files are.
        if files0_from != "-" and (found := sh.stat(files0_from)) and found.is_file:
            names = list(names)
    else:
        names = files or (None,)  # standard input, which has no name then
    if isinstance(names, list | tuple) and (len(wanted) > 1 or len(names) > 1):
        width = column_width(sh, names)
    if not (files or json or files0_from) and size_of_input(sh) is None:
        sh.remember(
            lambda text, _: (
                counts_line(count_text(wanted, [bytes_of_text(text)]), wanted, None, width),
                0,
            )
        )
    total, count = Counts(wanted), 0
    for name in names:
        count += 1
        if name == "":
            if files0_from is None:
                sh.warn("invalid zero-length file name")
            continue
        says = "{title}: {why}" if name is None else "{name}: {why}"
        for source in sh.inputs(["-" if name is None else name], says):
            if wanted == ["lines"]:
                counts = Counts(wanted)
                counts.lines = source.newlines()
            else:
                counts = count_text(wanted, source.data())
            total.add(counts)
            yield (
                counts_row(counts, wanted, name)
                if json
                else counts_line(counts, wanted, name, width)
            )
    if count > 1 and not json:
        yield counts_line(total, wanted, "total", width)


def count_text(wanted: Sequence[str], pieces: Iterable[bytes]) -> Counts:
    """The counts of a text."""
    counts = Counts(wanted)
    counts.read(pieces)
    return counts


def column_width(sh: Call, files: Sequence[str | None]) -> int:
    """The width of a column, in which the size of all files together finds room."""
    total, least = 0, 1
    for name in files:
        try:
            size = size_of_input(sh) if name is None or name == "-" else size_of(sh, name)
        except OSError:
            continue
        if size is None:
            least = UNKNOWN_SIZE_WIDTH
        else:
            total += size
    return max(least, len(str(total)))


def size_of(sh: Call, name: str) -> int | None:
    """The size of a regular file; None of anything else."""
    found = sh.fs.stat(sh.path(name), follow=True)
    return found.size if found.is_file else None


def size_of_input(sh: Call) -> int | None:
    """The size of standard input, where it is a regular file."""
    found = sh.descriptor(0)
    stream = found.stream if found is not None and found.reader is sh.stdin else None
    if stream is None or isinstance(stream, DeviceStream):
        return None
    if sh.stdin.fd >= 0 and not S_ISREG(os.fstat(sh.stdin.fd).st_mode):
        return None
    try:
        place = stream.tell()
        size = stream.seek(0, 2)
        stream.seek(place)
    except OSError:
        return None
    return size


def counts_row(counts: Counts, wanted: Sequence[str], name: str | None) -> dict[str, object]:
    """A file's counts as a row of values."""
    return {"name": name or "-", **{key: getattr(counts, key) for key in wanted}}


def counts_line(counts: Counts, wanted: Sequence[str], name: str | None, width: int) -> str:
    """A file's counts as a line of columns."""
    columns = " ".join(f"{getattr(counts, key):{width}}" for key in wanted)
    if name is None:
        return f"{columns}\n"
    title = quoted_name(name) if "\n" in name else name
    return f"{columns} {title}\n"
