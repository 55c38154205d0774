"""The state of a running program: special variables, the record, input and streams.

The variables of the program itself are locals of the generated function.
"""

from __future__ import annotations

import sys

import keysh.tools.awk.run.comma_separated as comma_separated
import keysh.tools.awk.run.fields as fields
from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, split_in_slices
from keysh.tools.awk.parse.escapes import string_warnings, unescape
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.array_order import keys_in_order
from keysh.tools.awk.run.format import compile_format, number_formatter
from keysh.tools.awk.run.input import MainInput
from keysh.tools.awk.run.numbers import integer_part
from keysh.tools.awk.run.records import RecordSeparator
from keysh.tools.awk.run.registers import (
    NUMBER_VARIABLES,
    OTHER_VARIABLES,
    SCALAR_VARIABLES,
    Registers,
)
from keysh.tools.awk.run.streams import OpenStreams, run_shell_command
from keysh.tools.awk.run.times import DEFAULT_TIME_FORMAT
from keysh.tools.awk.run.values import Array, input_value, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Call
    from keysh.tools.awk.run.random_numbers import RandomNumbers
    from keysh.tools.awk.run.values import Value

DECIMAL_DIGITS = "0123456789"
GENERATED_FILE = "<awk>"  # the file name that tracebacks show for generated code
MAX_CALL_DEPTH = 100_000  # nested calls


