"""Commands: the modes between words, with operators, redirections and newlines."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import RULES_PER_LOOK, Cursor, LateAction, LexicalMode
from keysh.syntax.lexer.lexeme import Lexeme
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
    VARIABLE_SPLITTER,
    VARIABLE_SYNTAX,
)
from keysh.syntax.lexer.reserved import EMPTY_PARENTHESES, RESERVED_WORDS, function_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action

# Python keeps 120 bytes for each empty line until a match ends, so one match passes a part of them.
MAX_EMPTY_LINES = 1000
EMPTY_LINES = rf"(?>(?:[ \t]*+(?:\#[^\n]*+)?\n){{0,{MAX_EMPTY_LINES}}})"
MORE_EMPTY_LINES = Lexeme(EMPTY_LINES)

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


def operator(cursor: Cursor, value: str, start: int) -> None:
    """An operator between commands; `|` also stands between patterns."""
    if value == "|" and cursor.word_position == CASE_PATTERN:
        cursor.emit("PATTERN_OR", value, start)
        return
    kind = COMMAND_OPERATORS[value]
    cursor.tokens.append((kind, value, start, cursor.offset))
    cursor.word_position = (
        CASE_CLAUSE if kind == "CLAUSE_END" and cursor.top() == "case" else COMMAND_START
    )


def newline(cursor: Cursor, value: str, start: int) -> None:
    """The end of a line, with the comments and blank lines after it."""
    if cursor.pending:
        cursor.offset = cursor.text.index("\n", start) + 1
        value = cursor.text[start : cursor.offset]
        read_heredocs(cursor)
    elif len(value) >= MAX_EMPTY_LINES:
        value = pass_empty_lines(cursor, start)
    if cursor.word_position not in NEWLINE_NEUTRAL_POSITIONS:
        line_end = start if value[0] == "\n" else cursor.text.index("\n", start)
        cursor.tokens.append(("SEPARATOR", "\n", line_end, line_end))
        cursor.word_position = COMMAND_START
    if value != "\n" and ("#" in value or value.count("\n") > 1):
        keep_trivia(cursor, value, start)


def pass_empty_lines(cursor: Cursor, start: int) -> str:
    """Move the cursor past comments and blank lines, of which one match takes a part."""
    passed = -1
    while cursor.offset != passed:
        if cursor.offset >= cursor.tick_offset:
            cursor.look(cursor.offset)
        passed = cursor.offset
        cursor.offset = MORE_EMPTY_LINES.end(cursor.text, passed)
    return cursor.text[start:passed]


def keep_trivia(cursor: Cursor, value: str, start: int) -> None:
    """Note the comments and blank lines in a run of newlines."""
    first, text, end = start, cursor.text, start + len(value)
    while start < end:
        if start >= cursor.tick_offset:
            cursor.look(start)
        line_end = text.index("\n", start)
        line = text[start:line_end].lstrip(" \t")
        if line:
            cursor.trivia.append(("comment", line_end - len(line), line_end))
        elif start != first:
            cursor.trivia.append(("blank", start, start))
        start = line_end + 1


def comment(cursor: Cursor, value: str, start: int) -> None:
    """A comment at the end of the text."""
    cursor.trivia.append(("comment", start, cursor.offset))


def broken_line(cursor: Cursor, value: str, start: int) -> None:
    r"""`\` newline between words."""
    cursor.trivia.append(("break", start, cursor.offset))


def redirect(cursor: Cursor, value: str, start: int) -> None:
    """A redirection's operator; its target is the next word."""
    cursor.emit("REDIRECT", value, start)
    cursor.word_position = POSITION_AFTER_REDIRECT.get(cursor.word_position, ARGUMENT_TARGET)


def descriptor(cursor: Cursor, value: str, start: int) -> None:
    """Digits before a redirection, unless they end a word."""
    if cursor.word_position in (ASSIGNED_VALUE, NAMED_VALUE):
        from keysh.syntax.lexer.command_words import plain_word  # noqa: PLC0415 - `x=2>file` is rare

        plain_word(cursor, value, start)
    else:
        cursor.emit("FD", value, start)


def left_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`(`: a subshell, an alternative's pattern, or a function's `()`."""
    if cursor.word_position == CASE_CLAUSE:
        cursor.emit("PATTERN_OPEN", value, start)
        cursor.word_position = CASE_PATTERN
        return
    if cursor.word_position == ARGUMENT and (end := EMPTY_PARENTHESES.match(cursor.text, start)):
        if cursor.head == len(cursor.tokens) - 1:
            _, name, begin, _ = cursor.tokens.pop()
            cursor.offset = end.end()
            cursor.emit("FUNCTION", name, begin)
            cursor.word_position = COMMAND_START
            return
        from keysh.syntax.lexer.function_names import name_of_first_word  # noqa: PLC0415 - rare

        if name_of_first_word(cursor, start, end.end()):
            return
    cursor.emit("LEFT_PAREN", value, start)
    cursor.word_position = AFTER_CLOSER
    cursor.push("(", start, "command")
    cursor.word_position = COMMAND_START


def double_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`((`: arithmetic at the start of a command."""
    way = cursor.way_to_read(start)
    if cursor.word_position not in (COMMAND_START, FOR_NAME) or way == "parentheses":
        cursor.offset = start + 1
        left_parenthesis(cursor, "(", start)
        return
    cursor.emit("ARITHMETIC_OPEN", value, start)
    cursor.word_position = AFTER_CLOSER
    cursor.push("((", start, "arithmetic_text" if way else "arithmetic")


def right_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`)`: closes the innermost open parenthesis."""
    if cursor.word_position in (CASE_CLAUSE, CASE_PATTERN) and cursor.top() == "case":
        cursor.emit("PATTERN_CLOSE", value, start)
        cursor.word_position = COMMAND_START
        return
    stack = cursor.stack
    i = len(stack) - 1
    while i >= 0 and stack[i][0] not in PARENTHESIS_CLOSERS:
        i -= 1
    if i < 0:
        cursor.emit("RIGHT_PAREN", value, start)
        cursor.word_position = AFTER_CLOSER
        return
    opener, opened = stack[i][:2]
    cursor.emit(PARENTHESIS_CLOSERS[opener], value, start)
    while len(stack) > i:
        cursor.pop()
    if opener == "=(":
        from keysh.syntax.lexer.values import refuse_touching_text  # noqa: PLC0415 - few arrays

        refuse_touching_text(cursor, opened, "list")


def one_token_word(kind: str) -> Action:
    """Return an action for a word that is one token."""

    def one_token(cursor: Cursor, value: str, start: int) -> None:
        cursor.tokens.append((kind, value, start, cursor.offset))
        cursor.word_position = POSITION_AFTER_WORD[cursor.word_position]

    return one_token


def double_quoted_word(cursor: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    cursor.emit("INTERPOLATED", VARIABLE_SPLITTER.split(value), start)
    cursor.word_position = POSITION_AFTER_WORD[cursor.word_position]


def touching_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`name(`: a function at the start of a command, unless it is `for((`, `if(` or `{(`."""
    if cursor.word_position <= AFTER_CLOSER and value in RESERVED_WORDS:
        RESERVED_WORDS[value](cursor, value, start)
    elif cursor.word_position <= AFTER_CLOSER:
        function_name(cursor, value, start)
    else:
        from keysh.syntax.lexer.command_words import composite_word  # noqa: PLC0415 - `a x(` is rare

        composite_word(cursor, value, start)


def end_commands(cursor: Cursor) -> None:
    """End the text, which lacks the bodies of pending heredocs."""
    if cursor.pending:
        read_heredocs(cursor)
    cursor.finish()


def read_heredocs(cursor: Cursor) -> None:
    """Read the bodies of all pending heredocs from the lines at the cursor."""
    from keysh.syntax.lexer.heredocs import read_bodies  # noqa: PLC0415 - few scripts have any

    read_bodies(cursor)


def scan_commands(cursor: Cursor) -> None:
    """Apply the rules until the mode changes.

    Most tokens are plain words (rule 2) and newlines (rule 3): those are handled without a call.
    """
    mode = cursor.mode
    assert mode is not None
    match, actions, text, append = mode.match, mode.actions, cursor.text, cursor.tokens.append
    offset = cursor.offset
    while True:
        if offset >= cursor.tick_offset:
            cursor.look(offset)
        for _ in range(RULES_PER_LOOK):
            found = match(text, offset)
            if found is None:
                cursor.offset = len(text)
                end_commands(cursor)
                return
            rule: int = found.lastindex  # type: ignore[assignment]  # each rule has one group
            offset = found.end()
            if rule == 2:
                position = cursor.word_position
                if ARGUMENT <= position <= FOR_WORDS:  # positions where every word is just a word
                    append(("WORD", found[2], found.start(2), offset))
                    cursor.word_position = POSITION_AFTER_WORD[position]
                    continue
                if position == COMMAND_START and found[2] not in RESERVED_WORDS:
                    cursor.head, cursor.word_position = len(cursor.tokens), ARGUMENT
                    append(("WORD", found[2], found.start(2), offset))
                    continue
            elif (
                rule == 3
                and cursor.word_position == ARGUMENT
                and found[3] == "\n"
                and not cursor.pending
            ):
                append(("SEPARATOR", "\n", offset - 1, offset - 1))
                cursor.word_position = COMMAND_START
                continue
            cursor.offset = offset
            actions[rule](cursor, found[rule], found.start(rule))  # type: ignore[operator]
            if cursor.mode is not mode:
                return
            offset = cursor.offset


PLAIN_WORD_START = rf"[^{WORD_SPECIALS}#!=]"
MODES = [
    LexicalMode(
        "command",
        [
            (r"(\d{1,9}|\{[A-Za-z_]\w*+(?:\[\w++\])?\})(?=[<>])(?![<>]\()", descriptor),
            (
                rf"((?:{PLAIN_WORD_START}[^{WORD_SPECIALS}=]*+|\{{\}}?|\[\[?|!){WORD_END})",
                LateAction("command_words.plain_word"),
            ),
            (rf"((?:\#[^\n]*+)?\n{EMPTY_LINES})", newline),
            (rf"({NAME_SYNTAX}\+?=|--[A-Za-z][\w-]*+=)", LateAction("assignments.assignment_key")),
            (rf"{VARIABLE_SYNTAX}{WORD_END}", one_token_word("VARIABLE")),
            (rf"{BRACED_VARIABLE}{WORD_END}", one_token_word("VARIABLE")),
            (rf"{PLAIN_DOUBLE_QUOTED}{WORD_END}", one_token_word("DOUBLE")),
            (rf"{INTERPOLATED_DOUBLE}{WORD_END}", double_quoted_word),
            (rf"{SINGLE_QUOTED}{WORD_END}", one_token_word("SINGLE")),
            (r"(;;&?|;&?|&&|\|[|&]?|&(?!>))", operator),
            (r"(&>>?|>[>&|]|<<<|<[&>]|<(?![<(])|>(?!\())", redirect),
            (r"(<<-?)", LateAction("heredocs.open_heredoc")),
            (r"(\(\()", double_parenthesis),
            (r"(\()", left_parenthesis),
            (r"(\))", right_parenthesis),
            (rf"([^{WORD_SPECIALS}#!]++{WORD_END})", LateAction("command_words.plain_word")),
            (
                rf"({PLAIN_WORD_START}[^{WORD_SPECIALS}=]*+(?<![@+!])|\{{)(?=\()",
                touching_parenthesis,
            ),
            (r"(\.\.\.)(?=[$\"'])", LateAction("assignments.spread")),
            (r"(\\\n)", broken_line),
            (r"(\#[^\n]*+)", comment),
            (r"(?=(.))", LateAction("command_words.composite_word")),
        ],
        end_commands,
        skip=r"[ \t]*+",
        scan=scan_commands,
    ),
]
