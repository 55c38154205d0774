"""Filling: text read line by line, its paragraphs taken out, filled and printed."""

from __future__ import annotations

import re

from keysh.commands.fmt.paragraph import FINAL, PERIOD, PERIOD_ENDED, Paragraph, kinds_of
from keysh.text.weaving import woven

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TAB = 8
TAG_INDENT = 3  # of the lines behind the first, where that has none
MOST_WORDS, MOST_CHARS = 998, 5000  # of a paragraph that is filled as a whole
BLANKS = " \t"
GAP = re.compile(r"([ \t]+)")


class Style:
    """What is asked for: the manner ("crown", "tagged", "split" or none), widths and a prefix."""

    __slots__ = ("goal", "is_uniform", "lead", "manner", "prefix", "trail", "width")

    def __init__(self, width: int, goal: int, manner: str, prefix: str, is_uniform: bool) -> None:
        self.width, self.goal, self.manner, self.is_uniform = width, goal, manner, is_uniform
        bare = prefix.lstrip(" ")
        self.lead = len(prefix) - len(bare)
        self.prefix = bare.rstrip(" ")
        self.trail = len(bare)


class Line:
    """A line: the column of its prefix, that of its text, the text, and the end, if it has one."""

    __slots__ = ("column", "end", "has_prefix", "indent", "leads_with_tab", "text")

    def __init__(self, line: str, style: Style) -> None:
        raw = line.removesuffix("\n")
        self.end = line[len(raw) :]
        text = raw.lstrip(BLANKS)
        self.column = len(raw[: len(raw) - len(text)].expandtabs(TAB))
        self.indent, self.has_prefix = self.column, True
        if style.prefix:
            self.has_prefix = text.startswith(style.prefix)
            if self.has_prefix:
                behind = text[len(style.prefix) :]
                text = behind.lstrip(BLANKS)
                blanks = behind[: len(behind) - len(text)]
                at = self.column + len(style.prefix)
                self.column = len((" " * at + blanks).expandtabs(TAB))
        else:
            self.indent = 0
        self.text = text
        self.leads_with_tab = "\t" in raw[: len(raw) - len(text)]


