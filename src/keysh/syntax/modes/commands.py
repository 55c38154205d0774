"""Commands: words, operators, reserved words, assignments, redirections, newlines.

The cursor's `at` says what a word would be, for that decides what counts as an assignment, a
named argument or a reserved word.
"""

from __future__ import annotations

from keysh.diagnostics import shortened
from keysh.syntax.cursor import Cursor, Mode
from keysh.syntax.lexeme import Lexeme
from keysh.syntax.modes.expansions import ALL, PLAIN_SUBSCRIPT, open_subscript
from keysh.syntax.modes.heredocs import open_heredoc, read_bodies
from keysh.syntax.modes.quotes import (
    BRACED_VARIABLE,
    INTERPOLATED_DOUBLE,
    NAME,
    PLAIN_DOUBLE,
    SINGLE,
    VARIABLE,
    VARIABLES,
)
from keysh.syntax.modes.values import is_record, open_list, open_record, refuse_rest
from keysh.syntax.modes.words import open_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.syntax.cursor import Action

(
    START,  # a command may begin: reserved words count, newlines do not
    CLOSED,  # behind `fi`, `}`, `)`: a closing word, a redirection or the command's end
    PREFIX,  # behind an assignment or redirection: the command's name is still to come
    ARGUMENT,
    ASSIGNED,  # the value of an assignment
    NAMED,  # the value of a named argument
    TARGET,  # of a redirection before the command's name
    ARGUMENT_TARGET,
    CLOSED_TARGET,
    WORDS,  # of a `for` head
    FOR_NAME,
    FOR_IN,
    CASE_WORD,
    CASE_IN,
    CLAUSE,  # a pattern may begin, or `esac`
    PATTERN,
    ENTRY,  # of `xs=( … )`
) = range(17)

# Where the cursor stands after a word that stood there.
AFTER = (
    ARGUMENT, ARGUMENT, ARGUMENT, ARGUMENT, PREFIX, ARGUMENT, PREFIX, ARGUMENT, CLOSED, WORDS,
    FOR_IN, ARGUMENT, CASE_IN, ARGUMENT, PATTERN, PATTERN, ENTRY,
)  # fmt: skip
AFTER_REDIRECT = {START: TARGET, PREFIX: TARGET, CLOSED: CLOSED_TARGET}
NEWLINE_ENDS_NOTHING = (START, FOR_IN, CASE_IN, CLAUSE, ENTRY)
RESERVED_COUNT = (START, CLOSED, FOR_NAME, FOR_IN, CASE_IN, CLAUSE)
BRACES_COUNT = (START, PREFIX, ARGUMENT, NAMED, WORDS, ENTRY)

EMPTY_BEFORE = frozenset(
    ("", *" \t\n;|&<>)")
)  # nothing is assigned where one of these follows the `=`
VALUE_BEGINS = EMPTY_BEFORE | frozenset("([{#")
END = r"(?=[ \t\n;|&)]|[<>](?!\()|\Z)"
SPECIAL = r" \t\n\r;|&<>()$`\"'\\*?\[{~"
WHOLE_NAME = Lexeme(rf"{NAME}\Z")
PLAIN = Lexeme(rf"[^{SPECIAL}]++{END}")
ENTRY_KEY = Lexeme(r"\[(?:[^][]|\[[^][]*+\])*+\]\+?=")
TARGET_PATH = Lexeme(rf"({NAME})(?=\[)")
WORD_IN_BRACKETS = Lexeme(rf"{NAME}\[[^][\s\"'$`\\]*+\](?!\[|\+?=)")
EMPTY_PARENTHESES = Lexeme(r"[ \t]*\([ \t]*\)")
FUNCTION_NAME = Lexeme(rf"[ \t]+([^{SPECIAL}]++)")
LINE_END = Lexeme(r"[ \t]*(?:\#[^\n]*)?\n")
JOINED = Lexeme(rf"([^{SPECIAL}=]++(?:\\\n[^{SPECIAL}=]*+)++){END}")  # a word over two lines
TIME = Lexeme(rf"([ \t]+-p{END})?(?:[ \t]+--{END})?")

OPENS = {
    "if": "IF", "then": "THEN", "elif": "ELIF", "else": "ELSE", "while": "WHILE",
    "until": "UNTIL", "do": "DO", "{": "LEFT_BRACE", "!": "BANG",
}  # fmt: skip
CLOSES = {
    "fi": ("FI", ("if",)),
    "done": ("DONE", ("while", "until", "do")),
    "esac": ("ESAC", ("case",)),
    "}": ("RIGHT_BRACE", ("{",)),
}
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


