"""Run statements on a database and print their results."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.tools.sqlite3.modes import OutputMode
from keysh.tools.sqlite3.splitter import BLANK_SQL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.sqlite3.database import Database
    from keysh.vfs.api import Stream


# EXPLAIN QUERY PLAN prints a tree.

BLANKS_AND_COMMENTS = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"
EXPLAIN_STATEMENT = re.compile(BLANKS_AND_COMMENTS + r"explain\b", re.IGNORECASE | re.DOTALL)
QUERY_PLAN_STATEMENT = re.compile(
    BLANKS_AND_COMMENTS + r"explain\s+query\s+plan\b", re.IGNORECASE | re.DOTALL
)


def plan_text(rows: Iterable[Sequence[Any]]) -> str:
    """Return the rows of EXPLAIN QUERY PLAN as lines."""
    inside: dict[int, list[tuple[int, str]]] = {}
    for number, above, _, detail in rows:
        inside.setdefault(above, []).append((number, detail))
    lines = ["QUERY PLAN"] if inside else []
    stack = [("", entry) for entry in reversed(mark_last(inside.get(0, [])))]
    while stack:
        margin, (number, detail, is_last) = stack.pop()
        lines.append(f"{margin}{'`--' if is_last else '|--'}{detail}")
        inner = margin + ("   " if is_last else "|  ")
        stack += [(inner, entry) for entry in reversed(mark_last(inside.get(number, [])))]
    return "".join(f"{line}\n" for line in lines)


def mark_last(entries: list[tuple[int, str]]) -> list[tuple[int, str, bool]]:
    """Return entries with whether each is the last."""
    return [(number, detail, at == len(entries)) for at, (number, detail) in enumerate(entries, 1)]


ROWS_PER_WRITE = 64
GENERIC_ERROR_CODE = 1  # for errors without a code


class DotError(Exception):
    """A dot command has failed; the message is printed as it is."""


class Bindings(dict):  # type: ignore[type-arg]
    """The values of a statement's parameters, null for those without; SQLite drops their sign."""

    def __init__(self, named: Mapping[str, object]) -> None:
        super().__init__((name.lstrip(":@$?"), value) for name, value in named.items())

    def __missing__(self, name: str) -> None:
        return None


