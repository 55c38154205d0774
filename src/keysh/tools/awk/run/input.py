"""The main input: the files among the operands, with the assignments between them."""

from __future__ import annotations

import re
from operator import length_hint

from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import Reader
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.records import RecordReader
from keysh.tools.awk.run.values import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.tools.awk.generate.sieve import Sieve
    from keysh.tools.awk.run.in_place import InPlaceEditor
    from keysh.tools.awk.run.registers import Registers

ASSIGNMENT_PATTERN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
MAX_BATCH_RECORDS = 512  # between two checkpoints
OPERANDS_PER_TICK = 1024


class MainInput:
    """Provides records in batches. A generated program loops over `lines` while there are `more`;
    a `getline` in the loop takes from the same iterator.

    With `one_by_one` every batch has one record, for programs that change RS or use RT.
    """

    __slots__ = (
        "_assign", "_file", "_has_read", "_inspect_chunk", "_next_operand", "_pending_batches",
        "_records_taken", "_registers", "begin_file", "end_file", "has_begun", "in_place", "lines",
        "one_by_one", "sieve",
    )  # fmt: skip

    def __init__(
        self,
        registers: Registers,
        inspect_chunk: Callable[[str], None],
        assign: Callable[[str, str], None],
        *,
        one_by_one: bool,
    ) -> None:
        self._registers, self.one_by_one = registers, one_by_one
        self._inspect_chunk = inspect_chunk
        self._assign = assign  # performs an operand `name=text`
        self.has_begun = False  # whether part of the program has run
        self.in_place: InPlaceEditor | None = None
        self._file: RecordReader | None = None
        self._pending_batches: list[list[str]] = []  # in reverse order
        self._next_operand, self._has_read, self._records_taken = 1, False, 0
        self.lines: Iterator[str] = iter(())
        self.sieve: Sieve | None = None  # set if the program cannot notice missing records
        self.begin_file: Callable[[], bool] | None = None  # returns whether to skip the file
        self.end_file: Callable[[], object] | None = None

    def more(self) -> bool:
        """Put the next batch into `lines` and return whether there is one."""
        registers = self._registers
        if length_hint(self.lines):  # a `getline` has fetched a batch and not used all of it
            return True
        while True:
            registers.checkpoint()
            if self._pending_batches:
                batch = self._pending_batches.pop()
                self._records_taken += len(batch)
                self.has_begun = True
                self.lines = iter(batch)
                return True
            if self._file is None and not self.open_next():
                return False
            if self._file is None:
                continue
            try:
                records = self.read_batch(self._file)
            except OSError as error:
                name, reason = registers.FILENAME, os_error_text(error)
                registers.warn(f"warning: error reading input file `{name}': {reason}")
                registers.status = 2
                records = None
            if records is None:
                self.leave_file()
                continue
            self._inspect_chunk(self._file.batch_text)
            self._pending_batches = [
                records[i : i + MAX_BATCH_RECORDS]
                for i in range(0, len(records), MAX_BATCH_RECORDS)
            ][::-1]

    def read_batch(self, file: RecordReader) -> list[str] | None:
        """Return the next records of the file; None at its end."""
        separator = self._registers.separator
        if not self.one_by_one:
            return file.next_batch(separator, self.sieve)
        record = file.next_record(separator)
        if record is None:
            return None
        self._registers.RT = file.terminator
        return [record]

    def record_number(self) -> int:
        """Return the number of the current record in its file, for messages."""
        number = self._records_taken - length_hint(self.lines)
        return number if self.sieve is None else self.sieve.line_number(number)

    def next_record(self) -> str | None:
        """Return one record, for `getline`; None at the end."""
        while True:
            for line in self.lines:
                return line
            if not self.more():
                return None

    def leave_file(self, *, is_skipped: bool = False) -> None:
        """Close the current file and run ENDFILE, unless BEGINFILE has skipped the file."""
        file, self._file = self._file, None
        self._pending_batches = []
        for _ in self.lines:  # so that the loop over them ends
            pass
        if file is not None:
            file.close()
            if self.end_file is not None and not is_skipped:
                self.end_file()

    def close(self) -> None:
        """Close the current file at the end of the program."""
        if self._file is not None:
            self._file.close()

    def open_next(self) -> bool:
        """Perform assignments up to the next file and open it. Return False if there is none."""
        registers = self._registers
        count, operands = number_of(registers.ARGC), registers.ARGV
        while self._next_operand < count:
            if not self._next_operand % OPERANDS_PER_TICK:
                registers.sh.tick()
            key = str(self._next_operand)
            self._next_operand += 1
            operand = registers.text(operands[key]) if key in operands else ""
            if not operand:
                continue
            if "=" in operand:
                self.has_begun = False  # gawk forgets the line that ran last
            assignment = ASSIGNMENT_PATTERN.fullmatch(operand)
            if assignment is not None:
                self._assign(assignment[1], assignment[2])
                continue
            self._has_read = True
            self.open(operand)
            return True
        if self._has_read:
            return False
        self._has_read = True
        self.open("-")
        return True

    def open(self, name: str) -> None:
        """Open a file or standard input, and run BEGINFILE."""
        registers = self._registers
        registers.FILENAME = name
        registers.FNR = 0.0
        registers.ERRNO = ""
        self._records_taken = 0
        if self.sieve is not None:
            self.sieve.begin_file()
        registers.ARGIND = float(self._next_operand - 1)
        if self.in_place is not None:
            self.in_place.begin(name)
        open_error: OSError | None = None
        is_directory = False
        try:
            if name in ("-", "/dev/stdin"):
                self._file = RecordReader(Reader(registers.sh.stdin), registers.sh)  # never closed
            elif registers.sh.fs.stat(registers.sh.path(name), follow=True).is_directory:
                is_directory = True
            else:
                self._file = RecordReader(registers.sh.open_reader(name), registers.sh)
        except OSError as error:
            open_error = error
            registers.ERRNO = os_error_text(error)
        if self.begin_file is not None and self.begin_file():
            self.leave_file(is_skipped=True)
            return
        if open_error is not None:
            message = f"cannot open file `{name}' for reading: {os_error_text(open_error)}"
            raise AwkFatal(message, has_place=self.has_begun)
        if is_directory:
            registers.warn(f"warning: command line argument `{name}' is a directory: skipped")
