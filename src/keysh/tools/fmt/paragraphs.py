"""Read text line by line, fill its paragraphs and copy the lines between them."""

from __future__ import annotations

import re

from keysh.text.chunks import batch_lines
from keysh.tools.fmt.paragraph import CostTable, Paragraph, ends_sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

TAB_COLUMNS = 8
TAG_INDENT = 3  # of the second and later lines if the first has no indent
BLANKS = " \t"
RETURN_STAND_IN = "\u0100"  # replaces "\r" during tab expansion; not an octet
SPACE_RUN = re.compile("  +")
WORD_AND_BLANKS = re.compile("[^ ][^ \r\v\f]* *")


class FillStyle:
    """The options: the mode ("crown", "tagged", "split" or ""), the widths and the prefix."""

    __slots__ = ("goal", "is_uniform", "lead", "manner", "prefix", "trail", "width")

    def __init__(self, width: int, goal: int, manner: str, prefix: str, is_uniform: bool) -> None:
        self.width, self.goal, self.manner, self.is_uniform = width, goal, manner, is_uniform
        stripped = prefix.lstrip(" ")
        self.lead = len(prefix) - len(stripped)
        self.prefix = stripped.rstrip(" ")
        self.trail = len(stripped)


class InputLine:
    """A line: the columns of its prefix and of its text, the text, and the line end, if any."""

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
                rest = text[len(style.prefix) :]
                text = rest.lstrip(BLANKS)
                blanks = rest[: len(rest) - len(text)]
                self.leads_with_tab = self.leads_with_tab or "\t" in blanks
                start = self.column + len(style.prefix)
                self.column = len((" " * start + blanks).expandtabs(TAB_COLUMNS))
        else:
            self.indent = 0
        self.text = text


class ParagraphFiller:
    """The state between paragraphs; all text is in octets."""

    __slots__ = ("_has_tabs", "_line", "_other_indent", "_scale", "_style", "_tick")

    def __init__(self, style: FillStyle, tick: Callable[[], None]) -> None:
        self._style, self._tick = style, tick
        self._scale = CostTable(style.width, style.goal)
        self._has_tabs = False
        self._line: InputLine | None = None  # the next line
        self._other_indent = 0  # the indent of all lines but the first

    def filled_lines(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield the text with its paragraphs filled."""
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
        """Yield the lines of a paragraph whose first line has been read."""
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
        """Return a line outside paragraphs unchanged, apart from blanks and a missing end."""
        if not line.has_prefix:
            return f"{self._blanks(0, line.column) if line.text else ''}{line.text}{line.end}"
        head = self._blanks(0, line.indent) + self._style.prefix if self._style.prefix else ""
        start = line.indent + len(self._style.prefix)
        if not line.text:
            return f"{head}\n"
        return f"{head}{self._blanks(start, line.column)}{line.text}{line.end}"

    def _next_line(self, source: Iterator[str]) -> InputLine | None:
        raw = next(source, None)
        if raw is None:
            return None
        self._tick()
        line = InputLine(raw, self._style)
        self._has_tabs = self._has_tabs or line.leads_with_tab
        return line

    def _is_in_paragraph(self, line: InputLine) -> bool:
        """Tell whether a line has the prefix and text after it."""
        style = self._style
        if not line.text or not line.has_prefix:
            return False
        return line.indent >= style.lead and line.column >= line.indent + style.trail * bool(
            style.prefix
        )

    def _may_continue(self, first: InputLine, line: InputLine | None) -> bool:
        """Tell whether a line can belong to the paragraph of `first`."""
        return line is not None and self._is_in_paragraph(line) and line.indent == first.indent

    def _continues(self, first: InputLine, line: InputLine) -> bool:
        return self._may_continue(first, line) and line.column == self._other_indent

    def _set_other_indent(self, first: InputLine, line: InputLine | None) -> None:
        """Determine the indent of all lines but the first."""
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
        """Yield a paragraph's lines; a very long one is filled in parts."""
        paragraph = Paragraph(self._scale, self._tick)
        indent, previous_width = first.column, 0
        for line in body:
            self._has_tabs = self._has_tabs or "\t" in line.text
            text = spaced_text(line, self._style.is_uniform, self._tick)
            if paragraph.add(text):
                continue
            for word in words_with_blanks(text):
                if paragraph.add(word):
                    continue
                paragraph.find_breaks(indent, self._other_indent, previous_width, False)
                count = paragraph.cut_point()
                for text_line in paragraph.lines(count):
                    previous_width = indent + len(text_line)
                    yield self._output_line(text_line, first, indent)
                    indent = self._other_indent
                paragraph.drop(count)
                paragraph.add(word)
        if not previous_width and (single := paragraph.single_line(indent)):
            yield self._output_line(single, first, indent)
            return
        paragraph.find_breaks(indent, self._other_indent, previous_width, True)
        for text_line in paragraph.lines(None):
            yield self._output_line(text_line, first, indent)
            indent = self._other_indent

    def _output_line(self, text: str, first: InputLine, indent: int) -> str:
        """Put the prefix and the indent before a line."""
        column = first.indent + len(self._style.prefix)
        if self._has_tabs:
            text = self._with_tabs(text, max(column, indent))
        head = f"{self._blanks(0, first.indent)}{self._style.prefix}"
        return f"{head}{self._blanks(column, indent)}{text}\n"

    def _with_tabs(self, text: str, column: int) -> str:
        """Replace runs of blanks by tabs where that is shorter."""
        return SPACE_RUN.sub(
            lambda blanks: self._blanks(column + blanks.start(), column + blanks.end()), text
        )

    def _blanks(self, start: int, stop: int) -> str:
        """Return blanks between two columns, with tabs if the input has any."""
        last_tab_stop = stop // TAB_COLUMNS * TAB_COLUMNS
        if not self._has_tabs or start + 1 >= last_tab_stop:
            return " " * (stop - start)
        return "\t" * (last_tab_stop // TAB_COLUMNS - start // TAB_COLUMNS) + " " * (
            stop - last_tab_stop
        )


def words_with_blanks(text: str) -> Iterator[str]:
    """Yield the words, each with the blanks after it."""
    return (match[0] for match in WORD_AND_BLANKS.finditer(text))


def spaced_text(line: InputLine, is_uniform: bool, tick: Callable[[], None]) -> str:
    """Return a line's words with the blanks after them, two after a sentence."""
    text = line.text.rstrip(BLANKS)
    if "\t" in text:
        offset = line.column % TAB_COLUMNS
        hidden = " " * offset + text.replace("\r", RETURN_STAND_IN)  # which would reset the column
        text = hidden.expandtabs(TAB_COLUMNS)[offset:].replace(RETURN_STAND_IN, "\r")
    text += "  " if ends_sentence(text) else " "
    if not is_uniform:
        return text
    parts = ((word, word.rstrip(" ")) for word in words_with_blanks(text))
    words = (
        f"{bare}  " if len(word) > len(bare) + 1 and ends_sentence(bare) else f"{bare} "
        for word, bare in parts
    )
    blocks = []
    for block in batch_lines(words):
        tick()
        blocks.append(block)
    return "".join(blocks)
