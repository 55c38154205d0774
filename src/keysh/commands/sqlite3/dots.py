"""Dots: the commands of SQLite's shell that begin with a dot."""

from __future__ import annotations

import re

from keysh.commands.sqlite3.importing import import_file, literal
from keysh.commands.sqlite3.modes import SEPARATORS
from keysh.commands.sqlite3.session import DotError
from keysh.commands.sqlite3.writing import dumped, schema_line, value_in_sql

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.commands.sqlite3.session import Session

LINE = 80  # characters that the names of tables are set in

# A word in quotes, or without; what is unfinished reaches to the end.
WORD = re.compile(r"""\s*(?:'([^']*)'?|"((?:[^"\\]|\\.)*)"?|(\S+))""", re.DOTALL)
ESCAPE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPES = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
QUOTES = '""'
YES, NO = ("yes", "on", "true", "1"), ("no", "off", "false", "0")


class Leave(Exception):
    """`.exit`: the lines that it stands in end; with a status, the whole call does."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def words_of(line: str) -> list[str]:
    """The words of a dot command, without the dot."""
    found = []
    for match in WORD.finditer(line, 1):
        single, double, bare = match.groups()
        found.append(
            single if single is not None else unescaped(bare if double is None else double)
        )
    return found


def unescaped(text: str) -> str:
    """A word with its backslashes read."""

    def read(match: re.Match[str]) -> str:
        char = match[1]
        return chr(int(char, 8) & 255) if char[0] in "01234567" else ESCAPES.get(char, char)

    return ESCAPE.sub(read, text)


def run_dot(session: Session, line: str) -> None:
    """Run a dot command; DotError where it fails."""
    words = words_of(line)
    name = words[0] if words else ""
    fitting = [name] if name in DOTS else [one for one in DOTS if name and one.startswith(name)]
    if len(fitting) != 1:
        known = f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help\n'
        raise DotError(known)
    DOTS[fitting[0]](session, words[1:])


def is_on(session: Session, word: str) -> bool:
    """What a yes or no means."""
    if word.lower() in YES:
        return True
    if word.lower() not in NO:
        session.sh.err.write(f'ERROR: Not a boolean value: "{word}". Assuming "no".\n')
    return False


def leave(session: Session, words: list[str]) -> None:
    """`.exit ?CODE?`"""
    raise Leave(int(words[0]) & 255 if words and words[0].isdecimal() and words[0].isascii() else 0)


def headers(session: Session, words: list[str]) -> None:
    """`.headers on|off`"""
    if len(words) != 1:
        raise DotError("Usage: .headers on|off\n")
    session.modes.has_header = is_on(session, words[0])
    session.modes.has_set_header = True


def mode(session: Session, words: list[str]) -> None:
    """`.mode MODE ?TABLE?`, or `.mode` to see which it is"""
    if not words:
        session.out(session.modes.described())
        return
    fitting = [name for name in SEPARATORS if name.startswith(words[0])]
    if words[0] not in SEPARATORS and len(fitting) != 1:
        raise DotError(f"Error: mode should be one of: {' '.join(sorted(SEPARATORS))}\n")
    name = words[0] if words[0] in SEPARATORS else fitting[0]
    most = 2 if name == "insert" else 1
    if len(words) > most:
        says = f'Error: .mode {name} takes no more here, but "{words[most]}" follows\n'
        raise DotError(says)
    session.modes.choose(name)
    if name == "insert":
        session.modes.table = words[1] if len(words) > 1 else "table"


def null_value(session: Session, words: list[str]) -> None:
    """`.nullvalue TEXT`"""
    if len(words) != 1:
        raise DotError("Usage: .nullvalue STRING\n")
    session.modes.null = words[0]


def separator(session: Session, words: list[str]) -> None:
    """`.separator COLUMN ?ROW?`"""
    if not 1 <= len(words) <= 2:
        raise DotError("Usage: .separator COL ?ROW?\n")
    session.modes.column = words[0]
    if len(words) == 2:
        session.modes.row = words[1]


def print_words(session: Session, words: list[str]) -> None:
    """`.print TEXT…`"""
    session.out(" ".join(words) + "\n")


def tables(session: Session, words: list[str]) -> None:
    """`.tables ?PATTERN?`"""
    list_names(session, "type IN ('table','view') AND name NOT LIKE 'sqlite_%' AND name", words)


def indexes(session: Session, words: list[str]) -> None:
    """`.indexes ?TABLE?`"""
    list_names(session, "type = 'index' AND tbl_name", words)


def list_names(session: Session, condition: str, words: list[str]) -> None:
    """Print names of the schema in columns."""
    if len(words) > 1:
        raise DotError("Usage: .tables ?TABLE?\n")
    pattern = words[0] if words else "%"
    sql = f"SELECT name FROM sqlite_schema WHERE {condition} LIKE {literal(pattern)} ORDER BY 1"
    names = [row[0] for row in session.asked(sql)]
    widest = max([len(name.encode("utf-8", "replace")) for name in names], default=0)
    count = max(1, LINE // (widest + 2))
    height = -(-len(names) // count)
    for at in range(height):
        cells = names[at::height]
        pads = [widest - len(name.encode("utf-8", "replace")) for name in cells]
        session.out(
            "  ".join([name + " " * pad for name, pad in zip(cells, pads, strict=True)]) + "\n"
        )


def schema(session: Session, words: list[str]) -> None:
    """`.schema ?PATTERN?`"""
    if len(words) > 1:
        raise DotError("Usage: .schema ?LIKE-PATTERN?\n")
    pattern = words[0] if words else "%"
    sql = f"SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND tbl_name LIKE {literal(pattern)}"
    for (text,) in session.asked(sql):
        session.out(schema_line(text))


def dump(session: Session, words: list[str]) -> None:
    """`.dump ?PATTERN…?`"""
    for text in dumped(session.asked, session.database.exact, words):
        session.out(text)


def bail(session: Session, words: list[str]) -> None:
    """`.bail on|off`"""
    if len(words) != 1:
        raise DotError("Usage: .bail on|off\n")
    session.bails = is_on(session, words[0])


def databases(session: Session, words: list[str]) -> None:
    """`.databases`"""
    del words
    database = session.database
    ways = "r/o" if database.is_readonly else "r/w"
    session.out(f"main: {database.path or QUOTES} {ways}\n")


def output(session: Session, words: list[str]) -> None:
    """`.output ?FILE?`"""
    send(session, words, is_once=False)


def once(session: Session, words: list[str]) -> None:
    """`.once FILE`"""
    send(session, words, is_once=True)


def send(session: Session, words: list[str], *, is_once: bool) -> None:
    """Let what is printed go to a file, or again to standard output."""
    name = words[0] if words else "stdout"
    if len(words) > 1 or name.startswith(("-", "|")):
        raise DotError(f'Error: .output takes one file here, but is "{" ".join(words)}"\n')
    session.send(None if name == "stdout" else name, is_once=is_once)


def parameter(session: Session, words: list[str]) -> None:
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
            value = value_in_sql(held[name], session.database.exact)
            session.out(f"{name:<{widest}} {value}\n")
    elif words != ["init"]:
        raise DotError("Usage: .parameter set NAME VALUE|unset NAME|list|clear\n")


def read_file(session: Session, words: list[str]) -> None:
    """`.read FILE`"""
    if len(words) != 1:
        raise DotError("Usage: .read FILE\n")
    session.read(words[0])


def show_help(session: Session, words: list[str]) -> None:
    """`.help`"""
    del words
    session.out("".join(f"{(run.__doc__ or '').replace('`', '')}\n" for run in DOTS.values()))


DOTS: dict[str, Callable[[Session, list[str]], None]] = {
    "bail": bail,
    "databases": databases,
    "dump": dump,
    "exit": leave,
    "headers": headers,
    "help": show_help,
    "import": import_file,
    "indexes": indexes,
    "indices": indexes,
    "mode": mode,
    "nullvalue": null_value,
    "once": once,
    "output": output,
    "parameter": parameter,
    "print": print_words,
    "quit": leave,
    "read": read_file,
    "schema": schema,
    "separator": separator,
    "tables": tables,
}
