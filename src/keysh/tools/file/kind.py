"""Kind: what a file is, in words and as a media type, by what its contents begin with."""

from __future__ import annotations

import re

import keysh.tools.file.documents as documents
import keysh.tools.file.packed as packed
import keysh.tools.file.pictures as pictures
import keysh.tools.file.programs as programs
import keysh.tools.file.sound as sound
from keysh.tools.file.contents import OCTET_STREAM
from keysh.tools.file.elf import elf
from keysh.tools.file.script_line import script_kind
from keysh.tools.file.source_text import source_kind
from keysh.tools.file.text_form import text_form
from keysh.tools.file.unpacked import ZLIB_HEADERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.file.contents import FileContents, Kind
    from keysh.tools.file.text_form import TextForm


# Structured text: JSON, JSON lines and comma-separated values, told by reading them.

MAX_CSV_CHARACTERS = 1 << 16  # characters of values between commas
MAX_CSV_LINES = 10  # of values between commas, then they are believed to be such
MIN_CSV_LINES = 3
JSON_BLANKS = re.compile(r"[ \t\r\n]*")
QUOTED_FIELD = re.compile(r'"(?:[^"]|"")*(?:"|$)')


def structured_kind(text: str, *, is_whole: bool) -> Kind | None:
    """What a text is that has such a structure; None for any other."""
    if is_whole and text.lstrip()[:1] in ("{", "["):
        count = json_values(text)
        if count:
            lines = ("New Line Delimited JSON text data", "application/x-ndjson")
            return ("JSON text data", "application/json") if count == 1 else lines
    return ("CSV text", "text/csv") if is_comma_separated(text) else None


def json_values(text: str) -> int:
    """How many objects and lists a text consists of; 0 where there is anything else."""
    from json import JSONDecoder  # noqa: PLC0415 - only for what looks like it

    decoder = JSONDecoder(parse_constant=refuse_constant, parse_int=str, parse_float=str)
    count, at = 0, JSON_BLANKS.match(text).end()  # type: ignore[union-attr]
    try:
        while at < len(text):
            if text[at] not in "{[":
                return 0
            _, at = decoder.raw_decode(text, at)
            at = JSON_BLANKS.match(text, at).end()  # type: ignore[union-attr]
            count += 1
    except (ValueError, RecursionError):
        return 0
    return count


def refuse_constant(constant: str) -> None:
    """NaN and its kin, which are no JSON."""
    raise ValueError(constant)


def is_comma_separated(text: str) -> bool:
    """Whether each line has as many commas as the first; quotes keep commas and lines together."""
    lines = QUOTED_FIELD.sub("", text[:MAX_CSV_CHARACTERS]).split("\n")[:-1][:MAX_CSV_LINES]
    counts = {line.count(",") for line in lines}
    return len(lines) >= MIN_CSV_LINES and len(counts) == 1 and 0 not in counts


UNKNOWN_DATA = ("data", OCTET_STREAM)


