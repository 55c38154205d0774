"""Interpreters: which programs the kernel runs for a script, judged by its `#!` line.

#!/usr/bin/env -S python3 -E      ->  /usr/bin/env, and the python3 that it finds on PATH
"""

from __future__ import annotations

import os
import re

from keysh.process.resolve import find_executable, path_from, resolve
from keysh.process.result import NotStarted

FIRST_LINE_BYTES = 4096  # read from a script; no kernel reads more of the `#!` line

# What splits the line for the kernel; other white space is a part of a name.
LINE_BLANKS = re.compile(rb"[ \t]+")
# Options of `env` that take no argument, and so leave no doubt which word is the command.
PLAIN_ENV_OPTIONS = {"-", "--", "-S", "-i", "-iS", "-v", "-vS", "--split-string"}
ENV_QUOTES = re.compile(r"[\\\"'$#]")  # by which `env -S` makes other words of the text


def interpreters_of(path: str, search: str, directory: str | None) -> list[str]:
    """The file that the kernel executes for a script, and the one that `env` in `#!` executes.

    NotStarted if the line of `env` does not show which one that is.
    """
    words = interpreter_words(path)
    if len(words) < 2 or not is_env(path_from(words[0], directory)):
        return words[:1]
    name = env_command(words[1], path)
    return [words[0], resolve(name, search, directory)] if name else words[:1]


def interpreter_words(path: str) -> list[str]:
    """Return the interpreter that the `#!` line of a file names, and its argument if it has one."""
    try:
        with open(path, "rb") as file:
            line = file.read(FIRST_LINE_BYTES)
    except OSError:
        return []  # an unreadable file is no script
    if not line.startswith(b"#!"):
        return []
    # The kernel takes a NUL for the end of the line.
    words = LINE_BLANKS.split(re.split(rb"[\n\0]", line[2:])[0].strip(b" \t"), maxsplit=1)
    return [os.fsdecode(word) for word in words] if words[0] else []


def is_env(path: str) -> bool:
    """Whether a file is the program `env`, whatever its name."""
    if os.path.basename(path) == "env":
        return True
    env = find_executable("env")
    try:
        return env is not None and os.path.samefile(env, path)
    except OSError:
        return False


def env_command(text: str, script: str) -> str:
    """The command in the arguments of `env`; "" if there is none."""
    for word in text.split():
        if word in PLAIN_ENV_OPTIONS:
            continue
        if word.startswith("-") or ENV_QUOTES.search(word):
            reason = f"its first line does not say plainly what `env` runs: {word}"
            raise NotStarted("refused", "POLICY", script, reason, rule="allow")
        if "=" not in word:
            return word
    return ""
