"""A declaration as help, as a Markdown page, and as completion candidates."""

from __future__ import annotations

from keysh.values import ABSENT
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.schema.command import Command, CommandParameter

MAX_MEMBER_COLUMNS = 24  # of the names in the help of a group


def usage_line(command: Command) -> str:
    """Return `head [OPTION]... [FILE]...`, as GNU does."""
    words = [command.name]
    if any(p.role == "option" for p in command.parameters):
        words.append("[OPTION]...")
    words += [f"--{p.key.replace('_', '-')}={p.key.upper()}" for p in command.required_options]
    for parameter in command.parameters:
        if parameter.role != "option":
            shown, dots = parameter.key.upper(), ""
            if parameter.role == "rest":  # `files` is shown as [FILE]...
                shown, dots = shown.removesuffix("S"), "..."
            is_needed = parameter.is_required and not parameter.replacing_options
            words.append(f"{shown}{dots}" if is_needed else f"[{shown}]{dots}")
    return " ".join(words)


def help_text(command: Command) -> str:
    """Return what `--help` prints: the usage line and the docstring."""
    return f"Usage: {usage_line(command)}\n{command.help.rstrip()}\n"


def group_help_text(group: Command, members: Mapping[str, Command]) -> str:
    """Return what `--help` of a group prints: what it is, and a line for each member."""
    width = min(MAX_MEMBER_COLUMNS, max(map(len, members), default=0))
    rows = [f"{name:{width}}  {member.summary}".rstrip() for name, member in members.items()]
    usage = f"Usage: {group.name} TOOL [NAME=VALUE]..."
    more = f"`{group.name} TOOL --help` describes a tool."
    return "\n".join([usage, group.help.rstrip(), "", *rows, "", more, ""])


def version_text(command: Command, name: str) -> str:
    """Return what `--version` prints in GNU's form, with the program that the command follows.

    `name` is the one that the command was called by: `gunzip` for `gzip`.
    """
    followed = f", compatible with {command.compatible}" if command.compatible else ""
    return f"{name} (keysh) {__version__}{followed}\n"


def markdown_page(command: Command) -> str:
    """Return the command's documentation page: its help and a table of parameters."""
    lines = [f"# {command.name}", "", "```", help_text(command).rstrip(), "```"]
    if command.parameters:
        lines += ["", "| parameter | type | default |", "| --- | --- | --- |"]
        lines += [f"| {parameter_spellings(p, command)} | {p.type.name} | {default_cell(p)} |"
                  for p in command.parameters]  # fmt: skip
    return "\n".join([*lines, ""])


def parameter_spellings(parameter: CommandParameter, command: Command) -> str:
    """Return a parameter's spellings for the table."""
    if not parameter.has_name:
        dots = " ..." if parameter.role == "rest" else ""
        return f"`{parameter.key.upper()}{dots}`"
    spellings = [f"-{letter}" for letter in parameter.letters]
    spellings += [f"--{long}" for long in parameter.long_names]
    if parameter.key in command.by_key:
        spellings.append(f"{parameter.key}=")
    return " ".join(f"`{way}`" for way in spellings)


def default_cell(parameter: CommandParameter) -> str:
    """Return a parameter's default for the table."""
    default = parameter.plain_default
    if default is ABSENT:
        return ""
    from json import dumps  # noqa: PLC0415 - 5 ms that only the documentation needs

    return f"`{dumps(default, ensure_ascii=False)}`"


def declared_candidates(command: Command, word: str, before: str = "") -> list[tuple[str, str]]:
    """Return what a word can become, each with its help: options, names and values.

    `before` is the previous word, which may be an option that takes this one.
    """
    option = option_awaiting_value(command, before)
    if option is not None:
        return value_candidates(option, "", word)
    key, equals, value = word.partition("=")
    if equals:
        by_name = command.by_long if key.startswith("--") else command.by_key
        parameter = by_name.get(key.removeprefix("--"))
        return [] if parameter is None else value_candidates(parameter, f"{key}=", value)
    if word.startswith("-"):
        return option_candidates(command, word)
    values = [
        value
        for p in (*command.operands, command.rest)
        if p
        for value in value_candidates(p, "", word)
    ]
    keys = [(f"{key}=", p.help) for key, p in command.by_key.items() if key.startswith(word)]
    return values + keys


def option_awaiting_value(command: Command, word: str) -> CommandParameter | None:
    """Return the option at the end of a word that takes the next word as its value, if any."""
    if word.startswith("--"):
        parameter = command.by_long.get(word[2:])
    else:
        parameter = command.by_letter.get(word[-1]) if word.startswith("-") else None
    if parameter is None or parameter.is_flag or parameter.value_is_optional:
        return None
    return parameter


def option_candidates(command: Command, word: str) -> list[tuple[str, str]]:
    """Return the options that begin with a word; `--no-FLAG` only after `--no-`."""
    candidates = [(f"--{long}", p.help) for long, p in command.by_long.items()]
    if word == "-":
        candidates += [(f"-{letter}", p.help) for letter, p in command.by_letter.items()]
    if word.startswith("--no-"):
        candidates += [(f"--{whole}", p.help) for whole, (p, _) in command.by_full_name.items()
                  if whole not in command.by_long]  # fmt: skip
    return [(shown, text) for shown, text in candidates if shown.startswith(word)]


def value_candidates(parameter: CommandParameter, before: str, word: str) -> list[tuple[str, str]]:
    """Return a parameter's values that begin with a word."""
    return [(before + value, "") for value in parameter.type.candidates() if value.startswith(word)]
