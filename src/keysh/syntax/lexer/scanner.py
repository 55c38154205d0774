"""The scanner: a text becomes a list of tokens."""

from __future__ import annotations

from keysh.syntax.lexer import (
    arithmetic,
    commands,
    declarations,
    expansions,
    quotes,
    tests,
    values,
    words,
)
from keysh.syntax.lexer.cursor import Cursor, Heredoc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.source import Source
    from keysh.syntax.lexer.cursor import Token

MODE_MODULES = (commands, words, quotes, expansions, arithmetic, tests, values, declarations)
MODES = {mode.name: mode for module in MODE_MODULES for mode in module.MODES}

# The first mode for each start symbol.
START_MODES = {"script": "command", "arithmetic": "arithmetic", "path": "path", "value": "lone"}


def scan(source: Source, start: str = "script") -> Cursor:
    """Scan a text; return the cursor with its tokens, comments and diagnostics."""
    text = source.text
    s = Cursor(source, text, MODES, START_MODES[start], range(len(text) + 1))
    if not has_refused_character(s):
        s.run()
        if s.heredocs:
            s.tokens = tokens_with_bodies(s)
    return s


def has_refused_character(s: Cursor) -> bool:
    """Report a character that no script may contain; return whether there is one."""
    text = s.text
    fix = "save the file as UTF-8 without a byte order mark"
    if text.startswith("\ufeff"):
        s.report("E114", 0, 1, "cannot stand in a script", "a byte order mark", fix)
    elif "\0" in text:
        at = text.index("\0")
        s.report("E114", at, at + 1, "cannot stand in a script", "a NUL character", "take it out")
    elif not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            start, end = error.start, min(error.end, error.start + 4)
            fix = "save the file as UTF-8; write bytes as `$'\\xff'`"
            s.report("E114", start, end, "not UTF-8", f"`{text[start:end]}`", fix)
    s.is_stopped = bool(s.diagnostics)
    return s.is_stopped


def tokens_with_bodies(s: Cursor) -> list[Token]:
    """Return the tokens with those of each heredoc's body after its operator.

    A body may contain commands with heredocs of their own; a work list keeps Python from recursing.
    """
    bodies: dict[Heredoc, list[Token]] = {}
    waiting = list(s.heredocs)
    for heredoc in waiting:
        bodies[heredoc] = body_tokens(s, heredoc, waiting)
    tokens: list[Token] = []
    left = [(s.tokens, 0)]  # lists to continue, from which index; the next one last
    while left:
        part, begin = left.pop()
        for at in range(begin, len(part)):
            if part[at][0] == "HEREDOC_OPEN":
                tokens += part[begin : at + 1]
                left.append((part, at + 1))
                left.append((bodies.get(part[at][1], []), 0))
                break
        else:
            tokens += part[begin:]
    return tokens


def body_tokens(s: Cursor, heredoc: Heredoc, waiting: list[Heredoc]) -> list[Token]:
    """Return the tokens of one body and its end; append heredocs inside it to `waiting`."""
    at = heredoc.offsets
    if heredoc.quoted:
        tokens: list[Token] = [("TEXT", heredoc.body, at[0], at[-1])] if heredoc.body else []
    else:
        inner = Cursor(s.source, heredoc.body, s.modes, "heredoc", at, s.depth)
        inner.run()
        s.diagnostics.extend(inner.diagnostics)
        tokens = [(kind, value, at[a], at[b]) for kind, value, a, b in inner.tokens]
        s.trivia.extend((kind, at[a], at[b]) for kind, a, b in inner.trivia)
        for nested in inner.heredocs:
            nested.start, nested.end = at[nested.start], at[nested.end]
            nested.offsets = [at[i] for i in nested.offsets]
            waiting.append(nested)
    tokens.append(("HEREDOC_CLOSE", heredoc, at[-1], at[-1]))
    return tokens
