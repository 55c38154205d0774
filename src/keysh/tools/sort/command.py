"""sort - lines in order."""

from __future__ import annotations

import re

from keysh.gnu.input_files import read_name_list, refuse_operands
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import reader_of, writer_of
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.chunks import (
    bare_lines,
    batch_lines,
    chunk_of,
    octets_of_text,
    text_of_chunk,
    text_of_octets,
)
from keysh.text.gnu_quoting import locale_quoted_text, message_name, quoted_name
from keysh.tools.sort.arrange import LineSorter
from keysh.tools.sort.debug import marked, notes
from keysh.tools.sort.key import FAILURE_STATUS, parse_key, whole_line_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.chunks import LineBlock
    from keysh.tools.sort.key import SortKey

OUTPUT_BATCH_LINES = 4096  # lines that are given out at once
INVALID_BATCH_SIZE = "invalid --batch-size argument"
BUFFER_SIZE = re.compile(r"[ \t\n]*\+?[0-9]+[%bEGgKkMmPTtYZ]?")  # a size with a unit
LEADING_DIGIT = re.compile(r"[ \t\n]*\+?[0-9]")
SALT_BYTES = 16  # bytes that decide an order of chance
MIN_BATCH_SIZE = 2  # files at once
OPTION_LETTERS = {
    "ignore_leading_blanks": "b", "dictionary_order": "d", "ignore_case": "f",
    "general_numeric_sort": "g", "ignore_nonprinting": "i", "month_sort": "M",
    "human_numeric_sort": "h", "numeric_sort": "n", "random_sort": "R", "reverse": "r",
    "version_sort": "V",
}  # fmt: skip


@command(
    output=OutputStyle(write_error=(2, "fflush failed: 'standard output': {}\nsort: write error")),
    refusals=Refusals(
        usage_status=FAILURE_STATUS,
        invalid_values={
            "parallel": "invalid --parallel argument '{}'",
            "batch_size": f"{INVALID_BATCH_SIZE} '{{}}'",
        },
    ),
    style=OptionStyle(unabbreviated="check-loudly check-silently"),
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
    debug: bool = False,
    stable: bool = False,
    unique: bool = False,
    zero_terminated: bool = False,
    files0_from: Path | None = None,
    batch_size: int | None = None,
    buffer_size: str | None = None,
    compress_program: str | None = None,
    parallel: int | None = None,
    temporary_directory: list[Path] | None = None,
) -> Generator[str | LineBlock, None, int]:
    """Print the lines of all files in order, or those of standard input.

    files ...                        files to read, - for standard input
    -b, --ignore-leading-blanks      leave out the blanks that a key begins with
    -d, --dictionary-order           only blanks, letters and digits count
    -f, --ignore-case                small letters count as capitals
    -g, --general-numeric-sort       as numbers such as 1.5e3, -inf or 0x1f
    -i, --ignore-nonprinting         only printed characters count
    -M, --month-sort                 by months: anything else < JAN < … < DEC
    -h, --human-numeric-sort         as numbers with units: 2K < 1G
    -n, --numeric-sort               as decimal numbers
    -R, --random-sort                in an order of chance, equal keys together
    --random-source FILE             take the chance from this file
    -r, --reverse                    the other way round
    -V, --version-sort               as versions: a2 < a10
    --sort WORD                      one of general-numeric, human-numeric, month, numeric,
                                     random, version
    -k, --key KEY                    sort by a part of the line: F[.C][LETTERS][,F[.C][LETTERS]],
                                     from field F and its character C to the end of the other;
                                     the letters of the options above hold for this key alone
    -t, --field-separator SEP        fields end at SEP; without it, where blanks begin
    -c, --check-loudly               only tell where the lines are out of order
    --check[=WORD]                   the same, or with quiet, silent as -C
    -C, --check-silently             only answer by the status whether the lines are in order
    -m, --merge                      the files are in order already
    -o, --output FILE                write to FILE, which may be one of the files
    --debug                          mark what counts in each line, and tell of the keys what may
                                     not be meant
    -s, --stable                     lines with equal keys stay in the order of the input
    -u, --unique                     of lines with equal keys only the first; with -c, there are
                                     none
    -z, --zero-terminated            lines end with NUL, not with a newline
    --files0-from FILE               read the files' names from FILE, each ended by NUL; - for
                                     standard input
    --batch-size NUM                 ignored
    -S, --buffer-size SIZE           ignored
    --compress-program PROGRAM       ignored: no temporary files are written
    --parallel NUM                   ignored
    -T, --temporary-directory DIR    ignored

    The order is that of the bytes. Lines whose keys are equal are ordered as a whole.
    """
    check_ignored_options(sh, batch_size, buffer_size, parallel)
    if len({value for name, value in sh.given if name == "random_source"}) > 1:
        raise sh.fail("multiple random sources specified", FAILURE_STATUS)
    is_loud = check_loudly or check in (True, "diagnose-first")
    is_silent = check_silently or check in ("quiet", "silent")
    if is_silent and is_loud:
        raise sh.fail("options '-cC' are incompatible", FAILURE_STATUS)
    arrangement = LineSorter(sh.tick, "\0" if zero_terminated else "\n")
    arrangement.separator = parse_separator(sh, field_separator or [])
    arrangement.unique, arrangement.stable = unique, stable
    general = arrange_keys(sh, arrangement, key or [], random_source)
    if output is not None and len(set(output)) > 1:
        raise sh.fail("multiple output files specified", FAILURE_STATUS)
    if debug and (is_silent or is_loud or output is not None):
        letter = "C" if is_silent else "c" if is_loud else "o"
        raise sh.fail(f"options '-{letter} --debug' are incompatible", FAILURE_STATUS)
    names = files or ("-",) if files0_from is None else names_from_list(sh, files, files0_from)
    if debug:
        for note in notes(sh.env, arrangement, general):
            sh.note(note)
    if is_silent or is_loud:
        return check_order(sh, arrangement, names, output, "C" if is_silent else "c")
    check_inputs(sh, names)
    if output is not None:
        check_output(sh, output[0])
    lines = sort_inputs(sh, arrangement, names, merge)
    if debug:
        yield from batch_lines(marked(arrangement, lines))
    elif output is None:
        yield from output_chunks(lines, arrangement.end)
    else:
        write_output_file(sh, output[0], output_chunks(lines, arrangement.end))
    return 0


