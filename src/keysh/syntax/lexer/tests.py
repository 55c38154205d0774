"""`[[ … ]]`: operands, operators, patterns and regular expressions."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import BLANK, SKIP
from keysh.syntax.lexer.quotes import (
    ANSI_QUOTED,
    BRACED_VARIABLE,
    INTERPOLATED_DOUBLE,
    PLAIN_DOUBLE_QUOTED,
    SINGLE_QUOTED,
    VARIABLE_SPLITTER,
    VARIABLE_SYNTAX,
    backticks,
    decode_ansi,
    end_of_text,
    open_double,
    open_expansion,
    open_expression,
    open_substitution,
    skip_newline,
    unclosed_single,
)
from keysh.syntax.lexer.values import comment, open_inner_list, open_record
from keysh.syntax.lexer.words import close_word, open_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules

TEST_WORD_END = r"(?=[ \t\n;|&<>)]|\Z)"
PLAIN_TEST_WORD = r"[^ \t\n\r;|&<>()$`\"'\\*?\[{~]++"


def one_token_operand(kind: str) -> Action:
    """Return an action for an operand of one token."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        s.emit(kind, value, start)
        s.mode = s.modes["test_operator"]

    return one_token


def interpolated_operand(s: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    s.emit("INTERPOLATED", VARIABLE_SPLITTER.split(value), start)
    s.mode = s.modes["test_operator"]


def composite_operand(s: Cursor, value: str, start: int) -> None:
    """An operand of several pieces."""
    s.mode = s.modes["test_operator"]
    open_word(s, start, "word")


def regex_operand(s: Cursor, value: str, start: int) -> None:
    """The right side of `=~`."""
    s.mode = s.modes["test_operator"]
    open_word(s, start, "regex")


def unary_operator(s: Cursor, value: str, start: int) -> None:
    """`-f`: an operand follows."""
    s.emit("TEST_UNARY", value, start)
    s.mode = s.modes["test_operand"]


def binary_operator(s: Cursor, value: str, start: int) -> None:
    """`==`: an operand follows; after `=~` it is a regular expression."""
    s.emit("TEST_BINARY", value, start)
    s.mode = s.modes["test_regex" if value in ("=~", "!~") else "test_operand"]


def in_operator(s: Cursor, value: str, start: int) -> None:
    """`in`: a value follows."""
    s.emit("TEST_IN", "in" if value == "in" else "not in", start)
    s.mode = s.modes["test_value"]


def right_list(s: Cursor, value: str, start: int) -> None:
    """`in [a, b]`."""
    s.mode = s.modes["test_operator"]
    open_inner_list(s, value, start)


def right_record(s: Cursor, value: str, start: int) -> None:
    """`in {a: 1}`."""
    s.mode = s.modes["test_operator"]
    open_record(s, value, start)


def logical_operator(s: Cursor, value: str, start: int) -> None:
    """`&&` and `||`: another condition follows."""
    s.emit("AND_IF" if value == "&&" else "OR_IF", value, start)
    s.mode = s.modes["test"]


def open_group(s: Cursor, value: str, start: int) -> None:
    """`(`: a condition up to `)`."""
    s.emit("T_OPEN", value, start)
    s.mode = s.modes["test_operator"]
    s.push("(", start, "test")


def close_group(s: Cursor, value: str, start: int) -> None:
    """`)`; the parser refuses one that closes nothing."""
    s.emit("T_CLOSE", value, start)
    if s.top() == "(":
        s.pop()


def close_test(s: Cursor, value: str, start: int) -> None:
    """`]]`."""
    while s.top() == "(":
        s.pop()
    s.emit("TEST_CLOSE", value, start)
    s.pop()


def refuse_stray(s: Cursor) -> None:
    """End the text, or report a character that no condition contains."""
    pos = BLANK.end(s.text, s.offset)
    if pos >= len(s.text):
        s.finish()
        return
    s.offset = pos + 1
    if s.text[pos] == ";":
        refuse_end(s, pos)
        return
    s.report(
        "E108",
        pos,
        pos + 1,
        "cannot stand in `[[ … ]]`",
        f"`{s.text[pos]}`",
        f"write `{s.text[pos] * 2}`, or quote it" if s.text[pos] in "|&" else "quote it",
    )


def refuse_end(s: Cursor, pos: int) -> None:
    """Report a `;` in a condition, which ends it: `]]` is missing or touches a word."""
    s.offset = pos
    while s.top() == "(":
        s.pop()
        s.tokens.append(("T_CLOSE", ")", pos, pos))
    start = s.stack[-1][1]
    before = s.text[start:pos].rstrip()
    fix = "put a blank before the `]]`" if before.endswith("]]") else "add ` ]]`"
    s.report("E102", start, start + 2, "not closed before `;`", "`[[`", fix)
    s.tokens.append(("TEST_CLOSE", "]]", pos, pos))
    s.pop()


def open_regex_group(s: Cursor, value: str, start: int) -> None:
    """`(` in a regular expression: blanks are text up to its `)`."""
    s.emit("TEXT", value, start)
    s.push("(", start, "inner_regex")


def close_regex_group(s: Cursor, value: str, start: int) -> None:
    """The `)` of a group in a regular expression."""
    s.emit("TEXT", value, start)
    s.pop()


OPERAND_RULES: Rules = [
    (r"(\#[^\n]*+)", comment),
    (rf"({PLAIN_TEST_WORD}{TEST_WORD_END})", one_token_operand("WORD")),
    (rf"{VARIABLE_SYNTAX}{TEST_WORD_END}", one_token_operand("VARIABLE")),
    (rf"{BRACED_VARIABLE}{TEST_WORD_END}", one_token_operand("VARIABLE")),
    (rf"{PLAIN_DOUBLE_QUOTED}{TEST_WORD_END}", one_token_operand("DOUBLE")),
    (rf"{INTERPOLATED_DOUBLE}{TEST_WORD_END}", interpolated_operand),
    (rf"{SINGLE_QUOTED}{TEST_WORD_END}", one_token_operand("SINGLE")),
    (r"(?=([^;|&<>()]))", composite_operand),
]
CLOSE_RULE = (rf"(\]\]){TEST_WORD_END}", close_test)
GROUP_RULES = [(r"(\()", open_group), (r"(\))", close_group)]
CONNECT_RULE = (r"(&&|\|\|)", logical_operator)

REGEX_RULES: Rules = [
    (VARIABLE_SYNTAX, "VARIABLE"),
    (BRACED_VARIABLE, "VARIABLE"),
    (SINGLE_QUOTED, "SINGLE"),
    (PLAIN_DOUBLE_QUOTED, "DOUBLE"),
    (r'(\$?")', open_double),
    (r"(\$\(\()", open_expression),
    (r"(\$\()", open_substitution),
    (r"(\$\{)", open_expansion),
    (r"(\\\n)", skip_newline),
    (r"\\(.)", "ESCAPED"),
    (r"(`)", backticks),
    (ANSI_QUOTED, decode_ansi),
    (r"(\$?')", unclosed_single),
    (r"(\()", open_regex_group),
    (r"(\$)", "TEXT"),
]

MODES = [
    LexicalMode(
        "test",
        [
            CLOSE_RULE,
            (r"(-(?:[a-hknoprstuvwxzGLNORS]|list|record))(?=[ \t\n])", unary_operator),
            (r"(!)(?=[ \t\n(])", "BANG"),
            *GROUP_RULES,
            CONNECT_RULE,
            *OPERAND_RULES,
        ],
        refuse_stray,
        skip=SKIP,
    ),
    LexicalMode(
        "test_operator",
        [
            CLOSE_RULE,
            CONNECT_RULE,
            *GROUP_RULES,
            (r"(==|=~|!=|!~|=|<|>)", binary_operator),
            (r"(-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[ \t\n])", binary_operator),
            (r"(in|not[ \t]+in)(?=[ \t\n])", in_operator),
            *OPERAND_RULES,
        ],
        refuse_stray,
        skip=SKIP,
    ),
    LexicalMode(
        "test_operand",
        [CLOSE_RULE, CONNECT_RULE, *GROUP_RULES, *OPERAND_RULES],
        refuse_stray,
        skip=SKIP,
    ),
    LexicalMode(
        "test_value",
        [
            CLOSE_RULE,
            (r"(\[)", right_list),
            (r"(\{)", right_record),
            *GROUP_RULES,
            CONNECT_RULE,
            *OPERAND_RULES,
        ],
        refuse_stray,
        skip=SKIP,
    ),
    LexicalMode(
        "test_regex", [CLOSE_RULE, (r"(?=([^;&<>]))", regex_operand)], refuse_stray, skip=SKIP
    ),
    LexicalMode("regex", [(r"([^ \t\n$`\"'\\();&<>]++)", "TEXT"), *REGEX_RULES], close_word),
    LexicalMode(
        "inner_regex",
        [(r"([^$`\"'\\()]++)", "TEXT"), (r"(\))", close_regex_group), *REGEX_RULES],
        end_of_text,
    ),
]
