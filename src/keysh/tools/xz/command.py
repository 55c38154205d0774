"""xz - files packed with LZMA2; unxz, xzcat, lzma, unlzma and lzcat are the same command."""

from __future__ import annotations

from keysh.archive.byte_source import DamagedData
from keysh.archive.bzip2_xz import LZMA_MAGIC, XZ_MAGIC, compress_xz, decompress_xz
from keysh.archive.xz_index import XzSummary, summarize
from keysh.gnu.compressors import CompressionRun, FileConversion, SkipFile, level_of
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.shell_numbers import is_digits
from keysh.vfs.paths import last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from typing import Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat


# Listing: what -l tells of packed files.

CHECK_NAMES = {0: "None", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}

LIST_HEADING = "Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n"
LIST_RULE = f"{'-' * 79}\n"
SIZE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size_text(size: int) -> str:
    """A number of bytes in the unit that fits it."""
    if size < 10_000:
        return f"{size} B"
    amount, unit = float(size), 0
    while unit == 0 or (amount > 9999.9 and unit < len(SIZE_UNITS) - 1):
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {SIZE_UNITS[unit]}"


def xz_list_line(found: XzSummary, name: str) -> str:
    """A file's line."""
    ratio = "---"
    if found.uncompressed_size and found.compressed_size / found.uncompressed_size <= 9.999:
        ratio = f"{found.compressed_size / found.uncompressed_size:.3f}"
    checks = ",".join(check_names(found))
    return (
        f"{found.streams:5}  {found.blocks:6}  {size_text(found.compressed_size):>11}  "
        f"{size_text(found.uncompressed_size):>11}  {ratio:>5}  {checks:<7} {name}\n"
    )


def check_names(found: XzSummary) -> list[str]:
    """The kinds of sums in a file."""
    return [CHECK_NAMES.get(check, f"Unknown-{check}") for check in sorted(found.checks)]


ERROR_STATUS, WARNING_STATUS = 1, 2
SUFFIXES = {".xz": "", ".txz": ".tar", ".lzma": "", ".tlz": ".tar"}
PACKED_SUFFIXES = {False: (".xz", ".txz"), True: (".lzma", ".tlz")}  # of each format
LZMA_COMMANDS = ("lzma", "unlzma", "lzcat")
MODES = ("compress", "decompress", "test", "list")  # of which the last one given counts
FORMAT_MAGICS = {"auto": (XZ_MAGIC, LZMA_MAGIC), "xz": (XZ_MAGIC,)}
DEFAULT_LEVEL = 6
HINT = "{0}: Try `{0} --help' for more information."
MIN_LOUDNESS, MAX_LOUDNESS = -2, 2
SET_ID_BITS, STICKY_BIT = 0o6000, 0o1000
LISTS_ONLY_XZ = "--list works only on .xz files (--format=xz or --format=auto)"
FAULT_MESSAGES = {
    "magic": "File format not recognized", "end": "Unexpected end of input",
    "data": "Compressed data is corrupt", "memory": "Memory usage limit reached",
    "empty": "File is empty", "short": "Too small to be a valid .xz file",
}  # fmt: skip


