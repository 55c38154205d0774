"""The output files or filter commands of split, and their names."""

from __future__ import annotations

from keysh.interp.state.call import Call, UsageFailure, os_error_text
from keysh.interp.streams.streams import Reader
from keysh.text.chunks import decode_chunks
from keysh.text.gnu_quoting import locale_quoted_text, message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import CommandFailure

LETTER_ALPHABET, DECIMAL_ALPHABET, HEX_ALPHABET = (
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789",
    "0123456789abcdef",
)
MIN_SUFFIX_LENGTH = 2  # characters


MAX_START_DIGITS = 1000
START_TOO_LARGE = "numerical suffix start value is too large for the suffix length"


def suffix_alphabet(sh: Call) -> tuple[str, int | None]:
    """Return the characters of suffixes and the number of the first, if given."""
    alphabet, start = LETTER_ALPHABET, None
    for name, value in sh.given:
        if name in ("decimal", "numeric_suffixes"):
            alphabet = DECIMAL_ALPHABET
        elif name in ("hexadecimal", "hex_suffixes"):
            alphabet = HEX_ALPHABET
        if name in ("numeric_suffixes", "hex_suffixes") and isinstance(value, str):
            if value.strip(alphabet) or not value:
                kind = "numerical" if alphabet == DECIMAL_ALPHABET else "hexadecimal"
                message = f"{locale_quoted_text(value)}: invalid start value for {kind} suffix"
                raise UsageFailure(message)
            if len(value.lstrip("0")) > MAX_START_DIGITS:
                raise UsageFailure(START_TOO_LARGE)
            start = int(value, len(alphabet))
    return alphabet, start


class FilterInput:
    """The input of one --filter command, which runs once the input is complete."""

    __slots__ = ("_command", "_data", "_name", "_sh")

    def __init__(self, sh: Call, command: str, name: str) -> None:
        self._sh, self._command, self._name = sh, command, name
        self._data: list[bytes] = []

    def write(self, data: bytes) -> None:
        self._data.append(data)

    def close(self) -> None:
        """Run the command; its failure ends the run."""
        sh, data = self._sh, iter(self._data)
        reader = Reader(decode_chunks(lambda size: next(data, b"")))
        env = {**sh.env, "FILE": self._name}
        fed = sh.with_streams(reader, sh.out, sh.err)
        status = fed.run(["sh", "-c", self._command], env=env)
        if status:
            message = (
                f"with FILE={message_name(self._name)}, exit {status} from command: {self._command}"
            )
            raise sh.fail(message, status)


class OutputFile:
    """One output file; a write error ends the run."""

    __slots__ = ("_name", "_sh", "_stream")

    def __init__(self, sh: Call, name: str) -> None:
        self._sh, self._name = sh, name
        try:
            self._stream = sh.open(name, "w")
        except OSError as error:
            raise self._failure(error) from None

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
        except OSError as error:
            self._stream.close()
            raise self._failure(error) from None

    def close(self) -> None:
        self._stream.close()

    def _failure(self, error: OSError) -> CommandFailure:
        return self._sh.fail(f"{message_name(self._name)}: {os_error_text(error)}")


class OutputFiles:
    """The output files or commands, one after another."""

    __slots__ = (
        "_additional_suffix", "_alphabet", "_grows", "_is_fixed", "_length", "_number", "_prefix",
        "_sh", "_stream", "filter", "is_verbose",
    )  # fmt: skip

    def __init__(
        self,
        sh: Call,
        prefix: str,
        additional_suffix: str,
        alphabet: str,
        length: int,
        start: int | None,
    ) -> None:
        self._sh, self._prefix, self._additional_suffix, self._alphabet = (
            sh,
            prefix,
            additional_suffix,
            alphabet,
        )
        self._number = start or 0
        self._grows = not length and start is None
        self._length, self._is_fixed = length, length > 0
        sh.check_size(length)
        if not length:
            self._length = max(MIN_SUFFIX_LENGTH, self._suffix_length(self._number))
        self._stream: OutputFile | FilterInput | None = None
        self.filter: str | None = None
        self.is_verbose = False

    def reserve_suffixes(self, file_count: int) -> None:
        """Make suffixes long enough for `file_count` files."""
        needed = self._suffix_length(
            file_count - 1 + (self._number if self._number < file_count else 0)
        )
        if self._is_fixed and self._length < needed:
            raise self._sh.fail(f"the suffix length needs to be at least {needed}")
        self._length = max(self._length, needed)
        self._grows = False

    def start_next(self) -> None:
        """Continue with the next file."""
        self.close()
        self._stream = self.open_next()

    def open_next(self) -> OutputFile | FilterInput:
        """Return the next file or command."""
        name = f"{self._prefix}{self._suffix()}{self._additional_suffix}"
        self._number += 1
        if self.is_verbose:
            is_file = self.filter is None
            message = (
                f"creating file {quoted_name(name)}"
                if is_file
                else f"executing with FILE={message_name(name)}"
            )
            self._sh.tell(f"{message}\n")
        if self.filter is not None:
            return FilterInput(self._sh, self.filter, name)
        return OutputFile(self._sh, name)

    def write(self, data: bytes) -> None:
        """Write to the current file."""
        if self._stream is not None:
            self._stream.write(data)

    def close(self) -> None:
        """Close the current file, or run the current command."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _suffix_length(self, number: int) -> int:
        """Return the length of a number's suffix."""
        length = 1
        while number >= len(self._alphabet):
            number //= len(self._alphabet)
            length += 1
        return length

    def _suffix(self) -> str:
        """Return the next suffix; growing suffixes leave room: `zaaa` follows `yz`."""
        number, base, length, prefix = self._number, len(self._alphabet), self._length, ""
        while self._grows and number >= (capacity := (base - 1) * base ** (length - 1)):
            number -= capacity
            prefix += self._alphabet[-1]
            length += 1
        letters = ""
        while number and len(letters) < length:
            number, digit = divmod(number, base)
            letters = self._alphabet[digit] + letters
        if number:
            raise self._sh.fail("output file suffixes exhausted")
        return prefix + letters.rjust(length, self._alphabet[0])
