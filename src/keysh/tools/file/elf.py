"""ELF files: Unix programs, libraries, object files and core dumps."""

from __future__ import annotations

from keysh.tools.file.contents import OCTET_STREAM, big_endian, little_endian

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.file.contents import FileContents, Kind

ELF_TYPES = {
    0: ("no file type", OCTET_STREAM), 1: ("relocatable", "application/x-object"),
    2: ("executable", "application/x-executable"), 3: ("shared object", "application/x-sharedlib"),
    4: ("core file", "application/x-coredump"),
}  # fmt: skip
RELOCATABLE, SHARED, CORE = 1, 3, 4
ELF_MACHINES = {
    2: "SPARC", 3: "Intel 80386", 4: "Motorola m68k", 8: "MIPS", 20: "PowerPC or cisco 4500",
    21: "64-bit PowerPC or cisco 7500", 22: "IBM S/390", 40: "ARM", 42: "Renesas SH",
    43: "SPARC V9", 50: "IA-64", 62: "x86-64", 183: "ARM aarch64", 243: "UCB RISC-V",
    247: "eBPF", 258: "LoongArch",
}  # fmt: skip
ELF_SYSTEMS = {
    0: "SYSV", 1: "HP-UX", 2: "NetBSD", 3: "GNU/Linux", 6: "Solaris", 9: "FreeBSD", 12: "OpenBSD",
    97: "ARM",
}  # fmt: skip
DYNAMIC, INTERPRETER, NOTES = 2, 3, 4  # segment types
SYMBOLS, NOTE_SECTION = 2, 7  # section types
SYSTEM_NOTE, BUILD_NOTE = 1, 3
FLAGS_ENTRY, IS_PIE = 0x6FFFFFFB, 0x08000000
MAX_TABLE_ROWS = 4096
MAX_PART_BYTES = 4096  # of a note, an interpreter or a dynamic segment
LINUX = "GNU/Linux"


def elf_kind(contents: FileContents) -> Kind:
    """Return the kind of an ELF file."""
    data = contents.head
    if len(data) < 6 or data[4] not in (1, 2) or data[5] not in (1, 2):
        return "ELF", OCTET_STREAM
    return ElfFile(contents).describe()


