"""Arguments written on a line, converted as the parser would pass them.

lines=3 --lines=3    a NamedArgument with a typed value       'a b'    always plain text
*.txt                a GlobArgument over FILES                 $?       UNKNOWN
@7 @null @[1,2]      a typed value                             $@       UNKNOWN_WORDS
"""

from __future__ import annotations

import fnmatch
import json
import re

from keysh.schema.arguments import UNKNOWN, UNKNOWN_WORDS, GlobArgument, NamedArgument

FILES = ["a.txt", "b.txt", "c.md"]
WORD = re.compile(r"'([^']*)'|(\S+)")
NAMED = re.compile(r"(--[a-z][a-z-]*|[a-z_]\w*)=(.*)", re.IGNORECASE)
TYPED = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?|true|false|[\[{].*")
UNKNOWNS = {"$?": UNKNOWN, "$@": UNKNOWN_WORDS}


def read_arguments(line: str) -> list[object]:
    return [quoted if bare == "" else argument(bare) for quoted, bare in WORD.findall(line)]


def argument(text: str) -> object:
    if text in UNKNOWNS:
        return UNKNOWNS[text]
    if text[0] == "@":
        return json.loads(text[1:])
    named = NAMED.fullmatch(text)
    if named:
        return NamedArgument(named[1], value(named[2]), text)
    return GlobArgument(text, lambda: paths(text)) if set(text) & set("*?") else text


def value(text: str) -> object:
    if text in UNKNOWNS:
        return UNKNOWNS[text]
    return json.loads(text) if TYPED.fullmatch(text) else text


def paths(pattern: str) -> list[str]:
    result = fnmatch.filter(FILES, pattern)
    if not result and pattern != "*.none":
        raise FileNotFoundError(pattern)
    return result
