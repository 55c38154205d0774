"""Magics for IPython and notebooks: scripts in cells, by a shell that lasts as long as the kernel.

    %load_ext keysh
    %keysh ls | wc -l
    %%keysh --in names --out sizes
    for name in $names; do wc -c < $name; done

Values go from a script to Python, and back, only where a cell says so. docs/notebooks.md.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from keyword import iskeyword
from threading import current_thread, main_thread

from IPython.core.completer import SimpleCompletion, context_matcher
from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.display import display

from keysh.interp.run.cancel import Cancel
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.interp.streams.streams import Writer
from keysh.repl.record_table import RecordTable
from keysh.shell.shell import Shell
from keysh.values import value_of_python
from keysh.vfs.local.filesystem import LocalFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from IPython.core.completer import CompletionContext
    from IPython.core.interactiveshell import InteractiveShell

MAGIC = "keysh"
MAX_TABLE_ROWS = 500  # of one table; what follows them makes the next one
OPTIONS = """\
--in NAME            set a variable of the shell to the value of a variable of Python; several times
--out NAME           set a variable of Python to what the script prints, and print nothing
--dialect NAME       the language of the script: bash or keysh
--timeout SECONDS    end the script after this time
--shell NAME         use the keysh.Shell in a variable of Python
--no-raise-error     the cell does not fail if the status is not 0; `_exit_code` has it
--reset              begin with a new shell"""
NAME_OPTIONS = {"--in", "--out", "--shell"}
VALUE_OPTIONS = {*NAME_OPTIONS, "--dialect", "--timeout"}
FLAG_OPTIONS = {"--no-raise-error", "--reset"}


class CellFailed(Exception):
    """A script has ended with a status other than 0; its messages have said why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"status {status}")
        self.status = status

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [f"keysh: {self}"]


class CellOptions:
    """The options before a script. UsageError for wrong values."""

    __slots__ = ("dialect", "given", "is_tolerant", "names", "out", "resets", "shell", "timeout")

    def __init__(self, options: list[tuple[str, str]]) -> None:
        self.names: list[str] = []
        self.out = self.shell = ""
        self.dialect: str | None = None
        self.timeout: float | None = None
        self.is_tolerant = self.resets = False
        for name, value in options:
            self._take(name, value)

    def _take(self, name: str, value: str) -> None:
        if name in NAME_OPTIONS and (not value.isidentifier() or iskeyword(value)):
            raise UsageError(f"{name} must be a name of Python, but is {value}")
        match name:
            case "--no-raise-error":
                self.is_tolerant = True
            case "--reset":
                self.resets = True
            case "--in":
                self.names.append(value)
            case "--out":
                self.out = value
            case "--shell":
                self.shell = value
            case "--dialect":
                self.dialect = value
            case _:
                try:
                    self.timeout = float(value)
                except ValueError:
                    raise UsageError(f"--timeout must be seconds, but is {value}") from None


def divided_line(line: str) -> tuple[list[tuple[str, str]], str]:
    """Return the options that a line begins with, each with its value, and the rest of it."""
    options: list[tuple[str, str]] = []
    rest = line.strip()
    while rest.startswith("--"):
        word, _, after = rest.partition(" ")
        name, mark, value = word.partition("=")
        if name not in VALUE_OPTIONS and (name not in FLAG_OPTIONS or mark):
            raise UsageError(f"unknown option {word}; the options are\n{OPTIONS}")
        if name in VALUE_OPTIONS and not mark:
            value, _, after = after.lstrip().partition(" ")
        if name in VALUE_OPTIONS and not value:
            raise UsageError(f"{name} needs a value\n{OPTIONS}")
        options.append((name, value))
        rest = after.lstrip()
    return options, rest


class CellOutput(Writer):
    """Standard output of a cell: text as it comes, rows as tables. `keeps`: it shows nothing."""

    __slots__ = ("_is_text", "_keeps", "_max_size", "_rows", "_size", "_texts", "_values")

    def __init__(self, max_size: int | None, *, keeps: bool) -> None:
        self._texts: list[str] = []
        self._values: list[Any] = []
        self._rows: list[Any] = []
        self._keeps, self._max_size, self._size = keeps, max_size, 0
        self._is_text = False  # something came that is neither a value nor a row
        super().__init__(self._put, self.show_rows)

    def _count(self, text: str) -> None:
        self._size += len(text)
        if self._max_size is not None and self._size > self._max_size:
            raise LimitReached("output", self._size, self._max_size)

    def _put(self, text: str) -> None:
        self._count(text)
        self._is_text = True
        if self._keeps:
            self._texts.append(text)
            return
        self.show_rows()
        sys.stdout.write(text)

    def write_value(self, value: object, text: str) -> None:
        is_table = isinstance(value, dict) or (
            isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
        )
        if not self._keeps and not is_table:
            self._put(text)
            return
        self._count(text)
        if self._keeps:
            self._texts.append(text)
            self._values.append(value)
        else:
            self.show_rows()
            show_table(value if isinstance(value, list) else [value])

    def write_row(self, row: object, text: str) -> None:
        if not self._keeps and not isinstance(row, dict):
            self._put(text)
            return
        self._count(text)
        self._rows.append(row)
        if self._keeps:
            self._texts.append(text)
        elif len(self._rows) >= MAX_TABLE_ROWS:
            self.show_rows()

    def show_rows(self) -> None:
        """Show the rows that are held back, as a table."""
        if not self._keeps and self._rows:
            rows, self._rows = self._rows, []
            show_table(rows)

    @property
    def result(self) -> object:
        """What was kept: rows, a value, or else text without its last newlines, as of `$(…)`."""
        if not self._is_text and self._rows and not self._values:
            return self._rows
        if not self._is_text and len(self._values) == 1 and not self._rows:
            return self._values[0]
        return "".join(self._texts).rstrip("\n")


