"""Run a bc program item by item: each runs before the next is read."""

from __future__ import annotations

import sys

import keysh.tools.bc.tree as tree
from keysh.tools.bc.compiler import GENERATED_FILE
from keysh.tools.bc.lexer import BcLexer, UnterminatedComment
from keysh.tools.bc.machine import TOO_DEEP, BcMachine
from keysh.tools.bc.output import WrappedOutput, line_width
from keysh.tools.bc.parser import BcParser
from keysh.tools.bc.problem import AbandonProgram, BcRuntimeError, HaltProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from decimal import Decimal
    from types import CodeType, FrameType

    from keysh.interp.state.call import Call


class BcSession:
    """One run of bc. `posix_mode` is the parser's; `read_line` reads a line of standard input."""

    __slots__ = ("_output", "_parser", "_sh", "machine")

    def __init__(self, sh: Call, posix_mode: str, read_line: Callable[[], str]) -> None:
        self._sh = sh
        self._output = WrappedOutput(sh.out, line_width(sh.env))
        self._parser = BcParser(self.print_message, posix_mode)
        self.machine = BcMachine(
            self._output, read_line, self.warn, sh.tick, self.run_on_fresh_stack
        )

    def run(self, files: Iterable[tuple[str, Callable[[], str]]]) -> None:
        """Run programs, each given as a file name and a function that reads a line."""
        parser = self._parser
        parser.read(BcLexer(files, parser.complain))
        try:
            while True:
                item = parser.next_item()
                if item is None:
                    break
                self._sh.tick()
                if not parser.has_errors:
                    self.run_item(item)
        except HaltProgram:
            pass
        except AbandonProgram as error:
            if str(error):
                parser.complain(str(error))
        except UnterminatedComment:
            self.print_message("EOF encountered in a comment.")
        finally:
            self._output.flush()

    def run_item(self, item: tree.Item | tree.Function) -> None:
        """Run an item, or define a function."""
        if isinstance(item, tree.Function):
            self.machine.define(item)
            return
        if not item.body:
            return
        try:
            self.machine.load_item(item)
            self.machine.run_item()
        except BcRuntimeError as error:
            self.report_error(error)
        except RecursionError as error:
            self.report_error(BcRuntimeError(TOO_DEEP).with_traceback(error.__traceback__))
        except AbandonProgram as error:
            self._parser.complain(str(error))
        self._output.flush()

    def run_on_fresh_stack(self, work: Callable[[], Decimal]) -> Decimal:
        """Call a function on a stack of its own."""
        return self._sh.on_fresh_stack(work)

    # ------------------------------------------------------------ messages

    def print_message(self, message: str) -> None:
        """Write pending output, then a message to standard error."""
        self._output.flush()
        self._sh.complain(message)

    def report_error(self, error: BcRuntimeError) -> None:
        """Print the message of an error that has ended an item."""
        code: CodeType | None = None
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == GENERATED_FILE:
                code = step.tb_frame.f_code
            step = step.tb_next
        self.print_message(f"Runtime error (func={bc_function_name(code)}): {error.message}")

    def warn(self, message: str) -> None:
        """Print a warning about the code that is running."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != GENERATED_FILE:
            frame = frame.f_back
        code = frame.f_code if frame is not None else None
        self.print_message(f"Runtime warning (func={bc_function_name(code)}): {message}")


def bc_function_name(code: CodeType | None) -> str:
    """Return the name of the bc function that generated code belongs to."""
    name = "" if code is None else code.co_name
    return name.removeprefix("f_") if name.startswith("f_") else "(main)"