@command(
    output=OutputStyle(write_error=(1, "(stdout): Write error: {}")),
    refusals=Refusals(
        usage_hint=HINT,
        invalid_values={
            "format": "{}: Unknown file format type",
            "check": "{}: Unsupported integrity check type",
        },
    ),
    style=OptionStyle(unabbreviated="level"),
)
def xz(
    sh: Call,
    *files: Path,
    block_size: str = "",
    stdout: bool = False,
    decompress: bool = False,
    compress: bool = False,
    extreme: bool = False,
    force: bool = False,
    format: Literal["auto", "xz", "lzma", "alone"] = "auto",
    check: Literal["none", "crc32", "crc64", "sha256"] = "crc64",
    json: bool = False,
    keep: bool = False,
    list: bool = False,
    memlimit: str = "",
    no_adjust: bool = False,
    no_sparse: bool = False,
    quiet: bool = False,
    no_warn: bool = False,
    single_stream: bool = False,
    suffix: str = "",
    test: bool = False,
    threads: str = "1",
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
) -> Generator[str | dict[str, object], None, int]:
    """Pack each file into one with .xz behind its name, or unpack it.

    files ...                  what to pack or unpack; - for standard input, which goes to
                               standard output, as it does where none are given
    --block-size NUM           ignored: there is one block
    -c, --stdout, --to-stdout  write to standard output, and keep the files
    -d, --decompress, --uncompress  unpack, as unxz does
    -z, --compress             pack, whatever the command's name
    -e, --extreme              smaller yet, and slower
    -f, --force                write over files, follow links; with -cd, print what is not packed
                               as it is
    -F, --format WORD          auto, xz, or lzma (alone) for the format before it
    -C, --check WORD           the sum that data is checked by: none, crc32, crc64, sha256
    --json                     with -l, rows as JSON lines: name, streams, blocks, compressed,
                               uncompressed, checks
    -k, --keep                 keep the files
    -l, --list                 sizes and sums of packed files
    -M, --memlimit, --memory SIZE  ignored: see below
    --no-adjust                ignored
    --no-sparse                ignored: no holes are made
    -q, --quiet                no warnings; given twice, no errors
    -Q, --no-warn              a warning does not change the status
    --single-stream            unpack the first stream, and leave what is behind it
    -S, --suffix TEXT          what stands behind the names of packed files
    -t, --test                 only see whether packed files are whole
    -T, --threads NUM          ignored: there is one
    -v, --verbose              say what is done
    --level NUM                how small to pack: 0, the fastest, to 9, the smallest; 6 without it
                               (also -NUM)
    --fast                     the same as -1
    --best                     the same as -9

    xzcat is xz -cd. Unpacking takes 256 MiB of memory at most; what needs more is refused.
    """
    by_name = "decompress" if sh.name in ("unxz", "xzcat", "unlzma", "lzcat") else "compress"
    mode = ([by_name] + [name for name, value in sh.given if value and name in MODES])[-1]
    for number in (threads, block_size):
        if number and not is_digits(number.rstrip("KMGiB")):
            raise sh.fail(f"{number}: Value is not a non-negative decimal integer", ERROR_STATUS)
    if "/" in suffix or (not suffix and any(name == "suffix" for name, _ in sh.given)):
        raise sh.fail(f"{suffix}: Invalid filename suffix", ERROR_STATUS)
    run = XzRun(sh, expands=mode in ("decompress", "test"))
    run.to_stdout = stdout or sh.name in ("xzcat", "lzcat")
    run.force, run.tests, run.keeps = force, mode == "test", keep
    voice = loudness(sh.given)
    run.verbose, run.quiet, run.is_silent = voice > 0, voice < 0, voice < -1
    run.warning_status = 0 if no_warn else WARNING_STATUS
    has_format = any(name == "format" for name, _ in sh.given)
    is_older = sh.name in LZMA_COMMANDS if not has_format else format in ("lzma", "alone")
    if mode == "list" and is_older:
        raise sh.fail(LISTS_ONLY_XZ, ERROR_STATUS)
    run.is_older, run.magics = is_older, (LZMA_MAGIC,) if is_older else FORMAT_MAGICS[format]
    run.is_single = single_stream
    run.check, run.level, run.extreme = check, level_of(sh.given, DEFAULT_LEVEL), extreme
    run.suffix = suffix
    del decompress, compress, test, list, quiet, verbose, level, fast, best
    del block_size, memlimit, no_adjust, no_sparse
    if mode == "list":
        yield from run.listing(files, rows=json)
        return run.status
    return (yield from run.run(files))


