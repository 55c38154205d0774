"""CompletionSpot: the word at the end of a text, its role, and its command."""

from __future__ import annotations

import re

from keysh.diagnostics.dialect import KEYSH
from keysh.diagnostics.source import Source
from keysh.shell.completion.word import TypedWord
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.word_roles import (
    ARGUMENT_ROLE,
    COMMAND_ROLE,
    IN_WORD_OPENERS,
    OTHER_ROLE,
    WORD_TOKENS,
    Nest,
    WordRoles,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.lexer.cursor import Tick, Token

# A variable's name at the end: `$na`, `${na`, `${#na`, `${!na`.
VARIABLE_AT_END = re.compile(r"\$(\{[#!]?)?([A-Za-z_]\w*|)\Z")
# Subscripts at the end: `${u[`, `${u[a][na`, `u[na`. The groups: name, keys, unfinished key.
VALUE_PATH_AT_END = re.compile(
    r"(?:\$\{[#!]?|\A|(?<=[\s;&|(]))([A-Za-z_]\w*)((?:\[[^][]*\])*)\[([^][$\s]*)\Z"
)
KEYWORD_TOKENS = frozenset(
    ("IF", "THEN", "ELIF", "ELSE", "FI", "WHILE", "UNTIL", "FOR", "IN", "DO", "DONE", "CASE",
     "ESAC", "TIME", "BANG")
)  # fmt: skip


class CompletionSpot:
    """The word at the end of a text.

    role      what the word is, as in `syntax.word_roles`
    word      the word so far, which may be empty
    key       `lines=` or `--lines=` before the word, or ""
    command   the words of its command before it, as written, the name first
    variable  the beginning of a variable's name after `$`, or None
    path      a variable's name, the keys after it and the beginning of the next, or None
    """

    __slots__ = ("command", "key", "path", "role", "variable", "word")

    def __init__(self, role: int, word: TypedWord, key: str, command: list[str]) -> None:
        self.role, self.word, self.key, self.command = role, word, key, command
        self.variable: tuple[int, str] | None = None
        self.path: tuple[int, str, list[str], str] | None = None


def spot_at_end(
    text: str, dialect: Dialect = KEYSH, tick: Tick | None = None
) -> CompletionSpot | None:
    """Return the spot at the end of a text; None if nothing can be completed, as in a comment."""
    cursor = scan(Source(text, dialect=dialect), tick=tick)
    if cursor.trivia and cursor.trivia[-1][0] == "comment" and cursor.trivia[-1][2] == len(text):
        return None
    tokens = cursor.tokens
    first, start = last_word_start(tokens, WordRoles(tokens).open_nests, text)
    key = ""
    if first < len(tokens) and tokens[first][0] == "EMPTY_KEY":
        key, start = tokens[first][1], len(text)
    elif first and tokens[first - 1][0] == "KEY" and tokens[first - 1][3] == start:
        first -= 1
        key = tokens[first][1]
    nest = WordRoles(tokens[:first]).open_nests[-1]
    word = TypedWord(text[start:], start)
    spot = CompletionSpot(
        nest.next_word_role, word, key, words_as_written(nest, tokens, text, start - len(key))
    )
    if word.quote != "'":
        note_variable_at_end(spot, text, start)
    return spot


def last_word_start(tokens: list[Token], nests: list[Nest], text: str) -> tuple[int, int]:
    """Return the index of the last word's first token, and the word's offset."""
    depth = len(nests)
    while nests[depth - 1].kind in IN_WORD_OPENERS:
        depth -= 1
    if depth < len(nests):
        index = nests[depth].index
        return index, word_begin(tokens, index, text)
    end = len(text)
    if not tokens or tokens[-1][3] != end:
        return len(tokens), end
    index = len(tokens) - 1
    kind = tokens[index][0]
    if kind == "WORD_CLOSE":
        level = 0
        while True:
            level += {"WORD_CLOSE": 1, "WORD_OPEN": -1}.get(tokens[index][0], 0)
            if not level:
                return index, word_begin(tokens, index, text)
            index -= 1
    if kind in WORD_TOKENS or kind in KEYWORD_TOKENS:
        return index, word_begin(tokens, index, text)
    return len(tokens), end


def word_begin(tokens: list[Token], index: int, text: str) -> int:
    """Return where a word begins; a quoted token only knows where its text begins."""
    begin = tokens[index][2]
    least = tokens[index - 1][3] if index else 0
    while begin > least and text[begin - 1] in "\"'${":
        begin -= 1
    return begin


def words_as_written(nest: Nest, tokens: list[Token], text: str, end: int) -> list[str]:
    """Return a command's words before an offset, as written."""
    begins = [word_begin(tokens, index, text) for index in nest.command]
    return [text[a:z].strip() for a, z in zip(begins, [*begins[1:], end], strict=False)]


def note_variable_at_end(spot: CompletionSpot, text: str, start: int) -> None:
    """Note a variable's name or subscript at the end of the word."""
    match = VARIABLE_AT_END.search(text, start)
    if match is not None and not is_escaped(text, match.start()):
        spot.variable = match.start(2), match[2]
    elif spot.role in (COMMAND_ROLE, ARGUMENT_ROLE, OTHER_ROLE) or "${" in text[start:]:
        match = VALUE_PATH_AT_END.search(text, text.rfind("\n", 0, start) + 1)
        if match is not None and (spot.role == COMMAND_ROLE or "$" in match[0]):
            keys = [key.strip("\"'") for key in match[2][1:-1].split("][")] if match[2] else []
            beginning = match[3].lstrip("\"'")
            spot.path = len(text) - len(beginning), match[1], keys, beginning


def is_escaped(text: str, offset: int) -> bool:
    """Whether a backslash escapes the character at an offset."""
    before = text[:offset]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
