"""The manual page keysh(1), as troff with the macros `man`."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.manual.outline import Outline

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
