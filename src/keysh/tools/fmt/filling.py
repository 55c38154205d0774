"""Filling: text read line by line, its paragraphs taken out, filled and printed."""

from __future__ import annotations

import re

from keysh.tools.fmt.paragraph import CostTable, Paragraph, ends_sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TAB_COLUMNS = 8
TAG_INDENT = 3  # of the lines behind the first, where that has none
BLANKS = " \t"
RETURN_STAND_IN = "\u0100"  # stands for "\r"; no octet
SPACE_RUN = re.compile("  +")
WORD_AND_BLANKS = re.compile("[^ ][^ \r\v\f]* *")


class FillStyle:
    """What is asked for: the manner ("crown", "tagged", "split" or none), widths and a prefix."""

    __slots__ = ("goal", "is_uniform", "lead", "manner", "prefix", "trail", "width")

    def __init__(self, width: int, goal: int, manner: str, prefix: str, is_uniform: bool) -> None:
        self.width, self.goal, self.manner, self.is_uniform = width, goal, manner, is_uniform
        bare = prefix.lstrip(" ")
        self.lead = len(prefix) - len(bare)
        self.prefix = bare.rstrip(" ")
        self.trail = len(bare)


class InputLine:
    """A line: the column of its prefix, that of its text, the text, and the end, if it has one."""

    __slots__ = ("column", "end", "has_prefix", "indent", "leads_with_tab", "text")

    def __init__(self, line: str, style: FillStyle) -> None:
        raw = line.removesuffix("\n")
        self.end = line[len(raw) :]
        text = raw.lstrip(BLANKS)
        blanks = raw[: len(raw) - len(text)]
        self.leads_with_tab = "\t" in blanks
        self.column = len(blanks.expandtabs(TAB_COLUMNS) if self.leads_with_tab else blanks)
        self.indent, self.has_prefix = self.column, True
        if style.prefix:
            self.has_prefix = text.startswith(style.prefix)
            if self.has_prefix:
                behind = text[len(style.prefix) :]
                text = behind.lstrip(BLANKS)
                blanks = behind[: len(behind) - len(text)]
                self.leads_with_tab = self.leads_with_tab or "\t" in blanks
                at = self.column + len(style.prefix)
                self.column = len((" " * at + blanks).expandtabs(TAB_COLUMNS))
        else:
            self.indent = 0
        self.text = text


