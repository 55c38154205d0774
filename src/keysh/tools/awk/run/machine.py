"""Machine: what a running program stands on. Generated code keeps a program's own variables; here
are the special ones, the record, the input and the streams.
"""

from __future__ import annotations

import sys

import keysh.tools.awk.run.comma_separated as comma_separated
import keysh.tools.awk.run.fields as fields
from keysh.tools.awk.parse.escapes import string_warnings, unescape
from keysh.tools.awk.parse.problem import AwkFatal
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
from keysh.tools.awk.run.sorting import default_order, keys_in_order
from keysh.tools.awk.run.streams import OpenStreams, run_shell_command
from keysh.tools.awk.run.times import DEFAULT_TIME_FORMAT
from keysh.tools.awk.run.values import Array, input_value, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from keysh.interp.state.call import Call
    from keysh.tools.awk.run.values import Value

DECIMAL_DIGITS = "0123456789"
GENERATED_FILE = "<awk>"  # the name of the file that generated code seems to come from
MAX_CALL_DEPTH = 100_000  # calls of functions inside each other


class AwkMachine(Registers):
    """One run of one program."""

    __slots__ = (
        "_random", "_split_variable", "_seed", "assign", "delimiter", "assignments", "input",
        "is_ascii", "is_digits", "source_lines", "source_name", "record", "split", "streams",
    )  # fmt: skip

    def __init__(self, sh: Call, *, is_pulled: bool, one_by_one: bool, is_csv: bool) -> None:
        super().__init__(sh, is_pulled=is_pulled, is_csv=is_csv)
        self._seed = 1.0
        self._random: Random | None = None
        self.split: fields.Splitter = comma_separated.split_record if is_csv else fields.split_words
        self.is_ascii, self.is_digits = True, False  # what the records are cut from
        self._split_variable = (
            "FS"  # the last of FS, FIELDWIDTHS and FPAT: it says how fields are split
        )
        self.delimiter = ""  # FS, where it is one character that stands for itself
        self.record = fields.AwkRecord(self.split, self.text)
        self.streams = OpenStreams(self)
        self.input = MainInput(self, self.inspect_chunk, self.assign_text, one_by_one=one_by_one)
        self.assign: Callable[[str, Value], object] | None = None  # to the program's variables
        self.source_name = ""  # what messages call the program
        self.source_lines: list[int] = []  # its line, for each line of generated code
        self.assignments: list[tuple[str, str]] = []  # what -v assigns, once there is a program

    def fill_arrays(self, operands: list[str]) -> None:
        """ARGV, ENVIRON and PROCINFO, as they are when a program begins."""
        for i, operand in enumerate([self.sh.name, *operands]):
            self.ARGV[str(i)] = input_value(operand)
        self.ARGC = float(len(operands) + 1)
        self.ENVIRON.update((name, input_value(text)) for name, text in self.sh.env.items())
        self.PROCINFO.update(version="5.2.1", FS="FS", strftime=DEFAULT_TIME_FORMAT)

    # ------------------------------------------------------------ messages

    def location_of(self, row: int) -> str:
        """Where the program is, of which this line of the generated code runs, and its input:

        cmd. line:1: (FILENAME=- FNR=1)
        """
        line = self.source_lines[row - 1] if row else 0
        number = self.input.record_number()
        record = f"(FILENAME={self.FILENAME} FNR={number}) " if number else ""
        return f"{self.source_name}:{line or 1}: {record}"

    def warn_here(self, says: str) -> None:
        """Warn of something in the line of the program that runs."""
        frame = sys._getframe()
        while frame.f_back is not None and frame.f_code.co_filename != GENERATED_FILE:
            frame = frame.f_back
        row = frame.f_lineno if frame.f_code.co_filename == GENERATED_FILE else 0
        self.warn(f"{self.location_of(row)}warning: {says}")

    # ------------------------------------------------------------ the ends of streams

    def close(self) -> None:
        """The end of the program: nothing stays open. What was held back comes after that which
        commands print.
        """
        self.input.close()
        self.streams.close_all()
        self.flush()

    def call_on_fresh_stack(
        self, depth: int, function: Callable[..., Value], *values: Value
    ) -> Value:
        """Call a function of the program where the stack is too full for many more."""
        if depth > MAX_CALL_DEPTH:
            raise AwkFatal("functions call each other too deep")
        return self.sh.state.on_fresh_stack(lambda: function(*values))

    def fflush(self, name: str = "") -> float:
        """What is printed to a file or command, or anywhere, is written."""
        self.flush()
        fault = self.streams.flush(name)
        if fault:
            self.warn_here(f"fflush: {fault}")
        return -1.0 if fault else 0.0

    def system(self, text: str) -> float:
        """Run a script behind all that is printed; its status."""
        self.fflush()
        return float(run_shell_command(self.sh, text, self.environment()))

    # ------------------------------------------------------------ getline

    def next_text(self, kind: str = "", name: str = "") -> str | float:
        """The next record of the main input, a file or a command; 0 at the end, -1 on failure."""
        found: str | float | None
        if kind:
            found = self.streams.next_record(kind, name)
        else:
            found = self.input.next_record()
            found = 0.0 if found is None else found
        if isinstance(found, str) and not kind:
            self.NR += 1.0
            self.FNR += 1.0
        return found

    def load_next(self, kind: str = "", name: str = "") -> float:
        """`getline`: the next record of an input becomes $0; 1, 0 at the end, -1 on failure."""
        found = self.next_text(kind, name)
        if isinstance(found, str):
            self.record.load(found)
            return 1.0
        return found

    # ------------------------------------------------------------ values

    def sprintf(self, form: str, *values: Value) -> str:
        """sprintf."""
        return compile_format(form)(self.text, values)

    def key_order(self, array: Array) -> list[str]:
        """The keys of an array, as a `for` comes by them."""
        wanted = self.PROCINFO.get("sorted_in")
        return keys_in_order(self, array, self.text(wanted)) if wanted else default_order(array)

    def text_splitter(self) -> fields.Splitter:
        """How `split` does it that is given no separator: by FS, whatever splits records."""
        splits_alike = self._split_variable == "FS" and not self.separator.is_paragraph
        return self.split if self.is_csv or splits_alike else self.splitter_for(self.FS)

    def splitter_for(self, separator: str) -> fields.Splitter:
        """How a separator splits a text."""
        return fields.field_splitter(separator, self.regex)

    # ------------------------------------------------------------ special variables

    def set(self, name: str, value: Value) -> Value:
        """Assign to a special variable; the value."""
        if name in NUMBER_VARIABLES:
            setattr(self, name, number_of(value))
            return value
        if name == "NF":
            self.record.resize(integer_part(number_of(value)))
            return value
        if name in ("FS", "FIELDWIDTHS", "FPAT", "IGNORECASE") and self.record.line is not None:
            self.record.all()  # the present record is split as it was read
        setattr(self, name, value if name in OTHER_VARIABLES else self.text(value))
        if name == "CONVFMT":
            self.texts.clear()
            self.texts.formatter = number_formatter(self.CONVFMT)
        elif name == "OFMT":
            self.print_texts.clear()
            self.print_texts.formatter = number_formatter(self.OFMT)
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
            self.separator = RecordSeparator(self.RS, self.regex)
            if name not in ("RS", "IGNORECASE"):
                self._split_variable = self.PROCINFO["FS"] = name
            self.update_splitter()
        return value

    def update_splitter(self) -> None:
        """The way to split fields that the last of FS, FIELDWIDTHS and FPAT asks for."""
        self.delimiter = ""
        if self._split_variable == "FIELDWIDTHS":
            self.split = fields.width_splitter(self.FIELDWIDTHS)
        elif self._split_variable == "FPAT":
            regex = self.regex(self.FPAT)
            self.split = lambda text: fields.matches_of(regex, text)[0]
        else:
            self.split = fields.field_splitter(
                self.FS, self.regex, by_paragraph=self.separator.is_paragraph
            )
            if len(self.FS) == 1 and self.FS != " ":
                self.delimiter = self.FS
        self.record.split = self.split

    def record_splitter(self, most: int) -> tuple[Callable[..., list[str]], str | None]:
        """A function that splits a record, and a delimiter: it takes a record, the delimiter and
        how many fields to split off at most, -1 for all.

        With a limit nobody counts the fields, so that an empty record may have an empty one.
        """
        if self.split is str.split:
            return str.split, None
        if self.delimiter and most >= 0 and not self.separator.is_paragraph:
            return str.split, self.delimiter
        split = self.split
        return lambda record, delimiter, most: split(record), None

    def inspect_chunk(self, chunk: str) -> None:
        """What is sure of all records of a chunk: whether their digits are ASCII's, whether there
        are only digits in all fields, and the fastest way to split them.
        """
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
            self.record.split = self.split

    def assign_text(self, name: str, text: str) -> None:
        """`name=text`, as an option or among the operands; a backslash at its end is dropped."""
        if (len(text) - len(text.rstrip("\\"))) % 2:
            text = text[:-1]
        value = input_value(self.unescape_argument(text))
        if name in SCALAR_VARIABLES:
            self.set(name, value)
        elif self.assign is not None:
            self.assign(name, value)

    def unescape_argument(self, text: str) -> str:
        """A text from outside with its escapes read."""
        for says in string_warnings(text):
            self.warn_once(says)
        return unescape(text)

    # ------------------------------------------------------------ chance

    def rand(self) -> float:
        """A number from 0 up to, and without, 1: the same ones in every run."""
        return self.random_source().random()

    def srand(self, value: Value = None) -> float:
        """A new seed, the time where none is given; the old one."""
        old = self._seed
        self._seed = float(self.sh.now() // 10**9) if value is None else number_of(value)
        self._random = None
        return old

    def random_source(self) -> Random:
        from random import Random  # noqa: PLC0415 - few programs ask for it

        if self._random is None:
            self._random = Random(self._seed)
        return self._random
