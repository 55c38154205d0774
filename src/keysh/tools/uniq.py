"""uniq - lines that repeat the one before."""

from __future__ import annotations

import re
from itertools import compress
from operator import ne, sub

from keysh.gnu.options import choice_of
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
SKIPPED_FIELDS = r"(?:[ \t\n]*+[^ \t\n]++){%d}|[\s\S]*"  # so many, or all of the line
MAX_SKIPPED_FIELDS = 1 << 31  # that a regular expression counts
LEGACY_SKIP = re.compile(r"\+[0-9]+")  # `+5` is `-s5`, wherever it stands


@command(style=OptionStyle(unabbreviated="all-duplicates"))
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
    """Print each line that differs from the one before; of lines that repeat, the first.

    files ...                  the file to read, - for standard input; and the file to write
    -c, --count                print how often each line follows itself
    -d, --repeated             only lines that repeat, once each
    -D, --all-duplicates       only lines that repeat, as often as they do
    --all-repeated[=METHOD]    the same, an empty line before each group with prepend, between
                               groups with separate
    -f, --skip-fields NUM      compare without the first NUM fields (also -NUM)
    --group[=METHOD]           all lines, in groups that an empty line separates; or one before or
                               behind each with prepend, append or both
    -i, --ignore-case          small letters count as capitals
    -s, --skip-chars NUM       compare without the first NUM bytes
    -u, --unique               only lines that do not repeat
    -z, --zero-terminated      lines end with NUL, not with a newline
    -w, --check-chars NUM      compare no more than NUM bytes
    --json                     print rows: count, line
    """
    for word in filter(LEGACY_SKIP.fullmatch, files):
        skip_chars = word[1:]
    files = tuple(file for file in files if not LEGACY_SKIP.fullmatch(file))
    if len(files) > 2:
        raise UsageFailure(f"extra operand {locale_quoted_text(files[2])}")
    is_bare = all_repeated is True or (all_duplicates and not all_repeated)
    every = "none" if is_bare else all_repeated
    if isinstance(every, str):
        every = choice_of("--all-repeated", every, REPEATED_METHODS)
    grouping = "separate" if group is True else group
    if isinstance(grouping, str):
        grouping = choice_of("--group", grouping, GROUP_METHODS)
    if grouping and (count or repeated or unique or every):
        raise UsageFailure("--group is mutually exclusive with -c/-d/-D/-u")
    if grouping and count:
        raise UsageFailure("grouping and printing repeat counts is meaningless")
    if json and (every or grouping or len(files) > 1):
        raise UsageFailure("--json is of counts: not of all lines, nor for a file")
    if every and count:
        says = "printing all duplicated lines and repeat counts is meaningless"
        raise UsageFailure(says)
    end = "\0" if zero_terminated else "\n"
    values_of = comparison_keys(
        parse_count(sh, skip_fields, "fields to skip"),
        parse_count(sh, skip_chars, "bytes to skip"),
        None if check_chars is None else parse_count(sh, check_chars, "bytes to compare"),
        ignore_case,
        end,
    )
    # A count without -d and -u is of every line; with both there is none to print.
    wanted = (not repeated, not unique)
    is_simple = not (count or repeated or unique or every or grouping)
    # The one input is open before a file is written, which stays as it is where there is none.
    for source in sh.inputs(files[:1], reading="error reading {quoted}"):
        lines = source.bare_lines(end)
        if json:
            yield from count_rows(tallied_runs(lines, values_of), wanted)
            return
        if is_simple:
            found = unique_lines(lines, values_of, end)
        elif every or grouping:
            runs = line_runs(lines, values_of)
            parts = grouped_lines(runs, str(every or grouping), end, 1 if grouping else 2)
            found = map(text_of_octets, batch_lines(parts))
        else:
            found = counted_lines(tallied_runs(lines, values_of), wanted, count, end)
        if len(files) < 2 or files[1] == "-":
            yield from found
        else:
            write_file(sh, files[1], map(text_of_chunk, found))


def count_rows(
    tallies: Iterable[tuple[list[str], list[int]]], wanted: Sequence[bool]
) -> Iterator[dict[str, object]]:
    """What --json prints of the runs that are wanted: of one line, of more."""
    for firsts_of, sizes in tallies:
        for line, size in zip(firsts_of, sizes, strict=True):
            if wanted[size > 1]:
                yield {"count": size, "line": text_of_octets(line)}


def parse_count(sh: Call, text: str, what: str) -> int:
    """How many of something; more than there can be is as many."""
    if not is_digits(text):
        raise sh.fail(f"{text}: invalid number of {what}")
    return bounded_number(text)


