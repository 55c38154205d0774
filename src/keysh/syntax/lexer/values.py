"""Lists and records, `[a, b]` and `{name: amy}`, where a value may stand."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.syntax.lexer.cursor import Cursor, Mode
from keysh.syntax.lexer.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.lexer.quotes import BRACED_VARIABLE, NAME, SINGLE, VARIABLE
from keysh.syntax.lexer.words import close_word, open_word, pieces, tildes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action, Token

JSON_CONSTANT = Lexeme(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\Z")
END_OF_WORD = Lexeme(r"[ \t\n;|&<>)]|\r\n|\Z")
REST_OF_WORD = Lexeme(r"[^ \t\n;|&<>()]*+")
KEY = (
    r"(?>(?:[^ \t\n\r;|&<>()$`\"'\\:,{}\[\]]++"
    rf"|\"(?>(?:[^\"\\]++|\\.)*)\"|'[^']*+'|\$(?:{NAME}|[0-9])|\$\{{[^{{}}\n]*+\}}|\$\([^()\n]*+\))+)"
)
RECORD = Lexeme(rf"\{{[ \t]*(?:\}}|(?:\#[^\n]*)?\n|\.\.\.|{KEY}[ \t]*:)")
PLAIN_QUOTE = r'"([^"$`\\]*+)"'


def open_list(s: Cursor, value: str, start: int, *, is_argument: bool) -> None:
    """The `[` of a list behind `=`. In an argument it is text if its shape says so."""
    s.emit("LIST_OPEN", value, start)
    s.push("[", start, "argument_list" if is_argument else "assigned_list")
    s.marks = [[len(s.tokens) - 1]]


def open_inner_list(s: Cursor, value: str, start: int) -> None:
    """A `[` where only a value can stand."""
    value_done(s)
    s.emit("LIST_OPEN", value, start)
    s.push("[", start, "list")


def open_record(s: Cursor, value: str, start: int) -> None:
    """The `{` of a record."""
    value_done(s)
    s.emit("RECORD_OPEN", value, start)
    s.push("{", start, "record")


def close_list(s: Cursor, value: str, start: int) -> None:
    """The `]` of a list that cannot be anything else."""
    s.emit("LIST_CLOSE", value, start)
    s.pop()


def close_assigned_list(s: Cursor, value: str, start: int) -> None:
    """`x=[…]`: one bare word and no comma could be meant as text, so it is neither."""
    assert s.marks is not None
    first = s.marks[0][0]
    s.emit("LIST_CLOSE", value, start)
    begin = s.tokens[first][2]
    if is_single(s.tokens, first) or not END_OF_WORD.match(s.text, s.pos):
        refuse_shape(s, begin)
    s.pop()


def close_argument_list(s: Cursor, value: str, start: int) -> None:
    """`key=[…]`: with one bare word and no comma, or text behind it, it is a pattern, as in sh."""
    assert s.marks is not None
    first = s.marks[0][0]
    begin = s.tokens[first][2]
    s.emit("LIST_CLOSE", value, start)
    is_text = is_single(s.tokens, first) or not END_OF_WORD.match(s.text, s.pos)
    s.pop()
    if is_text:
        del s.tokens[first:]
        s.trivia = [item for item in s.trivia if item[1] < begin]
        open_word(s, begin, "assigned", braces=True)


def close_record(s: Cursor, value: str, start: int) -> None:
    """The `}` of a record."""
    s.emit("RECORD_CLOSE", value, start)
    begin = s.pop()[1]
    refuse_rest(s, begin, "record")


def refuse_rest(s: Cursor, start: int, kind: str) -> None:
    """Text that touches the end of an assigned value: `x={a: 1}b`, `x=(a)b`."""
    assert s.mode is not None
    if s.mode.name == "command" and not END_OF_WORD.match(s.text, s.pos):
        refuse_shape(s, start, kind)


def is_single(tokens: list[Token], first: int) -> bool:
    """Whether the list holds exactly one bare or expanded word, without a comma."""
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


def refuse_shape(s: Cursor, start: int, kind: str = "list") -> None:
    """Brackets behind `=` that are neither a value nor safely text."""
    end = s.pos
    s.pos = REST_OF_WORD.end(s.text, end)
    if s.diagnostics and s.diagnostics[-1].start >= s.offsets[start]:
        return  # what is wrong inside has been said
    inner, shown = s.text[start + 1 : end - 1], s.text[start : s.pos]
    fix = f"quote the text: {as_text(shown)}"
    if s.pos == end and len(inner) <= QUOTABLE and "\n" not in inner:
        fix = f"write `[{inner},]` for a list, or {fix}"
    s.report("E109", start, s.pos, f"neither a {kind} nor text", f"`{one_line(shown)}`", fix)


def is_record(s: Cursor, *, is_argument: bool) -> bool:
    """Whether the `{` behind an `=` opens a record; if not, in an assignment, say so."""
    if RECORD.match(s.text, s.pos):
        return not (is_argument and s.text.startswith("{}", s.pos))
    if not is_argument and not s.text[s.pos + 1 :].strip(" \t"):
        return True  # its first line has yet to come
    if not is_argument:
        start = s.pos
        end = max(REST_OF_WORD.end(s.text, start), s.text.find("}", start, line_end(s, start)) + 1)
        shown = s.text[start:end]
        fix = f"write `{{key: value}}` for a record, or quote the text: {as_text(shown)}"
        s.report("E109", start, end, "neither a record nor text", f"`{one_line(shown)}`", fix)
    return False


def line_end(s: Cursor, start: int) -> int:
    """Where the line at an offset ends."""
    end = s.text.find("\n", start)
    return len(s.text) if end < 0 else end


def one_line(text: str) -> str:
    """Text as a datum."""
    first, newline, _ = text.partition("\n")
    return shortened(first + "…" if newline else first)


def as_text(shown: str) -> str:
    """How to write text so that it is text."""
    if len(shown) > QUOTABLE or "\n" in shown:
        return "`'…'`"
    if not any(char in shown for char in "$`'"):
        return f"`'{shown}'`"
    return "`'…'`" if '"' in shown else f'`"{shown}"`'


# ---------------------------------------------------------------- elements, keys, values


def element(kind: str) -> Action:
    """An action for an element of one token."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        value_done(s)
        s.emit(kind, value, start)

    return one_token