class XzRun(CompressionRun):
    """One run of xz."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.is_silent = self.is_older = self.is_single = self.extreme = False
        self.magics: tuple[bytes, ...] = ()  # how what can be unpacked begins
        self.level, self.check, self.suffix = DEFAULT_LEVEL, "crc64", ""
        self.warning_status = WARNING_STATUS

    def worse_status(self, status: int, other: int) -> int:
        return ERROR_STATUS if ERROR_STATUS in (status, other) else WARNING_STATUS

    def report(self, message: str, status: int = 0) -> None:
        super().report("" if self.is_silent else message, status)

    def warning(self, message: str) -> SkipFile:
        return SkipFile("" if self.quiet else message, self.warning_status)

    def examine_file(self, name: str) -> tuple[str, Stat, str]:
        if not name:
            raise SkipFile("Empty filename, skipping", ERROR_STATUS)
        follows = self.to_stdout or self.force or self.tests or self.keeps
        try:
            found = self.sh.fs.stat(self.sh.path(name), follow=follows)
        except OSError as error:
            raise SkipFile(f"{name}: {os_error_text(error)}", ERROR_STATUS) from None
        if found.is_link:
            raise self.warning(f"{name}: Is a symbolic link, skipping")
        if found.is_directory:
            raise self.folder_skip(name, self.warning(f"{name}: Is a directory, skipping"))
        if self.to_stdout or self.tests:
            return name, found, ""
        if not found.is_file:
            raise self.warning(f"{name}: Not a regular file, skipping")
        if not (self.force or self.keeps):
            self._check_kind(name, found)
        return name, found, self._unpacked_name(name) if self.expands else self._packed_name(name)

    def _check_kind(self, name: str, found: Stat) -> None:
        """Refuse a file that would lose something by being written anew."""
        if found.mode & SET_ID_BITS:
            raise self.warning(f"{name}: File has setuid or setgid bit set, skipping")
        if found.mode & STICKY_BIT:
            raise self.warning(f"{name}: File has sticky bit set, skipping")
        if found.links > 1:
            raise self.warning(f"{name}: Input file has more than one hard link, skipping")

    def _packed_name(self, name: str) -> str:
        own = (self.suffix,) if self.suffix else ()
        known = (*PACKED_SUFFIXES[self.is_older], *own)
        end = next((end for end in known if has_suffix(name, end)), "")
        if end:
            raise self.warning(f"{name}: File already has `{end}' suffix, skipping")
        return name + (self.suffix or PACKED_SUFFIXES[self.is_older][0])

    def _unpacked_name(self, name: str) -> str:
        known = {**SUFFIXES, **({self.suffix: ""} if self.suffix else {})}
        end = next((end for end in known if has_suffix(name, end)), "")
        if not end:
            with self.open_file(name) as stream:
                if not stream.read(len(XZ_MAGIC)).startswith(self.magics):
                    raise SkipFile(f"{name}: {FAULT_MESSAGES['magic']}", ERROR_STATUS)
            raise self.warning(f"{name}: Filename has an unknown suffix, skipping")
        return name[: -len(end)] + known[end]

    def already_there(self, target: str) -> SkipFile:
        return SkipFile(f"{target}: File exists", ERROR_STATUS)

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        del is_piped
        says = "Compressed data cannot be written to a terminal"
        raise self.sh.fail(f"{says}\n{HINT.format('xz')}", ERROR_STATUS)

    def refuse_terminal_input(self) -> None:
        raise self.sh.fail("Compressed data cannot be read from a terminal", ERROR_STATUS)

    def check_head(self, transfer: FileConversion) -> None:
        source = transfer.source
        is_known = not self.expands or source.peek(len(XZ_MAGIC)).startswith(self.magics)
        if not (is_known or self._passes(transfer)):
            raise DamagedData("magic")

    def _passes(self, transfer: FileConversion) -> bool:
        """Whether what is not packed goes through as it is."""
        is_asked = self.force and self.to_stdout and not self.tests
        return is_asked and not transfer.source.peek(len(XZ_MAGIC)).startswith(self.magics)

    def convert(self, transfer: FileConversion) -> Iterator[bytes]:
        source = transfer.source
        if not self.expands:
            return compress_xz(
                source.rest(), self.level, extreme=self.extreme, check=self.check,
                older=self.is_older,
            )  # fmt: skip
        if self._passes(transfer):
            return source.rest()
        return decompress_xz(source, single=self.is_single)

    def listing(self, files: Sequence[str], *, rows: bool) -> Iterator[str | dict[str, object]]:
        """The lines of -l, or rows."""
        total, count = XzSummary(), 0
        for name in files or ("-",):
            self.sh.tick()
            if name == "-":
                self.report("--list does not support reading from standard input", ERROR_STATUS)
                continue
            try:
                if self.sh.fs.stat(self.sh.path(name), follow=True).is_directory:
                    raise self.folder_skip(name, self.warning(f"{name}: Is a directory, skipping"))
                with self.open_file(name) as stream:
                    found = summarize(stream, self.sh.tick)
            except SkipFile as skip:
                self.report(skip.message, skip.status)
                continue
            except OSError as error:
                self.report(f"{name}: {os_error_text(error)}", ERROR_STATUS)
                continue
            except DamagedData as damaged:
                self.report(f"{name}: {FAULT_MESSAGES[damaged.fault]}", ERROR_STATUS)
                continue
            if rows:
                yield {
                    "name": name, "streams": found.streams, "blocks": found.blocks,
                    "compressed": found.compressed_size, "uncompressed": found.uncompressed_size,
                    "checks": check_names(found),
                }  # fmt: skip
                continue
            yield LIST_HEADING * (not count) + xz_list_line(found, name)
            total.add(found)
            count += 1
        if count > 1:
            yield LIST_RULE + xz_list_line(total, f"{count} files")

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        self.report(f"{transfer.name}: {FAULT_MESSAGES[fault.fault]}", ERROR_STATUS)
        return True

    def report_done(self, transfer: FileConversion) -> None:
        if not self.verbose:
            return
        packed, plain = transfer.read_bytes, transfer.written_bytes
        if not self.expands:
            packed, plain = plain, packed
        ratio = f"= {packed / plain:.3f}" if plain and packed / plain <= 9.999 else "> 9.999"
        self.sh.err.write(f"{transfer.name}: {size_text(packed)} / {size_text(plain)} {ratio}\n")


def loudness(given: Iterable[tuple[str, object]]) -> int:
    """How much is said: 0 if nothing is asked for, one more for each -v, one less for each -q."""
    level = 0
    for name, value in given:
        if value and name in ("verbose", "quiet"):
            level = (
                min(level + 1, MAX_LOUDNESS) if name == "verbose" else max(level - 1, MIN_LOUDNESS)
            )
    return level


def has_suffix(name: str, end: str) -> bool:
    """Whether a name has a suffix, and more before it."""
    base = last_step(name)
    return base.endswith(end) and base != end
