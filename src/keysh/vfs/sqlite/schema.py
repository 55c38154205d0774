"""The tables of an AgentFS database: create them, or refuse a file that does not have them.

The schema is version 0.4 of the Agent Filesystem Specification (SPEC.md of the repository
tursodatabase/agentfs). A name in `fs_dentry` leads to a row of `fs_inode`, and the contents of a
file are the rows of `fs_data` with its number.
"""

from __future__ import annotations

import sqlite3
import stat as kinds

ROOT_INODE = 1
CHUNK_BYTES = 4096  # the specification's default; an existing database has its own
MAX_CHUNK_BYTES = 2**24
VERSION = "0.4"
INODE_COLUMNS = (
    "ino", "mode", "nlink", "uid", "gid", "size", "atime", "mtime", "ctime", "rdev", "atime_nsec",
    "mtime_nsec", "ctime_nsec",
)  # fmt: skip

TABLES = """
CREATE TABLE IF NOT EXISTS fs_config (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS fs_inode (
  ino INTEGER PRIMARY KEY AUTOINCREMENT, mode INTEGER NOT NULL, nlink INTEGER NOT NULL DEFAULT 0,
  uid INTEGER NOT NULL DEFAULT 0, gid INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT 0,
  atime INTEGER NOT NULL, mtime INTEGER NOT NULL, ctime INTEGER NOT NULL,
  rdev INTEGER NOT NULL DEFAULT 0, atime_nsec INTEGER NOT NULL DEFAULT 0,
  mtime_nsec INTEGER NOT NULL DEFAULT 0, ctime_nsec INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS fs_dentry (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, parent_ino INTEGER NOT NULL,
  ino INTEGER NOT NULL, UNIQUE(parent_ino, name));
CREATE INDEX IF NOT EXISTS idx_fs_dentry_parent ON fs_dentry(parent_ino, name);
CREATE TABLE IF NOT EXISTS fs_data (
  ino INTEGER NOT NULL, chunk_index INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (ino, chunk_index));
CREATE TABLE IF NOT EXISTS fs_symlink (ino INTEGER PRIMARY KEY, target TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kv_store (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, created_at INTEGER DEFAULT (unixepoch()),
  updated_at INTEGER DEFAULT (unixepoch()));
CREATE INDEX IF NOT EXISTS idx_kv_store_created_at ON kv_store(created_at);
CREATE TABLE IF NOT EXISTS tool_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, parameters TEXT, result TEXT,
  error TEXT, status TEXT NOT NULL DEFAULT 'pending', started_at INTEGER NOT NULL,
  completed_at INTEGER, duration_ms INTEGER);
CREATE INDEX IF NOT EXISTS idx_tool_calls_name ON tool_calls(name);
CREATE INDEX IF NOT EXISTS idx_tool_calls_started_at ON tool_calls(started_at);
"""
# `status`, and times that may be missing, are not in the specification, but its SDKs need them.

# Files without a name that are still open. They are the connection's own: a crash frees them.
REMOVED_TABLES = f"""
CREATE TEMP TABLE removed_inode (
  {", ".join(f"{column} INTEGER" for column in INODE_COLUMNS)}, PRIMARY KEY (ino));
CREATE TEMP TABLE removed_data (
  ino INTEGER, chunk_index INTEGER, data BLOB, PRIMARY KEY (ino, chunk_index));
"""

KIND_BITS = 0o170000  # the part of a mode that is the kind of file
ROOT_MODE = kinds.S_IFDIR | 0o755
IS_DIRECTORY = f"i.mode & {KIND_BITS} = {kinds.S_IFDIR}"

