"""The input files of sed."""

from __future__ import annotations

import errno
import os

from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.tools.sed.limit import PANIC_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader


MAX_SYMLINKS = 40  # links followed in a row


class SedInputs:
    """Reads the files in pieces of whole lines: `has_more` looks ahead, `take_text` takes one.

    A last line without a newline is a piece of its own. If files are separate, `has_more` is false
    at the end of each, and `open_next` opens the next one. If files are edited, `-` is a file too.
    """

    __slots__ = (
        "_are_edited", "_chunks", "_end", "_follows", "_names", "_next_name", "_next_text",
        "_reader", "_rest", "_sh", "is_separate", "name",
    )  # fmt: skip

    def __init__(
        self, sh: Call, names: tuple[str, ...], line_end: str, *, is_separate: bool,
        are_edited: bool, follows: bool,
    ) -> None:  # fmt: skip
        self._sh, self._end, self._follows = sh, line_end, follows
        self.is_separate, self._are_edited = is_separate or are_edited, are_edited
        self._names = list(reversed(names or ("-",)))
        self._chunks: Iterator[str] = iter(())
        self._rest: list[str] = []  # the text read after the last newline
        self._next_text = ""  # the next piece, if it was read
        self._reader: Reader | None = None  # of a file to close
        self._next_name = "-"  # the file read last
        self.name = "-"  # the file of the piece returned last

    def open_next(self) -> bool:
        """Open the next file that can be opened; returns whether there is one."""
        self.close()
        while self._names:
            name = self._names.pop()
            is_stdin = name == "-" and not self._are_edited
            if self._follows and not is_stdin:
                name = self.follow_link(name)
            reader = self._sh.stdin if is_stdin else self.open_file(name)
            if reader is not None:
                self._chunks = reader.chunks()
                self._reader = None if is_stdin else reader
                self._next_name = name
                if self.is_separate:
                    self.name = name
                return True
        return False

    def follow_link(self, name: str) -> str:
        """Return the name of the file that a link leads to."""
        for _ in range(MAX_SYMLINKS):
            try:
                target = self._sh.fs.read_link(self._sh.path(name))
            except OSError as error:
                if error.errno == errno.EINVAL:  # not a link
                    return name
                raise self._sh.fail(
                    f"couldn't readlink {name}: {os_error_text(error)}", PANIC_STATUS
                ) from None
            folder, slash, _ = name.rpartition("/")
            name = target if target.startswith("/") else f"{folder}{slash}{target}"
        reason = os.strerror(errno.ELOOP)
        raise self._sh.fail(f"couldn't follow symlink {name}: {reason}", PANIC_STATUS)

    def open_file(self, name: str) -> Reader | None:
        try:
            return self._sh.open_reader(name)
        except IsADirectoryError as error:
            raise self.read_failure(name, error) from None
        except OSError as error:
            self._sh.warn(f"can't read {name}: {os_error_text(error)}", 2)
        return None

    def read_failure(self, name: str, error: OSError) -> CommandFailure:
        """Make the fatal exception for a file that can be opened but not read."""
        if self._are_edited and isinstance(error, IsADirectoryError):
            return self._sh.fail(f"couldn't edit {name}: not a regular file", PANIC_STATUS)
        name = "stdin" if name == "-" else name
        return self._sh.fail(f"read error on {name}: {os_error_text(error)}", PANIC_STATUS)

    def has_more(self) -> bool:
        """Whether more text follows."""
        return bool(self._next_text) or self.read_ahead()

    def read_ahead(self) -> bool:
        """Read the next piece; returns whether there is one."""
        rest = self._rest
        while True:
            try:
                chunk = next(self._chunks, "")
            except OSError as error:
                raise self.read_failure(self._next_name, error) from None
            border = chunk.rfind(self._end) + 1
            if border or not chunk:
                rest.append(chunk[:border])
                self._next_text = "".join(rest)
                rest.clear()
            if border < len(chunk):
                rest.append(chunk[border:])
            if self._next_text:
                return True
            if not chunk and (self.is_separate or not self.open_next()):
                return False

    def take_text(self) -> str:
        """Return the next piece."""
        text, self._next_text = self._next_text, ""
        self.name = self._next_name
        return text

    def chunks(self) -> Iterator[str]:
        """Yield all pieces of all files."""
        while self.has_more():
            self._sh.tick()
            yield self.take_text()

    def unread(self, text: str) -> None:
        """Return unused text of the last piece, and all after it, to standard input."""
        if self.name == self._next_name == "-":
            self._sh.stdin.push_back("".join([text, self._next_text, *self._rest]))

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