def check_ignored_options(
    sh: Call, batch_size: int | None, buffer_size: str | None, parallel: int | None
) -> None:
    """Refuse wrong values also of what means nothing here."""
    if batch_size is not None and batch_size < MIN_BATCH_SIZE:
        says = f"{INVALID_BATCH_SIZE} {quoted_name(str(batch_size))}"
        least = f"{sh.name}: minimum --batch-size argument is {quoted_name(str(MIN_BATCH_SIZE))}"
        raise sh.fail(f"{says}\n{least}", FAILURE_STATUS)
    if buffer_size is not None and not BUFFER_SIZE.fullmatch(buffer_size):
        what = "suffix in -S" if LEADING_DIGIT.match(buffer_size) else "-S"
        raise sh.fail(f"invalid {what} argument {quoted_name(buffer_size)}", FAILURE_STATUS)
    if parallel is not None and parallel < 1:
        raise sh.fail("number in parallel must be nonzero", FAILURE_STATUS)


def check_inputs(sh: Call, names: Sequence[str]) -> None:
    """See that all inputs are there before the first is read."""
    for name in names:
        try:
            if name != "-" and not name.startswith("/dev/"):
                sh.fs.stat(sh.path(name), follow=True)
        except OSError as error:
            raise sh.fail(
                f"cannot read: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
            ) from None


