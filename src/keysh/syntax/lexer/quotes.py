r"""Quoted text: `'…'`, `"…"`, `$'…'`, `` `…` `` and the bodies of heredocs."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.syntax.lexer.cursor import Cursor, LexicalMode, ScanAborted
from keysh.syntax.lexer.lexeme import Lexeme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.syntax.lexer.cursor import Action, Rules

NAME_SYNTAX = r"[A-Za-z_]\w*+"
VARIABLE_SYNTAX = rf"\$({NAME_SYNTAX}|[0-9@*#?$!-])"
BRACED_VARIABLE = rf"\$\{{({NAME_SYNTAX}|[0-9]++|[@*#?$!-])\}}"
JOINED_VARIABLE = rf"\$({NAME_SYNTAX}(?>(?:\\\n\w++)+))"  # over two lines
SINGLE_QUOTED = r"'([^']*+)'"
ANSI_QUOTED = r"\$('(?>(?:[^'\\]++|\\.)*)')"
PLAIN_DOUBLE_QUOTED = r'\$?"([^"$`\\]*+)"'
INTERPOLATED_DOUBLE = rf'"((?>(?:[^"$`\\]++|\$(?:{NAME_SYNTAX}|[0-9@*#?$!-]))+))"'
VARIABLE_NAME = Lexeme(rf"{NAME_SYNTAX}(?>(?:\\\n\w++)*)|[0-9@*#?$!-]")
EXPANSION_OPENER = Lexeme(r"\(\(?|\{")
QUOTED_MODES = ("double", "json_double", "heredoc", "quoted_operand", "single_operand")
VARIABLE_SPLITTER = Lexeme(VARIABLE_SYNTAX)

ANSI_ESCAPES = {
    "a": b"\a", "b": b"\b", "e": b"\x1b", "E": b"\x1b", "f": b"\f", "n": b"\n", "r": b"\r",
    "t": b"\t", "v": b"\v", "\\": b"\\", "'": b"'", '"': b'"', "?": b"?",
}  # fmt: skip
# \x{41}   \x41   \u20ac   \U0001f600
NUMBERED_ESCAPE = Lexeme(
    r"x(?:\{([0-9a-fA-F]*+)\}?|([0-9a-fA-F]{1,2}))|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})"
)
JSON_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/"}


def open_double(cursor: Cursor, value: str, start: int) -> None:
    """`"`: pieces up to the closing quote."""
    cursor.emit("DOUBLE_OPEN", value, start)
    cursor.push('"', start, "double")


def close_double(cursor: Cursor, value: str, start: int) -> None:
    """The quote that ends `"…"`."""
    cursor.emit("DOUBLE_CLOSE", value, start)
    cursor.pop()


def open_expression(cursor: Cursor, value: str, start: int) -> None:
    """`$((`: arithmetic up to `))`."""
    way = cursor.way_to_read(start)
    if way == "parentheses":
        cursor.offset -= 1
        open_substitution(cursor, "$(", start)
        return
    cursor.emit("EXPRESSION_OPEN", value, start)
    cursor.push("$((", start, "arithmetic_text" if way else "arithmetic")


def open_substitution(cursor: Cursor, value: str, start: int) -> None:
    """`$(`, `<(` and `>(`: commands up to `)`."""
    cursor.emit("SUBSTITUTION_OPEN" if value == "$(" else "PROCESS_OPEN", value, start)
    cursor.push(value, start, "command")
    cursor.word_position = 0


def open_expansion(cursor: Cursor, value: str, start: int) -> None:
    """`${` in a bare word."""
    if cursor.reread and take_bad_substitution(cursor, start):
        return
    cursor.emit("EXPANSION_OPEN", value, start)
    cursor.push("${", start, "expansion")


def take_bad_substitution(cursor: Cursor, start: int) -> bool:
    """`${…}` that a first scan could not read: a variable whose name is the text inside.

    Return whether it is one.
    """
    if cursor.way_to_read(start) != "substitution":
        return False
    from keysh.syntax.rereading import end_of_expansion  # noqa: PLC0415 - only for an error

    end = end_of_expansion(cursor.text, start + 2)
    if end is None:
        return False
    cursor.offset = end + 1
    cursor.emit("VARIABLE", cursor.text[start + 2 : end], start + 2)
    return True


def open_quoted_expansion(cursor: Cursor, value: str, start: int) -> None:
    """`${` inside `"…"` or a heredoc, where `w` in `${x:-w}` is quoted text too."""
    if cursor.reread and take_bad_substitution(cursor, start):
        return
    cursor.emit("EXPANSION_OPEN", value, start)
    cursor.push("${", start, "quoted_expansion")


def open_brackets(cursor: Cursor, value: str, start: int) -> None:
    """`$[`: arithmetic up to `]`, an older spelling of `$((…))`."""
    cursor.emit("EXPRESSION_OPEN", value, start)
    cursor.push("$[", start, "arithmetic")


def joined_variable(cursor: Cursor, value: str, start: int) -> None:
    """A name that continues on the next line; as with `${x}`, its token is longer than it."""
    cursor.emit("VARIABLE", value.replace("\\\n", ""), start + 1)


def refuse_broken(cursor: Cursor, start: int, what: str) -> None:
    """Report a line broken inside a token, which sh would join before reading."""
    cursor.report(
        "E101", start, cursor.offset, f"a broken line inside {what}", "`\\`", "write it on one line"
    )


def broken_dollar(cursor: Cursor, value: str, start: int) -> None:
    """`$` at the end of a line, with the rest of the expansion on the next one."""
    opener = EXPANSION_OPENER.match(cursor.text, cursor.offset)
    if opener is not None:
        cursor.offset = opener.end()
        is_quoted = cursor.mode is not None and cursor.mode.name in QUOTED_MODES
        open_curly = open_quoted_expansion if is_quoted else open_expansion
        open_rest = {"((": open_expression, "(": open_substitution, "{": open_curly}[opener[0]]
        open_rest(cursor, "$" + opener[0], start)
        return
    name = VARIABLE_NAME.match(cursor.text, cursor.offset)
    assert name is not None  # the rule looks ahead
    cursor.offset = name.end()
    cursor.emit("VARIABLE", name[0].replace("\\\n", ""), start + 1)


def skip_newline(cursor: Cursor, value: str, start: int) -> None:
    r"""`\` newline joins lines, anywhere but in single quotes."""


def unclosed_single(cursor: Cursor, value: str, start: int) -> None:
    """Report a single quote that is not closed."""
    cursor.stop_unclosed(start, value, "'")


def decode_ansi(cursor: Cursor, value: str, start: int) -> None:
    """`$'…'`: the token's value has the escapes decoded."""
    text = ansi_text(value[1:-1])
    if "\0" in text and cursor.source.dialect is BASH:
        text = text[: text.index("\0")]  # the string of C ends there
    cursor.emit("ANSI", text, start)


def ansi_text(value: str) -> str:
    """Decode C's escapes; bytes given as octal or hex numbers join to UTF-8 characters."""
    if "\\" not in value:
        return value
    out = bytearray()
    i = 0
    while i < len(value):
        char, after = value[i], value[i + 1 : i + 2]
        if char != "\\":
            out += char.encode("utf-8", "surrogateescape")
            i += 1
        elif after in ANSI_ESCAPES:
            out += ANSI_ESCAPES[after]
            i += 2
        elif after in "01234567":
            digits = leading_digits(value, i + 1, 3, "01234567")
            out.append(int(digits, 8) & 255)
            i += 1 + len(digits)
        elif number := NUMBERED_ESCAPE.match(value, i + 1):
            code = int(number[1] or number[2] or number[3] or number[4] or "0", 16)
            out += code_bytes(code) if after in "uU" else bytes([code & 255])
            i = number.end()
        elif after == "c" and i + 2 < len(value):
            control, *rest = value[i + 2].encode("utf-8", "surrogateescape")
            out += bytes([127 if control == 63 else control & 31, *rest])
            i += 4 if value[i + 2 : i + 4] == "\\\\" else 3
        else:
            out += b"\\"
            i += 1
    return out.decode("utf-8", "surrogateescape")


def code_bytes(code: int) -> bytes:
    """Encode a code point in UTF-8; like bash also one beyond Unicode, in up to six bytes."""
    if code < 0x110000:
        return chr(code).encode("utf-8", "surrogatepass")
    count = 4 if code < 0x200000 else 5 if code < 0x4000000 else 6 if code < 0x80000000 else 0
    if not count:
        return b""
    tail = [0x80 | code >> 6 * i & 0x3F for i in range(count - 1)]
    return bytes([(0xF00 >> count & 0xFF) | code >> 6 * (count - 1), *reversed(tail)])


def leading_digits(text: str, start: int, most: int, digits: str) -> str:
    """Return the run of digits at an offset, up to a length."""
    end = start
    while end < len(text) and end - start < most and text[end] in digits:
        end += 1
    return text[start:end]


def decode_json(cursor: Cursor, value: str, start: int) -> None:
    r"""`\n` and other escapes of JSON, which `"…"` in a command lacks."""
    cursor.emit("TEXT", JSON_ESCAPES[value], start)


def decode_json_unicode(cursor: Cursor, value: str, start: int) -> None:
    r"""`\u00e9`; surrogates come in pairs."""
    units = b"".join(int(unit, 16).to_bytes(2, "big") for unit in value.split("\\u"))
    try:
        text = units.decode("utf-16-be")
    except UnicodeDecodeError:
        cursor.report(
            "E120",
            start - 2,
            cursor.offset,
            "half of a surrogate pair is not a character",
            f"`\\u{value}`",
            "write both halves, or `$'\\U…'`",
        )
        text = ""
    cursor.emit("TEXT", text, start)


def backticks(cursor: Cursor, value: str, start: int) -> None:
    r"""`` `…` `` in a bare word."""
    scan_backticks(cursor, start, "$`\\")


