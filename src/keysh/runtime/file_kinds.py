"""File kinds: what a file's first bytes tell of its contents, in words and as a media type."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Kind: TypeAlias = "tuple[str, str]"

# Where the bytes stand, the bytes, and what they mean; the first that fits counts.
MAGIC: tuple[tuple[int, bytes, str, str], ...] = (
    (0, b"\x7fELF", "ELF executable", "application/x-executable"),
    (0, b"\x89PNG\r\n\x1a\n", "PNG image data", "image/png"),
    (0, b"\xff\xd8\xff", "JPEG image data", "image/jpeg"),
    (0, b"GIF8", "GIF image data", "image/gif"),
    (0, b"%PDF-", "PDF document", "application/pdf"),
    (0, b"\x1f\x8b", "gzip compressed data", "application/gzip"),
    (0, b"BZh", "bzip2 compressed data", "application/x-bzip2"),
    (0, b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "Zstandard compressed data", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed"),
    (0, b"PK\x03\x04", "Zip archive data", "application/zip"),
    (0, b"PK\x05\x06", "Zip archive data (empty)", "application/zip"),
    (257, b"ustar", "POSIX tar archive", "application/x-tar"),
    (0, b"SQLite format 3\0", "SQLite 3.x database", "application/vnd.sqlite3"),
    (0, b"RIFF", "RIFF (little-endian) data", "application/octet-stream"),
    (0, b"OggS", "Ogg data", "application/ogg"),
    (0, b"ID3", "Audio file with ID3", "audio/mpeg"),
    (4, b"ftyp", "ISO Media", "video/mp4"),
    (0, b"\xca\xfe\xba\xbe", "compiled Java class data", "application/x-java-applet"),
    (0, b"\0asm", "WebAssembly (wasm) binary module", "application/wasm"),
    (0, b"!<arch>\n", "current ar archive", "application/x-archive"),
    (0, b"MZ", "MS-DOS executable", "application/x-dosexec"),
)
STARTS: tuple[tuple[str, str, str], ...] = (
    ("<?xml", "XML 1.0 document", "text/xml"),
    ("<!doctype html", "HTML document", "text/html"),
    ("<html", "HTML document", "text/html"),
)
SCRIPTS = {
    "sh": ("POSIX shell script", "text/x-shellscript"),
    "dash": ("POSIX shell script", "text/x-shellscript"),
    "bash": ("Bourne-Again shell script", "text/x-shellscript"),
    "python": ("Python script", "text/x-script.python"),
    "perl": ("Perl script", "text/x-perl"),
    "node": ("Node.js script", "application/javascript"),
    "ksh": ("Korn shell script", "text/x-shellscript"),
    "keysh": ("keysh script", "text/x-keysh"),
}
CHARSETS = {"ASCII": "us-ascii", "UTF-8": "utf-8", "ISO-8859": "iso-8859-1"}
# Bytes that are in no text.
BINARY = bytes(byte for byte in range(32) if byte not in b"\a\b\t\n\v\f\r\x1b") + b"\x7f"
MOST = 1 << 16  # bytes that are looked at
LONG_LINE = 300


def kind_of(data: bytes, *, is_whole: bool) -> Kind:
    """What a file is whose first bytes these are; all of them if `is_whole`."""
    if not data:
        return "empty", "inode/x-empty"
    for at, magic, name, media in MAGIC:
        if data.startswith(magic, at):
            return name, media
    coding = coding_of(data, is_whole)
    if not coding:
        return "data", "application/octet-stream"
    text = data.decode("utf-8" if coding == "UTF-8" else "latin-1", "ignore")
    return text_kind(text, coding, is_whole)


def coding_of(data: bytes, is_whole: bool) -> str:
    """The coding of a text; empty where it is none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    if len(data.translate(None, BINARY)) < len(data):
        return ""
    if data.isascii():
        return "ASCII"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        is_cut = not is_whole and error.start > len(data) - 4 and "end of data" in error.reason
        if not is_cut:
            return "" if any(0x80 <= byte < 0xA0 for byte in data) else "ISO-8859"
    return "UTF-8"


def charset_of(data: bytes, *, is_whole: bool) -> str:
    """The coding by the name that media types have for it."""
    coding = coding_of(data, is_whole) if data else ""
    if coding == "UTF-16":
        return "utf-16le" if data.startswith(b"\xff\xfe") else "utf-16be"
    return CHARSETS.get(coding, "binary")


def text_kind(text: str, coding: str, is_whole: bool) -> Kind:
    """What kind of text it is."""
    name = {"UTF-8": "Unicode text, UTF-8 text", "UTF-16": "Unicode text, UTF-16 text"}.get(
        coding, f"{coding} text"
    )
    if coding == "UTF-16":
        return name, "text/plain"
    ends = line_ends(text)
    start = text[:200].lstrip().lower()
    if text.startswith("#!"):
        words = text[2 : text.find("\n") % (len(text) + 1)].split()
        program = (
            (words[1:] or [""])[0] if words and words[0].endswith("/env") else "".join(words[:1])
        )
        script = SCRIPTS.get(program.rpartition("/")[2].rstrip("0123456789."))
        if script:
            return f"{script[0]}, {name} executable{ends}", script[1]
        return f"a {program} script, {name} executable{ends}", "text/plain"
    for begins, kind, media in STARTS:
        if start.startswith(begins):
            return f"{kind}, {name}{ends}", media
    if is_whole and start[:1] in ("{", "[") and is_json(text):
        return "JSON text data", "application/json"
    return name + ends, "text/plain"


def line_ends(text: str) -> str:
    """What is to be said of a text's lines."""
    said = ""
    longest = max(map(len, text.split("\n")))
    if longest >= LONG_LINE:
        said = f", with very long lines ({longest})"
    returns, newlines = text.count("\r\n"), text.count("\n")
    lone = text.count("\r") - returns
    kinds = []
    if returns:
        kinds.append("CRLF")
    if lone:
        kinds.append("CR")
    if newlines > returns and kinds:
        kinds.append("LF")
    if kinds:
        return f"{said}, with {', '.join(kinds)} line terminators"
    return said if newlines else f"{said}, with no line terminators"


def is_json(text: str) -> bool:
    from json import loads  # noqa: PLC0415 - only for what looks like it

    try:
        loads(text)
    except (ValueError, RecursionError):
        return False
    return True
