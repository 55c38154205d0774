"""The parameters of a declared function: `f(host, port: int = 80, *more)`."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.quotes import NAME_SYNTAX
from keysh.syntax.lexer.values import comment
from keysh.syntax.lexer.words import refuse_carriage_return

TYPE_SYNTAX = Lexeme(rf"{SKIP}({NAME_SYNTAX})(\??)")
DECLARABLE_TYPES = ("string", "int", "float", "bool", "list", "record", "path", "any")


def parameter_type(s: Cursor, value: str, start: int) -> None:
    """`: type`, with `?` if it accepts null."""
    s.emit("COLON", value, start)
    m = TYPE_SYNTAX.match(s.text, s.offset)
    if m is None:
        return
    s.offset = m.end()
    if m[1] not in DECLARABLE_TYPES:
        s.report(
            "E117",
            m.start(1),
            m.end(1),
            "no such type",
            f"`{shorten(m[1])}`",
            "write one of " + ", ".join(DECLARABLE_TYPES),
        )
    s.tokens.append(("TYPE", m[1], m.start(1), m.end(1)))
    if m[2]:
        s.tokens.append(("QUESTION", "?", m.start(2), m.end(2)))


def default(s: Cursor, value: str, start: int) -> None:
    """`=`: one value follows."""
    s.emit("EQUALS", value, start)
    s.mode = s.modes["default"]


def close_parameters(s: Cursor, value: str, start: int) -> None:
    """`)`: the function's body comes next."""
    s.emit("PARAMETERS_CLOSE", value, start)
    s.pop()


def end_parameters(s: Cursor) -> None:
    """End the text, or report a character that no declaration contains."""
    pos = BLANK.end(s.text, s.offset)
    if pos >= len(s.text):
        s.finish()
        return
    s.offset = pos + 1
    if s.text.startswith("\r\n", pos):
        refuse_carriage_return(s, pos)
    fix = "write `name: type = default`, and `,` between parameters"
    if s.text[pos] in "\"'$0123456789" and s.tokens[-1][0] == "FUNCTION_DECLARED":
        name = s.tokens[-1][1]
        fix = f"write `{name} word …` to call it, `{name}(name) {{ …; }}` to define it"
    s.report("E117", pos, pos + 1, "cannot stand among parameters", f"`{s.text[pos]}`", fix)


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
