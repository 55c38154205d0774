"""Commands: the modes between words, with operators, redirections and newlines."""

from __future__ import annotations

from keysh.syntax.lexer.assignments import (
    assign_at,
    assign_entry,
    assignment_key,
    refuse_bare_path,
    spread,
)
from keysh.syntax.lexer.command_words import (
    composite_word,
    double_quoted_word,
    one_token_word,
    plain_word,
)
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.expansions import ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, open_subscript
from keysh.syntax.lexer.heredocs import open_heredoc, read_bodies
from keysh.syntax.lexer.positions import (
    AFTER_CLOSER,
    ARGUMENT,
    ARGUMENT_TARGET,
    ASSIGNED_VALUE,
    CASE_CLAUSE,
    CASE_PATTERN,
    COMMAND_START,
    FOR_NAME,
    FOR_WORDS,
    NAMED_VALUE,
    NEWLINE_NEUTRAL_POSITIONS,
    POSITION_AFTER_REDIRECT,
    POSITION_AFTER_WORD,
    WORD_END,
    WORD_SPECIALS,
)
from keysh.syntax.lexer.quotes import (
    BRACED_VARIABLE,
    INTERPOLATED_DOUBLE,
    NAME_SYNTAX,
    PLAIN_DOUBLE_QUOTED,
    SINGLE_QUOTED,
    VARIABLE_SYNTAX,
)
from keysh.syntax.lexer.reserved import EMPTY_PARENTHESES, RESERVED_WORDS, function_name
from keysh.syntax.lexer.values import refuse_touching_text

PARENTHESIS_CLOSERS = {
    "$(": "SUBSTITUTION_CLOSE",
    "<(": "SUBSTITUTION_CLOSE",
    ">(": "SUBSTITUTION_CLOSE",
    "(": "RIGHT_PAREN",
    "=(": "ARRAY_CLOSE",
}
COMMAND_OPERATORS = {
    ";": "SEPARATOR", "&": "AMPERSAND", "&&": "AND_IF", "||": "OR_IF", "|": "PIPE", "|&": "PIPE",
    ";;": "CLAUSE_END", ";&": "CLAUSE_END", ";;&": "CLAUSE_END",
}  # fmt: skip


def operator(s: Cursor, value: str, start: int) -> None:
    """An operator between commands; `|` also stands between patterns."""
    if value == "|" and s.word_position == CASE_PATTERN:
        s.emit("PATTERN_OR", value, start)
        return
    kind = COMMAND_OPERATORS[value]
    s.tokens.append((kind, value, start, s.offset))
    s.word_position = CASE_CLAUSE if kind == "CLAUSE_END" and s.top() == "case" else COMMAND_START


def newline(s: Cursor, value: str, start: int) -> None:
    """The end of a line, with the comments and blank lines after it."""
    if s.pending:
        s.offset = s.text.index("\n", start) + 1
        value = s.text[start : s.offset]
        read_bodies(s)
    if s.word_position not in NEWLINE_NEUTRAL_POSITIONS:
        line_end = start if value[0] == "\n" else s.text.index("\n", start)
        s.tokens.append(("SEPARATOR", "\n", line_end, line_end))
        s.word_position = COMMAND_START
    if value != "\n" and ("#" in value or value.count("\n") > 1):
        keep_trivia(s, value, start)


def keep_trivia(s: Cursor, value: str, start: int) -> None:
    """Note the comments and blank lines in a run of newlines."""
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
    """A comment at the end of the text."""
    s.trivia.append(("comment", start, s.offset))


def broken_line(s: Cursor, value: str, start: int) -> None:
    r"""`\` newline between words."""
    s.trivia.append(("break", start, s.offset))


def redirect(s: Cursor, value: str, start: int) -> None:
    """A redirection's operator; its target is the next word."""
    s.emit("REDIRECT", value, start)
    s.word_position = POSITION_AFTER_REDIRECT.get(s.word_position, ARGUMENT_TARGET)


def descriptor(s: Cursor, value: str, start: int) -> None:
    """Digits before a redirection, unless they end a word."""
    if s.word_position in (ASSIGNED_VALUE, NAMED_VALUE):
        plain_word(s, value, start)
    else:
        s.emit("FD", value, start)


def left_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`(`: a subshell, an alternative's pattern, or a function's `()`."""
    if s.word_position == CASE_CLAUSE:
        s.emit("PATTERN_OPEN", value, start)
        s.word_position = CASE_PATTERN
        return
    if s.word_position == ARGUMENT and s.head == len(s.tokens) - 1:
        end = EMPTY_PARENTHESES.match(s.text, start)
        if end:
            _, name, begin, _ = s.tokens.pop()
            s.offset = end.end()
            s.emit("FUNCTION", name, begin)
            s.word_position = COMMAND_START
            return
    s.emit("LEFT_PAREN", value, start)
    s.word_position = AFTER_CLOSER
    s.push("(", start, "command")
    s.word_position = COMMAND_START


def double_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`((`: arithmetic at the start of a command."""
    if s.word_position not in (COMMAND_START, FOR_NAME):
        s.offset = start + 1
        left_parenthesis(s, "(", start)
        return
    s.emit("ARITHMETIC_OPEN", value, start)
    s.word_position = AFTER_CLOSER
    s.push("((", start, "arithmetic")