def write_file(sh: Call, path: str, found: Iterable[str]) -> None:
    """Write what is found to a file."""
    try:
        stream = sh.open(path, "w")
    except OSError as error:
        raise sh.fail(f"{message_name(path)}: {os_error_text(error)}") from None
    with stream:
        put = file_output(stream)
        for text in found:
            put(text)


def comparison_keys(
    fields: int, chars: int, most: int | None, ignore_case: bool, end: str
) -> Values | None:
    """What of each line is compared; nothing says that it is the line."""
    if not (fields or chars or ignore_case) and most is None:
        return None
    skipped = re.compile(SKIPPED_FIELDS % min(fields, MAX_SKIPPED_FIELDS)).match if fields else None
    piece = slice(chars, None if most is None else chars + most)

    def values(lines: list[str]) -> list[str]:
        if skipped is not None:
            lines = [line[match.end() :] for line in lines if (match := skipped(line))]
        if chars or most is not None:
            lines = [line[piece] for line in lines]
        return ascii_upper(end.join(lines)).split(end) if ignore_case else lines

    return values


def ascii_upper(text: str) -> str:
    """Octets, the small letters of ASCII among them as capitals."""
    return text.encode("latin-1").upper().decode("latin-1")


def unique_lines(
    batches: Iterable[list[str]], values_of: Values | None, end: str
) -> Iterator[str | LineBlock]:
    """Each line that differs from the one before, in chunks."""
    last: str | None = None
    for lines in batches:
        if values_of is None:
            kept = [last := line for line in lines if line != last]
        else:
            values = values_of(lines)
            kept = list(compress(lines, map(ne, values, [last, *values])))
            last = values[-1]
        if kept:
            yield chunk_of(kept, end)


def line_runs(
    batches: Iterable[list[str]], values_of: Values | None
) -> Iterator[tuple[list[str], int, bool]]:
    """Runs of equal lines, in pieces: lines, how many stood before, whether the run is over.

    A run is told of at its end, or before its memory grows: so a run may be of any length.
    """
    held: list[str] = []
    before: str | None = None
    told = 0
    for lines in batches:
        values = lines if values_of is None else values_of(lines)
        for line, now in zip(lines, values, strict=True):
            if before is not None and now != before:
                yield held, told, True
                held, told = [], 0
            held.append(line)
            before = now
        if len(held) > 1:
            yield held[:-1], told, False
            told += len(held) - 1
            del held[:-1]
    if held:
        yield held, told, True


def tallied_runs(
    batches: Iterable[list[str]], values_of: Values | None
) -> Iterator[tuple[list[str], list[int]]]:
    """The first lines of the runs that are over, and how long these runs are."""
    first: list[str] = []  # the line that the last run begins with, if there is one
    last: str | None = None
    length = 0  # of that run, so far
    for lines in batches:
        values = lines if values_of is None else values_of(lines)
        # Of the lines that differ from the one before, which are the next to be compared with.
        starts = [
            at for at, now in enumerate(values) if now != last and ((last := now) is not None)
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
    """The end of a line and the count in front of the next, each made once."""

    def __init__(self, end: str) -> None:
        self._end = end

    def __missing__(self, size: int) -> str:
        self[size] = text = f"{self._end}{size:7} "
        return text


def counted_lines(
    runs: Iterable[tuple[list[str], list[int]]], wanted: tuple[bool, bool], shows: bool, end: str
) -> Iterator[str | LineBlock]:
    """The first line of each run that is wanted, those of one line and those of more."""
    heads = CountPrefixes(end)
    for firsts, sizes in runs:
        if not all(wanted):
            chosen = [wanted[size > 1] for size in sizes]
            firsts, sizes = list(compress(firsts, chosen)), list(compress(sizes, chosen))
        if firsts and shows:
            counts = list(map(heads.__getitem__, sizes))
            yield chunk_of(interleave(counts, firsts).removeprefix(end) + end, end)
        elif firsts:
            yield chunk_of(firsts, end)


def grouped_lines(
    runs: Iterable[tuple[list[str], int, bool]], method: str, end: str, least: int
) -> Iterator[str]:
    """All lines of the runs that have as many as `least`, with empty lines around the runs."""
    late = ("both", "separate")  # what puts a line before the first group, and the others
    has_printed = False
    held: list[str] = []  # of a run that is not long enough yet
    for lines, told, is_over in runs:
        held = [*held, *lines] if 0 < told < least else lines
        if told + len(lines) >= least:
            if told < least and (method == "prepend" or method == late[has_printed]):
                yield end
            yield end.join(held) + end
            has_printed = True
            if is_over and method in ("append", "both"):
                yield end