def value_done(s: Cursor) -> None:
    """Behind a value of a record a key comes next; behind a default, the next parameter."""
    assert s.mode is not None
    after = {"record_value": "record", "default": "declaration", "lone": "lone_end"}
    if s.mode.name in after:
        s.mode = s.modes[after[s.mode.name]]


def composite(s: Cursor, value: str, start: int) -> None:
    """An element of several pieces."""
    assert s.mode is not None
    mode = ELEMENT_MODES[s.mode.name]
    value_done(s)
    open_word(s, start, mode)


def open_json(s: Cursor, value: str, start: int) -> None:
    r"""`"` in a value: all that `"…"` is elsewhere, and JSON's `\n`."""
    s.emit("DOUBLE_OPEN", value, start)
    s.push('"', start, "json_double")


def colon(s: Cursor, value: str, start: int) -> None:
    """The `:` behind a key."""
    s.emit("COLON", value, start)
    s.mode = s.modes["record_value"]


def comma(s: Cursor, value: str, start: int) -> None:
    """A `,`; where a value is missing before it the parser says so."""
    s.emit("COMMA", value, start)
    if s.mode is s.modes["record_value"]:
        s.mode = s.modes["record"]


def comment(s: Cursor, value: str, start: int) -> None:
    """A comment between elements."""
    s.trivia.append(("comment", start, s.pos))


