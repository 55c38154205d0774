"""Reserved words: what begins, goes on and ends a compound command, and heads of loops."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.positions import (
    CASE_IN,
    CASE_WORD,
    CLAUSE,
    CLOSED,
    END,
    FOR_IN,
    FOR_NAME,
    SPECIAL,
    START,
    WORDS,
)
from keysh.syntax.lexer.quotes import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE_NAME = Lexeme(rf"{NAME}\Z")
EMPTY_PARENTHESES = Lexeme(r"[ \t]*\([ \t]*\)")
FUNCTION_NAME = Lexeme(rf"[ \t]+([^{SPECIAL}]++)")
LINE_END = Lexeme(r"[ \t]*(?:\#[^\n]*)?\n")
TIME = Lexeme(rf"([ \t]+-p{END})?(?:[ \t]+--{END})?")
OPENS = {
    "if": "IF", "then": "THEN", "elif": "ELIF", "else": "ELSE", "while": "WHILE",
    "until": "UNTIL", "do": "DO", "{": "LEFT_BRACE", "!": "BANG",
}  # fmt: skip
CLOSES = {
    "fi": ("FI", ("if",)),
    "done": ("DONE", ("while", "until", "do")),
    "esac": ("ESAC", ("case",)),
    "}": ("RIGHT_BRACE", ("{",)),
}


def opens(s: Cursor, value: str, start: int) -> None:
    """A word behind which a command begins; some need a closing word."""
    s.emit(OPENS[value], value, start)
    s.at = CLOSED if value == "!" and LINE_END.match(s.text, s.pos) else START
    if value == "do" and s.top() == "for":
        s.pop()
        s.push("do", start, "command")
        s.at = START
    elif value in ("if", "while", "until", "{"):
        s.push(value, start, "command")


def closes(s: Cursor, value: str, start: int) -> None:
    """A word that ends a compound command. One that closes nothing is the parser's to refuse."""
    kind, openers = CLOSES[value]
    s.emit(kind, value, start)
    if s.top() in openers:
        s.pop()
        if value == "}" and s.top() == "for":  # `for … { … }`
            s.pop()
    s.at = CLOSED


def for_head(s: Cursor, value: str, start: int) -> None:
    """`for`: a name or `((` comes next."""
    s.emit("FOR", value, start)
    s.push("for", start, "command")
    s.at = FOR_NAME


def case_head(s: Cursor, value: str, start: int) -> None:
    """`case`: a word comes next."""
    s.emit("CASE", value, start)
    s.push("case", start, "command")
    s.at = CASE_WORD


def test_head(s: Cursor, value: str, start: int) -> None:
    """`[[`: a condition up to `]]`."""
    s.emit("TEST_OPEN", value, start)
    s.at = CLOSED
    s.push("[[", start, "test")


def timing(s: Cursor, value: str, start: int) -> None:
    """`time`, and its `-p` and `--`."""
    option = TIME.match(s.text, s.pos)
    assert option is not None
    s.pos = option.end()
    s.emit("TIME", "time -p" if option[1] else "time", start)
    s.at = CLOSED if LINE_END.match(s.text, s.pos) else START


def function_head(s: Cursor, value: str, start: int) -> None:
    """`function name`."""
    name = FUNCTION_NAME.match(s.text, s.pos)
    if name is None:
        s.stop("E117", start, s.pos, "`function` needs a name", "", "write `name() { …; }`")
    else:
        s.pos = name.end()
        function_name(s, name[1], start)


def function_name(s: Cursor, name: str, start: int) -> None:
    """A function's name, and `()` or `(` with its parameters."""
    empty = EMPTY_PARENTHESES.match(s.text, s.pos)
    s.at = START
    if empty:
        s.pos = empty.end()
    elif s.text.startswith("(", s.pos):
        s.pos += 1
        s.emit("FUNCTION_DECLARED", name, start)
        s.push("(", s.pos - 1, "declaration")
        return
    s.emit("FUNCTION", name, start)


def refused(s: Cursor, value: str, start: int) -> None:
    """A construct of bash that keysh leaves out."""
    instead = {
        "select": "print the choices and `read` the answer",
        "coproc": "run it in the background with `&` and files, or as a pipeline",
    }
    s.stop("E111", start, s.pos, "keysh does not have this construct", f"`{value}`", instead[value])


def loop_name(s: Cursor, value: str, start: int) -> None:
    """The variable of a `for` loop."""
    if not WHOLE_NAME.match(value, 0):
        s.report(
            "E118",
            start,
            s.pos,
            "not a variable's name",
            f"`{shortened(value)}`",
            "write `for name in words; do …; done`",
        )
    s.emit("NAME", value, start)
    s.at = FOR_IN


def head_in(s: Cursor, value: str, start: int) -> None:
    """The `in` of a head."""
    s.emit("IN", value, start)
    s.at = WORDS if s.at == FOR_IN else CLAUSE


RESERVED: dict[str, Callable[[Cursor, str, int], None]] = {
    **dict.fromkeys(OPENS, opens),
    **dict.fromkeys(CLOSES, closes),
    "for": for_head,
    "case": case_head,
    "[[": test_head,
    "time": timing,
    "function": function_head,
    "select": refused,
    "coproc": refused,
}
HEADS = {
    ("in", FOR_IN): head_in,
    ("do", FOR_IN): opens,
    ("{", FOR_IN): opens,
    ("in", CASE_IN): head_in,
    ("esac", CLAUSE): closes,
}
