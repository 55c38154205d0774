"""The log of a scatter: a head that names the command, then each row as it comes, as JSON lines.

A run that was killed has left whole lines, and perhaps the beginning of one, which does not count.
"""

from __future__ import annotations

from keysh.interp.scatter.options import USAGE_STATUS
from keysh.interp.scatter.rows import row_of_line
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.text.gnu_quoting import message_name
from keysh.values import json_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.scatter.rows import Row
    from keysh.interp.state.call import Call

LOG_VERSION = 1


class JobLog:
    """A log that rows are added to."""

    __slots__ = ("_output", "_path", "_rows", "_sh")

    def __init__(self, sh: Call, path: str, command: Sequence[object], *, resumes: bool) -> None:
        """Open the log; CommandFailure if it is another command's, or no log."""
        self._sh, self._path = sh, path
        head = f"{json_of({'scatter': LOG_VERSION, 'command': list(command)})}\n"
        rows, ends_whole = self._read(head)
        # By index and item; of several rows the last one counts.
        self._rows = rows if resumes else {}
        try:
            self._output = sh.open(path, "a")
            self._write(("" if ends_whole else "\n") + head)
        except OSError as error:
            raise self._failure(os_error_text(error)) from None

    def _read(self, head: str) -> tuple[dict[tuple[int, str], Row], bool]:
        """Return the rows of items that were ok, and whether the last line is whole."""
        rows: dict[tuple[int, str], Row] = {}
        there = self._sh.stat(self._path)
        if there is None:
            return rows, True
        if not there.is_file:
            raise self._failure("is not a regular file")
        line = "\n"
        try:
            with self._sh.open_reader(self._path) as reader:
                for number, line in enumerate(reader.lines(), 1):
                    self._sh.tick()
                    if not line.strip() or not line.endswith("\n"):
                        continue
                    if number == 1 or line.startswith('{"scatter"'):
                        self._check_head(line, head)
                        continue
                    row = row_of_line(line)
                    if row is None:
                        raise self._failure(f"line {number} is not a row of scatter")
                    key = (row["i"], json_of(row["item"]))
                    if row["ok"]:
                        rows[key] = row
                    else:
                        rows.pop(key, None)
        except OSError as error:
            raise self._failure(os_error_text(error)) from None
        return rows, line.endswith("\n")

    def _check_head(self, line: str, head: str) -> None:
        if line == head:
            return
        try:
            known: Any = value_of_json(line)
            named = " ".join(map(str, known["command"]))
        except (ValueError, TypeError, KeyError):
            raise self._failure("is not a log of scatter") from None
        raise self._failure(f"is the log of another command, {named}")

    def row(self, index: int, item: object) -> Row | None:
        """Return the row of an item that was ok in an earlier run."""
        return self._rows.get((index, json_of(item))) if self._rows else None

    def add(self, row: Row) -> None:
        """Append a row."""
        self._write(f"{json_of(row)}\n")

    def _write(self, text: str) -> None:
        try:
            self._output.write(text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise self._failure(os_error_text(error)) from None

    def close(self) -> None:
        self._output.close()

    def _failure(self, reason: str) -> CommandFailure:
        return self._sh.fail(f"log {message_name(self._path)}: {reason}", USAGE_STATUS)
