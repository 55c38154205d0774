"""Filling: text read line by line, its paragraphs taken out, filled and printed."""

from __future__ import annotations

import re

from keysh.commands.fmt.paragraph import Paragraph, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TAB = 8
TAG_INDENT = 3  # of the lines behind the first, where that has none
MOST_WORDS, MOST_CHARS = 998, 5000  # of a paragraph that is filled as a whole
BLANKS = " \t"
WORD = re.compile(r"([^ \t]+)([ \t]*)")


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
    """A line: the column of its prefix, that of its text, and the text."""

    __slots__ = ("column", "has_prefix", "indent", "leads_with_tab", "text")

    def __init__(self, raw: str, style: Style) -> None:
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

    __slots__ = ("_has_tabs", "_other", "_style", "_tick")

    def __init__(self, style: Style, tick: Callable[[], None]) -> None:
        self._style, self._tick = style, tick
        self._has_tabs = False
        self._other = 0  # the indent of lines behind the first

    def filled(self, lines: Iterable[str]) -> Iterator[str]:
        """The text, its paragraphs filled."""
        source = iter(lines)
        line = self._next(source)
        self._other = 0
        while line is not None:
            if not self._begins(line):
                yield self._copied(line)
                line = self._next(source)
                continue
            first, body = line, [line]
            line = self._next(source)
            self._set_other(first, line)
            if self._style.manner != "split" and self._goes_on(first, line):
                is_tag = self._style.manner == "tagged"
                if not (is_tag and line is not None and line.column == first.column):
                    while line is not None and self._continues(first, line):
                        body.append(line)
                        line = self._next(source)
            yield from self._printed(first, body)

    def _copied(self, line: Line) -> str:
        """A line that is part of no paragraph."""
        if not line.has_prefix:
            return f"{self._blanks(0, line.column) if line.text else ''}{line.text}\n"
        head = self._blanks(0, line.indent) + self._style.prefix if self._style.prefix else ""
        at = line.indent + len(self._style.prefix)
        return f"{head}{self._blanks(at, line.column) if line.text else ''}{line.text}\n"

    def _next(self, source: Iterator[str]) -> Line | None:
        raw = next(source, None)
        if raw is None:
            return None
        self._tick()
        line = Line(raw.removesuffix("\n"), self._style)
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

    def _printed(self, first: Line, body: list[Line]) -> Iterator[str]:
        """A paragraph in lines that are filled; one that is very long in several parts."""
        style = self._style
        paragraph = Paragraph(style.width, style.goal, self._tick)
        indent, last, chars = first.column, 0, 0
        self._has_tabs = self._has_tabs or any("\t" in line.text for line in body)
        words = [word for line in body for word in words_of(line, style.is_uniform)]
        words[-1].is_period = words[-1].is_final = True
        for word in words:
            is_full = len(paragraph.words) >= MOST_WORDS or chars + len(word.text) > MOST_CHARS
            if paragraph.words and is_full:
                paragraph.arrange(indent, self._other, last)
                cut = paragraph.cut()
                for text, width in self._lines(paragraph.words[:cut], first, indent, cut):
                    yield text
                    last, indent = width, self._other
                del paragraph.words[:cut]
                chars = sum(len(one.text) for one in paragraph.words)
            paragraph.words.append(word)
            chars += len(word.text)
        paragraph.arrange(indent, self._other, last)
        for text, _ in self._lines(paragraph.words, first, indent, len(paragraph.words)):
            yield text

    def _lines(
        self, words: list[Word], first: Line, indent: int, end: int
    ) -> Iterator[tuple[str, int]]:
        """The lines of words that are arranged, and how wide each is."""
        at = 0
        while at < end:
            word = words[at]
            pieces = [self._blanks(0, first.indent), self._style.prefix]
            column = first.indent + len(self._style.prefix)
            pieces.append(self._blanks(column, indent))
            column = max(column, indent)
            for one in words[at : word.after - 1]:
                if not self._has_tabs:
                    pieces += one.text, " " * one.space
                    continue
                column += len(one.text)
                pieces += one.text, self._blanks(column, column + one.space)
                column += one.space
            pieces.append(words[word.after - 1].text)
            yield "".join(pieces) + "\n", word.line
            at, indent = word.after, self._other

    def _blanks(self, at: int, to: int) -> str:
        """Blanks from one column to another: with tabs, if the text has any."""
        stop = to // TAB * TAB
        if not self._has_tabs or at + 1 >= stop:
            return " " * (to - at)
        return "\t" * (stop // TAB - at // TAB) + " " * (to - stop)


def words_of(line: Line, is_uniform: bool) -> Iterator[Word]:
    """The words of a line; two blanks stand behind a sentence that ends it."""
    column = line.column
    pairs = WORD.findall(line.text)
    last = len(pairs)
    for number, (text, blanks) in enumerate(pairs, 1):
        word = Word(text)
        column += len(text)
        space = len(blanks)
        if "\t" in blanks:
            space = len((" " * (column % TAB) + blanks).expandtabs(TAB)) - column % TAB
        column += space
        if word.is_period:
            word.is_final = number == last or space > 1
        word.space = space if number < last and not is_uniform else 2 if word.is_final else 1
        yield word
