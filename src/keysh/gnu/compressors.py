"""Packing: what gzip, bzip2 and xz do with files, each with words and a format of its own.

A file is examined, its bytes go through the format into another file (or to standard output, or
nowhere where they are only tested), that takes over mode and times, and the first is removed.
"""

from __future__ import annotations

from os import isatty

from keysh.archive.byte_source import Damaged, Source, chunks_of
from keysh.interp.state.call import BadCall, why
from keysh.text.chunks import decoded, encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat, Stream


class Skip(Exception):
    """This file is left alone; the message says why, empty where that is as it should be."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.message, self.status = message, status


class Transfer:
    """One file's way through the format: its name, what is known of it, and what has come of it."""

    __slots__ = ("fault", "found", "made", "name", "source", "target")

    def __init__(self, name: str, source: Source, found: Stat | None, target: str) -> None:
        self.name, self.source, self.found, self.target = name, source, found, target
        self.made = 0  # bytes
        self.fault: Damaged | OSError | None = None

    @property
    def taken(self) -> int:
        """The bytes that were read."""
        return self.source.count


class Packing:
    """One run of a command. The methods that raise NotImplementedError are its words and format."""

    STDIN = "(stdin)"  # what messages call it

    def __init__(self, sh: Call, *, expands: bool) -> None:
        self.sh, self.expands = sh, expands
        self.to_stdout = self.keeps = self.force = self.tests = self.verbose = self.quiet = False
        self.status = 0
        self.is_over = False  # whether a fault ends the run, whatever other files there are

    # ------------------------------------------------------------ of a command

    def examined(self, name: str) -> tuple[str, Stat, str]:
        """The file that a name means, and where its other form goes; raises Skip."""
        raise NotImplementedError

    def stream(self, transfer: Transfer) -> Iterator[bytes]:
        """What becomes of the bytes; raises Damaged."""
        raise NotImplementedError

    def already_there(self, target: str) -> Skip:
        """What is said where the other form is there."""
        raise NotImplementedError

    def unreadable(self, path: str, error: OSError) -> Skip:
        """What is said of a file that cannot be opened."""
        return Skip(f"{path}: {why(error)}", 1)

    def unwritable(self, target: str, error: OSError) -> Skip:
        """What is said where the other form cannot be made."""
        return Skip(f"{target}: {why(error)}", 1)

    def look(self, transfer: Transfer) -> None:
        """See by a file's head whether it can be dealt with; raises Damaged."""

    def begin(self, transfer: Transfer) -> None:
        """What is said before a file goes through."""

    def tell_fault(self, transfer: Transfer, fault: Damaged) -> bool:
        """Say what is wrong with a file; whether it is lost by that."""
        raise NotImplementedError

    def tell_done(self, transfer: Transfer) -> None:
        """Say that all went well."""

    def worse(self, status: int, other: int) -> int:
        """The status that two failures have together."""
        raise NotImplementedError

    def refuse_writing(self, *, is_piped: bool) -> None:
        """Raise Failure where packed bytes would go to a terminal, unless the command lets them."""
        raise NotImplementedError

    def refuse_reading(self) -> None:
        """Raise Failure where they would come from one."""
        raise NotImplementedError

    # ------------------------------------------------------------ of all

    def run(self, names: Sequence[str]) -> Generator[str, None, int]:
        """Pack or unpack each file, or standard input: what goes to standard output, the status."""
        for name in names or ("-",):
            yield from self.one(name)
            if self.is_over:
                break
        return self.status

    def one(self, name: str) -> Iterator[str]:
        """Pack or unpack what an operand names; what goes to standard output."""
        self.sh.tick()
        try:
            if name == "-":
                self._see_terminals(is_piped=True)
                chunks = (encoded(chunk) for chunk in self.sh.stdin.chunks())
                yield from self._through(
                    Transfer(self.STDIN, Source(chunks, self.sh.tick), None, "")
                )
                return
            path, found, target = self.examined(name)
            if not target:
                self._see_terminals(is_piped=False)
            with self.opened(path) as stream:
                source = Source(chunks_of(stream.read), self.sh.tick)
                transfer = Transfer(path, source, found, target)
                yield from self._through(transfer)
            if target and not self.keeps and not self._is_lost(transfer):
                self.sh.fs.remove(self.sh.path(path))
        except Skip as skip:
            self.tell(skip.message, skip.status)
        except OSError as error:
            self.tell(f"{error.filename or name}: {why(error)}", 1)

    def _see_terminals(self, *, is_piped: bool) -> None:
        """See that nobody has to look at packed bytes, or to type them."""
        if self.expands and is_piped and is_typed(self.sh):
            self.refuse_reading()
        elif not self.expands and self.sh.out.width:
            self.refuse_writing(is_piped=is_piped)

    def opened(self, path: str) -> Stream:
        """A file to read from."""
        try:
            return self.sh.open(path)
        except OSError as error:
            raise self.unreadable(path, error) from None

    def folder(self, path: str, skip: Skip) -> Skip:
        """What is said of a directory: `skip`, or why it cannot even be opened."""
        try:
            self.sh.open(path).close()
        except IsADirectoryError:
            return skip
        except OSError as error:
            return self.unreadable(path, error)
        return skip

    def tell(self, message: str, status: int = 0) -> None:
        """Print a message behind the command's name, and remember the status."""
        if message:
            self.sh.note(message)
        if status:
            self.status = self.worse(self.status, status) if self.status else status

    def _through(self, transfer: Transfer) -> Iterator[str]:
        try:
            self.look(transfer)
        except (Damaged, OSError) as fault:
            transfer.fault = fault
        else:
            yield from self._carried(transfer)
        if isinstance(transfer.fault, OSError):
            raise Skip(f"{transfer.name}: {why(transfer.fault)}", 1)
        if transfer.fault is None or not self.tell_fault(transfer, transfer.fault):
            self.tell_done(transfer)

    def _carried(self, transfer: Transfer) -> Iterator[str]:
        """Bring the bytes where they go; those for standard output are yielded."""
        pieces = self._pieces(transfer)
        if transfer.target:
            self._write(transfer, pieces)
            return
        self.begin(transfer)
        if self.tests:
            for _ in pieces:
                pass
        else:
            yield from decoded(lambda size: next(pieces, b""))

    def _pieces(self, transfer: Transfer) -> Iterator[bytes]:
        """The bytes as they come out; where they end too early the transfer knows why."""
        try:
            for piece in self.stream(transfer):
                self.sh.tick()
                transfer.made += len(piece)
                if self.expands:
                    self.sh.unpacked(len(piece))
                yield piece
        except (Damaged, OSError) as fault:
            transfer.fault = fault

    def _is_lost(self, transfer: Transfer) -> bool:
        fault = transfer.fault
        return fault is not None and not (isinstance(fault, Damaged) and fault.is_harmless)

    def _write(self, transfer: Transfer, pieces: Iterator[bytes]) -> None:
        """Write the other form; nothing of it stays where that fails."""
        fs, target = self.sh.fs, self.sh.path(transfer.target)
        try:
            stream = self._made(transfer.target)
        except OSError as error:
            raise self.unwritable(transfer.target, error) from None
        is_whole = False
        try:
            with stream:
                self.begin(transfer)
                for piece in pieces:
                    stream.write(piece)
            is_whole = not self._is_lost(transfer)
        except OSError as error:
            raise Skip(f"{transfer.target}: {why(error)}", 1) from None
        finally:
            if not is_whole:
                fs.remove(target)
        if is_whole and transfer.found is not None:
            fs.set_mode(target, transfer.found.mode & 0o777)
            fs.set_times(target, transfer.found.accessed, self.modified(transfer, transfer.found))

    def modified(self, transfer: Transfer, found: Stat) -> int:
        """The time that the other form gets."""
        return found.modified

    def _made(self, target: str) -> Stream:
        """The file for the other form; until it is whole it is its owner's alone."""
        path = self.sh.path(target)
        try:
            return self.sh.fs.open(path, "x", 0o600)
        except FileExistsError:
            if not self.force:
                raise self.already_there(target) from None
        self.sh.fs.remove(path)
        return self.sh.fs.open(path, "x", 0o600)


def is_typed(sh: Call) -> bool:
    """Whether standard input is a terminal."""
    return sh.stdin.fd >= 0 and isatty(sh.stdin.fd)


def level_of(given: Iterable[tuple[str, object]], default: int, *, least: int = 0) -> int:
    """The level that the last of `-NUM`, `fast` and `best` means; of `-19` it is the last digit."""
    level = default
    for name, value in given:
        if name == "level":
            digits = str(value)
            if digits[0] == "-" or (least and "0" in digits):
                raise BadCall(f"invalid option -- '{'-' if digits[0] == '-' else 0}'")
            level = int(digits[-1])
        elif value and name in ("fast", "best"):
            level = 1 if name == "fast" else 9
    return level
