"""uniq - report or filter repeated lines."""

from __future__ import annotations

import re
from itertools import compress
from operator import ne, sub

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import file_output
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import batch_lines, chunk_of, interleave, text_of_chunk, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text, message_name
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.text.chunks import LineBlock

    Values = Callable[[list[str]], list[str]]

REPEATED_METHODS = {word: word for word in ("none", "prepend", "separate")}
GROUP_METHODS = {word: word for word in ("prepend", "append", "separate", "both")}
SKIPPED_FIELDS = r"(?:[ \t\n]*+[^ \t\n]++){%d}|[\s\S]*"  # the skipped fields, or the whole line
MAX_SKIPPED_FIELDS = 1 << 31  # limit of a repeat in a regular expression
LEGACY_SKIP = re.compile(r"\+[0-9]+")  # an operand `+5` means `-s5`


@command(compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="all-duplicates"))
def uniq(
    sh: Call,
    *files: Path,
    count: bool = False,
    repeated: bool = False,
    all_duplicates: bool = False,
    all_repeated: str | bool = False,
    skip_fields: str = "0",
    group: str | bool = False,
    ignore_case: bool = False,
    skip_chars: str = "0",
    unique: bool = False,
    zero_terminated: bool = False,
    check_chars: str | None = None,
    json: bool = False,
) -> Iterator[object]:
    """Print lines without adjacent repetitions.

    files ...                the file to read, - for standard input, then the file
                             to write
    -c, --count              prefix lines with the number of occurrences
    -d, --repeated           print only repeated lines, one for each group
    -D, --all-duplicates     print all repeated lines
    --all-repeated[=METHOD]  like -D; delimit groups with an empty line: none,
                             prepend or separate
    -f, --skip-fields NUM    do not compare the first NUM fields (also -NUM)
    --group[=METHOD]         print all lines; delimit groups with an empty line:
                             separate, prepend, append or both
    -i, --ignore-case        ignore case when comparing
    -s, --skip-chars NUM     do not compare the first NUM bytes
    -u, --unique             print only lines that are not repeated
    -z, --zero-terminated    lines end with NUL, not with a newline
    -w, --check-chars NUM    compare at most NUM bytes
    --json                   print JSON lines: count, line
    """
    for word in filter(LEGACY_SKIP.fullmatch, files):
        skip_chars = word[1:]
    files = tuple(file for file in files if not LEGACY_SKIP.fullmatch(file))
    if len(files) > 2:
        raise UsageFailure(f"extra operand {locale_quoted_text(files[2])}")
    is_bare = all_repeated is True or (all_duplicates and not all_repeated)
    repeat_method = "none" if is_bare else all_repeated
    if isinstance(repeat_method, str):
        repeat_method = choice_of("--all-repeated", repeat_method, REPEATED_METHODS)
    grouping = "separate" if group is True else group
    if isinstance(grouping, str):
        grouping = choice_of("--group", grouping, GROUP_METHODS)
    if grouping and (count or repeated or unique or repeat_method):
        raise UsageFailure("--group is mutually exclusive with -c/-d/-D/-u")
    if grouping and count:
        raise UsageFailure("grouping and printing repeat counts is meaningless")
    if json and (repeat_method or grouping or len(files) > 1):
        raise UsageFailure("--json cannot be combined with -D, --group or an output file")
    if repeat_method and count:
        message = "printing all duplicated lines and repeat counts is meaningless"
        raise UsageFailure(message)
    terminator = "\0" if zero_terminated else "\n"
    values_of = comparison_keys(
        parse_count(sh, skip_fields, "fields to skip"),
        parse_count(sh, skip_chars, "bytes to skip"),
        None if check_chars is None else parse_count(sh, check_chars, "bytes to compare"),
        ignore_case,
        terminator,
    )
    # Whether to print unrepeated and repeated lines; with both -d and -u neither.
    run_kinds = (not repeated, not unique)
    is_simple = not (count or repeated or unique or repeat_method or grouping)
    # The input is opened first, so that the output stays unchanged if there is none.
    for source in sh.inputs(files[:1], reading="error reading {quoted}"):
        lines = source.bare_lines(terminator)
        if json:
            yield from count_rows(tallied_runs(lines, values_of), run_kinds)
            return
        if is_simple:
            output = unique_lines(lines, values_of, terminator)
        elif repeat_method or grouping:
            runs = line_runs(lines, values_of)
            parts = grouped_lines(
                runs, str(repeat_method or grouping), terminator, 1 if grouping else 2
            )
            output = map(text_of_octets, batch_lines(parts))
        else:
            output = counted_lines(tallied_runs(lines, values_of), run_kinds, count, terminator)
        if len(files) < 2 or files[1] == "-":
            yield from output
        else:
            write_file(sh, files[1], map(text_of_chunk, output))


def count_rows(
    tallies: Iterable[tuple[list[str], list[int]]], run_kinds: Sequence[bool]
) -> Iterator[dict[str, object]]:
    """Yield the rows of --json for the selected runs."""
    for firsts_of, sizes in tallies:
        for line, size in zip(firsts_of, sizes, strict=True):
            if run_kinds[size > 1]:
                yield {"count": size, "line": text_of_octets(line)}


def parse_count(sh: Call, text: str, what: str) -> int:
    """Parse a number, limited to what can occur."""
    if not is_digits(text):
        raise sh.fail(f"{text}: invalid number of {what}")
    return bounded_number(text)


