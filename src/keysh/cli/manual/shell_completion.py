"""Completion of the program `keysh` for bash, zsh and fish, as a script for each.

The scripts hold words alone and ask no process: a key must not wait for one to start.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keysh.cli.manual.usage import Option, Outline

    # What may follow an option or a subcommand, each word with its help.
    Words = Mapping[str, Mapping[str, str]]

MADE = "# Completion of keysh, made by `keysh complete --shell {}`.\n"


def bash(outline: Outline, words: Words) -> str:
    """For `source <(keysh complete --shell bash)`."""
    cases = [f"        {name}) words='{' '.join(found)}' ;;" for name, found in words.items()]
    subcommands, of_a_run = " ".join(outline.commands), spelled(outline.options[""])
    by_command = [
        f"                *:{name}) words='{spelled(outline.options[name])}' ;;"
        for name in outline.commands
    ]
    return MADE.format("bash") + "\n".join([
        "_keysh() {",
        "    local words word=${COMP_WORDS[COMP_CWORD]}",
        "    case ${COMP_WORDS[COMP_CWORD - 1]} in",
        *cases,
        "        *)",
        "            case $COMP_CWORD:${COMP_WORDS[1]} in",
        f"                1:*) words='{subcommands} {of_a_run}' ;;",
        *by_command,
        f"                *) words='{of_a_run}' ;;",
        "            esac",
        "            ;;",
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _keysh keysh",
        "",
    ])  # fmt: skip


def spelled(options: list[Option]) -> str:
    """Options in a row."""
    return " ".join(option.name for option in options)


def zsh(outline: Outline, words: Words) -> str:
    """For `source <(keysh complete --shell zsh)`, or a file `_keysh` on `$fpath`."""
    of_a_run = helped(outline.options[""])
    lists = {"2:*": {**outline.commands, **of_a_run}}
    lists |= {f"*:{name}": helped(outline.options[name]) for name in outline.commands}
    lists["*"] = of_a_run
    return "#compdef keysh\n" + MADE.format("zsh") + "\n".join([
        "_keysh() {",
        "    local -a found",
        "    case $words[CURRENT-1] in",
        *cases(words),
        "    esac",
        "    if (( $#found )); then _describe keysh found; return; fi",
        "    case $CURRENT:$words[2] in",
        *cases(lists),
        "    esac",
        "    _describe keysh found",
        "    _files",
        "}",
        "if [[ $funcstack[1] == _keysh ]]; then _keysh; else compdef _keysh keysh; fi",
        "",
    ])  # fmt: skip


def cases(lists: Words) -> list[str]:
    """The cases of zsh that fill `found`, each with its words and their help."""
    lines: list[str] = []
    for pattern, found in lists.items():
        lines.append(f"        {pattern}) found=(")
        lines += [f"            {described(word, told)}" for word, told in found.items()]
        lines.append("        ) ;;")
    return lines


def helped(options: list[Option]) -> dict[str, str]:
    """Options with their help."""
    return {option.name: option.help for option in options}


def described(word: str, told: str) -> str:
    """A word and its help as `_describe` takes them, in quotes."""
    return "'" + f"{word}:{told}".replace("'", "'\\''") + "'"


def fish(outline: Outline, words: Words) -> str:
    """For `keysh complete --shell fish | source`."""
    lines: list[str] = []
    for name, told in outline.commands.items():
        lines.append(f"complete -c keysh -n __fish_use_subcommand -a {name} -d {fished(told)}")
    for name, options in outline.options.items():
        where = f"'__fish_seen_subcommand_from {name}'" if name else "__fish_use_subcommand"
        for option in options:
            long = option.name.startswith("--")
            line = f"complete -c keysh -n {where} -{'l' if long else 's'} {option.name.lstrip('-')}"
            if option.name in words:
                line += f" -x -a {fished(' '.join(words[option.name]))}"
            elif option.value and not option.is_optional:
                line += " -r"
            lines.append(f"{line} -d {fished(option.help)}")
    for name in outline.commands:
        for word, told in words.get(name, {}).items():
            lines.append(
                f"complete -c keysh -n '__fish_seen_subcommand_from {name}' -f -a {word}"
                f" -d {fished(told)}"
            )
    return MADE.format("fish") + "\n".join([*lines, ""])


def fished(text: str) -> str:
    """A text in quotes that fish reads as it is."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Outline, Words], str]] = {"bash": bash, "fish": fish, "zsh": zsh}
