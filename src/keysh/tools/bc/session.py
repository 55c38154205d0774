"""Session: a bc program is read item by item, each of which runs before the next is read."""

from __future__ import annotations

import sys

import keysh.tools.bc.tree as tree
from keysh.tools.bc.addresses import address
from keysh.tools.bc.arrays import OUT_OF_BOUNDS
from keysh.tools.bc.compiler import GENERATED_FILE
from keysh.tools.bc.lexer import BcLexer, UnterminatedComment
from keysh.tools.bc.machine import TOO_DEEP, BcMachine
from keysh.tools.bc.output import WrappedOutput, line_width
from keysh.tools.bc.parser import BcParser
from keysh.tools.bc.problem import NOWHERE, AbandonProgram, BcRuntimeError, HaltProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from decimal import Decimal
    from types import CodeType, FrameType

    from keysh.interp.state.call import Call
    from keysh.tools.bc.compiler import CompiledUnit


class BcSession:
    """One run of bc. `manner` is that of the parser; `line` reads a line of standard input."""

    __slots__ = ("_output", "_parser", "_sh", "_unit", "machine")

    def __init__(self, sh: Call, manner: str, line: Callable[[], str]) -> None:
        self._sh = sh
        self._output = WrappedOutput(sh.out, line_width(sh.env))
        self._parser = BcParser(self.print_message, manner)
        self._unit: CompiledUnit | None = None  # the item that runs
        self.machine = BcMachine(self._output, line, self.warn, sh.tick, self.run_on_fresh_stack)

    def run(self, files: Iterable[tuple[str, Callable[[], str]]]) -> None:
        """Run the programs of files, each of which has a name and a function that reads a line."""
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
        except AbandonProgram as given_up:
            if str(given_up):
                parser.complain(str(given_up))
        except UnterminatedComment:
            self.print_message("EOF encountered in a comment.")
        finally:
            self._output.flush()

    def run_item(self, item: tree.Item | tree.Function) -> None:
        """Run an item, or take in a function."""
        if isinstance(item, tree.Function):
            self.machine.define(item)
            return
        if not item.body:
            return
        try:
            self._unit = self.machine.load_item(item)
            self.machine.run_item()
        except BcRuntimeError as fault:
            self.report_error(fault)
        except RecursionError as error:
            self.report_error(BcRuntimeError(TOO_DEEP, NOWHERE).with_traceback(error.__traceback__))
        except AbandonProgram as given_up:
            self._parser.complain(str(given_up))
        self._output.flush()

    def run_on_fresh_stack(self, work: Callable[[], Decimal]) -> Decimal:
        """Do a piece of work on a stack of its own."""
        return self._sh.on_fresh_stack(work)

    # ------------------------------------------------------------ messages

    def print_message(self, message: str) -> None:
        """Print a message behind all that is printed before."""
        self._output.flush()
        self._sh.err.write(f"{message}\n")

    def report_error(self, fault: BcRuntimeError) -> None:
        """Tell of what has ended an item."""
        code: CodeType | None = None
        step = fault.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == GENERATED_FILE:
                code = step.tb_frame.f_code
            step = step.tb_next
        self.print_message(f"Runtime error {self.error_location(code, fault.site, fault)}")

    def warn(self, message: str, site: int) -> None:
        """Tell of something in the code that is running, and go on."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != GENERATED_FILE:
            frame = frame.f_back
        code = frame.f_code if frame is not None else None
        self.print_message(f"Runtime warning {self.error_location(code, site)}: {message}")

    def error_location(
        self, code: CodeType | None, site: int, fault: BcRuntimeError | None = None
    ) -> str:
        """The place of a site, and what went wrong there.

        (func=f, adr=4): Divide by zero
        """
        unit = self.machine.unit_of(code.co_name) if code is not None else None
        name = "(main)"
        if unit is None:
            unit = self._unit
        elif isinstance(unit.node, tree.Function):
            name = unit.node.name
        says = f": {fault.message}" if fault is not None else ""
        if unit is None or site < 0:
            return f"(func={name}, adr=0){says}"
        node, deed = unit.sites[site]
        if says.endswith(OUT_OF_BOUNDS):
            target = node.target if isinstance(node, tree.Assign) else node
            says = f": Array {getattr(target, 'name', '')} {OUT_OF_BOUNDS}"
        return f"(func={name}, adr={address(self.machine.numbers, unit.node, node, deed)}){says}"