def write_file(sh: Call, path: str, texts: Iterable[str]) -> None:
    try:
        stream = sh.open(path, "w")
    except OSError as error:
        raise sh.fail(f"{message_name(path)}: {os_error_text(error)}") from None
    with stream:
        write = file_output(stream)
        for text in texts:
            write(text)


def comparison_keys(
    fields: int, chars: int, limit: int | None, ignore_case: bool, terminator: str
) -> Values | None:
    """Return the function from lines to compared keys; None if whole lines are compared."""
    if not (fields or chars or ignore_case) and limit is None:
        return None
    match_skipped = (
        re.compile(SKIPPED_FIELDS % min(fields, MAX_SKIPPED_FIELDS)).match if fields else None
    )
    compared = slice(chars, None if limit is None else chars + limit)

    def values(lines: list[str]) -> list[str]:
        if match_skipped is not None:
            lines = [line[match.end() :] for line in lines if (match := match_skipped(line))]
        if chars or limit is not None:
            lines = [line[compared] for line in lines]
        return ascii_upper(terminator.join(lines)).split(terminator) if ignore_case else lines

    return values


def ascii_upper(text: str) -> str:
    """Convert octets to upper case, ASCII only."""
    return text.encode("latin-1").upper().decode("latin-1")


def unique_lines(
    batches: Iterable[list[str]], values_of: Values | None, terminator: str
) -> Iterator[str | LineBlock]:
    """Yield each line that differs from the previous one, in chunks."""
    last: str | None = None
    for lines in batches:
        if values_of is None:
            unique = [last := line for line in lines if line != last]
        else:
            values = values_of(lines)
            unique = list(compress(lines, map(ne, values, [last, *values])))
            last = values[-1]
        if unique:
            yield chunk_of(unique, terminator)


def line_runs(
    batches: Iterable[list[str]], values_of: Values | None
) -> Iterator[tuple[list[str], int, bool]]:
    """Yield runs of equal lines in parts: lines, number of earlier ones, whether the run is over.

    A run is yielded at its end and after each batch, so that runs of any length need little memory.
    """
    part: list[str] = []
    previous: str | None = None
    yielded = 0
    for lines in batches:
        values = lines if values_of is None else values_of(lines)
        for line, key in zip(lines, values, strict=True):
            if previous is not None and key != previous:
                yield part, yielded, True
                part, yielded = [], 0
            part.append(line)
            previous = key
        if len(part) > 1:
            yield part[:-1], yielded, False
            yielded += len(part) - 1
            del part[:-1]
    if part:
        yield part, yielded, True


def tallied_runs(
    batches: Iterable[list[str]], values_of: Values | None
) -> Iterator[tuple[list[str], list[int]]]:
    """Yield the first lines of finished runs and the lengths of these runs."""
    first: list[str] = []  # of the last run, if any
    last: str | None = None
    length = 0  # of the last run
    for lines in batches:
        values = lines if values_of is None else values_of(lines)
        # Indexes of lines that differ from the previous one.
        starts = [
            index for index, key in enumerate(values) if key != last and ((last := key) is not None)
        ]
        if not starts:
            length += len(lines)
            continue
        sizes = [length + starts[0], *map(sub, starts[1:], starts)]
        firsts = first + [lines[i] for i in starts]
        yield firsts[:-1], sizes[1 - len(first) :]
        first, length = firsts[-1:], len(lines) - starts[-1]
    yield first, [length] * len(first)


class CountPrefixes(dict[int, str]):
    """The end of a line and the count before the next, cached by count."""

    def __init__(self, terminator: str) -> None:
        self._terminator = terminator

    def __missing__(self, size: int) -> str:
        self[size] = text = f"{self._terminator}{size:7} "
        return text


def counted_lines(
    runs: Iterable[tuple[list[str], list[int]]],
    run_kinds: tuple[bool, bool],
    has_counts: bool,
    terminator: str,
) -> Iterator[str | LineBlock]:
    """Yield the first lines of the selected runs, with counts if `has_counts`."""
    prefixes = CountPrefixes(terminator)
    for firsts, sizes in runs:
        if not all(run_kinds):
            selection = [run_kinds[size > 1] for size in sizes]
            firsts, sizes = list(compress(firsts, selection)), list(compress(sizes, selection))
        if firsts and has_counts:
            counts = list(map(prefixes.__getitem__, sizes))
            yield chunk_of(
                interleave(counts, firsts).removeprefix(terminator) + terminator, terminator
            )
        elif firsts:
            yield chunk_of(firsts, terminator)


def grouped_lines(
    runs: Iterable[tuple[list[str], int, bool]], method: str, terminator: str, minimum: int
) -> Iterator[str]:
    """Yield the lines of runs of at least `minimum`, with empty lines around the groups."""
    late = ("both", "separate")  # which put an empty line before the first group, and before others
    has_printed = False
    pending: list[str] = []  # lines of a run that is too short so far
    for lines, earlier, is_over in runs:
        pending = [*pending, *lines] if 0 < earlier < minimum else lines
        if earlier + len(lines) >= minimum:
            if earlier < minimum and (method == "prepend" or method == late[has_printed]):
                yield terminator
            yield terminator.join(pending) + terminator
            has_printed = True
            if is_over and method in ("append", "both"):
                yield terminator
