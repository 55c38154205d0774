"""Import the rows of a text file into a table."""

from __future__ import annotations

import csv

from keysh.text.chunks import bytes_of_text
from keysh.tools.sqlite3.session import DotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.sqlite3.session import SqlSession

IMPORT_USAGE = "Usage: .import [--csv] [--ascii] [--skip N] FILE TABLE\n"
MAX_FIELD_CHARACTERS = 64 << 20


def import_command(session: SqlSession, words: list[str]) -> None:
    """`.import [--csv] [--ascii] [--skip N] FILE TABLE`"""
    column, row = session.modes.column, "\n"
    if session.modes.name == "csv" and session.modes.row == "\r\n":
        session.modes.row = "\n"  # SQLite's shell also leaves it changed
    names: list[str] = []
    skip, position = 0, 0
    while position < len(words):
        word = words[position]
        position += 1
        if word in ("--csv", "-csv"):
            column = ","
        elif word in ("--ascii", "-ascii"):
            column, row = "\x1f", "\x1e"
        elif word in ("--skip", "-skip") and position < len(words) and words[position].isdecimal():
            skip, position = int(words[position]), position + 1
        elif word in ("--schema", "-schema") and words[position : position + 1] == ["main"]:
            position += 1
        else:
            names.append(word)
    if len(names) != 2 or names[0].startswith("|") or names[0].startswith("-"):
        raise DotError(IMPORT_USAGE)
    if len(column) != 1:
        raise DotError("Error: the column separator of an import must be one character\n")
    file, table = names
    try:
        reader = session.sh.open_reader(file)
    except OSError:
        raise DotError(f'Error: cannot open "{file}"\n') from None
    try:
        rows = numbered_rows(reader.lines(row), column, row)
        for _ in range(skip):
            next(rows, None)
        insert_rows(session, table, rows, file)
    except (csv.Error, ValueError) as error:
        raise DotError(f"Error: {file}: {error}\n") from None
    finally:
        reader.close()


def numbered_rows(lines: Iterator[str], column: str, row: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with the numbers of their first lines."""
    if row != "\n":
        for number, line in enumerate(lines, 1):
            yield number, line.removesuffix(row).split(column)
        return
    csv.field_size_limit(MAX_FIELD_CHARACTERS)
    first_line = 1
    parser = csv.reader(lines, delimiter=column)
    for fields in parser:
        yield first_line, fields or [""]
        first_line = parser.line_num + 1


def insert_rows(
    session: SqlSession, table: str, rows: Iterator[tuple[int, list[str]]], file: str
) -> None:
    """Insert rows into a table; if it is missing, create it with the names of the first row."""
    name = sql_identifier(table)
    known_columns = list(session.query(f"SELECT name FROM pragma_table_info({sql_string(table)})"))
    if known_columns:
        width = len(known_columns)
    else:
        _, header = next(rows, (0, []))
        if not header:
            raise DotError(f"{file}: empty file\n")
        columns = [f"{sql_identifier(column)} TEXT" for column in header]
        lines = [", ".join(columns[i : i + 4]) for i in range(0, len(columns), 4)]  # as SQLite's
        list(session.query(f"CREATE TABLE IF NOT EXISTS {name}(\n{f',{chr(10)} '.join(lines)})"))
        width = len(header)
    marks = ",".join(["CAST(? AS TEXT)"] * width)  # from bytes, which need not be UTF-8
    in_transaction = session.database.connection.in_transaction
    if not in_transaction:
        list(session.query("BEGIN"))
    try:
        for number, fields in rows:
            session.sh.tick()
            if len(fields) != width:
                message = f"{file}:{number}: expected {width} columns but found {len(fields)}"
                is_short = len(fields) < width
                effect = "filling the rest with NULL" if is_short else "extras ignored"
                session.sh.complain(f"{message} - {effect}")
            values = [*map(bytes_of_text, fields[:width]), *[None] * (width - len(fields))]
            session.insert(f"INSERT INTO {name} VALUES({marks})", values, f"{file}:{number}")
    finally:
        if not in_transaction and session.database.connection.in_transaction:
            session.database.connection.execute("COMMIT")


def sql_string(text: str) -> str:
    """Return an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def sql_identifier(name: str) -> str:
    """Return a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
