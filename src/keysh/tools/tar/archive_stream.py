"""The archive's bytes: open the file or pipe, and decompress or compress on the way."""

from __future__ import annotations

from keysh.archive.byte_source import ByteSource, DamagedData, chunks_of
from keysh.archive.bzip2_xz import (
    BZIP2_MAGIC,
    LZMA_MAGIC,
    XZ_MAGIC,
    compress_bzip2,
    compress_xz,
    decompress_bzip2,
    decompress_xz,
)
from keysh.archive.gzip import GZIP_MAGIC, GzipStream
from keysh.gnu.compressors import reads_terminal
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.tools.gzip import fault_messages
from keysh.tools.tar.safe_names import FATAL_STATUS, fatal_error, shown_name
from keysh.tools.xz.command import FAULT_MESSAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import TarSettings
    from keysh.vfs.stream import Stream

MAGICS = {"gzip": GZIP_MAGIC, "bzip2": BZIP2_MAGIC, "xz": XZ_MAGIC, "lzma": LZMA_MAGIC}
PACKING_OPTIONS = {"gzip": "-z", "bzip2": "-j", "xz": "-J", "lzma": "--lzma"}
DECOMPRESSORS: dict[str, Callable[[ByteSource], Iterator[bytes]]] = {
    "gzip": lambda source: GzipStream().decompress(source), "bzip2": decompress_bzip2,
    "xz": decompress_xz, "lzma": decompress_xz,
}  # fmt: skip
COMPRESSORS: dict[str, Callable[[Iterable[bytes], int | None], Iterator[bytes]]] = {
    "gzip": lambda data, level: GzipStream().compress(data, 6 if level is None else level),
    "bzip2": lambda data, level: compress_bzip2(data, level or 9),
    "xz": lambda data, level: compress_xz(data, 6 if level is None else level),
    "lzma": lambda data, level: compress_xz(data, 6 if level is None else level, older=True),
}
REFUSAL = "Refusing to {} archive contents {} terminal (missing -f option?)"
CHILD_STATUS = {"gzip": 1, "bzip2": 2, "xz": 1, "lzma": 1}
BZIP2_MESSAGES = {
    "magic": "bzip2: (stdin) is not a bzip2 file.",
    "end": "\nbzip2: Compressed file ends unexpectedly",
    "garbage": "\nbzip2: (stdin): trailing garbage after EOF ignored",
    "data": "\nbzip2: Data integrity error when decompressing.",
}


class ArchiveInput:
    """The archive to read, as a source of decompressed bytes. It must be closed."""

    __slots__ = ("_sh", "_stream", "is_packed", "source")

    def __init__(self, sh: Call, settings: TarSettings) -> None:
        self._sh = sh
        self._stream: Stream | None = None
        name = settings.archive
        if name == "-":
            if reads_terminal(sh):
                raise fatal_error(sh, REFUSAL.format("read", "from"))
            source = ByteSource((bytes_of_text(chunk) for chunk in sh.stdin.chunks()), sh.tick)
        else:
            self._stream = open_archive(sh, name, "r")
            source = ByteSource(self._chunks(name, self._stream), sh.tick)
        packing = settings.packing
        detected = next((kind for kind, magic in MAGICS.items() if starts_with(source, magic)), "")
        if detected and not packing:
            if name == "-":
                raise fatal_error(
                    sh, f"Archive is compressed. Use {PACKING_OPTIONS[detected]} option"
                )
            packing = detected
        self.is_packed = bool(packing)
        self.source = ByteSource(self._decompress(packing, source)) if packing else source

    def _chunks(self, name: str, stream: Stream) -> Iterator[bytes]:
        try:
            yield from chunks_of(stream.read)
        except OSError as error:
            self._sh.warn(f"{shown_name(name)}: Cannot read: {os_error_text(error)}", FATAL_STATUS)
            raise fatal_error(self._sh, "At beginning of tape, quitting now") from None

    def _decompress(self, packing: str, source: ByteSource) -> Iterator[bytes]:
        try:
            for piece in DECOMPRESSORS[packing](source):
                self._sh.unpacked(len(piece))
                yield piece
        except DamagedData as damaged:
            if damaged.fault == "zeros":
                return
            self._sh.complain(fault_message(packing, damaged))
            status = 2 if damaged.fault == "garbage" else CHILD_STATUS[packing]
            if damaged.fault != "garbage" or packing == "gzip":
                raise fatal_error(self._sh, f"Child returned status {status}") from None

    def read_to_end(self) -> None:
        """Decompress what follows the archive's end, so that the checksum is verified."""
        if self.is_packed:
            for _ in self.source.rest():
                self._sh.tick()

    def close(self) -> None:
        """Close the archive's file."""
        if self._stream is not None:
            self._stream.close()


def fault_message(packing: str, damaged: DamagedData) -> str:
    """Return the message of the decompressor that GNU tar would run."""
    if packing == "bzip2":
        return BZIP2_MESSAGES[damaged.fault]
    if packing in ("xz", "lzma"):
        return f"xz: (stdin): {FAULT_MESSAGES[damaged.fault]}"
    if damaged.fault == "garbage":
        return "\ngzip: stdin: decompression OK, trailing garbage ignored"
    return "\n".join(f"\ngzip: stdin{words}" for words in fault_messages(damaged))


def starts_with(source: ByteSource, magic: bytes) -> bool:
    """Whether the next bytes of a source are `magic`."""
    return source.peek(len(magic)) == magic


def open_archive(sh: Call, name: str, access: str) -> Stream:
    """Open the archive's file. `access` is "r", "w" or "rw"."""
    try:
        if access != "r":
            return sh.open(name, "w" if access == "w" else "rw")
        if sh.fs.stat(sh.path(name), follow=True).is_directory:
            sh.warn(f"{shown_name(name)}: Cannot read: Is a directory", FATAL_STATUS)
            raise fatal_error(sh, "At beginning of tape, quitting now")
        return sh.open(name)
    except OSError as error:
        raise fatal_error(sh, f"{shown_name(name)}: Cannot open: {os_error_text(error)}") from None
