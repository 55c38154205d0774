"""The search through one input, chunk by chunk: which lines are selected, and what surrounds them.

A chunk is whole lines. Where `re` can, all its lines are searched in one go; only what is selected
is looked at line by line, and not even that where lines are printed as they are.
"""

from __future__ import annotations

from keysh.commands.grep.report import bytes_of
from keysh.text.line_search import matching_lines, selected
from keysh.text.lines import lines, whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from keysh.commands.grep.report import Report
    from keysh.commands.grep.rules import Rules
    from keysh.runtime.call import Call

    Shown = str | dict[str, Any]

BATCH = 512  # lines that end in NUL, searched together


class Search:
    """One input; `selected` counts its lines, as far as it matters how many there are."""

    __slots__ = (
        "_at", "_checks_bytes", "_gap", "_has_hidden", "_held", "_is_binary", "_is_over",
        "_number", "_offset", "_pending", "_report", "_rules", "_sh", "selected",
    )  # fmt: skip

    def __init__(self, sh: Call, rules: Rules, report: Report) -> None:
        self._sh, self._rules, self._report = sh, rules, report
        self.selected = 0
        self._is_binary = self._is_over = self._checks_bytes = False
        self._has_hidden = False  # whether something was selected that is nothing to look at
        self._number, self._offset = 1, 0  # of the first line that is not dealt with
        self._at = 0  # where that stands in the chunk
        self._held = ""  # lines of the last chunk that may stand before a selected one
        self._pending = 0  # lines behind a selected one that are still to be printed
        # Whether what was printed last is not the line before.
        self._gap = report.has_printed

    def shown(self, chunks: Iterable[str]) -> Iterator[Shown]:
        """What is printed of the input, its name or count at the end."""
        rules = self._rules
        for chunk in self.chunked(chunks):
            if self._is_binary and rules.binary == "without-match":
                break
            yield from joined(self.chunk(chunk))
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

    def watched(self, chunks: Iterable[str]) -> Iterator[str]:
        """The chunks as they are read: one with a NUL makes the file a binary one."""
        for chunk in chunks:
            if "\0" in chunk and self._rules.binary != "text":
                self._is_binary = True
            yield chunk

    def chunk(self, text: str) -> Iterator[Shown]:
        """What is printed of one chunk; sets `_is_over` when no more is to be read."""
        rules = self._rules
        if self._is_binary:
            text = text.replace("\0", "\n")  # as GNU's, for whom a line has no NUL
        if not rules.prints_lines:
            self.count(text)
        elif self._is_binary:
            if next(self.spans(text), None) is not None:
                self.selected += 1
                self._is_over = self._has_hidden = True
        else:
            self._checks_bytes = rules.binary != "text" and has_bytes(text)
            if rules.prints_plainly and rules.only_matching:
                yield from self.matches(text)
            elif rules.prints_plainly and not self._checks_bytes:
                yield self.whole(text)
            elif rules.prints_simply and not (self._checks_bytes or rules.only_matching):
                yield self.behind_numbers(text)
            elif rules.has_context:
                yield from self.with_context(text)
            else:
                yield from self.one_by_one(text)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """The bounds of the selected lines, without their ends."""
        rules, tick = self._rules, self._sh.tick
        end = rules.end
        if end == "\n":
            found = matching_lines(rules.regex, text, tick)
            return others(text, found, end) if rules.inverts else found
        return (
            (first, last)
            for first, last in others(text, iter(()), end)
            if rules.regex.is_in(text[first:last], tick) != rules.inverts
        )

    def count(self, text: str) -> None:
        """Count the selected lines, as far as it matters how many there are."""
        rules = self._rules
        is_enough = rules.is_quiet or rules.lists
        if not is_enough and rules.end == "\n" and rules.most < 0:
            whole = text if text.endswith("\n") else f"{text}\n"
            found = selected(rules.regex, whole, self._sh.tick, keeps=not rules.inverts)
            self.selected += found.count("\n")
            return
        for _ in self.spans(text):
            self.selected += 1
            if is_enough or self.selected == rules.most:
                self._is_over = True
                return

    def matches(self, text: str) -> Iterator[Shown]:
        """The matches as they are; where `re` can find them all, those of a chunk at once."""
        native = None if self._rules.inverts else self._rules.regex.native(text, by_line=True)
        found = [match.group() for match in native.finditer(text)] if native is not None else []
        found = [match for match in found if match]
        if not found:
            yield from self.one_by_one(text)
            return
        self.selected += 1
        found.append("")
        yield "\n".join(found)

    def whole(self, text: str) -> str:
        """The selected lines as they are."""
        rules = self._rules
        if not text.endswith("\n"):
            text += "\n"
        made = selected(rules.regex, text, self._sh.tick, keeps=not rules.inverts)
        self.selected += bool(made)
        return made

    def behind_numbers(self, text: str) -> str:
        """The selected lines behind the name of the file or their numbers."""
        rules, number, at = self._rules, self._number, 0
        name = f"{self._report.path}{rules.path_end or ':'}" if rules.heads else ""
        made = []
        for start, end in self.spans(text):
            if rules.numbers:
                number += text.count("\n", at, start)
                at = start
                made.append(f"{name}{number}:{text[start:end]}\n")
            else:
                made.append(f"{name}{text[start:end]}\n")
        self._number = number + text.count("\n", at)
        self.selected += len(made)
        return "".join(made)

    # ------------------------------------------------------------ line by line

    def one_by_one(self, text: str) -> Iterator[Shown]:
        """The selected lines with what stands before them, or their matches."""
        for start, end in self.spans(text):
            yield from self.selected_line(text, start, end)
            if self._is_over:
                return
        self.pass_to(text, len(text))
        self.leave()

    def selected_line(self, text: str, start: int, end: int) -> Iterator[Shown]:
        self.pass_to(text, start)
        yield from self.line(text[start:end], ":")
        self.selected += 1
        self._is_over = self.selected == self._rules.most

    def line(self, text: str, mark: str) -> Iterator[Shown]:
        """One line, unless it holds bytes that are no UTF-8: then only the file is told."""
        if self._checks_bytes and not self._rules.only_matching and has_bytes(text):
            self._has_hidden = True
        else:
            yield from self._report.line(text, mark, self._number, self._offset)

    def pass_to(self, text: str, at: int) -> None:
        """Count the lines and bytes up to a place."""
        rules = self._rules
        if rules.numbers or rules.is_json or rules.has_context:
            self._number += text.count(rules.end, self._at, at)
        if rules.offsets:
            self._offset += bytes_of(text[self._at : at])
        self._at = at

    def leave(self) -> None:
        """Go to the next chunk."""
        self._at = 0

    # ------------------------------------------------------------ lines around

    def with_context(self, text: str) -> Iterator[Shown]:
        """The selected lines and those around them."""
        rules = self._rules
        text = self._held + text
        for start, end in self.spans(text):
            if self.selected == rules.most:  # what is behind the last one may be selected too
                break
            yield from self.between(text, start)
            yield from self.around(text, start, end, ":")
            self.selected += 1
            self._pending = rules.after
        yield from self.behind(text, len(text))
        self._is_over = self.selected == rules.most and not self._pending
        self.hold(text)

    def between(self, text: str, start: int) -> Iterator[Shown]:
        """The lines from the last printed one to a selected one that are to be printed."""
        yield from self.behind(text, start)
        first = last_lines(text, self._at, start, self._rules.before, self._rules.end)
        if first > self._at:
            self._gap = True
            self.pass_to(text, first)
        if self._gap and self._report.has_printed:
            yield from self._report.gap()
        self._gap, self._report.has_printed = False, True
        while self._at < start:
            yield from self.next_line(text)

    def behind(self, text: str, stop: int) -> Iterator[Shown]:
        """The lines behind a selected one."""
        while self._pending and self._at < stop:
            self._pending -= 1
            yield from self.next_line(text)

    def next_line(self, text: str) -> Iterator[Shown]:
        end = text.find(self._rules.end, self._at)
        return self.around(text, self._at, len(text) if end < 0 else end, "-")

    def around(self, text: str, start: int, end: int, mark: str) -> Iterator[Shown]:
        yield from self.line(text[start:end], mark)
        self.pass_to(text, min(end + 1, len(text)))

    def hold(self, text: str) -> None:
        """Keep the last lines, which may be printed yet."""
        first = last_lines(text, self._at, len(text), self._rules.before, self._rules.end)
        self._gap = self._gap or first > self._at
        self.pass_to(text, first)
        self._held = text[first:]
        self.leave()


def others(text: str, found: Iterator[tuple[int, int]], end: str) -> Iterator[tuple[int, int]]:
    """The bounds of the lines that are not among those found."""
    at, count = 0, len(text)
    for start, stop in (*found, (count, count)):
        while at < start:
            close = text.find(end, at, start)
            close = start if close < 0 else close
            yield at, close
            at = close + 1
        at = stop + 1


def last_lines(text: str, start: int, end: int, most: int, close: str) -> int:
    """Where the last so many of the lines between two places begin."""
    for _ in range(most):
        if end <= start:
            break
        end = text.rfind(close, start, end - 1) + 1 or start
    return max(end, start)


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


def has_bytes(text: str) -> bool:
    """Whether a text holds bytes that are no UTF-8."""
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def batches(found: Iterable[str]) -> Iterator[str]:
    """Lines joined to chunks."""
    held: list[str] = []
    for line in found:
        held.append(line)
        if len(held) == BATCH:
            yield "".join(held)
            held.clear()
    if held:
        yield "".join(held)
