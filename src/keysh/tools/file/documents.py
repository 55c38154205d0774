"""Documents: what the headers of pages, fonts, databases and their kin tell."""

from __future__ import annotations

import re

from keysh.tools.file.contents import OCTET_STREAM, big_endian, little_endian

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

PAGES = re.compile(rb"/Count[^\d]{0,64}(\d+)[^\d]")
RTF = re.compile(
    rb"\{\\rtf(\d)(\\ansi\b|\\mac\b)?(?:\\deff\d+)?(?:\\ansicpg(\d+))?(?:\\deff\d+)?(?:\\deflang(\d+))?"
)
RTF_SETS = {b"\\ansi": ", ANSI", b"\\mac": ", Apple Macintosh"}
SQLITE_CODINGS = {1: "UTF-8", 2: "UTF-16 little endian", 3: "UTF-16 big endian"}
DEFAULT_PAGE_BYTES = 4096


def sqlite(contents: FileContents) -> Kind:
    data, said = contents.head, ["SQLite 3.x database"]

    def tell(form: str, at: int, usual: int = 0, size: int = 4) -> None:
        number = big_endian(data, at, size)
        if number != usual:
            said.append(form.format(number))

    tell("application id {}", 68)
    tell("user version {}", 60)
    tell("last written using SQLite version {}", 96)
    tell("page size {}", 16, DEFAULT_PAGE_BYTES, 2)
    tell("writer version {}", 18, 1, 1)
    tell("read version {}", 19, 1, 1)
    tell("unused bytes {}", 20, 0, 1)
    tell("file counter {}", 24)
    tell("database pages {}", 28)
    tell("1st free page {}", 32)
    tell("free pages {}", 36)
    said.append(f"cookie {big_endian(data, 40, 4):#x}")
    tell("schema {}", 44)
    tell("cache page size {}", 48)
    tell("largest root page {}", 52)
    if big_endian(data, 56, 4) in SQLITE_CODINGS:
        said.append(SQLITE_CODINGS[big_endian(data, 56, 4)])
    tell("vacuum mode {}", 64)
    tell("version-valid-for {}", 92)
    return ", ".join(said), "application/vnd.sqlite3"


def pdf(contents: FileContents) -> Kind:
    data, said = contents.head, "PDF document"
    version = data[5:8].decode("latin-1")
    if version[1:2] == ".":
        said += f", version {version}"
    if pages := PAGES.search(data):
        said += f", {int(pages[1][:9])} pages"
    elif b"/Filter/FlateDecode/" in data[:256]:
        said += " (zip deflate encoded)"
    return said, "application/pdf"


def rtf(contents: FileContents) -> Kind:
    said, found = "Rich Text Format data, version", RTF.match(contents.head)
    if found is None:
        return f"{said}  ", "text/rtf"
    said += f" {found[1].decode()}{RTF_SETS.get(found[2], '')}"
    for words, part in (("code page", found[3]), ("default language ID", found[4])):
        said += f", {words} {part.decode()}" if part else ""
    return said, "text/rtf"


# ---------------------------------------------------------------- fonts


def true_type(contents: FileContents) -> Kind | None:
    data = contents.head
    name = data[12:16]
    if not (name.isascii() and name.decode("latin-1").isprintable()):
        return None
    said = f'{big_endian(data, 4, 2)} tables, 1st "{name.decode().rstrip()}"'
    return f"TrueType Font data, {said}", "font/sfnt"


def web_font(contents: FileContents) -> Kind:
    data = contents.head
    is_second = data[3:4] == b"2"
    kind = "CFF" if data[4:8] == b"OTTO" else "TrueType"
    version = 24 if is_second else 20
    said = f"Web Open Font Format{' (Version 2)' * is_second}, {kind}"
    if len(data) > version + 3:
        said += f", length {big_endian(data, 8, 4)}"
        said += f", version {big_endian(data, version, 2)}.{big_endian(data, version + 2, 2)}"
    return said, "font/woff2" if is_second else "font/woff"


# ---------------------------------------------------------------- other records


def git(contents: FileContents) -> Kind:
    data = contents.head
    version, count = big_endian(data, 4, 4), big_endian(data, 8, 4)
    if data.startswith(b"DIRC"):
        return f"Git index, version {version}, {count} entries", OCTET_STREAM
    return f"Git pack, version {version}, {count} objects", "application/x-git"


def numpy(contents: FileContents) -> Kind:
    data = contents.head
    version = f"{big_endian(data, 6, 1)}.{big_endian(data, 7, 1)}"
    return (
        f"NumPy array, version {version}, header length {little_endian(data, 8, 2)}",
        OCTET_STREAM,
    )
