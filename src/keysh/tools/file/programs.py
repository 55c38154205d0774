"""Programs: what the headers of executables and their kin tell."""

from __future__ import annotations

from keysh.tools.file.contents import OCTET_STREAM, big_endian, little_endian, text_to_nul
from keysh.tools.file.packed import date_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import FileContents, Kind

PORTABLE = "application/vnd.microsoft.portable-executable"
PE_MACHINES = {0x8664: "x86-64", 0x14C: "Intel 80386", 0xAA64: "Aarch64", 0x1C4: "ARMv7 Thumb"}
PE_SUBSYSTEMS = {1: "native", 2: "GUI", 3: "console", 10: "EFI application"}
IS_LIBRARY = 0x2000
MACH_MACHINES = {0x1000007: "x86_64", 0x100000C: "arm64", 7: "i386", 12: "arm"}
MACH_KINDS = {1: "object", 2: "executable", 4: "core", 6: "dynamically linked shared library",
              7: "dynamic linker", 8: "bundle"}  # fmt: skip
MACH_FLAGS = ((1, "NOUNDEFS"), (4, "DYLDLINK"), (8, "BINDATLOAD"), (0x80, "TWOLEVEL"),
              (0x2000, "SUBSECTIONS_VIA_SYMBOLS"), (0x8000, "WEAK_DEFINES"),
              (0x10000, "BINDS_TO_WEAK"), (0x100000, "NO_REEXPORTED_DYLIBS"),
              (0x200000, "PIE"), (0x800000, "HAS_TLV_DESCRIPTORS"))  # fmt: skip
JAVA_VERSIONS = {46: "1.2", 47: "1.3", 48: "1.4", 49: "1.5", 50: "1.6", 51: "1.7", 52: "1.8",
        **{53 + at: f"SE {9 + at}" for at in range(9)}}  # fmt: skip
# The number that compiled modules of Python begin with.
PYTHON_VERSIONS = {62211: "2.7", 3379: "3.6", 3394: "3.7", 3413: "3.8", 3425: "3.9", 3439: "3.10",
          3495: "3.11", 3531: "3.12 or newer", 3571: "3.13"}  # fmt: skip
MAX_FAT_MACHINES = (
    30  # machines that one file of Apple's is for; a Java class has higher numbers there
)


def portable(contents: FileContents) -> Kind:
    data = contents.head
    at = little_endian(data, 60, 4)
    if data[at : at + 4] != b"PE\0\0":
        return "MS-DOS executable", OCTET_STREAM
    width = "PE32+" if little_endian(data, at + 24, 2) == 0x20B else "PE32"
    library = " (DLL)" if little_endian(data, at + 22, 2) & IS_LIBRARY else ""
    system = PE_SUBSYSTEMS.get(little_endian(data, at + 92, 2), "")
    machine = PE_MACHINES.get(little_endian(data, at + 4, 2), "")
    said = f"{width} executable{library}{f' ({system})' if system else ''} {machine}".rstrip()
    return f"{said}, for MS Windows, {little_endian(data, at + 6, 2)} sections", PORTABLE


def mach(contents: FileContents) -> Kind:
    data = contents.head
    wide = " 64-bit" if data.startswith(b"\xcf") else ""
    machine = MACH_MACHINES.get(little_endian(data, 4, 4), "")
    kind = MACH_KINDS.get(little_endian(data, 12, 4), "")
    flags = little_endian(data, 24, 4)
    names = "|".join(name for bit, name in MACH_FLAGS if flags & bit)
    said = " ".join(filter(None, [f"Mach-O{wide}", machine, kind]))
    return f"{said}, flags:<{names}>" if names else said, "application/x-mach-binary"


def class_or_fat(contents: FileContents) -> Kind:
    """A class of Java, or one of Apple's for several machines: both begin alike."""
    data = contents.head
    count = big_endian(data, 4, 4)
    if 0 < count < MAX_FAT_MACHINES:
        machines = [MACH_MACHINES.get(big_endian(data, 8 + 20 * at, 4), "") for at in range(count)]
        listed = " ".join(f"[{machine}]" for machine in machines)
        plural = "s" if count > 1 else ""
        said = f"Mach-O universal binary with {count} architecture{plural}: {listed}"
        return said, "application/x-mach-binary"
    version = big_endian(data, 6, 2)
    java = f" (Java {JAVA_VERSIONS[version]})" if version in JAVA_VERSIONS else ""
    words = f"compiled Java class data, version {version}.{big_endian(data, 4, 2)}{java}"
    return words, "application/x-java-applet"


def python(contents: FileContents) -> Kind | None:
    """A compiled module; it begins with a number, and two bytes that are alike in all of them."""
    data = contents.head
    version = PYTHON_VERSIONS.get(little_endian(data, 0, 2))
    if version is None:
        return None
    said = f"Byte-compiled Python module for CPython {version}"
    flags = little_endian(data, 4, 4)
    if flags & 1:
        check = "set" if flags & 2 else "unset"
        said += f", hash-based, check-source flag {check}, hash: {little_endian(data, 8, 8):#x}"
    else:
        said += f", timestamp-based, .py timestamp: {date_text(little_endian(data, 8, 4))} UTC"
        said += f", .py size: {little_endian(data, 12, 4)} bytes"
    return said, "application/x-bytecode.python"


def wasm(contents: FileContents) -> Kind:
    version = little_endian(contents.head, 4, 4)
    mvp = " (MVP)" if version == 1 else ""
    return f"WebAssembly (wasm) binary module version {version:#x}{mvp}", "application/wasm"


def capture(contents: FileContents) -> Kind:
    data = contents.head
    version = f"{little_endian(data, 4, 2)}.{little_endian(data, 6, 2)}"
    link = "Ethernet" if little_endian(data, 20, 4) == 1 else f"type {little_endian(data, 20, 4)}"
    said = (
        f"(little-endian) - version {version} ({link}, capture length {little_endian(data, 16, 4)})"
    )
    return f"pcap capture file, microsecond ts {said}", "application/vnd.tcpdump.pcap"


def dalvik(contents: FileContents) -> Kind:
    return f"Dalvik dex file version {text_to_nul(contents.head, 4, 3)}", OCTET_STREAM


def lua(contents: FileContents) -> Kind:
    version = big_endian(contents.head, 4, 1)
    return f"Lua bytecode, version {version >> 4}.{version & 15}", OCTET_STREAM
