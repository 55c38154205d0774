"""Reserved words: they begin, continue and end compound commands."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.positions import (
    AFTER_CLOSER,
    CASE_CLAUSE,
    CASE_IN,
    CASE_WORD,
    COMMAND_START,
    FOR_IN,
    FOR_NAME,
    FOR_WORDS,
    WORD_END,
    WORD_SPECIALS,
)
from keysh.syntax.lexer.quotes import NAME_SYNTAX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE_NAME = Lexeme(rf"{NAME_SYNTAX}\Z")
EMPTY_PARENTHESES = Lexeme(r"[ \t]*\([ \t]*\)")
FUNCTION_NAME = Lexeme(rf"[ \t]+([^{WORD_SPECIALS}]++)")
# A name is one only before a compound command.
COPROC_NAME = Lexeme(
    rf"[ \t]+({NAME_SYNTAX})(?=[ \t]+(?:[({{]|\[\[|(?:if|while|until|for|case|select)[ \t\n]))"
)
LINE_END = Lexeme(r"[ \t]*(?:\#[^\n]*)?\n")
TIME_KEYWORD_OPTIONS = Lexeme(rf"([ \t]+-p{WORD_END})?(?:[ \t]+--{WORD_END})?")
OPENING_KEYWORDS = {
    "if": "IF", "then": "THEN", "elif": "ELIF", "else": "ELSE", "while": "WHILE",
    "until": "UNTIL", "do": "DO", "{": "LEFT_BRACE", "!": "BANG",
}  # fmt: skip
CLOSING_KEYWORDS = {
    "fi": ("FI", ("if",)),
    "done": ("DONE", ("while", "until", "do")),
    "esac": ("ESAC", ("case",)),
    "}": ("RIGHT_BRACE", ("{",)),
}


def open_keyword(cursor: Cursor, value: str, start: int) -> None:
    """A word after which a command begins; some need a closing word."""
    cursor.emit(OPENING_KEYWORDS[value], value, start)
    cursor.word_position = (
        AFTER_CLOSER
        if value == "!" and LINE_END.match(cursor.text, cursor.offset)
        else COMMAND_START
    )
    if value == "do" and cursor.top() == "for":
        cursor.pop()
        cursor.push("do", start, "command")
        cursor.word_position = COMMAND_START
    elif value in ("if", "while", "until", "{"):
        cursor.push(value, start, "command")


def close_keyword(cursor: Cursor, value: str, start: int) -> None:
    """A word that ends a compound command; the parser refuses one that ends nothing."""
    kind, openers = CLOSING_KEYWORDS[value]
    cursor.emit(kind, value, start)
    if cursor.top() in openers:
        cursor.pop()
        if value == "}" and cursor.top() == "for":  # `for … { … }`
            cursor.pop()
    cursor.word_position = AFTER_CLOSER


def for_head(cursor: Cursor, value: str, start: int) -> None:
    """`for`: a name or `((` comes next."""
    cursor.emit("FOR", value, start)
    cursor.push("for", start, "command")
    cursor.word_position = FOR_NAME


def case_head(cursor: Cursor, value: str, start: int) -> None:
    """`case`: a word comes next."""
    cursor.emit("CASE", value, start)
    cursor.push("case", start, "command")
    cursor.word_position = CASE_WORD


def test_head(cursor: Cursor, value: str, start: int) -> None:
    """`[[`: a condition up to `]]`."""
    cursor.emit("TEST_OPEN", value, start)
    cursor.word_position = AFTER_CLOSER
    cursor.push("[[", start, "test")


def time_keyword(cursor: Cursor, value: str, start: int) -> None:
    """`time`, and its `-p` and `--`."""
    option = TIME_KEYWORD_OPTIONS.match(cursor.text, cursor.offset)
    assert option is not None
    cursor.offset = option.end()
    cursor.emit("TIME", "time -p" if option[1] else "time", start)
    cursor.word_position = (
        AFTER_CLOSER if LINE_END.match(cursor.text, cursor.offset) else COMMAND_START
    )


def function_head(cursor: Cursor, value: str, start: int) -> None:
    """`function name`."""
    name = FUNCTION_NAME.match(cursor.text, cursor.offset)
    if cursor.source.dialect is BASH:
        from keysh.syntax.lexer.function_names import FUNCTION_WORD  # noqa: PLC0415 - few scripts say `function`

        name = FUNCTION_WORD.match(cursor.text, cursor.offset)
    if name is None:
        cursor.stop(
            "E117", start, cursor.offset, "`function` needs a name", "", "write `name() { …; }`"
        )
    else:
        cursor.offset = name.end()
        function_name(cursor, name[1], start)


def function_name(cursor: Cursor, name: str, start: int) -> None:
    """A function's name, and `()` or `(` with its parameters."""
    empty = EMPTY_PARENTHESES.match(cursor.text, cursor.offset)
    cursor.word_position = COMMAND_START
    if empty:
        cursor.offset = empty.end()
    elif cursor.text.startswith("(", cursor.offset):
        cursor.offset += 1
        cursor.emit("FUNCTION_DECLARED", name, start)
        cursor.push("(", cursor.offset - 1, "declaration")
        return
    cursor.emit("FUNCTION", name, start)


