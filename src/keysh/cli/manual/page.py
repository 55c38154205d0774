"""The manual page keysh(1), as troff with the macros `man`."""

from __future__ import annotations

import re

import keysh
from keysh.cli.arguments import USAGE
from keysh.cli.manual import shell_completion as scripts
from keysh.cli.manual.usage import Outline
from keysh.diagnostics.diagnostic import CODES
from keysh.interp.run.options import OPTION_BITS
from keysh.shell import command_listing as commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


STATUSES = (
    ("0", "success"),
    ("1", "failure"),
    ("2", "wrong usage, or a script that is not one; nothing ran"),
    ("3", "the output limit was reached; what came before it is kept"),
    ("124", "out of time"),
    ("125", "another limit was reached"),
    ("126", "the command was found but may not run"),
    ("127", "there is no such command"),
    ("128 + n", "ended by the signal n"),
    ("130", "cancelled"),
    ("141", "nobody reads the output any more"),
)
ENVIRONMENT = (
    ("KEYSH_INIT", "the script that a prompt begins with, in place of ~/.config/keysh/init.ksh"),
    ("KEYSH_HISTORY", "the file that a prompt remembers lines in; empty for none"),
)
CODE = re.compile(r"`([^`]*)`")


def page(outline: Outline, name: str, summary: str, version: str, builtins: Iterable[str]) -> str:
    """The page of a program."""
    first = next(at for at, (head, _) in enumerate(outline.rows) if head in outline.commands)
    return "\n".join([
        f'.TH {name.upper()} 1 "" "{name} {version}" "User commands"',
        ".SH NAME",
        f"{text(name)} \\- {text(summary)}",
        ".SH SYNOPSIS",
        ".nf",
        *map(text, outline.forms),
        ".fi",
        ".SH DESCRIPTION",
        *(text(line) or ".PP" for line in outline.prose),
        *section("OPTIONS", outline.rows[:first]),
        *section("COMMANDS", outline.rows[first:]),
        ".SH BUILTINS",
        text(" ".join(builtins)),
        ".PP",
        text("`help NAME` tells the parameters of one, in a script and at the prompt."),
        *section("EXIT STATUS", STATUSES),
        *section("ENVIRONMENT", ENVIRONMENT),
        "",
    ])  # fmt: skip


def section(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """A heading, and a list of terms under it."""
    lines = [f".SH {title}"]
    for head, told in rows:
        is_inner = head.startswith(" ")
        lines += [".RS", ".TP"] if is_inner else [".TP"]
        lines += [f".B {text(head.strip())}", text(told), *([".RE"] if is_inner else [])]
    return lines


def text(line: str) -> str:
    """A line as troff reads it: backslashes and dashes as they are, `code` in bold."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    line = CODE.sub(r"\\fB\1\\fR", line).replace("…", "...")
    return f"\\&{line}" if line[:1] in (".", "'") else line


# The whole manual: what the program, the shell and its commands say of themselves.

SHELLS = tuple(scripts.SHELLS)


def outline(usage: str) -> Outline:
    """What the usage texts say: that of a run, and that of the subcommands."""
    _, _, without_runs = usage.partition("\n")  # its first form sums up those of a run
    return Outline((USAGE, without_runs))


def completion(usage: str, shell: str) -> str:
    """What a shell reads to complete `keysh` itself."""
    words = {
        "-o": dict.fromkeys(OPTION_BITS, ""),
        "--shell": dict.fromkeys(SHELLS, ""),
        "explain": CODES,
    }
    return scripts.SHELLS[shell](outline(usage), words)


def keysh_page(usage: str) -> str:
    """The page keysh(1); the name and the summary are those of the package."""
    name, _, summary = (keysh.__doc__ or "").partition("\n")[0].rstrip(".").partition(": ")
    builtins = sorted(commands.names())
    return page(outline(usage), name, summary, keysh.__version__, builtins)
