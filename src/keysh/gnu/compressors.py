"""Packing: what gzip, bzip2 and xz do with files, each with words and a format of its own.

A file is examined, its bytes go through the format into another file (or to standard output, or
nowhere where they are only tested), that takes over mode and times, and the first is removed.
"""

from __future__ import annotations

from os import isatty

from keysh.archive.byte_source import ByteSource, DamagedData, chunks_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.text.chunks import bytes_of_text, decode_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat, Stream


class SkipFile(Exception):
    """This file is left alone; the message says why, empty where that is as it should be."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.message, self.status = message, status


class FileConversion:
    """One file's way through the format: its name, what is known of it, and what has come of it."""

    __slots__ = ("fault", "stat", "written_bytes", "name", "source", "target")

    def __init__(self, name: str, source: ByteSource, found: Stat | None, target: str) -> None:
        self.name, self.source, self.stat, self.target = name, source, found, target
        self.written_bytes = 0  # bytes
        self.fault: DamagedData | OSError | None = None

    @property
    def read_bytes(self) -> int:
        """The bytes that were read."""
        return self.source.count


class CompressionRun:
    """One run of a command. The methods that raise NotImplementedError are its words and format."""

    STDIN = "(stdin)"  # what messages call it

    def __init__(self, sh: Call, *, expands: bool) -> None:
        self.sh, self.expands = sh, expands
        self.to_stdout = self.keeps = self.force = self.tests = self.verbose = self.quiet = False
        self.status = 0
        self.is_over = False  # whether a fault ends the run, whatever other files there are

    # ------------------------------------------------------------ of a command

    def examine_file(self, name: str) -> tuple[str, Stat, str]:
        """The file that a name means, and where its other form goes; raises Skip."""
        raise NotImplementedError

    def convert(self, transfer: FileConversion) -> Iterator[bytes]:
        """What becomes of the bytes; raises Damaged."""
        raise NotImplementedError

    def already_there(self, target: str) -> SkipFile:
        """What is said where the other form is there."""
        raise NotImplementedError

    def unreadable(self, path: str, error: OSError) -> SkipFile:
        """What is said of a file that cannot be opened."""
        return SkipFile(f"{path}: {os_error_text(error)}", 1)

    def unwritable(self, target: str, error: OSError) -> SkipFile:
        """What is said where the other form cannot be made."""
        return SkipFile(f"{target}: {os_error_text(error)}", 1)

    def check_head(self, transfer: FileConversion) -> None:
        """See by a file's head whether it can be dealt with; raises Damaged."""

    def report_start(self, transfer: FileConversion) -> None:
        """What is said before a file goes through."""

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        """Say what is wrong with a file; whether it is lost by that."""
        raise NotImplementedError

    def report_done(self, transfer: FileConversion) -> None:
        """Say that all went well."""

    def worse_status(self, status: int, other: int) -> int:
        """The status that two failures have together."""
        raise NotImplementedError

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        """Raise Failure where packed bytes would go to a terminal, unless the command lets them."""
        raise NotImplementedError

    def refuse_terminal_input(self) -> None:
        """Raise Failure where they would come from one."""
        raise NotImplementedError

    # ------------------------------------------------------------ of all

    def run(self, names: Sequence[str]) -> Generator[str, None, int]:
        """Pack or unpack each file, or standard input: what goes to standard output, the status."""
        for name in names or ("-",):
            yield from self.convert_operand(name)
            if self.is_over:
                break
        return self.status

    def convert_operand(self, name: str) -> Iterator[str]:
        """Pack or unpack what an operand names; what goes to standard output."""
        self.sh.tick()
        try:
            if name == "-":
                self._check_terminals(is_piped=True)
                chunks = (bytes_of_text(chunk) for chunk in self.sh.stdin.chunks())
                yield from self._convert_file(
                    FileConversion(self.STDIN, ByteSource(chunks, self.sh.tick), None, "")
                )
                return
            path, found, target = self.examine_file(name)
            if not target:
                self._check_terminals(is_piped=False)
            with self.open_file(path) as stream:
                source = ByteSource(chunks_of(stream.read), self.sh.tick)
                transfer = FileConversion(path, source, found, target)
                yield from self._convert_file(transfer)
            if target and not self.keeps and not self._is_lost(transfer):
                self.sh.fs.remove(self.sh.path(path))
        except SkipFile as skip:
            self.report(skip.message, skip.status)
        except OSError as error:
            self.report(f"{error.filename or name}: {os_error_text(error)}", 1)

    def _check_terminals(self, *, is_piped: bool) -> None:
        """See that nobody has to look at packed bytes, or to type them."""
        if self.expands and is_piped and reads_terminal(self.sh):
            self.refuse_terminal_input()
        elif not self.expands and self.sh.out.width:
            self.refuse_terminal_output(is_piped=is_piped)

    def open_file(self, path: str) -> Stream:
        """A file to read from."""
        try:
            return self.sh.open(path)
        except OSError as error:
            raise self.unreadable(path, error) from None

    def folder_skip(self, path: str, skip: SkipFile) -> SkipFile:
        """What is said of a directory: `skip`, or why it cannot even be opened."""
        try:
            self.sh.open(path).close()
        except IsADirectoryError:
            return skip
        except OSError as error:
            return self.unreadable(path, error)
        return skip

    def report(self, message: str, status: int = 0) -> None:
        """Print a message behind the command's name, and remember the status."""
        if message:
            self.sh.note(message)
        if status:
            self.status = self.worse_status(self.status, status) if self.status else status

    def _convert_file(self, transfer: FileConversion) -> Iterator[str]:
        try:
            self.check_head(transfer)
        except (DamagedData, OSError) as fault:
            transfer.fault = fault
        else:
            yield from self._write_result(transfer)
        if isinstance(transfer.fault, OSError):
            raise SkipFile(f"{transfer.name}: {os_error_text(transfer.fault)}", 1)
        if transfer.fault is None or not self.report_fault(transfer, transfer.fault):
            self.report_done(transfer)

    def _write_result(self, transfer: FileConversion) -> Iterator[str]:
        """Bring the bytes where they go; those for standard output are yielded."""
        pieces = self._result_chunks(transfer)
        if transfer.target:
            self._write_target(transfer, pieces)
            return
        self.report_start(transfer)
        if self.tests:
            for _ in pieces:
                pass
        else:
            yield from decode_chunks(lambda size: next(pieces, b""))

    def _result_chunks(self, transfer: FileConversion) -> Iterator[bytes]:
        """The bytes as they come out; where they end too early the transfer knows why."""
        try:
            for piece in self.convert(transfer):
                self.sh.tick()
                transfer.written_bytes += len(piece)
                if self.expands:
                    self.sh.unpacked(len(piece))
                yield piece
        except (DamagedData, OSError) as fault:
            transfer.fault = fault

    def _is_lost(self, transfer: FileConversion) -> bool:
        fault = transfer.fault
        return fault is not None and not (isinstance(fault, DamagedData) and fault.is_harmless)

    def _write_target(self, transfer: FileConversion, pieces: Iterator[bytes]) -> None:
        """Write the other form; nothing of it stays where that fails."""
        fs, target = self.sh.fs, self.sh.path(transfer.target)
        try:
            stream = self._create_target(transfer.target)
        except OSError as error:
            raise self.unwritable(transfer.target, error) from None
        is_whole = False
        try:
            with stream:
                self.report_start(transfer)
                for piece in pieces:
                    stream.write(piece)
            is_whole = not self._is_lost(transfer)
        except OSError as error:
            raise SkipFile(f"{transfer.target}: {os_error_text(error)}", 1) from None
        finally:
            if not is_whole:
                fs.remove(target)
        if is_whole and transfer.stat is not None:
            fs.set_mode(target, transfer.stat.mode & 0o777)
            fs.set_times(target, transfer.stat.accessed, self.target_time(transfer, transfer.stat))

    def target_time(self, transfer: FileConversion, found: Stat) -> int:
        """The time that the other form gets."""
        return found.modified

    def _create_target(self, target: str) -> Stream:
        """The file for the other form; until it is whole it is its owner's alone."""
        path = self.sh.path(target)
        try:
            return self.sh.fs.open(path, "x", 0o600)
        except FileExistsError:
            if not self.force:
                raise self.already_there(target) from None
        self.sh.fs.remove(path)
        return self.sh.fs.open(path, "x", 0o600)


def reads_terminal(sh: Call) -> bool:
    """Whether standard input is a terminal."""
    return sh.stdin.fd >= 0 and isatty(sh.stdin.fd)


def level_of(given: Iterable[tuple[str, object]], default: int, *, least: int = 0) -> int:
    """The level that the last of `-NUM`, `fast` and `best` means; of `-19` it is the last digit."""
    level = default
    for name, value in given:
        if name == "level":
            digits = str(value)
            if digits[0] == "-" or (least and "0" in digits):
                raise UsageFailure(f"invalid option -- '{'-' if digits[0] == '-' else 0}'")
            level = int(digits[-1])
        elif value and name in ("fast", "best"):
            level = 1 if name == "fast" else 9
    return level
