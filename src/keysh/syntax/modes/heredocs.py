"""Heredocs: an operator with a delimiter here, the body after the next newline."""

from __future__ import annotations

from keysh.diagnostics import shortened
from keysh.syntax.cursor import Cursor, Heredoc
from keysh.syntax.lexeme import Lexeme

DELIMITER = Lexeme(r"[ \t]*((?:'[^']*+'|\"[^\"]*+\"|\\.|[^ \t\n;|&<>()'\"\\])++)")
QUOTING = Lexeme(r"'([^']*)'|\"([^\"]*)\"|\\(.)")


def open_heredoc(s: Cursor, value: str, start: int) -> None:
    """`<<` and `<<-`, with the word that will end the body; quoting it makes the body literal."""
    m = DELIMITER.match(s.text, s.pos)
    if m is None:
        s.report("E116", start, s.pos, "a heredoc needs a delimiter", f"`{value}`", "write `<<EOF`")
        word = "EOF"
    else:
        word = m[1]
        s.pos = m.end()
    delimiter = "".join(piece for piece in QUOTING.split(word) if piece)
    heredoc = Heredoc(start, s.pos, delimiter, delimiter != word, value == "<<-")
    if m is not None:
        s.pending.append(heredoc)
        s.heredocs.append(heredoc)
    s.emit("HEREDOC_OPEN", heredoc, start)
    if s.at == 0:  # a command's name is still to come
        s.at = 2


def read_bodies(s: Cursor) -> None:
    """Take the bodies of all heredocs that wait from the lines at the cursor."""
    for heredoc in s.pending:
        read_body(s, heredoc)
    s.pending.clear()


def read_body(s: Cursor, heredoc: Heredoc) -> None:
    """The lines up to the one that is the delimiter."""
    text, delimiter = s.text, heredoc.delimiter
    lines: list[str] = []
    offsets: list[int] = []
    pos, is_joined = s.pos, False
    while pos < len(text):
        end = text.find("\n", pos)
        end = len(text) if end < 0 else end
        begin = pos
        if heredoc.strips and not is_joined:
            while begin < end and text[begin] == "\t":
                begin += 1
        if end - begin == len(delimiter) and text.startswith(delimiter, begin) and not is_joined:
            s.pos = min(end + 1, len(text))
            heredoc.body = "".join(lines)
            heredoc.offsets = [*offsets, begin]
            return
        line = text[begin : end + 1]
        is_joined = not heredoc.quoted and ends_in_backslash(line)
        lines.append(line)
        offsets.extend(range(begin, begin + len(line)))
        pos = end + 1
    s.is_incomplete = True
    s.stop(
        "E103",
        heredoc.start,
        heredoc.end,
        "the heredoc is not closed",
        f"no line is `{shortened(delimiter)}`",
        f"add a line that is `{shortened(delimiter)}` and nothing else",
    )


def ends_in_backslash(line: str) -> bool:
    """Whether the line's newline is escaped."""
    body = line[:-1]
    return line.endswith("\n") and (len(body) - len(body.rstrip("\\"))) % 2 == 1
