"""The dot commands of SQLite's shell."""

from __future__ import annotations

import re

from keysh.text.shell_numbers import is_digits
from keysh.tools.sqlite3.columns import TABLE_STYLES
from keysh.tools.sqlite3.files import open_file, save
from keysh.tools.sqlite3.importing import import_command
from keysh.tools.sqlite3.modes import MODE_NAMES, QUOTING_BOX
from keysh.tools.sqlite3.schema import (
    dump_command,
    full_schema,
    indexes,
    schema_command,
    tables_command,
)
from keysh.tools.sqlite3.session import DotError
from keysh.tools.sqlite3.tuning import (
    flag,
    ignored,
    parse_boolean,
    parse_integer,
    refused,
    show,
    width,
)
from keysh.tools.sqlite3.writing import value_in_sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.sqlite3.session import SqlSession

# A quoted or unquoted word; a missing quote ends it at the end of the line.
DOT_WORD = re.compile(r"""\s*(?:'([^']*)'?|"((?:[^"\\]|\\.)*)"?|(\S+))""", re.DOTALL)
BACKSLASH_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPE_CHARACTERS = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
QUOTES = '""'


class ExitInput(Exception):
    """`.exit` or `.quit`: end the current input, or with a status the whole call."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def dot_words(line: str) -> list[str]:
    """Return the words of a dot command, without the dot."""
    found = []
    for match in DOT_WORD.finditer(line, 1):
        single, double, bare = match.groups()
        found.append(
            single if single is not None else unescape_word(bare if double is None else double)
        )
    return found


def unescape_word(text: str) -> str:
    """Return a word with its backslash escapes replaced."""

    def read(match: re.Match[str]) -> str:
        char = match[1]
        return (
            chr(int(char, 8) & 255) if char[0] in "01234567" else ESCAPE_CHARACTERS.get(char, char)
        )

    return BACKSLASH_ESCAPE.sub(read, text)


def run_dot_command(session: SqlSession, line: str) -> None:
    """Run a dot command; raise DotError if it fails."""
    words = dot_words(line)
    name = words[0] if words else ""
    fitting = (
        [name]
        if name in DOT_COMMANDS
        else [one for one in DOT_COMMANDS if name and one.startswith(name)]
    )
    if len(fitting) != 1:
        known = f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help\n'
        raise DotError(known)
    DOT_COMMANDS[fitting[0]](session, words[1:])


def quit_command(session: SqlSession, words: list[str]) -> None:
    """`.quit`"""
    raise ExitInput(0)


def exit_command(session: SqlSession, words: list[str]) -> None:
    """`.exit ?CODE?`"""
    digits = words[0] if words and is_digits(words[0]) else "0"
    raise ExitInput(
        int(digits[-8:]) & 255
    )  # only the low byte of the status counts, which eight digits determine


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
    plain: list[str] = []
    wrap, by_words, quotes = None, None, None
    rest = iter(words)
    for word in rest:
        option = word.removeprefix("-").removeprefix("-") if word.startswith("-") else ""
        if not option:
            plain.append(word)
        elif option == "wrap":
            wrap = parse_integer(next(rest, "0"))
        elif option in ("ww", "wordwrap"):
            by_words = option == "ww" or parse_boolean(session, next(rest, "on"))
        elif option in ("quote", "noquote"):
            quotes = option == "quote"
        else:
            known = "--noquote --quote --wordwrap on/off --wrap N --ww"
            says = f"unknown option: {word}\noptions:\n  {known.replace(' --', chr(10) + '  --')}\n"
            raise DotError(says)
    name = plain[0] if plain else modes.name
    fitting = [one for one in MODE_NAMES if one.startswith(name)]
    if name not in MODE_NAMES and len(fitting) != 1:
        raise DotError(f"Error: mode should be one of: {' '.join(sorted(MODE_NAMES))}\n")
    name = name if name in MODE_NAMES else fitting[0]
    most = 2 if name == "insert" else 1
    if len(plain) > 2 or (len(plain) > most and name not in TABLE_STYLES):
        raise DotError(f'extra argument: "{plain[-1]}"\n')
    modes.select(name)
    if name == "insert":
        modes.table = plain[1] if len(plain) > 1 else "table"
    if name in TABLE_STYLES or name == QUOTING_BOX:
        modes.wrap = modes.wrap if wrap is None else max(wrap, 0)
        modes.by_words = modes.by_words if by_words is None else by_words
        modes.quotes = modes.quotes if quotes is None else quotes


def null_value(session: SqlSession, words: list[str]) -> None:
    """`.nullvalue TEXT`"""
    if len(words) != 1:
        raise DotError("Usage: .nullvalue STRING\n")
    session.modes.null = words[0]


def separator(session: SqlSession, words: list[str]) -> None:
    """`.separator COLUMN ?ROW?`"""
    if not 1 <= len(words) <= 2:
        raise DotError("Usage: .separator COL ?ROW?\n")
    session.modes.column = words[0]
    if len(words) == 2:
        session.modes.row = words[1]


def print_words(session: SqlSession, words: list[str]) -> None:
    """`.print TEXT…`"""
    session.out(" ".join(words) + "\n")


def bail(session: SqlSession, words: list[str]) -> None:
    """`.bail on|off`"""
    if len(words) != 1:
        raise DotError("Usage: .bail on|off\n")
    session.bails = parse_boolean(session, words[0])


def databases(session: SqlSession, words: list[str]) -> None:
    """`.databases`"""
    del words
    database = session.database
    ways = "r/o" if database.is_readonly else "r/w"
    session.out(f"main: {database.path or QUOTES} {ways}\n")


def output(session: SqlSession, words: list[str]) -> None:
    """`.output ?FILE?`"""
    send(session, words, is_once=False)


def once(session: SqlSession, words: list[str]) -> None:
    """`.once FILE`"""
    send(session, words, is_once=True)


def send(session: SqlSession, words: list[str], *, is_once: bool) -> None:
    """Let what is printed go to a file, or again to standard output."""
    name = words[0] if words else "stdout"
    if len(words) > 1 or name.startswith(("-", "|")):
        raise DotError(f'Error: .output takes one file here, but is "{" ".join(words)}"\n')
    session.send(None if name == "stdout" else name, is_once=is_once)


def parameter(session: SqlSession, words: list[str]) -> None:
    """`.parameter set NAME VALUE|unset NAME|list|clear`"""
    held = session.parameters
    kind = words[0] if words else ""
    if kind == "set" and len(words) == 3:
        held[words[1]] = session.worth(words[2])
    elif kind == "unset" and len(words) == 2:
        held.pop(words[1], None)
    elif kind == "clear" and len(words) == 1:
        held.clear()
    elif kind == "list" and len(words) == 1:
        widest = max(map(len, held), default=0)
        for name in sorted(held):
            value = value_in_sql(held[name], session.database.exact_number_text)
            session.out(f"{name:<{widest}} {value}\n")
    elif words != ["init"]:
        raise DotError("Usage: .parameter set NAME VALUE|unset NAME|list|clear\n")


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


DOT_COMMANDS: dict[str, Callable[[SqlSession, list[str]], None]] = {
    "backup": save, "bail": bail, "binary": flag("binary"), "cd": refused("cd"),
    "changes": flag("changes"), "databases": databases, "dump": dump_command, "echo": flag("echo"),
    "eqp": flag("eqp"), "exit": exit_command, "explain": ignored, "fullschema": full_schema,
    "headers": headers_command, "help": help_command, "import": import_command, "indexes": indexes,
    "indices": indexes, "load": refused("load"), "log": ignored, "mode": mode_command,
    "nullvalue": null_value, "once": once, "open": open_file, "output": output,
    "parameter": parameter, "print": print_words, "prompt": ignored, "quit": quit_command,
    "read": read_command, "save": save, "schema": schema_command, "separator": separator,
    "shell": refused("shell"), "show": show, "stats": flag("stats"), "system": refused("system"),
    "tables": tables_command, "timeout": ignored, "timer": flag("timer"), "trace": ignored, "width": width,
}  # fmt: skip
