"""Packed: what the headers of archives and compressed files tell."""

from __future__ import annotations

from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import UTC_ZONE
from keysh.tools.file.contents import big_endian, little_endian, text_to_nul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

ZIP_TYPE, ZSTD = "application/zip", "application/zstd"
GZIP_SYSTEMS = (
    "FAT filesystem (MS-DOS, OS/2, NT)", "Amiga", "VMS", "Unix", "VM/CMS", "Atari",
    "HPFS filesystem (OS/2, NT)", "MacOS", "Z-System", "CP/M", "TOPS/20",
    "NTFS filesystem (NT)", "QDOS", "Acorn RISCOS",
)  # fmt: skip
HAS_CHECK, HAS_EXTRA, HAS_NAME, HAS_COMMENT, IS_LOCKED = 2, 4, 8, 16, 32
MIN_GZIP_BYTES = 18  # bytes
GZIP_SPEEDS = {2: "max compression", 4: "max speed"}
XZ_CHECKS = {0: "NONE", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}
ZIP_METHODS = {0: "store", 8: "deflate", 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd",
               95: "xz"}  # fmt: skip
OFFICE = {
    b"word": ("Microsoft Word 2007+", "wordprocessingml.document"),
    b"ppt/": ("Microsoft PowerPoint 2007+", "presentationml.presentation"),
    b"xl/": ("Microsoft Excel 2007+", "spreadsheetml.sheet"),
}
OPEN_DOCUMENTS = {
    b"text": "Text", b"spreadsheet": "Spreadsheet", b"presentation": "Presentation",
    b"graphics": "Drawing", b"formula": "Formula", b"chart": "Chart", b"database": "Database",
}  # fmt: skip
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
TAR_CHECKSUM = slice(148, 156)


def gzip(contents: FileContents) -> Kind:
    data, said = contents.head, ["gzip compressed data"]
    if len(data) < 10:
        return said[0], "application/gzip"
    flags = data[3]
    if data[2] != 8:
        said.append("reserved method")
    if flags & 1:
        said.append("ASCII")
    if flags & HAS_CHECK:
        said.append("has CRC")
    if flags & HAS_EXTRA:
        said.append("extra field")
    elif flags & HAS_NAME:
        said.append(f'was "{text_to_nul(data, 10)}"')
    if flags & HAS_COMMENT:
        said.append("has comment")
    if flags & IS_LOCKED:
        said.append("encrypted")
    if seconds := little_endian(data, 4, 4):
        said.append(f"last modified: {date_text(seconds)}")
    if data[8] in GZIP_SPEEDS:
        said.append(GZIP_SPEEDS[data[8]])
    if data[9] < len(GZIP_SYSTEMS):
        said.append(f"from {GZIP_SYSTEMS[data[9]]}")
    if contents.is_file and contents.size >= MIN_GZIP_BYTES:
        length = little_endian(contents.read_part(contents.size - 4, 4), 0, 4)
        said.append(f"original size modulo 2^32 {length}")
    return ", ".join(said), "application/gzip"


def date_text(seconds: int) -> str:
    """A time as file names it, in UTC."""
    return format_moment("%a %b %e %H:%M:%S %Y", Moment(seconds * 10**9, UTC_ZONE))


def bzip2(contents: FileContents) -> Kind:
    data, said = contents.head, "bzip2 compressed data"
    if len(data) > 3:
        said += f", block size = {chr(data[3])}00k"
    return said, "application/x-bzip2"


def xz(contents: FileContents) -> Kind:
    check = XZ_CHECKS.get(big_endian(contents.head, 7, 1) & 15)
    said = f", checksum {check}" if check else ""
    return f"XZ compressed data{said}", "application/x-xz"


def seven_zip(contents: FileContents) -> Kind:
    data = contents.head
    version = f"{big_endian(data, 6, 1)}.{big_endian(data, 7, 1)}"
    return f"7-zip archive data, version {version}", "application/x-7z-compressed"


def zip_archive(contents: FileContents) -> Kind:
    data = contents.head
    first = data[30 : 30 + little_endian(data, 26, 2)]
    content = 30 + little_endian(data, 26, 2) + little_endian(data, 28, 2)
    if first == b"mimetype":
        media = data[content : content + 64]
        if media.startswith(b"application/epub+zip"):
            return "EPUB document", "application/epub+zip"
        if media.startswith(OPEN_DOCUMENT):
            kind = media[len(OPEN_DOCUMENT) :]
            for name, words in OPEN_DOCUMENTS.items():
                if kind.startswith(name):
                    full = (OPEN_DOCUMENT + name).decode()
                    return f"OpenDocument {words}", full
    if first in (b"[Content_Types].xml", b"_rels/.rels", b"docProps/app.xml"):
        found = office(data)
        if found:
            return found
    if first == b"AndroidManifest.xml":
        words = "Android package (APK), with AndroidManifest.xml"
        return words, "application/vnd.android.package-archive"
    if (
        first == b"META-INF/MANIFEST.MF"
        and little_endian(data, 28, 2)
        and data[content - 4 :][:2] == b"\xfe\xca"
    ):
        return "Java archive data (JAR)", "application/java-archive"
    version, method = little_endian(data, 4, 2), little_endian(data, 8, 2)
    said = f"at least v{version // 10}.{version % 10} to extract"
    packing = f", compression method={ZIP_METHODS[method]}" if method in ZIP_METHODS else ""
    return f"Zip archive data, {said}{packing}", ZIP_TYPE


def office(data: bytes) -> Kind | None:
    """A document of an office program, told by its third or fourth member."""
    at = 0
    for _ in range(4):
        at = data.find(b"PK\x03\x04", at + 1 if at else 0)
        if at < 0:
            return None
        for start, (words, kind) in OFFICE.items():
            if data.startswith(start, at + 30):
                media = f"application/vnd.openxmlformats-officedocument.{kind}"
                return words, media
        at += 30
    return None


def tar(contents: FileContents) -> Kind | None:
    """An archive of tar, which its header's sum tells."""
    block = contents.head[:512]
    digits = block[TAR_CHECKSUM].strip(b" \0")
    if len(block) < 512 or not digits or digits.strip(b"01234567"):
        return None
    if sum(block) - sum(block[TAR_CHECKSUM]) + 8 * 0x20 != int(digits, 8):
        return None
    magic = block[257:265]
    if magic == b"ustar  \0":
        return "POSIX tar archive (GNU)", "application/x-tar"
    if magic.startswith(b"ustar\0"):
        return "POSIX tar archive", "application/x-tar"
    return "tar archive", "application/x-tar"


def unix_archive(contents: FileContents) -> Kind:
    data = contents.head
    if data[8:21] != b"debian-binary":
        return "current ar archive", "application/x-archive"
    said = f"Debian binary package (format {text_to_nul(data, 68, 3)})"
    names = [data[at : at + 16].strip(b" ") for at in (72, next_member(data, 72))]
    if names[0].startswith(b"control.tar"):
        said += f", with {names[0].decode('latin-1')}"
    if names[1].startswith(b"data.tar"):
        said += f", data compression {names[1].rpartition(b'.')[2].decode('latin-1').strip('/')}"
    return said, "application/vnd.debian.binary-package"


def next_member(data: bytes, at: int) -> int:
    """Where the member behind one begins."""
    digits = data[at + 48 : at + 58].strip()
    size = int(digits) if digits.isdigit() else 0
    return at + 60 + size + size % 2
