"""Arithmetic: `((…))`, `$((…))`, `for ((…))` and `${x:offset:length}`."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax.lexer.command_words import open_word
from keysh.syntax.lexer.cursor import Cursor, LexicalMode, apply_rules
from keysh.syntax.lexer.expansions import ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, open_subscript
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.positions import COMMAND_START
from keysh.syntax.lexer.quotes import (
    ANSI_QUOTED,
    BRACED_VARIABLE,
    NAME_SYNTAX,
    PLAIN_DOUBLE_QUOTED,
    SINGLE_QUOTED,
    VARIABLE_SYNTAX,
    backticks,
    decode_ansi,
    open_brackets,
    open_double,
    open_expansion,
    open_expression,
    open_substitution,
    skip_newline,
    unclosed_single,
)
from keysh.syntax.lexer.words import close_word, refuse_carriage_return

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Rules

NUMBER_SYNTAX = Lexeme(
    r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]*|[1-9]\d*|(?:[2-9]|[1-5]\d|6[0-4])#[\w@]+|\d*\.\d+(?:[eE]\d+)?|\d+[eE]\d+)\Z"
)
NAME_FOLLOWS = Lexeme(rf"[ \t\n]*{NAME_SYNTAX}")
ARITHMETIC_OPERATORS = {
    ",": "A_COMMA", "||": "A_OR", "&&": "A_AND", "|": "A_BIT_OR", "^": "A_BIT_XOR",
    "&": "A_BIT_AND", "==": "A_EQUAL", "!=": "A_EQUAL", "<": "A_COMPARE", ">": "A_COMPARE",
    "<=": "A_COMPARE", ">=": "A_COMPARE", "<<": "A_SHIFT", ">>": "A_SHIFT", "+": "A_SIGN",
    "-": "A_SIGN", "*": "A_PRODUCT", "/": "A_PRODUCT", "%": "A_PRODUCT", "**": "A_POWER",
    "!": "A_NOT", "~": "A_NOT", ";": "A_SEMICOLON",
}  # fmt: skip
REFERENCE_TOKENS = ("NAME", "SUBSCRIPT", "SUBSCRIPT_CLOSE", "ALL")


def number(cursor: Cursor, value: str, start: int) -> None:
    """A number of C or bash; before `$` or a quote it is part of a longer operand."""
    if cursor.text[cursor.offset : cursor.offset + 1] in ("$", '"', "'", "`"):
        open_word(cursor, start, "number")
        return
    # Bash complains of a wrong number only when it computes with it.
    if not cursor.source.dialect.evaluates_text and not NUMBER_SYNTAX.match(value, 0):
        cursor.report(
            "E107",
            start,
            cursor.offset,
            "not a number",
            f"`{shorten(value)}`",
            "write decimal, 0x…, 0b…, 0o…, octal with a leading 0, or base#digits",
        )
    cursor.emit("A_NUMBER", value, start)


def operand(cursor: Cursor, value: str, start: int) -> None:
    """An operand of several pieces, as in `0x$digits`."""
    open_word(cursor, start, "number")


def operator(cursor: Cursor, value: str, start: int) -> None:
    """An operator that is one token in any context."""
    cursor.emit(ARITHMETIC_OPERATORS[value], value, start)


def step_operator(cursor: Cursor, value: str, start: int) -> None:
    """`++` and `--` belong to a variable; elsewhere they are two signs, as in `1--1`."""
    if (cursor.tokens and cursor.tokens[-1][0] in REFERENCE_TOKENS) or NAME_FOLLOWS.match(
        cursor.text, cursor.offset
    ):
        cursor.emit("A_STEP", value, start)
    else:
        cursor.offset -= 1
        cursor.emit("A_SIGN", value[0], start)


def question(cursor: Cursor, value: str, start: int) -> None:
    """`?`: up to its `:`."""
    cursor.emit("A_QUESTION", value, start)
    cursor.push("?", start, "arithmetic")


def colon(cursor: Cursor, value: str, start: int) -> None:
    """`:` of a `?`, or between offset and length."""
    if cursor.top() == "?":
        cursor.pop()
        cursor.emit("A_COLON", value, start)
    else:
        cursor.emit("SLICE_LENGTH" if cursor.top() == "${" else "A_COLON", value, start)


def open_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`(`: a group."""
    cursor.emit("A_OPEN", value, start)
    cursor.push("(", start, "arithmetic")


def close_parenthesis(cursor: Cursor, value: str, start: int) -> None:
    """`)` of a group, or the first of the two that end the expression."""
    leave_questions(cursor)
    top = cursor.top()
    if top == "(":
        cursor.emit("A_CLOSE", value, start)
        cursor.pop()
    elif top in ("((", "$((") and cursor.text.startswith(")", cursor.offset):
        cursor.offset += 1
        cursor.emit("ARITHMETIC_CLOSE" if top == "((" else "EXPRESSION_CLOSE", "))", start)
        cursor.pop()
    elif top in ("((", "$(("):
        if cursor.reread and reads_as_parentheses(cursor):
            return
        cursor.stop(
            "E107",
            start,
            cursor.offset,
            f"expected `))` for `{top}`, found",
            "`)`",
            f"write `))`, or `{top[:-1]} (` with a blank for a subshell",
        )
    else:
        cursor.emit("A_CLOSE", value, start)


