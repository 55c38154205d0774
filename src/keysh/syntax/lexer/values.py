"""Lists and records: `[a, b]` and `{name: amy}`."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax.lexer.command_words import open_word
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.quotes import BRACED_VARIABLE, NAME_SYNTAX, SINGLE_QUOTED, VARIABLE_SYNTAX
from keysh.syntax.lexer.words import close_word, piece_rules, tilde_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Token

JSON_CONSTANT = Lexeme(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\Z")
VALUE_WORD_END = Lexeme(r"[ \t\n;|&<>)]|\r\n|\Z")
VALUE_WORD_REST = Lexeme(r"[^ \t\n;|&<>()]*+")
RECORD_KEY = (
    r"(?>(?:[^ \t\n\r;|&<>()$`\"'\\:,{}\[\]]++"
    rf"|\"(?>(?:[^\"\\]++|\\.)*)\"|'[^']*+'|\$(?:{NAME_SYNTAX}|[0-9])|\$\{{[^{{}}\n]*+\}}|\$\([^()\n]*+\))+)"
)
RECORD_START = Lexeme(rf"\{{[ \t]*(?:\}}|(?:\#[^\n]*)?\n|\.\.\.|{RECORD_KEY}[ \t]*:)")
PLAIN_VALUE_QUOTED = r'"([^"$`\\]*+)"'


def open_list(cursor: Cursor, value: str, start: int, *, is_argument: bool) -> None:
    """The `[` of a list after `=`; in an argument it may turn out to be text."""
    cursor.emit("LIST_OPEN", value, start)
    cursor.push("[", start, "argument_list" if is_argument else "assigned_list")
    cursor.marks = [[len(cursor.tokens) - 1]]


def open_inner_list(cursor: Cursor, value: str, start: int) -> None:
    """A `[` where only a value may stand."""
    leave_value(cursor)
    cursor.emit("LIST_OPEN", value, start)
    cursor.push("[", start, "list")


def open_record(cursor: Cursor, value: str, start: int) -> None:
    """The `{` of a record."""
    leave_value(cursor)
    cursor.emit("RECORD_OPEN", value, start)
    cursor.push("{", start, "record")


def close_list(cursor: Cursor, value: str, start: int) -> None:
    """The `]` of a list that cannot be anything else."""
    cursor.emit("LIST_CLOSE", value, start)
    cursor.pop()


def close_assigned_list(cursor: Cursor, value: str, start: int) -> None:
    """`x=[…]`: one bare word without a comma is ambiguous, so it is refused."""
    assert cursor.marks is not None
    first = cursor.marks[0][0]
    cursor.emit("LIST_CLOSE", value, start)
    begin = cursor.tokens[first][2]
    if is_single_word_list(cursor.tokens, first) or not VALUE_WORD_END.match(
        cursor.text, cursor.offset
    ):
        refuse_shape(cursor, begin)
    cursor.pop()


def close_argument_list(cursor: Cursor, value: str, start: int) -> None:
    """`key=[…]`: one bare word without a comma, or with text after it, is a pattern as in sh."""
    assert cursor.marks is not None
    first = cursor.marks[0][0]
    start_offset = cursor.tokens[first][2]
    cursor.emit("LIST_CLOSE", value, start)
    is_text = is_single_word_list(cursor.tokens, first) or not VALUE_WORD_END.match(
        cursor.text, cursor.offset
    )
    cursor.pop()
    if is_text:
        del cursor.tokens[first:]
        cursor.trivia = [item for item in cursor.trivia if item[1] < start_offset]
        open_word(cursor, start_offset, "assigned", braces=True)


def close_record(cursor: Cursor, value: str, start: int) -> None:
    """The `}` of a record."""
    cursor.emit("RECORD_CLOSE", value, start)
    begin = cursor.pop()[1]
    refuse_touching_text(cursor, begin, "record")


def refuse_touching_text(cursor: Cursor, start: int, kind: str) -> None:
    """Report text that touches the end of an assigned value: `x={a: 1}b`, `x=(a)b`."""
    assert cursor.mode is not None
    if cursor.mode.name == "command" and not VALUE_WORD_END.match(cursor.text, cursor.offset):
        refuse_shape(cursor, start, kind)


def is_single_word_list(tokens: list[Token], first: int) -> bool:
    """Whether a list contains exactly one bare or expanded word and no comma."""
    inner = tokens[first + 1 : -1]
    if not inner:
        return False
    kind = inner[0][0]
    if len(inner) == 1:
        return kind == "VARIABLE" or (kind == "WORD" and not JSON_CONSTANT.match(inner[0][1], 0))
    if kind != "WORD_OPEN" or (inner[1][0] == "DOUBLE_OPEN" and inner[-2][0] == "DOUBLE_CLOSE"):
        return False
    depth = 0
    for i, token in enumerate(inner):
        depth += (token[0] == "WORD_OPEN") - (token[0] == "WORD_CLOSE")
        if depth == 0:
            return i == len(inner) - 1
    return False


def refuse_shape(cursor: Cursor, start: int, kind: str = "list") -> None:
    """Report brackets after `=` that are neither a value nor clearly text."""
    end = cursor.offset
    cursor.offset = VALUE_WORD_REST.end(cursor.text, end)
    if cursor.diagnostics and cursor.diagnostics[-1].start >= cursor.offsets[start]:
        return  # an error inside has been reported
    inner, shown = cursor.text[start + 1 : end - 1], cursor.text[start : cursor.offset]
    fix = f"quote the text: {quoting_fix(shown)}"
    if cursor.offset == end and len(inner) <= MAX_QUOTED_TEXT_LENGTH and "\n" not in inner:
        fix = f"write `[{inner},]` for a list, or {fix}"
    cursor.report(
        "E109", start, cursor.offset, f"neither a {kind} nor text", f"`{first_line(shown)}`", fix
    )


def is_record(cursor: Cursor, *, is_argument: bool) -> bool:
    """Whether the `{` after `=` opens a record; report one in an assignment that does not."""
    if RECORD_START.match(cursor.text, cursor.offset):
        return not (is_argument and cursor.text.startswith("{}", cursor.offset))
    if not is_argument and not cursor.text[cursor.offset + 1 :].strip(" \t"):
        return True  # its first line has not been typed yet
    if not is_argument:
        start = cursor.offset
        end = max(
            VALUE_WORD_REST.end(cursor.text, start),
            cursor.text.find("}", start, line_end(cursor, start)) + 1,
        )
        shown = cursor.text[start:end]
        fix = f"write `{{key: value}}` for a record, or quote the text: {quoting_fix(shown)}"
        cursor.report(
            "E109", start, end, "neither a record nor text", f"`{first_line(shown)}`", fix
        )
    return False


def line_end(cursor: Cursor, start: int) -> int:
    """Return where the line at an offset ends."""
    end = cursor.text.find("\n", start)
    return len(cursor.text) if end < 0 else end


def first_line(text: str) -> str:
    """Return a text's first line for a message."""
    first, newline, _ = text.partition("\n")
    return shorten(first + "…" if newline else first)