def select_head(cursor: Cursor, value: str, start: int) -> None:
    """`select`, which only the bash dialect has: a name comes next."""
    if cursor.source.dialect is not BASH:
        refuse_keyword(cursor, value, start)
    cursor.emit("FOR", value, start)  # its value tells it from `for`
    cursor.push("for", start, "command")
    cursor.word_position = FOR_NAME


def coproc_head(cursor: Cursor, value: str, start: int) -> None:
    """`coproc`, which only the bash dialect has: a command comes next, or a name before it."""
    if cursor.source.dialect is not BASH:
        refuse_keyword(cursor, value, start)
    name = COPROC_NAME.match(cursor.text, cursor.offset)
    if name is not None:
        cursor.offset = name.end()
    cursor.emit("COPROC", name[1] if name else "COPROC", start)
    cursor.word_position = COMMAND_START


def refuse_keyword(cursor: Cursor, value: str, start: int) -> None:
    """Report a construct of bash that keysh lacks."""
    instead = {
        "select": "print the choices and `read` the answer",
        "coproc": "run it in the background with `&` and files, or as a pipeline",
    }
    cursor.stop(
        "E111",
        start,
        cursor.offset,
        "keysh does not have this construct",
        f"`{value}`",
        instead[value],
    )


def loop_name(cursor: Cursor, value: str, start: int) -> None:
    """The variable of a `for` loop; bash refuses what is no name when the loop runs."""
    if not WHOLE_NAME.match(value, 0) and cursor.source.dialect is not BASH:
        from keysh.diagnostics.display import shorten  # noqa: PLC0415 - only for an error

        cursor.report(
            "E118",
            start,
            cursor.offset,
            "not a variable's name",
            f"`{shorten(value)}`",
            "write `for name in words; do …; done`",
        )
    cursor.emit("NAME", value, start)
    cursor.word_position = FOR_IN


def in_keyword(cursor: Cursor, value: str, start: int) -> None:
    """The `in` of `for` and `case`."""
    cursor.emit("IN", value, start)
    cursor.word_position = FOR_WORDS if cursor.word_position == FOR_IN else CASE_CLAUSE


RESERVED_WORDS: dict[str, Callable[[Cursor, str, int], None]] = {
    **dict.fromkeys(OPENING_KEYWORDS, open_keyword),
    **dict.fromkeys(CLOSING_KEYWORDS, close_keyword),
    "for": for_head,
    "case": case_head,
    "[[": test_head,
    "time": time_keyword,
    "function": function_head,
    "select": select_head,
    "coproc": coproc_head,
}
HEAD_KEYWORDS = {
    ("in", FOR_IN): in_keyword,
    ("do", FOR_IN): open_keyword,
    ("{", FOR_IN): open_keyword,
    ("in", CASE_IN): in_keyword,
    ("esac", CASE_CLAUSE): close_keyword,
}
