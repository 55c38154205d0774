"""wc - count lines, words and bytes."""

from __future__ import annotations

import os
from stat import S_ISREG

from keysh.gnu.input_files import read_name_list, refuse_operands
from keysh.schema.declare import OutputStyle, command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.wc.counts import Counts
from keysh.vfs.synthetic.dev import DeviceStream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path

COUNT_COLUMNS = ("lines", "words", "chars", "bytes", "max_line_length")
UNKNOWN_SIZE_WIDTH = 7  # if an input may have any size


def count_whole(
    sh: Call, *files: Path, files0_from: Path | None = None, json: bool = False, **_: bool
) -> Work | None:
    """Return how to count a whole text of standard input."""
    if files or files0_from is not None or json:
        return None
    columns = selected_columns(sh)
    width = UNKNOWN_SIZE_WIDTH if len(columns) > 1 else 1

    def count(text: str, tick: Callable[[], object]) -> tuple[str, int]:
        return counts_line(count_text(columns, [bytes_of_text(text)]), columns, None, width), 0

    return count


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(1, "write error")),
    whole=count_whole,
)
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
    """Print the number of lines, words and bytes of each file, or of standard input.

    files ...              files to read, - for standard input
    -c, --bytes            print the number of bytes
    -m, --chars            print the number of characters
    -l, --lines            print the number of newlines
    -L, --max-line-length  print the maximum display width of lines
    -w, --words            print the number of words
    --files0-from FILE     read NUL-terminated file names from FILE, - for standard
                           input
    --json                 print JSON lines, without a total: name, and the selected
                           counts of lines, words, chars, bytes, max_line_length

    The counts are printed in this order: lines, words, characters, bytes, maximum
    width.
    """
    columns = selected_columns(sh)
    names: Iterator[str] | Sequence[str | None] = files
    width = 1
    if files0_from is not None:
        refuse_operands(files)
        names = read_name_list(sh, files0_from, counts_refused=True)
        # A list in a regular file is read before the files.
        if files0_from != "-" and (list_stat := sh.stat(files0_from)) and list_stat.is_file:
            names = list(names)
    else:
        names = files or (None,)  # standard input, printed without a name
    if isinstance(names, list | tuple) and (len(columns) > 1 or len(names) > 1):
        width = column_width(sh, names)
    total, count = Counts(columns), 0
    for name in names:
        count += 1
        if name == "":
            if files0_from is None:
                sh.warn("invalid zero-length file name")
            continue
        message = "{title}: {why}" if name is None else "{name}: {why}"
        for source in sh.inputs(["-" if name is None else name], message):
            if columns == ["lines"]:
                counts = Counts(columns)
                counts.lines = source.newlines()
            else:
                counts = count_text(columns, source.data())
            total.add(counts)
            yield (
                counts_row(counts, columns, name)
                if json
                else counts_line(counts, columns, name, width)
            )
    if count > 1 and not json:
        yield counts_line(total, columns, "total", width)


def selected_columns(sh: Call) -> list[str]:
    """Return the counts to print, in their order."""
    selected = {name for name, value in sh.given if value and name in COUNT_COLUMNS}
    return [name for name in COUNT_COLUMNS if name in (selected or ("lines", "words", "bytes"))]


def count_text(columns: Sequence[str], pieces: Iterable[bytes]) -> Counts:
    counts = Counts(columns)
    counts.read(pieces)
    return counts


def column_width(sh: Call, files: Sequence[str | None]) -> int:
    """Return the width of columns, from the total size of the files."""
    total, minimum = 0, 1
    for name in files:
        try:
            size = size_of_input(sh) if name is None or name == "-" else size_of(sh, name)
        except OSError:
            continue
        if size is None:
            minimum = UNKNOWN_SIZE_WIDTH
        else:
            total += size
    return max(minimum, len(str(total)))


def size_of(sh: Call, name: str) -> int | None:
    """Return the size of a regular file, else None."""
    stat = sh.fs.stat(sh.path(name), follow=True)
    return stat.size if stat.is_file else None


def size_of_input(sh: Call) -> int | None:
    """Return the size of standard input if it is a regular file, else None."""
    descriptor = sh.descriptor(0)
    stream = (
        descriptor.stream if descriptor is not None and descriptor.reader is sh.source else None
    )
    if stream is None or isinstance(stream, DeviceStream):
        return None
    if sh.stdin.fd >= 0 and not S_ISREG(os.fstat(sh.stdin.fd).st_mode):
        return None
    try:
        position = stream.tell()
        size = stream.seek(0, 2)
        stream.seek(position)
    except OSError:
        return None
    return size


def counts_row(counts: Counts, columns: Sequence[str], name: str | None) -> dict[str, object]:
    return {"name": name or "-", **{key: getattr(counts, key) for key in columns}}


def counts_line(counts: Counts, names: Sequence[str], name: str | None, width: int) -> str:
    """Format a file's counts."""
    cells = " ".join(f"{getattr(counts, key):{width}}" for key in names)
    if name is None:
        return f"{cells}\n"
    title = quoted_name(name) if "\n" in name else name
    return f"{cells} {title}\n"
