"""Split SQL into statements, line by line."""

from __future__ import annotations

import re
from sqlite3 import complete_statement

# A semicolon, or the start of what can contain one.
SQL_MARK = re.compile(r"""['"`\[;]|--|/\*""")
# Blanks and comments.
BLANK_SQL = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
MARK_CLOSERS = {"'": "'", '"': '"', "`": "`", "[": "]", "/*": "*/"}


class StatementSplitter:
    """Collects lines until they are complete statements."""

    __slots__ = ("_closer", "_group", "_pieces", "size")

    def __init__(self) -> None:
        self._closer = ""  # ends the open string, name or comment
        self._pieces: list[str] = []  # of the incomplete statement
        self._group: list[str] = []  # complete statements before it
        self.size = 0  # in characters

    def feed(self, text: str) -> None:
        """Add text up to the end of a line."""
        self.size += len(text)
        statement_start = position = 0
        while True:
            if self._closer:
                end = text.find(self._closer, position)
                if end < 0:
                    break
                position = end + len(self._closer)
                self._closer = ""
            match = SQL_MARK.search(text, position)
            if match is None:
                break
            mark, position = match[0], match.end()
            if mark == ";":
                self._pieces.append(text[statement_start:position])
                statement_start = position
                statement = "".join(self._pieces)
                # The body of a trigger contains statements.
                if "trigger" not in statement.lower() or is_complete_sql(statement):
                    self._group.append(statement)
                    self._pieces.clear()
                else:
                    self._pieces = [statement]
            elif mark == "--":
                position = text.find("\n", position)
                if position < 0:
                    break
            else:
                self._closer = MARK_CLOSERS[mark]
        self._pieces.append(text[statement_start:])

    def is_complete(self) -> bool:
        """Whether only blanks and comments follow the last statement."""
        is_open = self._closer or not self._group
        return not is_open and is_complete_sql(f";{''.join(self._pieces)}")

    def is_terminator(self, line: str) -> bool:
        """Whether a line ends a statement by itself, like `;`: `/` or `go`."""
        is_word = line.strip().lower() in ("/", "go") and not self._closer
        return is_word and is_complete_sql(f"{''.join(self._pieces)};")

    def is_empty(self) -> bool:
        """Whether only blanks and comments have been collected."""
        return not (self._closer or self._group) and BLANK_SQL.fullmatch(self.text) is not None

    @property
    def text(self) -> str:
        """All the text collected."""
        return "".join([*self._group, *self._pieces])

    def take_statements(self) -> list[str]:
        """Remove and return all statements, including an incomplete one."""
        rest = "".join(self._pieces).removesuffix("\n")
        statements = [*self._group, rest] if rest.strip() else self._group
        self._closer, self._group, self._pieces, self.size = "", [], [], 0
        return statements


def is_complete_sql(sql: str) -> bool:
    """Whether SQLite considers SQL complete, whatever bytes it contains."""
    return complete_statement(sql.encode("ascii", "replace").decode().replace("\0", "?"))
