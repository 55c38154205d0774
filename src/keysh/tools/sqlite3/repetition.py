"""How many tables a statement stands for, once its views and common tables are put in.

SQLite copies the definition of a view or a common table for each of its uses, so a statement of
thirty short definitions, each of which uses the one before twice, fills all memory before it runs.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_TABLES = 5000
# A string, a comment, a quoted name, a name, or a parenthesis.
TOKEN = re.compile(
    r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/|\"(?:[^\"]|\"\")*\"|\[[^\]]*\]|`[^`]*`|\w+|[()]", re.DOTALL
)


def tables_of(statement: str, views: Mapping[str, str]) -> int:
    """Return how many uses of views and common tables a statement stands for."""
    definitions: dict[str, list[str]] = {}
    for name, text in views.items():
        definitions.setdefault(name.lower(), []).extend(names_of(text, definitions))
    outside = names_of(statement, definitions)
    counts: dict[str, int] = {}
    return uses_in(outside, definitions, counts)


def names_of(text: str, definitions: dict[str, list[str]]) -> list[str]:
    """Return the names in a text; those in the bodies of common tables go to `definitions`."""
    tokens = [plain_name(match[0]) for match in TOKEN.finditer(text)]
    tokens = [token for token in tokens if token]
    found: list[str] = []
    closing: list[list[str]] = []  # for each open parenthesis, the list of names around it
    for position, token in enumerate(tokens):
        if token == "(":
            closing.append(found)
            name = defined_name(tokens, position)
            if name:
                found = definitions.setdefault(name, [])
        elif token == ")":
            if closing:
                found = closing.pop()
        else:
            found.append(token)
    return closing[0] if closing else found


def plain_name(token: str) -> str:
    """Return a name in lower case, without quotes; empty for strings and comments."""
    if token[0] in "'-/":
        return ""
    return token[1:-1].lower() if token[0] in '"[`' else token.lower()


def defined_name(tokens: Sequence[str], position: int) -> str:
    """Return the name of the common table whose body the parenthesis opens; empty for others."""
    before = position - 1
    while before >= 0 and tokens[before] in ("materialized", "not"):
        before -= 1
    if before < 1 or tokens[before] != "as":
        return ""
    before -= 1
    if tokens[before] == ")":  # the names of columns
        while before > 0 and tokens[before] != "(":
            before -= 1
        before -= 1
    return tokens[before] if before >= 0 else ""


def uses_in(
    names: Iterable[str], definitions: Mapping[str, Sequence[str]], counts: dict[str, int]
) -> int:
    """Return how many uses these names stand for, at most a little more than `MAX_TABLES`."""
    total = 0
    for name in names:
        if name not in definitions:
            continue
        if name not in counts:
            counts[name] = 1  # a definition that uses itself
            counts[name] += uses_in(definitions[name], definitions, counts)
        total = min(total + counts[name], MAX_TABLES + 1)
    return total
