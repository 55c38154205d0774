"""The dot commands of SQLite's shell."""

from __future__ import annotations

import re

from keysh.text.shell_numbers import is_digits
from keysh.tools.sqlite3.columns import TABLE_STYLES
from keysh.tools.sqlite3.file_import import import_command
from keysh.tools.sqlite3.modes import MODE_NAMES, QUOTING_BOX
from keysh.tools.sqlite3.output_commands import (
    indexes_command,
    nullvalue_command,
    once_command,
    output_command,
    parse_integer,
    print_command,
    separator_command,
    width_command,
)
from keysh.tools.sqlite3.schema import dump_command, schema_command, tables_command
from keysh.tools.sqlite3.session import DotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.sqlite3.session import SqlSession

# A quoted or unquoted word; a missing quote ends it at the end of the line.
DOT_WORD = re.compile(r"""\s*(?:'([^']*)'?|"((?:[^"\\]|\\.)*)"?|(\S+))""", re.DOTALL)
BACKSLASH_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPE_CHARACTERS = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
TRUE_WORDS, FALSE_WORDS = ("yes", "on", "true", "1"), ("no", "off", "false", "0")
MODE_OPTIONS = ("--noquote", "--quote", "--wordwrap on/off", "--wrap N", "--ww")


class ExitInput(Exception):
    """`.exit` or `.quit`: end the current input, or with a status the whole call."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def dot_words(line: str) -> list[str]:
    """Return the words of a dot command, without the dot."""
    words = []
    for match in DOT_WORD.finditer(line, 1):
        single, double, bare = match.groups()
        if single is None:
            words.append(unescape_word(bare if double is None else double))
        else:
            words.append(single)
    return words


def unescape_word(text: str) -> str:
    """Return a word with its backslash escapes replaced."""

    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] in "01234567":
            return chr(int(escape, 8) & 255)
        return ESCAPE_CHARACTERS.get(escape, escape)

    return BACKSLASH_ESCAPE.sub(character, text)


def run_dot_command(session: SqlSession, line: str) -> None:
    """Run a dot command; raise DotError if it fails."""
    words = dot_words(line)
    name = words[0] if words else ""
    matches = {run for command, run in DOT_COMMANDS.items() if name and command.startswith(name)}
    run = DOT_COMMANDS.get(name) or (matches.pop() if len(matches) == 1 else None)
    if run is None:
        message = f'unknown command or invalid arguments:  "{name}". Enter ".help" for help'
        raise DotError(f"Error: {message}\n")
    run(session, words[1:])


def quit_command(session: SqlSession, words: list[str]) -> None:
    """`.quit`"""
    raise ExitInput(0)


def exit_command(session: SqlSession, words: list[str]) -> None:
    """`.exit ?CODE?`"""
    digits = words[0] if words and is_digits(words[0]) else "0"
    # Only the low byte of the status counts, which eight digits determine.
    raise ExitInput(int(digits[-8:]) & 255)


def headers_command(session: SqlSession, words: list[str]) -> None:
    """`.headers on|off`"""
    if len(words) != 1:
        raise DotError("Usage: .headers on|off\n")
    session.modes.has_header = parse_boolean(session, words[0])
    session.modes.has_set_header = True


def mode_command(session: SqlSession, words: list[str]) -> None:
    """`.mode MODE ?TABLE? ?--wrap NUM? ?--wordwrap on|off? ?--quote?`; without MODE, print it"""
    modes = session.modes
    if not words:
        session.out(f"current output mode: {modes.description()}\n")
        modes.select(modes.name)  # as in SQLite's shell, which resets the mode here
        return
    arguments: list[str] = []
    wrap, by_words, quotes = None, None, None
    rest = iter(words)
    for word in rest:
        option = word.removeprefix("-").removeprefix("-") if word.startswith("-") else ""
        if not option:
            arguments.append(word)
        elif option == "wrap":
            wrap = parse_integer(next(rest, "0"))
        elif option in ("ww", "wordwrap"):
            by_words = option == "ww" or parse_boolean(session, next(rest, "on"))
        elif option in ("quote", "noquote"):
            quotes = option == "quote"
        else:
            options = "".join(f"  {known}\n" for known in MODE_OPTIONS)
            raise DotError(f"unknown option: {word}\noptions:\n{options}")
    name = arguments[0] if arguments else modes.name
    matches = [mode for mode in MODE_NAMES if mode.startswith(name)]
    if name not in MODE_NAMES and len(matches) != 1:
        raise DotError(f"Error: mode should be one of: {' '.join(sorted(MODE_NAMES))}\n")
    name = name if name in MODE_NAMES else matches[0]
    max_words = 2 if name == "insert" else 1
    if len(arguments) > 2 or (len(arguments) > max_words and name not in TABLE_STYLES):
        raise DotError(f'extra argument: "{arguments[-1]}"\n')
    modes.select(name)
    if name == "insert":
        modes.table = arguments[1] if len(arguments) > 1 else "table"
    if name in TABLE_STYLES or name == QUOTING_BOX:
        modes.wrap = modes.wrap if wrap is None else max(wrap, 0)
        modes.by_words = modes.by_words if by_words is None else by_words
        modes.quotes = modes.quotes if quotes is None else quotes


def read_command(session: SqlSession, words: list[str]) -> None:
    """`.read FILE`"""
    if len(words) != 1:
        raise DotError("Usage: .read FILE\n")
    session.read(words[0])


def help_command(session: SqlSession, words: list[str]) -> None:
    """`.help ?NAME?`"""
    begin = words[0].removeprefix(".") if words else ""
    lines = [run.__doc__ or "" for name, run in DOT_COMMANDS.items() if name.startswith(begin)]
    session.out("".join(f"{line.replace('`', '')}\n" for line in dict.fromkeys(lines)))
    if not lines:
        session.out(f"Nothing matches '{words[0]}'\n")


def parse_boolean(session: SqlSession, word: str) -> bool:
    """Return the value of a word such as `on` or `no`."""
    if word.lower() in TRUE_WORDS:
        return True
    if word.lower() not in FALSE_WORDS:
        session.sh.complain(f'ERROR: Not a boolean value: "{word}". Assuming "no".')
    return False


def bail_command(session: SqlSession, words: list[str]) -> None:
    """`.bail on|off`: stop at the first error"""
    if len(words) != 1:
        raise DotError("Usage: .bail on|off\n")
    session.bails = parse_boolean(session, words[0])


def echo_command(session: SqlSession, words: list[str]) -> None:
    """`.echo on|off`: print what is run"""
    if len(words) != 1:
        raise DotError("Usage: .echo on|off\n")
    session.is_echoing = parse_boolean(session, words[0])


def changes_command(session: SqlSession, words: list[str]) -> None:
    """`.changes on|off`: print how many rows each statement changes"""
    if len(words) != 1:
        raise DotError("Usage: .changes on|off\n")
    session.shows_changes = parse_boolean(session, words[0])


DOT_COMMANDS: dict[str, Callable[[SqlSession, list[str]], None]] = {
    "bail": bail_command, "changes": changes_command, "dump": dump_command, "echo": echo_command,
    "exit": exit_command, "headers": headers_command, "help": help_command,
    "import": import_command, "indexes": indexes_command, "indices": indexes_command,
    "mode": mode_command, "nullvalue": nullvalue_command, "once": once_command,
    "output": output_command, "print": print_command, "quit": quit_command, "read": read_command,
    "schema": schema_command, "separator": separator_command, "tables": tables_command,
    "width": width_command,
}  # fmt: skip
