"""Words: adjacent pieces up to a delimiter, with braces, tildes and extended globs."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import MAX_NESTING_DEPTH, Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.quotes import (
    ANSI_QUOTED,
    BRACED_VARIABLE,
    BROKEN_DOLLAR,
    JOINED_VARIABLE,
    PLAIN_DOUBLE_QUOTED,
    SINGLE_QUOTED,
    VARIABLE_SYNTAX,
    backticks,
    decode_ansi,
    end_of_text,
    joined_variable,
    open_brackets,
    open_double,
    open_expansion,
    open_expression,
    open_substitution,
    skip_newline,
    unclosed_single,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules, Token

# A bracket expression without quotes, expansions or inner `[`; `[[:alpha:]_]` is one.
BRACKET_EXPRESSION = r"\[[!^]?\]?(?>(?:\[[:.=]\w++[:.=]\]|[^][ \t\n\r;|&<>()$`\"'\\/{},~]++)*)\]"
BRACE_RANGE_SYNTAX = r"\{(?:-?\d++\.\.-?\d++|[A-Za-z]\.\.[A-Za-z])(?:\.\.-?\d++)?\}"
NAME_GOES_ON = Lexeme(r"\{*+\w")


def text_rule(special: str) -> tuple[str, Action]:
    """Return the rule for plain text: no special character, and no `@(` or the like."""
    return rf"((?>(?:[^{special}$`\"'\\*?\[@+!\r]++|[@+!](?!\())+))", "TEXT"


def piece_rules(special: str, *, globs: bool = True) -> Rules:
    """Return the rules for unquoted pieces; the characters of `special` are not plain text."""
    return [
        text_rule(special),
        (JOINED_VARIABLE, joined_variable),
        (VARIABLE_SYNTAX, "VARIABLE"),
        (BRACED_VARIABLE, "VARIABLE"),
        (SINGLE_QUOTED, "SINGLE"),
        (PLAIN_DOUBLE_QUOTED, "DOUBLE"),
        (r'(\$?")', open_double),
        (r"(\$\(\()", open_expression),
        (r"(\$\()", open_substitution),
        (r"(\$\{)", open_expansion),
        (r"(\$\[)", open_brackets),
        (r"(\\\n)", skip_newline),
        (r"\\(.)", "ESCAPED"),
        (r"(`)", backticks),
        (ANSI_QUOTED, decode_ansi),
        (r"(\$?')", unclosed_single),
        (r"([?*+@!]\()", open_extended_glob),
        (rf"(\*+(?!\()|\?|{BRACKET_EXPRESSION}|\[)", "GLOB") if globs else (r"(\*++|\?)", "TEXT"),
        (r"(\r)", carriage_return),
        BROKEN_DOLLAR,
        (r"([$@+!])", "TEXT"),
        (r"(\\)", last_backslash),
    ]


def last_backslash(cursor: Cursor, value: str, start: int) -> None:
    r"""A `\` at the end of the text stands for itself."""
    cursor.tokens.append(("ESCAPED", value, start + 1, cursor.offset))


def carriage_return(cursor: Cursor, value: str, start: int) -> None:
    """A carriage return; at the end of a line it would silently belong to the last word."""
    if cursor.text[cursor.offset : cursor.offset + 1] in ("\n", ""):
        refuse_carriage_return(cursor, start)
    cursor.emit("TEXT", value, start)


def refuse_carriage_return(cursor: Cursor, start: int) -> None:
    """Report that a file has the line ends of Windows, once."""
    fix = "save the file with the line ends of Unix, as `tr -d '\\r'` does"
    cursor.stop("E114", start, start + 1, "cannot end a line", "a carriage return", fix)


def close_word(cursor: Cursor) -> None:
    """End a word of several pieces."""
    kind, _, start, _ = cursor.tokens[-1]
    if kind == "WORD_OPEN":
        if start == cursor.offset:
            cursor.stop(
                "E101", start, start + 1, "unexpected", f"`{cursor.text[start]}`", "quote it"
            )
        # The word was nothing but a joined line.
        cursor.tokens.append(("TEXT", "", cursor.offset, cursor.offset))
    for indexes in cursor.marks or ():
        demote_tildes(cursor, indexes)
    cursor.tokens.append(("WORD_CLOSE", "", cursor.offset, cursor.offset))
    cursor.pop()


def tilde(cursor: Cursor, value: str, start: int) -> None:
    """`~user`: a home at the start of a word, of a branch of `{a,b}`, and of an assigned path."""
    kind, before, _, _ = cursor.tokens[-1]
    if kind == "WORD_OPEN" and is_option_value(cursor):
        cursor.emit("TEXT", value, start)
    elif kind in ("WORD_OPEN", "OPERATOR", "REPLACE_WITH") or (
        (kind == "REPLACE" and before in ("/", "//"))
        or (cursor.text[start - 1] == ":" and kind == "TEXT" and is_assigned(cursor))
        or (cursor.marks and not is_assigned(cursor) and begins_branch(cursor))
    ):
        cursor.emit("TILDE", value, start)
    else:
        cursor.emit("TEXT", value, start)


def is_option_value(cursor: Cursor) -> bool:
    """Whether the current word is the value of `--key=value`, where sh expands no `~`."""
    key = cursor.tokens[-2] if len(cursor.tokens) > 1 else ("", "", 0, 0)
    return key[0] == "KEY" and key[1].startswith("-")


def begins_branch(cursor: Cursor) -> bool:
    """Whether only the `{` and `,` of open braces precede the cursor in its branches."""
    assert cursor.marks is not None
    before = len(cursor.tokens) - 1
    for indexes in reversed(cursor.marks):
        if before != indexes[-1]:
            return False
        before = indexes[0] - 1
    return cursor.tokens[before][0] == "WORD_OPEN"


def tilde_rules(ends: str) -> Rules:
    """Return the rules for `~`; `/`, `:` and the characters of `ends` end a user's name."""
    return [(rf"(~(?:[+-]\d*+|[\w.-]*+)(?=[/:{ends}]|\\\n|\Z))", tilde), (r"(~)", "TEXT")]


# ---------------------------------------------------------------- {a,b}


def brace_range(cursor: Cursor, value: str, start: int) -> None:
    """`{1..9}`, where braces expand."""
    if cursor.marks is not None:
        refuse_longer_name(cursor, [cursor.tokens[-1]], start + 1)
    cursor.emit("TEXT" if cursor.marks is None else "BRACE_RANGE", value, start)


def open_brace(cursor: Cursor, value: str, start: int) -> None:
    """`{`: text, unless a comma and `}` follow."""
    cursor.emit("TEXT", value, start)
    if cursor.marks is not None:
        if cursor.depth + len(cursor.marks) >= MAX_NESTING_DEPTH:
            cursor.stop_nesting(start, value)
        cursor.marks.append([len(cursor.tokens) - 1])
        cursor.mode = cursor.modes["assigned_braces" if is_assigned(cursor) else "braces"]


def brace_comma(cursor: Cursor, value: str, start: int) -> None:
    """`,` between branches."""
    assert cursor.marks is not None
    cursor.marks[-1].append(len(cursor.tokens))
    cursor.emit("TEXT", value, start)


def close_brace(cursor: Cursor, value: str, start: int) -> None:
    """`}`: after a comma, the tokens since `{` are branches."""
    assert cursor.marks is not None
    indexes = cursor.marks.pop()
    if len(indexes) > 1:
        refuse_longer_names(cursor, indexes)
        for i in indexes:
            cursor.tokens[i] = ("BRACE_COMMA", *cursor.tokens[i][1:])
        cursor.tokens[indexes[0]] = ("BRACE_OPEN", *cursor.tokens[indexes[0]][1:])
        cursor.emit("BRACE_CLOSE", value, start)
    else:
        demote_tildes(cursor, indexes)
        cursor.emit("TEXT", value, start)
    if not cursor.marks:
        cursor.mode = cursor.modes["assigned" if is_assigned(cursor) else "word"]


def refuse_longer_names(cursor: Cursor, indexes: list[int]) -> None:
    """Report a name before or in braces whose end is unclear."""
    before = cursor.tokens[indexes[0] - 1]
    stops = [*indexes[1:], len(cursor.tokens)]
    for i, stop in zip(indexes, stops, strict=True):
        is_empty = stop == i + 1
        refuse_longer_name(cursor, [before], cursor.offset if is_empty else cursor.tokens[i][3])
    refuse_longer_name(cursor, [cursor.tokens[stop - 1] for stop in stops], cursor.offset)


def refuse_longer_name(cursor: Cursor, tokens: list[Token], pos: int) -> None:
    """Report `$x{a,b}` and `{$x,y}a`: sh expands the braces first and then finds `$xa`."""
    if not cursor.source.dialect.has_literals:
        return  # so does the bash dialect
    for kind, name, start, end in tokens:
        is_bare = kind == "VARIABLE" and end - start == len(name) and name.isidentifier()
        if is_bare and NAME_GOES_ON.match(cursor.text, pos):
            fact = "it is unclear where the name ends"
            cursor.report(
                "E106", start - 1, cursor.offset, fact, f"`${name}`", f"write `${{{name}}}`"
            )
            return


def demote_tildes(cursor: Cursor, indexes: list[int]) -> None:
    """Turn a `~` into text if the `{` or `,` before it turned out to be text."""
    for i in indexes:
        if i + 1 < len(cursor.tokens) and cursor.tokens[i + 1][0] == "TILDE":
            cursor.tokens[i + 1] = ("TEXT", *cursor.tokens[i + 1][1:])


def is_assigned(cursor: Cursor) -> bool:
    """Whether the word is an assigned value, in which `:~` expands too, or part of one."""
    mode = cursor.mode
    if mode is not None and mode.name == "operand":
        mode = cursor.stack[-1][2]
    return mode is not None and mode.name.startswith("assigned")


# ---------------------------------------------------------------- @(a|b)


def open_extended_glob(cursor: Cursor, value: str, start: int) -> None:
    """`@(`: alternatives up to `)`."""
    cursor.emit("EXTGLOB_OPEN", value, start)
    cursor.push(value, start, "alternatives")


def close_extended_glob(cursor: Cursor, value: str, start: int) -> None:
    """The `)` of `@(…)`."""
    cursor.emit("EXTGLOB_CLOSE", value, start)
    cursor.pop()


def refuse_inner_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """Report a bare `(` among alternatives."""
    cursor.report(
        "E115",
        start,
        cursor.offset,
        "a parenthesis cannot appear in `@(…)`",
        f"`{value}`",
        "quote it: `'('`",
    )
    cursor.emit("TEXT", value, start)


WORD_DELIMITERS = r" \t\n;|&<>()"
BRACE_RULES: Rules = [
    (rf"({BRACE_RANGE_SYNTAX})", brace_range),
    (r"(\{)", open_brace),
    (r"(\})", "TEXT"),
]
OPEN_BRACE_RULES: Rules = [
    (rf"({BRACE_RANGE_SYNTAX})", brace_range),
    (r"(\{)", open_brace),
    (r"(,)", brace_comma),
    (r"(\})", close_brace),
]
PROCESS_RULES: Rules = [(r"([<>]\()", open_substitution)]


def word_mode(name: str, special: str, *more: tuple[str, Action]) -> LexicalMode:
    """Return a mode for words, which end where no rule matches."""
    ends = WORD_DELIMITERS.replace("(", "") + (",}" if "}" in special else "")
    return LexicalMode(name, [*piece_rules(special), *tilde_rules(ends), *more], close_word)


def inner_mode(
    name: str, special: str, *more: tuple[str, Action], globs: bool = True
) -> LexicalMode:
    """Return a mode for pieces inside a bracket, which only a rule or the text's end leaves."""
    return LexicalMode(name, [*piece_rules(special, globs=globs), *more], end_of_text)


MODES = [
    word_mode("word", WORD_DELIMITERS + "{~", *BRACE_RULES, *PROCESS_RULES),
    word_mode("assigned", WORD_DELIMITERS + "{~", *BRACE_RULES, *PROCESS_RULES),
    word_mode("braces", WORD_DELIMITERS + "{},~", *OPEN_BRACE_RULES, *PROCESS_RULES),
    word_mode("assigned_braces", WORD_DELIMITERS + "{},~", *OPEN_BRACE_RULES, *PROCESS_RULES),
    inner_mode(
        "alternatives",
        r"()|",
        (r"(\|)", "EXTGLOB_OR"),
        (r"(\))", close_extended_glob),
        (r"(\()", refuse_inner_parenthesis),
    ),
]
