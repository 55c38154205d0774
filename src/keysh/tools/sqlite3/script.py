"""Run SQL and dot commands from arguments or from lines."""

from __future__ import annotations

from keysh.tools.sqlite3.database import MAX_VALUE_BYTES
from keysh.tools.sqlite3.dot_commands import ExitInput, run_dot_command
from keysh.tools.sqlite3.session import DotError
from keysh.tools.sqlite3.splitter import StatementSplitter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.tools.sqlite3.session import SqlSession

MAX_READ_DEPTH = 25  # files that read each other


class BailOut(Exception):
    """An error has ended the input, with -bail."""


class SqlScript:
    """Runs the input of one call; `errors` counts the failures in lines."""

    __slots__ = ("_depth", "_session", "errors")

    def __init__(self, session: SqlSession, *, bails: bool) -> None:
        self._session, session.bails = session, bails
        self._depth = self.errors = 0
        session.read = self._read_file

    def run_text(self, text: str) -> int:
        """Run an argument, which is SQL or a dot command; return the status."""
        if text.startswith("."):
            return self._run_dot(text)
        splitter = StatementSplitter()
        splitter.feed(text)
        return self._run_group(splitter, "")

    def run_lines(self, lines: Iterable[str]) -> None:
        """Run lines; an error skips the statements that were read with it."""
        session, splitter, first_line = self._session, StatementSplitter(), 0
        for number, line in enumerate(lines, 1):
            session.sh.tick()
            if not splitter.size:
                first_line = number
                if line.startswith("."):
                    self._echo(line)
                    self._count_error(self._run_dot(line.rstrip("\n")))
                    continue
            text = ";\n" if splitter.is_terminator(line) else line
            splitter.feed(text)
            if splitter.is_empty():
                self._echo(splitter.text)
                splitter.take_statements()
            if splitter.size > MAX_VALUE_BYTES:
                limit = f"{MAX_VALUE_BYTES >> 20} MiB"
                raise session.sh.fail(f"line {first_line}: a statement is longer than {limit}")
            if ";" in text and splitter.is_complete():
                self._count_error(self._run_group(splitter, f" near line {first_line}"))
        if splitter.size:
            self._count_error(self._run_group(splitter, f" near line {first_line}"))

    def _run_group(self, splitter: StatementSplitter, where: str) -> int:
        """Run the statements read so far; return the status."""
        if where:
            self._echo(splitter.text)
        return self._session.run_group(splitter.take_statements(), where)

    def _echo(self, text: str) -> None:
        """With -echo, print what is run."""
        if self._session.is_echoing:
            self._session.out(text.rstrip("\n") + "\n")

    def _run_dot(self, line: str) -> int:
        """Run a dot command; return the status."""
        try:
            run_dot_command(self._session, line)
        except DotError as error:
            self._session.sh.err.write(str(error))
            return 1
        return 0

    def run_init(self, path: str) -> None:
        """Run the file of -init; report if it is missing."""
        try:
            self._session.sh.open(path).close()
        except OSError:
            self._session.sh.complain(f'cannot open: "{path}"')
            return
        self._read_file(path)

    def _count_error(self, status: int) -> None:
        if status:
            self.errors += 1
            if self._session.bails:
                raise BailOut

    def _read_file(self, path: str) -> None:
        """Run the lines of a file."""
        if self._depth >= MAX_READ_DEPTH:
            raise DotError(f"Input nesting limit ({MAX_READ_DEPTH}) reached. Check recursion.\n")
        try:
            reader = self._session.sh.open_reader(path)
        except OSError:
            raise DotError(f'Error: cannot open "{path}"\n') from None
        self._depth += 1
        try:
            self.run_lines(reader.lines())
        except ExitInput as exit_input:
            if exit_input.status:
                raise
        finally:
            self._depth -= 1
            reader.close()
