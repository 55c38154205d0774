"""What the kernel runs for a script of the machine: the commands of its `#!` lines."""

from __future__ import annotations

import os

from keysh.process.allowance.interpreters import interpreter_words
from keysh.process.policy import MAX_INTERPRETER_DEPTH
from keysh.rules.wrapped_commands import commands_of_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def interpreter_commands(path: str, words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the commands of interpreters, and what these run in turn: `#!/usr/bin/env -S git push`.

    `path` is the real file of the program, and `words` are those that it gets.
    """
    for _ in range(MAX_INTERPRETER_DEPTH):
        line = interpreter_words(path)
        if not line:
            return
        words = [*line, path, *words[1:]]
        yield words
        yield from commands_of_program(words)
        path = os.path.realpath(line[0])