def word(s: Cursor, value: str, start: int) -> None:
    """A word of one plain piece, which may be reserved where it stands."""
    at = s.at
    if at <= CLOSED:
        if (reserved := RESERVED.get(value)) is not None:
            reserved(s, value, start)
            return
        s.head = len(s.tokens)
    elif at == FOR_NAME:
        loop_name(s, value, start)
        return
    elif at in (FOR_IN, CASE_IN, CLAUSE) and (value, at) in HEADS:
        HEADS[value, at](s, value, start)
        return
    s.tokens.append(("WORD", value, start, s.pos))
    s.at = AFTER[at]


def whole(kind: str) -> Action:
    """An action for a word that is one token of this type."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        s.tokens.append((kind, value, start, s.pos))
        s.at = AFTER[s.at]

    return one_token


def interpolated(s: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    s.emit("INTERPOLATED", VARIABLES.split(value), start)
    s.at = AFTER[s.at]


def composite(s: Cursor, value: str, start: int) -> None:
    """A word of several pieces; or, where a command begins, the path of `u[k]=v`."""
    at = s.at
    if at in (START, PREFIX) and (path := TARGET_PATH.match(s.text, start)):
        if not WORD_IN_BRACKETS.match(s.text, start):
            s.pos = path.end()
            s.emit("TARGET", path[1], start)
            s.mode = s.modes["target"]
            return
    elif at == ENTRY and ENTRY_KEY.match(s.text, start):
        s.pos = start
        s.mode = s.modes["entry"]
        return
    if at in RESERVED_COUNT and (joined := JOINED.match(s.text, start)):
        s.pos = joined.end()
        word(s, joined[1].replace("\\\n", ""), start)
        return
    s.at = AFTER[at]
    mode = "assigned" if at in (ASSIGNED, NAMED) else "word"
    open_word(s, start, mode, braces=at in BRACES_COUNT)


def ordinary(s: Cursor, start: int) -> None:
    """A word that looks like something else, but not where it stands."""
    if plain := PLAIN.match(s.text, start):
        s.pos = plain.end()
        word(s, plain[0], start)
    else:
        composite(s, "", start)


# ---------------------------------------------------------------- reserved words


def opens(s: Cursor, value: str, start: int) -> None:
    """A word behind which a command begins; some need a closing word."""
    s.emit(OPENS[value], value, start)
    s.at = START
    if value == "do" and s.top() == "for":
        s.pop()
        s.push("do", start, "command")
        s.at = START
    elif value in ("if", "while", "until", "{"):
        s.push(value, start, "command")


def closes(s: Cursor, value: str, start: int) -> None:
    """A word that ends a compound command. One that closes nothing is the parser's to refuse."""
    kind, openers = CLOSES[value]
    s.emit(kind, value, start)
    if s.top() in openers:
        s.pop()
        if value == "}" and s.top() == "for":  # `for … { … }`
            s.pop()
    s.at = CLOSED


def for_head(s: Cursor, value: str, start: int) -> None:
    """`for`: a name or `((` comes next."""
    s.emit("FOR", value, start)
    s.push("for", start, "command")
    s.at = FOR_NAME


def case_head(s: Cursor, value: str, start: int) -> None:
    """`case`: a word comes next."""
    s.emit("CASE", value, start)
    s.push("case", start, "command")
    s.at = CASE_WORD


def test_head(s: Cursor, value: str, start: int) -> None:
    """`[[`: a condition up to `]]`."""
    s.emit("TEST_OPEN", value, start)
    s.at = CLOSED
    s.push("[[", start, "test")


def timing(s: Cursor, value: str, start: int) -> None:
    """`time`, and its `-p` and `--`."""
    option = TIME.match(s.text, s.pos)
    assert option is not None
    s.pos = option.end()
    s.emit("TIME", "time -p" if option[1] else "time", start)
    s.at = CLOSED if LINE_END.match(s.text, s.pos) else START


def function_head(s: Cursor, value: str, start: int) -> None:
    """`function name`."""
    name = FUNCTION_NAME.match(s.text, s.pos)
    if name is None:
        s.stop("E117", start, s.pos, "`function` needs a name", "", "write `name() { …; }`")
    else:
        s.pos = name.end()
        function_name(s, name[1], start)


def function_name(s: Cursor, name: str, start: int) -> None:
    """A function's name, and `()` or `(` with its parameters."""
    empty = EMPTY_PARENTHESES.match(s.text, s.pos)
    s.at = START
    if empty:
        s.pos = empty.end()
    elif s.text.startswith("(", s.pos):
        s.pos += 1
        s.emit("FUNCTION_DECLARED", name, start)
        s.push("(", s.pos - 1, "declaration")
        return
    s.emit("FUNCTION", name, start)


def refused(s: Cursor, value: str, start: int) -> None:
    """A construct of bash that keysh leaves out."""
    instead = {
        "select": "print the choices and `read` the answer",
        "coproc": "run it in the background with `&` and files, or as a pipeline",
    }
    s.stop("E111", start, s.pos, "keysh does not have this construct", f"`{value}`", instead[value])


