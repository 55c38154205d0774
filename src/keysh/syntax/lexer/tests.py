"""`[[ … ]]`: operands, operators, patterns and regular expressions."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import Cursor, Mode
from keysh.syntax.lexer.lexeme import BLANK, SKIP
from keysh.syntax.lexer.quotes import (
    ANSI,
    BRACED_VARIABLE,
    INTERPOLATED_DOUBLE,
    PLAIN_DOUBLE,
    SINGLE,
    VARIABLE,
    VARIABLES,
    backticks,
    decode_ansi,
    end_of_text,
    open_double,
    open_expansion,
    open_expression,
    open_substitution,
    skip_newline,
    unclosed_single,
)
from keysh.syntax.lexer.values import comment, open_inner_list, open_record
from keysh.syntax.lexer.words import close_word, open_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules

END = r"(?=[ \t\n;|&<>)]|\Z)"
PLAIN = r"[^ \t\n\r;|&<>()$`\"'\\*?\[{~]++"


def operand(kind: str) -> Action:
    """An action for an operand of one token."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        s.emit(kind, value, start)
        s.mode = s.modes["test_operator"]

    return one_token


def interpolated(s: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    s.emit("INTERPOLATED", VARIABLES.split(value), start)
    s.mode = s.modes["test_operator"]


def composite(s: Cursor, value: str, start: int) -> None:
    """An operand of several pieces."""
    s.mode = s.modes["test_operator"]
    open_word(s, start, "word")


def regex(s: Cursor, value: str, start: int) -> None:
    """The right side of `=~`."""
    s.mode = s.modes["test_operator"]
    open_word(s, start, "regex")


def unary(s: Cursor, value: str, start: int) -> None:
    """`-f`: an operand follows."""
    s.emit("TEST_UNARY", value, start)
    s.mode = s.modes["test_operand"]


def binary(s: Cursor, value: str, start: int) -> None:
    """`==`: an operand follows; behind `=~` it is a regular expression."""
    s.emit("TEST_BINARY", value, start)
    s.mode = s.modes["test_regex" if value in ("=~", "!~") else "test_operand"]


def contained(s: Cursor, value: str, start: int) -> None:
    """`in`: a value follows."""
    s.emit("TEST_IN", "in" if value == "in" else "not in", start)
    s.mode = s.modes["test_value"]


def right_list(s: Cursor, value: str, start: int) -> None:
    """`in [a, b]`."""
    s.mode = s.modes["test_operator"]
    open_inner_list(s, value, start)


def right_record(s: Cursor, value: str, start: int) -> None:
    """`in {a: 1}`."""
    s.mode = s.modes["test_operator"]
    open_record(s, value, start)


def connect(s: Cursor, value: str, start: int) -> None:
    """`&&` and `||`: another condition follows."""
    s.emit("AND_IF" if value == "&&" else "OR_IF", value, start)
    s.mode = s.modes["test"]


def open_group(s: Cursor, value: str, start: int) -> None:
    """`(`: a condition up to `)`."""
    s.emit("T_OPEN", value, start)
    s.mode = s.modes["test_operator"]
    s.push("(", start, "test")


def close_group(s: Cursor, value: str, start: int) -> None:
    """`)`, which may close nothing; the parser says so."""
    s.emit("T_CLOSE", value, start)
    if s.top() == "(":
        s.pop()


def close_test(s: Cursor, value: str, start: int) -> None:
    """`]]`."""
    while s.top() == "(":
        s.pop()
    s.emit("TEST_CLOSE", value, start)
    s.pop()


def stray(s: Cursor) -> None:
    """The text has ended, or holds what a condition does not."""
    pos = BLANK.end(s.text, s.pos)
    if pos >= len(s.text):
        s.finish()
        return
    s.pos = pos + 1
    if s.text[pos] == ";":
        refuse_end(s, pos)
        return
    s.report(
        "E108",
        pos,
        pos + 1,
        "cannot stand in `[[ … ]]`",
        f"`{s.text[pos]}`",
        f"write `{s.text[pos] * 2}`, or quote it" if s.text[pos] in "|&" else "quote it",
    )


def refuse_end(s: Cursor, pos: int) -> None:
    """A `;` in a condition ends it: most often the `]]` before it is missing or glued."""
    s.pos = pos
    while s.top() == "(":
        s.pop()
        s.tokens.append(("T_CLOSE", ")", pos, pos))
    start = s.stack[-1][1]
    before = s.text[start:pos].rstrip()
    fix = "put a blank before the `]]`" if before.endswith("]]") else "add ` ]]`"
    s.report("E102", start, start + 2, "not closed before `;`", "`[[`", fix)
    s.tokens.append(("TEST_CLOSE", "]]", pos, pos))
    s.pop()


def open_inner(s: Cursor, value: str, start: int) -> None:
    """`(` in a regular expression: blanks are text up to its `)`."""
    s.emit("TEXT", value, start)
    s.push("(", start, "inner_regex")


def close_inner(s: Cursor, value: str, start: int) -> None:
    """The `)` that goes with it."""
    s.emit("TEXT", value, start)
    s.pop()


OPERANDS: Rules = [
    (r"(\#[^\n]*+)", comment),
    (rf"({PLAIN}{END})", operand("WORD")),
    (rf"{VARIABLE}{END}", operand("VARIABLE")),
    (rf"{BRACED_VARIABLE}{END}", operand("VARIABLE")),
    (rf"{PLAIN_DOUBLE}{END}", operand("DOUBLE")),
    (rf"{INTERPOLATED_DOUBLE}{END}", interpolated),
    (rf"{SINGLE}{END}", operand("SINGLE")),
    (r"(?=([^;|&<>()]))", composite),
]
CLOSE = (rf"(\]\]){END}", close_test)
GROUPS = [(r"(\()", open_group), (r"(\))", close_group)]
CONNECT = (r"(&&|\|\|)", connect)

REGEX_PIECES: Rules = [
    (VARIABLE, "VARIABLE"),
    (BRACED_VARIABLE, "VARIABLE"),
    (SINGLE, "SINGLE"),
    (PLAIN_DOUBLE, "DOUBLE"),
    (r'(\$?")', open_double),
    (r"(\$\(\()", open_expression),
    (r"(\$\()", open_substitution),
    (r"(\$\{)", open_expansion),
    (r"(\\\n)", skip_newline),
    (r"\\(.)", "ESCAPED"),
    (r"(`)", backticks),
    (ANSI, decode_ansi),
    (r"(\$?')", unclosed_single),
    (r"(\()", open_inner),
    (r"(\$)", "TEXT"),
]

MODES = [
    Mode(
        "test",
        [
            CLOSE,
            (r"(-(?:[a-hknoprstuvwxzGLNORS]|list|record))(?=[ \t\n])", unary),
            (r"(!)(?=[ \t\n(])", "BANG"),
            *GROUPS,
            CONNECT,
            *OPERANDS,
        ],
        stray,
        skip=SKIP,
    ),
    Mode(
        "test_operator",
        [
            CLOSE,
            CONNECT,
            *GROUPS,
            (r"(==|=~|!=|!~|=|<|>)", binary),
            (r"(-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[ \t\n])", binary),
            (r"(in|not[ \t]+in)(?=[ \t\n])", contained),
            *OPERANDS,
        ],
        stray,
        skip=SKIP,
    ),
    Mode("test_operand", [CLOSE, CONNECT, *GROUPS, *OPERANDS], stray, skip=SKIP),
    Mode(
        "test_value",
        [CLOSE, (r"(\[)", right_list), (r"(\{)", right_record), *GROUPS, CONNECT, *OPERANDS],
        stray,
        skip=SKIP,
    ),
    Mode("test_regex", [CLOSE, (r"(?=([^;&<>]))", regex)], stray, skip=SKIP),
    Mode("regex", [(r"([^ \t\n$`\"'\\();&<>]++)", "TEXT"), *REGEX_PIECES], close_word),
    Mode(
        "inner_regex",
        [(r"([^$`\"'\\()]++)", "TEXT"), (r"(\))", close_inner), *REGEX_PIECES],
        end_of_text,
    ),
]
