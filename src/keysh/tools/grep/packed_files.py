"""The files of zgrep, bzgrep and xzgrep: unpacked as they are read, if they are compressed."""

from __future__ import annotations

from keysh.archive.byte_source import ByteSource, DamagedData, chunks_of
from keysh.archive.bzip2_xz import (
    LZMA_MAGIC,
    XZ_MAGIC,
    decompress_bzip2,
    decompress_xz,
    is_bzip2,
)
from keysh.archive.gzip import GZIP_MAGIC, GzipStream
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import Reader
from keysh.text.chunks import decode_chunks
from keysh.tools.grep.files import GrepFiles
from keysh.tools.grep.patterns import packing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

UNPACKERS = {"z": "gzip", "bz": "bzip2", "xz": "xz"}  # the program that each command runs
SUFFIXES = {"z": ".gz", "bz": "", "xz": ""}  # what is tried where a file does not exist
REFUSED_OPTIONS = frozenset({
    "dereference_recursive", "directories", "exclude", "exclude_dir", "exclude_from", "include",
    "null", "null_data", "recursive",
})  # fmt: skip
MAGIC_BYTES = 13
FAULTS = {
    "end": "unexpected end of file", "crc": "invalid compressed data--crc error",
    "length": "invalid compressed data--length error",
}  # fmt: skip


def refuse_options(sh: Call) -> None:
    """Refuse the options that zgrep, bzgrep and xzgrep do not have."""
    for option, _ in sh.given:
        if option in REFUSED_OPTIONS:
            raise sh.fail(f"--{option.replace('_', '-')}: option not supported", 2)


class PackedFiles(GrepFiles):
    """Opens operands and standard input, and unpacks gzip, bzip2, xz and lzma."""

    __slots__ = ("_packing",)

    def __init__(self, sh: Call, is_silent: bool) -> None:
        super().__init__(sh, "skip", follows=False, is_silent=is_silent)
        self._packing = packing_of(sh.name)
        self.leaves_output = False

    def open_each(self, operands: tuple[str, ...]) -> Iterator[tuple[str, Reader]]:
        self.size = None
        for name in operands or ("-",):
            if name == "-":
                yield name, self._unpacked(name, self._sh.stdin.data())
                continue
            try:
                stream = self._sh.open(self._existing_name(name))
            except IsADirectoryError:
                continue
            except OSError as error:
                self._report(name, os_error_text(error))
                continue
            with stream:
                yield name, self._unpacked(name, chunks_of(stream.read))

    def _existing_name(self, name: str) -> str:
        """Return the name of a file, or that of its compressed form if only that exists."""
        suffix = SUFFIXES[self._packing]
        status = self._sh.fs.stat_or_none(self._sh.path(name))
        if status is not None and status.is_directory:
            raise IsADirectoryError
        return name if status is not None or not suffix else name + suffix

    def _unpacked(self, name: str, packed: Iterator[bytes]) -> Reader:
        blocks = self._blocks(name, ByteSource(packed, self._sh.tick))
        return Reader(decode_chunks(lambda size: next(blocks, b"")))

    def _blocks(self, name: str, source: ByteSource) -> Iterator[bytes]:
        head = source.peek(MAGIC_BYTES)
        if head.startswith(GZIP_MAGIC):
            data = GzipStream().decompress(source)
        elif head.startswith((XZ_MAGIC, LZMA_MAGIC)):
            data = decompress_xz(source)
        elif head[:4] and is_bzip2(head[:4]) and len(head) > 3:
            data = decompress_bzip2(source)
        else:
            data = source.rest()
        try:
            yield from data
        except DamagedData as damage:
            if not damage.is_harmless:
                fault = FAULTS.get(damage.fault, "invalid compressed data--format violated")
                self._sh.err.write(f"\n{UNPACKERS[self._packing]}: {name}: {fault}\n")
                self._sh.status = 2

    def _report(self, name: str, reason: str) -> None:
        program = UNPACKERS[self._packing]
        if program == "bzip2":
            self._sh.err.write(f"bzip2: Can't open input file {name}: {reason}.\n")
            return  # the real script does not see that status either
        suffix = SUFFIXES[self._packing]
        tried = name if name.endswith(suffix) else name + suffix
        self._sh.err.write(f"{program}: {tried}: {reason}\n")
        self._sh.status = 2
