"""Commands: the modes between words, their operators, redirections and newlines."""

from __future__ import annotations

from keysh.syntax.lexer.assignments import assign_at, assign_entry, key, no_assignment, spread
from keysh.syntax.lexer.command_words import composite, interpolated, whole, word
from keysh.syntax.lexer.cursor import Cursor, Mode
from keysh.syntax.lexer.expansions import ALL, PLAIN_SUBSCRIPT, open_subscript
from keysh.syntax.lexer.heredocs import open_heredoc, read_bodies
from keysh.syntax.lexer.positions import (
    AFTER,
    AFTER_REDIRECT,
    ARGUMENT,
    ARGUMENT_TARGET,
    ASSIGNED,
    CLAUSE,
    CLOSED,
    END,
    FOR_NAME,
    NAMED,
    NEWLINE_ENDS_NOTHING,
    PATTERN,
    SPECIAL,
    START,
    WORDS,
)
from keysh.syntax.lexer.quotes import (
    BRACED_VARIABLE,
    INTERPOLATED_DOUBLE,
    NAME,
    PLAIN_DOUBLE,
    SINGLE,
    VARIABLE,
)
from keysh.syntax.lexer.reserved import EMPTY_PARENTHESES, RESERVED, function_name
from keysh.syntax.lexer.values import refuse_rest

PARENTHESES = {
    "$(": "SUBSTITUTION_CLOSE",
    "<(": "SUBSTITUTION_CLOSE",
    ">(": "SUBSTITUTION_CLOSE",
    "(": "RIGHT_PAREN",
    "=(": "ARRAY_CLOSE",
}
OPERATORS = {
    ";": "SEPARATOR", "&": "AMPERSAND", "&&": "AND_IF", "||": "OR_IF", "|": "PIPE", "|&": "PIPE",
    ";;": "CLAUSE_END", ";&": "CLAUSE_END", ";;&": "CLAUSE_END",
}  # fmt: skip


def operator(s: Cursor, value: str, start: int) -> None:
    """An operator between commands; `|` also stands between patterns."""
    if value == "|" and s.at == PATTERN:
        s.emit("PATTERN_OR", value, start)
        return
    kind = OPERATORS[value]
    s.tokens.append((kind, value, start, s.pos))
    s.at = CLAUSE if kind == "CLAUSE_END" and s.top() == "case" else START


def newline(s: Cursor, value: str, start: int) -> None:
    """The end of a line, with the comments and blank lines behind it."""
    if s.pending:
        s.pos = s.text.index("\n", start) + 1
        value = s.text[start : s.pos]
        read_bodies(s)
    if s.at not in NEWLINE_ENDS_NOTHING:
        line_end = start if value[0] == "\n" else s.text.index("\n", start)
        s.tokens.append(("SEPARATOR", "\n", line_end, line_end))
        s.at = START
    if value != "\n" and ("#" in value or value.count("\n") > 1):
        keep_trivia(s, value, start)


def keep_trivia(s: Cursor, value: str, start: int) -> None:
    """Note the comments and blank lines among folded newlines."""
    is_first = True
    for line in value.split("\n")[:-1]:
        body = line.lstrip(" \t")
        if body:
            begin = start + len(line) - len(body)
            s.trivia.append(("comment", begin, begin + len(body)))
        elif not is_first:
            s.trivia.append(("blank", start, start))
        start += len(line) + 1
        is_first = False


def comment(s: Cursor, value: str, start: int) -> None:
    """A comment that the text ends in."""
    s.trivia.append(("comment", start, s.pos))


def broken_line(s: Cursor, value: str, start: int) -> None:
    r"""`\` newline between words."""
    s.trivia.append(("break", start, s.pos))


def redirect(s: Cursor, value: str, start: int) -> None:
    """A redirection's operator; its target is the next word."""
    s.emit("REDIRECT", value, start)
    s.at = AFTER_REDIRECT.get(s.at, ARGUMENT_TARGET)


def descriptor(s: Cursor, value: str, start: int) -> None:
    """Digits that touch a redirection, unless they end a word that began before them."""
    if s.at in (ASSIGNED, NAMED):
        word(s, value, start)
    else:
        s.emit("FD", value, start)


def left_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`(`: a subshell, an alternative's pattern, or a function's `()`."""
    if s.at == CLAUSE:
        s.emit("PATTERN_OPEN", value, start)
        s.at = PATTERN
        return
    if s.at == ARGUMENT and s.head == len(s.tokens) - 1:
        end = EMPTY_PARENTHESES.match(s.text, start)
        if end:
            _, name, begin, _ = s.tokens.pop()
            s.pos = end.end()
            s.emit("FUNCTION", name, begin)
            s.at = START
            return
    s.emit("LEFT_PAREN", value, start)
    s.at = CLOSED
    s.push("(", start, "command")
    s.at = START


def double_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`((`: arithmetic where a command begins."""
    if s.at not in (START, FOR_NAME):
        s.pos = start + 1
        left_parenthesis(s, "(", start)
        return
    s.emit("ARITHMETIC_OPEN", value, start)
    s.at = CLOSED
    s.push("((", start, "arithmetic")


