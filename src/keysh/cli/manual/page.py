"""`keysh --help` and the manual page keysh(1), as troff with the macros `man`."""

from __future__ import annotations

import re

import keysh
from keysh.cli.manual.command_options import RUN, help_lines
from keysh.schema.render import usage_line
from keysh.shell import command_listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.cli.manual.command_options import Subcommands
    from keysh.schema.command import Command

SCRIPT_FORMS = (
    "keysh [OPTION]... SCRIPT [ARGUMENT]...",
    "keysh [OPTION]... -c TEXT [NAME [ARGUMENT]...]",
    "keysh [OPTION]... -s [ARGUMENT]...",
)
INFORMATION_ROWS = (
    ("--help", "print the help; `keysh run --help` and `keysh NAME --help` explain more"),
    ("--man", "print the manual page: `keysh --man | man -l -`"),
    ("--version", "print the version"),
)
STATUSES = (
    ("0", "success"),
    ("1", "failure"),
    ("2", "wrong usage, or a script with errors; nothing ran"),
    ("3", "the output limit was reached; earlier output is kept"),
    ("124", "out of time"),
    ("125", "another limit was reached"),
    ("126", "the command was found but cannot run"),
    ("127", "the command does not exist"),
    ("128 + n", "ended by signal n"),
    ("130", "cancelled"),
    ("141", "nothing reads the output any more"),
)
ENVIRONMENT = (
    ("KEYSH_INIT", "the script that a prompt begins with, instead of ~/.config/keysh/init.ksh"),
    ("KEYSH_HISTORY", "the file in which a prompt keeps its history; empty for none"),
)
CODE_SPAN = re.compile(r"`([^`]*)`")


def usage_forms(commands: Subcommands) -> list[str]:
    """Return every way to call the program."""
    return [*SCRIPT_FORMS, *(f"keysh {usage_line(command)}" for command in commands.values())]


def overview(commands: Subcommands) -> str:
    """Return what `keysh --help` prints."""
    first, *others = usage_forms(commands)
    width = max(map(len, commands))
    return "\n".join([
        f"Usage: {first}",
        *(f"       {form}" for form in others),
        "Run a script; at a terminal and without one, show a prompt.",
        "A script is for bash or in keysh's own language: --dialect NAME decides, else its",
        "first lines, or its ending.",
        "",
        *(f"{name:{width}}  {command.summary}" for name, command in commands.items()),
        "",
        *(f"{head:9}  {text}" for head, text in INFORMATION_ROWS),
        "",
    ])  # fmt: skip


def manual_page(commands: Subcommands) -> str:
    """Return the page keysh(1); the name and the summary are those of the package."""
    name, _, summary = (keysh.__doc__ or "").partition("\n")[0].rstrip(".").partition(": ")
    return "\n".join([
        f'.TH {name.upper()} 1 "" "{name} {keysh.__version__}" "User commands"',
        ".SH NAME",
        f"{troff_text(name)} \\- {troff_text(summary)}",
        ".SH SYNOPSIS",
        ".nf",
        *map(troff_text, usage_forms(commands)),
        ".fi",
        ".SH DESCRIPTION",
        troff_text(RUN.summary),
        *section("OPTIONS", help_lines(RUN)),
        *section("COMMANDS", ()),
        *(line for command in commands.values() for line in subcommand_lines(command)),
        *section("INFORMATION", INFORMATION_ROWS),
        ".SH BUILTINS",
        troff_text(" ".join(sorted(command_listing.names()))),
        ".PP",
        troff_text("`help NAME` explains the parameters of one, in a script and at the prompt."),
        *section("EXIT STATUS", STATUSES),
        *section("ENVIRONMENT", ENVIRONMENT),
        "",
    ])  # fmt: skip


def section(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a heading and a list of terms below it."""
    return [f".SH {title}", *terms(rows)]


def subcommand_lines(command: Command) -> list[str]:
    """Return a subcommand as a term, with its parameters indented below."""
    rows = help_lines(command)
    return [*terms([(command.name, command.summary)]), ".RS", *terms(rows), ".RE"]


def terms(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a list of terms with their explanations."""
    return [
        line for head, text in rows for line in (".TP", f".B {troff_text(head)}", troff_text(text))
    ]


def troff_text(line: str) -> str:
    """Escape a line for troff: backslashes and dashes as they are, `code` in bold."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    line = CODE_SPAN.sub(r"\\fB\1\\fR", line).replace("…", "...")
    return f"\\&{line}" if line[:1] in (".", "'") else line
