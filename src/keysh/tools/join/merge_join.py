"""Join two sorted files on a field."""

from __future__ import annotations

import re
from itertools import chain, count, repeat
from operator import itemgetter

from keysh.gnu.input_files import InputFile
from keysh.gnu.sorted_files import SortedInput, paired_blocks
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import LINES_PER_BATCH, batch_lines, text_of_octets, whole_lines
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, TypeAlias

    from keysh.gnu.sorted_files import Block
    from keysh.interp.state.call import Call

    # A line: its join field as compared and as printed, all fields, the text and its number.
    # The fields are None if the line is printed unchanged.
    Row: TypeAlias = tuple[str, str, list[str] | None, str, int]

BLANKS = re.compile(r"[ \t\n]+")
# If none of these occurs, single spaces separate all fields.
MIXED_BLANKS = ("\t", "  ", "\n ")
# Indexes of a row.
KEY: Final = 0
HEAD: Final = 1
FIELDS: Final = 2
LINE: Final = 3
NUMBER: Final = 4
# Further indexes of a block.
PRINTED_LINES: Final = 2
READ_LINES: Final = 3
AFTER_ALL_KEYS = "\U0010ffff"  # sorts after every key of octets
ASCII_UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}


class LineJoin:
    """The join of two sorted files, in octets."""

    __slots__ = (
        "_empty", "_files", "_gap", "_ignores_case", "_is_unpaired", "_sh", "_warned", "failure",
        "fields", "is_auto", "is_disordered", "order", "output_format", "prints_pairs", "separator",
        "terminator", "unpaired_files",
    )  # fmt: skip

    def __init__(self, sh: Call, empty: str, separator: str, ignore_case: bool) -> None:
        self._sh, self._empty, self._ignores_case = sh, empty, ignore_case
        self.separator = separator  # "" means runs of blanks
        self.unpaired_files: set[int] = set()  # whose unpaired lines are printed
        self.fields, self.terminator, self.order = (0, 0), "\n", ""
        self.output_format: list[tuple[int, int]] = []
        self.prints_pairs, self.is_auto, self.is_disordered = True, False, False
        self._warned = [False, False]
        self._is_unpaired = False
        self._files: tuple[str, ...] = ()
        self._gap = ""  # output separator
        self.failure = ""  # why the output ends early

    def chunks(self, files: tuple[str, ...], has_header: bool) -> Iterator[str]:
        """Yield the output."""
        self._files = files
        self._gap = self.separator if self.separator not in ("", self.terminator) else " "
        texts, numbers = [self._texts(name) for name in files], [1, 1]
        if not has_header and self._is_plain(max(self.fields)) and 1 not in self.unpaired_files:
            blocks = [SortedInput(map(self._block, text), columns=4) for text in texts]
            yield from self._joined_blocks(blocks[0], blocks[1])
            numbers = [side.count + 1 for side in blocks]
            texts = [
                map(self._text, filter(itemgetter(READ_LINES), side.remaining_blocks()))
                for side in blocks
            ]
        sides: list[Iterator[Row]] = [
            chain.from_iterable(self._rows(i, texts[i], numbers[i])) for i in range(2)
        ]
        first, second = next(sides[0], None), next(sides[1], None)
        if self.is_auto:
            self.output_format = [(-1, 0)]
            for i, row in enumerate((first, second)):
                count = len(row[FIELDS] or ()) if row is not None else 0
                self.output_format += [
                    (i, field) for field in range(count) if field != self.fields[i]
                ]
        if has_header and (first or second):
            yield self._output_line(first, second)
            first = next(sides[0], None) if first else None
            second = next(sides[1], None) if second else None
        yield from self._joined_rows(first, second, sides)

    def _joined_rows(
        self, old: Row | None, new: Row | None, sides: list[Iterator[Row]]
    ) -> Iterator[str]:
        """Join row by row, after the header."""
        olds, news = sides
        output: list[str] = []
        while old is not None and new is not None and not self.failure:
            key = old[KEY]
            if key < new[KEY]:
                if 0 in self.unpaired_files:
                    output.append(self._output_line(old, None))
                old = next(olds, None)
                if old is not None and old[KEY] < key:
                    self._check_order(0, old, key)
                self._is_unpaired = True
            elif key > new[KEY]:
                key = new[KEY]
                if 1 in self.unpaired_files:
                    output.append(self._output_line(None, new))
                new = next(news, None)
                if new is not None and new[KEY] < key:
                    self._check_order(1, new, key)
                self._is_unpaired = True
            else:
                lefts, rights = [old], [new]
                for old in olds:
                    if old[KEY] != key:
                        break
                    lefts.append(old)
                else:
                    old = None
                for new in news:
                    if new[KEY] != key:
                        break
                    rights.append(new)
                else:
                    new = None
                self._check_order(0, old, key)
                self._check_order(1, new, key)
                for left in lefts if self.prints_pairs and not self.failure else ():
                    output += self._pairs(left, rights)
                    if len(output) >= LINES_PER_BATCH:
                        self._sh.tick()
                        yield "".join(output)
                        output.clear()
            if len(output) >= LINES_PER_BATCH:
                yield "".join(output)
                output.clear()
        yield "".join(output)
        yield from self._remaining_lines(old, new, sides)

    # ------------------------------------------------------------ blocks of sorted lines

    def _joined_blocks(self, first: SortedInput, second: SortedInput) -> Iterator[str]:
        """Join blocks as long as both files are sorted; not with unpaired lines of file 2."""
        for olds, news in paired_blocks(first, second):
            for output in self._matched_lines(olds, news, not first.is_done, not second.is_done):
                self._sh.tick()
                yield self.terminator.join(output) + self.terminator
            is_read = self.order != "nocheck_order"
            if (first.is_done and not is_read) or (
                second.is_done and not (is_read or self.unpaired_files)
            ):
                return

    def _matched_lines(
        self, olds: Block, news: Block, has_old: bool, has_new: bool
    ) -> Iterator[list[str]]:
        """Match two blocks; `has_old` and `has_new` tell whether the files go on."""
        prints_alone, prints_pairs = 0 in self.unpaired_files, self.prints_pairs
        keys = [*news[KEY], AFTER_ALL_KEYS]
        sizes = map(len, news[HEAD])
        rests = [text[size:] for text, size in zip(news[PRINTED_LINES], sizes, strict=True)]
        output: list[str] = []
        index = group_end = 0  # the line compared with, and the one after the last pair
        other_key, is_unpaired = keys[0], self._is_unpaired
        for key, line in zip(olds[KEY], olds[PRINTED_LINES], strict=True):
            while other_key < key:
                is_unpaired = is_unpaired or index >= group_end
                index += 1
                other_key = keys[index]
            if other_key != key:
                is_unpaired = is_unpaired or other_key is not AFTER_ALL_KEYS or has_new
                if prints_alone:
                    output.append(line)
                continue
            if group_end <= index:
                group_end = index + 1
                while keys[group_end] == key:
                    group_end += 1
            if not prints_pairs:
                continue
            if group_end == index + 1:
                output.append(line + rests[index])
                continue
            output += [line + rest for rest in rests[index:group_end]]
            if len(output) >= LINES_PER_BATCH:
                yield output
                output.clear()
        if output:
            yield output
        self._is_unpaired = is_unpaired or (has_old and group_end < len(rests))

    def _block(self, text: str) -> Block:
        """Return the columns of a text: keys, heads, lines as printed and lines as read."""
        lines = text.removesuffix(self.terminator).split(self.terminator)
        separator = self._separator_in(text)
        keys, heads, rows = self._columns(text, lines, 0, separator)
        printed = lines if separator else [self._gap.join(fields or ()) for fields in rows]
        return keys, heads, printed, lines

    def _text(self, block: Block) -> str:
        """Return the text of which a block was made."""
        return self.terminator.join(block[READ_LINES]) + self.terminator

    # ------------------------------------------------------------ output

    def _pairs(self, left: Row, rights: list[Row]) -> list[str]:
        """Format a line joined with each of a group."""
        if left[FIELDS] is not None:
            return [self._output_line(left, right) for right in rights]
        line, end = left[LINE], self.terminator
        return [
            f"{line}{right[LINE][len(right[HEAD]) :]}{end}"
            if right[FIELDS] is None
            else self._output_line(left, right)
            for right in rights
        ]

    def _remaining_lines(
        self, old: Row | None, new: Row | None, sides: list[Iterator[Row]]
    ) -> Iterator[str]:
        """Read the rest of one file, even if only to check its order."""
        for i, row in enumerate((old, new)):
            is_read = i in self.unpaired_files or self.order != "nocheck_order"
            if row is None or not is_read or self.failure:
                continue
            self._is_unpaired = self._is_unpaired or (old is not None and new is not None)
            yield from batch_lines(self._unpaired_lines(i, row, sides[i]))

    def _unpaired_lines(self, i: int, row: Row, side: Iterator[Row]) -> Iterator[str]:
        """Yield the lines of a file from `row` on as far as they are printed."""
        previous = row[KEY]
        for line in chain([row], side):
            self._check_order(i, line, previous)
            if self.failure or (i not in self.unpaired_files and self._warned[i]):
                return
            if i in self.unpaired_files:
                yield self._output_line(*((line, None) if not i else (None, line)))
            previous = line[KEY]

    def _check_order(self, i: int, row: Row | None, previous: str) -> None:
        """Check that a row does not precede the one before it.

        Unless asked for, GNU checks only after the first unpaired line.
        """
        is_checked = self.order == "check_order" or (not self.order and self._is_unpaired)
        if row is None or row[KEY] >= previous or not is_checked or self._warned[i]:
            return
        message = f"{self._files[i]}:{row[NUMBER]}: is not sorted: {text_of_octets(row[LINE])}"
        if self.order:
            self.failure = self.failure or message
        else:
            self._sh.warn(message)
            self._warned[i] = self.is_disordered = True

    def _rows(self, i: int, texts: Iterable[str], number: int) -> Iterator[Iterable[Row]]:
        """Yield the rows of a file in groups, numbered from `number`."""
        for text in texts:
            lines = text.removesuffix(self.terminator).split(self.terminator)
            columns = self._columns(text, lines, self.fields[i], self._separator_in(text))
            yield zip(*columns, lines, count(number))
            number += len(lines)

    def _texts(self, name: str) -> Iterator[str]:
        """Yield a file in texts of whole lines."""
        sh = self._sh
        try:
            with InputFile(sh, name) as reader:
                yield from whole_lines(reader.octets(), sh.check_size, self.terminator)
        except OSError as error:
            is_read = isinstance(error, IsADirectoryError)
            what = "read error" if is_read else message_name(name)
            raise sh.fail(f"{what}: {os_error_text(error)}") from None

    def _separator_in(self, text: str) -> str:
        """Return the field separator of a text, or "" if it is runs of blanks."""
        is_tidy = (
            self.terminator == "\n"
            and not any(odd in text for odd in MIXED_BLANKS)
            and not text.startswith(" ")
        )
        return self.separator or (" " if is_tidy else "")

    def _is_plain(self, join_field: int) -> bool:
        """Tell whether lines are printed with their fields in place, given the join field."""
        return not (join_field or self._empty or self.is_auto or self.output_format)

    def _split_fields(self, lines: list[str], separator: str) -> list[list[str]]:
        """Split lines into fields; an empty line has none."""
        if separator:
            return [line.split(separator) if line else [] for line in lines]
        texts = [line.lstrip(" \t\n") for line in lines]
        # Trailing blanks are followed by an empty field.
        return [BLANKS.split(text) if text else [] for text in texts]

    def _columns(
        self, text: str, lines: list[str], join_field: int, separator: str
    ) -> tuple[list[str], list[str], Iterable[list[str] | None]]:
        """Return the keys, the heads and the fields of lines."""
        rows: Iterable[list[str] | None] = repeat(None)
        if separator and self._is_plain(join_field):
            join_fields = lines
            if separator in text:
                join_fields = [line.partition(separator)[0] for line in lines]
        else:
            rows = split = self._split_fields(lines, separator)
            join_fields = [
                fields[join_field] if join_field < len(fields) else "" for fields in split
            ]
        keys = (
            [head.translate(ASCII_UPPER) for head in join_fields]
            if self._ignores_case
            else join_fields
        )
        return keys, join_fields, rows

    def _other_fields(self, i: int, row: Row) -> str:
        """Format the fields other than the join field."""
        fields = row[FIELDS]
        if fields is None:
            return row[LINE][len(row[HEAD]) :]
        join_field = self.fields[i]
        others = [*fields[:join_field], *fields[join_field + 1 :]]
        if self._empty:
            others = [text or self._empty for text in others]
        return self._gap + self._gap.join(others) if others else ""

    def _output_line(self, old: Row | None, new: Row | None) -> str:
        """Format a pair, or a line without one."""
        first = old or new
        assert first is not None
        if not self.output_format:
            rest = self._other_fields(0, old) if old else ""
            if new:
                rest += self._other_fields(1, new)
            return (first[HEAD] or self._empty) + rest + self.terminator
        output_fields, rows = [], (old, new)
        for file, field in self.output_format:
            row = rows[file]
            if file < 0:
                text = first[HEAD]
            else:
                fields = row[FIELDS] if row else None
                text = fields[field] if fields and field < len(fields) else ""
            output_fields.append(text or self._empty)
        return self._gap.join(output_fields) + self.terminator