def check_output(sh: Call, path: str) -> None:
    """See that the output can be written before anything is read, as GNU's does; now it exists."""
    try:
        sh.open(path, "a").close()
    except OSError as error:
        raise sh.fail(
            f"open failed: {message_name(path)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None


def parse_separator(sh: Call, given: Sequence[str]) -> str:
    """The one byte that separates fields; nothing where blanks do."""
    found = {"\0" if text == "\\0" else text for text in given}
    for text in given:
        if not text:
            raise sh.fail("empty tab", FAILURE_STATUS)
        if len(octets_of_text(text)) > 1 and text != "\\0":
            raise sh.fail(f"multi-character tab {locale_quoted_text(text)}", FAILURE_STATUS)
    if len(found) > 1:
        raise sh.fail("incompatible tabs", FAILURE_STATUS)
    return octets_of_text("".join(found))


def arrange_keys(
    sh: Call, arrangement: LineSorter, given: Sequence[str], random_source: str | None
) -> SortKey:
    """Set the keys; one that says nothing of its order takes that of the options, as one key."""
    general = whole_line_key()
    for name, value in sh.given:
        if name == "sort":
            general.add_letters(OPTION_LETTERS[f"{value.replace('-', '_')}_sort"])
        elif name in OPTION_LETTERS and value:
            general.add_letters(OPTION_LETTERS[name])
    letters = [*general.order, *("r" * general.is_reversed), *("b" * general.start.skips_blanks)]
    for text in given:
        key = parse_key(text)
        if key.has_no_letters:
            key.add_letters(letters)
            key.uses_general_order = True
        arrangement.keys.append(key)
    if not given and (general.order or general.start.skips_blanks):
        arrangement.keys.append(general)
    for key in arrangement.keys:
        key.check_compatible()
    arrangement.is_reversed = general.is_reversed
    if any("R" in key.order for key in arrangement.keys):
        arrangement.salt = read_salt(sh, random_source)
    return general


def read_salt(sh: Call, source: str | None) -> bytes:
    """What the order of chance depends on."""
    if source is None:
        return sh.random.randbytes(SALT_BYTES)
    try:
        with sh.open(source) as stream:
            found = stream.read(SALT_BYTES)
    except IsADirectoryError as error:
        raise sh.fail(
            f"{quoted_name(source)}: read error: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    except OSError as error:
        raise sh.fail(
            f"open failed: {message_name(source)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    if len(found) < SALT_BYTES:
        raise sh.fail(f"{quoted_name(source)}: end of file", FAILURE_STATUS)
    return found


def names_from_list(sh: Call, files: Sequence[str], path: str) -> list[str]:
    """The files that a list names."""
    refuse_operands(files)
    names = list(read_name_list(sh, path, FAILURE_STATUS, is_fatal=True))
    if not names:
        raise sh.fail(f"no input from {quoted_name(path)}", FAILURE_STATUS)
    return names


def read_lines(sh: Call, name: str, end: str, closed: str = "cannot read") -> Iterator[list[str]]:
    """The lines of one input, in octets; where it cannot be read nothing goes on."""
    try:
        reader = sh.stdin if name == "-" else reader_of(sh.open(name))
    except OSError as error:
        doing = "read failed" if isinstance(error, IsADirectoryError) else closed
        raise sh.fail(
            f"{doing}: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    try:
        chunks = reader.line_blocks() if end == "\n" else reader.octets()
        yield from bare_lines(sh.ticking(chunks), end)
    except OSError as error:
        raise sh.fail(
            f"read failed: {message_name(name)}: {os_error_text(error)}", FAILURE_STATUS
        ) from None
    finally:
        if reader is not sh.stdin:
            reader.close()


def sort_inputs(sh: Call, arrangement: LineSorter, names: Sequence[str], merge: bool) -> list[str]:
    """The lines of all inputs in order."""
    if merge:
        return arrangement.merge_files([input_lines(sh, arrangement, name) for name in names])
    found: list[str] = []
    for name in names:
        found += input_lines(sh, arrangement, name)
    return arrangement.sort_lines(found)


def input_lines(sh: Call, arrangement: LineSorter, name: str) -> list[str]:
    """The lines of one input as they come."""
    found: list[str] = []
    for batch in read_lines(sh, name, arrangement.end):
        found += batch
    return found


def check_order(
    sh: Call,
    arrangement: LineSorter,
    names: Sequence[str],
    output: Sequence[str] | None,
    letter: str,
) -> int:
    """Look for the first line that is out of order, as -c or -C asks; the status."""
    if len(names) > 1:
        says = f"extra operand {quoted_name(names[1])} not allowed with -{letter}"
        raise sh.fail(says, FAILURE_STATUS)
    if output is not None:
        raise sh.fail(f"options '-{letter}o' are incompatible", FAILURE_STATUS)
    found = arrangement.find_disorder(read_lines(sh, names[0], arrangement.end, "open failed"))
    if found is None:
        return 0
    number, line = found
    if letter == "c":
        place = f"{sh.name}: {message_name(names[0])}:{number}"
        sh.err.write(f"{place}: disorder: {text_of_octets(line)}{arrangement.end}")
    return 1


def output_chunks(lines: list[str], end: str) -> Iterator[str | LineBlock]:
    """The lines in chunks."""
    for at in range(0, len(lines), OUTPUT_BATCH_LINES):
        yield chunk_of(lines[at : at + OUTPUT_BATCH_LINES], end)


def write_output_file(sh: Call, path: str, chunks: Iterator[str | LineBlock]) -> None:
    """Write the lines to a file."""
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
        says = (
            f"fflush failed: {message_name(path)}: {os_error_text(error)}\n{sh.name}: write error"
        )
        raise sh.fail(says, FAILURE_STATUS) from None
