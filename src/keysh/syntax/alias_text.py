"""Aliases of the bash dialect: the text of an alias takes the place of a command's name.

Here the text is replaced before it is parsed, so that an alias may hold half of a loop.
"""

from __future__ import annotations

from itertools import islice

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.word_roles import WordRoles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.lexer.cursor import Token

BLANKS = (" ", "\t")
LINE_JOIN = "\\\n"
# A loop's variable may be what an alias that ends with a blank is followed by.
REPLACED_KINDS = ("WORD", "NAME", "WORD_OPEN")


class AliasSpan:
    """A part of the text that an alias has written, in which its own name is not replaced."""

    __slots__ = ("end", "name", "start")

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name, self.start, self.end = name, start, end


def with_aliases(text: str, aliases: Mapping[str, str], dialect: Dialect, most: int) -> str:
    """Return a text with its aliases replaced, as far as it can be scanned.

    It stops when the text is longer than `most`.
    """
    replaced: list[AliasSpan] = []
    offset = 0  # what is before has been looked at
    while len(text) <= most:
        found = next_alias(text, offset, aliases, replaced, dialect)
        if found is None:
            return text
        start, name = found
        value = aliases[name]
        if "<<" in value and "\n" in value:
            refuse_heredoc(name, value, dialect)
        end = start + len(name)
        text = text[:start] + value + text[end:]
        growth = len(value) - len(name)
        for part in replaced:
            if part.end >= end:
                part.end += growth
        replaced.append(AliasSpan(name, start, start + len(value)))
        offset = start
    return text


def refuse_heredoc(name: str, value: str, dialect: Dialect) -> None:
    """Raise E112 for a heredoc whose text is in the alias: bash reads the script's next lines."""
    source = Source(value, dialect=dialect)
    if any(kind == "HEREDOC_OPEN" for kind, *_ in scan(source).tokens):
        fact, fix = "an alias contains the text of a heredoc", "define a function"
        raise ScriptError([Diagnostic("E112", source, 0, len(value), fact, f"`{name}`", fix)])


def next_alias(
    text: str,
    offset: int,
    aliases: Mapping[str, str],
    replaced: list[AliasSpan],
    dialect: Dialect,
) -> tuple[int, str] | None:
    """Return where the next word to replace begins, and its name."""
    tokens = scan(Source(text, dialect=dialect)).tokens
    names = WordRoles(tokens).name_indexes
    for index, (kind, _, start, _) in enumerate(tokens):
        if start < offset or kind not in REPLACED_KINDS:
            continue
        value = word_at(tokens, index, text)
        if value not in aliases:
            continue
        if index not in names and not follows_blank(text, start, aliases, replaced):
            continue
        if not any(part.name == value and part.start <= start < part.end for part in replaced):
            return start, value
    return None


def word_at(tokens: Sequence[Token], index: int, text: str) -> str:
    """Return the word that begins with a token, as written: `a~b` is several tokens.

    An alias has no name with a quote, so that a quoted word is never one.
    """
    start = tokens[index][2]
    open_words = 0
    for kind, _, _, end in islice(tokens, index, None):
        open_words += (kind == "WORD_OPEN") - (kind == "WORD_CLOSE")
        if not open_words:
            return text[start:end]
    return ""


def follows_blank(
    text: str, start: int, aliases: Mapping[str, str], replaced: list[AliasSpan]
) -> bool:
    """Whether a word comes after an alias whose text ends with a blank."""
    return any(
        aliases[part.name][-1:] in BLANKS and is_blank(text[part.end : start])
        for part in replaced
        if part.end <= start
    )


def is_blank(text: str) -> bool:
    """Whether a text is blanks, perhaps with joined lines."""
    return not text.replace(LINE_JOIN, "").strip(" \t")
