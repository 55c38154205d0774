"""`${…}`: the parameter, its subscripts and the operator."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.quotes import (
    ANSI_QUOTED,
    INTERPOLATION_RULES,
    NAME_SYNTAX,
    decode_ansi,
    end_of_text,
    open_double,
)
from keysh.syntax.lexer.words import inner_mode, piece_rules, tilde_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Rules

# `${#x}` is a length, `${#}` and `${#:-w}` are about `$#`; `${!x}` is indirect, `${!}` is `$!`.
EXPANSION_HEAD = Lexeme(
    rf"(?:(\#)(?={NAME_SYNTAX}|[0-9@*]|[#?$!-]\}})|(!)(?={NAME_SYNTAX}|[0-9@*#]))?({NAME_SYNTAX}|[0-9]++|[@*#?$!-])?"
)
PREFIX_NAMES = Lexeme(rf"!({NAME_SYNTAX}[*@])(?=\}})")
DOT_FIELD = Lexeme(r"\.([\w.-]*)")
PATH_REST = Lexeme(r"[^}{\"'`$\\\s]*(?=\})")


def scan_head(s: Cursor) -> None:
    """Scan what follows `${`: the parameter's name, after `#` or `!`."""
    assert s.mode is not None
    start = s.offset
    s.mode = s.modes["quoted_operation" if s.mode.name == "quoted_expansion" else "operation"]
    if names := PREFIX_NAMES.match(s.text, start):
        s.offset = names.end()
        s.emit("NAMES_OF", names[1], start + 1)
        return
    head = EXPANSION_HEAD.match(s.text, start)
    assert head is not None  # every part is optional
    s.offset = head.end()
    if head[1]:
        s.tokens.append(("LENGTH", "#", start, start + 1))
    elif head[2]:
        s.tokens.append(("INDIRECT", "!", start, start + 1))
    if head[3] is None:
        refuse_expansion(s)
    else:
        s.emit("NAME", head[3], head.start(3))