def quoted_backticks(cursor: Cursor, value: str, start: int) -> None:
    r"""`` `…` `` inside `"…"`, where `\"` is an escape too."""
    scan_backticks(cursor, start, '$`\\"')


def scan_backticks(cursor: Cursor, start: int, escapable: str) -> None:
    r"""Scan the text between the ticks, less one layer of `\`, as a script of its own."""
    text, pos = cursor.text, cursor.offset
    body: list[str] = []
    where: list[int] = []
    while (char := text[pos : pos + 1]) != "`":
        if pos >= cursor.tick_offset:
            cursor.look(pos)
        if not char:
            cursor.stop_unclosed(start, "`", "`")
        if char == "\\" and (after := text[pos + 1 : pos + 2]):
            if after not in escapable:
                body.append(char)
                where.append(pos)
            pos += 1
            char = after
        body.append(char)
        where.append(pos)
        pos += 1
    where.append(pos)
    cursor.emit("SUBSTITUTION_OPEN", "`", start)
    cursor.push("`", start, "command")
    inner = Cursor(
        cursor.source,
        "".join(body),
        cursor.modes,
        "command",
        [cursor.offsets[i] for i in where],
        cursor.depth,
        cursor.reread,
        cursor.tick,
    )
    inner.run()
    absorb_cursor(cursor, inner, where)
    cursor.pop()
    cursor.offset = pos + 1
    cursor.emit("SUBSTITUTION_CLOSE", "`", pos)
    if inner.is_stopped:
        raise ScanAborted


