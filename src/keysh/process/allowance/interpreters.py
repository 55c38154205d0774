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
    try:
        with open(path, "rb") as file:
            line = file.read(FIRST_LINE_BYTES)
    except OSError:
        return []  # an unreadable file is no script
    if not line.startswith(b"#!"):
        return []
    # The kernel takes a NUL for the end of the line.
    words = LINE_BLANKS.split(re.split(rb"[\n\0]", line[2:])[0].strip(b" \t"), maxsplit=1)
    if not words[0]:
        return []
    interpreter = os.fsdecode(words[0])
    if len(words) < 2 or not is_env(path_from(interpreter, directory)):
        return [interpreter]
    name = env_command(os.fsdecode(words[1]), path)
    return [interpreter, resolve(name, search, directory)] if name else [interpreter]


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
