"""sort - lines in order."""

from __future__ import annotations

import re

from keysh.gnu.input_files import names_from, refuse_operands
from keysh.interp.state.call import why
from keysh.interp.streams.streams import reader_of, writer_of
from keysh.schema.declare import command
from keysh.text.chunks import as_text, bare_lines, batches, chunk_of, from_octets, octets
from keysh.text.gnu_quoting import locale_quoted, quoted, shown
from keysh.tools.sort.arrange import Arrangement
from keysh.tools.sort.debug import marked, notes
from keysh.tools.sort.key import TROUBLE, key_of, whole_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.chunks import Sheaf
    from keysh.tools.sort.key import Key

BATCH = 4096  # lines that are given out at once
INVALID_BATCH = "invalid --batch-size argument"
BUFFER = re.compile(r"[ \t\n]*\+?[0-9]+[%bEGgKkMmPTtYZ]?")  # a size with a unit
NUMBERED = re.compile(r"[ \t\n]*\+?[0-9]")
SALT = 16  # bytes that decide an order of chance
LEAST_MERGED = 2  # files at once
LETTER_OF = {
    "ignore_leading_blanks": "b", "dictionary_order": "d", "ignore_case": "f",
    "general_numeric_sort": "g", "ignore_nonprinting": "i", "month_sort": "M",
    "human_numeric_sort": "h", "numeric_sort": "n", "random_sort": "R", "reverse": "r",
    "version_sort": "V",
}  # fmt: skip


@command(
    added="check-loudly check-silently",
    usage=TROUBLE,
    invalid={
        "parallel": "invalid --parallel argument '{}'",
        "batch_size": f"{INVALID_BATCH} '{{}}'",
    },
    unwritten=(2, "fflush failed: 'standard output': {}\nsort: write error"),
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
) -> Generator[str | Sheaf, None, int]:
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
    check_ignored(sh, batch_size, buffer_size, parallel)
    if len({value for name, value in sh.given if name == "random_source"}) > 1:
        raise sh.fail("multiple random sources specified", TROUBLE)
    is_loud = check_loudly or check in (True, "diagnose-first")
    is_silent = check_silently or check in ("quiet", "silent")
    if is_silent and is_loud:
        raise sh.fail("options '-cC' are incompatible", TROUBLE)
    arrangement = Arrangement(sh.tick, "\0" if zero_terminated else "\n")
    arrangement.separator = separator_of(sh, field_separator or [])
    arrangement.unique, arrangement.stable = unique, stable
    general = arrange_keys(sh, arrangement, key or [], random_source)
    if output is not None and len(set(output)) > 1:
        raise sh.fail("multiple output files specified", TROUBLE)
    if debug and (is_silent or is_loud or output is not None):
        letter = "C" if is_silent else "c" if is_loud else "o"
        raise sh.fail(f"options '-{letter} --debug' are incompatible", TROUBLE)
    names = files or ("-",) if files0_from is None else listed(sh, files, files0_from)
    if debug:
        for note in notes(sh.env, arrangement, general):
            sh.note(note)
    if is_silent or is_loud:
        return checked(sh, arrangement, names, output, "C" if is_silent else "c")
    see_inputs(sh, names)
    if output is not None:
        see_output(sh, output[0])
    lines = ordered(sh, arrangement, names, merge)
    if debug:
        yield from batches(marked(arrangement, lines))
    elif output is None:
        yield from written(lines, arrangement.end)
    else:
        save(sh, output[0], written(lines, arrangement.end))
    return 0


def check_ignored(
    sh: Call, batch_size: int | None, buffer_size: str | None, parallel: int | None
) -> None:
    """Refuse wrong values also of what means nothing here."""
    if batch_size is not None and batch_size < LEAST_MERGED:
        says = f"{INVALID_BATCH} {quoted(str(batch_size))}"
        least = f"{sh.name}: minimum --batch-size argument is {quoted(str(LEAST_MERGED))}"
        raise sh.fail(f"{says}\n{least}", TROUBLE)
    if buffer_size is not None and not BUFFER.fullmatch(buffer_size):
        what = "suffix in -S" if NUMBERED.match(buffer_size) else "-S"
        raise sh.fail(f"invalid {what} argument {quoted(buffer_size)}", TROUBLE)
    if parallel is not None and parallel < 1:
        raise sh.fail("number in parallel must be nonzero", TROUBLE)


def see_inputs(sh: Call, names: Sequence[str]) -> None:
    """See that all inputs are there before the first is read."""
    for name in names:
        try:
            if name != "-" and not name.startswith("/dev/"):
                sh.fs.stat(sh.path(name), follow=True)
        except OSError as error:
            raise sh.fail(f"cannot read: {shown(name)}: {why(error)}", TROUBLE) from None


def see_output(sh: Call, path: str) -> None:
    """See that the output can be written before anything is read, as GNU's does; now it exists."""
    try:
        sh.open(path, "a").close()
    except OSError as error:
        raise sh.fail(f"open failed: {shown(path)}: {why(error)}", TROUBLE) from None


