"""Search one input, chunk by chunk, for selected lines and their context.

A chunk consists of whole lines. It is not split into lines if they are printed unchanged and that
is faster; if nothing in it is selected, only its lines are counted.
"""

from __future__ import annotations

from itertools import accumulate, compress
from operator import not_

from keysh.text.chunks import LineBlock, batch_lines, lines, text_of_octets, whole_lines
from keysh.text.regex.native.line_search import LineSearch
from keysh.tools.grep.report import byte_length, is_valid_utf8
from keysh.tools.grep.selection import MatchedLines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.grep.report import GrepReport, Group
    from keysh.tools.grep.rules import GrepOptions

    Output = str | LineBlock | dict[str, Any]


class FileSearch:
    """The search of one input; `selected` counts lines, but only as far as the count matters."""

    __slots__ = (
        "_has_gap", "_has_hidden", "_is_binary", "_is_dense", "_is_over", "_last_chunk",
        "_number", "_offset", "_pending_after", "_previous_lines", "_report", "_rules",
        "_selected_end", "_sh", "_unread", "selected",
    )  # fmt: skip

    def __init__(self, sh: Call, rules: GrepOptions, report: GrepReport) -> None:
        self._sh, self._rules, self._report = sh, rules, report
        self.selected = 0
        self._is_binary = self._is_over = False
        self._is_dense = False  # whether many lines of the last chunk matched
        self._has_hidden = False  # whether selected lines were not printed because they are binary
        self._number, self._offset = 1, 0  # of the first line not yet processed
        self._previous_lines: list[str] = []  # lines of the last chunk that may become context
        self._pending_after = 0  # context lines still to print after a selected line
        self._last_chunk = ""  # the chunk read last
        self._selected_end = 0  # lines of the current chunk up to the last one that -m allows
        self._unread: list[str] = []  # the text searched after that line
        # Whether the line before the next one was not printed.
        self._has_gap = report.has_printed

    def output(self, chunks: Iterable[str]) -> Iterator[Output]:
        """Yield the output for the input; its name or count comes last."""
        rules = self._rules
        for chunk in self.split_chunks(chunks):
            if self._is_binary and rules.binary == "without-match":
                break
            yield from join_texts(self.chunk_output(chunk))
            if self.selected == rules.max_count:
                self.keep_unread(chunk)
            if self._is_over:
                break
        if self._has_hidden and rules.binary == "binary":
            self._report.report_binary()
        if rules.counts and not rules.lists and not rules.is_quiet:
            yield self._report.count_line(self.selected)
        if rules.lists and not rules.is_quiet and bool(self.selected) == (rules.lists == "with"):
            yield self._report.name_line()

    def split_chunks(self, chunks: Iterable[str]) -> Iterator[str]:
        if self._rules.line_end == "\n":
            return whole_lines(self.watch_for_nul(chunks), self._sh.check_size)
        return batch_lines(lines(chunks, self._sh.check_size, self._rules.line_end))

    @property
    def unread_text(self) -> str:
        """The text read after the last line that -m allows, for the next reader."""
        rules = self._rules
        if not self._unread or rules.line_end != "\n" or rules.lists or rules.is_quiet:
            return ""
        return "".join(self._unread) + self._last_chunk[self._last_chunk.rfind("\n") + 1 :]

    def keep_unread(self, chunk: str) -> None:
        """Keep the text after the last line of a chunk that -m allows."""
        text = chunk.replace("\0", "\n") if self._is_binary else chunk
        offset = 0
        for _ in range(self._selected_end):
            offset = text.find("\n", offset) + 1 or len(text)
        self._unread.append(chunk[offset:])
        self._selected_end = 0
        if not chunk.endswith("\n"):  # it is the last chunk, so nothing else was read
            self._last_chunk = ""

    def watch_for_nul(self, chunks: Iterable[str]) -> Iterator[str]:
        """Yield the chunks; one that contains NUL makes the file binary."""
        for chunk in chunks:
            self._last_chunk = chunk
            if "\0" in chunk and self._rules.binary != "text":
                self._is_binary = True
            yield chunk

    def chunk_output(self, text: str) -> Iterator[Output]:
        """Yield the output for one chunk; sets `_is_over` if the rest need not be read."""
        rules = self._rules
        if self._is_binary:
            text = text.replace("\0", "\n")  # like GNU grep, in which a line contains no NUL
        if not text.endswith(rules.line_end):
            text += rules.line_end
        if self._is_binary or not rules.prints_lines:
            self.count_selected(text)
            self._has_hidden = self.selected > 0 and self._is_binary and rules.prints_lines
            self._report.has_printed = self._report.has_printed or self._has_hidden
        elif rules.has_context:
            yield from self.context_output(text)
        elif rules.prints_plainly:
            yield from self.plain_output(text)
        elif rules.only_matching and rules.prints_simply:
            yield from self.match_output(text)
        else:
            yield from self.line_by_line(text, in_octets=rules.reads_octets)

    def count_selected(self, text: str) -> None:
        """Count the selected lines, as far as the count matters."""
        rules = self._rules
        block = self.octet_block(text)[0] if rules.reads_octets else self.text_block(text)
        if block is not None and rules.max_count < 0:
            matched = block.count()
            self.selected += text.count("\n") - matched if rules.inverts else matched
        else:
            self.selected += len(self.selected_indices(self.split_lines(text), block))
        if self.selected == rules.max_count:
            self._is_over = True
        elif rules.is_quiet or rules.lists or rules.prints_lines:
            self._is_over = self.selected > 0

    def octet_block(self, octets: str) -> tuple[LineSearch, bool]:
        """Return a Block for a chunk of octets, and whether it searches them undecoded."""
        tester, is_ascii = self._rules.regex.tester, octets.isascii()
        needles = None if is_ascii else tester.needles_in(octets)
        # If needles are inexact and few lines matched, searching the decoded text is faster.
        is_same = is_ascii or (needles is not None and (needles.is_exact or self._is_dense))
        text = octets if is_same else text_of_octets(octets)
        return LineSearch(
            self._rules.regex,
            text,
            self._sh.tick,
            is_dense=self._is_dense,
            is_octets=is_same and not is_ascii,
        ), is_same

    def plain_output(self, octets: str) -> Iterator[Output]:
        """Yield the selected lines of a chunk of octets, unchanged."""
        rules, hides_invalid = self._rules, self.hides_invalid_utf8 and not octets.isascii()
        block, is_same = self.octet_block(octets)
        keeps = not rules.inverts
        if block.needles_decide and is_same and keeps and not hides_invalid:
            if not block.has_no_match:
                self.selected += 1
                yield MatchedLines(block)
                self._is_dense = block.is_dense
            return
        output = block.select_chunk(keeps=keeps)
        self._is_dense = block.is_dense
        if not output:
            return
        text = output if isinstance(output, str) else "\n".join([*output, ""])
        if hides_invalid and not is_valid_utf8(text, in_octets=is_same):
            yield from self.line_by_line(text_of_octets(octets))
            return
        self.selected += 1
        yield LineBlock(output) if is_same else text

    def match_output(self, text: str) -> Iterator[Output]:
        """Yield the matches, all of a chunk at once if `re` can find them."""
        rules = self._rules
        native = None if rules.inverts else rules.regex.native(text, by_line=True)
        if native is None or rules.regex.is_nullable:
            yield from self.line_by_line(text)
            return
        matches = native.finditer(text)
        if rules.shows_path or rules.shows_number:
            output = self._report.match_lines(matches, text, self._number)
            self._number += text.count("\n") if rules.shows_number else 0
        else:
            output = [match.group() for match in matches]
        if output:
            self.selected += 1
            output.append("")
            yield "\n".join(output)

    # ------------------------------------------------------------ lines

    def split_lines(self, text: str) -> list[str]:
        """Split a chunk into lines."""
        pieces = text.split(self._rules.line_end)
        pieces.pop()
        return pieces

    def skip_unmatched(self, text: str, block: LineSearch | None) -> bool:
        """Skip a chunk if a quick check finds no match; returns whether it was skipped."""
        rules = self._rules
        if self._pending_after or rules.inverts or block is None or not block.has_no_match:
            return False
        offset = len(text)  # where the lines begin that may become context
        for _ in range(rules.before):
            if offset == 0:
                return False
            offset = text.rfind("\n", 0, offset - 1) + 1
        self.advance_past(self._previous_lines)
        self._number += text.count("\n", 0, offset)
        if rules.shows_offset:
            self._offset += byte_length(text[:offset])
        self._has_gap = self._has_gap or offset > 0 or bool(self._previous_lines)
        self._previous_lines = self.split_lines(text[offset:]) if rules.before else []
        return True

    def text_block(self, text: str) -> LineSearch | None:
        """Return a Block for a chunk; None if lines do not end with newlines."""
        rules = self._rules
        return LineSearch(rules.regex, text, self._sh.tick) if rules.line_end == "\n" else None

    def line_flags(self, lines: list[str], block: LineSearch | None) -> Sequence[object]:
        """Return a flag for each line, true if it is selected."""
        rules = self._rules
        if block is not None:
            flags = block.flags(lines)
        else:
            flags = [rules.regex.is_in(line, self._sh.tick) for line in lines]
        return list(map(not_, flags)) if rules.inverts else flags

    def selected_indices(self, lines: list[str], block: LineSearch | None) -> list[int]:
        """Return the indices of the selected lines, no more than -m allows."""
        selected = list(compress(range(len(lines)), self.line_flags(lines, block)))
        limit = self._rules.max_count
        if limit < 0:
            return selected
        del selected[limit - self.selected :]
        if selected:
            self._selected_end = selected[-1] + 1
        return selected

    def line_by_line(self, text: str, *, in_octets: bool = False) -> Iterator[Output]:
        """Yield the selected lines with their prefixes, or their matches."""
        rules = self._rules
        block, is_same = self.octet_block(text) if in_octets else (self.text_block(text), False)
        if in_octets and not is_same:
            text = text_of_octets(text)
        if self.skip_unmatched(text, block):
            return
        lines = self.split_lines(text)
        selected = self.selected_indices(lines, block)
        if selected:
            self.selected += len(selected)
            starts = self.line_offsets(lines) if rules.shows_offset else None
            output = self._report.plain_lines(
                lines, selected, self._number, starts, in_octets=is_same
            )
            if output is None or (
                self.hides_invalid_utf8 and not is_valid_utf8(output, in_octets=is_same)
            ):
                decoded = list(map(text_of_octets, lines)) if is_same else lines
                yield from self.marked_lines(decoded, selected, selected, starts)
            else:
                yield LineBlock(output) if is_same else output
            self._is_over = self.selected == rules.max_count
        self.advance_past(lines)

    @property
    def hides_invalid_utf8(self) -> bool:
        """Whether lines with invalid UTF-8 are not printed."""
        return self._rules.binary != "text" and not self._rules.only_matching

    def marked_lines(
        self,
        lines: list[str],
        indices: Sequence[int],
        selected: Container[int],
        starts: list[int] | None,
    ) -> Iterator[Output]:
        """Yield the output for some lines of the chunk, marked as selected or as context."""
        for index in indices:
            line = lines[index]
            if self.hides_invalid_utf8 and not is_valid_utf8(line):
                self._has_hidden = True
                continue
            mark = ":" if indices is selected or index in selected else "-"
            offset = starts[index] if starts is not None else 0
            yield from self._report.line_output(line, mark, self._number + index, offset)

    def line_offsets(self, lines: list[str]) -> list[int]:
        """Return the byte offset of each line, and of the end of the last one."""
        sizes = [len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines]
        return list(accumulate(sizes, initial=self._offset))

    def advance_past(self, lines: list[str]) -> None:
        """Advance the line number and the byte offset past some lines."""
        self._number += len(lines)
        if self._rules.shows_offset:
            self._offset += byte_length("".join(lines)) + len(lines)

    # ------------------------------------------------------------ context

    def context_output(self, text: str) -> Iterator[Output]:
        """Yield the selected lines and their context."""
        rules, report = self._rules, self._report
        block = self.text_block(text)
        if self.skip_unmatched(text, block):
            return
        fresh = self.split_lines(text)
        selected = self.selected_indices(fresh, block)
        self.selected += len(selected)
        context_count = len(self._previous_lines)
        lines = self._previous_lines + fresh
        selected = [index + context_count for index in selected] if context_count else selected
        groups = list(self.context_groups(selected, len(lines)))
        if groups:
            starts = self.line_offsets(lines) if rules.shows_offset else None
            output = report.context_lines(lines, groups, set(selected), self._number, starts)
            if output is not None and not (self.hides_invalid_utf8 and not is_valid_utf8(output)):
                report.has_printed = True
                yield output
            else:
                yield from self.group_output(lines, groups, set(selected), starts)
        end = groups[-1][1] if groups else 0
        self._is_over = self.selected == rules.max_count and not self._pending_after
        first = max(end, len(lines) - rules.before)
        self._has_gap = first > end or (self._has_gap and not end)
        self.advance_past(lines[:first])
        self._previous_lines = lines[first:]

    def group_output(
        self, lines: list[str], groups: list[Group], selected: set[int], starts: list[int] | None
    ) -> Iterator[Output]:
        """Yield the lines of groups one by one, with separators between the groups."""
        for start, stop, is_new in groups:
            if is_new and self._report.has_printed:
                yield self._report.separator_line
            self._report.has_printed = True
            yield from self.marked_lines(lines, range(start, stop), selected, starts)

    def context_groups(self, selected: list[int], count: int) -> Iterator[Group]:
        """Yield the runs of lines to print, and whether each needs a separator before it.

        Context that is pending from the last chunk is part of the first one.
        """
        before, behind = self._rules.before, self._rules.after + 1
        start, stop, is_new = 0, -1 if self._has_gap else self._pending_after, False
        for index in selected:
            first = max(index - before, 0)
            if first > stop:
                if stop > start:
                    yield start, stop, is_new
                start, is_new = first, True
            stop = index + behind
        if stop > start:
            yield start, min(stop, count), is_new
        self._pending_after = max(stop - count, 0)


def join_texts(outputs: Iterator[Output]) -> Iterator[Output]:
    """Join the texts; rows stay rows."""
    texts: list[str] = []
    for output in outputs:
        if isinstance(output, str):
            texts.append(output)
        else:
            yield output
    if texts:
        yield "".join(texts)