class SqlSession:
    """A database and the settings of one call."""

    def __init__(self, sh: Call, database: Database) -> None:
        self.sh, self.database = sh, database
        self.modes = OutputMode(database.number_text, database.exact_number_text)
        self.out = sh.out.write
        self.bails = False  # stop at the first error
        self.flags: set[str] = set()
        self.target = ""
        self.parameters: dict[str, Any] = {}
        self._file: Stream | None = None
        self.is_once = False
        self.read: Callable[[str], None]  # runs the lines of a file; set by SqlScript

    def run_group(self, statements: list[str], where: str) -> int:
        """Run statements until one fails; return its SQLite error code, or 0."""
        for statement in statements:
            try:
                self._plan_first(statement)
                names, rows = self.database.rows(statement, Bindings(self.parameters))
                with closing(rows):
                    if QUERY_PLAN_STATEMENT.match(statement):
                        self.out(plan_text(rows))
                    else:
                        self._print(names, rows)
            except sqlite3.Warning as error:
                self.sh.err.write(f"Error: {error}\n")
                return GENERIC_ERROR_CODE
            except sqlite3.Error as error:
                return self._report_error(error, statement, where)
            except (UnicodeEncodeError, ValueError):
                self.sh.err.write("Error: the SQL holds a NUL, or a byte that is no UTF-8\n")
                return GENERIC_ERROR_CODE
        return 0

    def take(self, database: Database) -> None:
        """Go on with another database."""
        self.database.close()
        self.database = database
        self.modes.take(database.number_text, database.exact_number_text)

    def _report_error(self, error: sqlite3.Error, statement: str, where: str) -> int:
        """Report an error and return its code."""
        # The low byte of an extended code is the primary code.
        code = getattr(error, "sqlite_errorcode", GENERIC_ERROR_CODE) & 255
        reason = f": {self.database.refusal}" if self.database.refusal else ""
        has_run = not reason and self.database.can_prepare(statement)
        if where:
            kind = f"{'Runtime' if has_run else 'Parse'} error{where}: "
        else:
            kind = f"Error: {'stepping' if has_run else 'in prepare'}, "
        number = f" ({code})" if code > GENERIC_ERROR_CODE else ""
        self.sh.err.write(f"{kind}{error}{reason}{number}\n")
        return code

    def _plan_first(self, statement: str) -> None:
        """With `.eqp on`, print how a statement is going to be run."""
        is_plain = not (EXPLAIN_STATEMENT.match(statement) or BLANK_SQL.fullmatch(statement))
        if "eqp" in self.flags and is_plain:
            rows = self.database.rows(f"EXPLAIN QUERY PLAN {statement}", Bindings(self.parameters))
            self.out(plan_text(rows[1]))

    def _print(self, names: list[str], rows: Iterator[Sequence[Any]]) -> None:
        """Print the results of a statement."""
        if not names:
            for _ in rows:
                pass
        elif self.modes.name == "json":
            self._print_json(names, rows)
        else:
            held: list[str] = []
            for text in self.modes.format_rows(names, rows):
                held.append(text)
                if len(held) == ROWS_PER_WRITE:
                    self.out("".join(held))
                    held.clear()
            self.out("".join(held))

    def _print_json(self, names: list[str], rows: Iterator[Sequence[Any]]) -> None:
        """Print one JSON array; its rows are values if they are captured."""
        json, value = self.modes.json_text, self.modes.shell_value
        keys = [json(name) for name in names]
        write = self._write_row
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

    def _write_row(self, record: dict[str, object], text: str) -> None:
        """Print a row of JSON."""
        if self._file is None:
            self.sh.out.write_row(record, text)
        else:
            self.out(text)

    def send(self, name: str | None, *, is_once: bool = False) -> None:
        """Let what is printed go to a file; DotError where it cannot be opened."""
        self.come_back()
        if name is None:
            return
        try:
            stream = self.sh.open(name, "w")
        except OSError:
            says = f'Error: cannot open "{name}"\nError: cannot write to "{name}"\n'
            raise DotError(says) from None

        def write(text: str) -> None:
            try:
                stream.write(bytes_of_text(text))
            except OSError as error:
                raise self.sh.fail(f"Error: cannot write {name}: {os_error_text(error)}") from None

        self._file, self.out, self.is_once, self.target = stream, write, is_once, name

    def settle(self) -> None:
        """A command is done: what `.once` has sent away comes back."""
        if self.is_once:
            self.come_back()

    def close(self) -> None:
        """The call is over."""
        self.come_back()
        self.database.close()

    def come_back(self) -> None:
        """What is printed goes to standard output."""
        if self._file is not None:
            self._file.close()
        self._file, self.out, self.is_once, self.target = None, self.sh.out.write, False, ""

    def worth(self, text: str) -> object:
        """The value of an expression; of what is none, the text."""
        try:
            return next(iter(self.database.rows(f"SELECT {text}")[1]))[0]
        except (sqlite3.Error, StopIteration):
            return text

    def query(self, sql: str) -> Iterator[Sequence[Any]]:
        """Return the rows of a statement of a dot command."""
        try:
            yield from self.database.rows(sql)[1]
        except sqlite3.Error as error:
            raise DotError(f"Error: {error}\n") from None

    def insert(self, sql: str, values: Sequence[object], where: str) -> None:
        """Insert one row of an import; report and skip it on failure."""
        try:
            list(self.database.rows(sql, values)[1])
        except sqlite3.Error as error:
            self.sh.err.write(f"{where}: INSERT failed: {error}\n")
