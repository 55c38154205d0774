"""Dot commands that print names, statements or the contents of a database."""

from __future__ import annotations

from keysh.tools.sqlite3.file_import import sql_string
from keysh.tools.sqlite3.session import DotError
from keysh.tools.sqlite3.sql_text import dump_statements, name_in_sql, schema_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.sqlite3.session import SqlSession

MAX_LINE_CHARACTERS = 80  # for the columns of table names
SCHEMA_TABLE_SQL = """CREATE TABLE {} (
  type text,
  name text,
  tbl_name text,
  rootpage integer,
  sql text
);
"""
SCHEMA_TABLE_NAMES = ("sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema")


def tables_command(session: SqlSession, words: list[str]) -> None:
    """`.tables ?PATTERN?`"""
    if len(words) > 1:
        raise DotError("Usage: .tables ?TABLE?\n")
    pattern = words[0] if words else "%"
    condition = "type IN ('table','view') AND name NOT LIKE 'sqlite_%'"
    condition += f" AND name LIKE {sql_string(pattern)}"
    sql = f"SELECT name FROM sqlite_schema WHERE {condition} ORDER BY 1"
    print_names(session, [row[0] for row in session.query(sql)])


def print_names(session: SqlSession, names: list[str]) -> None:
    """Print names in columns."""
    max_width = max([len(name.encode("utf-8", "replace")) for name in names], default=0)
    count = max(1, MAX_LINE_CHARACTERS // (max_width + 2))
    height = -(-len(names) // count)
    for at in range(height):
        cells = names[at::height]
        paddings = [max_width - len(name.encode("utf-8", "replace")) for name in cells]
        session.out(
            "  ".join([name + " " * pad for name, pad in zip(cells, paddings, strict=True)]) + "\n"
        )


def schema_command(session: SqlSession, words: list[str]) -> None:
    """`.schema ?--nosys? ?PATTERN?`"""
    patterns = []
    has_system = True
    for word in words:
        option = word.removeprefix("-").removeprefix("-") if word.startswith("-") else ""
        if option and "nosys".startswith(option):
            has_system = False
        elif option and "indent".startswith(option):
            raise DotError("Error: .schema --indent is not supported\n")
        elif option:
            raise DotError(f'Unknown option: "{word}"\n')
        else:
            patterns.append(word)
    if len(patterns) > 1:
        raise DotError("Usage: .schema ?--indent? ?--nosys? ?LIKE-PATTERN?\n")
    pattern = patterns[0] if patterns else "%"
    if pattern.lower() in SCHEMA_TABLE_NAMES:
        session.out(SCHEMA_TABLE_SQL.format(pattern))
        return
    sql = f"sql NOT NULL AND tbl_name LIKE {sql_string(pattern)}"
    if not has_system:
        sql += " AND name NOT LIKE 'sqlite\\__%' ESCAPE '\\'"
    rows = list(session.query(f"SELECT type, name, sql FROM sqlite_schema WHERE {sql}"))
    for kind, name, text in rows:
        if kind == "view" or text.startswith("CREATE VIRTUAL TABLE"):
            text += column_comment(session, name)
        session.out(schema_statement(text))


def column_comment(session: SqlSession, name: str) -> str:
    """Return a comment with the columns of a view or virtual table, or "" if they are unknown."""
    try:
        rows = list(session.query(f"PRAGMA table_info({name_in_sql(name)})"))
    except DotError:
        return ""
    columns = ",".join(name_in_sql(row[1]) for row in rows)
    return f"\n/* {name_in_sql(name)}({columns}) */" if columns else ""


def dump_command(session: SqlSession, words: list[str]) -> None:
    """`.dump ?--data-only? ?--newlines? ?--nosys? ?PATTERN…?`"""
    options, patterns = set(), []
    for word in words:
        if not word.startswith("-"):
            patterns.append(word)
            continue
        option = word.removeprefix("-").removeprefix("-")
        if option == "preserve-rowids":
            raise DotError("Error: .dump --preserve-rowids is not supported\n")
        if option not in ("data-only", "newlines", "nosys"):
            raise DotError(f'Unknown option "{word}" on ".dump"\n')
        options.add(option)
    for text in dump_statements(
        session.query, session.database.exact_number_text, patterns, options
    ):
        session.out(text)
