"""Text as it is spelled: bare, in quotes of each style, and in the body of a heredoc."""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.syntax.printer.context import (
    DOUBLE_CONTEXT,
    EXPANSION_STARTERS,
    HEREDOC_DOLLAR_CONTEXT,
    JSON_CONTEXT,
    LITERAL_CONTEXT,
    PrintContext,
)

# A backslash and a newline are nothing, wherever they stand: what stood around them was never read
# together. They are kept where the source has them, and put where two characters must not meet.
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
    """Unquoted text; `following` is the character that stands behind it in the word, if any."""
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
    """Whether the end of a text must be parted from what stands behind it."""
    if not following:
        return False
    if value[-1:] == "$":
        return DOLLAR_MEETS.match(following) is not None
    return may_be_spread and value == "..." and following in "$\"'"


def quoted_text(
    source: str, start: int, end: int, value: str, context: PrintContext, is_end: bool
) -> str:
    """Text in double quotes or in a heredoc, where `is_end` says that nothing follows it there."""
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
    """The values of the lines that the source joins in a quoted text."""
    segments = [""]
    for piece in BACKSLASH_PIECE.findall(raw):
        if piece == LINE_JOIN:
            segments.append("")
        else:
            segments[-1] += context.escape.sub(r"\1", piece)
    return segments


def escaped_text(value: str, context: PrintContext, is_end: bool) -> str:
    r"""The text with a `\` where the context needs one; `$` and `\` may meet what comes next."""
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
    r"""`\n`, `\x01`; a byte that is no UTF-8 is a lone surrogate of Python's."""
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
    """A literal text in its style of quotes."""
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
    """A heredoc's delimiter as it stands behind `<<`."""
    if not is_quoted:
        return " " + text if text[0] == "-" else text
    if "'" not in text:
        return f"'{text}'"
    return '"\'"'.join([f"'{part}'" if part else "" for part in text.split("'")])


def with_kept_tabs(text: str) -> str:
    """The body of a `<<-` in which no line loses a tab that it did not lose in the source."""
    lines: list[str] = []
    is_joined = False
    for line in text.split("\n"):
        lines.append(line if is_joined or line[:1] != "\t" else LINE_JOIN + line)
        is_joined = (len(line) - len(line.rstrip("\\"))) % 2 == 1
    return "\n".join(lines)