def loop_name(s: Cursor, value: str, start: int) -> None:
    """The variable of a `for` loop."""
    if not WHOLE_NAME.match(value, 0):
        s.report(
            "E118",
            start,
            s.pos,
            "not a variable's name",
            f"`{shortened(value)}`",
            "write `for name in words; do …; done`",
        )
    s.emit("NAME", value, start)
    s.at = FOR_IN


def head_in(s: Cursor, value: str, start: int) -> None:
    """The `in` of a head."""
    s.emit("IN", value, start)
    s.at = WORDS if s.at == FOR_IN else CLAUSE


RESERVED: dict[str, Callable[[Cursor, str, int], None]] = {
    **dict.fromkeys(OPENS, opens),
    **dict.fromkeys(CLOSES, closes),
    "for": for_head,
    "case": case_head,
    "[[": test_head,
    "time": timing,
    "function": function_head,
    "select": refused,
    "coproc": refused,
}
HEADS = {
    ("in", FOR_IN): head_in,
    ("do", FOR_IN): opens,
    ("{", FOR_IN): opens,
    ("in", CASE_IN): head_in,
    ("esac", CLAUSE): closes,
}


# ---------------------------------------------------------------- assignments, named arguments


def key(s: Cursor, value: str, start: int) -> None:
    """`name=`: an assignment before the command's name, a named argument behind it."""
    at = s.at
    if at == ARGUMENT:
        s.emit("KEY", value, start)
        s.at = NAMED
    elif at <= PREFIX and value[0] != "-":
        s.emit("ASSIGN", value, start)
        s.at = ASSIGNED
    else:
        ordinary(s, start)
        return
    begin_value(s)


def begin_value(s: Cursor) -> None:
    """What touches the `=`: nothing, a list, a record, an array or (the rules go on) a word."""
    text, pos = s.text, s.pos
    while text.startswith("\\\n", pos):
        s.pos = pos = pos + 2
    char = text[pos : pos + 1]
    if char not in VALUE_BEGINS:
        return
    if char in EMPTY_BEFORE:
        if char in ("<", ">") and text.startswith("(", pos + 1):
            return
        kind, value, start, end = s.tokens[-1]
        s.tokens[-1] = ("EMPTY_" + kind, value, start, end)
        s.at = AFTER[s.at]
    elif char == "(":
        s.pos += 1
        s.emit("ARRAY_OPEN", char, pos)
        s.at = AFTER[s.at]
        s.push("=(", pos, "command")
        s.at = ENTRY
    elif char == "[":
        is_argument, s.at = s.at == NAMED, AFTER[s.at]
        s.pos += 1
        open_list(s, char, pos, is_argument=is_argument)
    elif char == "{" and is_record(s, is_argument=s.at == NAMED):
        s.at = AFTER[s.at]
        s.pos += 1
        open_record(s, char, pos)
    elif char == "#":
        composite(s, "", pos)


def assign_at(s: Cursor, value: str, start: int) -> None:
    """The `=` behind `u[k]`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    s.at = ASSIGNED
    begin_value(s)


def assign_entry(s: Cursor, value: str, start: int) -> None:
    """The `=` behind `[k]` in `( … )`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    while s.text.startswith("\\\n", s.pos):
        s.pos += 2
    char = s.text[s.pos : s.pos + 1]
    if char in ("<", ">") and s.text.startswith("(", s.pos + 1):
        return
    if char in EMPTY_BEFORE:
        s.tokens[-1] = ("EMPTY_ASSIGN_AT", value, start, s.pos)
    elif char == "#":
        composite(s, "", s.pos)


def no_assignment(s: Cursor) -> None:
    """A path that nothing is assigned to."""
    begins = (token[2] for token in reversed(s.tokens) if token[0] in ("TARGET", "ARRAY_OPEN"))
    start = next(begins)
    s.mode = s.modes["command"]
    path = shortened(s.text[start : s.pos])
    fix = f"write `{path}=value`, or `echo ${{{path}}}` to read it"
    s.report("E119", start, s.pos, "`=` and a value must follow", f"`{path}`", fix)
    s.tokens.append(("EMPTY_ASSIGN_AT", "=", s.pos, s.pos))
    s.at = ARGUMENT


def spread(s: Cursor, value: str, start: int) -> None:
    """`...$xs`: the elements of a list, where words are collected."""
    if s.at in (ARGUMENT, WORDS, ENTRY):
        s.emit("SPREAD", value, start)
    else:
        composite(s, value, start)


# ---------------------------------------------------------------- operators


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
        line_end = s.text.index("\n", start)
        s.tokens.append(("SEPARATOR", "\n", line_end, line_end))
        s.at = START
    if len(value) > 1:
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
    """Apply the rules until the mode changes; the commonest word takes no function call."""
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
        if k == 2 and s.at == ARGUMENT:
            append(("WORD", m[2], m.start(2), pos))
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
            (r"((?:\#[^\n]*+)?\n(?:[ \t\n]++|\#[^\n]*+\n)*+)", newline),
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
