"""Archives, which the rows of magic.py cannot describe: tar, zip, ar."""

from __future__ import annotations

from keysh.tools.file.contents import little_endian, text_to_nul

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

ZIP_METHODS = {0: "store", 8: "deflate", 9: "deflate64", 12: "bzip2", 14: "lzma", 93: "zstd",
               95: "xz"}  # fmt: skip
OFFICE = {
    b"word": ("Microsoft Word 2007+", "wordprocessingml.document"),
    b"ppt/": ("Microsoft PowerPoint 2007+", "presentationml.presentation"),
    b"xl/": ("Microsoft Excel 2007+", "spreadsheetml.sheet"),
}
OFFICE_MEDIA = "application/vnd.openxmlformats-officedocument."
OPEN_DOCUMENTS = {
    b"text": "Text", b"spreadsheet": "Spreadsheet", b"presentation": "Presentation",
    b"graphics": "Drawing", b"formula": "Formula", b"chart": "Chart", b"database": "Database",
}  # fmt: skip
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument."
OFFICE_STARTS = (b"[Content_Types].xml", b"_rels/.rels", b"docProps/app.xml")
MIN_ZIP_BYTES = 30
MAX_OFFICE_MEMBERS = 4  # to search for the name of the document
TAR_CHECKSUM = slice(148, 156)


def archive_kind(contents: FileContents) -> Kind | None:
    """Return the kind of a zip or ar archive, else None."""
    if contents.head.startswith(b"PK\x03\x04") and len(contents.head) >= MIN_ZIP_BYTES:
        return zip_kind(contents.head)
    return ar_kind(contents.head) if contents.head.startswith(b"!<arch>\n") else None


def tar_kind(contents: FileContents) -> Kind | None:
    """Return the kind of a tar archive, which the checksum of its header proves, else None."""
    block = contents.head[:512]
    digits = block[TAR_CHECKSUM].strip(b" \0")
    if len(block) < 512 or not digits or digits.strip(b"01234567"):
        return None
    if sum(block) - sum(block[TAR_CHECKSUM]) + 8 * 0x20 != int(digits, 8):
        return None
    magic = block[257:265]
    if magic == b"ustar  \0":
        return "POSIX tar archive (GNU)", "application/x-tar"
    is_posix = magic.startswith(b"ustar\0")
    return "POSIX tar archive" if is_posix else "tar archive", "application/x-tar"


def zip_kind(data: bytes) -> Kind:
    """Return the kind of a zip archive, which its first member may tell."""
    name_size, extra_size = little_endian(data, 26, 2), little_endian(data, 28, 2)
    name, content = data[30 : 30 + name_size], 30 + name_size + extra_size
    if name == b"mimetype":
        media = data[content : content + 64]
        if media.startswith(b"application/epub+zip"):
            return "EPUB document", "application/epub+zip"
        kind = media.removeprefix(OPEN_DOCUMENT)
        for start, words in OPEN_DOCUMENTS.items():
            if kind != media and kind.startswith(start):
                return f"OpenDocument {words}", (OPEN_DOCUMENT + start).decode()
    if name in OFFICE_STARTS and (document := office_kind(data)):
        return document
    if name == b"AndroidManifest.xml":
        words = "Android package (APK), with AndroidManifest.xml"
        return words, "application/vnd.android.package-archive"
    is_jar = name == b"META-INF/MANIFEST.MF" and data[content - 4 :][:2] == b"\xfe\xca"
    if is_jar and extra_size:
        return "Java archive data (JAR)", "application/java-archive"
    version, method = little_endian(data, 4, 2), little_endian(data, 8, 2)
    words = f"Zip archive data, at least v{version // 10}.{version % 10} to extract"
    if method in ZIP_METHODS:
        words += f", compression method={ZIP_METHODS[method]}"
    return words, "application/zip"


def office_kind(data: bytes) -> Kind | None:
    """Return the kind of an Office document, which one of the first members names."""
    position = 0
    for _ in range(MAX_OFFICE_MEMBERS):
        position = data.find(b"PK\x03\x04", position + 1 if position else 0)
        if position < 0:
            return None
        for start, (words, kind) in OFFICE.items():
            if data.startswith(start, position + 30):
                return words, OFFICE_MEDIA + kind
        position += 30
    return None


def ar_kind(data: bytes) -> Kind:
    """Return the kind of an ar archive, which may be a Debian package."""
    if data[8:21] != b"debian-binary":
        return "current ar archive", "application/x-archive"
    words = f"Debian binary package (format {text_to_nul(data, 68, 3)})"
    control, content = (
        data[position : position + 16].strip(b" ").decode("latin-1")
        for position in (72, next_member(data, 72))
    )
    if control.startswith("control.tar"):
        words += f", with {control}"
    if content.startswith("data.tar"):
        words += f", data compression {content.rpartition('.')[2].strip('/')}"
    return words, "application/vnd.debian.binary-package"


def next_member(data: bytes, position: int) -> int:
    """Return the position of the member after the one at a position."""
    digits = data[position + 48 : position + 58].strip()
    size = int(digits) if digits.isdigit() else 0
    return position + 60 + size + size % 2
