"""Write values, names and databases as SQL."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEYWORD_TEXT = """
abort action add after all alter always analyze and as asc attach autoincrement before begin between
by cascade case cast check collate column commit conflict constraint create cross current
current_date current_time current_timestamp database default deferrable deferred delete desc detach
distinct do drop each else end escape except exclude exclusive exists explain fail filter first
following for foreign from full generated glob group groups having if ignore immediate in index
indexed initially inner insert instead intersect into is isnull join key last left like limit match
materialized natural no not nothing notnull null nulls of offset on or order others outer over
partition plan pragma preceding primary query raise range recursive references regexp reindex
release rename replace restrict returning right rollback row rows savepoint select set table temp
temporary then ties to transaction trigger unbounded union unique update using vacuum values view
virtual when where window with without
"""
KEYWORDS = frozenset(KEYWORD_TEXT.split())
# Replacements for line ends; the first one that is not in the text is used.
LINE_END_MARKS = {"\n": ("\\n", "\\012"), "\r": ("\\r", "\\015")}


def name_in_sql(name: str) -> str:
    """Return a name, quoted if necessary."""
    if PLAIN_NAME.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def value_in_sql(
    value: Any, exact_number: Callable[[float], str], *, keeps_lines: bool = False
) -> str:
    """Return a value; line ends in text are written with replace(), unless `keeps_lines`."""
    if value is None:
        return "NULL"
    if value.__class__ is bytes:
        return f"X'{value.hex()}'"
    if value.__class__ is float:
        return exact_number(value) if value - value == 0 else "1e999" if value > 0 else "-1e999"
    if value.__class__ is not str:
        return str(value)
    text = value.replace("'", "''")
    if keeps_lines:
        return f"'{text}'"
    prefix, suffix = "", ""
    for char, marks in LINE_END_MARKS.items():
        if char in text:
            mark = next((mark for mark in marks if mark not in text), "")
            number = 0
            while not mark or mark in text:
                mark = f"({marks[0]}{number})"
                number += 1
            text = text.replace(char, mark)
            prefix = f"replace({prefix}"
            suffix = f",'{mark}',char({ord(char)})){suffix}"
    return f"{prefix}'{text}'{suffix}"


def schema_statement(sql: str) -> str:
    """Return a statement of the schema; tables with quoted names get IF NOT EXISTS."""
    if sql.startswith(('CREATE TABLE "', "CREATE TABLE '")):
        sql = sql.replace("TABLE", "TABLE IF NOT EXISTS", 1)
    return f"{sql};\n"


def dump_statements(
    query: Callable[[str], Iterator[Sequence[Any]]],
    exact_number: Callable[[float], str],
    patterns: Sequence[str],
    options: Collection[str] = (),
) -> Iterator[str]:
    """Yield a database as SQL, or the tables that match patterns.

    Options: "data-only" omits the schema, "newlines" keeps line ends in text, "nosys" omits the
    tables of SQLite itself.
    """
    condition = pattern_condition(patterns)
    keeps_lines = "newlines" in options
    if "nosys" in options:
        condition = f"({condition}) AND name NOT LIKE 'sqlite\\__%' ESCAPE '\\'"
    if "data-only" in options:
        sql = "SELECT name FROM sqlite_schema AS o WHERE type = 'table' AND sql NOT NULL"
        for (name,) in list(query(f"{sql} AND ({condition}) ORDER BY rowid")):
            if not name.startswith("sqlite_"):
                yield from insert_statements(name, query, exact_number, keeps_lines=keeps_lines)
        return
    yield "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"
    has_virtual = False
    tables = query(
        "SELECT name, sql FROM sqlite_schema AS o WHERE type = 'table' AND sql NOT NULL"
        f" AND ({condition}) ORDER BY tbl_name = 'sqlite_sequence', rowid"
    )
    for name, sql in list(tables):
        if name == "sqlite_sequence":
            yield "DELETE FROM sqlite_sequence;\n"
        elif name.startswith("sqlite_stat") and len(name) == len("sqlite_stat1"):
            yield "ANALYZE sqlite_schema;\n"
        elif name.startswith("sqlite_"):
            continue
        elif sql.startswith("CREATE VIRTUAL TABLE"):
            if not has_virtual:
                yield "PRAGMA writable_schema=ON;\n"
                has_virtual = True
            quoted = name.replace("'", "''")
            columns = "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)"
            text = sql.replace("'", "''")
            yield f"{columns}VALUES('table','{quoted}','{quoted}',0,'{text}');\n"
            continue
        else:
            yield schema_statement(sql)
        yield from insert_statements(name, query, exact_number, keeps_lines=keeps_lines)
    others = "SELECT sql FROM sqlite_schema AS o WHERE sql NOT NULL AND type <> 'table'"
    for (sql,) in query(f"{others} AND ({condition})"):
        yield schema_statement(sql)
    yield "PRAGMA writable_schema=OFF;\nCOMMIT;\n" if has_virtual else "COMMIT;\n"


def pattern_condition(patterns: Sequence[str]) -> str:
    """Return the SQL condition for patterns, which includes the tables of virtual tables."""
    conditions = []
    for pattern in patterns:
        like = "LIKE '" + pattern.replace("'", "''") + "' ESCAPE '\\'"
        conditions.append(
            f"name {like} OR EXISTS (SELECT 1 FROM sqlite_schema WHERE name {like} AND sql LIKE"
            " 'CREATE VIRTUAL TABLE%' AND substr(o.name, 1, length(name) + 1) == (name || '_'))"
        )
    return " OR ".join(conditions) or "true"


def insert_statements(
    table: str,
    query: Callable[[str], Iterator[Sequence[Any]]],
    exact_number: Callable[[float], str],
    *,
    keeps_lines: bool = False,
) -> Iterator[str]:
    """Yield INSERT statements for the rows of a table."""
    quoted = '"' + table.replace('"', '""') + '"'
    columns = [row[1] for row in query(f"PRAGMA table_info({quoted})")]
    names = ",".join('"' + column.replace('"', '""') + '"' for column in columns)
    if not columns:
        return
    for row in query(f"SELECT {names} FROM {quoted}"):
        values = ",".join(
            [value_in_sql(value, exact_number, keeps_lines=keeps_lines) for value in row]
        )
        yield f"INSERT INTO {name_in_sql(table)} VALUES({values});\n"