class AwkMachine(Registers):
    """One run of one program."""

    __slots__ = (
        "_random", "_seed", "_split_variable", "assign", "assignments", "delimiter", "input",
        "is_ascii", "is_digits", "record", "source_lines", "source_name", "split", "streams",
    )  # fmt: skip

    def __init__(self, sh: Call, *, is_pulled: bool, one_by_one: bool, is_csv: bool) -> None:
        super().__init__(sh, is_pulled=is_pulled, is_csv=is_csv)
        self._seed = 1
        self._random: RandomNumbers | None = None
        self.split: fields.Splitter = comma_separated.split_record if is_csv else fields.split_words
        self.is_ascii, self.is_digits = True, False  # of the current chunk
        self._split_variable = "FS"  # FS, FIELDWIDTHS or FPAT, whichever was set last
        self.delimiter = ""  # FS if it is one literal character
        self.record = fields.AwkRecord(
            self.split, self.split_record, self.text, self.join, sh.check_size
        )
        self.streams = OpenStreams(self)
        self.input = MainInput(self, self.inspect_chunk, self.assign_text, one_by_one=one_by_one)
        self.assign: Callable[[str, Value], object] | None = None  # sets a variable of the program
        self.source_name = ""  # the name of the program in messages
        self.source_lines: list[int] = []  # the awk line of each generated line
        self.assignments: list[tuple[str, str]] = []  # of -v, for the program to perform

    def fill_arrays(self, operands: list[str]) -> None:
        """Initialise ARGV, ENVIRON and PROCINFO."""
        for i, operand in enumerate([self.sh.name, *operands]):
            self.ARGV[str(i)] = input_value(operand)
        self.ARGC = float(len(operands) + 1)
        self.ENVIRON.update((name, input_value(text)) for name, text in self.sh.env.items())
        self.PROCINFO.update(version="5.2.1", FS="FS", strftime=DEFAULT_TIME_FORMAT)

    # ------------------------------------------------------------ messages

    def location_of(self, generated_line: int) -> str:
        """Return the position in the program of a generated line, and that in the input:

        cmd. line:1: (FILENAME=- FNR=1)
        """
        line = self.source_lines[generated_line - 1] if generated_line else 0
        number = self.input.record_number()
        record = f"(FILENAME={self.FILENAME} FNR={number}) " if number else ""
        return f"{self.source_name}:{line or 1}: {record}"

    def warn_here(self, message: str) -> None:
        """Print a warning with the current line of the program."""
        frame = sys._getframe()
        while frame.f_back is not None and frame.f_code.co_filename != GENERATED_FILE:
            frame = frame.f_back
        generated_line = frame.f_lineno if frame.f_code.co_filename == GENERATED_FILE else 0
        self.warn(f"{self.location_of(generated_line)}warning: {message}")

    # ------------------------------------------------------------ flush, close, run

    def close(self) -> None:
        """Close all streams at the end. Pending output comes after the output of commands."""
        self.input.close()
        self.streams.close_all()
        self.flush()

    def release(self) -> None:
        """Let go of what refers to the machine, so that no collector has to find it."""
        del self.record, self.streams, self.input, self.texts, self.print_texts, self.separator
        self.assign = None
        self.functions.clear()

    def call_on_fresh_stack(
        self, depth: int, function: Callable[..., Value], *values: Value
    ) -> Value:
        """Call a function of the program when Python's stack is nearly full."""
        if depth > MAX_CALL_DEPTH:
            raise AwkFatal("function calls nest too deeply")
        return self.sh.on_fresh_stack(lambda: function(*values))

    def fflush(self, name: str = "") -> float:
        """Flush a file or command, or everything."""
        self.flush()
        problem = self.streams.flush(name)
        if problem:
            self.warn_here(f"fflush: {problem}")
        return -1.0 if problem else 0.0

    def system(self, command_line: str) -> float:
        """Flush output, run a shell command and return its status."""
        self.fflush()
        return float(run_shell_command(self.sh, command_line, self.environment()))

    # ------------------------------------------------------------ getline

    def next_text(self, kind: str = "", name: str = "") -> str | float:
        """Return the next record of an input; 0 at its end, -1 on failure."""
        result: str | float | None
        if kind:
            result = self.streams.next_record(kind, name)
        else:
            result = self.input.next_record()
            result = 0.0 if result is None else result
        if isinstance(result, str) and not kind:
            self.NR += 1.0
            self.FNR += 1.0
        return result

    def load_next(self, kind: str = "", name: str = "") -> float:
        """`getline`: set $0 to the next record. Return 1, 0 at the end, -1 on failure."""
        result = self.next_text(kind, name)
        if isinstance(result, str):
            self.record.load(result)
            return 1.0
        return result

    # ------------------------------------------------------------ values

    def sprintf(self, format_string: str, *values: Value) -> str:
        """Format values: `sprintf`."""
        return compile_format(format_string)(self.text, values, self.weigh_field)

    def key_order(self, array: Array) -> list[str]:
        """Return the keys of an array in the order of `for (k in array)`."""
        order = self.PROCINFO.get("sorted_in")
        return keys_in_order(self, array, self.text(order)) if order else array.order(self.sh.tick)

    def split_record(self, record: str) -> list[str]:
        """Split a record, which may be long."""
        by_separator = self._split_variable == "FS" and not (
            self.is_csv or self.separator.is_paragraph
        )
        if not by_separator:
            self.sh.tick()
            return self.split(record)
        return self.split_text(record, self.split, self.FS)

    def text_splitter(self) -> fields.Splitter:
        """Return the function by which `split` without a separator splits: always by FS."""
        splits_alike = self._split_variable == "FS" and not self.separator.is_paragraph
        return self.split if self.is_csv or splits_alike else self.splitter_for(self.FS)

    def splitter_for(self, separator: str) -> fields.Splitter:
        """Return the function that splits at a separator."""
        return fields.field_splitter(separator, self.regex, self.sh.tick)

    def split_text(self, text: str, split: fields.Splitter, separator: str) -> list[str]:
        """Split a text by a separator, whose function is `split`; one that is long in slices."""
        if len(text) > MAX_SLICE_CHARACTERS and len(separator) <= 1:
            return split_in_slices(text, None if separator == " " else separator, self.sh.tick)
        return split(text)

    # ------------------------------------------------------------ special variables

    def set(self, name: str, value: Value) -> Value:
        """Assign to a special variable and return the value."""
        if name in NUMBER_VARIABLES:
            setattr(self, name, number_of(value))
            return value
        if name == "NF":
            self.record.resize(integer_part(number_of(value)))
            return value
        if name in ("FS", "FIELDWIDTHS", "FPAT", "IGNORECASE") and self.record.line is not None:
            self.record.all()  # split the current record by the old values
        setattr(self, name, value if name in OTHER_VARIABLES else self.text(value))
        if name == "CONVFMT":
            self.texts.clear()
            self.texts.formatter = number_formatter(self.CONVFMT, self.weigh_field)
        elif name == "OFMT":
            self.print_texts.clear()
            self.print_texts.formatter = number_formatter(self.OFMT, self.weigh_field)
        elif name == "OFS":
            self.record.whole()
            self.record.separator = self.OFS
        elif name in ("RS", "IGNORECASE", "FS", "FIELDWIDTHS", "FPAT"):
            if name == "IGNORECASE":
                self.forget_regexes()
            if self.is_csv:
                if name not in ("RS", "IGNORECASE"):
                    names = "FS/FIELDWIDTHS/FPAT"
                    self.warn(f"warning: assignment to {names} has no effect when using --csv")
                return value
            self.separator = RecordSeparator(self.RS, self.regex, self.sh.tick)
            if name not in ("RS", "IGNORECASE"):
                self._split_variable = self.PROCINFO["FS"] = name
            self.update_splitter()
        return value

    def update_splitter(self) -> None:
        """Choose how to split fields by FS, FIELDWIDTHS or FPAT, whichever was set last."""
        self.delimiter = ""
        if self._split_variable == "FIELDWIDTHS":
            self.split = fields.width_splitter(self.FIELDWIDTHS, self.sh.tick)
        elif self._split_variable == "FPAT":
            regex = self.regex(self.FPAT)
            tick = self.sh.tick
            self.split = lambda text: fields.matches_of(regex, text, tick)[0]
        else:
            self.split = fields.field_splitter(
                self.FS, self.regex, self.sh.tick, by_paragraph=self.separator.is_paragraph
            )
            if len(self.FS) == 1 and self.FS != " ":
                self.delimiter = self.FS
        self.record.split = self.split_record if self.has_large_output else self.split

    def record_splitter(self, max_fields: int) -> tuple[Callable[..., list[str]], str | None]:
        """Return a function that splits a record, and the delimiter to call it with.

        The function takes a record, the delimiter and the maximum number of splits, -1 for all.
        With a limit the program does not use NF, so an empty record may yield an empty field.
        """
        if self.has_large_output:  # some records may be long
            return lambda record, delimiter, max_fields: self.split_record(record), None
        if self.split is str.split:
            return str.split, None
        if self.delimiter and max_fields >= 0 and not self.separator.is_paragraph:
            return str.split, self.delimiter
        split = self.split
        return lambda record, delimiter, max_fields: split(record), None

    def inspect_chunk(self, chunk: str) -> None:
        """Find out what holds for all records of a chunk.

        That is whether all digits are ASCII, whether all fields are digits, and the fastest way to
        split records.
        """
        self.has_large_output = len(chunk) > MAX_SLICE_CHARACTERS
        splits_words = self.FS == " " and self.split in (fields.split_words, str.split)
        self.is_ascii = chunk.isascii()
        self.is_digits = False
        if self.is_ascii:
            separators = " \t\n" if splits_words else self.delimiter + self.separator.literal
            others = chunk.encode().translate(
                None, (DECIMAL_DIGITS + separators).encode(errors="surrogateescape")
            )
            self.is_digits = not others and (splits_words or bool(self.delimiter))
        if splits_words:
            self.split = fields.word_splitter(chunk)
        self.record.split = self.split_record if self.has_large_output else self.split

    def assign_text(self, name: str, text: str) -> None:
        """Perform `name=text` of an option or operand. A trailing backslash is dropped."""
        if (len(text) - len(text.rstrip("\\"))) % 2:
            text = text[:-1]
        value = input_value(self.unescape_argument(text))
        if name in SCALAR_VARIABLES:
            self.set(name, value)
        elif self.assign is not None:
            self.assign(name, value)

    def unescape_argument(self, text: str) -> str:
        """Replace the escapes in an option or operand, with warnings about unknown ones."""
        for warning in string_warnings(text):
            self.warn_once(warning)
        return unescape(text)

    # ------------------------------------------------------------ random numbers

    def rand(self) -> float:
        """Return a random number in [0, 1). Every run has the same sequence."""
        if self._random is None:
            from keysh.tools.awk.run.random_numbers import (  # noqa: PLC0415 - for few programs
                RandomNumbers,
            )

            self._random = RandomNumbers(self._seed)
        return self._random.next()

    def srand(self, value: Value = None) -> float:
        """Set the seed, by default to the time, and return the old one."""
        old = self._seed
        self._seed = self.sh.now() // 10**9 if value is None else seed_of(number_of(value))
        self._random = None
        return float(old)


def seed_of(number: float) -> int:
    """Return a number as C converts it to an integer of 64 bits."""
    return int(number) if -(2.0**63) <= number < 2.0**63 else -(2**63)
