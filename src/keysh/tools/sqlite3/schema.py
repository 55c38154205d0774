"""Dot commands that print names, statements or the contents of a database."""

from __future__ import annotations

from keysh.tools.sqlite3.importing import sql_string
from keysh.tools.sqlite3.session import DotError
from keysh.tools.sqlite3.writing import (
    dump_statements,
    insert_statements,
    name_in_sql,
    schema_statement,
)

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
STATISTICS = ("sqlite_stat1", "sqlite_stat4")
NO_STATISTICS = "/* No STAT tables available */\n"


def tables_command(session: SqlSession, words: list[str]) -> None:
    """`.tables ?PATTERN?`"""
    list_names(session, "type IN ('table','view') AND name NOT LIKE 'sqlite_%' AND name", words)


def indexes(session: SqlSession, words: list[str]) -> None:
    """`.indexes ?TABLE?`"""
    list_names(session, "type = 'index' AND tbl_name", words)


def list_names(session: SqlSession, condition: str, words: list[str]) -> None:
    """Print names from the schema in columns."""
    if len(words) > 1:
        raise DotError("Usage: .tables ?TABLE?\n")
    pattern = words[0] if words else "%"
    sql = f"SELECT name FROM sqlite_schema WHERE {condition} LIKE {sql_string(pattern)} ORDER BY 1"
    names = [row[0] for row in session.query(sql)]
    widest = max([len(name.encode("utf-8", "replace")) for name in names], default=0)
    count = max(1, MAX_LINE_CHARACTERS // (widest + 2))
    height = -(-len(names) // count)
    for at in range(height):
        cells = names[at::height]
        pads = [widest - len(name.encode("utf-8", "replace")) for name in cells]
        session.out(
            "  ".join([name + " " * pad for name, pad in zip(cells, pads, strict=True)]) + "\n"
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
            raise DotError(
                "Error: .schema --indent is not there: statements are told as they are\n"
            )
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
    found = list(session.query(f"SELECT type, name, sql FROM sqlite_schema WHERE {sql}"))
    for kind, name, text in found:
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


def full_schema(session: SqlSession, words: list[str]) -> None:
    """`.fullschema`: the schema, and what ANALYZE has found"""
    if words not in ([], ["--indent"], ["-indent"]):
        raise DotError("Usage: .fullschema ?--indent?\n")
    condition = "type != 'meta' AND sql NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    for (text,) in list(session.query(f"SELECT sql FROM sqlite_schema WHERE {condition}")):
        session.out(f"{text};\n")
    names = ",".join(map(sql_string, STATISTICS))
    sql = f"SELECT name FROM sqlite_schema WHERE name IN ({names}) ORDER BY name"
    there = [row[0] for row in session.query(sql)]
    if not there:
        session.out(NO_STATISTICS)
        return
    session.out("ANALYZE sqlite_schema;\n")
    for name in there:
        for line in insert_statements(name, session.query, session.database.exact_number_text):
            session.out(line)
    session.out("ANALYZE sqlite_schema;\n")


def dump_command(session: SqlSession, words: list[str]) -> None:
    """`.dump ?--data-only? ?--newlines? ?--nosys? ?PATTERN…?`"""
    options, patterns = set(), []
    for word in words:
        if not word.startswith("-"):
            patterns.append(word)
            continue
        option = word.removeprefix("-").removeprefix("-")
        if option == "preserve-rowids":
            raise DotError("Error: .dump --preserve-rowids is not there\n")
        if option not in ("data-only", "newlines", "nosys"):
            raise DotError(f'Unknown option "{word}" on ".dump"\n')
        options.add(option)
    for text in dump_statements(
        session.query, session.database.exact_number_text, patterns, options
    ):
        session.out(text)
