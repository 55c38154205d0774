"""`${…}`: a reference, what is done with it, and subscripts."""

from __future__ import annotations

from keysh.diagnostics import shortened
from keysh.syntax.cursor import Cursor, Mode
from keysh.syntax.lexeme import Lexeme
from keysh.syntax.modes.quotes import INTERPOLATED, NAME, end_of_text, open_double
from keysh.syntax.modes.words import TILDES, inner_mode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.cursor import Rules

# `${#x}` is a length, `${#}` and `${#:-w}` speak of `$#`; `${!x}` is indirect, `${!}` is `$!`.
HEAD = Lexeme(
    rf"(?:(\#)(?={NAME}|[0-9@*]|[#?$!-]\}})|(!)(?={NAME}|[0-9@*#]))?+({NAME}|[0-9]++|[@*#?$!-])?"
)
NAMES = Lexeme(rf"!({NAME}[*@])(?=\}})")
FIELD = Lexeme(r"\.([\w.-]*)")


def scan_head(s: Cursor) -> None:
    """What follows `${`: the parameter's name, and what stands before it."""
    assert s.mode is not None
    start = s.pos
    s.mode = s.modes["quoted_operation" if s.mode.name == "quoted_expansion" else "operation"]
    if names := NAMES.match(s.text, start):
        s.pos = names.end()
        s.emit("NAMES_OF", names[1], start + 1)
        return
    head = HEAD.match(s.text, start)
    assert head is not None  # every part is optional
    s.pos = head.end()
    if head[1]:
        s.tokens.append(("LENGTH", "#", start, start + 1))
    elif head[2]:
        s.tokens.append(("INDIRECT", "!", start, start + 1))
    if head[3] is None:
        refuse(s)
    else:
        s.emit("NAME", head[3], head.start(3))


