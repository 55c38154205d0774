"""Carrier: the bytes of an archive, from a file or a pipe and to one, packed or not."""

from __future__ import annotations

from keysh.archive.byte_source import Damaged, Source, chunks_of
from keysh.archive.bzip2_xz import (
    BZIP2,
    LZMA,
    XZ,
    bzip2_compressed,
    bzip2_expanded,
    xz_compressed,
    xz_expanded,
)
from keysh.archive.gzip import MAGIC, Gzip
from keysh.gnu.compressors import is_typed
from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.tools.gzip import words_of
from keysh.tools.tar.names import FATAL, fatal, shown_name
from keysh.tools.xz.command import FAULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import Settings
    from keysh.vfs.api import Stream

MAGICS = {"gzip": MAGIC, "bzip2": BZIP2, "xz": XZ, "lzma": LZMA}
LETTERS = {"gzip": "-z", "bzip2": "-j", "xz": "-J", "lzma": "--lzma"}
EXPANDERS: dict[str, Callable[[Source], Iterator[bytes]]] = {
    "gzip": lambda source: Gzip().expanded(source), "bzip2": bzip2_expanded, "xz": xz_expanded,
    "lzma": xz_expanded,
}  # fmt: skip
COMPRESSORS: dict[str, Callable[[Iterable[bytes], int | None], Iterator[bytes]]] = {
    "gzip": lambda data, level: Gzip().compressed(data, 6 if level is None else level),
    "bzip2": lambda data, level: bzip2_compressed(data, level or 9),
    "xz": lambda data, level: xz_compressed(data, 6 if level is None else level),
    "lzma": lambda data, level: xz_compressed(data, 6 if level is None else level, older=True),
}
REFUSAL = "Refusing to {} archive contents {} terminal (missing -f option?)"
CHILD_STATUS = {"gzip": 1, "bzip2": 2, "xz": 1, "lzma": 1}
BZIP2_SAYINGS = {
    "magic": "bzip2: (stdin) is not a bzip2 file.",
    "end": "\nbzip2: Compressed file ends unexpectedly",
    "garbage": "\nbzip2: (stdin): trailing garbage after EOF ignored",
    "data": "\nbzip2: Data integrity error when decompressing.",
}


class Unpacking:
    """The archive that is read, as a source of its own bytes; to be closed."""

    __slots__ = ("_sh", "_stream", "is_packed", "source")

    def __init__(self, sh: Call, settings: Settings) -> None:
        self._sh = sh
        self._stream: Stream | None = None
        name = settings.archive
        if name == "-":
            if is_typed(sh):
                raise fatal(sh, REFUSAL.format("read", "from"))
            source = Source((encoded(chunk) for chunk in sh.stdin.chunks()), sh.tick)
        else:
            self._stream = opened(sh, name, "r")
            source = Source(self._chunks(name, self._stream), sh.tick)
        packing = settings.packing
        found = next((kind for kind, magic in MAGICS.items() if is_at(source, magic)), "")
        if found and not packing:
            if name == "-":
                raise fatal(sh, f"Archive is compressed. Use {LETTERS[found]} option")
            packing = found
        self.is_packed = bool(packing)
        self.source = Source(self._expanded(packing, source)) if packing else source

    def _chunks(self, name: str, stream: Stream) -> Iterator[bytes]:
        try:
            yield from chunks_of(stream.read)
        except OSError as error:
            self._sh.warn(f"{shown_name(name)}: Cannot read: {why(error)}", FATAL)
            raise fatal(self._sh, "At beginning of tape, quitting now") from None

    def _expanded(self, packing: str, source: Source) -> Iterator[bytes]:
        try:
            for piece in EXPANDERS[packing](source):
                self._sh.unpacked(len(piece))
                yield piece
        except Damaged as damaged:
            if damaged.fault == "zeros":
                return
            self._sh.err.write(f"{said(packing, damaged)}\n")
            status = 2 if damaged.fault == "garbage" else CHILD_STATUS[packing]
            if damaged.fault != "garbage" or packing == "gzip":
                raise fatal(self._sh, f"Child returned status {status}") from None

    def read_up(self) -> None:
        """Unpack what is behind the archive's end: only then its packer's sum has been checked."""
        if self.is_packed:
            for _ in self.source.rest():
                self._sh.tick()

    def close(self) -> None:
        """Nothing more will be read."""
        if self._stream is not None:
            self._stream.close()


def said(packing: str, damaged: Damaged) -> str:
    """What the program that GNU tar starts would say."""
    if packing == "bzip2":
        return BZIP2_SAYINGS[damaged.fault]
    if packing in ("xz", "lzma"):
        return f"xz: (stdin): {FAULTS[damaged.fault]}"
    if damaged.fault == "garbage":
        return "\ngzip: stdin: decompression OK, trailing garbage ignored"
    return "\n".join(f"\ngzip: stdin{words}" for words in words_of(damaged))


def is_at(source: Source, magic: bytes) -> bool:
    """Whether a source begins so."""
    return source.peek(len(magic)) == magic


def opened(sh: Call, name: str, access: str) -> Stream:
    """The archive's file."""
    try:
        if access != "r":
            return sh.open(name, "w" if access == "w" else "rw")
        if sh.fs.stat(sh.path(name), follow=True).is_directory:
            sh.warn(f"{shown_name(name)}: Cannot read: Is a directory", FATAL)
            raise fatal(sh, "At beginning of tape, quitting now")
        return sh.open(name)
    except OSError as error:
        raise fatal(sh, f"{shown_name(name)}: Cannot open: {why(error)}") from None
