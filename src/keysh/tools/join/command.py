"""join - join the lines of two sorted files on a common field."""

from __future__ import annotations

import re

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.join.merge_join import LineJoin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

FIELD_OPTIONS = {"field": (0, 1), "first_field": (0,), "second_field": (1,)}


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(
        unabbreviated=(
            "first-field second-field field unpaired only-unpaired empty output separator"
        ),
        section_flags="output",
    ),
)
def join(
    sh: Call,
    *files: Path,
    first_field: str | None = None,
    second_field: str | None = None,
    field: str | None = None,
    unpaired: list[str] | None = None,
    only_unpaired: list[str] | None = None,
    empty: str = "",
    output: list[str] | None = None,
    separator: str | None = None,
    ignore_case: bool = False,
    check_order: bool = False,
    nocheck_order: bool = False,
    header: bool = False,
    zero_terminated: bool = False,
) -> Iterator[str]:
    """Join the lines of two sorted files on a common field.

    files ...                    the two files, - for standard input
    -1, --first-field NUM        join on this field of the first file; the first
                                 field by default
    -2, --second-field NUM       join on this field of the second file
    -j, --field NUM              join on this field of both files
    -a, --unpaired FILENUM       also print unpaired lines of file FILENUM, 1 or 2
    -v, --only-unpaired FILENUM  like -a, but suppress joined lines
    -e, --empty TEXT             replace missing fields with TEXT
    -o, --output FORMAT          comma-separated output fields: 0 is the join field,
                                 1.2 the second field of file 1; auto takes as many
                                 as the first lines have
    -t, --separator CHAR         field separator for input and output
    -i, --ignore-case            ignore case when comparing fields
    --check-order                fail if a file is not sorted
    --nocheck-order              do not check that the files are sorted
    --header                     treat the first line of each file as a header
    -z, --zero-terminated        lines end with NUL, not with a newline
    """
    files, operand_formats = files_and_formats(sh, files, output or [])
    if len(files) < 2:
        after = f" after {locale_quoted_text(files[0])}" if files else ""
        raise UsageFailure(f"missing operand{after}")
    if len({value for name, value in sh.given if name == "separator"}) > 1:
        raise sh.fail("incompatible tabs")
    if files[0] == files[1] == "-":
        raise sh.fail("both files cannot be standard input")
    orders = [name for name, _ in sh.given if name.endswith("check_order")]
    lines = LineJoin(sh, octets_of_text(empty), octets_of_text(separator or ""), ignore_case)
    lines.order = orders[-1] if orders else ""
    lines.fields = join_fields(sh)
    lines.terminator = "\0" if zero_terminated else "\n"
    if separator is not None:
        lines.separator = parse_separator(sh, octets_of_text(separator), lines.terminator)
    for text in [*(unpaired or []), *(only_unpaired or [])]:
        if text not in ("1", "2"):
            raise sh.fail(f"invalid field number: {locale_quoted_text(text)}")
        lines.unpaired_files.add(int(text) - 1)
    lines.prints_pairs = not only_unpaired
    lines.is_auto = "auto" in (output or [])
    if output and not lines.is_auto:
        lines.output_format = [
            part for text in [*output, *operand_formats] for part in parse_output_format(sh, text)
        ]
    yield from map(text_of_octets, lines.chunks(files, header))
    if lines.failure:
        raise sh.fail(lines.failure)
    if lines.is_disordered:
        sh.warn("input is not in sorted order")


def files_and_formats(
    sh: Call, words: Sequence[str], formats: Sequence[str]
) -> tuple[tuple[str, ...], list[str]]:
    """Separate the files from operands that belong to -o: any after it, if there are too many
    files.

    `join -o 1.1 2.2 a b` is the form from before POSIX.
    """
    counts_before = [count for name, count in sh.given if name == "output"]
    first = min(
        (count for count, text in zip(counts_before, formats, strict=True) if text != "auto"),
        default=len(words),
    )
    files: list[tuple[str, bool]] = []
    moved: list[str] = []
    for position, word in enumerate(words):
        if len(files) == 2:
            index = next(
                (position for position, (_, may_be_format) in enumerate(files) if may_be_format),
                None,
            )
            if index is None:
                raise UsageFailure(f"extra operand {locale_quoted_text(word)}")
            moved.append(files.pop(index)[0])
        files.append((word, position >= first))
    return tuple(name for name, _ in files), moved


def parse_positive(sh: Call, text: str, what: str) -> int:
    if not is_digits(text) or not bounded_number(text):
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}")
    return bounded_number(text)


def join_fields(sh: Call) -> tuple[int, int]:
    """Return the zero-based join fields of both files."""
    numbers = [-1, -1]
    for name, text in sh.given:
        if name not in FIELD_OPTIONS:
            continue
        value = parse_positive(sh, text, "field number") - 1
        for file in FIELD_OPTIONS[name]:
            if numbers[file] not in (-1, value):
                message = f"incompatible join fields {numbers[file] + 1}, {value + 1}"
                raise sh.fail(message)
            numbers[file] = value
    return max(numbers[0], 0), max(numbers[1], 0)


def parse_separator(sh: Call, text: str, terminator: str) -> str:
    """Return the separator in octets; an empty one makes the whole line one field."""
    if not text:
        return terminator
    if text == "\\0":
        return "\0"
    if len(text) > 1:
        raise sh.fail(f"multi-character tab {locale_quoted_text(text_of_octets(text))}")
    return text


def parse_output_format(sh: Call, text: str) -> list[tuple[int, int]]:
    """Parse -o into pairs of zero-based file and field; file -1 is the join field."""
    pairs = []
    for part in re.split(r"[, \t]", text):
        file, dot, field = part.partition(".")
        if part == "0":
            pairs.append((-1, 0))
        elif file in ("1", "2") and dot:
            pairs.append((int(file) - 1, parse_positive(sh, field, "field number") - 1))
        elif file in ("0", "1", "2") and not dot:
            raise sh.fail(f"invalid field specifier: {locale_quoted_text(part)}")
        else:
            raise sh.fail(f"invalid file number in field spec: {locale_quoted_text(part)}")
    return pairs
