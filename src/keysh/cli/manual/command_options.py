"""What the manual reads of a declaration: options, their spellings and values, rows of help.

`Subcommands` are the declared subcommands by name; `cli.subcommands` passes them in.
"""

from __future__ import annotations

from keysh.cli.command_line import read_options
from keysh.diagnostics.diagnostic import CODES
from keysh.interp.run.options import OPTION_BITS
from keysh.schema.declare import command_of
from keysh.schema.docstring import dedented_lines, help_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from keysh.schema.command import Command, CommandParameter

    Subcommands: TypeAlias = Mapping[str, Command]

RUN = command_of(read_options)


def options_of(command: Command) -> list[CommandParameter]:
    """Return a command's options; `mcp` takes those of a run that have long names only."""
    if command.name == "mcp":
        return [option for option in options_of(RUN) if not option.letters]
    return [parameter for parameter in command.parameters if parameter.role == "option"]


def option_spellings(option: CommandParameter) -> list[str]:
    """Return the ways to write an option: `-w`, `--write`."""
    letters = [f"-{letter}" for letter in option.letters]
    return [*letters, *(f"--{name}" for name in option.long_names)]


def option_values(option: CommandParameter) -> list[str]:
    """Return the words that an option's value can be, as far as they can be listed."""
    if option.name == "option":
        return list(OPTION_BITS)
    return [] if option.is_flag else list(option.type.candidates())


def operand_values(name: str) -> dict[str, str]:
    """Return the words that a subcommand's operand can be, each with its help."""
    return dict(CODES) if name == "explain" else {}


def help_lines(command: Command) -> list[tuple[str, str]]:
    """Return the rows of a command's help: the head, as `-w, --write`, and its text."""
    return [(row.head, row.text) for row in help_rows(dedented_lines(command.help))]