class Filling:
    """The state between paragraphs; all is in octets."""

    __slots__ = ("_has_tabs", "_line", "_other", "_style", "_tick")

    def __init__(self, style: Style, tick: Callable[[], None]) -> None:
        self._style, self._tick = style, tick
        self._has_tabs = False
        self._line: Line | None = None  # the one that comes next
        self._other = 0  # the indent of lines behind the first

    def filled(self, lines: Iterable[str]) -> Iterator[str]:
        """The text, its paragraphs filled."""
        source = iter(lines)
        self._line, self._other = self._next(source), 0
        while (line := self._line) is not None:
            if not self._begins(line):
                yield self._copied(line)
                self._line = self._next(source)
                continue
            self._line = self._next(source)
            self._set_other(line, self._line)
            yield from self._printed(line, self._body(line, source))

    def _body(self, first: Line, source: Iterator[str]) -> Iterator[Line]:
        """The lines of a paragraph, the first of which has been read."""
        yield first
        if self._style.manner == "split" or not self._goes_on(first, self._line):
            return
        line = self._line
        if self._style.manner == "tagged" and line is not None and line.column == first.column:
            return
        while line is not None and self._continues(first, line):
            yield line
            line = self._line = self._next(source)

    def _copied(self, line: Line) -> str:
        """A line that is part of no paragraph; one that is not just the prefix may lack its end."""
        if not line.has_prefix:
            return f"{self._blanks(0, line.column) if line.text else ''}{line.text}{line.end}"
        head = self._blanks(0, line.indent) + self._style.prefix if self._style.prefix else ""
        at = line.indent + len(self._style.prefix)
        if not line.text:
            return f"{head}\n"
        return f"{head}{self._blanks(at, line.column)}{line.text}{line.end}"

    def _next(self, source: Iterator[str]) -> Line | None:
        raw = next(source, None)
        if raw is None:
            return None
        self._tick()
        line = Line(raw, self._style)
        self._has_tabs = self._has_tabs or line.leads_with_tab
        return line

    def _begins(self, line: Line) -> bool:
        """Whether a line is part of a paragraph: it has the prefix, and text behind it."""
        style = self._style
        if not line.text or not line.has_prefix:
            return False
        return line.indent >= style.lead and line.column >= line.indent + style.trail * bool(
            style.prefix
        )

    def _goes_on(self, first: Line, line: Line | None) -> bool:
        """Whether a line can belong to the same paragraph."""
        return line is not None and self._begins(line) and line.indent == first.indent

    def _continues(self, first: Line, line: Line) -> bool:
        return self._goes_on(first, line) and line.column == self._other

    def _set_other(self, first: Line, line: Line | None) -> None:
        """Find the indent of all lines but the first."""
        manner, goes_on = self._style.manner, self._goes_on(first, line)
        if manner == "crown" and goes_on and line is not None:
            self._other = line.column
        elif manner == "tagged":
            if goes_on and line is not None and line.column != first.column:
                self._other = line.column
            elif self._other == first.column:
                self._other = 0 if first.column else TAG_INDENT
        else:
            self._other = first.column

    def _printed(self, first: Line, body: Iterator[Line]) -> Iterator[str]:
        """A paragraph in lines that are filled; one that is very long in several parts."""
        paragraph = Paragraph(self._style.width, self._style.goal, self._tick)
        indent, last, chars = first.column, 0, 0
        for line in body:
            self._has_tabs = self._has_tabs or "\t" in line.text
            added = words_of(line, self._style.is_uniform)
            size = len(line.text)
            if len(paragraph.words) + len(added[0]) <= MOST_WORDS and chars + size <= MOST_CHARS:
                paragraph.add(*added)
                chars += sum(map(len, added[0]))
                continue
            for word, space, kind in zip(*added, strict=True):
                is_full = len(paragraph.words) >= MOST_WORDS or chars + len(word) > MOST_CHARS
                if paragraph.words and is_full:
                    paragraph.arrange(indent, self._other, last)
                    cut = paragraph.cut()
                    for text, width in self._lines(paragraph, first, indent, cut):
                        yield text
                        last, indent = width, self._other
                    paragraph.drop(cut)
                    chars = sum(map(len, paragraph.words))
                paragraph.add([word], [space], [kind])
                chars += len(word)
        paragraph.kinds[-1] |= PERIOD_ENDED | FINAL
        paragraph.arrange(indent, self._other, last)
        for text, _ in self._lines(paragraph, first, indent, len(paragraph.words)):
            yield text

    def _lines(
        self, paragraph: Paragraph, first: Line, indent: int, end: int
    ) -> Iterator[tuple[str, int]]:
        """The lines of words that are arranged, and how wide each is."""
        words, spaces, at = paragraph.words, paragraph.spaces, 0
        while at < end:
            behind = paragraph.afters[at]
            inner = slice(at, behind - 1)
            column = first.indent + len(self._style.prefix)
            pieces = [self._blanks(0, first.indent), self._style.prefix]
            pieces.append(self._blanks(column, indent))
            if self._has_tabs:
                column = max(column, indent)
                for word, space in zip(
                    words[at : behind - 1], spaces[at : behind - 1], strict=True
                ):
                    column += len(word)
                    pieces += word, self._blanks(column, column + space)
                    column += space
            else:
                blanks = [" " * space for space in spaces[inner]]
                pieces.append(woven(words[inner], blanks))
            pieces.append(words[behind - 1])
            yield "".join(pieces) + "\n", paragraph.widths[at]
            at, indent = behind, self._other

    def _blanks(self, at: int, to: int) -> str:
        """Blanks from one column to another: with tabs, if the text has any."""
        stop = to // TAB * TAB
        if not self._has_tabs or at + 1 >= stop:
            return " " * (to - at)
        return "\t" * (stop // TAB - at // TAB) + " " * (to - stop)


def words_of(line: Line, is_uniform: bool) -> tuple[list[str], list[int], list[int]]:
    """The words of a line, the blanks behind each, and their kinds.

    Two blanks stand behind a sentence that ends the line.
    """
    text = line.text
    if "\t" in text or "  " in text or text[-1] == " ":
        parts = GAP.split(text)
        words, gaps = parts[::2], parts[1::2]
        if not words[-1]:
            words.pop()
        spaces = widths_of(line.column, words, gaps) if "\t" in text else list(map(len, gaps))
    else:
        words = text.split(" ")
        spaces = [1] * len(words)
    kinds = kinds_of(words)
    last = len(words) - 1
    del spaces[last:]
    if any(map(text.__contains__, PERIOD)):
        for at, kind in enumerate(kinds):
            if kind & PERIOD_ENDED and (at == last or spaces[at] > 1):
                kinds[at] |= FINAL
    behind = [2 if kind & FINAL else 1 for kind in (kinds if is_uniform else kinds[last:])]
    return words, behind if is_uniform else spaces + behind, kinds


def widths_of(column: int, words: list[str], gaps: list[str]) -> list[int]:
    """How many columns gaps with tabs take, each behind a word, the first of which begins there."""
    found: list[int] = []
    for word, gap in zip(words, gaps, strict=False):
        column += len(word)
        within = column % TAB
        found.append(len((" " * within + gap).expandtabs(TAB)) - within)
        column += found[-1]
    return found
