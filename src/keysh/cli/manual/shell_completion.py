"""Completion of the program `keysh` for bash, fish and zsh, as a script for each.

The scripts hold the words themselves and start no process, so that a key never waits for one.
"""

from __future__ import annotations

from keysh.cli.manual.command_options import (
    RUN,
    operand_values,
    option_spellings,
    option_values,
    options_of,
)
from keysh.cli.manual.page import INFORMATION_ROWS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.cli.manual.command_options import Subcommands
    from keysh.schema.command import Command

    # Words that may follow, each with its help.
    Words = Mapping[str, str]

# Of `mcp`, beside those of a run.
SERVER_OPTIONS = {
    "--bash": "serve the real bash",
    "--http": "serve over HTTP",
    "--max-sessions": "sessions at the same time over HTTP",
    "--idle-seconds": "how long a session lasts without a request over HTTP",
    "--promote-after": "milliseconds until a command moves to the background",
    "--max-shown": "characters of an output that a client gets",
}
HEADER = "# Completion of keysh, made by `keysh complete --shell {}`.\n"


def completion_script(shell: str, commands: Subcommands) -> str:
    """Return what a shell reads to complete `keysh`."""
    scripts = {"bash": bash_script, "fish": fish_script, "zsh": zsh_script}
    return HEADER.format(shell) + scripts[shell](commands)


def option_words(command: Command) -> dict[str, str]:
    """Return the options of a command with their help."""
    words = {
        spelling: option.help
        for option in options_of(command)
        for spelling in option_spellings(option)
    }
    return {**SERVER_OPTIONS, **words} if command.name == "mcp" else words


def first_words(commands: Subcommands) -> dict[str, str]:
    """Return what may stand first: subcommands, options of a run, and `--help` and the like."""
    summaries = {name: command.summary for name, command in commands.items()}
    return {**summaries, **option_words(RUN), **dict(INFORMATION_ROWS)}


def value_words(commands: Subcommands) -> dict[str, dict[str, str]]:
    """Return what may follow an option or a subcommand, where that can be listed."""
    found: dict[str, dict[str, str]] = {}
    for command in (RUN, *commands.values()):
        for option in options_of(command):
            # A value that may be left out is written behind `=`, in the same word.
            if (values := option_values(option)) and not option.value_is_optional:
                found |= dict.fromkeys(option_spellings(option), dict.fromkeys(values, ""))
    found |= {name: words for name in commands if (words := operand_values(name))}
    return found


def bash_script(commands: Subcommands) -> str:
    """Return the script for `source <(keysh complete --shell bash)`."""
    by_previous = [
        f"        {name}) words='{' '.join(found)}' ;;"
        for name, found in value_words(commands).items()
    ]
    by_command = [
        f"                *:{name}) words='{' '.join(option_words(command))}' ;;"
        for name, command in commands.items()
    ]
    return "\n".join([
        "_keysh() {",
        "    local words word=${COMP_WORDS[COMP_CWORD]}",
        "    case ${COMP_WORDS[COMP_CWORD - 1]} in",
        *by_previous,
        "        *)",
        "            case $COMP_CWORD:${COMP_WORDS[1]} in",
        f"                1:*) words='{' '.join(first_words(commands))}' ;;",
        *by_command,
        f"                *) words='{' '.join(option_words(RUN))}' ;;",
        "            esac",
        "            ;;",
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _keysh keysh",
        "",
    ])  # fmt: skip


def zsh_script(commands: Subcommands) -> str:
    """Return the script for `source <(keysh complete --shell zsh)`, or a file on `$fpath`."""
    by_command = {f"*:{name}": option_words(command) for name, command in commands.items()}
    by_position = {"2:*": first_words(commands), **by_command, "*": option_words(RUN)}
    return "#compdef keysh\n" + "\n".join([
        "_keysh() {",
        "    local -a found",
        "    case $words[CURRENT-1] in",
        *zsh_cases(value_words(commands)),
        "    esac",
        "    if (( $#found )); then _describe keysh found; return; fi",
        "    case $CURRENT:$words[2] in",
        *zsh_cases(by_position),
        "    esac",
        "    _describe keysh found",
        "    _files",
        "}",
        "if [[ $funcstack[1] == _keysh ]]; then _keysh; else compdef _keysh keysh; fi",
        "",
    ])  # fmt: skip


def zsh_cases(lists: Mapping[str, Words]) -> list[str]:
    """Return the cases of zsh that fill `found`, each with its words and their help."""
    lines: list[str] = []
    for pattern, words in lists.items():
        lines.append(f"        {pattern}) found=(")
        lines += [f"            {zsh_quote(f'{word}:{text}')}" for word, text in words.items()]
        lines.append("        ) ;;")
    return lines


def zsh_quote(text: str) -> str:
    """Quote a text for zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def fish_script(commands: Subcommands) -> str:
    """Return the script for `keysh complete --shell fish | source`."""
    values = value_words(commands)
    lines = [
        f"complete -c keysh -n __fish_use_subcommand -a {name} -d {fish_quote(command.summary)}"
        for name, command in commands.items()
    ]
    first_options = {**option_words(RUN), **dict(INFORMATION_ROWS)}
    lines += fish_options("__fish_use_subcommand", first_options, RUN, values)
    for name, command in commands.items():
        condition = f"'__fish_seen_subcommand_from {name}'"
        lines += fish_options(condition, option_words(command), command, values)
        lines += [
            f"complete -c keysh -n {condition} -f -a {word} -d {fish_quote(text)}"
            for word, text in operand_values(name).items()
        ]
    return "\n".join([*lines, ""])


def fish_options(
    condition: str, words: Words, command: Command, values: Mapping[str, Words]
) -> list[str]:
    """Return the lines that complete the options of a command where a condition holds."""
    waiting = {
        spelling
        for option in options_of(command)
        for spelling in option_spellings(option)
        if not (option.is_flag or option.value_is_optional)
    }
    lines = []
    for spelling, text in words.items():
        kind = "l" if spelling.startswith("--") else "s"
        line = f"complete -c keysh -n {condition} -{kind} {spelling.lstrip('-')}"
        if spelling in values:
            line += f" -x -a {fish_quote(' '.join(values[spelling]))}"
        elif spelling in waiting:
            line += " -r"
        lines.append(f"{line} -d {fish_quote(text)}")
    return lines


def fish_quote(text: str) -> str:
    """Quote a text for fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