def separator_of(sh: Call, given: Sequence[str]) -> str:
    """The one byte that separates fields; nothing where blanks do."""
    found = {"\0" if text == "\\0" else text for text in given}
    for text in given:
        if not text:
            raise sh.fail("empty tab", TROUBLE)
        if len(octets(text)) > 1 and text != "\\0":
            raise sh.fail(f"multi-character tab {locale_quoted(text)}", TROUBLE)
    if len(found) > 1:
        raise sh.fail("incompatible tabs", TROUBLE)
    return octets("".join(found))


def arrange_keys(
    sh: Call, arrangement: Arrangement, given: Sequence[str], random_source: str | None
) -> Key:
    """Set the keys; one that says nothing of its order takes that of the options, as one key."""
    general = whole_line()
    for name, value in sh.given:
        if name == "sort":
            general.take(LETTER_OF[f"{value.replace('-', '_')}_sort"])
        elif name in LETTER_OF and value:
            general.take(LETTER_OF[name])
    letters = [*general.order, *("r" * general.is_reversed), *("b" * general.start.skips_blanks)]
    for text in given:
        key = key_of(text)
        if key.is_plain:
            key.take(letters)
            key.is_general = True
        arrangement.keys.append(key)
    if not given and (general.order or general.start.skips_blanks):
        arrangement.keys.append(general)
    for key in arrangement.keys:
        key.check()
    arrangement.is_reversed = general.is_reversed
    if any("R" in key.order for key in arrangement.keys):
        arrangement.salt = salt(sh, random_source)
    return general


def salt(sh: Call, source: str | None) -> bytes:
    """What the order of chance depends on."""
    if source is None:
        return sh.random.randbytes(SALT)
    try:
        with sh.open(source) as stream:
            found = stream.read(SALT)
    except IsADirectoryError as error:
        raise sh.fail(f"{quoted(source)}: read error: {why(error)}", TROUBLE) from None
    except OSError as error:
        raise sh.fail(f"open failed: {shown(source)}: {why(error)}", TROUBLE) from None
    if len(found) < SALT:
        raise sh.fail(f"{quoted(source)}: end of file", TROUBLE)
    return found


def listed(sh: Call, files: Sequence[str], path: str) -> list[str]:
    """The files that a list names."""
    refuse_operands(files)
    names = list(names_from(sh, path, TROUBLE, is_fatal=True))
    if not names:
        raise sh.fail(f"no input from {quoted(path)}", TROUBLE)
    return names


def read(sh: Call, name: str, end: str, closed: str = "cannot read") -> Iterator[list[str]]:
    """The lines of one input, in octets; where it cannot be read nothing goes on."""
    try:
        reader = sh.stdin if name == "-" else reader_of(sh.open(name))
    except OSError as error:
        doing = "read failed" if isinstance(error, IsADirectoryError) else closed
        raise sh.fail(f"{doing}: {shown(name)}: {why(error)}", TROUBLE) from None
    try:
        chunks = reader.sheaves() if end == "\n" else reader.octets()
        yield from bare_lines(sh.ticking(chunks), end)
    except OSError as error:
        raise sh.fail(f"read failed: {shown(name)}: {why(error)}", TROUBLE) from None
    finally:
        if reader is not sh.stdin:
            reader.close()


def ordered(sh: Call, arrangement: Arrangement, names: Sequence[str], merge: bool) -> list[str]:
    """The lines of all inputs in order."""
    if merge:
        return arrangement.merged([of_one(sh, arrangement, name) for name in names])
    found: list[str] = []
    for name in names:
        found += of_one(sh, arrangement, name)
    return arrangement.arranged(found)


def of_one(sh: Call, arrangement: Arrangement, name: str) -> list[str]:
    """The lines of one input as they come."""
    found: list[str] = []
    for batch in read(sh, name, arrangement.end):
        found += batch
    return found


def checked(
    sh: Call,
    arrangement: Arrangement,
    names: Sequence[str],
    output: Sequence[str] | None,
    letter: str,
) -> int:
    """Look for the first line that is out of order, as -c or -C asks; the status."""
    if len(names) > 1:
        says = f"extra operand {quoted(names[1])} not allowed with -{letter}"
        raise sh.fail(says, TROUBLE)
    if output is not None:
        raise sh.fail(f"options '-{letter}o' are incompatible", TROUBLE)
    found = arrangement.disorder(read(sh, names[0], arrangement.end, "open failed"))
    if found is None:
        return 0
    number, line = found
    if letter == "c":
        place = f"{sh.name}: {shown(names[0])}:{number}"
        sh.err.write(f"{place}: disorder: {from_octets(line)}{arrangement.end}")
    return 1


def written(lines: list[str], end: str) -> Iterator[str | Sheaf]:
    """The lines in chunks."""
    for at in range(0, len(lines), BATCH):
        yield chunk_of(lines[at : at + BATCH], end)


def save(sh: Call, path: str, chunks: Iterator[str | Sheaf]) -> None:
    """Write the lines to a file."""
    try:
        stream = sh.open(path, "w")
    except OSError as error:
        raise sh.fail(f"open failed: {shown(path)}: {why(error)}", TROUBLE) from None
    try:
        with stream:
            writer_of(stream).writelines(map(as_text, chunks))
    except OSError as error:
        says = f"fflush failed: {shown(path)}: {why(error)}\n{sh.name}: write error"
        raise sh.fail(says, TROUBLE) from None
