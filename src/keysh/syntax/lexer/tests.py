"""`[[ … ]]`: operands, operators, patterns and regular expressions."""

from __future__ import annotations

from keysh.syntax.lexer.command_words import negates, open_word
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
from keysh.syntax.lexer.words import close_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules

TEST_WORD_END = r"(?=[ \t\n;|&<>)]|\Z)"
PLAIN_TEST_WORD = r"[^ \t\n\r;|&<>()$`\"'\\*?\[{~]++"


def one_token_operand(kind: str) -> Action:
    """Return an action for an operand of one token."""

    def one_token(cursor: Cursor, value: str, start: int) -> None:
        cursor.emit(kind, value, start)
        cursor.mode = cursor.modes["test_operator"]

    return one_token


def interpolated_operand(cursor: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    cursor.emit("INTERPOLATED", VARIABLE_SPLITTER.split(value), start)
    cursor.mode = cursor.modes["test_operator"]


def composite_operand(cursor: Cursor, value: str, start: int) -> None:
    """An operand of several pieces."""
    cursor.mode = cursor.modes["test_operator"]
    open_word(cursor, start, "word")


def regex_operand(cursor: Cursor, value: str, start: int) -> None:
    """The right side of `=~`."""
    cursor.mode = cursor.modes["test_operator"]
    open_word(cursor, start, "regex")


def unary_operator(cursor: Cursor, value: str, start: int) -> None:
    """`-f`: an operand follows."""
    cursor.emit("TEST_UNARY", value, start)
    cursor.mode = cursor.modes["test_operand"]


def binary_operator(cursor: Cursor, value: str, start: int) -> None:
    """`==`: an operand follows; after `=~` it is a regular expression."""
    cursor.emit("TEST_BINARY", value, start)
    cursor.mode = cursor.modes["test_regex" if value in ("=~", "!~") else "test_operand"]


def in_operator(cursor: Cursor, value: str, start: int) -> None:
    """`in`: a value follows."""
    cursor.emit("TEST_IN", "in" if value == "in" else "not in", start)
    cursor.mode = cursor.modes["test_value"]


def right_list(cursor: Cursor, value: str, start: int) -> None:
    """`in [a, b]`."""
    cursor.mode = cursor.modes["test_operator"]
    open_inner_list(cursor, value, start)


def right_record(cursor: Cursor, value: str, start: int) -> None:
    """`in {a: 1}`."""
    cursor.mode = cursor.modes["test_operator"]
    open_record(cursor, value, start)


def logical_operator(cursor: Cursor, value: str, start: int) -> None:
    """`&&` and `||`: another condition follows."""
    cursor.emit("AND_IF" if value == "&&" else "OR_IF", value, start)
    cursor.mode = cursor.modes["test"]


def bang(cursor: Cursor, value: str, start: int) -> None:
    """`!(`: a negated group, or an extended glob."""
    if negates(cursor, start):
        cursor.emit("BANG", value, start)
    else:
        composite_operand(cursor, value, start)


def open_group(cursor: Cursor, value: str, start: int) -> None:
    """`(`: a condition up to `)`."""
    cursor.emit("T_OPEN", value, start)
    cursor.mode = cursor.modes["test_operator"]
    cursor.push("(", start, "test")


def close_group(cursor: Cursor, value: str, start: int) -> None:
    """`)`; the parser refuses one that closes nothing."""
    cursor.emit("T_CLOSE", value, start)
    if cursor.top() == "(":
        cursor.pop()


def close_test(cursor: Cursor, value: str, start: int) -> None:
    """`]]`."""
    while cursor.top() == "(":
        cursor.pop()
    cursor.emit("TEST_CLOSE", value, start)
    cursor.pop()


def refuse_stray(cursor: Cursor) -> None:
    """End the text, or report a character that no condition contains."""
    pos = BLANK.end(cursor.text, cursor.offset)
    if pos >= len(cursor.text):
        cursor.finish()
        return
    cursor.offset = pos + 1
    if cursor.text[pos] == ";":
        refuse_end(cursor, pos)
        return
    cursor.report(
        "E108",
        pos,
        pos + 1,
        "cannot appear in `[[ … ]]`",
        f"`{cursor.text[pos]}`",
        f"write `{cursor.text[pos] * 2}`, or quote it" if cursor.text[pos] in "|&" else "quote it",
    )


def refuse_end(cursor: Cursor, pos: int) -> None:
    """Report a `;` in a condition, which ends it: `]]` is missing or touches a word."""
    cursor.offset = pos
    while cursor.top() == "(":
        cursor.pop()
        cursor.tokens.append(("T_CLOSE", ")", pos, pos))
    start = cursor.stack[-1][1]
    before = cursor.text[start:pos].rstrip()
    fix = "put a blank before the `]]`" if before.endswith("]]") else "add ` ]]`"
    cursor.report("E102", start, start + 2, "not closed before `;`", "`[[`", fix)
    cursor.tokens.append(("TEST_CLOSE", "]]", pos, pos))
    cursor.pop()


def open_regex_group(cursor: Cursor, value: str, start: int) -> None:
    """`(` in a regular expression: blanks are text up to its `)`."""
    cursor.emit("TEXT", value, start)
    cursor.push("(", start, "inner_regex")


def close_regex_group(cursor: Cursor, value: str, start: int) -> None:
    """The `)` of a group in a regular expression."""
    cursor.emit("TEXT", value, start)
    cursor.pop()


OPERAND_RULES: Rules = [
    (r"(\#[^\n]*+)", comment),
    (rf"({PLAIN_TEST_WORD}{TEST_WORD_END})", one_token_operand("WORD")),
    (rf"{VARIABLE_SYNTAX}{TEST_WORD_END}", one_token_operand("VARIABLE")),
    (rf"{BRACED_VARIABLE}{TEST_WORD_END}", one_token_operand("VARIABLE")),
    (rf"{PLAIN_DOUBLE_QUOTED}{TEST_WORD_END}", one_token_operand("DOUBLE")),
    (rf"{INTERPOLATED_DOUBLE}{TEST_WORD_END}", interpolated_operand),
    (rf"{SINGLE_QUOTED}{TEST_WORD_END}", one_token_operand("SINGLE")),
    (r"(?=([^;|&<>()]|[<>]\())", composite_operand),
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
    (r"(\$\(|[<>]\()", open_substitution),
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
            (r"(!)(?=[ \t\n])", "BANG"),
            (r"(!)(?=\()", bang),
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
        "test_regex",
        [CLOSE_RULE, (r"(?=([^;&<>]|[<>]\())", regex_operand)],
        refuse_stray,
        skip=SKIP,
    ),
    LexicalMode("regex", [(r"([^ \t\n$`\"'\\();&<>]++)", "TEXT"), *REGEX_RULES], close_word),
    LexicalMode(
        "inner_regex",
        [(r"([^$`\"'\\()]++)", "TEXT"), (r"(\))", close_regex_group), *REGEX_RULES],
        end_of_text,
    ),
]