class ParagraphFiller:
    """The state between paragraphs; all is in octets."""

    __slots__ = ("_has_tabs", "_line", "_other_indent", "_scale", "_style", "_tick")

    def __init__(self, style: FillStyle, tick: Callable[[], None]) -> None:
        self._style, self._tick = style, tick
        self._scale = CostTable(style.width, style.goal)
        self._has_tabs = False
        self._line: InputLine | None = None  # the one that comes next
        self._other_indent = 0  # the indent of lines behind the first

    def filled_lines(self, lines: Iterable[str]) -> Iterator[str]:
        """The text, its paragraphs filled."""
        source = iter(lines)
        self._line, self._other_indent = self._next_line(source), 0
        while (line := self._line) is not None:
            if not self._is_in_paragraph(line):
                yield self._copied_line(line)
                self._line = self._next_line(source)
                continue
            self._line = self._next_line(source)
            self._set_other_indent(line, self._line)
            yield from self._filled_paragraph(line, self._body(line, source))

    def _body(self, first: InputLine, source: Iterator[str]) -> Iterator[InputLine]:
        """The lines of a paragraph, the first of which has been read."""
        yield first
        if self._style.manner == "split" or not self._may_continue(first, self._line):
            return
        line = self._line
        if self._style.manner == "tagged" and line is not None and line.column == first.column:
            return
        while line is not None and self._continues(first, line):
            yield line
            line = self._line = self._next_line(source)

    def _copied_line(self, line: InputLine) -> str:
        """A line that is part of no paragraph; one that is not just the prefix may lack its end."""
        if not line.has_prefix:
            return f"{self._blanks(0, line.column) if line.text else ''}{line.text}{line.end}"
        head = self._blanks(0, line.indent) + self._style.prefix if self._style.prefix else ""
        at = line.indent + len(self._style.prefix)
        if not line.text:
            return f"{head}\n"
        return f"{head}{self._blanks(at, line.column)}{line.text}{line.end}"

    def _next_line(self, source: Iterator[str]) -> InputLine | None:
        raw = next(source, None)
        if raw is None:
            return None
        self._tick()
        line = InputLine(raw, self._style)
        self._has_tabs = self._has_tabs or line.leads_with_tab
        return line

    def _is_in_paragraph(self, line: InputLine) -> bool:
        """Whether a line is part of a paragraph: it has the prefix, and text behind it."""
        style = self._style
        if not line.text or not line.has_prefix:
            return False
        return line.indent >= style.lead and line.column >= line.indent + style.trail * bool(
            style.prefix
        )

    def _may_continue(self, first: InputLine, line: InputLine | None) -> bool:
        """Whether a line can belong to the same paragraph."""
        return line is not None and self._is_in_paragraph(line) and line.indent == first.indent

    def _continues(self, first: InputLine, line: InputLine) -> bool:
        return self._may_continue(first, line) and line.column == self._other_indent

    def _set_other_indent(self, first: InputLine, line: InputLine | None) -> None:
        """Find the indent of all lines but the first."""
        manner, goes_on = self._style.manner, self._may_continue(first, line)
        if manner == "crown" and goes_on and line is not None:
            self._other_indent = line.column
        elif manner == "tagged":
            if goes_on and line is not None and line.column != first.column:
                self._other_indent = line.column
            elif self._other_indent == first.column:
                self._other_indent = 0 if first.column else TAG_INDENT
        else:
            self._other_indent = first.column

    def _filled_paragraph(self, first: InputLine, body: Iterator[InputLine]) -> Iterator[str]:
        """A paragraph in lines that are filled; one that is very long in several parts."""
        paragraph = Paragraph(self._scale, self._tick)
        indent, before = first.column, 0
        for line in body:
            self._has_tabs = self._has_tabs or "\t" in line.text
            text = spaced_text(line, self._style.is_uniform)
            if paragraph.add(text):
                continue
            for word in WORD_AND_BLANKS.findall(text):
                if paragraph.add(word):
                    continue
                paragraph.find_breaks(indent, self._other_indent, before, False)
                cut = paragraph.cut_point()
                for filled in paragraph.lines(cut):
                    before = indent + len(filled)
                    yield self._output_line(filled, first, indent)
                    indent = self._other_indent
                paragraph.drop(cut)
                paragraph.add(word)
        if not before and (single := paragraph.single_line(indent)):
            yield self._output_line(single, first, indent)
            return
        paragraph.find_breaks(indent, self._other_indent, before, True)
        for filled in paragraph.lines(None):
            yield self._output_line(filled, first, indent)
            indent = self._other_indent

    def _output_line(self, text: str, first: InputLine, indent: int) -> str:
        """A line of a paragraph, with what stands before all of them and an indent."""
        column = first.indent + len(self._style.prefix)
        if self._has_tabs:
            text = self._with_tabs(text, max(column, indent))
        head = f"{self._blanks(0, first.indent)}{self._style.prefix}"
        return f"{head}{self._blanks(column, indent)}{text}\n"

    def _with_tabs(self, text: str, column: int) -> str:
        """Text that begins in a column, with tabs where they are shorter than blanks."""
        return SPACE_RUN.sub(
            lambda blanks: self._blanks(column + blanks.start(), column + blanks.end()), text
        )

    def _blanks(self, at: int, to: int) -> str:
        """Blanks from one column to another: with tabs, if the text has any."""
        stop = to // TAB_COLUMNS * TAB_COLUMNS
        if not self._has_tabs or at + 1 >= stop:
            return " " * (to - at)
        return "\t" * (stop // TAB_COLUMNS - at // TAB_COLUMNS) + " " * (to - stop)


def spaced_text(line: InputLine, is_uniform: bool) -> str:
    """The words of a line with blanks behind them: two behind a sentence that ends it."""
    text = line.text.rstrip(BLANKS)
    if "\t" in text:
        within = line.column % TAB_COLUMNS
        hidden = " " * within + text.replace(
            "\r", RETURN_STAND_IN
        )  # which would begin a line again
        text = hidden.expandtabs(TAB_COLUMNS)[within:].replace(RETURN_STAND_IN, "\r")
    text += "  " if ends_sentence(text) else " "
    if not is_uniform:
        return text
    parts = ((word, word.rstrip(" ")) for word in WORD_AND_BLANKS.findall(text))
    return "".join(
        f"{bare}  " if len(word) > len(bare) + 1 and ends_sentence(bare) else f"{bare} "
        for word, bare in parts
    )