def reads_as_parentheses(cursor: Cursor) -> bool:
    """Go back to a `((` without `))`, and read it as two parentheses; return whether that is so.

    A first scan stops there, for its message is the better one if nothing can be read otherwise.
    """
    from keysh.syntax.rereading import OPENERS, text_inside  # noqa: PLC0415 - rare

    opener, start = cursor.stack[-1][:2]
    inside = start + len(opener)
    is_loop_head = len(cursor.stack) > 1 and cursor.stack[-2][0] == "for"
    if (
        is_loop_head
        or not cursor.text.startswith(opener, start)  # a broken line is inside it
        or text_inside(cursor.text, inside) is not None
    ):
        return False
    cursor.go_back(OPENERS)
    if opener == "$((":
        cursor.offset = start + 2
        open_substitution(cursor, "$(", start)
        return True
    from keysh.syntax.lexer.commands import left_parenthesis  # noqa: PLC0415 - rare

    cursor.offset, cursor.word_position = start + 1, COMMAND_START
    left_parenthesis(cursor, "(", start)
    return True


def closer_of(opener: str, kind: str) -> Action:
    """Return an action for the character that ends an expression after `opener`."""

    def close(cursor: Cursor, value: str, start: int) -> None:
        leave_questions(cursor)
        if cursor.top() == opener:
            cursor.emit(kind, value, start)
            cursor.pop()
        else:
            refuse_stray(cursor, start)

    return close


def leave_questions(cursor: Cursor) -> None:
    """Close every `?` without a `:`; the parser reports it."""
    while cursor.top() == "?":
        cursor.pop()


def end_arithmetic(cursor: Cursor) -> None:
    """End the text, or report a character that is not arithmetic."""
    pos = BLANK.end(cursor.text, cursor.offset)
    if pos >= len(cursor.text):
        cursor.finish()
    else:
        cursor.offset = pos + 1
        refuse_stray(cursor, pos)


def refuse_stray(cursor: Cursor, start: int) -> None:
    """Report a character that is not arithmetic."""
    if cursor.text.startswith("\r\n", start):
        refuse_carriage_return(cursor, start)
    cursor.report(
        "E107",
        start,
        start + 1,
        "not part of an arithmetic expression",
        f"`{cursor.text[start]}`",
        "take it out, or compute it with `$(…)`",
    )


# ---------------------------------------------------------------- text that is parsed when it runs


def begin_text(cursor: Cursor) -> None:
    """The start of a text that only what it expands to makes an expression: `$((1 $op 2))`."""
    if cursor.tokens[-1][0] in ("ARITHMETIC_OPEN", "EXPRESSION_OPEN"):
        cursor.tokens.append(("WORD_OPEN", "", cursor.offset, cursor.offset))
    apply_rules(cursor)


def open_inner(cursor: Cursor, value: str, start: int) -> None:
    """A `(` in the text."""
    cursor.emit("TEXT", value, start)
    cursor.push("(", start, "arithmetic_text")


def close_inner(cursor: Cursor, value: str, start: int) -> None:
    """The `)` of one, or the first of the two that end the text."""
    top = cursor.top()
    if top == "(":
        cursor.emit("TEXT", value, start)
        cursor.pop()
        return
    cursor.tokens.append(("WORD_CLOSE", "", start, start))
    close_parenthesis(cursor, value, start)


NOT_CONTINUED = r"(?![\w$\"'`#@.])"

TEXT_RULES: Rules = [
    (VARIABLE_SYNTAX, "VARIABLE"),
    (BRACED_VARIABLE, "VARIABLE"),
    (SINGLE_QUOTED, "SINGLE"),
    (ANSI_QUOTED, decode_ansi),
    (PLAIN_DOUBLE_QUOTED, "DOUBLE"),
    (r'(")', open_double),
    (r"(\$\(\()", open_expression),
    (r"(\$\()", open_substitution),
    (r"(\$\{)", open_expansion),
    (r"(\$\[)", open_brackets),
    (r"(\\\n)", skip_newline),
    (r"(`)", backticks),
    (r"(\$?')", unclosed_single),
    (r"(\$)", "TEXT"),
]

MODES = [
    LexicalMode(
        "arithmetic",
        [
            (rf"({NAME_SYNTAX})", "NAME"),
            (r"((?:\d|\.\d)[\w.#@]*+)", number),
            (rf"{VARIABLE_SYNTAX}{NOT_CONTINUED}", "VARIABLE"),
            (rf"{BRACED_VARIABLE}{NOT_CONTINUED}", "VARIABLE"),
            ALL_SUBSCRIPT,
            PLAIN_SUBSCRIPT,
            (r"(\[)", open_subscript),
            (r"(\+\+|--)", step_operator),
            (r"(<<=|>>=|[-+*/%&|^]=|=(?!=))", "A_ASSIGN"),
            (r"(\|\||&&|==|!=|<<|>>|<=|>=|\*\*|[-,|^&<>+*/%!~;])", operator),
            (r"(\()", open_parenthesis),
            (r"(\))", close_parenthesis),
            (r"(\?)", question),
            (r"(:)", colon),
            (r"(\})", closer_of("${", "EXPANSION_CLOSE")),  # `${x:1:2}`
            (r"(\])", closer_of("$[", "EXPRESSION_CLOSE")),  # `$[1 + 2]`
            (r"(?=([$\"'`]))", operand),
        ],
        end_arithmetic,
        skip=SKIP,
    ),
    LexicalMode(
        "arithmetic_text",
        [
            (r"([^$`\"'\\()]++)", "TEXT"),
            (r"(\()", open_inner),
            (r"(\))", close_inner),
            *TEXT_RULES,
            (r"(\\)", "TEXT"),
        ],
        end_arithmetic,
        scan=begin_text,
    ),
    LexicalMode(
        "number",
        [
            (r"([\w.#@]++)", "TEXT"),
            *TEXT_RULES,
        ],
        close_word,
    ),
]
