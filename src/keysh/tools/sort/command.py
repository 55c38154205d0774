"""sort - sort lines of text."""

from __future__ import annotations

import re

from keysh.gnu.input_files import read_name_list, refuse_operands
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.chunks import (
    bare_lines,
    chunk_of,
    octets_of_text,
    text_of_chunk,
    text_of_octets,
)
from keysh.text.gnu_quoting import locale_quoted_text, message_name, quoted_name
from keysh.tools.sort.arrange import LineSorter
from keysh.tools.sort.key import FAILURE_STATUS, parse_key, whole_line_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.chunks import LineBlock

OUTPUT_BATCH_LINES = 4096  # lines yielded at once
INVALID_BATCH_SIZE = "invalid --batch-size argument"
BUFFER_SIZE = re.compile(r"[ \t\n]*\+?[0-9]+[%bEGgKkMmPTtYZ]?")  # a size with a unit
LEADING_DIGIT = re.compile(r"[ \t\n]*\+?[0-9]")
SALT_BYTES = 16  # bytes that determine a random order
MIN_BATCH_SIZE = 2  # files at once
OPTION_LETTERS = {
    "ignore_leading_blanks": "b", "dictionary_order": "d", "ignore_case": "f",
    "general_numeric_sort": "g", "ignore_nonprinting": "i", "month_sort": "M",
    "human_numeric_sort": "h", "numeric_sort": "n", "random_sort": "R", "reverse": "r",
    "version_sort": "V",
}  # fmt: skip


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(2, "fflush failed: 'standard output': {}\nsort: write error")),
    refusals=Refusals(
        usage_status=FAILURE_STATUS,
        invalid_values={
            "parallel": "invalid --parallel argument '{}'",
            "batch_size": f"{INVALID_BATCH_SIZE} '{{}}'",
        },
    ),
    style=OptionStyle(unabbreviated="check-loudly check-silently"),
    ignored="--compress-program PROGRAM; -T, --temporary-directory DIR",
)
def sort(
    sh: Call,
    *files: Path,
    ignore_leading_blanks: bool = False,
    dictionary_order: bool = False,
    ignore_case: bool = False,
    general_numeric_sort: bool = False,
    ignore_nonprinting: bool = False,
    month_sort: bool = False,
    human_numeric_sort: bool = False,
    numeric_sort: bool = False,
    random_sort: bool = False,
    random_source: Path | None = None,
    reverse: bool = False,
    version_sort: bool = False,
    sort: Literal["general-numeric", "human-numeric", "month", "numeric", "random", "version"]
    | None = None,
    key: list[str] | None = None,
    field_separator: list[str] | None = None,
    check: Literal["quiet", "silent", "diagnose-first"] | bool = False,
    check_loudly: bool = False,
    check_silently: bool = False,
    merge: bool = False,
    output: list[Path] | None = None,
    stable: bool = False,
    unique: bool = False,
    zero_terminated: bool = False,
    files0_from: Path | None = None,
    batch_size: int | None = None,
    buffer_size: str | None = None,
    parallel: int | None = None,
) -> Generator[str | LineBlock, None, int]:
    """Sort the lines of all files together, or those of standard input.

    files ...                        files to read, - for standard input
    -b, --ignore-leading-blanks      ignore leading blanks
    -d, --dictionary-order           consider only blanks, letters and digits
    -f, --ignore-case                fold lower case to upper case
    -g, --general-numeric-sort       compare numbers such as 1.5e3, -inf or 0x1f
    -i, --ignore-nonprinting         consider only printable characters
    -M, --month-sort                 compare months: (unknown) < JAN < ... < DEC
    -h, --human-numeric-sort         compare human-readable numbers: 2K < 1G
    -n, --numeric-sort               compare decimal numbers
    -R, --random-sort                shuffle, but group equal keys
    --random-source FILE             get random bytes from FILE
    -r, --reverse                    reverse the result of comparisons
    -V, --version-sort               compare versions: a2 < a10
    --sort WORD                      sort by WORD: general-numeric, human-numeric,
                                     month, numeric, random or version
    -k, --key KEY                    sort by a key: F[.C][LETTERS][,F[.C][LETTERS]],
                                     from field F, character C, to the end of the
                                     second position (default: the line's end);
                                     LETTERS are options above, for this key only
    -t, --field-separator SEP        separate fields by SEP; by default they begin
                                     with the blanks before them
    -c, --check-loudly               check for sorted input; do not sort
    --check[=WORD]                   like -c; with quiet or silent, like -C
    -C, --check-silently             like -c, but do not report the first bad line
    -m, --merge                      merge files that are already sorted
    -o, --output FILE                write to FILE, which may be an input file
    -s, --stable                     keep the input order of lines with equal keys
    -u, --unique                     print only the first of lines with equal keys;
                                     with -c, check that no keys are equal
    -z, --zero-terminated            lines end with NUL, not newline
    --files0-from FILE               read the NUL-terminated names of the input
                                     files from FILE; - for standard input
    --batch-size NUM                 ignored
    -S, --buffer-size SIZE           ignored
    --parallel NUM                   ignored

    Text is compared byte by byte. Lines with equal keys are compared as a whole.
    """
    check_ignored_options(sh, batch_size, buffer_size, parallel)
    if len({value for name, value in sh.given if name == "random_source"}) > 1:
        raise sh.fail("multiple random sources specified", FAILURE_STATUS)
    is_loud = check_loudly or check in (True, "diagnose-first")
    is_silent = check_silently or check in ("quiet", "silent")
    if is_silent and is_loud:
        raise sh.fail("options '-cC' are incompatible", FAILURE_STATUS)
    sorter = LineSorter(sh.tick, "\0" if zero_terminated else "\n")
    sorter.separator = parse_separator(sh, field_separator or [])
    sorter.unique, sorter.stable = unique, stable
    set_keys(sh, sorter, key or [], random_source)
    if output is not None and len(set(output)) > 1:
        raise sh.fail("multiple output files specified", FAILURE_STATUS)
    names = files or ("-",) if files0_from is None else names_from_list(sh, files, files0_from)
    if is_silent or is_loud:
        return check_order(sh, sorter, names, output, "C" if is_silent else "c")
    check_inputs(sh, names)
    if output is not None:
        check_output(sh, output[0])
    lines = sort_inputs(sh, sorter, names, merge)
    if output is None:
        yield from output_chunks(lines, sorter.line_end)
    else:
        write_output_file(sh, output[0], output_chunks(lines, sorter.line_end))
    return 0


