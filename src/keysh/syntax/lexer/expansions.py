"""`${…}`: the parameter, its subscripts and the operator."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.display import shorten
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


def scan_head(cursor: Cursor) -> None:
    """Scan what follows `${`: the parameter's name, after `#` or `!`."""
    assert cursor.mode is not None
    start = cursor.offset
    cursor.mode = cursor.modes[
        "quoted_operation" if cursor.mode.name == "quoted_expansion" else "operation"
    ]
    if names := PREFIX_NAMES.match(cursor.text, start):
        cursor.offset = names.end()
        cursor.emit("NAMES_OF", names[1], start + 1)
        return
    head = EXPANSION_HEAD.match(cursor.text, start)
    assert head is not None  # every part is optional
    cursor.offset = head.end()
    if head[1]:
        cursor.tokens.append(("LENGTH", "#", start, start + 1))
    elif head[2]:
        cursor.tokens.append(("INDIRECT", "!", start, start + 1))
    if head[3] is None:
        refuse_expansion(cursor)
    else:
        cursor.emit("NAME", head[3], head.start(3))


def refuse_expansion(cursor: Cursor) -> None:
    """Report what is neither a name, a subscript, an operator nor `}`."""
    start = cursor.offset
    if start >= len(cursor.text):
        cursor.finish()
        return
    char, opener = cursor.text[start], cursor.stack[-1][1]
    assert cursor.mode is not None
    line_end = cursor.text.find("\n", start)
    closes = cursor.text.find("}", start, line_end if line_end >= 0 else len(cursor.text)) >= 0
    if char == "\n" or not closes or (char == '"' and cursor.mode.name == "quoted_operation"):
        shown = "the end of the line" if char == "\n" else f"`{char}`"
        cursor.report("E102", opener, opener + 2, f"not closed before {shown}", "`${`", "add `}`")
        if cursor.tokens[-1][0] == "EXPANSION_OPEN":
            cursor.tokens.append(("NAME", "_", start, start))
        cursor.tokens.append(("EXPANSION_CLOSE", "}", start, start))
        cursor.pop()
        return
    refuse_character(cursor, char, start)
    if cursor.tokens[-1][0] not in ("NAME", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL"):
        cursor.tokens.append(("NAME", "_", start, start))
    cursor.mode = cursor.modes["operand"]
    cursor.tokens.append(("OPERATOR", "", start, start))


def refuse_character(cursor: Cursor, char: str, start: int) -> None:
    """Report a character that cannot appear in `${…}`."""
    kind, name, _, _ = cursor.tokens[-1]
    fact, datum, fix = "cannot appear in `${…}`", f"`{char}`", "write `${name}` or `${name:-text}`"
    if char == "}":
        fact, datum = "a name is missing in", "`${}`"
        fix = "write `${name}`, or `'${}'` for the characters"
    elif char in " \t":
        datum = "a blank"
        fix = "write `${name}` without blanks, or `$(command)` to run a command"
    elif kind == "NAME" and name == "$":
        fix = "write `${!name}` for the variable that `$name` names"
    cursor.report("E106", start, start + 1, fact, datum, fix)


def close_expansion(cursor: Cursor, value: str, start: int) -> None:
    """The `}` of `${…}`."""
    cursor.emit("EXPANSION_CLOSE", value, start)
    cursor.pop()


def refuse_dot_field(cursor: Cursor, value: str, start: int) -> None:
    """Report `${u.name}`, as in other languages."""
    match = DOT_FIELD.match(cursor.text, start)
    assert match is not None
    cursor.offset = match.end()
    before = cursor.text[cursor.stack[-1][1] : start]
    steps = "".join(f"[{step}]" for step in match[1].split(".") if step)
    rest = PATH_REST.match(cursor.text, cursor.offset)
    path = shorten(before + steps + (rest[0] if rest else ""))
    cursor.report(
        "E110",
        start,
        cursor.offset,
        "a record cannot be read with a dot",
        f"`{shorten(match[0])}`",
        f"write `{path}}}`" if rest else f"write `{path}…}}`",
    )
    cursor.emit("SUBSCRIPT", match[1] or ".", start)


def default_operator(cursor: Cursor, value: str, start: int) -> None:
    """`:-`, `=` and others: quoted text follows inside `"…"`, else a word."""
    cursor.emit("OPERATOR", value, start)
    quoted = cursor.mode is not None and cursor.mode.name == "quoted_operation"
    cursor.mode = cursor.modes["quoted_operand" if quoted else "operand"]


def text_quote(cursor: Cursor, value: str, start: int) -> None:
    """A `'` in the quoted text of `:-`: text, as is its partner."""
    cursor.emit("TEXT", value, start)
    is_second = cursor.mode is cursor.modes["single_operand"]
    cursor.mode = cursor.modes["quoted_operand" if is_second else "single_operand"]


def refuse_quote(cursor: Cursor, value: str, start: int) -> None:
    """Report a `}` after a single `'`, which sh takes as text and then reads on."""
    quote = next(token for token in reversed(cursor.tokens) if token[1] == "'")
    fix = 'write `"\'"` for the quote, or `\\}` for the brace'
    cursor.report("E106", quote[2], quote[3], "not closed before the `}` of `${…}`", "`'`", fix)
    close_expansion(cursor, value, start)


def ansi_operand(cursor: Cursor, value: str, start: int) -> None:
    """`$'…'`: quotes in the text of `:-` inside `"…"`, but not in a heredoc."""
    i = -1
    while cursor.stack[i][2].name in ("quoted_operand", "single_operand"):
        i -= 1
    if cursor.stack[i][2].name == "heredoc":
        cursor.offset = start
        cursor.emit("TEXT", "$", start - 1)
    else:
        decode_ansi(cursor, value, start)


def pattern_operator(cursor: Cursor, value: str, start: int) -> None:
    """`##`, `^^` and others: a pattern follows, in which quotes quote even inside `"…"`."""
    cursor.emit("OPERATOR", value, start)
    cursor.mode = cursor.modes["operand"]


def replace_operator(cursor: Cursor, value: str, start: int) -> None:
    """`//`: a pattern up to `/`, then the replacement; in `${x////_}` the third `/` is one."""
    cursor.emit("REPLACE", value, start)
    if value == "//" and cursor.text.startswith("/", cursor.offset):
        cursor.tokens.append(("TEXT", "/", cursor.offset, cursor.offset + 1))
        cursor.offset += 1
    cursor.mode = cursor.modes["replaced"]


def replace_with(cursor: Cursor, value: str, start: int) -> None:
    """The `/` between pattern and replacement."""
    cursor.emit("REPLACE_WITH", value, start)
    cursor.mode = cursor.modes["operand"]


def slice_operator(cursor: Cursor, value: str, start: int) -> None:
    """`:` and two arithmetic expressions."""
    if cursor.text.startswith("}", cursor.offset):
        fix = "write `${name:offset}`, or `${name}`"
        cursor.report("E106", start, cursor.offset, "an offset is missing after", "`:`", fix)
    cursor.emit("SLICE", value, start)
    cursor.mode = cursor.modes["arithmetic"]


def transform(cursor: Cursor, value: str, start: int) -> None:
    """`@Q` and others; `@P`, which expands text as a prompt, only in the bash dialect."""
    if value == "@P" and cursor.source.dialect is not BASH:
        cursor.report(
            "E111",
            start,
            cursor.offset,
            "keysh does not have this construct",
            "`${x@P}`",
            "build the text with `$(…)` or printf",
        )
    elif value[1] not in "QULuEAaKkP":
        cursor.report(
            "E106",
            start,
            cursor.offset,
            "`${…}` has no such operator",
            f"`{value}`",
            "write `@Q`, `@U`, `@L` or `@u`",
        )
    cursor.emit("TRANSFORM", value, start)


def open_subscript(cursor: Cursor, value: str, start: int) -> None:
    """`[`: text up to `]`, which the variable's value interprets."""
    cursor.emit("SUBSCRIPT_OPEN", value, start)
    cursor.push("[", start, "subscript")


def close_subscript(cursor: Cursor, value: str, start: int) -> None:
    """The `]` of a subscript."""
    cursor.emit("SUBSCRIPT_CLOSE", value, start)
    cursor.pop()


def open_inner_bracket(cursor: Cursor, value: str, start: int) -> None:
    """A `[` inside a subscript, as in `xs[ys[0]]`: text, but it needs its own `]`."""
    cursor.emit("TEXT", value, start)
    cursor.push("[", start, "inner_subscript")


def close_inner_bracket(cursor: Cursor, value: str, start: int) -> None:
    """The `]` of an inner `[`."""
    cursor.emit("TEXT", value, start)
    cursor.pop()


ALL_SUBSCRIPT = (r"\[([@*])\]", "ALL")
PLAIN_SUBSCRIPT = (r"\[([^][$`\"'\\{}\s]++)\]", "SUBSCRIPT")

OPERATION_RULES: Rules = [
    (r"(\})", close_expansion),
    (r"(:?[-=?+])", default_operator),
    (r"(\#\#?|%%?|\^\^?|,,?|~~?)", pattern_operator),
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


def lone_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`*(` with a `}` before any `)`, as in `${x#*(}`: text, not an extended glob."""
    cursor.emit("GLOB" if value in "*?" else "TEXT", value, start)


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


def end_path(cursor: Cursor) -> None:
    """End a path, or report that the text is none."""
    if cursor.offset < len(cursor.text):
        cursor.stop(
            "E106",
            cursor.offset,
            cursor.offset + 1,
            "not a path",
            f"`{shorten(cursor.text)}`",
            "write `name[key]`",
        )
    cursor.finish()


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
