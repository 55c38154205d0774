"""Names and texts of servers, as a shell shows them: words, and lines without controls."""

from __future__ import annotations

import re

from keysh.diagnostics.display import visible

MAX_NAME_CHARACTERS = 64
MAX_SUMMARY_CHARACTERS = 200
MAX_DESCRIPTION_CHARACTERS = 4000
MAX_MESSAGE_CHARACTERS = 2000
COMMAND_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*", re.ASCII)
NO_WORD_CHARACTERS = re.compile(r"[^A-Za-z0-9_.-]+", re.ASCII)
NO_KEY_CHARACTERS = re.compile(r"[^A-Za-z0-9_]", re.ASCII)
# What the names of servers have around the one that matters: `mcp-server-git`, `api.example.org`.
SERVER_AFFIXES = re.compile(r"^(mcp|server|api|www)[-_.]|[-_.](mcp|server|api)$", re.IGNORECASE)
PROGRAM_SUFFIX = re.compile(r"\.(py|js|mjs|ts|sh|exe|json|ya?ml)$|@[^/@]*$")


def word_of(text: str) -> str:
    """Return a name as one word of a script, such as `get_user` for "get user"; it may be empty."""
    return NO_WORD_CHARACTERS.sub("_", text[:MAX_NAME_CHARACTERS]).strip("_.-")


def key_of(text: str) -> str:
    """Return the name of a parameter as a key of `key=value`: `start_date` for "start-date"."""
    key = NO_KEY_CHARACTERS.sub("_", text[:MAX_NAME_CHARACTERS])
    return key if key and not key[0].isdigit() else f"_{key}"


def server_word(text: str) -> str:
    """Return the name of a server's commands for the name of its program, host or document."""
    name = text
    while (shorter := PROGRAM_SUFFIX.sub("", name)) != name and shorter:
        name = shorter
    name = name.rstrip("/").rpartition("/")[2]
    while (shorter := SERVER_AFFIXES.sub("", name)) != name and shorter:
        name = shorter
    return word_of(name)


def shown_lines(text: object, most: int) -> str:
    """Return a text of a server in lines that are safe to show, cut to a length."""
    shown = str(text) if isinstance(text, str) else ""
    cut = shown[:most]
    lines = "\n".join(visible(line) for line in cut.splitlines()).strip()
    return f"{lines} […]" if len(shown) > most else lines


def summary_of(description: str) -> str:
    """Return the first line of a description, for lists."""
    line = description.partition("\n")[0]
    return line if len(line) <= MAX_SUMMARY_CHARACTERS else f"{line[: MAX_SUMMARY_CHARACTERS - 1]}…"