def end(s: Cursor) -> None:
    """The text has ended, or holds what no value holds."""
    pos = BLANK.end(s.text, s.pos)
    if pos >= len(s.text):
        s.finish()
        return
    assert s.mode is not None
    s.pos = pos + 1
    if s.mode.name == "default":
        fix = "write `name = value`, and quote other characters"
        s.report("E117", pos, s.pos, "expected a value, found", f"`{s.text[pos]}`", fix)
        s.tokens.append(("WORD", "", pos, pos))
        s.pos = pos
        s.mode = s.modes["declaration"]
        return
    opener, start = s.stack[-1][:2] if s.stack else ("", 0)
    if is_left_open(s, pos):
        fix = "add `]`" if opener == "[" else "add `}`"
        say = s.report if s.text[pos] in CLOSED_BY else s.stop
        say("E102", start, start + 1, f"not closed before `{s.text[pos]}`", f"`{opener}`", fix)
        if s.tokens[-1][0] == "COLON":
            s.tokens.append(("WORD", "", pos, pos))
        s.tokens.append(("LIST_CLOSE" if opener == "[" else "RECORD_CLOSE", "", pos, pos))
        s.pos = pos
        s.pop()
        return
    where = "value" if s.mode.name.startswith("lone") else "list or record"
    fix = "write `,`, or quote it" if s.text[pos] == ";" else "quote it"
    s.report("E120", pos, s.pos, f"cannot stand in a {where}", f"`{s.text[pos]}`", fix)


def is_left_open(s: Cursor, pos: int) -> bool:
    """Whether a character that no value holds ends the list or record: it closes what is around
    it, or belongs to a command on a later line.
    """
    opener, start = s.stack[-1][:2] if s.stack else ("", 0)
    char = s.text[pos]
    if opener not in ("[", "{"):
        return False
    if char in CLOSED_BY:
        return CLOSED_BY[char] != opener and any(f[0] == CLOSED_BY[char] for f in s.stack[:-1])
    return char in ";&|" and "\n" in s.text[start:pos]


CLOSED_BY = {"}": "{", "]": "[", ")": "("}
QUOTABLE = 40  # the longest text that a fix repeats
DELIMITERS = r" \t\n;|&<>()"

# Where an element of several pieces is scanned, by where it begins.
ELEMENT_MODES = {
    "list": "element",
    "assigned_list": "element",
    "argument_list": "element",
    "record": "key",
    "record_value": "member",
    "default": "default_word",
    "lone": "lone_word",
}


def value_mode(name: str, special: str, *more: tuple[str, Action]) -> Mode:
    """A mode between elements; `special` are the characters that end one, besides blanks."""
    stop = rf"(?=[ \t\n;|&<>){special}]|\Z)"
    plain = (
        rf"[^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~#{special}][^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~{special}]*+"
    )
    return Mode(
        name,
        [
            (rf"({plain}{stop})", element("WORD")),
            *more,
            (rf"{PLAIN_QUOTE}{stop}", element("DOUBLE")),
            (rf"{SINGLE}{stop}", element("SINGLE")),
            (rf"{VARIABLE}{stop}", element("VARIABLE")),
            (rf"{BRACED_VARIABLE}{stop}", element("VARIABLE")),
            (r"(\.\.\.)(?=[$\"'])", "SPREAD"),
            (r"(\#[^\n]*+)", comment),
            (r"(?=([^;|&<>()\]},:]))", composite),
        ],
        end,
        skip=SKIP,
    )


def element_mode(name: str, special: str) -> Mode:
    """A mode for the pieces of one element."""
    rules = [
        (pattern, open_json if kind == "DOUBLE_OPEN" else kind)
        for pattern, kind in pieces(DELIMITERS + special + "~")
    ]
    return Mode(name, [(r'(")', open_json), *rules, *tildes(DELIMITERS + special)], close_word)


COMMA = (r"(,)", comma)
NESTED = [(r"(\[)", open_inner_list), (r"(\{)", open_record)]

MODES = [
    value_mode("list", r",\]", COMMA, (r"(\])", close_list), *NESTED),
    value_mode("assigned_list", r",\]", COMMA, (r"(\])", close_assigned_list), *NESTED),
    value_mode("argument_list", r",\]", COMMA, (r"(\])", close_argument_list), *NESTED),
    value_mode("record", r",:}", COMMA, (r"(:)", colon), (r"(\})", close_record)),
    value_mode("record_value", r",}", COMMA, (r"(\})", close_record), *NESTED),
    value_mode("default", ",", *NESTED),
    value_mode("lone", "", *NESTED),
    Mode("lone_end", [], end, scan=end),
    element_mode("element", r",\]"),
    element_mode("key", r",:}"),
    element_mode("member", ",}"),
    element_mode("default_word", ","),
    element_mode("lone_word", ""),
]
