"""Aliases of the bash dialect: the text of an alias takes the place of a command's name.

Here the text is replaced before it is parsed, so that an alias may hold half of a loop.
"""

from __future__ import annotations

import re
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
    from keysh.syntax.lexer.cursor import Tick, Token

BLANKS = (" ", "\t")
LINE_JOIN = "\\\n"
# A loop's variable may be what an alias that ends with a blank is followed by.
REPLACED_KINDS = ("WORD", "NAME", "WORD_OPEN")
# A command with arguments: neither quotes nor operators, and no `=` in its name.
PLAIN_VALUE = re.compile(r"([\w./+-]+)(?: [\w./+:=,@%^-]+)*+")
# Names behind which words are read in another way.
ROLE_CHANGING_WORDS = frozenset(
    (
        "alias", "case", "coproc", "declare", "do", "done", "elif", "else", "esac", "eval",
        "export", "fi", "for", "function", "if", "in", "let", "local", "readonly", "select",
        "then", "time", "typeset", "until", "while",
    )
)  # fmt: skip


class AliasSpan:
    """A part of the text that an alias has written, in which its own name is not replaced."""

    __slots__ = ("end", "name", "start")

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name, self.start, self.end = name, start, end


def with_aliases(
    text: str, aliases: Mapping[str, str], dialect: Dialect, most: int, tick: Tick | None = None
) -> str:
    """Return a text with its aliases replaced, as far as it can be scanned.

    It stops when the text is longer than `most`, or by an exception of `tick`.
    """
    replaced: list[AliasSpan] = []
    offset = 0  # what is before has been looked at
    plain_names = {name for name in aliases if is_plain_command(name, aliases)}
    while len(text) <= most:
        plain, found = next_aliases(text, offset, aliases, plain_names, replaced, dialect, tick)
        pieces, end, growth = [text[:offset]], offset, 0
        for start, name in plain:
            pieces += (text[end:start], aliases[name])
            end = start + len(name)
            longer = len(aliases[name]) - len(name)
            grow_spans(replaced, end + growth, longer)
            growth += longer
            if len(text) + growth > most:
                break
        text = "".join([*pieces, text[end:]])
        if found is None or len(text) > most:
            return text
        start, name = found[0] + growth, found[1]
        value, end = aliases[name], start + len(name)
        if "<<" in value and "\n" in value:
            refuse_heredoc(name, value, dialect)
        text = text[:start] + value + text[end:]
        grow_spans(replaced, end, len(value) - len(name))
        replaced.append(AliasSpan(name, start, start + len(value)))
        offset = start
    return text


def grow_spans(spans: list[AliasSpan], end: int, growth: int) -> None:
    """Move the ends of the parts that hold a name, which ended there, that has become longer."""
    for part in spans:
        if part.end >= end:
            part.end += growth


def is_plain_command(name: str, aliases: Mapping[str, str]) -> bool:
    """Whether an alias is a command with arguments, so that the words behind it stay what they are.

    All such names are replaced after one scan. Any other value, as `if`, `sudo ` or `x=1`, may
    change what follows, and the text is scanned again.
    """
    match = PLAIN_VALUE.fullmatch(aliases[name])
    if match is None or match[1] in ROLE_CHANGING_WORDS:
        return False
    return match[1] == name or match[1] not in aliases


def refuse_heredoc(name: str, value: str, dialect: Dialect) -> None:
    """Raise E112 for a heredoc whose text is in the alias: bash reads the script's next lines."""
    source = Source(value, dialect=dialect)
    if any(kind == "HEREDOC_OPEN" for kind, *_ in scan(source).tokens):
        fact, fix = "an alias contains the text of a heredoc", "define a function"
        raise ScriptError([Diagnostic("E112", source, 0, len(value), fact, f"`{name}`", fix)])


def next_aliases(
    text: str,
    offset: int,
    aliases: Mapping[str, str],
    plain_names: set[str],
    replaced: list[AliasSpan],
    dialect: Dialect,
    tick: Tick | None,
) -> tuple[list[tuple[int, str]], tuple[int, str] | None]:
    """Return where the next words to replace begin, and their names.

    Those of plain commands come first; the last one is any other, behind which all may change.
    """
    tokens = scan(Source(text, dialect=dialect), tick=tick).tokens
    names = WordRoles(tokens).name_indexes
    plain: list[tuple[int, str]] = []
    # In the order of the text: the tokens of a heredoc's body come before the rest of its line.
    for index in sorted(range(len(tokens)), key=lambda one: tokens[one][2]):
        kind, _, start, _ = tokens[index]
        if start < offset or kind not in REPLACED_KINDS:
            continue
        value = word_at(tokens, index, text)
        if value not in aliases:
            continue
        if index not in names and not follows_blank(text, start, aliases, replaced):
            continue
        if any(part.name == value and part.start <= start < part.end for part in replaced):
            continue
        if value not in plain_names:
            return plain, (start, value)
        plain.append((start, value))
    return plain, None


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
