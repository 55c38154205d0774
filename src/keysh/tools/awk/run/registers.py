"""The special variables of a run, its pending output, and caches of patterns and numbers.

The parts of the machine use the registers and do not know the machine. Names in capitals are
awk's own.
"""

from __future__ import annotations

from time import monotonic

from keysh.text.bounds.text_size import MAX_CHARACTER_BYTES, character_bytes
from keysh.text.letter_case import to_lower
from keysh.text.regex.regex import RegexError, regex_of
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.format import DEFAULT_NUMBER_FORMAT, default_number_text
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
    from collections.abc import Sequence

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
MAX_PENDING_CHARACTERS = 4096  # of output held back while a command's pipe is open
MAX_CACHED_REGEXES = 500
MAX_UNCHECKED_TURNS = 256  # loop iterations and calls between two checkpoints
SLOW_TURNS_SECONDS = 0.01
MAX_FREE_CHARACTERS = 1 << 16
MAX_JOINED_OUTPUT = 1 << 20  # characters


class Registers:
    """The state that all parts of a run share."""

    __slots__ = (
        "ARGC", "ARGIND", "ARGV", "CONVFMT", "ENVIRON", "ERRNO", "FIELDWIDTHS", "FILENAME", "FNR",
        "FPAT", "FS", "IGNORECASE", "NR", "OFMT", "OFS", "ORS", "PROCINFO", "RLENGTH", "RS",
        "RSTART", "RT", "SUBSEP", "_checked_at", "_regexes", "_turns", "_warnings_given",
        "free_characters", "functions", "has_large_output", "is_csv", "is_pulled",
        "open_command_pipes", "out", "print_texts", "separator", "sh", "status", "texts",
    )  # fmt: skip

    def __init__(self, sh: Call, *, is_pulled: bool, is_csv: bool) -> None:
        self.sh, self.is_pulled, self.is_csv = sh, is_pulled, is_csv
        self.out: list[str] = []  # pending output
        self.has_large_output = False
        self._turns, self._checked_at = 1, 0.0
        # A text that is no longer is made without asking for limits, whatever they are.
        self.free_characters = min(MAX_FREE_CHARACTERS, sh.max_value_bytes // MAX_CHARACTER_BYTES)
        self.open_command_pipes = 0  # the number of commands being printed to
        self.status = 0
        self.NR = self.FNR = self.RSTART = self.RLENGTH = self.ARGIND = 0.0
        self.CONVFMT = self.OFMT = DEFAULT_NUMBER_FORMAT
        self.FS = self.OFS = " "
        self.RS = self.ORS = "\n"
        self.SUBSEP, self.FILENAME, self.RT, self.ERRNO = "\x1c", "", "", ""
        self.FIELDWIDTHS, self.FPAT = "", "[^[:space:]]+"
        self.IGNORECASE: Value = 0.0
        self.ARGC: Value = 0.0
        self.ARGV, self.ENVIRON, self.PROCINFO = Array(), Array(), Array()
        self.texts = NumberTexts(default_number_text)
        self.print_texts = NumberTexts(default_number_text)
        self._regexes: dict[str, Regex] = {}
        self._warnings_given: set[str] = set()
        self.functions: dict[str, NamedFunction] = {}  # set if the program calls by name
        self.separator = RecordSeparator("\n", self.regex, sh.tick, is_csv=is_csv)

    # ------------------------------------------------------------ output

    def warn(self, message: str) -> None:
        """Print a message to standard error."""
        self.flush()
        self.sh.note(message)

    def warn_once(self, message: str, prefix: str = "") -> None:
        """Print a warning unless it was printed before."""
        if message not in self._warnings_given:
            self._warnings_given.add(message)
            self.warn(f"{prefix}{message}")

    def flush(self) -> None:
        """Write pending output. A pulled program yields it instead."""
        if self.out and not self.is_pulled:
            for text in self.take_output():
                self.sh.out.write(text)

    def take_output(self) -> list[str]:
        """Return the pending output and forget it: one text, unless that would be large."""
        is_large = self.has_large_output and sum(map(len, self.out)) > MAX_JOINED_OUTPUT
        texts = [*self.out] if is_large else ["".join(self.out)]
        self.out.clear()
        return [text for text in texts if text]

    def put_large(self, *texts: str) -> None:
        """Add texts to the pending output that may be too large to be joined."""
        self.tick_large()
        self.out.extend(texts)
        self.flush()

    def checkpoint(self) -> int:
        """Check the limits of the run and flush output. Return the new count of turns.

        Slow turns are checked more often: the count begins higher.
        """
        self.sh.tick()
        now = monotonic()
        took, self._checked_at = now - self._checked_at, now
        self._turns = 1 if took > SLOW_TURNS_SECONDS else min(2 * self._turns, MAX_UNCHECKED_TURNS)
        if not self.open_command_pipes or sum(map(len, self.out)) >= MAX_PENDING_CHARACTERS:
            self.flush()
        return MAX_UNCHECKED_TURNS - self._turns

    def environment(self) -> dict[str, str] | None:
        """Return the environment for commands; None if the program has not changed ENVIRON."""
        texts = {
            name: self.text(value)
            for name, value in self.ENVIRON.items()
            if value.__class__ not in (Unset, Array)
        }
        return texts if texts != self.sh.env else None

    # ------------------------------------------------------------ values and patterns

    def join(self, *parts: str, between: str = "") -> str:
        """Return texts as one, if that is not larger than a value may be."""
        size = sum(map(len, parts)) + len(between) * len(parts)
        if size > self.free_characters:
            self.weigh(size, (*parts, between))
        return between.join(parts)

    def tick_large(self) -> None:
        """Check the limits of the run before a text is made that is large."""
        self.has_large_output = True  # perhaps
        self._turns = 1
        self.sh.tick()

    def check_join(self, *parts: str) -> None:
        """Stop the run if these texts are too large together, before they are joined in place."""
        size = sum(map(len, parts))
        if size > self.sh.max_value_bytes // MAX_CHARACTER_BYTES:
            self.sh.check_size(size * max(map(character_bytes, parts)))

    def weigh_field(self, size: int) -> None:
        """Stop the run if a formatted text of `size` characters is too large."""
        if size > self.free_characters:
            self.tick_large()
            self.sh.check_size(size)

    def weigh(self, size: int, parts: Sequence[str]) -> None:
        """Stop the run if a text of `size` characters, made from these parts, is too large."""
        self.tick_large()
        if size > self.sh.max_value_bytes // MAX_CHARACTER_BYTES:
            self.sh.check_size(size * max(map(character_bytes, parts)))

    def text(self, value: Value) -> str:
        """Return a value as a string."""
        kind = value.__class__
        if kind is str:
            return value  # type: ignore[no-any-return]
        if kind is float:
            return self.texts[value]
        if kind is Array:
            raise ArrayAsScalar
        return str(value)

    def print_text(self, value: Value) -> str:
        """Return a value as `print` writes it."""
        return self.print_texts[value] if value.__class__ is float else self.text(value)

    def fold_case(self, text: str) -> str:
        """Return a text for comparison: in lower case if IGNORECASE is set."""
        return to_lower(text) if number_of(self.IGNORECASE) else text

    def compare(self, left: Value, right: Value) -> float:
        """Return a number below 0, 0 or above 0, observing CONVFMT and IGNORECASE."""
        if is_text(left) or is_text(right):
            left, right = self.fold_case(self.text(left)), self.fold_case(self.text(right))
        return compare(left, right)

    def regex(self, pattern: Value) -> Regex:
        """Return a value as a regular expression."""
        text = pattern if pattern.__class__ is str else self.text(pattern)
        regex = self._regexes.get(text)
        if regex is None:
            if len(self._regexes) >= MAX_CACHED_REGEXES:
                self._regexes.clear()
            ignores_case = bool(number_of(self.IGNORECASE))
            try:
                regex = regex_of(text, "awk", ignore_case=ignores_case)
            except RegexError as error:
                raise AwkFatal(f"invalid regexp: {error}: /{text}/") from None
            self._regexes[text] = regex
        return regex

    def forget_regexes(self) -> None:
        """Clear the cache because IGNORECASE has changed."""
        self._regexes.clear()
