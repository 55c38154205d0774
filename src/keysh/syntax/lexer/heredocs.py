"""Heredocs: an operator with a delimiter, and a body after the next newline.

In the bash dialect the end of the text ends a heredoc, too, and in `$(…)` a line that only begins
with the delimiter and closes the substitution: `$(cat <<E … E)`. bash warns of both.
"""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax.lexer.cursor import Cursor, Heredoc
from keysh.syntax.lexer.lexeme import Lexeme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

# `EOF`, `'END'`, `"a b"c`, `$(a)`, which is no command here; `\` newline joins lines
DELIMITER_WORD = Lexeme(
    r"(?>(?:[ \t]|\\\n)*)"
    r"((?>(?:'[^'\n]*+'|\"[^\"\n]*+\"|\\.|\$\([^()\n'\"\\]*+\)|[^ \t\n\r;|&<>()'\"\\]++)+))"
)
SUBSTITUTION_OPENERS = ("$(", "<(", ">(")
OPEN_QUOTE = Lexeme(r"[ \t]*(['\"])")
QUOTED_PIECE = Lexeme(r"'([^']*)'|\"([^\"]*)\"|\\(.)")


def open_heredoc(cursor: Cursor, value: str, start: int) -> None:
    """`<<` or `<<-` with a delimiter; quoting the delimiter makes the body literal."""
    match = DELIMITER_WORD.match(cursor.text, cursor.offset)
    if match is None:
        quote = OPEN_QUOTE.match(cursor.text, cursor.offset)
        if quote is not None:
            cursor.offset = quote.end()
            cursor.stop_unclosed(cursor.offset - 1, quote[1], quote[1])
        fix = f"write `{value}EOF`"
        cursor.report("E116", start, cursor.offset, "a delimiter must follow", f"`{value}`", fix)
        word = "EOF"
    else:
        word = match[1].replace("\\\n", "")
        cursor.offset = match.end()
    delimiter = "".join(piece for piece in QUOTED_PIECE.split(word) if piece)
    heredoc = Heredoc(
        start, cursor.offset, delimiter, delimiter != word, value == "<<-", cursor.depth
    )
    if match is not None:
        cursor.pending.append(heredoc)
        cursor.heredocs.append(heredoc)
    cursor.emit("HEREDOC_OPEN", heredoc, start)
    if cursor.word_position == 0:  # the command's name has not been read
        cursor.word_position = 2


def read_bodies(cursor: Cursor) -> None:
    """Read the bodies of all pending heredocs from the lines at the cursor."""
    for heredoc in cursor.pending:
        read_body(cursor, heredoc)
    cursor.pending.clear()


def read_body(cursor: Cursor, heredoc: Heredoc) -> None:
    """Read lines up to the delimiter."""
    text, delimiter = cursor.text, heredoc.delimiter
    lines: list[str] = []
    offsets = listed_offsets(range(0)) if heredoc.strips else None
    begin = cursor.offset
    joined = ""  # the start of a continued line, as far as it matters
    first = 0  # the number of lines before it
    is_lenient = cursor.source.dialect.is_lenient
    closer = ")" if is_lenient and is_in_substitution(cursor) else ""
    pos = cursor.offset
    while pos < len(text):
        if pos >= cursor.tick_offset:
            cursor.look(pos)
        line_end = text.find("\n", pos)
        line_end = len(text) if line_end < 0 else line_end
        start = pos
        if heredoc.strips and first == len(lines):
            while start < line_end and text[start] == "\t":
                start += 1
        if joined + text[start:line_end] == delimiter:
            cursor.offset = min(line_end + 1, len(text))
            heredoc.body = "".join(lines[:first])
            size = len(heredoc.body)
            if offsets is not None:
                end = offsets[size] if joined else pos
                del offsets[size:]
                offsets.append(end)
            heredoc.offsets = range(begin, begin + size + 1) if offsets is None else offsets
            return
        if closer and text.startswith(delimiter, start) and closer in text[start:line_end]:
            cursor.offset = start + len(delimiter)
            end_unclosed(heredoc, lines, begin, pos, offsets)
            return
        line = text[start : line_end + 1]
        lines.append(line)
        if offsets is not None:
            offsets.extend(range(start, start + len(line)))
        if not heredoc.quoted and has_escaped_newline(line):
            joined = (joined + line[:-2])[: len(delimiter) + 1]
        else:
            joined, first = "", len(lines)
        pos = line_end + 1
    cursor.is_incomplete = True
    if is_lenient:
        cursor.offset = len(text)
        if lines and lines[-1][-1:] != "\n":
            lines.append("\n")
            if offsets is None:
                offsets = listed_offsets(range(begin, len(text)))
            offsets.append(len(text))
        end_unclosed(heredoc, lines, begin, len(text), offsets)
        return
    cursor.stop(
        "E103",
        heredoc.start,
        heredoc.end,
        "not closed",
        f"`{shorten(text[heredoc.start : heredoc.end])}`",
        missing_end_fix(cursor, heredoc, cursor.offset),
    )


def listed_offsets(places: range) -> array[int]:
    """Return offsets as a list, of eight bytes each, for a body that is not a piece of the text."""
    from array import array  # noqa: PLC0415 - only for `<<-`, and a body without its end

    return array("q", places)


def end_unclosed(
    heredoc: Heredoc, lines: list[str], begin: int, end: int, offsets: array[int] | None
) -> None:
    """End a heredoc without its line: everything that has been read is its body."""
    heredoc.body, heredoc.is_unclosed = "".join(lines), True
    if offsets is not None:
        offsets.append(end)
    heredoc.offsets = range(begin, end + 1) if offsets is None else offsets


def is_in_substitution(cursor: Cursor) -> bool:
    """Whether `$(` or `<(` is open."""
    return any(frame[0] in SUBSTITUTION_OPENERS for frame in cursor.stack)


def missing_end_fix(cursor: Cursor, heredoc: Heredoc, pos: int) -> str:
    """Return the fix, which names a line, at or after a position, that was meant as the end."""
    name = shorten(heredoc.delimiter)
    for line in cursor.text[pos:].split("\n"):
        if pos >= cursor.tick_offset:
            cursor.look(pos)
        word = line.strip(" \t);|&\"'`")
        if word == heredoc.delimiter and word:
            number = cursor.source.position(cursor.offsets[pos])[0]
            return f"write nothing but `{name}` on line {number}"
        pos += len(line) + 1
    return f"add a line that is `{name}` and nothing else" if name else "add an empty line"


def has_escaped_newline(line: str) -> bool:
    """Whether a line's newline is escaped."""
    body = line[:-1]
    return line.endswith("\n") and (len(body) - len(body.rstrip("\\"))) % 2 == 1