def absorb_cursor(cursor: Cursor, inner: Cursor, where: Sequence[int]) -> None:
    """Take over the tokens and findings of a cursor on a part of this text."""
    cursor.tokens.extend((kind, value, where[a], where[b]) for kind, value, a, b in inner.tokens)
    cursor.trivia.extend((kind, where[a], where[b]) for kind, a, b in inner.trivia)
    cursor.diagnostics.extend(inner.diagnostics)
    for heredoc in inner.heredocs:  # they include the pending ones
        heredoc.move_into(where)
    cursor.heredocs.extend(inner.heredocs)
    cursor.pending.extend(inner.pending)


def end_of_text(cursor: Cursor) -> None:
    """End the text: inside quotes some rule matches anywhere else. The parser reports the quote."""
    cursor.finish()


BROKEN_DOLLAR: tuple[str, Action] = (r"(\$(?>(?:\\\n)+))(?=[A-Za-z_0-9{(@*#?$!-])", broken_dollar)

INTERPOLATION_RULES: Rules = [
    (JOINED_VARIABLE, joined_variable),
    (VARIABLE_SYNTAX, "VARIABLE"),
    (BRACED_VARIABLE, "VARIABLE"),
    (r"(\$\(\()", open_expression),
    (r"(\$\()", open_substitution),
    (r"(\$\{)", open_quoted_expansion),
    (r"(\$\[)", open_brackets),
    (r"(`)", quoted_backticks),
    BROKEN_DOLLAR,
    (r"(\$)", "TEXT"),
    (r"\\([$`\\])", "TEXT"),
    (r"(\\\n)", skip_newline),
]

DOUBLE_RULES: Rules = [
    (r'([^"$`\\]++)', "TEXT"),
    (r'(")', close_double),
    *INTERPOLATION_RULES,
    (r'\\(")', "TEXT"),
]

MODES = [
    LexicalMode("double", [*DOUBLE_RULES, (r"(\\)", "TEXT")], end_of_text),
    LexicalMode(
        "json_double",
        [
            *DOUBLE_RULES,
            (r"\\([ntrbf/])", decode_json),
            (r"\\u([0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*)", decode_json_unicode),
            (r"(\\)", "TEXT"),
        ],
        end_of_text,
    ),
    LexicalMode(
        "heredoc",
        [(r"([^$`\\]++)", "TEXT"), (r"(`)", backticks), *INTERPOLATION_RULES, (r"(\\)", "TEXT")],
        end_of_text,
    ),
]
