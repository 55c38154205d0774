"""Delete members from an archive (--delete), or append other archives to it (-A).

The archive's file is changed in place. Members move only toward the front, so nothing is
overwritten before it is read.
"""

from __future__ import annotations

from keysh.archive.byte_source import READ_CHUNK_BYTES, ByteSource, DamagedData, chunks_of
from keysh.archive.tar_reader import BLOCK_BYTES, TarReader, end_of_archive
from keysh.interp.state.call import os_error_text
from keysh.tools.tar.archive_stream import MAGICS, open_archive, starts_with
from keysh.tools.tar.listing import name_text
from keysh.tools.tar.name_patterns import Exclusion, Selection
from keysh.tools.tar.safe_names import FATAL_STATUS, fatal_error, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import TarSettings
    from keysh.vfs.stream import Stream

    Range = tuple[int, int]


class ArchiveEditor:
    """One run of --delete or -A."""

    def __init__(self, sh: Call, settings: TarSettings) -> None:
        self.sh, self.settings = sh, settings

    def run(self) -> Iterator[str]:
        """Change the archive. Nothing is printed."""
        if self.settings.archive == "-":
            message = "--delete takes an archive in a file (missing -f option?)"
            if self.settings.mode == "A":
                message = "Options '-Aru' are incompatible with '-f -'"
            raise self.sh.fail(message, FATAL_STATUS)
        if self.settings.mode == "A":
            self.concatenate()
        else:
            self.delete()
        return iter(())

    def delete(self) -> None:
        """Move the members that stay to the front of the file."""
        name = self.settings.archive
        excluded = Exclusion(self.settings.excluded)
        selection = Selection(self.settings.operands)

        def stays(member: str) -> bool:
            return excluded.covers(member) or selection.folder_of(member) is None

        with open_archive(self.sh, name, "r") as source:
            ranges, end = self.kept_ranges(name, source, stays)
            if ranges != [(0, end)]:
                with self.open_for_update(name) as stream:
                    size = 0
                    for first, behind in ranges:
                        size = self.copy_range(source, first, behind, stream, size)
                    self.write_end(stream, size)
        for missing in selection.missing():
            self.sh.warn(f"{shown_name(missing)}: Not found in archive", FATAL_STATUS)

    def concatenate(self) -> None:
        """Append the members of other archives, all of which are checked first."""
        name = self.settings.archive
        try:
            is_new = not self.sh.fs.stat(self.sh.path(name), follow=True).size
        except FileNotFoundError:
            is_new = True
        others = [operand.name for operand in self.settings.operands]
        ends = [self.end_of(other) for other in others]
        size = 0 if is_new else self.end_of(name)
        with self.open_for_update(name) as stream:
            for other, end in zip(others, ends, strict=True):
                with open_archive(self.sh, other, "r") as source:
                    size = self.copy_range(source, 0, end, stream, size)
            self.write_end(stream, size)

    def end_of(self, name: str) -> int:
        """Return where the last member of an archive ends."""
        with open_archive(self.sh, name, "r") as source:
            return self.kept_ranges(name, source, lambda member: True)[1]

    def kept_ranges(
        self, name: str, stream: Stream, stays: Callable[[str], bool]
    ) -> tuple[list[Range], int]:
        """Return the merged ranges of the members that stay, and where the last member ends."""
        source = ByteSource(chunks_of(stream.read), self.sh.tick)
        if any(starts_with(source, magic) for magic in MAGICS.values()):
            verb = "concatenate" if self.settings.mode == "A" else "update"
            raise fatal_error(self.sh, f"Cannot {verb} compressed archives")
        reader = TarReader(source)
        ranges: list[Range] = []
        end = 0
        try:
            for member in reader.members():
                self.sh.tick()
                begin, end = (
                    end,
                    reader.header_offset + BLOCK_BYTES + member.size + -member.size % BLOCK_BYTES,
                )
                if not stays(name_text(member.name)):
                    continue
                if ranges and ranges[-1][1] == begin:
                    begin = ranges.pop()[0]
                ranges.append((begin, end))
        except DamagedData:
            raise fatal_error(self.sh, f"{shown_name(name)}: Unexpected EOF in archive") from None
        if failures := [message for message, is_failure in reader.warnings if is_failure]:
            raise fatal_error(self.sh, f"{shown_name(name)}: {failures[0]}")
        return ranges, end

    def open_for_update(self, name: str) -> Stream:
        """Open the archive's file for writing."""
        return open_archive(self.sh, name, "rw")

    def copy_range(self, source: Stream, begin: int, end: int, stream: Stream, size: int) -> int:
        """Copy a range of `source` to offset `size` of `stream`; return the new size."""
        if begin == size and self.settings.mode == "D":
            return end  # nothing before it was deleted
        while begin < end:
            self.sh.tick()
            source.seek(begin)
            piece = source.read(min(end - begin, READ_CHUNK_BYTES))
            if not piece:
                raise fatal_error(self.sh, "Unexpected EOF in archive")
            self.write_at(stream, size, piece)
            begin += len(piece)
            size += len(piece)
        return size

    def write_end(self, stream: Stream, size: int) -> None:
        """Write the end of an archive of `size` bytes and truncate the file."""
        ending = end_of_archive(size)
        self.write_at(stream, size, ending)
        stream.truncate(size + len(ending))

    def write_at(self, stream: Stream, place: int, data: bytes) -> None:
        """Write data at an offset of the archive's file."""
        try:
            stream.seek(place)
            stream.write(data)
        except OSError as error:
            message = f"{shown_name(self.settings.archive)}: Cannot write: {os_error_text(error)}"
            raise fatal_error(self.sh, message) from None