def quoting_fix(text: str) -> str:
    """Return how to quote a text."""
    if len(text) > MAX_QUOTED_TEXT_LENGTH or "\n" in text:
        return "`'…'`"
    if not any(char in text for char in "$`'"):
        return f"`'{text}'`"
    return "`'…'`" if '"' in text else f'`"{text}"`'


# ---------------------------------------------------------------- elements, keys, values


def one_token_element(kind: str) -> Action:
    """Return an action for an element of one token."""

    def one_token(cursor: Cursor, value: str, start: int) -> None:
        leave_value(cursor)
        cursor.emit(kind, value, start)

    return one_token


def leave_value(cursor: Cursor) -> None:
    """Go on after a value: with a key of a record, or a declaration's next parameter."""
    assert cursor.mode is not None
    after = {"record_value": "record", "default": "declaration", "lone": "lone_end"}
    if cursor.mode.name in after:
        cursor.mode = cursor.modes[after[cursor.mode.name]]


def composite_element(cursor: Cursor, value: str, start: int) -> None:
    """An element of several pieces."""
    assert cursor.mode is not None
    mode = ELEMENT_MODES[cursor.mode.name]
    leave_value(cursor)
    open_word(cursor, start, mode)


def open_json_quote(cursor: Cursor, value: str, start: int) -> None:
    r"""`"` in a value: as `"…"` elsewhere, but with JSON's escapes such as `\n`."""
    cursor.emit("DOUBLE_OPEN", value, start)
    cursor.push('"', start, "json_double")


def colon(cursor: Cursor, value: str, start: int) -> None:
    """The `:` after a key."""
    cursor.emit("COLON", value, start)
    cursor.mode = cursor.modes["record_value"]


def comma(cursor: Cursor, value: str, start: int) -> None:
    """A `,`; the parser refuses one without a value before it."""
    cursor.emit("COMMA", value, start)
    if cursor.mode is cursor.modes["record_value"]:
        cursor.mode = cursor.modes["record"]


def comment(cursor: Cursor, value: str, start: int) -> None:
    """A comment between elements."""
    cursor.trivia.append(("comment", start, cursor.offset))


