"""Options that a command accepts and ignores, or refuses: declared in one line, read by nobody.

@command(ignored="-u; --parallel NUM; --color[=WHEN]", refused="-x, --proxy URL  no proxies")
"""

from __future__ import annotations

from keysh.schema.command import CommandParameter
from keysh.schema.docstring import parse_option_row
from keysh.schema.parameter_type import OptionalValueType
from keysh.schema.types import BOOL, INT, SIZE, STR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.schema.docstring import HelpRow

HELP_COLUMNS = 80
TYPES_BY_METAVAR = {"NUM": INT, "SIZE": SIZE}  # values that are still checked


def unused_options(declaration: str, role: str) -> list[tuple[HelpRow, CommandParameter]]:
    """Return the options in a declaration; `role` is "ignored" or "refused".

    Rows end with `;`. Two blanks precede the reason for a refusal. Raises ValueError.
    """
    options: list[tuple[HelpRow, CommandParameter]] = []
    for text in filter(None, map(str.strip, declaration.split(";"))):
        head, _, reason = text.partition("  ")
        row = parse_option_row(head)
        if row is None:
            raise ValueError(f"`{text}` is no option")
        row.head, row.text = head, reason.strip()
        value_type = TYPES_BY_METAVAR.get(row.metavar, STR) if row.metavar else BOOL
        if row.value_is_optional:
            value_type = OptionalValueType(value_type)
        name = row.words[0] if row.words else f"-{row.letters[0]}"
        parameter = CommandParameter(name, value_type, False, role)
        parameter.help = f"{role}: {row.text}" if row.text else role
        options.append((row, parameter))
    return options


def help_with_unused(lines: list[str], ignored: list[str], refused: list[str]) -> list[str]:
    """Return the lines of a help text with the unused options below its last option."""
    rows = [at for at, line in enumerate(lines) if line.startswith("-")]
    at = (rows[-1] if rows else 0) + 1
    while rows and at < len(lines) and lines[at].startswith(" "):
        at += 1
    added = [] if rows else [""]
    for label, heads in (("ignored:", ignored), ("refused:", refused)):
        line = label
        for head in heads:
            end = ";" if head is not heads[-1] else ""
            if len(line) + len(head) + 2 > HELP_COLUMNS:
                added.append(line)
                line = " " * len(label)
            line += f" {head}{end}"
        if heads:
            added.append(line)
    return [*lines[:at], *added, *lines[at:]]
