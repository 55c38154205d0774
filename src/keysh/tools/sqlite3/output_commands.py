"""Dot commands for the output: where it goes, and what stands between values."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.text.shell_numbers import is_digits
from keysh.tools.sqlite3.file_import import sql_string
from keysh.tools.sqlite3.schema import print_names
from keysh.tools.sqlite3.session import DotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.sqlite3.session import SqlSession

STANDARD_OUTPUT = ("", "off", "stdout")


def separator_command(session: SqlSession, words: list[str]) -> None:
    """`.separator COLUMN ?ROW?`"""
    if not 1 <= len(words) <= 2:
        raise DotError("Usage: .separator COL ?ROW?\n")
    session.modes.column = words[0]
    if len(words) == 2:
        session.modes.row = words[1]


def nullvalue_command(session: SqlSession, words: list[str]) -> None:
    """`.nullvalue TEXT`"""
    if len(words) != 1:
        raise DotError("Usage: .nullvalue STRING\n")
    session.modes.null = words[0]


def width_command(session: SqlSession, words: list[str]) -> None:
    """`.width ?NUM…?`: of columns; negative numbers align to the right"""
    widths = [parse_integer(word) for word in words]
    session.sh.check_size(sum(map(abs, widths)))
    session.modes.widths = widths


def print_command(session: SqlSession, words: list[str]) -> None:
    """`.print ?TEXT…?`"""
    session.out(" ".join(words) + "\n")


def output_command(session: SqlSession, words: list[str]) -> None:
    """`.output ?FILE?`; without FILE, print again"""
    redirect(session, "output", words, is_once=False)


def once_command(session: SqlSession, words: list[str]) -> None:
    """`.once FILE`: for the next statement only"""
    redirect(session, "once", words, is_once=True)


def redirect(session: SqlSession, command: str, words: list[str], *, is_once: bool) -> None:
    """Redirect the output to a file, or to standard output again."""
    if len(words) > 1 or (words and words[0].startswith(("-", "|"))):
        extra = words[1] if len(words) > 1 else words[0]
        raise DotError(f'Error: .{command} takes the name of one file, not "{extra}"\n')
    session.restore_output()
    name = words[0] if words else ""
    if name in STANDARD_OUTPUT:
        return
    try:
        file = session.sh.open(name, "w")
    except OSError:
        raise DotError(f'Error: cannot open "{name}"\nError: cannot write to "{name}"\n') from None
    session.file, session.is_once = file, is_once
    session.out = lambda text: file.write(bytes_of_text(text))


def indexes_command(session: SqlSession, words: list[str]) -> None:
    """`.indexes ?TABLE?`, also called `.indices`"""
    if len(words) > 1:
        raise DotError("Usage: .indexes ?LIKE-PATTERN?\n")
    condition = f"type = 'index' AND tbl_name LIKE {sql_string(words[0] if words else '%')}"
    sql = f"SELECT name FROM sqlite_schema WHERE {condition} ORDER BY 1"
    print_names(session, [row[0] for row in session.query(sql)])


def parse_integer(word: str) -> int:
    """Return a number, or 0 for any other word."""
    digits = word.removeprefix("-").removeprefix("+")
    if not (is_digits(digits) and len(digits) < 10):
        return 0
    return -int(digits) if word.startswith("-") else int(digits)
