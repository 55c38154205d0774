"""xz - files packed with LZMA2; unxz, xzcat, lzma, unlzma and lzcat are the same command."""

from __future__ import annotations

from keysh.archive.source import Damaged
from keysh.archive.streams import LZMA, XZ, xz_compressed, xz_expanded
from keysh.archive.xz_index import Summary, summary
from keysh.commands.xz.listing import HEADING, RULE, line, size_of
from keysh.runtime.call import why
from keysh.runtime.packing import Packing, Skip, Transfer, level_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.vfs.paths import last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Literal

    from keysh.runtime.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

ERROR, WARNING = 1, 2
SUFFIXES = {".xz": "", ".txz": ".tar", ".lzma": "", ".tlz": ".tar"}
PACKED = {False: (".xz", ".txz"), True: (".lzma", ".tlz")}  # of each format
LEVEL = 6
FAULTS = {
    "magic": "File format not recognized", "end": "Unexpected end of input",
    "data": "Compressed data is corrupt", "memory": "Memory usage limit reached",
    "empty": "File is empty", "short": "Too small to be a valid .xz file",
}  # fmt: skip


@command
def xz(
    sh: Call,
    *files: Path,
    stdout: bool = False,
    decompress: bool = False,
    compress: bool = False,
    extreme: bool = False,
    force: bool = False,
    format: Literal["auto", "xz", "lzma", "alone"] = "auto",
    check: Literal["none", "crc32", "crc64", "sha256"] = "crc64",
    keep: bool = False,
    list: bool = False,
    quiet: bool = False,
    no_warn: bool = False,
    suffix: str = "",
    test: bool = False,
    threads: str = "1",
    verbose: bool = False,
    level_0: bool = False,
    fast: bool = False,
    level_2: bool = False,
    level_3: bool = False,
    level_4: bool = False,
    level_5: bool = False,
    level_6: bool = False,
    level_7: bool = False,
    level_8: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Pack each file into one with .xz behind its name, or unpack it.

    files ...                  what to pack or unpack; - for standard input, which goes to
                               standard output, as it does where none are given
    -c, --stdout, --to-stdout  write to standard output, and keep the files
    -d, --decompress, --uncompress  unpack, as unxz does
    -z, --compress             pack, whatever the command's name
    -e, --extreme              smaller yet, and slower
    -f, --force                write over files, follow links; with -cd, print what is not packed
                               as it is
    -F, --format WORD          auto, xz, or lzma (alone) for the format before it
    -C, --check WORD           the sum that data is checked by: none, crc32, crc64, sha256
    -k, --keep                 keep the files
    -l, --list                 sizes and sums of packed files
    -q, --quiet                no warnings; given twice, no errors
    -Q, --no-warn              a warning does not change the status
    -S, --suffix TEXT          what stands behind the names of packed files
    -t, --test                 only see whether packed files are whole
    -T, --threads NUM          ignored: there is one
    -v, --verbose              say what is done
    -0, --level-0              the fastest
    -1, --fast                 a little smaller, and so on
    -2, --level-2              smaller than -1
    -3, --level-3              smaller than -2
    -4, --level-4              smaller than -3
    -5, --level-5              smaller than -4
    -6, --level-6              smaller than -5; the default
    -7, --level-7              smaller than -6
    -8, --level-8              smaller than -7
    -9, --best                 the smallest

    xzcat is xz -cd. Unpacking takes 256 MiB of memory at most; what needs more is refused.
    """
    said = [name for name, value in sh.given if value and name in ("decompress", "compress")]
    by_name = sh.name in ("unxz", "xzcat", "unlzma", "lzcat")
    expands = said[-1] == "decompress" if said else by_name
    if not threads.isdecimal():
        raise Misuse("E303", -1, f"{threads}: Value is not a non-negative decimal integer")
    if "/" in suffix:
        raise sh.fail(f"{suffix}: Invalid filename suffix", ERROR)
    run = Xzing(sh, expands=expands or test)
    run.to_stdout = stdout or sh.name in ("xzcat", "lzcat")
    run.force, run.verbose, run.tests, run.keeps = force, verbose, test, keep
    run.quiet = quiet
    run.is_silent = sum(name == "quiet" for name, _ in sh.given) > 1
    run.warning_status = 0 if no_warn else WARNING
    run.is_older = format in ("lzma", "alone") or (format == "auto" and sh.name == "lzma")
    run.check, run.level, run.extreme = check, level_of(sh.given, LEVEL), extreme
    run.suffix = suffix
    del decompress, compress, fast, best, level_0
    del level_2, level_3, level_4, level_5, level_6, level_7, level_8
    if list:
        yield from run.listing(files)
        return run.status
    return (yield from run.run(files))


class Xzing(Packing):
    """One run of xz."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.is_silent = self.is_older = self.extreme = False
        self.level, self.check, self.suffix = LEVEL, "crc64", ""
        self.warning_status = WARNING

    def worse(self, status: int, other: int) -> int:
        return ERROR if ERROR in (status, other) else WARNING

    def tell(self, message: str, status: int = 0) -> None:
        super().tell("" if self.is_silent else message, status)

    def warning(self, message: str) -> Skip:
        return Skip("" if self.quiet else message, self.warning_status)

    def examined(self, name: str) -> tuple[str, Stat, str]:
        if not name:
            raise Skip("Empty filename, skipping", ERROR)
        follows = self.to_stdout or self.force or self.tests or self.keeps
        try:
            found = self.sh.fs.stat(self.sh.path(name), follow=follows)
        except OSError as error:
            raise Skip(f"{name}: {why(error)}", ERROR) from None
        if found.is_link:
            raise self.warning(f"{name}: Is a symbolic link, skipping")
        if found.is_directory:
            raise self.warning(f"{name}: Is a directory, skipping")
        if self.to_stdout or self.tests:
            return name, found, ""
        if not found.is_file:
            raise self.warning(f"{name}: Not a regular file, skipping")
        if found.links > 1 and not (self.force or self.keeps):
            raise self.warning(f"{name}: Input file has more than one hard link, skipping")
        return name, found, self._unpacked(name) if self.expands else self._packed(name)

    def _packed(self, name: str) -> str:
        own = (self.suffix,) if self.suffix else ()
        known = (*PACKED[self.is_older], *own)
        end = next((end for end in known if has_suffix(name, end)), "")
        if end:
            raise self.warning(f"{name}: File already has `{end}' suffix, skipping")
        return name + (self.suffix or PACKED[self.is_older][0])

    def _unpacked(self, name: str) -> str:
        known = {**SUFFIXES, **({self.suffix: ""} if self.suffix else {})}
        end = next((end for end in known if has_suffix(name, end)), "")
        if not end:
            with self.opened(name) as stream:
                if not stream.read(len(XZ)).startswith((XZ, LZMA)):
                    raise Skip(f"{name}: {FAULTS['magic']}", ERROR)
            raise self.warning(f"{name}: Filename has an unknown suffix, skipping")
        return name[: -len(end)] + known[end]

    def already_there(self, target: str) -> Skip:
        return Skip(f"{target}: File exists", ERROR)

    def refuse_writing(self, *, is_piped: bool) -> None:
        del is_piped
        says = "Compressed data cannot be written to a terminal"
        raise self.sh.fail(f"{says}\nxz: Try `xz --help' for more information.", ERROR)

    def refuse_reading(self) -> None:
        raise self.sh.fail("Compressed data cannot be read from a terminal", ERROR)

    def stream(self, transfer: Transfer) -> Iterator[bytes]:
        source = transfer.source
        if not self.expands:
            return xz_compressed(
                source.rest(), self.level, extreme=self.extreme, check=self.check,
                older=self.is_older,
            )  # fmt: skip
        passes = self.force and self.to_stdout and not source.peek(6).startswith((XZ, LZMA))
        return source.rest() if passes else xz_expanded(source)

    def listing(self, files: Sequence[str]) -> Iterator[str]:
        """The lines of -l."""
        total, count = Summary(), 0
        for name in files or ("-",):
            self.sh.tick()
            if name == "-":
                self.tell("--list does not support reading from standard input", ERROR)
                continue
            try:
                if self.sh.fs.stat(self.sh.path(name), follow=True).is_directory:
                    raise self.warning(f"{name}: Is a directory, skipping")
                with self.opened(name) as stream:
                    found = summary(stream, self.sh.tick)
            except Skip as skip:
                self.tell(skip.message, skip.status)
                continue
            except OSError as error:
                self.tell(f"{name}: {why(error)}", ERROR)
                continue
            except Damaged as damaged:
                self.tell(f"{name}: {FAULTS[damaged.fault]}", ERROR)
                continue
            yield HEADING * (not count) + line(found, name)
            total.add(found)
            count += 1
        if count > 1:
            yield RULE + line(total, f"{count} files")

    def tell_fault(self, transfer: Transfer, fault: Damaged) -> bool:
        self.tell(f"{transfer.name}: {FAULTS[fault.fault]}", ERROR)
        return True

    def tell_done(self, transfer: Transfer) -> None:
        if not self.verbose or self.quiet:
            return
        packed, plain = transfer.taken, transfer.made
        if not self.expands:
            packed, plain = plain, packed
        ratio = f"= {packed / plain:.3f}" if plain and packed / plain <= 9.999 else "> 9.999"
        self.sh.err.write(f"{transfer.name}: {size_of(packed)} / {size_of(plain)} {ratio}\n")


def has_suffix(name: str, end: str) -> bool:
    """Whether a name has a suffix, and more before it."""
    base = last_step(name)
    return base.endswith(end) and base != end
