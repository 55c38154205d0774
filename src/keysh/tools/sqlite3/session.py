"""Run statements on a database and print their results."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

from keysh.tools.sqlite3.modes import OutputMode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.sqlite3.database import Database
    from keysh.vfs.stream import Stream


BLANKS_AND_COMMENTS = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"
QUERY_PLAN_STATEMENT = re.compile(
    BLANKS_AND_COMMENTS + r"explain\s+query\s+plan\b", re.IGNORECASE | re.DOTALL
)
ROWS_PER_WRITE = 64
GENERIC_ERROR_CODE = 1  # for errors without a code


class DotError(Exception):
    """A dot command has failed; the message is printed as it is."""


class UnboundParameters(dict[str, object]):
    """The values of a statement's parameters, which are all null."""

    def __missing__(self, name: str) -> None:
        return None


class SqlSession:
    """A database and the settings of one call."""

    def __init__(self, sh: Call, database: Database) -> None:
        self.sh, self.database = sh, database
        self.modes = OutputMode(database.number_text, database.exact_number_text)
        self.out: Callable[[str], object] = sh.out.write
        self.bails = False  # stop at the first error
        self.is_echoing = False  # print what is run
        self.shows_changes = False  # print how many rows each group of statements changes
        self.file: Stream | None = None  # where the output goes instead
        self.is_once = False  # whether the file is for the next statement only
        self.read: Callable[[str], None]  # runs the lines of a file; set by SqlScript

    def run_group(self, statements: list[str], where: str) -> int:
        """Run statements until one fails; return its SQLite error code, or 0."""
        try:
            return self._run_statements(statements, where)
        finally:
            if self.is_once:
                self.restore_output()

    def _run_statements(self, statements: list[str], where: str) -> int:
        for statement in statements:
            try:
                names, rows = self.database.rows(statement, UnboundParameters())
                with closing(rows):
                    if QUERY_PLAN_STATEMENT.match(statement):
                        self.out(plan_text(rows))
                    else:
                        self._print(names, rows)
            except sqlite3.Warning as error:
                self.sh.complain(f"Error: {error}")
                return GENERIC_ERROR_CODE
            except sqlite3.Error as error:
                return self._report_error(error, statement, where)
            except (UnicodeEncodeError, ValueError):
                self.sh.complain("Error: the SQL contains NUL or is not valid UTF-8")
                return GENERIC_ERROR_CODE
        if self.shows_changes and statements:
            changed, total = next(self.query("SELECT changes(), total_changes()"))
            self.out(f"changes: {changed}   total_changes: {total}\n")
        return 0

    def restore_output(self) -> None:
        """Close the file that the output goes to, if any, and print again."""
        if self.file is not None:
            self.file.close()
            self.file = None
        self.out, self.is_once = self.sh.out.write, False

    def _report_error(self, error: sqlite3.Error, statement: str, where: str) -> int:
        """Report an error and return its code."""
        # The low byte of an extended code is the primary code.
        code = getattr(error, "sqlite_errorcode", GENERIC_ERROR_CODE) & 255
        reason = f": {self.database.refusal}" if self.database.refusal else ""
        was_prepared = not reason and self.database.can_prepare(statement)
        if where:
            prefix = f"{'Runtime' if was_prepared else 'Parse'} error{where}: "
        else:
            prefix = f"Error: {'stepping' if was_prepared else 'in prepare'}, "
        number = f" ({code})" if code > GENERIC_ERROR_CODE else ""
        self.sh.complain(f"{prefix}{error}{reason}{number}")
        return code

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

        def write(record: dict[str, object], text: str) -> None:
            if self.file is None:
                self.sh.out.write_row(record, text)
            else:
                self.out(text)

        opening, last = "[", ""
        record: dict[str, object] = {}
        for row in rows:
            if last:
                write(record, f"{opening}{last}")
                opening = ",\n"
            members = [f"{key}:{json(item)}" for key, item in zip(keys, row, strict=True)]
            last = "{" + ",".join(members) + "}"
            record = {name: value(item) for name, item in zip(names, row, strict=True)}
        if last:
            write(record, f"{opening}{last}]\n")

    def close(self) -> None:
        """Close the database and the output's file."""
        self.restore_output()
        self.database.close()

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
            self.sh.complain(f"{where}: INSERT failed: {error}")


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
    return [
        (number, detail, index == len(entries)) for index, (number, detail) in enumerate(entries, 1)
    ]
