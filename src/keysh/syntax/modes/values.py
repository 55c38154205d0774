"""Lists and records, `[a, b]` and `{name: amy}`, where a value may stand."""

from __future__ import annotations

from keysh.syntax.cursor import Cursor, Mode
from keysh.syntax.lexeme import BLANK, SKIP, Lexeme
from keysh.syntax.modes.quotes import BRACED_VARIABLE, NAME, SINGLE, VARIABLE
from keysh.syntax.modes.words import TILDES, close_word, open_word, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.cursor import Action, Token

JSON_CONSTANT = Lexeme(r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\Z")
END_OF_WORD = Lexeme(r"[ \t\n;|&<>)]|\Z")
REST_OF_WORD = Lexeme(r"[^ \t\n;|&<>()]*+")
KEY = (
    r"(?:[^ \t\n\r;|&<>()$`\"'\\:,{}\[\]]++"
    rf"|\"(?:[^\"\\]|\\.)*+\"|'[^']*+'|\$(?:{NAME}|[0-9])|\$\{{[^{{}}\n]*+\}}|\$\([^()\n]*+\))++"
)
RECORD = Lexeme(rf"\{{[ \t]*(?:\}}|(?:\#[^\n]*)?\n|\.\.\.|{KEY}[ \t]*:)")
PLAIN_QUOTES = (r'"([^"$`\\]*+)"', r"'([^']*+)'")


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
        s.pos = REST_OF_WORD.end(s.text, s.pos)
        refuse_shape(s, begin)
    s.pop()


def close_argument_list(s: Cursor, value: str, start: int) -> None:
    """`key=[…]`: with one bare word and no comma it is a pattern, as in sh."""
    assert s.marks is not None
    first = s.marks[0][0]
    s.emit("LIST_CLOSE", value, start)
    if is_single(s.tokens, first):
        begin = s.tokens[first][2]
        inner = [t for t in s.tokens[first + 1 : -1] if t[0] not in ("WORD_OPEN", "WORD_CLOSE")]
        if inner[0][0] == "WORD":
            inner[0] = ("TEXT", *inner[0][1:])
        s.pop()
        end = s.pos
        del s.tokens[first:]
        open_word(s, begin, "assigned", braces=True)
        s.tokens += [("GLOB", "[", begin, begin + 1), *inner, ("TEXT", "]", start, end)]
        s.pos = end
        return
    if not END_OF_WORD.match(s.text, s.pos):
        s.pos = REST_OF_WORD.end(s.text, s.pos)
        refuse_shape(s, s.tokens[first][2])
    s.pop()


def close_record(s: Cursor, value: str, start: int) -> None:
    """The `}` of a record."""
    s.emit("RECORD_CLOSE", value, start)
    s.pop()


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


def refuse_shape(s: Cursor, start: int) -> None:
    """Brackets behind `=` that are neither a value nor safely text."""
    shown = s.text[start : s.pos].split("\n")[0]
    inner = shown[1:].split("]")[0]
    s.report(
        "E109",
        start,
        s.pos,
        "neither a list nor text",
        f"`{shown[:40]}`",
        f"write `[{inner[:30]},]` for a list, or quote the text: `'{shown[:30]}'`",
    )


def is_record(s: Cursor, *, is_argument: bool) -> bool:
    """Whether the `{` behind an `=` opens a record; if not, in an assignment, say so."""
    if RECORD.match(s.text, s.pos):
        return not (is_argument and s.text.startswith("{}", s.pos))
    if not is_argument:
        start = s.pos
        end = REST_OF_WORD.end(s.text, start)
        shown = s.text[start:end]
        s.report(
            "E109",
            start,
            end,
            "neither a record nor text",
            f"`{shown[:40]}`",
            f"write `{{key: value}}` for a record, or quote the text: `'{shown[:30]}'`",
        )
    return False


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


def quoted_element(s: Cursor, value: str, start: int) -> None:
    """`"…"` with JSON's escapes or expansions in it, alone or the beginning of a word."""
    composite(s, value, start)


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
    s.pos = pos + 1
    s.report(
        "E120", pos, pos + 1, "cannot stand in a list or record", f"`{s.text[pos]}`", "quote it"
    )


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
    stop = rf"(?=[ \t\n;|&<>(){special}]|\Z)"
    plain = (
        rf"[^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~#{special}][^ \t\n\r;|&<>()$`\"'\\*?\[{{}}~{special}]*+"
    )
    return Mode(
        name,
        [
            (rf"({plain}{stop})", element("WORD")),
            *more,
            (rf"{PLAIN_QUOTES[0]}{stop}", element("DOUBLE")),
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
    return Mode(name, [(r'(")', open_json), *rules, *TILDES], close_word)


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
