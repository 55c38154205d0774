"""The parameters of a declared function: `f(host, port: int = 80, *more)`."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.syntax.lexer.cursor import Cursor, Mode
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.quotes import NAME
from keysh.syntax.lexer.values import comment
from keysh.syntax.lexer.words import refuse_carriage_return

TYPE = Lexeme(rf"{SKIP}({NAME})(\??)")
TYPES = ("string", "int", "float", "bool", "list", "record", "path", "any")


def parameter_type(s: Cursor, value: str, start: int) -> None:
    """`: type`, and `?` for one that admits null."""
    s.emit("COLON", value, start)
    m = TYPE.match(s.text, s.pos)
    if m is None:
        return
    s.pos = m.end()
    if m[1] not in TYPES:
        s.report(
            "E117",
            m.start(1),
            m.end(1),
            "no such type",
            f"`{shortened(m[1])}`",
            "write one of " + ", ".join(TYPES),
        )
    s.tokens.append(("TYPE", m[1], m.start(1), m.end(1)))
    if m[2]:
        s.tokens.append(("QUESTION", "?", m.start(2), m.end(2)))


def default(s: Cursor, value: str, start: int) -> None:
    """`=`: one value follows."""
    s.emit("EQUALS", value, start)
    s.mode = s.modes["default"]


def close(s: Cursor, value: str, start: int) -> None:
    """`)`: the function's body comes next."""
    s.emit("PARAMETERS_CLOSE", value, start)
    s.pop()


def end(s: Cursor) -> None:
    """The text has ended, or holds what no declaration holds."""
    pos = BLANK.end(s.text, s.pos)
    if pos >= len(s.text):
        s.finish()
        return
    s.pos = pos + 1
    if s.text.startswith("\r\n", pos):
        refuse_carriage_return(s, pos)
    fix = "write `name: type = default`, and `,` between parameters"
    if s.text[pos] in "\"'$0123456789" and s.tokens[-1][0] == "FUNCTION_DECLARED":
        name = s.tokens[-1][1]
        fix = f"write `{name} word …` to call it, `{name}(name) {{ …; }}` to define it"
    s.report("E117", pos, pos + 1, "cannot stand among parameters", f"`{s.text[pos]}`", fix)


MODES = [
    Mode(
        "declaration",
        [
            (rf"({NAME})", "PARAMETER_NAME"),
            (r"(\*)", "STAR"),
            (r"(:)", parameter_type),
            (r"(=)", default),
            (r"(,)", "COMMA"),
            (r"(\))", close),
            (r"(\#[^\n]*+)", comment),
        ],
        end,
        skip=SKIP,
    ),
]