def check_ignored_options(
    sh: Call, batch_size: int | None, buffer_size: str | None, parallel: int | None
) -> None:
    """Reject invalid values of options that are otherwise ignored."""
    if batch_size is not None and batch_size < MIN_BATCH_SIZE:
        message = f"{INVALID_BATCH_SIZE} {quoted_name(str(batch_size))}"
        minimum = f"{sh.name}: minimum --batch-size argument is {quoted_name(str(MIN_BATCH_SIZE))}"
        raise sh.fail(f"{message}\n{minimum}", FAILURE_STATUS)
    if buffer_size is not None and not BUFFER_SIZE.fullmatch(buffer_size):
        option = "suffix in -S" if LEADING_DIGIT.match(buffer_size) else "-S"
        raise sh.fail(f"invalid {option} argument {quoted_name(buffer_size)}", FAILURE_STATUS)
    if parallel is not None and parallel < 1:
        raise sh.fail("number in parallel must be nonzero", FAILURE_STATUS)


def check_inputs(sh: Call, names: Sequence[str]) -> None:
    """Check that all inputs exist before the first is read."""
    for name in names:
        try:
            if name != "-" and not name.startswith("/dev/"):
                sh.fs.stat(sh.path(name), follow=True)
        except OSError as error:
            raise sh.fail(
                f"cannot read: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
            ) from None


