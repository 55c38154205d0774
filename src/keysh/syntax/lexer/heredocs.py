"""Heredocs: an operator with a delimiter, and a body after the next newline."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.syntax.lexer.cursor import Cursor, Heredoc
from keysh.syntax.lexer.lexeme import Lexeme

DELIMITER_WORD = Lexeme(r"[ \t]*((?>(?:'[^'\n]*+'|\"[^\"\n]*+\"|\\.|[^ \t\n\r;|&<>()'\"\\]++)+))")
OPEN_QUOTE = Lexeme(r"[ \t]*(['\"])")
QUOTED_PIECE = Lexeme(r"'([^']*)'|\"([^\"]*)\"|\\(.)")


def open_heredoc(s: Cursor, value: str, start: int) -> None:
    """`<<` or `<<-` with a delimiter; quoting the delimiter makes the body literal."""
    m = DELIMITER_WORD.match(s.text, s.offset)
    if m is None:
        quote = OPEN_QUOTE.match(s.text, s.offset)
        if quote is not None:
            s.offset = quote.end()
            s.stop_unclosed(s.offset - 1, quote[1], quote[1])
        fix = f"write `{value}EOF`"
        s.report("E116", start, s.offset, "a delimiter must follow", f"`{value}`", fix)
        word = "EOF"
    else:
        word = m[1]
        s.offset = m.end()
    delimiter = "".join(piece for piece in QUOTED_PIECE.split(word) if piece)
    heredoc = Heredoc(start, s.offset, delimiter, delimiter != word, value == "<<-")
    if m is not None:
        s.pending.append(heredoc)
        s.heredocs.append(heredoc)
    s.emit("HEREDOC_OPEN", heredoc, start)
    if s.word_position == 0:  # the command's name has not been read
        s.word_position = 2


def read_bodies(s: Cursor) -> None:
    """Read the bodies of all pending heredocs from the lines at the cursor."""
    for heredoc in s.pending:
        read_body(s, heredoc)
    s.pending.clear()


def read_body(s: Cursor, heredoc: Heredoc) -> None:
    """Read lines up to the delimiter."""
    text, delimiter = s.text, heredoc.delimiter
    lines: list[str] = []
    offsets: list[int] = []
    joined = ""  # the start of a continued line, as far as it matters
    first = 0  # the number of lines before it
    pos = s.offset
    while pos < len(text):
        end = text.find("\n", pos)
        end = len(text) if end < 0 else end
        begin = pos
        if heredoc.strips and first == len(lines):
            while begin < end and text[begin] == "\t":
                begin += 1
        if joined + text[begin:end] == delimiter:
            s.offset = min(end + 1, len(text))
            heredoc.body = "".join(lines[:first])
            size = len(heredoc.body)
            heredoc.offsets = [*offsets[:size], offsets[size] if joined else pos]
            return
        line = text[begin : end + 1]
        lines.append(line)
        offsets.extend(range(begin, begin + len(line)))
        if not heredoc.quoted and has_escaped_newline(line):
            joined = (joined + line[:-2])[: len(delimiter) + 1]
        else:
            joined, first = "", len(lines)
        pos = end + 1
    s.is_incomplete = True
    s.stop(
        "E103",
        heredoc.start,
        heredoc.end,
        "not closed",
        f"`{shorten(text[heredoc.start : heredoc.end])}`",
        missing_end_fix(s, heredoc),
    )


def missing_end_fix(s: Cursor, heredoc: Heredoc) -> str:
    """Return the fix, which names a line that was meant as the delimiter."""
    name, pos = shorten(heredoc.delimiter), s.offset
    for line in s.text[pos:].split("\n"):
        word = line.strip(" \t);|&\"'`")
        if word == heredoc.delimiter and word:
            number = s.source.position(s.offsets[pos])[0]
            return f"write nothing but `{name}` on line {number}"
        pos += len(line) + 1
    return f"add a line that is `{name}` and nothing else" if name else "add an empty line"


def has_escaped_newline(line: str) -> bool:
    """Whether a line's newline is escaped."""
    body = line[:-1]
    return line.endswith("\n") and (len(body) - len(body.rstrip("\\"))) % 2 == 1
