"""ScriptWriter, the loop of the printer: it expands nodes into pieces, and pieces into text.

A piece is a string, a node with its context, or a mark: a function that changes the writer and
returns more pieces. Pending pieces are on a stack, so a tree may be of any depth. Comments come
from the script; each is written once, at the next end of a line.
"""

from __future__ import annotations

from bisect import bisect_left

from keysh.syntax import ast
from keysh.syntax.printer.context import HEREDOC_CONTEXT, HEREDOC_DOLLAR_CONTEXT, LITERAL_CONTEXT
from keysh.syntax.printer.quotes import LINE_JOIN, with_kept_tabs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keysh.syntax.node import Node
    from keysh.syntax.printer.context import PrintContext

    Mark = Callable[["ScriptWriter"], "Pieces"]
    Piece = str | tuple[Node, PrintContext] | Mark
    Pieces = Sequence[Piece]
    Table = Mapping[type[Node], Callable[..., Pieces]]

LINE_INDENTATION = "    "
MAX_LINE_WIDTH = 80  # of a list or record on one line


class HeredocState:
    """The writer's state when a heredoc's body began."""

    __slots__ = ("indentation", "low", "out", "pending")

    def __init__(self, w: ScriptWriter) -> None:
        self.out, self.pending = w.out, w.pending
        self.indentation, self.low = w.indentation, w.first_pending


class ScriptWriter:
    """The text so far and the pieces to be written.

    Without a script (`format_node`) there are no comments and no broken lines to keep.
    """

    __slots__ = (
        "bodies",
        "comments",
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
        self.first_pending = (
            0  # all comments before this one are taken, or belong to text around a heredoc
        )

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
        measure.run(lambda w: pieces, MAX_LINE_WIDTH)
        return measure.width > MAX_LINE_WIDTH

    # ------------------------------------------------------------ what the source looked like

    def is_broken(self, start: int, end: int) -> bool:
        """Whether a line of the source ends between two offsets."""
        return self.text.find("\n", start, end) >= 0

    def line_end_before(self, at: int) -> int:
        """Return the end of the previous line; -2 if the line has text before the offset."""
        text = self.text
        at -= 1
        while at >= 0 and text[at] in " \t":
            at -= 1
        if at < 0 or (text[at] == "\n" and not self.is_joined(at)):
            return at
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

    def is_first_on_line(self, at: int) -> bool:
        """Whether only blanks precede an offset on its line."""
        return self.line_end_before(at) != -2

    def is_behind_blank_line(self, at: int) -> bool:
        """Whether an offset is the first on its line, after a blank line."""
        line_end = self.line_end_before(at)
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


def indent(w: ScriptWriter) -> Pieces:
    """Indent the following lines one step more."""
    w.indentation += 1
    w.is_fresh = True
    return ()


def dedent(w: ScriptWriter) -> Pieces:
    """Indent the following lines one step less."""
    w.indentation -= 1
    w.is_fresh = False
    return ()


def line(w: ScriptWriter) -> Pieces:
    """End a line where a newline is a blank, as in a list or `[[ … ]]`, or an empty line."""
    w.break_line()
    return ()


def joined_line(w: ScriptWriter) -> Pieces:
    r"""`\` newline inside a word."""
    if not w.out[-1].endswith(LINE_JOIN):
        w.write(LINE_JOIN)
    return ()


def forbid_line_end(w: ScriptWriter) -> Pieces:
    """Forbid the line to end after a carriage return or the `{` of `key={`."""
    w.must_not_end = True
    return ()


def newline(w: ScriptWriter) -> Pieces:
    """End a line among commands; the bodies of its heredocs follow."""
    if not w.out and not w.bodies and not w.outside:
        return ()  # nothing stands before the first line
    w.break_line()
    if not w.pending:
        return ()
    pieces: list[Piece] = []
    for heredoc in w.pending:
        pieces += body_of(heredoc)
    w.pending = []
    return pieces


def broken_line(w: ScriptWriter) -> Pieces:
    r"""`\` newline between words."""
    w.write(" \\")
    w.break_line()
    return ()


def gap(end: int, ending: Mark = newline, *, is_last: bool = False, blanks: bool = True) -> Mark:
    """Return a line's end and the comments before an offset of the source.

    The first comment stays on its line if it followed something there. With `is_last` the block
    closes at the offset, so no blank line follows.
    """

    def write_lines(w: ScriptWriter) -> Pieces:
        pieces: list[Piece] = []
        while (index := w.next_comment(end)) >= 0:
            if blanks and not w.is_fresh and w.is_behind_blank_line(w.starts[index]):
                pieces.append(line)
            pieces += (w.take_comment(index), ending)
            w.is_fresh = False
        if blanks and w.text and not is_last and not w.is_fresh and w.is_behind_blank_line(end):
            pieces.append(line)
        w.is_fresh = False
        return pieces

    return lambda w: (comment_behind(end, ending), ending, write_lines)


def comment_behind(end: int, ending: Mark = newline) -> Mark:
    """Return the first comment before an offset, if it followed something on its line."""

    def write_comment(w: ScriptWriter) -> Pieces:
        # A comment inside a heredoc's body is written with the body.
        limit = min(end, w.pending[0].body.start) if w.pending and ending is newline else end
        index = w.next_comment(limit)
        if index < 0 or not w.out or w.is_first_on_line(w.starts[index]):
            return ()
        return (LINE_JOIN if w.must_not_end else "", " " + w.take_comment(index))

    return write_comment


# ---------------------------------------------------------------- heredocs


def body_of(heredoc: ast.Heredoc) -> Pieces:
    """Return a heredoc's lines, not indented."""
    if heredoc.quoted:
        inside = LITERAL_CONTEXT
    else:
        inside = HEREDOC_DOLLAR_CONTEXT if "$" in heredoc.delimiter else HEREDOC_CONTEXT

    def begin(w: ScriptWriter) -> Pieces:
        w.bodies.append(HeredocState(w))
        w.out, w.pending, w.indentation, w.is_line_start = [], [], 0, False
        w.first_pending = bisect_left(w.starts, heredoc.body.start)
        return ()

    def end(w: ScriptWriter) -> Pieces:
        text = "".join(w.out)
        around = w.bodies.pop()
        w.out, w.pending = around.out, around.pending
        w.indentation, w.first_pending = around.indentation, around.low
        w.out.append(with_kept_tabs(text) if heredoc.strips and not heredoc.quoted else text)
        w.out.append(heredoc.delimiter)
        w.break_line()
        return ()

    return (begin, (heredoc.body, inside), end)