def refuse_expansion(s: Cursor) -> None:
    """Report what is neither a name, a subscript, an operator nor `}`."""
    start = s.offset
    if start >= len(s.text):
        s.finish()
        return
    char, opener = s.text[start], s.stack[-1][1]
    assert s.mode is not None
    line_end = s.text.find("\n", start)
    closes = s.text.find("}", start, line_end if line_end >= 0 else len(s.text)) >= 0
    if char == "\n" or not closes or (char == '"' and s.mode.name == "quoted_operation"):
        shown = "the end of the line" if char == "\n" else f"`{char}`"
        s.report("E102", opener, opener + 2, f"not closed before {shown}", "`${`", "add `}`")
        if s.tokens[-1][0] == "EXPANSION_OPEN":
            s.tokens.append(("NAME", "_", start, start))
        s.tokens.append(("EXPANSION_CLOSE", "}", start, start))
        s.pop()
        return
    refuse_character(s, char, start)
    if s.tokens[-1][0] not in ("NAME", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL"):
        s.tokens.append(("NAME", "_", start, start))
    s.mode = s.modes["operand"]
    s.tokens.append(("OPERATOR", "", start, start))


def refuse_character(s: Cursor, char: str, start: int) -> None:
    """Report a character that cannot stand in `${…}`."""
    kind, name, _, _ = s.tokens[-1]
    fact, datum, fix = "cannot stand in `${…}`", f"`{char}`", "write `${name}` or `${name:-text}`"
    if char == "}":
        fact, datum = "a name is missing in", "`${}`"
        fix = "write `${name}`, or `'${}'` for the characters"
    elif char in " \t":
        datum = "a blank"
        fix = "write `${name}` without blanks, or `$(command)` to run a command"
    elif kind == "NAME" and name == "$":
        fix = "write `${!name}` for the variable that `$name` names"
    s.report("E106", start, start + 1, fact, datum, fix)


def close_expansion(s: Cursor, value: str, start: int) -> None:
    """The `}` of `${…}`."""
    s.emit("EXPANSION_CLOSE", value, start)
    s.pop()


def refuse_dot_field(s: Cursor, value: str, start: int) -> None:
    """Report `${u.name}`, as in other languages."""
    m = DOT_FIELD.match(s.text, start)
    assert m is not None
    s.offset = m.end()
    before = s.text[s.stack[-1][1] : start]
    steps = "".join(f"[{step}]" for step in m[1].split(".") if step)
    rest = PATH_REST.match(s.text, s.offset)
    path = shorten(before + steps + (rest[0] if rest else ""))
    s.report(
        "E110",
        start,
        s.offset,
        "a record is not read with a dot",
        f"`{shorten(m[0])}`",
        f"write `{path}}}`" if rest else f"write `{path}…}}`",
    )
    s.emit("SUBSCRIPT", m[1] or ".", start)


def default_operator(s: Cursor, value: str, start: int) -> None:
    """`:-`, `=` and others: quoted text follows inside `"…"`, else a word."""
    s.emit("OPERATOR", value, start)
    quoted = s.mode is not None and s.mode.name == "quoted_operation"
    s.mode = s.modes["quoted_operand" if quoted else "operand"]


def text_quote(s: Cursor, value: str, start: int) -> None:
    """A `'` in the quoted text of `:-`: text, as is its partner."""
    s.emit("TEXT", value, start)
    is_second = s.mode is s.modes["single_operand"]
    s.mode = s.modes["quoted_operand" if is_second else "single_operand"]


def refuse_quote(s: Cursor, value: str, start: int) -> None:
    """Report a `}` after a single `'`, which sh takes as text and then reads on."""
    quote = next(token for token in reversed(s.tokens) if token[1] == "'")
    fix = 'write `"\'"` for the quote, or `\\}` for the brace'
    s.report("E106", quote[2], quote[3], "not closed before the `}` of `${…}`", "`'`", fix)
    close_expansion(s, value, start)


def ansi_operand(s: Cursor, value: str, start: int) -> None:
    """`$'…'`: quotes in the text of `:-` inside `"…"`, but not in a heredoc."""
    i = -1
    while s.stack[i][2].name in ("quoted_operand", "single_operand"):
        i -= 1
    if s.stack[i][2].name == "heredoc":
        s.offset = start
        s.emit("TEXT", "$", start - 1)
    else:
        decode_ansi(s, value, start)


def pattern_operator(s: Cursor, value: str, start: int) -> None:
    """`##`, `^^` and others: a pattern follows, in which quotes quote even inside `"…"`."""
    s.emit("OPERATOR", value, start)
    s.mode = s.modes["operand"]


def replace_operator(s: Cursor, value: str, start: int) -> None:
    """`//`: a pattern up to `/`, then the replacement; in `${x////_}` the third `/` is one."""
    s.emit("REPLACE", value, start)
    if value == "//" and s.text.startswith("/", s.offset):
        s.tokens.append(("TEXT", "/", s.offset, s.offset + 1))
        s.offset += 1
    s.mode = s.modes["replaced"]


def replace_with(s: Cursor, value: str, start: int) -> None:
    """The `/` between pattern and replacement."""
    s.emit("REPLACE_WITH", value, start)
    s.mode = s.modes["operand"]


def slice_operator(s: Cursor, value: str, start: int) -> None:
    """`:` and two arithmetic expressions."""
    if s.text.startswith("}", s.offset):
        fix = "write `${name:offset}`, or `${name}`"
        s.report("E106", start, s.offset, "an offset is missing behind", "`:`", fix)
    s.emit("SLICE", value, start)
    s.mode = s.modes["arithmetic"]


def transform(s: Cursor, value: str, start: int) -> None:
    """`@Q` and others; `@P` would expand text as a prompt, and so run it."""
    if value == "@P":
        s.report(
            "E111",
            start,
            s.offset,
            "keysh does not have this construct",
            "`${x@P}`",
            "build the text with `$(…)` or printf",
        )
    elif value[1] not in "QULuEAaKk":
        s.report(
            "E106",
            start,
            s.offset,
            "`${…}` has no such operator",
            f"`{value}`",
            "write `@Q`, `@U`, `@L` or `@u`",
        )
    s.emit("TRANSFORM", value, start)


def open_subscript(s: Cursor, value: str, start: int) -> None:
    """`[`: text up to `]`, which the variable's value interprets."""
    s.emit("SUBSCRIPT_OPEN", value, start)
    s.push("[", start, "subscript")


def close_subscript(s: Cursor, value: str, start: int) -> None:
    """The `]` of a subscript."""
    s.emit("SUBSCRIPT_CLOSE", value, start)
    s.pop()


def open_inner_bracket(s: Cursor, value: str, start: int) -> None:
    """A `[` inside a subscript, as in `xs[ys[0]]`: text, but it needs its own `]`."""
    s.emit("TEXT", value, start)
    s.push("[", start, "inner_subscript")


def close_inner_bracket(s: Cursor, value: str, start: int) -> None:
    """The `]` of an inner `[`."""
    s.emit("TEXT", value, start)
    s.pop()


ALL_SUBSCRIPT = (r"\[([@*])\]", "ALL")
PLAIN_SUBSCRIPT = (r"\[([^][$`\"'\\{}\s]++)\]", "SUBSCRIPT")

OPERATION_RULES: Rules = [
    (r"(\})", close_expansion),
    (r"(:?[-=?+])", default_operator),
    (r"(\#\#?|%%?|\^\^?|,,?)", pattern_operator),
    (r"(/[/#%]?)", replace_operator),
    ALL_SUBSCRIPT,
    PLAIN_SUBSCRIPT,
    (r"(\[)", open_subscript),
    (r"(@[A-Za-z])", transform),
    (r"(:)", slice_operator),
    (r"(\.)", refuse_dot_field),
]


# `'` is text inside `"…"`, but two of them hide a `}`: bash reads on, keysh refuses to guess.
QUOTED_OPERAND_RULES: Rules = [
    (r"([^\"$`\\'}]++)", "TEXT"),
    (r"('[^\"$`\\']*+'|\\')", "TEXT"),
    (r"(')", text_quote),
    (r'(\$?")', open_double),
    (ANSI_QUOTED, ansi_operand),
    *INTERPOLATION_RULES,
    (r'\\(["}])', "TEXT"),
    (r"(\\)", "TEXT"),
]


def lone_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`*(` with a `}` before any `)`, as in `${x#*(}`: text, not an extended glob."""
    s.emit("GLOB" if value in "*?" else "TEXT", value, start)


def operand_mode(name: str, special: str, *more: tuple[str, Action]) -> LexicalMode:
    """Return a mode for an unquoted operand, in which blanks and operators are text."""
    return LexicalMode(
        name,
        [
            (r"([?*+@!])(?=\([^()}\"'`$\\]*+\})", lone_parenthesis),
            *piece_rules("}~" + special),
            (r"(\})", close_expansion),
            *tilde_rules("}"),
            *more,
        ],
        end_of_text,
    )


def end_path(s: Cursor) -> None:
    """End a path, or report that the text is none."""
    if s.offset < len(s.text):
        s.stop(
            "E106",
            s.offset,
            s.offset + 1,
            "not a path",
            f"`{shorten(s.text)}`",
            "write `name[key]`",
        )
    s.finish()


MODES = [
    LexicalMode(
        "path",
        [(rf"({NAME_SYNTAX})", "NAME"), ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript)],
        end_path,
    ),
    LexicalMode("expansion", [], end_of_text, scan=scan_head),
    LexicalMode("quoted_expansion", [], end_of_text, scan=scan_head),
    LexicalMode("operation", OPERATION_RULES, refuse_expansion),
    LexicalMode("quoted_operation", OPERATION_RULES, refuse_expansion),
    operand_mode("operand", ""),
    operand_mode("replaced", "/", (r"(/)", replace_with)),
    LexicalMode("quoted_operand", [(r"(\})", close_expansion), *QUOTED_OPERAND_RULES], end_of_text),
    LexicalMode("single_operand", [(r"(\})", refuse_quote), *QUOTED_OPERAND_RULES], end_of_text),
    inner_mode(
        "subscript", "][", (r"(\])", close_subscript), (r"(\[)", open_inner_bracket), globs=False
    ),
    inner_mode(
        "inner_subscript",
        "][",
        (r"(\])", close_inner_bracket),
        (r"(\[)", open_inner_bracket),
        globs=False,
    ),
]
