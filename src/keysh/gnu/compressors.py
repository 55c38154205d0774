"""The common run of gzip, bzip2 and xz; each adds its format and its messages.

A file is examined and converted to another file (or standard output, or nowhere for --test),
which takes over mode and times; then the first file is removed.
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
    from keysh.vfs.api import Stat
    from keysh.vfs.stream import Stream


class SkipFile(Exception):
    """This file is skipped. The message says why; it is empty if nothing is to be reported."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, status)
        self.message, self.status = message, status


class FileConversion:
    """One file's conversion: its name, input, status, target and outcome."""

    __slots__ = ("fault", "stat", "written_bytes", "name", "source", "target")

    def __init__(self, name: str, source: ByteSource, stat: Stat | None, target: str) -> None:
        self.name, self.source, self.stat, self.target = name, source, stat, target
        self.written_bytes = 0  # bytes
        self.fault: DamagedData | OSError | None = None

    @property
    def read_bytes(self) -> int:
        """The number of bytes read."""
        return self.source.count


class CompressionRun:
    """One run of a command. Subclasses implement what raises NotImplementedError."""

    STDIN = "(stdin)"  # its name in messages

    def __init__(self, sh: Call, *, expands: bool) -> None:
        self.sh, self.expands = sh, expands
        self.to_stdout = self.keeps = self.force = self.tests = self.verbose = self.quiet = False
        self.status = 0
        self.is_over = False  # whether a fault ended the run

    # ------------------------------------------------------------ for subclasses

    def examine_file(self, name: str) -> tuple[str, Stat, str]:
        """Return an operand's path, status and target. Raises SkipFile."""
        raise NotImplementedError

    def convert(self, conversion: FileConversion) -> Iterator[bytes]:
        """Yield the converted data. Raises DamagedData."""
        raise NotImplementedError

    def already_there(self, target: str) -> SkipFile:
        """Return the exception for an existing target."""
        raise NotImplementedError

    def unreadable(self, path: str, error: OSError) -> SkipFile:
        """Return the exception for a file that cannot be opened."""
        return SkipFile(f"{path}: {os_error_text(error)}", 1)

    def unwritable(self, target: str, error: OSError) -> SkipFile:
        """Return the exception for a target that cannot be created."""
        return SkipFile(f"{target}: {os_error_text(error)}", 1)

    def check_head(self, conversion: FileConversion) -> None:
        """Check the first bytes of a file. Raises DamagedData."""

    def report_start(self, conversion: FileConversion) -> None:
        """Print a message before a file is converted."""

    def report_fault(self, conversion: FileConversion, fault: DamagedData) -> bool:
        """Print what is wrong with a file. Return whether its conversion failed."""
        raise NotImplementedError

    def report_done(self, conversion: FileConversion) -> None:
        """Print a message after a file was converted."""

    def worse_status(self, status: int, other: int) -> int:
        """Return the status for two failures."""
        raise NotImplementedError

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        """Raise Failure for compressed output to a terminal, unless the command allows it."""
        raise NotImplementedError

    def refuse_terminal_input(self) -> None:
        """Raise Failure for compressed input from a terminal."""
        raise NotImplementedError

    # ------------------------------------------------------------ common to all

    def run(self, names: Sequence[str]) -> Generator[str, None, int]:
        """Convert each file, or standard input; yield standard output and return the status."""
        for name in names or ("-",):
            yield from self.convert_operand(name)
            if self.is_over:
                break
        return self.status

    def convert_operand(self, name: str) -> Iterator[str]:
        """Convert one operand; yield standard output."""
        self.sh.tick()
        try:
            if name == "-":
                self._check_terminals(is_piped=True)
                chunks = (bytes_of_text(chunk) for chunk in self.sh.stdin.chunks())
                yield from self._convert_file(
                    FileConversion(self.STDIN, ByteSource(chunks, self.sh.tick), None, "")
                )
                return
            path, stat, target = self.examine_file(name)
            if not target:
                self._check_terminals(is_piped=False)
            with self.open_file(path) as stream:
                source = ByteSource(chunks_of(stream.read), self.sh.tick)
                conversion = FileConversion(path, source, stat, target)
                yield from self._convert_file(conversion)
            if target and not self.keeps and not self._is_lost(conversion):
                self.sh.fs.remove(self.sh.path(path))
        except SkipFile as skip:
            self.report(skip.message, skip.status)
        except OSError as error:
            self.report(f"{error.filename or name}: {os_error_text(error)}", 1)

    def _check_terminals(self, *, is_piped: bool) -> None:
        """Refuse compressed data from or to a terminal."""
        if self.expands and is_piped and reads_terminal(self.sh):
            self.refuse_terminal_input()
        elif not self.expands and self.sh.out.width:
            self.refuse_terminal_output(is_piped=is_piped)

    def open_file(self, path: str) -> Stream:
        """Open a file for reading. Raises SkipFile."""
        try:
            return self.sh.open(path)
        except OSError as error:
            raise self.unreadable(path, error) from None

    def folder_skip(self, path: str, skip: SkipFile) -> SkipFile:
        """Return `skip` for a directory, or why it cannot even be opened."""
        try:
            self.sh.open(path).close()
        except IsADirectoryError:
            return skip
        except OSError as error:
            return self.unreadable(path, error)
        return skip

    def report(self, message: str, status: int = 0) -> None:
        """Print a message with the command's name, and update the status."""
        if message:
            self.sh.note(message)
        if status:
            self.status = self.worse_status(self.status, status) if self.status else status

    def _convert_file(self, conversion: FileConversion) -> Iterator[str]:
        try:
            self.check_head(conversion)
        except (DamagedData, OSError) as fault:
            conversion.fault = fault
        else:
            yield from self._write_result(conversion)
        if isinstance(conversion.fault, OSError):
            raise SkipFile(f"{conversion.name}: {os_error_text(conversion.fault)}", 1)
        if conversion.fault is None or not self.report_fault(conversion, conversion.fault):
            self.report_done(conversion)

    def _write_result(self, conversion: FileConversion) -> Iterator[str]:
        """Write the converted data; yield what goes to standard output."""
        pieces = self._result_chunks(conversion)
        if conversion.target:
            self._write_target(conversion, pieces)
            return
        self.report_start(conversion)
        if self.tests:
            for _ in pieces:
                pass
        else:
            yield from decode_chunks(lambda size: next(pieces, b""))

    def _result_chunks(self, conversion: FileConversion) -> Iterator[bytes]:
        """Yield the converted data. A fault ends it and is stored in the conversion."""
        try:
            for piece in self.convert(conversion):
                self.sh.tick()
                conversion.written_bytes += len(piece)
                if self.expands:
                    self.sh.unpacked(len(piece))
                yield piece
        except (DamagedData, OSError) as fault:
            conversion.fault = fault

    def _is_lost(self, conversion: FileConversion) -> bool:
        fault = conversion.fault
        return fault is not None and not (isinstance(fault, DamagedData) and fault.is_harmless)

    def _write_target(self, conversion: FileConversion, pieces: Iterator[bytes]) -> None:
        """Write the target, and remove it if that fails."""
        fs, target = self.sh.fs, self.sh.path(conversion.target)
        try:
            stream = self._create_target(conversion.target)
        except OSError as error:
            raise self.unwritable(conversion.target, error) from None
        is_complete = False
        try:
            with stream:
                self.report_start(conversion)
                for piece in pieces:
                    stream.write(piece)
            is_complete = not self._is_lost(conversion)
        except OSError as error:
            raise SkipFile(f"{conversion.target}: {os_error_text(error)}", 1) from None
        finally:
            if not is_complete:
                fs.remove(target)
        if is_complete and conversion.stat is not None:
            fs.set_mode(target, conversion.stat.mode & 0o777)
            fs.set_times(
                target, conversion.stat.accessed, self.target_time(conversion, conversion.stat)
            )

    def target_time(self, conversion: FileConversion, stat: Stat) -> int:
        """Return the modification time for the target."""
        return stat.modified

    def _create_target(self, target: str) -> Stream:
        """Create the target, accessible only to its owner until it is complete."""
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


def level_of(options: Iterable[tuple[str, object]], default: int, *, least: int = 0) -> int:
    """Return the level set by the last of `-NUM`, `fast` and `best`. Of -19, the 9 counts."""
    level = default
    for name, value in options:
        if name == "level":
            digits = str(value)
            if digits[0] == "-" or (least and "0" in digits):
                raise UsageFailure(f"invalid option -- '{'-' if digits[0] == '-' else 0}'")
            level = int(digits[-1])
        elif value and name in ("fast", "best"):
            level = 1 if name == "fast" else 9
    return level
