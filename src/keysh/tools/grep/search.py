"""The search through one input, chunk by chunk: which lines are selected, and what surrounds them.

A chunk is whole lines. Where lines are printed as they are, a chunk is not even cut into lines if
that is quicker; and where nothing in it is selected, it is only counted.
"""

from __future__ import annotations

from itertools import accumulate, compress
from operator import not_

from keysh.text.chunks import Sheaf, batches, from_octets, lines, whole_lines
from keysh.text.regex.native.line_search import Block
from keysh.tools.grep.report import bytes_of, is_clean
from keysh.tools.grep.selection import Selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.grep.report import Group, Report
    from keysh.tools.grep.rules import Rules

    Shown = str | Sheaf | dict[str, Any]


class Search:
    """One input; `selected` counts its lines, as far as it matters how many there are."""

    __slots__ = (
        "_gap", "_has_hidden", "_held", "_is_binary", "_is_dense", "_is_over", "_left", "_number",
        "_offset", "_pending", "_read", "_report", "_rules", "_sh", "_stop", "selected",
    )  # fmt: skip

    def __init__(self, sh: Call, rules: Rules, report: Report) -> None:
        self._sh, self._rules, self._report = sh, rules, report
        self.selected = 0
        self._is_binary = self._is_over = False
        self._is_dense = False  # whether many lines of the last chunk had a match
        self._has_hidden = False  # whether something was selected that is nothing to look at
        self._number, self._offset = 1, 0  # of the first line that is not dealt with
        self._held: list[str] = []  # lines of the last chunk that may stand before a selected one
        self._pending = 0  # lines behind a selected one that are still to be printed
        self._read = ""  # the chunk that was read last
        self._stop = 0  # lines of the chunk at hand up to the last that -m lets be selected
        self._left: list[str] = []  # what was looked at behind that one
        # Whether what was printed last is not the line before.
        self._gap = report.has_printed

    def shown(self, chunks: Iterable[str]) -> Iterator[Shown]:
        """What is printed of the input, its name or count at the end."""
        rules = self._rules
        for chunk in self.chunked(chunks):
            if self._is_binary and rules.binary == "without-match":
                break
            yield from joined(self.chunk(chunk))
            if self.selected == rules.most:
                self.leave(chunk)
            if self._is_over:
                break
        if self._has_hidden and rules.binary == "binary":
            self._report.tell_binary()
        if rules.counts and not rules.lists and not rules.is_quiet:
            yield self._report.count(self.selected)
        if rules.lists and not rules.is_quiet and bool(self.selected) == (rules.lists == "with"):
            yield self._report.name()

    def chunked(self, chunks: Iterable[str]) -> Iterator[str]:
        if self._rules.end == "\n":
            return whole_lines(self.watched(chunks))
        return batches(lines(chunks, self._rules.end))

    @property
    def unused(self) -> str:
        """What has been read behind the last line that -m lets be selected, for the next reader."""
        rules = self._rules
        if not self._left or rules.end != "\n" or rules.lists or rules.is_quiet:
            return ""
        return "".join(self._left) + self._read[self._read.rfind("\n") + 1 :]

    def leave(self, chunk: str) -> None:
        """Keep what stands behind the last line of a chunk that -m lets be selected."""
        text = chunk.replace("\0", "\n") if self._is_binary else chunk
        at = 0
        for _ in range(self._stop):
            at = text.find("\n", at) + 1 or len(text)
        self._left.append(chunk[at:])
        self._stop = 0
        if not chunk.endswith("\n"):  # it is the last one, and all that has been read
            self._read = ""

    def watched(self, chunks: Iterable[str]) -> Iterator[str]:
        """The chunks as they are read: one with a NUL makes the file a binary one."""
        for chunk in chunks:
            self._read = chunk
            if "\0" in chunk and self._rules.binary != "text":
                self._is_binary = True
            yield chunk

    def chunk(self, text: str) -> Iterator[Shown]:
        """What is printed of one chunk; sets `_is_over` when no more is to be read."""
        rules = self._rules
        if self._is_binary:
            text = text.replace("\0", "\n")  # as GNU's, for whom a line has no NUL
        if not text.endswith(rules.end):
            text += rules.end
        if self._is_binary or not rules.prints_lines:
            self.count(text)
            self._has_hidden = self.selected > 0 and self._is_binary and rules.prints_lines
            self._report.has_printed = self._report.has_printed or self._has_hidden
        elif rules.has_context:
            yield from self.with_context(text)
        elif rules.prints_plainly:
            yield from self.whole(text)
        elif rules.only_matching and rules.prints_simply:
            yield from self.matches(text)
        else:
            yield from self.line_by_line(text, in_octets=rules.reads_octets)

    def count(self, text: str) -> None:
        """Count the selected lines, as far as it matters how many there are."""
        rules = self._rules
        block = self.block_of(text)[0] if rules.reads_octets else self.block(text)
        if block is not None and rules.most < 0:
            found = block.count()
            self.selected += text.count("\n") - found if rules.inverts else found
        else:
            self.selected += len(self.chosen(self.cut(text), block))
        if self.selected == rules.most:
            self._is_over = True
        elif rules.is_quiet or rules.lists or rules.prints_lines:
            self._is_over = self.selected > 0

    def block_of(self, octets: str) -> tuple[Block, bool]:
        """What knows the matches of a chunk in octets, and whether it looks at these themselves."""
        tester, is_ascii = self._rules.regex.tester, octets.isascii()
        needles = None if is_ascii else tester.needles_in(octets)
        # Where few lines have a needle that does not tell all, the text is searched as a whole.
        is_same = is_ascii or (needles is not None and (needles.is_exact or self._is_dense))
        text = octets if is_same else from_octets(octets)
        return Block(
            self._rules.regex,
            text,
            self._sh.tick,
            is_dense=self._is_dense,
            is_octets=is_same and not is_ascii,
        ), is_same

    def whole(self, octets: str) -> Iterator[Shown]:
        """The selected lines of a chunk in octets, as they are."""
        rules, hides = self._rules, self.hides and not octets.isascii()
        block, is_same = self.block_of(octets)
        keeps = not rules.inverts
        if block.is_told and is_same and keeps and not hides:
            if not block.has_none:
                self.selected += 1
                yield Selection(block)
                self._is_dense = block.is_dense
            return
        made = block.found(keeps=keeps)
        self._is_dense = block.is_dense
        if not made:
            return
        text = made if isinstance(made, str) else "\n".join([*made, ""])
        if hides and not is_clean(text, in_octets=is_same):
            yield from self.line_by_line(from_octets(octets))
            return
        self.selected += 1
        yield Sheaf(made) if is_same else text

    def matches(self, text: str) -> Iterator[Shown]:
        """The matches as they are; where `re` can find them all, those of a chunk at once."""
        rules = self._rules
        native = None if rules.inverts else rules.regex.native(text, by_line=True)
        if native is None or rules.regex.is_nullable:
            yield from self.line_by_line(text)
            return
        found = native.finditer(text)
        if rules.heads or rules.numbers:
            made = self._report.headed(found, text, self._number)
            self._number += text.count("\n") if rules.numbers else 0
        else:
            made = [match.group() for match in found]
        if made:
            self.selected += 1
            made.append("")
            yield "\n".join(made)

    # ------------------------------------------------------------ in lines

    def cut(self, text: str) -> list[str]:
        """The lines of a chunk."""
        found = text.split(self._rules.end)
        found.pop()
        return found

    def passes_over(self, text: str, block: Block | None) -> bool:
        """Whether it is plain to see that nothing is printed of a chunk; then it is dealt with."""
        rules = self._rules
        if self._pending or rules.inverts or block is None or not block.has_none:
            return False
        at = len(text)  # where the lines begin that may stand before a selected one
        for _ in range(rules.before):
            if at == 0:
                return False
            at = text.rfind("\n", 0, at - 1) + 1
        self.pass_by(self._held)
        self._number += text.count("\n", 0, at)
        if rules.offsets:
            self._offset += bytes_of(text[:at])
        self._gap = self._gap or at > 0 or bool(self._held)
        self._held = self.cut(text[at:]) if rules.before else []
        return True

    def block(self, text: str) -> Block | None:
        """What knows the matches of a chunk, where newlines end lines."""
        rules = self._rules
        return Block(rules.regex, text, self._sh.tick) if rules.end == "\n" else None

    def flags(self, lines: list[str], block: Block | None) -> Sequence[object]:
        """What is true of each line that is selected."""
        rules = self._rules
        if block is not None:
            found = block.flags(lines)
        else:
            found = [rules.regex.is_in(line, self._sh.tick) for line in lines]
        return list(map(not_, found)) if rules.inverts else found

    def chosen(self, lines: list[str], block: Block | None) -> list[int]:
        """Which lines are selected, by their place in the chunk, as many as may be."""
        found = list(compress(range(len(lines)), self.flags(lines, block)))
        most = self._rules.most
        if most < 0:
            return found
        del found[most - self.selected :]
        if found:
            self._stop = found[-1] + 1
        return found

    def line_by_line(self, text: str, *, in_octets: bool = False) -> Iterator[Shown]:
        """The selected lines with what stands before them, or their matches."""
        rules = self._rules
        block, is_same = self.block_of(text) if in_octets else (self.block(text), False)
        if in_octets and not is_same:
            text = from_octets(text)
        if self.passes_over(text, block):
            return
        lines = self.cut(text)
        chosen = self.chosen(lines, block)
        if chosen:
            self.selected += len(chosen)
            starts = self.starts(lines) if rules.offsets else None
            made = self._report.simply(lines, chosen, self._number, starts, in_octets=is_same)
            if made is None or (self.hides and not is_clean(made, in_octets=is_same)):
                shown = list(map(from_octets, lines)) if is_same else lines
                yield from self.one_by_one(shown, chosen, chosen, starts)
            else:
                yield Sheaf(made) if is_same else made
            self._is_over = self.selected == rules.most
        self.pass_by(lines)

    @property
    def hides(self) -> bool:
        """Whether lines with bytes that are no UTF-8 are not printed."""
        return self._rules.binary != "text" and not self._rules.only_matching

    def one_by_one(
        self,
        lines: list[str],
        wanted: Sequence[int],
        chosen: Container[int],
        starts: list[int] | None,
    ) -> Iterator[Shown]:
        """Some lines of the chunk, marked as selected or not."""
        for place in wanted:
            line = lines[place]
            if self.hides and not is_clean(line):
                self._has_hidden = True
                continue
            mark = ":" if wanted is chosen or place in chosen else "-"
            offset = starts[place] if starts is not None else 0
            yield from self._report.line(line, mark, self._number + place, offset)

    def starts(self, lines: list[str]) -> list[int]:
        """How many bytes stand before each line, and before what follows the last."""
        sizes = [len(line.encode("utf-8", "surrogateescape")) + 1 for line in lines]
        return list(accumulate(sizes, initial=self._offset))

    def pass_by(self, lines: list[str]) -> None:
        """Count the lines, and their bytes, that are dealt with."""
        self._number += len(lines)
        if self._rules.offsets:
            self._offset += bytes_of("".join(lines)) + len(lines)

    # ------------------------------------------------------------ lines around

    def with_context(self, text: str) -> Iterator[Shown]:
        """The selected lines and those around them."""
        rules, report = self._rules, self._report
        block = self.block(text)
        if self.passes_over(text, block):
            return
        fresh = self.cut(text)
        chosen = self.chosen(fresh, block)
        self.selected += len(chosen)
        held = len(self._held)
        lines = self._held + fresh
        chosen = [place + held for place in chosen] if held else chosen
        groups = list(self.groups(chosen, len(lines)))
        if groups:
            starts = self.starts(lines) if rules.offsets else None
            made = report.around(lines, groups, set(chosen), self._number, starts)
            if made is not None and not (self.hides and not is_clean(made)):
                report.has_printed = True
                yield made
            else:
                yield from self.apart(lines, groups, set(chosen), starts)
        end = groups[-1][1] if groups else 0
        self._is_over = self.selected == rules.most and not self._pending
        first = max(end, len(lines) - rules.before)
        self._gap = first > end or (self._gap and not end)
        self.pass_by(lines[:first])
        self._held = lines[first:]

    def apart(
        self, lines: list[str], groups: list[Group], chosen: set[int], starts: list[int] | None
    ) -> Iterator[Shown]:
        """The lines of some groups one by one, with what stands between groups."""
        for start, stop, is_new in groups:
            if is_new and self._report.has_printed:
                yield self._report.gap
            self._report.has_printed = True
            yield from self.one_by_one(lines, range(start, stop), chosen, starts)

    def groups(self, chosen: list[int], count: int) -> Iterator[Group]:
        """The runs of lines to print, and whether each stands apart from what was printed before.

        What is pending of the last chunk is the first of them.
        """
        before, behind = self._rules.before, self._rules.after + 1
        start, stop, is_new = 0, -1 if self._gap else self._pending, False
        for place in chosen:
            first = max(place - before, 0)
            if first > stop:
                if stop > start:
                    yield start, stop, is_new
                start, is_new = first, True
            stop = place + behind
        if stop > start:
            yield start, min(stop, count), is_new
        self._pending = max(stop - count, 0)


def joined(found: Iterator[Shown]) -> Iterator[Shown]:
    """Texts that follow each other as one; rows stay rows."""
    held: list[str] = []
    for one in found:
        if isinstance(one, str):
            held.append(one)
        else:
            yield one
    if held:
        yield "".join(held)
