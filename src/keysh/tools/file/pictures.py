"""Pictures: what the headers of PNG, GIF, JPEG, BMP, WebP and their kin tell."""

from __future__ import annotations

import re

from keysh.tools.file.contents import big_endian, little_endian, printable_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

PNG_COLORS = {0: " grayscale", 2: "/color RGB", 3: " colormap", 4: " gray+alpha", 6: "/color RGBA"}
JPEG_UNITS = {0: "aspect ratio", 1: "resolution (DPI)", 2: "resolution (DPCM)"}
JPEG_FRAMES = {0xC0: "baseline", 0xC1: "extended sequential", 0xC2: "progressive"}
JPEG_COMMENT = 0xFE
BMP_FORMS = {12: "OS/2 1.x format", 40: "Windows 3.x format",
             108: "Windows 95/NT4 and newer format",
             124: "Windows 98/2000 and newer format"}  # fmt: skip
PHOTOSHOP_COLORS = {0: "bitmap", 1: "grayscale", 2: "indexed", 3: "RGB", 4: "CMYK", 9: "Lab"}
GIMP_COLORS = {0: "RGB Color", 1: "Greyscale", 2: "Indexed Color"}
NETPBM = re.compile(rb"P([1-6])\s(?:#[^\n]*\n)*\s*(\d+)\s+(\d+)\s")
NETPBM_KINDS = {
    "bitmap": "image/x-portable-bitmap",
    "greymap": "image/x-portable-greymap",
    "pixmap": "image/x-portable-pixmap",
}


def png(contents: FileContents) -> Kind | None:
    data = contents.head
    if data[12:16] != b"IHDR":
        return None
    size = f"{big_endian(data, 16, 4)} x {big_endian(data, 20, 4)}"
    color = PNG_COLORS.get(big_endian(data, 25, 1), "")
    woven = "interlaced" if big_endian(data, 28, 1) else "non-interlaced"
    return f"PNG image data, {size}, {big_endian(data, 24, 1)}-bit{color}, {woven}", "image/png"


def gif(contents: FileContents) -> Kind:
    data, said = contents.head, "GIF image data"
    if data[4:6] in (b"7a", b"9a"):
        said += f", version 8{data[4:6].decode()},"
        if len(data) >= 10:
            said += f" {little_endian(data, 6, 2)} x {little_endian(data, 8, 2)}"
    return said, "image/gif"


def jpeg(contents: FileContents) -> Kind:
    data, said = contents.head, "JPEG image data"
    if data[6:10] == b"JFIF":
        said += f", JFIF standard {data[11]}.{data[12]:02}" if len(data) > 12 else ""
        said += f", {JPEG_UNITS.get(big_endian(data, 13, 1), 'aspect ratio')}"
        said += f", density {big_endian(data, 14, 2)}x{big_endian(data, 16, 2)}"
        said += f", segment length {big_endian(data, 4, 2)}"
    elif data[6:10] == b"Exif":
        return f"{said}, Exif standard: [{tiff_header(data[12:])}]", "image/jpeg"
    at = 2
    while data[at : at + 1] == b"\xff" and at + 4 <= len(data):
        mark, size = data[at + 1], big_endian(data, at + 2, 2)
        if mark == JPEG_COMMENT:
            said += f', comment: "{printable_text(data[at + 4 : at + 2 + size])}"'
        elif mark in JPEG_FRAMES:
            said += f", {JPEG_FRAMES[mark]}, precision {big_endian(data, at + 4, 1)}"
            said += f", {big_endian(data, at + 7, 2)}x{big_endian(data, at + 5, 2)}"
            said += f", components {big_endian(data, at + 9, 1)}"
            break
        at += 2 + max(size, 2)
    return said, "image/jpeg"


def tiff(contents: FileContents) -> Kind:
    return tiff_header(contents.head), "image/tiff"


def tiff_header(data: bytes) -> str:
    """A header of TIFF, which pictures of cameras have within."""
    is_big = data.startswith(b"MM")
    number = big_endian if is_big else little_endian
    entries = number(data, number(data, 4, 4), 2)
    return f"TIFF image data, {'big' if is_big else 'little'}-endian, direntries={entries}"


def bmp(contents: FileContents) -> Kind | None:
    data = contents.head
    header = little_endian(data, 14, 4)
    if header not in BMP_FORMS or len(data) < 30:
        return None
    width, height = (signed_number(data, at) for at in (18, 22))
    said = f"PC bitmap, {BMP_FORMS[header]}, {width} x {height} x {little_endian(data, 28, 2)}"
    if header == 40:
        image, across, down = (little_endian(data, at, 4) for at in (34, 38, 42))
        said += f", image size {image}" if image else ""
        said += f", resolution {across} x {down} px/m" if across else ""
    return (
        f"{said}, cbSize {little_endian(data, 2, 4)}, bits offset {little_endian(data, 10, 4)}",
        "image/bmp",
    )


def signed_number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little", signed=True)


def webp(data: bytes) -> Kind:
    """What is in a RIFF of that kind."""
    said = "RIFF (little-endian) data, Web/P image"
    if data[12:16] == b"VP8 ":
        width, height = little_endian(data, 26, 2), little_endian(data, 28, 2)
        said += f", VP8 encoding, {width & 0x3FFF}x{height & 0x3FFF}"
        said += ", Scaling: [none]x[none], YUV color, decoders should clamp"
    return said, "image/webp"


def photoshop(contents: FileContents) -> Kind:
    data = contents.head
    color = PHOTOSHOP_COLORS.get(big_endian(data, 24, 2), "")
    said = f"{big_endian(data, 18, 4)} x {big_endian(data, 14, 4)}, {color}"
    channels = f"{big_endian(data, 12, 2)}x {big_endian(data, 22, 2)}-bit channels"
    return f"Adobe Photoshop Image, {said}, {channels}", "image/vnd.adobe.photoshop"


def gimp(contents: FileContents) -> Kind:
    data = contents.head
    version = data[9:13].decode("latin-1").removeprefix("v")
    said = f"{big_endian(data, 14, 4)} x {big_endian(data, 18, 4)}, {GIMP_COLORS.get(big_endian(data, 22, 4), '')}"
    return f"GIMP XCF image data, version {version}, {said}", "image/x-xcf"


def netpbm(data: bytes) -> tuple[Kind, bool] | None:
    """A picture of Netpbm, and whether it is text."""
    found = NETPBM.match(data)
    if found is None:
        return None
    number = int(found[1])
    name = [*NETPBM_KINDS][(number - 1) % 3]
    raw = "rawbits, " if number > 3 else ""
    media = NETPBM_KINDS[name]
    if name == "greymap" and not raw:
        media = "image/x-portable-graymap"
    size = f"{found[2].decode()} x {found[3].decode()}"
    return (f"Netpbm image data, size = {size}, {raw}{name}", media), not raw
