"""The lines that sed reads, of one file after the other, and whether more follow."""

from __future__ import annotations

import errno
import os

from keysh.interp.state.call import Failure, why
from keysh.interp.streams.streams import reader_of
from keysh.tools.sed.limit import PANIC

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader


MOST_LINKS = 40  # one behind the other


class Inputs:
    """The files in turn, in pieces of whole lines: `more` looks ahead for one, `take` gives it.

    A last line without its end is a piece of its own. Where the files are `separate`, there is no
    more at the end of each, and `advance` goes to the next one. Those that are `edited` are files,
    whatever their names. A link is that which it leads to where links are followed.
    """

    __slots__ = (
        "_ahead", "_are_edited", "_chunks", "_end", "_follows", "_names", "_of_ahead", "_reader",
        "_rest", "_sh", "is_separate", "name",
    )  # fmt: skip

    def __init__(
        self, sh: Call, names: tuple[str, ...], end: str, *, is_separate: bool, are_edited: bool,
        follows: bool,
    ) -> None:  # fmt: skip
        self._sh, self._end, self._follows = sh, end, follows
        self.is_separate, self._are_edited = is_separate or are_edited, are_edited
        self._names = list(reversed(names or ("-",)))
        self._chunks: Iterator[str] = iter(())
        self._rest: list[str] = []  # what was read behind the last end of a line
        self._ahead = ""  # the next piece, if it has been looked at
        self._reader: Reader | None = None  # of a file that is to be closed
        self._of_ahead = "-"  # the file that was read last
        self.name = "-"  # the file of the piece that was taken last

    def advance(self) -> bool:
        """Open the next file that can be opened; whether there is one."""
        self.close()
        while self._names:
            name = self._names.pop()
            is_stdin = name == "-" and not self._are_edited
            if self._follows and not is_stdin:
                name = self.followed(name)
            reader = self._sh.stdin if is_stdin else self.opened(name)
            if reader is not None:
                self._chunks = self._sh.ticking(reader.chunks())
                self._reader = None if is_stdin else reader
                self._of_ahead = name
                if self.is_separate:
                    self.name = name
                return True
        return False

    def followed(self, name: str) -> str:
        """The name of the file that a link leads to."""
        for _ in range(MOST_LINKS):
            try:
                target = self._sh.fs.read_link(self._sh.path(name))
            except OSError as error:
                if error.errno == errno.EINVAL:  # it is no link
                    return name
                raise self._sh.fail(f"couldn't readlink {name}: {why(error)}", PANIC) from None
            folder, slash, _ = name.rpartition("/")
            name = target if target.startswith("/") else f"{folder}{slash}{target}"
        reason = os.strerror(errno.ELOOP)
        raise self._sh.fail(f"couldn't follow symlink {name}: {reason}", PANIC)

    def opened(self, name: str) -> Reader | None:
        try:
            return reader_of(self._sh.open(name))
        except IsADirectoryError as error:
            raise self.ended(name, error) from None
        except OSError as error:
            self._sh.warn(f"can't read {name}: {why(error)}", 2)
        return None

    def ended(self, name: str, error: OSError) -> Failure:
        """The exception for a file that can be opened but not read: that ends all."""
        if self._are_edited and isinstance(error, IsADirectoryError):
            return self._sh.fail(f"couldn't edit {name}: not a regular file", PANIC)
        name = "stdin" if name == "-" else name
        return self._sh.fail(f"read error on {name}: {why(error)}", PANIC)

    def more(self) -> bool:
        """Whether more follows."""
        return bool(self._ahead) or self.look()

    def look(self) -> bool:
        """Read the next piece; whether there is one."""
        rest = self._rest
        while True:
            try:
                chunk = next(self._chunks, "")
            except OSError as error:
                raise self.ended(self._of_ahead, error) from None
            border = chunk.rfind(self._end) + 1
            if border or not chunk:
                rest.append(chunk[:border])
                self._ahead = "".join(rest)
                rest.clear()
            if border < len(chunk):
                rest.append(chunk[border:])
            if self._ahead:
                return True
            if not chunk and (self.is_separate or not self.advance()):
                return False

    def take(self) -> str:
        """The next piece."""
        text, self._ahead = self._ahead, ""
        self.name = self._of_ahead
        return text

    def chunks(self) -> Iterator[str]:
        """All pieces of all files."""
        while self.more():
            self._sh.tick()
            yield self.take()

    def give_back(self, text: str) -> None:
        """Leave a text of the piece taken last, and what is behind, to who reads on."""
        if self.name == self._of_ahead == "-":
            self._sh.stdin.unread("".join([text, self._ahead, *self._rest]))

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