# Each query finds a row that must not exist; the text says what the row would be.
DAMAGES = {
    "an invalid inode": f"""
        SELECT 1 FROM fs_inode WHERE size < 0 OR mode < 0
        OR {" OR ".join(f"typeof({column}) <> 'integer'" for column in INODE_COLUMNS)}""",
    "an invalid name": """
        SELECT 1 FROM fs_dentry WHERE typeof(name) <> 'text' OR name IN ('', '.', '..')
        OR instr(name, '/') OR instr(name, char(0))""",
    "a name without an inode, or an inode with too many names": f"""
        SELECT 1 FROM (SELECT ino, count(*) AS names FROM fs_dentry GROUP BY ino) AS n
        LEFT JOIN fs_inode AS i ON i.ino = n.ino
        WHERE i.ino IS NULL OR i.ino = {ROOT_INODE}
        OR names > iif({IS_DIRECTORY}, 1, i.nlink)""",
    "a link without a target": f"""
        SELECT 1 FROM fs_inode AS i LEFT JOIN fs_symlink AS s ON s.ino = i.ino
        WHERE i.mode & {KIND_BITS} = {kinds.S_IFLNK} AND typeof(s.target) <> 'text'""",
}


class ForeignDatabase(Exception):
    """A file is no AgentFS database, or a damaged one; the message says why."""


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a database has no tables."""
    return not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()


def lacks_tables(connection: sqlite3.Connection) -> bool:
    """Whether a file system's database has no table of values or of tool calls."""
    query = "SELECT count(*) FROM sqlite_master WHERE name IN ('kv_store', 'tool_calls')"
    return bool(connection.execute(query).fetchone() != (2,))


def create_tables(connection: sqlite3.Connection, now: int) -> None:
    """Create the tables that are missing, in the transaction that is open."""
    for statement in TABLES.split(";"):
        connection.execute(statement)
    seconds, nanoseconds = divmod(now, 10**9)
    connection.execute(
        "INSERT OR IGNORE INTO fs_config VALUES ('chunk_size', ?), ('schema_version', ?)",
        (str(CHUNK_BYTES), VERSION),
    )
    connection.execute(
        """INSERT OR IGNORE INTO fs_inode
           (ino, mode, nlink, atime, mtime, ctime, atime_nsec, mtime_nsec, ctime_nsec)
           VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)""",
        (ROOT_INODE, ROOT_MODE, *[seconds] * 3, *[nanoseconds] * 3),
    )


def require_tables(connection: sqlite3.Connection) -> None:
    """Raise ForeignDatabase unless the tables are those of version 0.4."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(fs_inode)")}
    if not columns:
        raise ForeignDatabase("it is not an AgentFS database")
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for table in {"fs_config", "fs_dentry", "fs_data", "fs_symlink"} - {name for (name,) in rows}:
        raise ForeignDatabase(f"it has no table {table}")
    for table in {"fs_whiteout", "fs_overlay_config"} & {name for (name,) in rows}:
        if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
            raise ForeignDatabase("it is an AgentFS overlay, whose base is somewhere else")
    version = config_value(connection, "schema_version")
    if version not in (None, VERSION) or not columns.issuperset(INODE_COLUMNS):
        raise ForeignDatabase(f"its schema is not that of AgentFS {VERSION}")


def chunk_size(connection: sqlite3.Connection) -> int:
    """Return the size of chunks; raise ForeignDatabase if the rows contradict one another."""
    text = config_value(connection, "chunk_size") or ""
    size = int(text) if text.isdecimal() and len(text) < 10 else 0
    if not 0 < size <= MAX_CHUNK_BYTES:
        raise ForeignDatabase(f"its chunk size must be a number, but is {text!r}")
    root = connection.execute("SELECT mode FROM fs_inode WHERE ino = ?", (ROOT_INODE,)).fetchone()
    if not root or not kinds.S_ISDIR(root[0]):
        raise ForeignDatabase("it has no root directory")
    for damage, query in DAMAGES.items():
        if connection.execute(f"{query} LIMIT 1").fetchone():
            raise ForeignDatabase(f"it is damaged: it has {damage}")
    return size


def config_value(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute(
        "SELECT CAST(value AS TEXT) FROM fs_config WHERE key = ?", (key,)
    ).fetchone()
    return row[0] if row else None


def stored_text(text: str) -> str | bytes:
    """Return what `CAST(? AS TEXT)` stores as the text: its bytes, if they are not UTF-8.

    UnicodeEncodeError for a surrogate that stands for no byte.
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")
    return text


def loaded_text(data: bytes) -> str:
    """Return the text of `CAST(column AS BLOB)`."""
    return data.decode("utf-8", "surrogateescape")
