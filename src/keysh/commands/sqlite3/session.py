"""Session: statements run on a database, and what they print."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from keysh.commands.sqlite3.modes import Modes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from keysh.commands.sqlite3.database import Database
    from keysh.runtime.call import Call

ROWS = 64  # that are written at once
PLAIN = 1  # the code of errors without one of their own


class DotError(Exception):
    """A dot command has failed; the message is printed as it stands."""


class Session:
    """A database and the settings of one call."""

    def __init__(self, sh: Call, database: Database) -> None:
        self.sh, self.database = sh, database
        self.modes = Modes(database.text, database.exact)
        self.out = sh.out.write
        self.read: Callable[[str], None]  # runs the lines of a file; a script sets it

    def run_group(self, statements: list[str], where: str) -> int:
        """Run statements up to the first that fails; SQLite's code for that."""
        for statement in statements:
            try:
                names, rows = self.database.rows(statement)
                with closing(rows):
                    self._print(names, rows)
            except sqlite3.Warning as error:
                self.sh.err.write(f"Error: {error}\n")
                return PLAIN
            except sqlite3.Error as error:
                return self._told(error, statement, where)
            except (UnicodeEncodeError, ValueError):
                self.sh.err.write("Error: the SQL holds a NUL, or a byte that is no UTF-8\n")
                return PLAIN
        return 0

    def _told(self, error: sqlite3.Error, statement: str, where: str) -> int:
        """Say what has failed; SQLite's code."""
        # Of an extended code the low byte is the code itself.
        code = getattr(error, "sqlite_errorcode", PLAIN) & 255
        reason = f": {self.database.refusal}" if self.database.refusal else ""
        has_run = not reason and self.database.prepares(statement)
        if where:
            kind = f"{'Runtime' if has_run else 'Parse'} error{where}: "
        else:
            kind = f"Error: {'stepping' if has_run else 'in prepare'}, "
        number = f" ({code})" if code > PLAIN else ""
        self.sh.err.write(f"{kind}{error}{reason}{number}\n")
        return code

    def _print(self, names: list[str], rows: Iterator[Sequence[Any]]) -> None:
        """Print what a statement gives."""
        if not names:
            for _ in rows:
                pass
        elif self.modes.name == "json":
            self._print_json(names, rows)
        else:
            held: list[str] = []
            for text in self.modes.printed(names, rows):
                held.append(text)
                if len(held) == ROWS:
                    self.out("".join(held))
                    held.clear()
            self.out("".join(held))

    def _print_json(self, names: list[str], rows: Iterator[Sequence[Any]]) -> None:
        """Print one array. Its rows are values for who captures them."""
        json, value = self.modes.json, self.modes.value
        keys = [json(name) for name in names]
        write = self.sh.out.write_row
        opening, last = "[", ""
        record: dict[str, object] = {}
        for row in rows:
            if last:
                write(record, f"{opening}{last}")
                opening = ",\n"
            last = (
                "{"
                + ",".join([f"{key}:{json(item)}" for key, item in zip(keys, row, strict=True)])
                + "}"
            )
            record = {name: value(item) for name, item in zip(names, row, strict=True)}
        if last:
            write(record, f"{opening}{last}]\n")

    def asked(self, sql: str) -> Iterator[Sequence[Any]]:
        """The rows of a statement of a dot command."""
        try:
            yield from self.database.rows(sql)[1]
        except sqlite3.Error as error:
            raise DotError(f"Error: {error}\n") from None

    def insert(self, sql: str, values: Sequence[object], where: str) -> None:
        """Put in one row of an import; one that cannot be is told, and left out."""
        try:
            list(self.database.rows(sql, values)[1])
        except sqlite3.Error as error:
            self.sh.err.write(f"{where}: INSERT failed: {error}\n")
