"""The search through one input, chunk by chunk: which lines are selected, and what surrounds them.

A chunk is whole lines. Where lines are printed as they are, a chunk is not even cut into lines if
that is quicker; and where nothing in it is selected, it is only counted.
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

    Shown = str | LineBlock | dict[str, Any]


class FileSearch:
    """One input; `selected` counts its lines, as far as it matters how many there are."""

    __slots__ = (
        "_has_gap", "_has_hidden", "_previous_lines", "_is_binary", "_is_dense", "_is_over", "_unread", "_number",
        "_offset", "_pending_after", "_last_chunk", "_report", "_rules", "_sh", "_selected_end", "selected",
    )  # fmt: skip

    def __init__(self, sh: Call, rules: GrepOptions, report: GrepReport) -> None:
        self._sh, self._rules, self._report = sh, rules, report
        self.selected = 0
        self._is_binary = self._is_over = False
        self._is_dense = False  # whether many lines of the last chunk had a match
        self._has_hidden = False  # whether something was selected that is nothing to look at
        self._number, self._offset = 1, 0  # of the first line that is not dealt with
        self._previous_lines: list[
            str
        ] = []  # lines of the last chunk that may stand before a selected one
        self._pending_after = 0  # lines behind a selected one that are still to be printed
        self._last_chunk = ""  # the chunk that was read last
        self._selected_end = 0  # lines of the chunk at hand up to the last that -m lets be selected
        self._unread: list[str] = []  # what was looked at behind that one
        # Whether what was printed last is not the line before.
        self._has_gap = report.has_printed

    def output(self, chunks: Iterable[str]) -> Iterator[Shown]:
        """What is printed of the input, its name or count at the end."""
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
        if self._rules.end == "\n":
            return whole_lines(self.watch_for_nul(chunks))
        return batch_lines(lines(chunks, self._rules.end))

    @property
    def unread_text(self) -> str:
        """What has been read behind the last line that -m lets be selected, for the next reader."""
        rules = self._rules
        if not self._unread or rules.end != "\n" or rules.lists or rules.is_quiet:
            return ""
        return "".join(self._unread) + self._last_chunk[self._last_chunk.rfind("\n") + 1 :]

    def keep_unread(self, chunk: str) -> None:
        """Keep what stands behind the last line of a chunk that -m lets be selected."""
        text = chunk.replace("\0", "\n") if self._is_binary else chunk
        at = 0
        for _ in range(self._selected_end):
            at = text.find("\n", at) + 1 or len(text)
        self._unread.append(chunk[at:])
        self._selected_end = 0
        if not chunk.endswith("\n"):  # it is the last one, and all that has been read
            self._last_chunk = ""

    def watch_for_nul(self, chunks: Iterable[str]) -> Iterator[str]:
        """The chunks as they are read: one with a NUL makes the file a binary one."""
        for chunk in chunks:
            self._last_chunk = chunk
            if "\0" in chunk and self._rules.binary != "text":
                self._is_binary = True
            yield chunk

    def chunk_output(self, text: str) -> Iterator[Shown]:
        """What is printed of one chunk; sets `_is_over` when no more is to be read."""
        rules = self._rules
        if self._is_binary:
            text = text.replace("\0", "\n")  # as GNU's, for whom a line has no NUL
        if not text.endswith(rules.end):
            text += rules.end
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
        """Count the selected lines, as far as it matters how many there are."""
        rules = self._rules
        block = self.octet_block(text)[0] if rules.reads_octets else self.text_block(text)
        if block is not None and rules.max_count < 0:
            found = block.count()
            self.selected += text.count("\n") - found if rules.inverts else found
        else:
            self.selected += len(self.selected_indices(self.split_lines(text), block))
        if self.selected == rules.max_count:
            self._is_over = True
        elif rules.is_quiet or rules.lists or rules.prints_lines:
            self._is_over = self.selected > 0

    def octet_block(self, octets: str) -> tuple[LineSearch, bool]:
        """What knows the matches of a chunk in octets, and whether it looks at these themselves."""
        tester, is_ascii = self._rules.regex.tester, octets.isascii()
        needles = None if is_ascii else tester.needles_in(octets)
        # Where few lines have a needle that does not tell all, the text is searched as a whole.
        is_same = is_ascii or (needles is not None and (needles.is_exact or self._is_dense))
        text = octets if is_same else text_of_octets(octets)
        return LineSearch(
            self._rules.regex,
            text,
            self._sh.tick,
            is_dense=self._is_dense,
            is_octets=is_same and not is_ascii,
        ), is_same

    def plain_output(self, octets: str) -> Iterator[Shown]:
        """The selected lines of a chunk in octets, as they are."""
        rules, hides = self._rules, self.hides_invalid_utf8 and not octets.isascii()
        block, is_same = self.octet_block(octets)
        keeps = not rules.inverts
        if block.needles_decide and is_same and keeps and not hides:
            if not block.has_no_match:
                self.selected += 1
                yield MatchedLines(block)
                self._is_dense = block.is_dense
            return
        made = block.select_chunk(keeps=keeps)
        self._is_dense = block.is_dense
        if not made:
            return
        text = made if isinstance(made, str) else "\n".join([*made, ""])
        if hides and not is_valid_utf8(text, in_octets=is_same):
            yield from self.line_by_line(text_of_octets(octets))
            return
        self.selected += 1
        yield LineBlock(made) if is_same else text

    def match_output(self, text: str) -> Iterator[Shown]:
        """The matches as they are; where `re` can find them all, those of a chunk at once."""
        rules = self._rules
        native = None if rules.inverts else rules.regex.native(text, by_line=True)
        if native is None or rules.regex.is_nullable:
            yield from self.line_by_line(text)
            return
        found = native.finditer(text)
        if rules.shows_path or rules.shows_number:
            made = self._report.match_lines(found, text, self._number)
            self._number += text.count("\n") if rules.shows_number else 0
        else:
            made = [match.group() for match in found]
        if made:
            self.selected += 1
            made.append("")
            yield "\n".join(made)

    # ------------------------------------------------------------ in lines

    def split_lines(self, text: str) -> list[str]:
        """The lines of a chunk."""
        found = text.split(self._rules.end)
        found.pop()
        return found

    def skip_unmatched(self, text: str, block: LineSearch | None) -> bool:
        """Whether it is plain to see that nothing is printed of a chunk; then it is dealt with."""
        rules = self._rules
        if self._pending_after or rules.inverts or block is None or not block.has_no_match:
            return False
        at = len(text)  # where the lines begin that may stand before a selected one
        for _ in range(rules.before):
            if at == 0:
                return False
            at = text.rfind("\n", 0, at - 1) + 1
        self.advance_past(self._previous_lines)
        self._number += text.count("\n", 0, at)
        if rules.shows_offset:
            self._offset += byte_length(text[:at])
        self._has_gap = self._has_gap or at > 0 or bool(self._previous_lines)
        self._previous_lines = self.split_lines(text[at:]) if rules.before else []
        return True

    def text_block(self, text: str) -> LineSearch | None:
        """What knows the matches of a chunk, where newlines end lines."""
        rules = self._rules
        return LineSearch(rules.regex, text, self._sh.tick) if rules.end == "\n" else None

    def line_flags(self, lines: list[str], block: LineSearch | None) -> Sequence[object]:
        """What is true of each line that is selected."""
        rules = self._rules
        if block is not None:
            found = block.flags(lines)
        else:
            found = [rules.regex.is_in(line, self._sh.tick) for line in lines]
        return list(map(not_, found)) if rules.inverts else found

    def selected_indices(self, lines: list[str], block: LineSearch | None) -> list[int]:
        """Which lines are selected, by their place in the chunk, as many as may be."""
        found = list(compress(range(len(lines)), self.line_flags(lines, block)))
        most = self._rules.max_count
        if most < 0:
            return found
        del found[most - self.selected :]
        if found:
            self._selected_end = found[-1] + 1
        return found

    def line_by_line(self, text: str, *, in_octets: bool = False) -> Iterator[Shown]:
        """The selected lines with what stands before them, or their matches."""
        rules = self._rules
        block, is_same = self.octet_block(text) if in_octets else (self.text_block(text), False)
        if in_octets and not is_same:
            text = text_of_octets(text)
        if self.skip_unmatched(text, block):
            return
        lines = self.split_lines(text)
        chosen = self.selected_indices(lines, block)
        if chosen:
            self.selected += len(chosen)
            starts = self.line_offsets(lines) if rules.shows_offset else None
            made = self._report.plain_lines(lines, chosen, self._number, starts, in_octets=is_same)
            if made is None or (
                self.hides_invalid_utf8 and not is_valid_utf8(made, in_octets=is_same)
            ):
                shown = list(map(text_of_octets, lines)) if is_same else lines
                yield from self.marked_lines(shown, chosen, chosen, starts)
            else:
                yield LineBlock(made) if is_same else made
            self._is_over = self.selected == rules.max_count
        self.advance_past(lines)

    @property
    def hides_invalid_utf8(self) -> bool:
        """Whether lines with bytes that are no UTF-8 are not printed."""
        return self._rules.binary != "text" and not self._rules.only_matching

    def marked_lines(
        self,
        lines: list[str],
        wanted: Sequence[int],
        chosen: Container[int],
        starts: list[int] | None,
    ) -> Iterator[Shown]:
        """Some lines of the chunk, marked as selected or not."""
        for place in wanted:
            line = lines[place]
            if self.hides_invalid_utf8 and not is_valid_utf8(line):
                self._has_hidden = True
                continue
            mark = ":" if wanted is chosen or place in chosen else "-"
            offset = starts[place] if starts is not None else 0
            yield from self._report.line_output(line, mark, self._number + place, offset)

    def line_offsets(self, lines: list[str]) -> list[int]:
        """How many bytes stand before each line, and before what follows the last."""
        sizes = [len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines]
        return list(accumulate(sizes, initial=self._offset))

    def advance_past(self, lines: list[str]) -> None:
        """Count the lines, and their bytes, that are dealt with."""
        self._number += len(lines)
        if self._rules.shows_offset:
            self._offset += byte_length("".join(lines)) + len(lines)

    # ------------------------------------------------------------ lines around

    def context_output(self, text: str) -> Iterator[Shown]:
        """The selected lines and those around them."""
        rules, report = self._rules, self._report
        block = self.text_block(text)
        if self.skip_unmatched(text, block):
            return
        fresh = self.split_lines(text)
        chosen = self.selected_indices(fresh, block)
        self.selected += len(chosen)
        held = len(self._previous_lines)
        lines = self._previous_lines + fresh
        chosen = [place + held for place in chosen] if held else chosen
        groups = list(self.context_groups(chosen, len(lines)))
        if groups:
            starts = self.line_offsets(lines) if rules.shows_offset else None
            made = report.context_lines(lines, groups, set(chosen), self._number, starts)
            if made is not None and not (self.hides_invalid_utf8 and not is_valid_utf8(made)):
                report.has_printed = True
                yield made
            else:
                yield from self.group_output(lines, groups, set(chosen), starts)
        end = groups[-1][1] if groups else 0
        self._is_over = self.selected == rules.max_count and not self._pending_after
        first = max(end, len(lines) - rules.before)
        self._has_gap = first > end or (self._has_gap and not end)
        self.advance_past(lines[:first])
        self._previous_lines = lines[first:]

    def group_output(
        self, lines: list[str], groups: list[Group], chosen: set[int], starts: list[int] | None
    ) -> Iterator[Shown]:
        """The lines of some groups one by one, with what stands between groups."""
        for start, stop, is_new in groups:
            if is_new and self._report.has_printed:
                yield self._report.separator_line
            self._report.has_printed = True
            yield from self.marked_lines(lines, range(start, stop), chosen, starts)

    def context_groups(self, chosen: list[int], count: int) -> Iterator[Group]:
        """The runs of lines to print, and whether each stands apart from what was printed before.

        What is pending of the last chunk is the first of them.
        """
        before, behind = self._rules.before, self._rules.after + 1
        start, stop, is_new = 0, -1 if self._has_gap else self._pending_after, False
        for place in chosen:
            first = max(place - before, 0)
            if first > stop:
                if stop > start:
                    yield start, stop, is_new
                start, is_new = first, True
            stop = place + behind
        if stop > start:
            yield start, min(stop, count), is_new
        self._pending_after = max(stop - count, 0)


def join_texts(found: Iterator[Shown]) -> Iterator[Shown]:
    """Texts that follow each other as one; rows stay rows."""
    held: list[str] = []
    for one in found:
        if isinstance(one, str):
            held.append(one)
        else:
            yield one
    if held:
        yield "".join(held)
