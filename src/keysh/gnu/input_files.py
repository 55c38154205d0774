"""Input files: one named by an operand, and lists of names (--files0-from)."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import Reader
from keysh.text.gnu_quoting import message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call


# An input file; `-` is standard input.


class InputFile:
    """Opens a file for reading and closes it. Standard input stays open."""

    __slots__ = ("_path", "_reader", "_sh")

    def __init__(self, sh: Call, path: str) -> None:
        self._sh, self._path = sh, path
        self._reader = sh.stdin

    def __enter__(self) -> Reader:
        if self._path != "-":
            self._reader = self._sh.open_reader(self._path)
        return self._reader

    def __exit__(self, *error: object) -> None:
        if self._reader is not self._sh.stdin:
            self._reader.close()


def refuse_operands(files: Sequence[str]) -> None:
    """Refuse operands next to --files0-from."""
    if files:
        message = "file operands cannot be combined with --files0-from"
        raise UsageFailure(f"extra operand {quoted_name(files[0])}\n{message}")


def read_name_list(
    sh: Call, path: str, status: int = 1, *, is_fatal: bool = False, counts_refused: bool = False
) -> Iterator[str]:
    """Yield the names in a list, each ended by NUL; report invalid ones.

    An invalid name is one that is empty, or `-` if the list is standard input. It is a warning, or
    with `is_fatal` an error. With `counts_refused` an empty name is yielded in its place.
    """
    try:
        with InputFile(sh, path) as reader:
            for number, line in enumerate(reader.lines("\0"), 1):
                name = line.removesuffix("\0")
                if name and not name == path == "-":
                    yield name
                    continue
                message = f"{message_name(path)}:{number}: invalid zero-length file name"
                if name:
                    message = "when reading file names from stdin, no file name of '-' allowed"
                if is_fatal:
                    raise sh.fail(message, status)
                sh.warn(message, status)
                if counts_refused:
                    yield ""
    except IsADirectoryError as error:
        message = f"{message_name(path)}: read error: {os_error_text(error)}"
        if is_fatal:
            message = f"cannot read file names from {quoted_name(path)}"
        raise sh.fail(message, status) from None
    except OSError as error:
        message = f"cannot open {quoted_name(path)} for reading: {os_error_text(error)}"
        if is_fatal:
            message = f"open failed: {message_name(path)}: {os_error_text(error)}"
        raise sh.fail(message, status) from None