# The bytes at the very beginning, and what looks further; None from there is no answer.
HEADERS: tuple[tuple[bytes, Callable[[FileContents], Kind | None]], ...] = (
    (b"\x7fELF", elf),
    (b"\x89PNG\r\n\x1a\n", pictures.png),
    (b"\xff\xd8\xff", pictures.jpeg),
    (b"GIF8", pictures.gif),
    (b"BM", pictures.bmp),
    (b"II*\0", pictures.tiff),
    (b"MM\0*", pictures.tiff),
    (b"8BPS", pictures.photoshop),
    (b"gimp xcf ", pictures.gimp),
    (b"RIFF", sound.riff),
    (b"RIFX", sound.riff),
    (b"OggS", sound.ogg),
    (b"fLaC", sound.flac),
    (b"ID3", sound.id3),
    (b"\xff", sound.mpeg),
    (b"\x1aE\xdf\xa3", sound.matroska),
    (b"MThd", sound.midi),
    (b"\x1f\x8b", packed.gzip),
    (b"BZh", packed.bzip2),
    (b"\xfd7zXZ\0", packed.xz),
    (b"7z\xbc\xaf\x27\x1c", packed.seven_zip),
    (b"PK\x03\x04", packed.zip_archive),
    (b"!<arch>\n", packed.unix_archive),
    (b"MZ", programs.portable),
    (b"\xcf\xfa\xed\xfe", programs.mach),
    (b"\xce\xfa\xed\xfe", programs.mach),
    (b"\xca\xfe\xba\xbe", programs.class_or_fat),
    (b"\0asm", programs.wasm),
    (b"\x1bLua", programs.lua),
    (b"\0\1\0\0\0", documents.true_type),
    (b"wOFF", documents.web_font),
    (b"wOF2", documents.web_font),
    (b"DIRC\0\0", documents.git),
    (b"PACK\0\0", documents.git),
    (b"\x93NUMPY", documents.numpy),
    (b"\xd4\xc3\xb2\xa1", programs.capture),
    (b"dex\n", programs.dalvik),
    (b"SQLite format 3\0", documents.sqlite),
    (b"%PDF-", documents.pdf),
    (b"{\\rtf", documents.rtf),
)
# How many bytes there must be at least, so that what begins like a header is believed to be one.
MIN_HEADER_BYTES = {
    b"\xff\xd8\xff": 4, b"\x1f\x8b": 4, b"PK\x03\x04": 30, b"MZ": 64, b"\xca\xfe\xba\xbe": 8,
    b"SQLite format 3\0": 100, b"\0asm": 8, b"dex\n": 8, b"PACK\0\0": 12, b"DIRC\0\0": 12,
    b"fLaC": 26, b"MThd": 14, b"wOFF": 8, b"wOF2": 8, b"7z\xbc\xaf\x27\x1c": 8,
}  # fmt: skip
# Where the bytes stand, the bytes, and all that is said; the first that fits counts.
PLAIN_HEADERS = (
    (0, b"PK\x05\x06", "Zip archive data (empty)", "application/zip"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+), Dictionary ID: None",
     "application/zstd"),
    (0, b"\x04\x22\x4d\x18", "LZ4 compressed data (v1.4+)", "application/x-lz4"),
    (0, b"LZIP\1", "lzip compressed data, version: 1", "application/x-lzip"),
    (0, b"]\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff", "LZMA compressed data, streamed",
     "application/x-lzma"),
    (0, b"\x1f\x9d\x90", "compress'd data 16 bits", "application/x-compress"),
    (0, b"Rar!\x1a\x07\0", "RAR archive data", "application/x-rar"),
    (0, b"Rar!\x1a\x07\1\0", "RAR archive data, v5", "application/x-rar"),
    (0, b"070701", "ASCII cpio archive (SVR4 with no CRC)", "application/x-cpio"),
    (0, b"070702", "ASCII cpio archive (SVR4 with CRC)", "application/x-cpio"),
    (0, b"070707", "ASCII cpio archive (pre-SVR4 or odc)", "application/x-cpio"),
    (0, b"FLV\1", "Macromedia Flash Video", "video/x-flv"),
    (0, b"\0\0\1\xba", "MPEG sequence, v1, system multiplex", "video/mpeg"),
    (0, b"AT&TFORM", "DjVu image or single page document", "image/vnd.djvu"),
    (0, b"OTTO", "OpenType font data", "application/vnd.ms-opentype"),
    (0, b"\x89LZO\0\r\n\x1a\n", "lzop compressed data", OCTET_STREAM),
    (510, b"\x55\xaa", "DOS/MBR boot sector", OCTET_STREAM),
    (0, b"bplist", "Apple binary property list", OCTET_STREAM),
    (0, b"\x89HDF\r\n\x1a\n", "Hierarchical Data Format (version 5) data", "application/x-hdf5"),
    (0, b"PAR1", "Apache Parquet", OCTET_STREAM),
    (0, b"Obj\1", "Apache Avro version 1", OCTET_STREAM),
    (0, b"\x0a\x0d\x0d\x0a", "pcapng capture file - version 1.0", OCTET_STREAM),
    (0, b"KDMV", "VMware4 disk image", OCTET_STREAM),
    (32769, b"CD001", "ISO 9660 CD-ROM filesystem data", "application/x-iso9660-image"),
)  # fmt: skip


def file_kind(contents: FileContents) -> Kind:
    """What a file is that holds this."""
    data = contents.head
    if not data:
        return "empty", "inode/x-empty"
    if contents.is_whole and len(data) == 1:
        return "very short file (no magic)", OCTET_STREAM
    form = text_form(data)
    found = packed.tar(contents)
    if found is None and form is not None:
        found = structured_kind(whole_text(data), is_whole=contents.is_whole)
    return found or header_kind(contents) or text_kind(contents, form)


def whole_text(data: bytes) -> str:
    """The bytes as text, which is ASCII where structure is told."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def header_kind(contents: FileContents) -> Kind | None:
    """What a header of bytes tells; None where none is known."""
    data = contents.head
    for magic, look in HEADERS:
        is_told = data.startswith(magic) and len(data) >= MIN_HEADER_BYTES.get(magic, 0)
        if is_told and (found := look(contents)) is not None:
            return found
    for at, magic, words, media in PLAIN_HEADERS:
        if data.startswith(magic, at):
            return words, media
    if data[2:4] == b"\r\n":
        return programs.python(contents)
    return sound.iso_media(contents) if data[4:8] == b"ftyp" else None


def text_kind(contents: FileContents, form: TextForm | None) -> Kind:
    """What kind of text it is, or that it is none."""
    picture = pictures.netpbm(contents.head)
    if picture is not None:
        (words, media), is_text = picture
        return f"{words}, {form.description()}" if form and is_text else words, media
    if form is None and contents.head.startswith(ZLIB_HEADERS):
        return "zlib compressed data", "application/zlib"
    if form is None:
        return UNKNOWN_DATA
    return script_kind(form) or source_kind(form) or (form.description(), "text/plain")
