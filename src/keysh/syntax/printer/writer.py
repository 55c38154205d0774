"""ScriptWriter, the loop of the printer: it expands nodes into pieces, and pieces into text.

A piece is a string, a node with its context, or a mark: a function that changes the writer and
returns more pieces. Pending pieces are on a stack, so a tree may be of any depth. Comments come
from the script; each is written once, at the next end of a line.
"""

from __future__ import annotations

from bisect import bisect_left

from keysh.syntax import ast
from keysh.syntax.printer.print_context import (
    HEREDOC_CONTEXT,
    HEREDOC_DOLLAR_CONTEXT,
    LITERAL_CONTEXT,
)
from keysh.syntax.printer.quotes import LINE_JOIN, with_kept_tabs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.print_context import PrintContext

    Mark = Callable[["ScriptWriter"], "Pieces"]
    Piece = str | tuple[Node, PrintContext] | Mark
    Pieces = Sequence[Piece]
    Table = Mapping[type[Node], Callable[..., Pieces]]

LINE_INDENTATION = "    "
MAX_LINE_WIDTH = 80  # of a list or record on one line


class HeredocState:
    """The writer's state when a heredoc's body began."""

    __slots__ = ("delimiter", "indentation", "low", "out", "pending")

    def __init__(self, writer: ScriptWriter, delimiter: str) -> None:
        self.out, self.pending, self.delimiter = writer.out, writer.pending, delimiter
        self.indentation, self.low = writer.indentation, writer.first_pending


class ScriptWriter:
    """The text so far and the pieces to be written.

    Without a script (`format_node`) there are no comments and no broken lines to keep.
    """

    __slots__ = (
        "bodies",
        "comments",
        "has_literals",
        "indentation",
        "is_fresh",
        "is_in_backticks",
        "is_line_start",
        "first_pending",
        "must_not_end",
        "out",
        "outside",
        "pending",
        "stack",
        "starts",
        "substitutions",
        "table",
        "written_comments",
        "text",
        "width",
    )

    def __init__(self, table: Table, script: ast.Script | None = None) -> None:
        trivia = script.trivia if script else []
        self.table = table
        self.text = script.source.text if script else ""
        self.has_literals = script is None or script.source.dialect.has_literals
        self.out: list[str] = []
        self.stack: list[Piece] = []
        self.width = 0
        self.indentation = 0
        self.is_line_start = False
        self.must_not_end = False  # the line may end only with a backslash
        self.is_fresh = True  # the block is empty so far: no blank line
        self.is_in_backticks = False  # write the next substitution with backticks
        self.outside: list[list[str]] = []  # the text before each open backtick
        self.pending: list[ast.Heredoc] = []  # their bodies follow the next newline
        self.bodies: list[HeredocState] = []
        self.substitutions: list[int] = []  # the number of heredocs pending outside of each
        self.comments = [trivium for trivium in trivia if trivium.kind == "comment"]
        self.starts = [comment.start for comment in self.comments]
        self.written_comments = bytearray(len(self.comments))
        # All comments before this one are taken, or belong to text around a heredoc.
        self.first_pending = 0

    def run(self, piece: Piece, most: int | None = None) -> str:
        """Return the text of a piece; with `most`, stop soon after that width."""
        stack, table = self.stack, self.table
        stack.append(piece)
        while stack:
            piece = stack.pop()
            if piece.__class__ is str:
                self.write(piece)
                if most is not None and self.width > most:
                    break
            elif piece.__class__ is tuple:
                stack.extend(reversed(table[piece[0].__class__](self, *piece)))
            else:
                stack.extend(reversed(piece(self)))  # type: ignore[operator]
        return "".join(self.out)

    def delimiter_of(self, heredoc: ast.Heredoc) -> str:
        """Return a heredoc's delimiter: another one if its line would end a heredoc around it.

        In the bash dialect the end of a substitution ends a heredoc inside, too; here a line does.
        """
        delimiter = heredoc.delimiter
        taken = [state.delimiter for state in self.bodies]
        while delimiter in taken or (delimiter != heredoc.delimiter and delimiter in self.text):
            delimiter += "_"
        return delimiter

    def write(self, text: str) -> None:
        """Add text, after the indentation if a line begins."""
        if text:
            if self.is_line_start:
                self.out.append(LINE_INDENTATION * self.indentation)
                self.is_line_start = False
            self.out.append(text)
            self.width += len(text)
            self.must_not_end = False

    def break_line(self) -> None:
        """Begin a new line."""
        self.out.append(LINE_JOIN + "\n" if self.must_not_end else "\n")
        self.must_not_end = False
        self.is_line_start = True

    def is_too_long(self, pieces: Pieces) -> bool:
        """Whether pieces are too long for one line."""
        measure = ScriptWriter(self.table)
        measure.run(lambda writer: pieces, MAX_LINE_WIDTH)
        return measure.width > MAX_LINE_WIDTH

    # ------------------------------------------------------------ what the source looked like

    def is_broken(self, start: int, end: int) -> bool:
        """Whether a line of the source ends between two offsets."""
        return self.text.find("\n", start, end) >= 0

    def line_end_before(self, offset: int) -> int:
        """Return the end of the previous line; -2 if the line has text before the offset."""
        text = self.text
        offset -= 1
        while offset >= 0 and text[offset] in " \t":
            offset -= 1
        if offset < 0 or (text[offset] == "\n" and not self.is_joined(offset)):
            return offset
        return -2

    def is_joined(self, line_end: int) -> bool:
        r"""Whether a `\` that is not in a comment joins a line with the next."""
        first = line_end
        while first > 0 and self.text[first - 1] == "\\":
            first -= 1
        if (line_end - first) % 2 == 0:
            return False
        before = bisect_left(self.starts, line_end) - 1
        return before < 0 or self.comments[before].end < line_end

    def is_first_on_line(self, offset: int) -> bool:
        """Whether only blanks precede an offset on its line."""
        return self.line_end_before(offset) != -2

    def is_behind_blank_line(self, offset: int) -> bool:
        """Whether an offset is the first on its line, after a blank line."""
        line_end = self.line_end_before(offset)
        return line_end > 0 and self.line_end_before(line_end) >= 0

    def has_comments(self, start: int, end: int) -> bool:
        """Whether a comment begins between two offsets."""
        return bisect_left(self.starts, start) < bisect_left(self.starts, end)

    def next_comment(self, end: int) -> int:
        """Return the index of the first unwritten comment before an offset, or -1."""
        taken, low = self.written_comments, self.first_pending
        while low < len(taken) and taken[low]:
            low += 1
        self.first_pending = low
        return low if low < len(taken) and self.starts[low] < end else -1

    def take_comment(self, index: int) -> str:
        """Return a comment's text and mark it as written."""
        self.written_comments[index] = 1
        return self.comments[index].text.rstrip(" \t\r")