def right_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`)`: closes the innermost open parenthesis."""
    if s.word_position in (CASE_CLAUSE, CASE_PATTERN) and s.top() == "case":
        s.emit("PATTERN_CLOSE", value, start)
        s.word_position = COMMAND_START
        return
    stack = s.stack
    i = len(stack) - 1
    while i >= 0 and stack[i][0] not in PARENTHESIS_CLOSERS:
        i -= 1
    if i < 0:
        s.emit("RIGHT_PAREN", value, start)
        s.word_position = AFTER_CLOSER
        return
    opener, begin = stack[i][:2]
    s.emit(PARENTHESIS_CLOSERS[opener], value, start)
    while len(stack) > i:
        s.pop()
    if opener == "=(":
        refuse_touching_text(s, begin, "list")


def touching_parenthesis(s: Cursor, value: str, start: int) -> None:
    """`name(`: a function at the start of a command, unless it is `for((` or `if(`."""
    if s.word_position <= AFTER_CLOSER and value in RESERVED_WORDS:
        RESERVED_WORDS[value](s, value, start)
    elif s.word_position <= AFTER_CLOSER:
        function_name(s, value, start)
    else:
        composite_word(s, value, start)


def end_commands(s: Cursor) -> None:
    """End the text, which lacks the bodies of pending heredocs."""
    read_bodies(s)
    s.finish()


def scan_commands(s: Cursor) -> None:
    """Apply the rules until the mode changes.

    Most tokens are plain words (rule 2) and newlines (rule 3): those are handled without a call.
    """
    mode = s.mode
    assert mode is not None
    match, actions, text, append = mode.match, mode.actions, s.text, s.tokens.append
    pos = s.offset
    while True:
        m = match(text, pos)
        if m is None:
            s.offset = len(text)
            end_commands(s)
            return
        k: int = m.lastindex  # type: ignore[assignment]  # each rule has one group
        pos = m.end()
        if k == 2:
            at = s.word_position
            if ARGUMENT <= at <= FOR_WORDS:  # positions where every word is just a word
                append(("WORD", m[2], m.start(2), pos))
                s.word_position = POSITION_AFTER_WORD[at]
                continue
            if at == COMMAND_START and m[2] not in RESERVED_WORDS:
                s.head, s.word_position = len(s.tokens), ARGUMENT
                append(("WORD", m[2], m.start(2), pos))
                continue
        elif k == 3 and s.word_position == ARGUMENT and m[3] == "\n" and not s.pending:
            append(("SEPARATOR", "\n", pos - 1, pos - 1))
            s.word_position = COMMAND_START
            continue
        s.offset = pos
        actions[k](s, m[k], m.start(k))  # type: ignore[operator]
        if s.mode is not mode:
            return
        pos = s.offset


PLAIN_WORD_START = rf"[^{WORD_SPECIALS}#!=]"
MODES = [
    LexicalMode(
        "command",
        [
            (r"(\d{1,9}|\{[A-Za-z_]\w*+\})(?=[<>])(?![<>]\()", descriptor),
            (
                rf"((?:{PLAIN_WORD_START}[^{WORD_SPECIALS}=]*+|\{{\}}?|\[\[?|!){WORD_END})",
                plain_word,
            ),
            (r"((?:\#[^\n]*+)?\n(?>(?:[ \t]*+(?:\#[^\n]*+)?\n)*))", newline),
            (rf"({NAME_SYNTAX}\+?=|--[A-Za-z][\w-]*+=)", assignment_key),
            (rf"{VARIABLE_SYNTAX}{WORD_END}", one_token_word("VARIABLE")),
            (rf"{BRACED_VARIABLE}{WORD_END}", one_token_word("VARIABLE")),
            (rf"{PLAIN_DOUBLE_QUOTED}{WORD_END}", one_token_word("DOUBLE")),
            (rf"{INTERPOLATED_DOUBLE}{WORD_END}", double_quoted_word),
            (rf"{SINGLE_QUOTED}{WORD_END}", one_token_word("SINGLE")),
            (r"(;;&?|;&?|&&|\|[|&]?|&(?!>))", operator),
            (r"(&>>?|>[>&|]|<<<|<[&>]|<(?![<(])|>(?!\())", redirect),
            (r"(<<-?)", open_heredoc),
            (r"(\(\()", double_parenthesis),
            (r"(\()", left_parenthesis),
            (r"(\))", right_parenthesis),
            (rf"([^{WORD_SPECIALS}#!]++{WORD_END})", plain_word),
            (rf"({PLAIN_WORD_START}[^{WORD_SPECIALS}=]*+)(?<![@+!])(?=\()", touching_parenthesis),
            (r"(\.\.\.)(?=[$\"'])", spread),
            (r"(\\\n)", broken_line),
            (r"(\#[^\n]*+)", comment),
            (r"(?=(.))", composite_word),
        ],
        end_commands,
        skip=r"[ \t]*+",
        scan=scan_commands,
    ),
    LexicalMode(
        "target",
        [ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_at)],
        refuse_bare_path,
    ),
    LexicalMode(
        "entry",
        [ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_entry)],
        refuse_bare_path,
    ),
]
