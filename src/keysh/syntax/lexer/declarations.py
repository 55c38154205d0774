"""The parameters of a declared function: `f(host, port: int = 80, *more)`."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.quotes import NAME_SYNTAX
from keysh.syntax.lexer.values import comment
from keysh.syntax.lexer.words import refuse_carriage_return

TYPE_SYNTAX = Lexeme(rf"{SKIP}({NAME_SYNTAX})(\??)")
DECLARABLE_TYPES = ("string", "int", "float", "bool", "list", "record", "path", "any")


def parameter_type(cursor: Cursor, value: str, start: int) -> None:
    """`: type`, with `?` if it accepts null."""
    cursor.emit("COLON", value, start)
    match = TYPE_SYNTAX.match(cursor.text, cursor.offset)
    if match is None:
        return
    cursor.offset = match.end()
    if match[1] not in DECLARABLE_TYPES:
        cursor.report(
            "E117",
            match.start(1),
            match.end(1),
            "no such type",
            f"`{shorten(match[1])}`",
            "write one of " + ", ".join(DECLARABLE_TYPES),
        )
    cursor.tokens.append(("TYPE", match[1], match.start(1), match.end(1)))
    if match[2]:
        cursor.tokens.append(("QUESTION", "?", match.start(2), match.end(2)))


def default(cursor: Cursor, value: str, start: int) -> None:
    """`=`: one value follows."""
    cursor.emit("EQUALS", value, start)
    cursor.mode = cursor.modes["default"]


def close_parameters(cursor: Cursor, value: str, start: int) -> None:
    """`)`: the function's body comes next."""
    cursor.emit("PARAMETERS_CLOSE", value, start)
    cursor.pop()


def end_parameters(cursor: Cursor) -> None:
    """End the text, or report a character that no declaration contains."""
    pos = BLANK.end(cursor.text, cursor.offset)
    if pos >= len(cursor.text):
        cursor.finish()
        return
    cursor.offset = pos + 1
    if cursor.text.startswith("\r\n", pos):
        refuse_carriage_return(cursor, pos)
    fix = "write `name: type = default`, and `,` between parameters"
    if cursor.text[pos] in "\"'$0123456789" and cursor.tokens[-1][0] == "FUNCTION_DECLARED":
        name = cursor.tokens[-1][1]
        fix = f"write `{name} word …` to call it, `{name}(name) {{ …; }}` to define it"
    cursor.report(
        "E117", pos, pos + 1, "cannot appear among parameters", f"`{cursor.text[pos]}`", fix
    )


MODES = [
    LexicalMode(
        "declaration",
        [
            (rf"({NAME_SYNTAX})", "PARAMETER_NAME"),
            (r"(\*)", "STAR"),
            (r"(:)", parameter_type),
            (r"(=)", default),
            (r"(,)", "COMMA"),
            (r"(\))", close_parameters),
            (r"(\#[^\n]*+)", comment),
        ],
        end_parameters,
        skip=SKIP,
    ),
]
