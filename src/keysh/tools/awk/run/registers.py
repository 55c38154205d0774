"""Registers: the special variables of a run, what it prints, and its patterns and texts of numbers.

The parts of a machine stand on them, and the machine is made of those. The names in capitals are
awk's own.
"""

from __future__ import annotations

from keysh.text.case import to_lower
from keysh.text.regex.regex import RegexError, regex_of
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.format import number_formatter
from keysh.tools.awk.run.records import RecordSeparator
from keysh.tools.awk.run.values import (
    Array,
    ArrayAsScalar,
    NumberTexts,
    Unset,
    compare,
    is_text,
    number_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.run.named_function import NamedFunction
    from keysh.tools.awk.run.values import Value

NUMBER_VARIABLES = ("NR", "FNR", "RSTART", "RLENGTH", "ARGIND")
TEXT_VARIABLES = (
    "CONVFMT", "ERRNO", "FIELDWIDTHS", "FILENAME", "FPAT", "FS", "OFMT", "OFS", "ORS", "RS", "RT",
    "SUBSEP",
)  # fmt: skip
OTHER_VARIABLES = ("ARGC", "IGNORECASE")
SCALAR_VARIABLES = (*NUMBER_VARIABLES, *TEXT_VARIABLES, *OTHER_VARIABLES, "NF")
ARRAY_VARIABLES = ("ARGV", "ENVIRON", "PROCINFO")
MAX_PENDING_CHARACTERS = 4096  # characters that wait while a command is printed to
MAX_CACHED_REGEXES = 500


class Registers:
    """What all parts of one run share."""

    __slots__ = (
        "ARGC", "ARGIND", "ARGV", "CONVFMT", "ENVIRON", "ERRNO", "FIELDWIDTHS", "FILENAME", "FNR",
        "FPAT", "FS", "IGNORECASE", "NR", "OFMT", "OFS", "ORS", "PROCINFO", "RLENGTH", "RS",
        "RSTART", "RT", "SUBSEP", "_regexes", "_warnings_given", "open_command_pipes", "functions", "is_csv",
        "is_pulled", "out", "print_texts", "separator", "sh", "status", "texts",
    )  # fmt: skip

    def __init__(self, sh: Call, *, is_pulled: bool, is_csv: bool) -> None:
        self.sh, self.is_pulled, self.is_csv = sh, is_pulled, is_csv
        self.out: list[str] = []  # printed, and not yet handed on
        self.open_command_pipes = 0  # commands that are printed to
        self.status = 0
        self.NR = self.FNR = self.RSTART = self.RLENGTH = self.ARGIND = 0.0
        self.CONVFMT = self.OFMT = "%.6g"
        self.FS = self.OFS = " "
        self.RS = self.ORS = "\n"
        self.SUBSEP, self.FILENAME, self.RT, self.ERRNO = "\x1c", "", "", ""
        self.FIELDWIDTHS, self.FPAT = "", "[^[:space:]]+"
        self.IGNORECASE: Value = 0.0
        self.ARGC: Value = 0.0
        self.ARGV, self.ENVIRON, self.PROCINFO = Array(), Array(), Array()
        self.texts = NumberTexts(number_formatter(self.CONVFMT))
        self.print_texts = NumberTexts(number_formatter(self.OFMT))
        self._regexes: dict[str, Regex] = {}
        self._warnings_given: set[str] = set()
        self.functions: dict[str, NamedFunction] = {}  # of the program, where it calls by name
        self.separator = RecordSeparator("\n", self.regex, is_csv=is_csv)

    # ------------------------------------------------------------ output

    def warn(self, message: str) -> None:
        """Tell of something, and go on."""
        self.flush()
        self.sh.note(message)

    def warn_once(self, says: str, place: str = "") -> None:
        """Warn of something the first time that it is met, and not again."""
        if says not in self._warnings_given:
            self._warnings_given.add(says)
            self.warn(f"{place}{says}")

    def flush(self) -> None:
        """Write what is printed; a program that is pulled for its output hands it on itself."""
        if self.out and not self.is_pulled:
            text = "".join(self.out)
            self.out.clear()
            self.sh.out.write(text)

    def checkpoint(self) -> int:
        """A look up from the work, now and then."""
        self.sh.tick()
        if not self.open_command_pipes or sum(map(len, self.out)) >= MAX_PENDING_CHARACTERS:
            self.flush()
        return 0

    def environment(self) -> dict[str, str] | None:
        """ENVIRON for a command that is run; None where the program has left it as it was."""
        texts = {
            name: self.text(value)
            for name, value in self.ENVIRON.items()
            if value.__class__ not in (Unset, Array)
        }
        return texts if texts != self.sh.env else None

    # ------------------------------------------------------------ values and patterns

    def text(self, value: Value) -> str:
        """A value as text."""
        kind = value.__class__
        if kind is str:
            return value  # type: ignore[no-any-return]
        if kind is float:
            return self.texts[value]
        if kind is Array:
            raise ArrayAsScalar
        return str(value)

    def print_text(self, value: Value) -> str:
        """A value as `print` shows it."""
        return self.print_texts[value] if value.__class__ is float else self.text(value)

    def fold_case(self, text: str) -> str:
        """A text as it is compared: without its case where IGNORECASE says so."""
        return to_lower(text) if number_of(self.IGNORECASE) else text

    def compare(self, left: Value, right: Value) -> float:
        """Below 0, 0 or above, as CONVFMT and IGNORECASE have it."""
        if is_text(left) or is_text(right):
            left, right = self.fold_case(self.text(left)), self.fold_case(self.text(right))
        return compare(left, right)

    def regex(self, pattern: Value) -> Regex:
        """The regular expression that a value is."""
        text = pattern if pattern.__class__ is str else self.text(pattern)
        found = self._regexes.get(text)
        if found is None:
            if len(self._regexes) >= MAX_CACHED_REGEXES:
                self._regexes.clear()
            ignores_case = bool(number_of(self.IGNORECASE))
            try:
                found = regex_of(text, "awk", ignore_case=ignores_case)
            except RegexError as error:
                raise AwkFatal(f"invalid regexp: {error}: /{text}/") from None
            self._regexes[text] = found
        return found

    def forget_regexes(self) -> None:
        """Patterns mean something else from now on."""
        self._regexes.clear()