def right_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`)`: what it closes, the innermost open parenthesis tells."""
    if s.at in (CLAUSE, PATTERN) and s.top() == "case":
        s.emit("PATTERN_CLOSE", value, start)
        s.at = START
        return
    stack = s.stack
    i = len(stack) - 1
    while i >= 0 and stack[i][0] not in PARENTHESES:
        i -= 1
    if i < 0:
        s.emit("RIGHT_PAREN", value, start)
        s.at = CLOSED
        return
    opener, begin = stack[i][:2]
    s.emit(PARENTHESES[opener], value, start)
    while len(stack) > i:
        s.pop()
    if opener == "=(":
        refuse_rest(s, begin, "list")


def touching_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`name(`: a function where a command begins, unless it is `for((` or `if(`."""
    if s.at <= CLOSED and value in RESERVED:
        RESERVED[value](s, value, start)
    elif s.at <= CLOSED:
        function_name(s, value, start)
    else:
        composite(s, value, start)


def end(s: Cursor) -> None:
    """The text has ended; bodies of heredocs that did not come are missing."""
    read_bodies(s)
    s.finish()


def scan(s: Cursor) -> None:
    """Apply the rules until the mode changes; the second, a plain word, and the third, a newline,
    are most of all tokens and mostly take no call.
    """
    mode = s.mode
    assert mode is not None
    match, actions, text, append = mode.match, mode.actions, s.text, s.tokens.append
    pos = s.pos
    while True:
        m = match(text, pos)
        if m is None:
            s.pos = len(text)
            end(s)
            return
        k: int = m.lastindex  # type: ignore[assignment]  # each rule has one group
        pos = m.end()
        if k == 2:
            at = s.at
            if ARGUMENT <= at <= WORDS:  # places where no word is more than a word
                append(("WORD", m[2], m.start(2), pos))
                s.at = AFTER[at]
                continue
            if at == START and m[2] not in RESERVED:
                s.head, s.at = len(s.tokens), ARGUMENT
                append(("WORD", m[2], m.start(2), pos))
                continue
        elif k == 3 and s.at == ARGUMENT and m[3] == "\n" and not s.pending:
            append(("SEPARATOR", "\n", pos - 1, pos - 1))
            s.at = START
            continue
        s.pos = pos
        actions[k](s, m[k], m.start(k))  # type: ignore[operator]
        if s.mode is not mode:
            return
        pos = s.pos


WORD_START = rf"[^{SPECIAL}#!=]"
MODES = [
    Mode(
        "command",
        [
            (r"(\d{1,9}|\{[A-Za-z_]\w*+\})(?=[<>])(?![<>]\()", descriptor),
            (rf"((?:{WORD_START}[^{SPECIAL}=]*+|\{{\}}?|\[\[?|!){END})", word),
            (r"((?:\#[^\n]*+)?\n(?>(?:[ \t]*+(?:\#[^\n]*+)?\n)*))", newline),
            (rf"({NAME}\+?=|--[A-Za-z][\w-]*+=)", key),
            (rf"{VARIABLE}{END}", whole("VARIABLE")),
            (rf"{BRACED_VARIABLE}{END}", whole("VARIABLE")),
            (rf"{PLAIN_DOUBLE}{END}", whole("DOUBLE")),
            (rf"{INTERPOLATED_DOUBLE}{END}", interpolated),
            (rf"{SINGLE}{END}", whole("SINGLE")),
            (r"(;;&?|;&?|&&|\|[|&]?|&(?!>))", operator),
            (r"(&>>?|>[>&|]|<<<|<[&>]|<(?![<(])|>(?!\())", redirect),
            (r"(<<-?)", open_heredoc),
            (r"(\(\()", double_parenthesis),
            (r"(\()", left_parenthesis),
            (r"(\))", right_parenthesis),
            (rf"([^{SPECIAL}#!]++{END})", word),
            (rf"({WORD_START}[^{SPECIAL}=]*+)(?<![@+!])(?=\()", touching_parenthesis),
            (r"(\.\.\.)(?=[$\"'])", spread),
            (r"(\\\n)", broken_line),
            (r"(\#[^\n]*+)", comment),
            (r"(?=(.))", composite),
        ],
        end,
        skip=r"[ \t]*+",
        scan=scan,
    ),
    Mode(
        "target",
        [ALL, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_at)],
        no_assignment,
    ),
    Mode(
        "entry",
        [ALL, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_entry)],
        no_assignment,
    ),
]
