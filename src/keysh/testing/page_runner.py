"""Run the fences of a transcript with keysh, each in a shell over the page's directory."""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from pathlib import Path
from typing import Any

from keysh.cli.main import SUBCOMMANDS, main
from keysh.shell.shell import Shell
from keysh.testing.transcript import SHOWN_HOME, Answer, CannotRun, ConsoleFence
from keysh.vfs.local.filesystem import LocalFS

# The same as for bash: only PATH, HOME and LC_ALL.
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": SHOWN_HOME,
    "LC_ALL": "C.UTF-8",
}
MAX_SECONDS = 20.0  # for a command


class PageRunner:
    """Runs `keysh …` commands with the program, all others in a shell with some options.

    The shell sees only the page's directory, under the name that pages show.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        fs = {SHOWN_HOME: LocalFS(directory)}
        options = {
            "files": {"/tmp/.keep": ""}, "env": ENVIRONMENT, "dialect": fence.dialect,
            "journal": fence.has_journal, **self._options,
        }  # fmt: skip
        with Shell(fs=fs, cwd=SHOWN_HOME, **options) as shell:
            return [answer_of(command, shell, directory) for command in fence.commands]


def answer_of(command: str, shell: Shell, directory: Path) -> Answer:
    if command.startswith(tuple(f"keysh {name} " for name in SUBCOMMANDS)):
        return answer_of_program(shlex.split(command)[1:], directory)
    result = shell.run(command, timeout=MAX_SECONDS)
    if result.error is not None:
        raise CannotRun(f"{command}\n{type(result.error).__name__}: {result.error}")
    return Answer(result.stdout, result.stderr, result.code)


def answer_of_program(argv: list[str], directory: Path) -> Answer:
    out, err = TextFile(), TextFile()
    stdin = sys.stdin
    sys.stdin = TextFile()
    try:
        with (
            contextlib.chdir(directory),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            status = main(argv)
    finally:
        sys.stdin = stdin
    return Answer(out.text(), err.text(), status)


class TextFile(io.TextIOWrapper):
    """Standard output in memory, with the `buffer` that programs write bytes to."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="surrogateescape", newline="\n")

    def text(self) -> str:
        self.flush()
        self.seek(0)
        return self.read()