def show_table(rows: list[Any]) -> None:
    """Show rows as a table of the notebook."""
    display(RecordTable(rows))  # type: ignore[no-untyped-call]


@magics_class
class KeyshMagics(Magics):
    """The magics of one kernel."""

    def __init__(self, ipython: InteractiveShell) -> None:
        super().__init__(ipython)
        self._python: dict[str, Any] = ipython.user_ns
        self._session: Shell | None = None

    @property
    def session(self) -> Shell:
        """The shell of the kernel: files, programs and variables of this machine."""
        if self._session is None:
            self._session = Shell(
                {"/": LocalFS("/")}, cwd=os.getcwd(), env=dict(os.environ), external=True
            )
        return self._session

    def close(self) -> None:
        """End the shell of the kernel, with its jobs."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    @no_var_expand  # `$name` is a variable of the script
    @line_cell_magic(MAGIC)  # type: ignore[arg-type]
    def run(self, line: str, cell: str | None = None) -> None:
        """Run a line, or a cell, by keysh; `%keysh?` shows this. Options come first."""
        given, rest = divided_line(line)
        options = CellOptions(given)
        if cell is not None and rest:
            raise UsageError(f"%%{MAGIC} takes options, but got {rest!r:.60}\n{OPTIONS}")
        if options.resets:
            self.close()
        status = self._run(self._shell(options), rest if cell is None else cell, options)
        self._python["_exit_code"] = status
        if status and not options.is_tolerant:
            raise CellFailed(status)

    def _shell(self, options: CellOptions) -> Shell:
        if not options.shell:
            return self.session
        found = self._python_value(options.shell)
        if not isinstance(found, Shell):
            raise UsageError(f"--shell must name a keysh.Shell, but {options.shell} is none")
        return found

    def _python_value(self, name: str) -> Any:
        try:
            return self._python[name]
        except KeyError:
            raise UsageError(f"Python has no variable {name}") from None

    def _run(self, shell: Shell, text: str, options: CellOptions) -> int:
        for name in options.names:
            try:
                shell.vars[name] = shell_value(self._python_value(name))
            except (TypeError, ValueError) as error:
                raise UsageError(f"--in {name}: {error}") from None
        state = shell.state
        out = CellOutput(state.session.limits.output, keeps=bool(options.out))
        outer = state.stdin, state.out, state.err
        shell.attach(NO_INPUT, out, Writer(sys.stderr.write))
        try:
            with InterruptedCell() as cancel:
                result = shell.run(
                    text, cancel=cancel, dialect=options.dialect, timeout=options.timeout
                )
        except ValueError as error:  # of an option
            raise UsageError(str(error)) from None
        finally:
            shell.attach(*outer)  # the shell may be the user's own
        out.show_rows()
        if options.out:
            self._python[options.out] = out.result
        if result.error is not None:
            raise result.error
        return result.code

    # ------------------------------------------------------------ completion

    @context_matcher(identifier=MAGIC)  # type: ignore[untyped-decorator]
    def matcher(self, context: CompletionContext) -> dict[str, Any]:
        """Return what the word before the cursor can become, in a cell of keysh or after %keysh."""
        text = script_before_cursor(context)
        if text is None:
            return {"completions": []}
        found = self.session.complete(text)
        start = found[0].start if found else len(text)
        return {
            "completions": [
                SimpleCompletion(one.text, type=one.kind) for one in found if one.start == start
            ],
            "matched_fragment": text[start:],
            "suppress": True,  # what Python would offer
            "ordered": True,
        }


class InterruptedCell:
    """In its block the kernel's interrupt ends the script, and not the cell with a traceback."""

    __slots__ = ("_before", "_cancel")

    def __enter__(self) -> Cancel:
        self._cancel, self._before = Cancel(), None  # type: Cancel, Any
        if current_thread() is main_thread():
            self._before = signal.signal(signal.SIGINT, lambda *_: self._cancel.cancel())
        return self._cancel

    def __exit__(self, *details: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)


def shell_value(value: Any) -> Any:
    """Return a value of Python as a script gets it: a DataFrame, say, as a list of records."""
    to_records = getattr(value, "to_dict", None)
    if callable(to_records) and not isinstance(value, dict):
        value = to_records("records")
    return value_of_python(value)


def script_before_cursor(context: CompletionContext) -> str | None:
    """Return the text of a script up to the cursor; None if the cursor is in no script."""
    lines = context.full_text.split("\n")
    before = lines[context.cursor_line][: context.cursor_position]
    if lines[0].split(" ")[0] == f"%%{MAGIC}":
        return "\n".join([*lines[1 : context.cursor_line], before]) if context.cursor_line else None
    words = before.lstrip()
    if not words.startswith(f"%{MAGIC} "):
        return None
    try:
        return divided_line(words.removeprefix(f"%{MAGIC} "))[1]
    except UsageError:
        return None


def load_magics(ipython: InteractiveShell) -> None:
    """Give a kernel the magics %keysh and %%keysh: `%load_ext keysh`."""
    magics = KeyshMagics(ipython)
    ipython.register_magics(magics)
    ipython.Completer.custom_matchers.append(magics.matcher)
    atexit.register(magics.close)


def unload_magics(ipython: InteractiveShell) -> None:
    """Take the magics away, and end the shell of the kernel: `%unload_ext keysh`."""
    magics = ipython.magics_manager.registry.pop(KeyshMagics.__name__)
    for kind in ("line", "cell"):
        ipython.magics_manager.magics[kind].pop(MAGIC, None)
    ipython.Completer.custom_matchers.remove(magics.matcher)
    atexit.unregister(magics.close)
    magics.close()