def check_output(sh: Call, path: str) -> None:
    """Create the output, as GNU sort does before it reads anything."""
    try:
        sh.open(path, "a").close()
    except OSError as error:
        raise sh.fail(
            f"open failed: {message_name(path)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None


def parse_separator(sh: Call, values: Sequence[str]) -> str:
    """Return the byte that separates fields; "" if blanks do."""
    separators = {"\0" if text == "\\0" else text for text in values}
    for text in values:
        if not text:
            raise sh.fail("empty tab", FAILURE_STATUS)
        if len(octets_of_text(text)) > 1 and text != "\\0":
            raise sh.fail(f"multi-character tab {locale_quoted_text(text)}", FAILURE_STATUS)
    if len(separators) > 1:
        raise sh.fail("incompatible tabs", FAILURE_STATUS)
    return octets_of_text("".join(separators))


def set_keys(
    sh: Call, sorter: LineSorter, key_values: Sequence[str], random_source: str | None
) -> None:
    """Parse the keys; one without letters inherits those of the global options."""
    global_key = whole_line_key()
    for name, value in sh.given:
        if name == "sort":
            global_key.add_letters(OPTION_LETTERS[f"{value.replace('-', '_')}_sort"])
        elif name in OPTION_LETTERS and value:
            global_key.add_letters(OPTION_LETTERS[name])
    letters = [
        *global_key.order,
        *("r" * global_key.is_reversed),
        *("b" * global_key.start.skips_blanks),
    ]
    for text in key_values:
        key = parse_key(text)
        if key.has_no_letters:
            key.add_letters(letters)
        sorter.keys.append(key)
    if not key_values and (global_key.order or global_key.start.skips_blanks):
        sorter.keys.append(global_key)
    for key in sorter.keys:
        key.check_compatible()
    sorter.is_reversed = global_key.is_reversed
    if any("R" in key.order for key in sorter.keys):
        sorter.salt = read_salt(sh, random_source)


def read_salt(sh: Call, source: str | None) -> bytes:
    """Return the bytes that determine the random order."""
    if source is None:
        return sh.random.randbytes(SALT_BYTES)
    try:
        with sh.open(source) as stream:
            data = stream.read(SALT_BYTES)
    except IsADirectoryError as error:
        raise sh.fail(
            f"{quoted_name(source)}: read error: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    except OSError as error:
        raise sh.fail(
            f"open failed: {message_name(source)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    if len(data) < SALT_BYTES:
        raise sh.fail(f"{quoted_name(source)}: end of file", FAILURE_STATUS)
    return data


def names_from_list(sh: Call, files: Sequence[str], path: str) -> list[str]:
    """Read the names of the input files for --files0-from."""
    refuse_operands(files)
    names = list(read_name_list(sh, path, FAILURE_STATUS, is_fatal=True))
    if not names:
        raise sh.fail(f"no input from {quoted_name(path)}", FAILURE_STATUS)
    return names


def read_lines(
    sh: Call, name: str, line_end: str, open_error: str = "cannot read"
) -> Iterator[list[str]]:
    """Yield the lines of one input, in octets; a read error is fatal."""
    try:
        reader = sh.stdin if name == "-" else sh.open_reader(name)
    except OSError as error:
        failure = "read failed" if isinstance(error, IsADirectoryError) else open_error
        raise sh.fail(
            f"{failure}: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    try:
        chunks = reader.line_blocks() if line_end == "\n" else reader.octets()
        yield from bare_lines(chunks, sh.check_size, line_end)
    except OSError as error:
        raise sh.fail(
            f"read failed: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    finally:
        if reader is not sh.stdin:
            reader.close()


def sort_inputs(sh: Call, sorter: LineSorter, names: Sequence[str], merge: bool) -> list[str]:
    """Sort or merge the lines of all inputs."""
    if merge:
        return sorter.merge_files([input_lines(sh, sorter, name) for name in names])
    lines: list[str] = []
    for name in names:
        lines += input_lines(sh, sorter, name)
    return sorter.sort_lines(lines)


def input_lines(sh: Call, sorter: LineSorter, name: str) -> list[str]:
    """Return the lines of one input."""
    lines: list[str] = []
    for batch in read_lines(sh, name, sorter.line_end):
        lines += batch
    return lines


def check_order(
    sh: Call,
    sorter: LineSorter,
    names: Sequence[str],
    output: Sequence[str] | None,
    letter: str,
) -> int:
    """Look for the first line that is out of order, for -c or -C; returns the status."""
    if len(names) > 1:
        message = f"extra operand {quoted_name(names[1])} not allowed with -{letter}"
        raise sh.fail(message, FAILURE_STATUS)
    if output is not None:
        raise sh.fail(f"options '-{letter}o' are incompatible", FAILURE_STATUS)
    disorder = sorter.find_disorder(read_lines(sh, names[0], sorter.line_end, "open failed"))
    if disorder is None:
        return 0
    number, line = disorder
    if letter == "c":
        location = f"{sh.message_place()}{sh.name}: {message_name(names[0])}:{number}"
        sh.err.write(f"{location}: disorder: {text_of_octets(line)}{sorter.line_end}")
    return 1


def output_chunks(lines: list[str], line_end: str) -> Iterator[str | LineBlock]:
    """Yield the lines in chunks."""
    for start in range(0, len(lines), OUTPUT_BATCH_LINES):
        yield chunk_of(lines[start : start + OUTPUT_BATCH_LINES], line_end)


def write_output_file(sh: Call, path: str, chunks: Iterator[str | LineBlock]) -> None:
    """Write the chunks to a file."""
    try:
        stream = sh.open(path, "w")
    except OSError as error:
        raise sh.fail(
            f"open failed: {message_name(path)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    try:
        with stream:
            writer_of(stream).writelines(map(text_of_chunk, chunks))
    except OSError as error:
        message = (
            f"fflush failed: {message_name(path)}: {os_error_text(error)}\n{sh.name}: write error"
        )
        raise sh.fail(message, FAILURE_STATUS) from None
