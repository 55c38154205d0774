"""join - the lines of two sorted files that have a field in common."""

from __future__ import annotations

import re

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import OptionStyle, command
from keysh.text.chunks import octets_of_text, text_of_octets
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.tools.join.joining import LineJoin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

FIELD_OPTIONS = {"field": (0, 1), "first_field": (0,), "second_field": (1,)}


@command(
    style=OptionStyle(
        unabbreviated=(
            "first-field second-field field unpaired only-unpaired empty output separator"
        ),
        section_flags="output",
    )
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
    """Print a line for each pair of lines that have the same field, from two files sorted by it.

    files ...                  the two files, - for standard input
    -1, --first-field NUM      the field of the first file; its first without this
    -2, --second-field NUM     the field of the second file
    -j, --field NUM            the field of both
    -a, --unpaired FILE        print the lines of file 1 or 2 that have no pair, too
    -v, --only-unpaired FILE   print only these
    -e, --empty TEXT           what stands for fields that are missing
    -o, --output FORMAT        what to print: 0 the field, 1.2 the second of the first file, and so
                               on, with commas between; auto for as many as the first lines have
    -t, --separator CHAR       what ends a field, and stands between them
    -i, --ignore-case          small letters count as capitals
    --check-order              stop where a file is not sorted
    --nocheck-order            do not look whether the files are sorted
    --header                   the first lines are headers: print them as a pair
    -z, --zero-terminated      lines end with NUL, not with a newline
    """
    files, more = files_and_formats(sh, files, output or [])
    if len(files) < 2:
        after = f" after {locale_quoted_text(files[0])}" if files else ""
        raise UsageFailure(f"missing operand{after}")
    if len({value for name, value in sh.given if name == "separator"}) > 1:
        raise sh.fail("incompatible tabs")
    if files[0] == files[1] == "-":
        raise sh.fail("both files cannot be standard input")
    orders = [name for name, _ in sh.given if name.endswith("check_order")]
    joining = LineJoin(sh, octets_of_text(empty), octets_of_text(separator or ""), ignore_case)
    joining.order = orders[-1] if orders else ""
    joining.fields = join_fields(sh)
    joining.end = "\0" if zero_terminated else "\n"
    if separator is not None:
        joining.separator = parse_separator(sh, octets_of_text(separator), joining.end)
    for text in [*(unpaired or []), *(only_unpaired or [])]:
        if text not in ("1", "2"):
            raise sh.fail(f"invalid field number: {locale_quoted_text(text)}")
        joining.unpaired_files.add(int(text) - 1)
    joining.prints_pairs = not only_unpaired
    joining.is_auto = "auto" in (output or [])
    if output and not joining.is_auto:
        joining.output_format = [
            part for text in [*output, *more] for part in parse_output_format(sh, text)
        ]
    yield from map(text_of_octets, joining.chunks(files, header))
    if joining.failure:
        raise sh.fail(joining.failure)
    if joining.is_disordered:
        sh.warn("input is not in sorted order")


def files_and_formats(
    sh: Call, words: Sequence[str], formats: Sequence[str]
) -> tuple[tuple[str, ...], list[str]]:
    """The files, and the operands that belong to -o: those behind it, where there are too many.

    `join -o 1.1 2.2 a b` is how formats were given before POSIX.
    """
    befores = [count for name, count in sh.given if name == "output"]
    first = min(
        (count for count, text in zip(befores, formats, strict=True) if text != "auto"),
        default=len(words),
    )
    files: list[tuple[str, bool]] = []
    more: list[str] = []
    for at, word in enumerate(words):
        if len(files) == 2:
            place = next((at for at, (_, may_be_format) in enumerate(files) if may_be_format), None)
            if place is None:
                raise UsageFailure(f"extra operand {locale_quoted_text(word)}")
            more.append(files.pop(place)[0])
        files.append((word, at >= first))
    return tuple(name for name, _ in files), more


def parse_positive(sh: Call, text: str, what: str) -> int:
    """A number above 0."""
    if not is_digits(text) or not bounded_number(text):
        raise sh.fail(f"invalid {what}: {locale_quoted_text(text)}")
    return bounded_number(text)


def join_fields(sh: Call) -> tuple[int, int]:
    """The fields to join by, as the options tell; from 0."""
    found = [-1, -1]
    for name, text in sh.given:
        if name not in FIELD_OPTIONS:
            continue
        value = parse_positive(sh, text, "field number") - 1
        for place in FIELD_OPTIONS[name]:
            if found[place] not in (-1, value):
                says = f"incompatible join fields {found[place] + 1}, {value + 1}"
                raise sh.fail(says)
            found[place] = value
    return max(found[0], 0), max(found[1], 0)


def parse_separator(sh: Call, text: str, end: str) -> str:
    """What is given for a separator, in octets; none makes the whole line a field."""
    if not text:
        return end
    if text == "\\0":
        return "\0"
    if len(text) > 1:
        raise sh.fail(f"multi-character tab {locale_quoted_text(text_of_octets(text))}")
    return text


def parse_output_format(sh: Call, text: str) -> list[tuple[int, int]]:
    """What a format asks for: files and fields, from 0; the file is -1 for the field of both."""
    found = []
    for part in re.split(r"[, \t]", text):
        file, dot, field = part.partition(".")
        if part == "0":
            found.append((-1, 0))
        elif file in ("1", "2") and dot:
            found.append((int(file) - 1, parse_positive(sh, field, "field number") - 1))
        elif file in ("0", "1", "2") and not dot:
            raise sh.fail(f"invalid field specifier: {locale_quoted_text(part)}")
        else:
            raise sh.fail(f"invalid file number in field spec: {locale_quoted_text(part)}")
    return found
