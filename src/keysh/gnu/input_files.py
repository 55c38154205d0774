"""Lists of names: the files that `--files0-from` tells, each ended by a NUL byte."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import Reader, reader_of
from keysh.text.gnu_quoting import message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call


# Given files: files that a user names to be read, where `-` is standard input.


class InputFile:
    """Opens a file and closes it; standard input stays open for who reads on."""

    __slots__ = ("_path", "_reader", "_sh")

    def __init__(self, sh: Call, path: str) -> None:
        self._sh, self._path = sh, path
        self._reader = sh.stdin

    def __enter__(self) -> Reader:
        if self._path != "-":
            self._reader = reader_of(self._sh.open(self._path))
        return self._reader

    def __exit__(self, *error: object) -> None:
        if self._reader is not self._sh.stdin:
            self._reader.close()


def refuse_operands(files: Sequence[str]) -> None:
    """Files are told either by the list or by the operands."""
    if files:
        says = "file operands cannot be combined with --files0-from"
        raise UsageFailure(f"extra operand {quoted_name(files[0])}\n{says}")


def read_name_list(
    sh: Call, path: str, status: int = 1, *, is_fatal: bool = False, counts_refused: bool = False
) -> Iterator[str]:
    """The names in a list; one that is empty, or `-` where the list is `-`, is told of.

    That is a warning, or with `is_fatal` the end. With `counts_refused` an empty name comes for it.
    """
    try:
        with InputFile(sh, path) as reader:
            for number, line in enumerate(reader.lines("\0"), 1):
                name = line.removesuffix("\0")
                if name and not name == path == "-":
                    yield name
                    continue
                says = f"{message_name(path)}:{number}: invalid zero-length file name"
                if name:
                    says = "when reading file names from stdin, no file name of '-' allowed"
                if is_fatal:
                    raise sh.fail(says, status)
                sh.warn(says, status)
                if counts_refused:
                    yield ""
    except IsADirectoryError as error:
        says = f"{message_name(path)}: read error: {os_error_text(error)}"
        if is_fatal:
            says = f"cannot read file names from {quoted_name(path)}"
        raise sh.fail(says, status) from None
    except OSError as error:
        says = f"cannot open {quoted_name(path)} for reading: {os_error_text(error)}"
        if is_fatal:
            says = f"open failed: {message_name(path)}: {os_error_text(error)}"
        raise sh.fail(says, status) from None