def refuse(s: Cursor) -> None:
    """Neither a name, a subscript, an operator nor `}`."""
    start = s.pos
    if start >= len(s.text):
        s.finish()
        return
    s.report(
        "E106",
        start,
        start + 1,
        "`${…}` is malformed",
        f"unexpected `{s.text[start]}`",
        "write `${name}`, `${name[key]}` or `${name:-text}`",
    )
    if s.tokens[-1][0] not in ("NAME", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL"):
        s.tokens.append(("NAME", "_", start, start))
    s.mode = s.modes["operand"]
    s.tokens.append(("OPERATOR", "", start, start))


def close_expansion(s: Cursor, value: str, start: int) -> None:
    """The `}` of `${…}`."""
    s.emit("EXPANSION_CLOSE", value, start)
    s.pop()


def field(s: Cursor, value: str, start: int) -> None:
    """`${u.name}`, as other languages have it."""
    m = FIELD.match(s.text, start)
    assert m is not None
    s.pos = m.end()
    name = str(s.tokens[-1][1]) if s.tokens[-1][0] == "NAME" else "…"
    path = "".join(f"[{step}]" for step in m[1].split("."))
    s.report(
        "E110",
        start,
        s.pos,
        "a record is not read with a dot",
        f"`{shortened(m[0])}`",
        f"write `${{{name}{shortened(path)}}}`",
    )
    s.emit("SUBSCRIPT", m[1] or ".", start)


def default_operator(s: Cursor, value: str, start: int) -> None:
    """`:-` and its kin: quoted text inside `"…"`, else a word."""
    s.emit("OPERATOR", value, start)
    quoted = s.mode is not None and s.mode.name == "quoted_operation"
    s.mode = s.modes["quoted_operand" if quoted else "operand"]


def pattern_operator(s: Cursor, value: str, start: int) -> None:
    """`##`, `^^` and their kin: a pattern, in which quotes quote even inside `"…"`."""
    s.emit("OPERATOR", value, start)
    s.mode = s.modes["operand"]


def replace_operator(s: Cursor, value: str, start: int) -> None:
    """`//`: a pattern up to `/`, then the replacement."""
    s.emit("REPLACE", value, start)
    s.mode = s.modes["replaced"]


def replace_with(s: Cursor, value: str, start: int) -> None:
    """The `/` between pattern and replacement."""
    s.emit("REPLACE_WITH", value, start)
    s.mode = s.modes["operand"]


def slice_operator(s: Cursor, value: str, start: int) -> None:
    """`:` and two arithmetic expressions."""
    s.emit("SLICE", value, start)
    s.mode = s.modes["arithmetic"]


def transform(s: Cursor, value: str, start: int) -> None:
    """`@Q` and its kin; `@P` would expand text as a prompt, and so run it."""
    if value == "@P":
        s.report(
            "E111",
            start,
            s.pos,
            "keysh does not have this construct",
            "`${x@P}`",
            "build the text with `$(…)` or printf",
        )
    elif value[1] not in "QULuEAaKk":
        s.report(
            "E106",
            start,
            s.pos,
            "`${…}` has no such operator",
            f"`{value}`",
            "write `@Q`, `@U`, `@L` or `@u`",
        )
    s.emit("TRANSFORM", value, start)


def open_subscript(s: Cursor, value: str, start: int) -> None:
    """`[`: text up to `]`; what it means, the value will decide."""
    s.emit("SUBSCRIPT_OPEN", value, start)
    s.push("[", start, "subscript")


def close_subscript(s: Cursor, value: str, start: int) -> None:
    """The `]` of a subscript."""
    s.emit("SUBSCRIPT_CLOSE", value, start)
    s.pop()


def open_inner(s: Cursor, value: str, start: int) -> None:
    """A `[` inside a subscript, as in `xs[ys[0]]`: text, but it needs its own `]`."""
    s.emit("TEXT", value, start)
    s.push("[", start, "inner_subscript")


def close_inner(s: Cursor, value: str, start: int) -> None:
    """The `]` that goes with it."""
    s.emit("TEXT", value, start)
    s.pop()


ALL = (r"\[([@*])\]", "ALL")
PLAIN_SUBSCRIPT = (r"\[([^][$`\"'\\{}\s]++)\]", "SUBSCRIPT")

OPERATION: Rules = [
    (r"(\})", close_expansion),
    (r"(:?[-=?+])", default_operator),
    (r"(\#\#?|%%?|\^\^?|,,?)", pattern_operator),
    (r"(/[/#%]?)", replace_operator),
    ALL,
    PLAIN_SUBSCRIPT,
    (r"(\[)", open_subscript),
    (r"(@[A-Za-z])", transform),
    (r"(:)", slice_operator),
    (r"(\.)", field),
]


def path_end(s: Cursor) -> None:
    """A text that should be a path has ended, or is none."""
    if s.pos < len(s.text):
        s.stop(
            "E106", s.pos, s.pos + 1, "not a path", f"`{shortened(s.text)}`", "write `name[key]`"
        )
    s.finish()


MODES = [
    Mode(
        "path",
        [(rf"({NAME})", "NAME"), ALL, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript)],
        path_end,
    ),
    Mode("expansion", [], end_of_text, scan=scan_head),
    Mode("quoted_expansion", [], end_of_text, scan=scan_head),
    Mode("operation", OPERATION, refuse),
    Mode("quoted_operation", OPERATION, refuse),
    inner_mode("operand", "}~", (r"(\})", close_expansion), *TILDES),
    inner_mode("replaced", "}~/", (r"(\})", close_expansion), (r"(/)", replace_with), *TILDES),
    Mode(
        "quoted_operand",
        [
            (r'([^"$`\\}]++)', "TEXT"),
            (r"(\})", close_expansion),
            (r'(")', open_double),
            *INTERPOLATED,
            (r'\\(["}])', "TEXT"),
            (r"(\\)", "TEXT"),
        ],
        end_of_text,
    ),
    inner_mode("subscript", "][", (r"(\])", close_subscript), (r"(\[)", open_inner), globs=False),
    inner_mode("inner_subscript", "][", (r"(\])", close_inner), (r"(\[)", open_inner), globs=False),
]
