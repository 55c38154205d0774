"""A zip archive: its old and new members, and how it is rewritten.

The new archive is written next to the old one, whose members are copied without decompression,
and then replaces it.
"""

from __future__ import annotations

from keysh.archive import zip as zip_format
from keysh.archive.byte_source import DamagedData
from keysh.archive.zip import DEFLATED, HAS_DESCRIPTOR, STORED, ZipEntry
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, decode_chunks, text_of_bytes
from keysh.text.pattern import name_matcher
from keysh.tools.unzip.members import caret_escaped, modified_nanoseconds
from keysh.tools.zip.maker import MemberMaker, UnreadableFile, packed_percent, result_text
from keysh.vfs.api import identity
from keysh.vfs.paths import join, last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.zip.file import SourceFile
    from keysh.vfs.stream import Stream

NO_ARCHIVE_STATUS, UNSOUND_STATUS, NO_SPACE_STATUS = 3, 8, 14
NOT_WRITTEN_STATUS, NOT_READ_STATUS = 15, 18
INVALID_MESSAGE = (
    "Zip file invalid, could not spawn unzip, or wrong unzip (original files unmodified)"
)
WRITE_FAILURE_MESSAGE = "Output file write failure (write error on zip file)"
DEFLATE_SPEED_FLAGS = {1: 6, 2: 4, 8: 2, 9: 2}  # by level
ZIP64_THRESHOLD = 0xFF00_0000  # bytes of a file whose member may reach 4 GiB
TEMPORARY_NAME_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class ZipArchive:
    """One archive. `name` has the suffix .zip; `identity` is its file's, if it exists."""

    def __init__(self, sh: Call, target: str, options: Mapping[str, Any], level: int) -> None:
        self.sh, self.target, self.options, self.level = sh, target, options, level
        self.name = target if target == "-" or "." in last_step(target) else f"{target}.zip"
        self.identity: tuple[int, int] | None = None
        self.is_there = False
        self.status = 0
        self.comment = b""
        self.out = str(options.get("output_file") or self.name)
        self._old_entries: dict[bytes, ZipEntry] = {}
        self._new_files: dict[bytes, SourceFile] = {}
        self._stream: Stream | None = None  # the old archive
        self._entries: list[ZipEntry] = []  # of the new archive
        self._written_files: list[SourceFile] = []
        self._deleted: set[bytes] = set()  # old members not to copy
        self._maker = MemberMaker(sh, options, level, self.say)
        self._mode: int | None = None

    def say(self, text: str) -> None:
        """Print progress, unless -q was given."""
        if not self.options.get("quiet"):
            (self.sh.err if self.target == "-" else self.sh.out).write(text)

    def print_error(self, message: str) -> None:
        """Print an error where zip prints it."""
        (self.sh.err if self.target == "-" else self.sh.out).write(f"{message}\n")

    def read(self) -> bool:
        """Read the directory of an existing archive. Return False if it is no archive."""
        if self.target == "-":
            return True
        path = self.sh.path(self.name)
        try:
            stat = self.sh.fs.stat(path, follow=True)
        except FileNotFoundError:
            return True
        self.identity, self._mode = identity(stat), stat.mode & 0o777
        self.is_there = True
        try:
            self._stream = self.sh.open(self.name)
            entries = zip_format.read_directory(self._stream, self.sh.tick)
            self.comment = zip_format.find_end(self._stream)[2]
        except DamagedData:
            self.print_error(f"\nzip error: Zip file structure invalid ({self.name})")
            return False
        self._old_entries = {entry.name: entry for entry in entries}
        return True

    def member(self, name: str) -> ZipEntry | None:
        """Return the old member of a name."""
        return self._old_entries.get(bytes_of_text(name))

    def names(self) -> list[str]:
        """Return the names of the old members."""
        return [text_of_bytes(name) for name in self._old_entries]

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the old members' names and sizes."""
        for name, entry in self._old_entries.items():
            yield text_of_bytes(name), entry.size

    def keep_only(self, names: Iterable[str]) -> bool:
        """Drop the old members of other names. Return whether there are any."""
        self._deleted = self._old_entries.keys() - {bytes_of_text(name) for name in names}
        return bool(self._deleted)

    def add(self, files: Iterable[SourceFile]) -> bool:
        """Note the files to add. Return whether there are any."""
        for file in files:
            self._new_files.setdefault(bytes_of_text(file.name), file)
        return bool(self._new_files)

    def report_empty(self) -> None:
        """Warn about an archive without members."""
        if not self._old_entries:
            self.say(f"\tzip warning: {self.name} not found or empty\n")

    def delete(self, patterns: Sequence[str]) -> bool:
        """Delete the members that match. Return whether there were any."""
        count = len(self._old_entries)
        chosen: set[bytes] = set()
        self.report_empty()
        for text in patterns if count else ():
            matches = name_matcher(text, self.sh.tick)
            matching = [name for name in self._old_entries
                    if matches(text_of_bytes(name))]  # fmt: skip
            if not matching:
                self.say(f"\tzip warning: name not matched: {text}\n")
            chosen.update(matching)
        for name in [name for name in self._old_entries if name in chosen]:
            self._drop(name)
        return len(self._old_entries) < count

    def _drop(self, name: bytes) -> None:
        self.say(f"deleting: {caret_escaped(text_of_bytes(name))}\n")
        del self._old_entries[name]

    def remove_sources(self) -> None:
        """Remove the files that were stored."""
        for file in reversed(self._written_files):
            if file.stat is None:
                continue
            path = self.sh.path(file.path)
            try:
                if file.stat.is_directory:
                    self.sh.fs.remove_directory(path)
                else:
                    self.sh.fs.remove(path)
            except OSError as error:
                self.say(f"\tzip warning: error deleting {file.path}: {os_error_text(error)}\n")

    # ------------------------------------------------------------ writing

    def write(self) -> Iterator[str]:
        """Write the archive; yield what goes to standard output."""
        if self.target == "-":
            data = self._stream_archive()
            yield from decode_chunks(lambda size: next(data, b""))
        else:
            self._replace()

    def close(self) -> None:
        """Close the old archive."""
        if self._stream is not None:
            self._stream.close()

    def _replace(self) -> None:
        """Write a new file and move it over the archive."""
        fs, path = self.sh.fs, self.sh.path(self.out)
        folder = path.rpartition("/")[0] or "/"
        letters = "".join(self.sh.random.choices(TEMPORARY_NAME_LETTERS, k=8))
        temporary = join(folder, f"zi{letters}")
        try:
            stream = fs.open(temporary, "x", 0o666 & ~self.sh.umask)
        except OSError as error:
            self.print_error(f"zip I/O error: {os_error_text(error)}")
            self.print_error(f"zip error: Could not create output file ({self.name})")
            self.status = NOT_WRITTEN_STATUS
            return
        is_whole = False
        try:
            with stream:
                self._fill(stream)
            if self.options.get("test") and not self._test_file(temporary):
                self._written_files.clear()
                return
            if self._mode is not None:
                fs.set_mode(temporary, self._mode)
            if not self._entries:
                self.say("\tzip warning: zip file empty\n")
            fs.rename(temporary, fs.resolve(path))
            is_whole = True
            if self.options.get("latest_time"):
                self._take_latest(path)
        except OSError as error:
            self.print_error(
                f"\nzip I/O error: {os_error_text(error)}\nzip error: {WRITE_FAILURE_MESSAGE}"
            )
            self.status = NO_SPACE_STATUS
            self._written_files.clear()  # they were not stored, so -m keeps them
        finally:
            if not is_whole:
                fs.remove(temporary)

    def _fill(self, stream: Stream) -> None:
        """Write all members and the directory to a seekable file."""
        for name, entry in [*self._old_entries.items()]:
            if name in self._deleted:
                self._drop(name)
                continue
            file = self._new_files.pop(name, None)
            if file is None:
                self._copy(stream, entry)
            else:
                verb = "freshening" if self.options.get("freshen") else "updating"
                self._write_file(stream, file, verb, entry.comment)
        for file in self._new_files.values():
            self._write_file(stream, file, "  adding")
        start = stream.tell()
        length = 0
        for entry in self._entries:
            line = zip_format.central_header(entry, has_extra=self._maker.has_extra)
            length += stream.write(line)
        stream.write(zip_format.end_records(len(self._entries), length, start, self.comment))
        self._say_totals()

    def _say_totals(self) -> None:
        """With -v, print the total sizes."""
        if self.options.get("verbose"):
            size = sum(entry.size for entry in self._entries)
            packed = sum(entry.packed_size for entry in self._entries)
            savings = packed_percent(size, packed)
            self.say(f"total bytes={size}, compressed={packed} -> {savings}% savings\n")

    def test_members(self) -> bool:
        """Test the old archive and print the result. Return whether it is intact."""
        return self._test_file(self.sh.path(self.name))

    def _test_file(self, path: str) -> bool:
        try:
            with self.sh.fs.open(path) as stream:
                for entry in zip_format.read_directory(stream, self.sh.tick):
                    for piece in zip_format.member_data(stream, entry):
                        self.sh.unpacked(len(piece))
        except DamagedData:
            self.say(f"test of {self.name} FAILED\n")
            self.print_error(f"\nzip error: {INVALID_MESSAGE}")
            self.status = UNSOUND_STATUS
            return False
        self.say(f"test of {self.name} OK\n")
        return True

    def _take_latest(self, path: str) -> None:
        """Set the archive's time to that of its newest file."""
        times = [
            modified_nanoseconds(entry, self._maker.zone)
            for entry in self._entries
            if not entry.is_directory
        ]
        if times:
            self.sh.fs.set_times(path, self.sh.now(), max(times))

    def _copy(self, stream: Stream, entry: ZipEntry) -> None:
        """Copy a member of the old archive without decompressing it."""
        if self._stream is None:
            return
        try:
            source = zip_format.raw_data(self._stream, entry)
            entry.flags &= ~HAS_DESCRIPTOR
            entry.offset = stream.tell()
            stream.write(zip_format.local_header(entry, has_extra=self._maker.has_extra))
            for piece in zip_format.limited_chunks(source, entry.packed_size):
                self.sh.tick()
                stream.write(piece)
        except DamagedData:
            raise self.sh.fail(f"{self.name}: the archive is damaged", NO_ARCHIVE_STATUS) from None
        self._entries.append(entry)

    def _write_file(
        self, stream: Stream, file: SourceFile, verb: str, comment: bytes = b""
    ) -> None:
        """Write a file, stored if deflating does not make it smaller."""
        start = stream.tell()
        is_wide = file.stat is not None and file.stat.size >= ZIP64_THRESHOLD
        self.say(f"{verb}: {caret_escaped(file.name)}")
        for method in dict.fromkeys((self._maker.method(file), STORED)):
            stream.seek(start)
            stream.truncate(start)
            entry = self._maker.entry(file)
            entry.offset, entry.method, entry.comment = start, method, comment
            if method == DEFLATED:
                entry.flags |= DEFLATE_SPEED_FLAGS.get(self.level, 0)
            # A placeholder: the sizes are not known yet.
            placeholder = zip_format.local_header(
                entry, has_extra=self._maker.has_extra, is_wide=is_wide
            )
            stream.write(placeholder)
            try:
                for piece in self._maker.pack(entry, self._maker.contents(file)):
                    stream.write(piece)
            except UnreadableFile as unreadable:
                stream.seek(start)
                stream.truncate(start)
                self.say("\n")
                self.sh.complain(f"zip warning: could not open for reading: {file.path}")
                self.sh.complain(f"zip warning: {unreadable}")
                self.status = NOT_READ_STATUS
                return
            if method == STORED or entry.packed_size < entry.size or file.stat is None:
                break
        header = zip_format.local_header(entry, has_extra=self._maker.has_extra, is_wide=is_wide)
        if len(header) != len(placeholder):
            message = f"{file.name} grew beyond 4 GiB while it was read"
            raise self.sh.fail(message, NOT_WRITTEN_STATUS)
        stream.seek(start)
        stream.write(header)
        stream.seek(0, 2)
        self._entries.append(entry)
        self._written_files.append(file)
        self._say_result(entry)

    def _say_result(self, entry: ZipEntry) -> None:
        sizes = f"\t(in={entry.size}) (out={entry.packed_size})" * bool(self.options.get("verbose"))
        self.say(f"{sizes} ({result_text(entry)})\n")

    def _stream_archive(self) -> Iterator[bytes]:
        """Yield all members with data descriptors, and the directory."""
        offset = 0
        for file in self._new_files.values():
            self.say(f"  adding: {caret_escaped(file.name)}")
            entry = self._maker.entry(file)
            entry.method, entry.offset = self._maker.method(file), offset
            is_stream = not entry.is_directory
            entry.flags |= HAS_DESCRIPTOR * is_stream
            parts = [zip_format.local_header(entry, has_extra=self._maker.has_extra)]
            offset += len(parts[0])
            yield parts[0]
            try:
                for piece in self._maker.pack(entry, self._maker.contents(file)):
                    offset += len(piece)
                    yield piece
            except UnreadableFile as unreadable:
                raise self.sh.fail(f"{file.path}: {unreadable}", NOT_READ_STATUS) from None
            if is_stream:
                tail = zip_format.data_descriptor(entry)
                offset += len(tail)
                yield tail
            self._entries.append(entry)
            self._written_files.append(file)
            self._say_result(entry)
        lines = [
            zip_format.central_header(entry, has_extra=self._maker.has_extra)
            for entry in self._entries
        ]
        yield from lines
        yield zip_format.end_records(len(lines), sum(map(len, lines)), offset, self.comment)
        self._say_totals()