def end_value(cursor: Cursor) -> None:
    """End the text, or report a character that no value contains."""
    pos = BLANK.end(cursor.text, cursor.offset)
    if pos >= len(cursor.text):
        cursor.finish()
        return
    assert cursor.mode is not None
    cursor.offset = pos + 1
    if cursor.mode.name == "default":
        fix = "write `name = value`, and quote other characters"
        cursor.report(
            "E117", pos, cursor.offset, "expected a value, found", f"`{cursor.text[pos]}`", fix
        )
        cursor.tokens.append(("WORD", "", pos, pos))
        cursor.offset = pos
        cursor.mode = cursor.modes["declaration"]
        return
    opener, start = cursor.stack[-1][:2] if cursor.stack else ("", 0)
    if is_left_open(cursor, pos):
        fix = "add `]`" if opener == "[" else "add `}`"
        say = cursor.report if cursor.text[pos] in OPENERS_BY_CLOSER else cursor.stop
        say("E102", start, start + 1, f"not closed before `{cursor.text[pos]}`", f"`{opener}`", fix)
        if cursor.tokens[-1][0] == "COLON":
            cursor.tokens.append(("WORD", "", pos, pos))
        cursor.tokens.append(("LIST_CLOSE" if opener == "[" else "RECORD_CLOSE", "", pos, pos))
        cursor.offset = pos
        cursor.pop()
        return
    where = "value" if cursor.mode.name.startswith("lone") else "list or record"
    fix = "write `,`, or quote it" if cursor.text[pos] == ";" else "quote it"
    cursor.report(
        "E120", pos, cursor.offset, f"cannot appear in a {where}", f"`{cursor.text[pos]}`", fix
    )


def is_left_open(cursor: Cursor, pos: int) -> bool:
    """Whether a character ends the list or record: it closes an enclosing construct, or belongs to
    a command on a later line.
    """
    opener, start = cursor.stack[-1][:2] if cursor.stack else ("", 0)
    char = cursor.text[pos]
    if opener not in ("[", "{"):
        return False
    if char in OPENERS_BY_CLOSER:
        return OPENERS_BY_CLOSER[char] != opener and any(
            f[0] == OPENERS_BY_CLOSER[char] for f in cursor.stack[:-1]
        )
    return char in ";&|" and "\n" in cursor.text[start:pos]


OPENERS_BY_CLOSER = {"}": "{", "]": "[", ")": "("}
MAX_QUOTED_TEXT_LENGTH = 40  # of a text that a fix repeats
VALUE_DELIMITERS = r" \t\n;|&<>()"

# The mode for an element of several pieces, by the mode it begins in.
ELEMENT_MODES = {
    "list": "element",
    "assigned_list": "element",
    "argument_list": "element",
    "record": "key",
    "record_value": "member",
    "default": "default_word",
    "lone": "lone_word",
}


def value_mode(name: str, special: str, *more: tuple[str, Action]) -> LexicalMode:
    """Return a mode between elements; blanks and the characters of `special` end an element."""
    stop = rf"(?=[ \t\n;|&<>){special}]|\Z)"
    plain = (
        rf"[^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~#{special}][^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~{special}]*+"
    )
    return LexicalMode(
        name,
        [
            (rf"({plain}{stop})", one_token_element("WORD")),
            *more,
            (rf"{PLAIN_VALUE_QUOTED}{stop}", one_token_element("DOUBLE")),
            (rf"{SINGLE_QUOTED}{stop}", one_token_element("SINGLE")),
            (rf"{VARIABLE_SYNTAX}{stop}", one_token_element("VARIABLE")),
            (rf"{BRACED_VARIABLE}{stop}", one_token_element("VARIABLE")),
            (r"(\.\.\.)(?=[$\"'])", "SPREAD"),
            (r"(\#[^\n]*+)", comment),
            (r"(?=([^;|&<>()\]},:]))", composite_element),
        ],
        end_value,
        skip=SKIP,
    )


def element_mode(name: str, special: str) -> LexicalMode:
    """Return a mode for the pieces of one element."""
    rules = [
        (pattern, open_json_quote if kind == "DOUBLE_OPEN" else kind)
        for pattern, kind in piece_rules(VALUE_DELIMITERS + special + "~")
    ]
    return LexicalMode(
        name,
        [(r'(")', open_json_quote), *rules, *tilde_rules(VALUE_DELIMITERS + special)],
        close_word,
    )


COMMA_RULE = (r"(,)", comma)
NESTED_RULES = [(r"(\[)", open_inner_list), (r"(\{)", open_record)]

MODES = [
    value_mode("list", r",\]", COMMA_RULE, (r"(\])", close_list), *NESTED_RULES),
    value_mode("assigned_list", r",\]", COMMA_RULE, (r"(\])", close_assigned_list), *NESTED_RULES),
    value_mode("argument_list", r",\]", COMMA_RULE, (r"(\])", close_argument_list), *NESTED_RULES),
    value_mode("record", r",:}", COMMA_RULE, (r"(:)", colon), (r"(\})", close_record)),
    value_mode("record_value", r",}", COMMA_RULE, (r"(\})", close_record), *NESTED_RULES),
    value_mode("default", ",", *NESTED_RULES),
    value_mode("lone", "", *NESTED_RULES),
    LexicalMode("lone_end", [], end_value, scan=end_value),
    element_mode("element", r",\]"),
    element_mode("key", r",:}"),
    element_mode("member", ",}"),
    element_mode("default_word", ","),
    element_mode("lone_word", ""),
]
