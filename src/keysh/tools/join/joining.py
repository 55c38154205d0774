"""Joining: two sorted files, their lines paired by a field."""

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

    # A line: the field that counts as it is compared and as it is printed, all fields, the text,
    # its number. There are no fields where the line is printed as it is.
    Row: TypeAlias = tuple[str, str, list[str] | None, str, int]

BLANKS = re.compile(r"[ \t\n]+")
# Where no line has one of these, a single space is what separates all fields.
MIXED_BLANKS = ("\t", "  ", "\n ")
# What is where in a row.
KEY: Final = 0
HEAD: Final = 1
FIELDS: Final = 2
LINE: Final = 3
NUMBER: Final = 4
# What else is where in a block, besides keys and heads.
PRINTED_LINES: Final = 2
READ_LINES: Final = 3
AFTER_ALL_KEYS = "\U0010ffff"  # behind every key of octets
ASCII_UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}


class LineJoin:
    """Two sorted files, joined. All is in octets."""

    __slots__ = (
        "_empty", "_files", "_gap", "_ignores_case", "_is_unpaired", "_sh", "_warned", "unpaired_files", "end",
        "failure", "fields", "is_auto", "is_disordered", "order", "prints_pairs", "separator",
        "output_format",
    )  # fmt: skip

    def __init__(self, sh: Call, empty: str, separator: str, ignore_case: bool) -> None:
        self._sh, self._empty, self._ignores_case = sh, empty, ignore_case
        self.separator = separator  # blanks where there is none
        self.unpaired_files: set[int] = set()  # files of which lines without a pair are printed
        self.fields, self.end, self.order = (0, 0), "\n", ""
        self.output_format: list[tuple[int, int]] = []
        self.prints_pairs, self.is_auto, self.is_disordered = True, False, False
        self._warned = [False, False]
        self._is_unpaired = False
        self._files: tuple[str, ...] = ()
        self._gap = ""  # what stands between fields
        self.failure = ""  # why the lines end early

    def chunks(self, files: tuple[str, ...], has_header: bool) -> Iterator[str]:
        """What is printed."""
        self._files = files
        self._gap = self.separator if self.separator not in ("", self.end) else " "
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
        old, new = next(sides[0], None), next(sides[1], None)
        if self.is_auto:
            self.output_format = [(-1, 0)]
            for i, row in enumerate((old, new)):
                count = len(row[FIELDS] or ()) if row is not None else 0
                self.output_format += [(i, at) for at in range(count) if at != self.fields[i]]
        if has_header and (old or new):
            yield self._output_line(old, new)
            old = next(sides[0], None) if old else None
            new = next(sides[1], None) if new else None
        yield from self._joined_rows(old, new, sides)

    def _joined_rows(
        self, old: Row | None, new: Row | None, sides: list[Iterator[Row]]
    ) -> Iterator[str]:
        """The lines behind the headers."""
        olds, news = sides
        made: list[str] = []
        while old is not None and new is not None and not self.failure:
            key = old[KEY]
            if key < new[KEY]:
                if 0 in self.unpaired_files:
                    made.append(self._output_line(old, None))
                old = next(olds, None)
                if old is not None and old[KEY] < key:
                    self._check_order(0, old, key)
                self._is_unpaired = True
            elif key > new[KEY]:
                key = new[KEY]
                if 1 in self.unpaired_files:
                    made.append(self._output_line(None, new))
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
                    made += self._pairs(left, rights)
                    if len(made) >= LINES_PER_BATCH:
                        self._sh.tick()
                        yield "".join(made)
                        made.clear()
            if len(made) >= LINES_PER_BATCH:
                yield "".join(made)
                made.clear()
        yield "".join(made)
        yield from self._remaining_lines(old, new, sides)

    # ------------------------------------------------------------ blocks of lines in order

    def _joined_blocks(self, first: SortedInput, second: SortedInput) -> Iterator[str]:
        """What is printed of two files as far as they are in order, none of the second's alone."""
        for olds, news in paired_blocks(first, second):
            for made in self._matched_lines(olds, news, not first.is_done, not second.is_done):
                self._sh.tick()
                yield self.end.join(made) + self.end
            is_read = self.order != "nocheck_order"
            if (first.is_done and not is_read) or (
                second.is_done and not (is_read or self.unpaired_files)
            ):
                return

    def _matched_lines(
        self, olds: Block, news: Block, has_old: bool, has_new: bool
    ) -> Iterator[list[str]]:
        """What is printed of two blocks, and whether more will come of either file."""
        prints_alone, prints_pairs = 0 in self.unpaired_files, self.prints_pairs
        keys = [*news[KEY], AFTER_ALL_KEYS]
        sizes = map(len, news[HEAD])
        rests = [text[size:] for text, size in zip(news[PRINTED_LINES], sizes, strict=True)]
        made: list[str] = []
        at = behind = 0  # the line that is compared with, and the one behind the last pair
        other, is_unpaired = keys[0], self._is_unpaired
        for key, line in zip(olds[KEY], olds[PRINTED_LINES], strict=True):
            while other < key:
                is_unpaired = is_unpaired or at >= behind
                at += 1
                other = keys[at]
            if other != key:
                is_unpaired = is_unpaired or other is not AFTER_ALL_KEYS or has_new
                if prints_alone:
                    made.append(line)
                continue
            if behind <= at:
                behind = at + 1
                while keys[behind] == key:
                    behind += 1
            if not prints_pairs:
                continue
            if behind == at + 1:
                made.append(line + rests[at])
                continue
            made += [line + rest for rest in rests[at:behind]]
            if len(made) >= LINES_PER_BATCH:
                yield made
                made.clear()
        if made:
            yield made
        self._is_unpaired = is_unpaired or (has_old and behind < len(rests))

    def _block(self, text: str) -> Block:
        """The columns of a text: keys, the fields they come from, lines as printed and as read."""
        lines = text.removesuffix(self.end).split(self.end)
        separator = self._separator_in(text)
        keys, heads, rows = self._columns(text, lines, 0, separator)
        shown = lines if separator else [self._gap.join(fields or ()) for fields in rows]
        return keys, heads, shown, lines

    def _text(self, block: Block) -> str:
        """The text that a block was made of."""
        return self.end.join(block[READ_LINES]) + self.end

    # ------------------------------------------------------------ lines as they are printed

    def _pairs(self, left: Row, rights: list[Row]) -> list[str]:
        """A line with each of a group, as they are printed."""
        if left[FIELDS] is not None:
            return [self._output_line(left, right) for right in rights]
        line, end = left[LINE], self.end
        return [
            f"{line}{right[LINE][len(right[HEAD]) :]}{end}"
            if right[FIELDS] is None
            else self._output_line(left, right)
            for right in rights
        ]

    def _remaining_lines(
        self, old: Row | None, new: Row | None, sides: list[Iterator[Row]]
    ) -> Iterator[str]:
        """What is left of one file. It is read even where nothing is printed, for its order."""
        for i, row in enumerate((old, new)):
            is_read = i in self.unpaired_files or self.order != "nocheck_order"
            if row is None or not is_read or self.failure:
                continue
            self._is_unpaired = self._is_unpaired or (old is not None and new is not None)
            yield from batch_lines(self._unpaired_lines(i, row, sides[i]))

    def _unpaired_lines(self, i: int, row: Row, side: Iterator[Row]) -> Iterator[str]:
        """The lines of a file from one on, as far as they are wanted."""
        before = row[KEY]
        for line in chain([row], side):
            self._check_order(i, line, before)
            if self.failure or (i not in self.unpaired_files and self._warned[i]):
                return
            if i in self.unpaired_files:
                yield self._output_line(*((line, None) if not i else (None, line)))
            before = line[KEY]

    def _check_order(self, i: int, row: Row | None, before: str) -> None:
        """See whether a line is behind the one before it.

        GNU's minds that only once a line has had no pair, unless it is asked to.
        """
        is_checked = self.order == "check_order" or (not self.order and self._is_unpaired)
        if row is None or row[KEY] >= before or not is_checked or self._warned[i]:
            return
        says = f"{self._files[i]}:{row[NUMBER]}: is not sorted: {text_of_octets(row[LINE])}"
        if self.order:
            self.failure = self.failure or says
        else:
            self._sh.warn(says)
            self._warned[i] = self.is_disordered = True

    def _rows(self, i: int, texts: Iterable[str], number: int) -> Iterator[Iterable[Row]]:
        """The lines of a file, some at a time, which are numbered on from there."""
        for text in texts:
            lines = text.removesuffix(self.end).split(self.end)
            columns = self._columns(text, lines, self.fields[i], self._separator_in(text))
            yield zip(*columns, lines, count(number))
            number += len(lines)

    def _texts(self, name: str) -> Iterator[str]:
        """The lines of a file, some at a time, as one text."""
        sh = self._sh
        try:
            with InputFile(sh, name) as reader:
                yield from whole_lines(sh.ticking(reader.octets()), self.end)
        except OSError as error:
            is_read = isinstance(error, IsADirectoryError)
            what = "read error" if is_read else message_name(name)
            raise sh.fail(f"{what}: {os_error_text(error)}") from None

    def _separator_in(self, text: str) -> str:
        """What separates the fields of a text; nothing where it may be more than one blank."""
        is_tidy = (
            self.end == "\n"
            and not any(odd in text for odd in MIXED_BLANKS)
            and not text.startswith(" ")
        )
        return self.separator or (" " if is_tidy else "")

    def _is_plain(self, at: int) -> bool:
        """Whether lines are printed with their fields where they are, the one that counts here."""
        return not (at or self._empty or self.is_auto or self.output_format)

    def _split_fields(self, lines: list[str], separator: str) -> list[list[str]]:
        """The fields of lines; an empty line has none."""
        if separator:
            return [line.split(separator) if line else [] for line in lines]
        texts = [line.lstrip(" \t\n") for line in lines]
        # Blanks at the end have an empty field behind them.
        return [BLANKS.split(text) if text else [] for text in texts]

    def _columns(
        self, text: str, lines: list[str], at: int, separator: str
    ) -> tuple[list[str], list[str], Iterable[list[str] | None]]:
        """What rows have of lines, but for the lines themselves and their numbers."""
        rows: Iterable[list[str] | None] = repeat(None)
        if separator and self._is_plain(at):
            heads = lines
            if separator in text:
                heads = [line.partition(separator)[0] for line in lines]
        else:
            rows = split = self._split_fields(lines, separator)
            heads = [fields[at] if at < len(fields) else "" for fields in split]
        keys = [head.translate(ASCII_UPPER) for head in heads] if self._ignores_case else heads
        return keys, heads, rows

    def _other_fields(self, i: int, row: Row) -> str:
        """The fields behind the one that counts, as they are printed."""
        fields = row[FIELDS]
        if fields is None:
            return row[LINE][len(row[HEAD]) :]
        at = self.fields[i]
        others = [*fields[:at], *fields[at + 1 :]]
        if self._empty:
            others = [text or self._empty for text in others]
        return self._gap + self._gap.join(others) if others else ""

    def _output_line(self, old: Row | None, new: Row | None) -> str:
        """A pair as it is printed, or what stands for one."""
        first = old or new
        assert first is not None
        if not self.output_format:
            behind = self._other_fields(0, old) if old else ""
            if new:
                behind += self._other_fields(1, new)
            return (first[HEAD] or self._empty) + behind + self.end
        pieces, rows = [], (old, new)
        for file, at in self.output_format:
            row = rows[file]
            if file < 0:
                text = first[HEAD]
            else:
                fields = row[FIELDS] if row else None
                text = fields[at] if fields and at < len(fields) else ""
            pieces.append(text or self._empty)
        return self._gap.join(pieces) + self.end
