"""Text as it is written: bare, in each style of quotes, and in a heredoc."""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.syntax.printer.print_context import (
    DOUBLE_CONTEXT,
    EXPANSION_STARTERS,
    HEREDOC_DOLLAR_CONTEXT,
    JSON_CONTEXT,
    LITERAL_CONTEXT,
    PrintContext,
)

# A backslash and a newline stand for nothing, but keep the text around them apart. They are kept
# from the source, and added where two characters must not meet.
LINE_JOIN = "\\\n"
BEFORE_JOIN = r"\g<0>\\\n"
JOINED_LINES = re.compile(r"\\+\n")
BACKSLASH_PIECE = re.compile(r"\\\n|\\.|[^\\]+|\\", re.DOTALL)
SAFE_TEXT = re.compile(r"[\w./,:%^=-]*+")
DOLLAR_MEETS = re.compile(EXPANSION_STARTERS, re.ASCII)

ANSI_SPECIAL = re.compile(r"[^ -&(-\[\]-~]")
ANSI_NAMES = {
    "\a": "\\a", "\b": "\\b", "\x1b": "\\e", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    "\v": "\\v", "\\": "\\\\", "'": "\\'",
}  # fmt: skip
JSON_NAMES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def printed_text(
    source: str, text: ast.Text, following: str, context: PrintContext, is_first: bool
) -> str:
    """Return unquoted text; `following` is the next character of the word, if any."""
    value = text.value
    is_whole = text.end - text.start == len(value)  # no line was joined in it
    if is_whole and not following and SAFE_TEXT.fullmatch(value):
        return value
    segments = [value]
    if not is_whole:
        kept = JOINED_LINES.split(source[text.start : text.end])
        if "".join(kept) == value:
            segments = kept
    result = LINE_JOIN.join([context.joined_where.sub(BEFORE_JOIN, part) for part in segments])
    if needs_join(value, following, is_first and context.has_spreads):
        return result + LINE_JOIN
    return result


def needs_join(value: str, following: str, may_be_spread: bool) -> bool:
    """Whether the end of a text must be kept apart from what follows."""
    if not following:
        return False
    if value[-1:] == "$":
        return DOLLAR_MEETS.match(following) is not None
    return may_be_spread and value == "..." and following in "$\"'"


def quoted_text(
    source: str, start: int, end: int, value: str, context: PrintContext, is_end: bool
) -> str:
    """Return text in double quotes or a heredoc; with `is_end` nothing follows it there."""
    segments = [value]
    if context is not JSON_CONTEXT and source.find("\n", start, end) >= 0:
        kept = joined_segments(source[start:end], context)
        if "".join(kept) == value:
            segments = kept
    last = len(segments) - 1
    return LINE_JOIN.join(
        [escaped_text(part, context, is_end and i == last) for i, part in enumerate(segments)]
    )


def joined_segments(raw: str, context: PrintContext) -> list[str]:
    """Return the values of the lines that the source joins in a quoted text."""
    segments = [""]
    for piece in BACKSLASH_PIECE.findall(raw):
        if piece == LINE_JOIN:
            segments.append("")
        else:
            segments[-1] += context.escape.sub(r"\1", piece)
    return segments


def escaped_text(value: str, context: PrintContext, is_end: bool) -> str:
    r"""Return text with a `\` where the context needs one; a final `$` or `\` may meet the next."""
    result = context.special.sub(json_escape if context is JSON_CONTEXT else r"\\\g<0>", value)
    if value[-1:] == "$" and not is_end and context is not HEREDOC_DOLLAR_CONTEXT:
        return result[:-1] + "\\$"
    # At the end a backslash meets the closing quote; a heredoc's text ends in a newline.
    if value[-1:] == "\\" and context is not JSON_CONTEXT:
        return result + "\\"
    return result


def json_escape(match: re.Match[str]) -> str:
    r"""`\"`, `\n`, `\u0001`."""
    char = match[0]
    if char in JSON_NAMES:
        return JSON_NAMES[char]
    return f"\\u{ord(char):04x}" if char < " " or char == "\x7f" else "\\" + char


def ansi_escape(match: re.Match[str]) -> str:
    r"""`\n`, `\x01`; a byte that is not UTF-8 is a lone surrogate in Python."""
    char = match[0]
    code = ord(char)
    if char in ANSI_NAMES:
        return ANSI_NAMES[char]
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if char.isprintable():
        return char
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def quoted_part(source: str, node: ast.Quoted, context: PrintContext) -> str:
    """Return a literal text in its style of quotes."""
    value, style = node.value, node.style
    if context is LITERAL_CONTEXT:
        return value
    if style == "'":
        return f"'{value}'"
    if style == "\\":
        return "\\" + value
    if style == "$'":
        return "$'" + ANSI_SPECIAL.sub(ansi_escape, value) + "'"
    inner = JSON_CONTEXT if context.is_json else DOUBLE_CONTEXT
    return '"' + quoted_text(source, node.start + 1, node.end - 1, value, inner, True) + '"'


def heredoc_delimiter(text: str, is_quoted: bool) -> str:
    """Return a heredoc's delimiter as written after `<<`."""
    if not is_quoted:
        return " " + text if text[0] == "-" else text
    if "'" not in text:
        return f"'{text}'"
    return '"\'"'.join([f"'{part}'" if part else "" for part in text.split("'")])


def with_kept_tabs(text: str) -> str:
    """Return the body of a `<<-` so that no line loses a tab which the source kept."""
    lines: list[str] = []
    is_joined = False
    for line in text.split("\n"):
        lines.append(line if is_joined or line[:1] != "\t" else LINE_JOIN + line)
        is_joined = (len(line) - len(line.rstrip("\\"))) % 2 == 1
    return "\n".join(lines)