class ElfFile:
    """The header of an ELF file, which locates its segments and sections."""

    __slots__ = ("_contents", "_data", "_is_wide", "_number", "_word")

    def __init__(self, contents: FileContents) -> None:
        self._contents, self._data = contents, contents.head
        self._is_wide = self._data[4] == 2
        self._number = little_endian if self._data[5] == 1 else big_endian
        self._word = 8 if self._is_wide else 4

    def describe(self) -> Kind:
        """Return the description and the media type."""
        data, number = self._data, self._number
        parts = [f"ELF {64 if self._is_wide else 32}-bit {'LSB' if data[5] == 1 else 'MSB'}"]
        kind = number(data, 16, 2)
        words, media = ELF_TYPES.get(kind, ("", OCTET_STREAM))
        segments = self.segments()
        notes: dict[int, str] = {}
        dynamic = next((part for row_type, *part in segments if row_type == DYNAMIC), None)
        interpreter = next((part for row_type, *part in segments if row_type == INTERPRETER), None)
        is_executable = kind == SHARED and dynamic is not None and self.is_pie(*dynamic)
        if is_executable:
            words, media = "pie executable", "application/x-pie-executable"
        machine = number(data, 18, 2)
        machine_name = ELF_MACHINES.get(machine)
        name = f"{machine_name}, " if machine_name else f"*unknown arch {machine:#x}* "
        system = ELF_SYSTEMS.get(data[7] if len(data) > 7 else 0)
        version = f"version {number(data, 20, 4)}" + (f" ({system})" if system else "")
        parts[0] += f" {words}, {name}{version}" if words else f" {name}{version}"
        if kind not in (RELOCATABLE, CORE) and words:
            parts += self.linking_words(dynamic, interpreter, is_executable=is_executable)
        for row_type, offset, size in segments:
            if row_type == NOTES:
                notes.update(self.note_texts(offset, size))
        sections = self.sections()
        if not segments:
            for row_type, offset, size, _ in sections:
                if row_type == NOTE_SECTION:
                    notes.update(self.note_texts(offset, size))
        parts += [notes[row_type] for row_type in (BUILD_NOTE, SYSTEM_NOTE) if row_type in notes]
        parts += self.symbol_words(sections) if words and kind != CORE else []
        return ", ".join(parts), media

    def linking_words(
        self, dynamic: list[int] | None, interpreter: list[int] | None, *, is_executable: bool
    ) -> Iterator[str]:
        """Yield how it is linked, and its interpreter."""
        if dynamic is None:
            yield "statically linked"
        elif interpreter is None and is_executable:
            yield "static-pie linked"
        else:
            yield "dynamically linked"
        if interpreter is not None:
            path = self._contents.read_part(interpreter[0], min(interpreter[1], MAX_PART_BYTES))
            yield f"interpreter {path.partition(bytes(1))[0].decode('latin-1')}"

    # ------------------------------------------------------------ tables

    def segments(self) -> list[tuple[int, int, int]]:
        """Return the type, offset and size of each segment."""
        wide = self._is_wide
        table_offset, row_size, count = (32, 54, 56) if wide else (28, 42, 44)
        offset, size = (8, 32) if wide else (4, 16)
        return [
            (self._number(row, 0, 4), self._number(row, offset, self._word),
             self._number(row, size, self._word))
            for row in self.rows(table_offset, row_size, count)
        ]  # fmt: skip

    def sections(self) -> list[tuple[int, int, int, int]]:
        """Return the type, offset, size and name offset of each section."""
        wide = self._is_wide
        table_offset, row_size, count = (40, 58, 60) if wide else (32, 46, 48)
        offset, size = (24, 32) if wide else (16, 20)
        return [
            (self._number(row, 4, 4), self._number(row, offset, self._word),
             self._number(row, size, self._word), self._number(row, 0, 4))
            for row in self.rows(table_offset, row_size, count)
        ]  # fmt: skip

    def rows(self, table_offset: int, row_size: int, count: int) -> list[bytes]:
        """Return the rows of a table, which the header locates."""
        number, data = self._number, self._data
        begin, size = number(data, table_offset, self._word), number(data, row_size, 2)
        rows = min(number(data, count, 2), MAX_TABLE_ROWS)
        if not (begin and size and rows):
            return []
        table = self._contents.read_part(begin, size * rows)
        return [table[at : at + size] for at in range(0, len(table) - size + 1, size)]

    # ------------------------------------------------------------ what is in them

    def is_pie(self, offset: int, size: int) -> bool:
        """Whether the dynamic segment marks a shared object as an executable."""
        table, word = self._contents.read_part(offset, min(size, MAX_PART_BYTES)), self._word
        return any(
            self._number(table, row, word) == FLAGS_ENTRY
            and self._number(table, row + word, word) & IS_PIE
            for row in range(0, len(table), 2 * word)
        )

    def note_texts(self, offset: int, size: int) -> Iterator[tuple[int, str]]:
        """Yield the contents of GNU notes by type."""
        data, position = self._contents.read_part(offset, min(size, MAX_PART_BYTES)), 0
        while position + 12 <= len(data):
            name, length, row_type = (
                self._number(data, position + 4 * index, 4) for index in range(3)
            )
            text_start = position + 12 + -(-name // 4) * 4
            text = data[text_start : text_start + length]
            if data[position + 12 : position + 16] == b"GNU\0" and row_type == SYSTEM_NOTE:
                numbers = [self._number(text, index, 4) for index in (4, 8, 12)]
                if self._number(text, 0, 4) == 0:
                    yield row_type, f"for {LINUX} {'.'.join(map(str, numbers))}"
            elif data[position + 12 : position + 16] == b"GNU\0" and row_type == BUILD_NOTE:
                kind = {20: "sha1", 16: "md5/uuid", 8: "xxHash"}.get(length)
                yield row_type, f"BuildID{f'[{kind}]' if kind else ''}={text.hex()}"
            position = text_start + -(-length // 4) * 4

    def symbol_words(self, sections: list[tuple[int, int, int, int]]) -> Iterator[str]:
        """Yield whether debug information and symbols are present."""
        if not sections:
            if len(self._data) >= 64:
                yield "no section header"
            return
        names = sections[
            min(self._number(self._data, 62 if self._is_wide else 50, 2), len(sections) - 1)
        ]
        texts = self._contents.read_part(names[1], min(names[2], MAX_PART_BYTES * 16))
        if any(texts.startswith(b".debug_info\0", at) for *_, at in sections):
            yield "with debug_info"
        yield "not stripped" if any(kind == SYMBOLS for kind, *_ in sections) else "stripped"
