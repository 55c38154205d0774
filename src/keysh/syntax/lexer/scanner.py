"""The scanner: a text becomes a list of tokens."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.syntax.lexer.cursor import NOTHING_REREAD, Cursor, Heredoc, LexicalMode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.diagnostics.source import Source
    from keysh.syntax.lexer.cursor import Tick, Token

# The modes that each module of this folder defines.
MODULE_MODES = {
    "commands": ("command",),
    "assignments": ("target", "entry"),
    "words": ("word", "assigned", "braces", "assigned_braces", "alternatives"),
    "quotes": ("double", "json_double", "heredoc"),
    "expansions": (
        "path", "expansion", "quoted_expansion", "operation", "quoted_operation", "operand",
        "replaced", "quoted_operand", "single_operand", "subscript", "inner_subscript",
    ),
    "arithmetic": ("arithmetic", "arithmetic_text", "number"),
    "tests": (
        "test", "test_operator", "test_operand", "test_value", "test_regex", "regex", "inner_regex",
    ),
    "values": (
        "list", "assigned_list", "argument_list", "record", "record_value", "default", "lone",
        "lone_end", "element", "key", "member", "default_word", "lone_word",
    ),
    "declarations": ("declaration",),
}  # fmt: skip
MODE_MODULES = {mode: module for module, modes in MODULE_MODES.items() for mode in modes}


class ModeTable(dict[str, LexicalMode]):
    """The modes by name; a module is imported when a script first enters one of its modes."""

    __slots__ = ()

    def __missing__(self, name: str) -> LexicalMode:
        # Not import_module: importing importlib takes longer than importing most modules here.
        module = __import__(f"keysh.syntax.lexer.{MODE_MODULES[name]}", fromlist=["MODES"])
        self.update((mode.name, mode) for mode in module.MODES)
        return self[name]


MODES = ModeTable()

# The first mode for each start symbol.
START_MODES = {"script": "command", "arithmetic": "arithmetic", "path": "path", "value": "lone"}


def scan(
    source: Source,
    start: str = "script",
    reread: Mapping[int, str] = NOTHING_REREAD,
    tick: Tick | None = None,
) -> Cursor:
    """Scan a text; return the cursor with its tokens, comments and diagnostics.

    `tick` is called again and again, and ends the scan by an exception if it takes too long.
    """
    text = source.text
    cursor = Cursor(source, text, MODES, START_MODES[start], range(len(text) + 1), 0, reread, tick)
    if not has_refused_character(cursor):
        cursor.run()
        if cursor.heredocs:
            cursor.tokens = tokens_with_bodies(cursor)
    return cursor


def has_refused_character(cursor: Cursor) -> bool:
    """Report a character that no script may contain; return whether there is one.

    A script of the bash dialect may hold bytes that are not UTF-8: old comments are in Latin-1.
    """
    text = cursor.text
    fix = "save the file as UTF-8 without a byte order mark"
    if text.startswith("\ufeff"):
        cursor.report("E114", 0, 1, "cannot appear in a script", "a byte order mark", fix)
    elif "\0" in text:
        at = text.index("\0")
        cursor.report(
            "E114", at, at + 1, "cannot appear in a script", "a NUL character", "take it out"
        )
    elif cursor.source.dialect is not BASH and not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            start, end = error.start, min(error.end, error.start + 4)
            fix = "save the file as UTF-8; write bytes as `$'\\xff'`"
            cursor.report("E114", start, end, "not UTF-8", f"`{text[start:end]}`", fix)
    cursor.is_stopped = bool(cursor.diagnostics)
    return cursor.is_stopped


def tokens_with_bodies(cursor: Cursor) -> list[Token]:
    """Return the tokens with those of each heredoc's body after its operator.

    A body may contain commands with heredocs of their own; a work list keeps Python from recursing.
    """
    bodies: dict[Heredoc, list[Token]] = {}
    waiting = list(cursor.heredocs)
    for heredoc in waiting:
        bodies[heredoc] = body_tokens(cursor, heredoc, waiting)
    tokens: list[Token] = []
    pending = [(cursor.tokens, 0)]  # lists to continue, from which index; the next one last
    while pending:
        part, first = pending.pop()
        for index in range(first, len(part)):
            if part[index][0] == "HEREDOC_OPEN":
                tokens += part[first : index + 1]
                pending.append((part, index + 1))
                pending.append((bodies.get(part[index][1], []), 0))
                break
        else:
            tokens += part[first:]
    return tokens


def body_tokens(cursor: Cursor, heredoc: Heredoc, waiting: list[Heredoc]) -> list[Token]:
    """Return the tokens of one body and its end; append heredocs inside it to `waiting`."""
    offsets = heredoc.offsets
    if heredoc.quoted:
        tokens: list[Token] = (
            [("TEXT", heredoc.body, offsets[0], offsets[-1])] if heredoc.body else []
        )
    else:
        inner = Cursor(
            cursor.source,
            heredoc.body,
            cursor.modes,
            "heredoc",
            offsets,
            heredoc.depth,
            cursor.reread,
            cursor.tick,
        )
        inner.run()
        cursor.diagnostics.extend(inner.diagnostics)
        tokens = [(kind, value, offsets[a], offsets[b]) for kind, value, a, b in inner.tokens]
        cursor.trivia.extend((kind, offsets[a], offsets[b]) for kind, a, b in inner.trivia)
        for nested in inner.heredocs:
            nested.move_into(offsets)
            waiting.append(nested)
    tokens.append(("HEREDOC_CLOSE", heredoc, offsets[-1], offsets[-1]))
    return tokens