# ---------------------------------------------------------------- marks


def indent(writer: ScriptWriter) -> Pieces:
    """Indent the following lines one step more."""
    writer.indentation += 1
    writer.is_fresh = True
    return ()


def dedent(writer: ScriptWriter) -> Pieces:
    """Indent the following lines one step less."""
    writer.indentation -= 1
    writer.is_fresh = False
    return ()


def line(writer: ScriptWriter) -> Pieces:
    """End a line where a newline is a blank, as in a list or `[[ … ]]`, or an empty line."""
    writer.break_line()
    return ()


def joined_line(writer: ScriptWriter) -> Pieces:
    r"""`\` newline inside a word."""
    if not writer.out[-1].endswith(LINE_JOIN):
        writer.write(LINE_JOIN)
    return ()


def forbid_line_end(writer: ScriptWriter) -> Pieces:
    """Forbid the line to end after a carriage return or the `{` of `key={`."""
    writer.must_not_end = True
    return ()


def newline(writer: ScriptWriter) -> Pieces:
    """End a line among commands; the bodies of its heredocs follow."""
    if not writer.out and not writer.bodies and not writer.outside:
        return ()  # nothing stands before the first line
    writer.break_line()
    if not writer.pending:
        return ()
    pieces: list[Piece] = []
    for heredoc in writer.pending:
        pieces += body_of(heredoc)
    writer.pending = []
    return pieces


def broken_line(writer: ScriptWriter) -> Pieces:
    r"""`\` newline between words."""
    writer.write(" \\")
    writer.break_line()
    return ()


def gap(end: int, ending: Mark = newline, *, is_last: bool = False, blanks: bool = True) -> Mark:
    """Return a line's end and the comments before an offset of the source.

    The first comment stays on its line if it followed something there. With `is_last` the block
    closes at the offset, so no blank line follows.
    """

    def write_lines(writer: ScriptWriter) -> Pieces:
        pieces: list[Piece] = []
        while (index := writer.next_comment(end)) >= 0:
            if blanks and not writer.is_fresh and writer.is_behind_blank_line(writer.starts[index]):
                pieces.append(line)
            pieces += (writer.take_comment(index), ending)
            writer.is_fresh = False
        if (
            blanks
            and writer.text
            and not is_last
            and not writer.is_fresh
            and writer.is_behind_blank_line(end)
        ):
            pieces.append(line)
        writer.is_fresh = False
        return pieces

    return lambda writer: (comment_behind(end, ending), ending, write_lines)


def comment_behind(end: int, ending: Mark = newline) -> Mark:
    """Return the first comment before an offset, if it followed something on its line."""

    def write_comment(writer: ScriptWriter) -> Pieces:
        # A comment inside a heredoc's body is written with the body.
        limit = (
            min(end, writer.pending[0].body.start) if writer.pending and ending is newline else end
        )
        index = writer.next_comment(limit)
        if index < 0 or not writer.out or writer.is_first_on_line(writer.starts[index]):
            return ()
        return (LINE_JOIN if writer.must_not_end else "", " " + writer.take_comment(index))

    return write_comment


# ---------------------------------------------------------------- heredocs


def body_of(heredoc: ast.Heredoc) -> Pieces:
    """Return a heredoc's lines, not indented."""
    if heredoc.quoted:
        inside = LITERAL_CONTEXT
    else:
        inside = HEREDOC_DOLLAR_CONTEXT if "$" in heredoc.delimiter else HEREDOC_CONTEXT

    def begin(writer: ScriptWriter) -> Pieces:
        writer.bodies.append(HeredocState(writer, writer.delimiter_of(heredoc)))
        writer.out, writer.pending, writer.indentation, writer.is_line_start = [], [], 0, False
        writer.first_pending = bisect_left(writer.starts, heredoc.body.start)
        return ()

    def end(writer: ScriptWriter) -> Pieces:
        text = "".join(writer.out)
        around = writer.bodies.pop()
        writer.out, writer.pending = around.out, around.pending
        writer.indentation, writer.first_pending = around.indentation, around.low
        writer.out.append(with_kept_tabs(text) if heredoc.strips and not heredoc.quoted else text)
        # A text that ends in a joined line has no end of its own, since no line can follow it.
        ends_joined = heredoc.is_unclosed and text != "" and text[-1] != "\n"
        writer.out.append("\\" if ends_joined else around.delimiter)
        writer.break_line()
        return ()

    return (begin, (heredoc.body, inside), end)
