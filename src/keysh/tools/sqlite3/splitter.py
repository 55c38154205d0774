"""Splitter: SQL that comes in lines, taken apart into its statements."""

from __future__ import annotations

import re
from sqlite3 import complete_statement

# What hides a semicolon, and the semicolon.
SQL_MARK = re.compile(r"""['"`\[;]|--|/\*""")
# Blanks and comments, and nothing else.
BLANK_SQL = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
MARK_CLOSERS = {"'": "'", '"': '"', "`": "`", "[": "]", "/*": "*/"}


class StatementSplitter:
    """Collects lines until they make whole statements."""

    __slots__ = ("_closer", "_group", "_pieces", "size")

    def __init__(self) -> None:
        self._closer = ""  # of the text, name or comment that is open
        self._pieces: list[str] = []  # of the statement that is not whole yet
        self._group: list[str] = []  # the whole ones before it
        self.size = 0  # characters that are held

    def feed(self, text: str) -> None:
        """Take more text, which ends where a line does."""
        self.size += len(text)
        start = at = 0
        while True:
            if self._closer:
                end = text.find(self._closer, at)
                if end < 0:
                    break
                at = end + len(self._closer)
                self._closer = ""
            match = SQL_MARK.search(text, at)
            if match is None:
                break
            mark, at = match[0], match.end()
            if mark == ";":
                self._pieces.append(text[start:at])
                start = at
                statement = "".join(self._pieces)
                # The body of a trigger holds statements of its own.
                if "trigger" not in statement.lower() or is_complete_sql(statement):
                    self._group.append(statement)
                    self._pieces.clear()
                else:
                    self._pieces = [statement]
            elif mark == "--":
                at = text.find("\n", at)
                if at < 0:
                    break
            else:
                self._closer = MARK_CLOSERS[mark]
        self._pieces.append(text[start:])

    def is_complete(self) -> bool:
        """Whether nothing but blanks and comments stands behind the last statement."""
        is_open = self._closer or not self._group
        return not is_open and is_complete_sql(f";{''.join(self._pieces)}")

    def is_terminator(self, line: str) -> bool:
        """Whether a line is one that ends a statement by itself, as `;` does: `/` or `go`."""
        is_word = line.strip().lower() in ("/", "go") and not self._closer
        return is_word and is_complete_sql(f"{''.join(self._pieces)};")

    def is_empty(self) -> bool:
        """Whether nothing but blanks and comments is held."""
        return not (self._closer or self._group) and BLANK_SQL.fullmatch(self.text) is not None

    @property
    def text(self) -> str:
        """All that is held."""
        return "".join([*self._group, *self._pieces])

    def take_statements(self) -> list[str]:
        """All statements, and what is held of another."""
        rest = "".join(self._pieces).removesuffix("\n")
        found = [*self._group, rest] if rest.strip() else self._group
        self._closer, self._group, self._pieces, self.size = "", [], [], 0
        return found


def is_complete_sql(sql: str) -> bool:
    """Whether SQLite takes a text to end where a statement does, whatever bytes it holds."""
    return complete_statement(sql.encode("ascii", "replace").decode().replace("\0", "?"))
