"""xz - compress files with LZMA2; unxz, xzcat, lzma, unlzma and lzcat are the same command."""

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


# The table of -l.

CHECK_NAMES = {0: "None", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}

LIST_HEADING = "Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n"
LIST_RULE = f"{'-' * 79}\n"
SIZE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size_text(size: int) -> str:
    """Format a number of bytes in the unit that fits it."""
    if size < 10_000:
        return f"{size} B"
    amount, unit = float(size), 0
    while unit == 0 or (amount > 9999.9 and unit < len(SIZE_UNITS) - 1):
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {SIZE_UNITS[unit]}"


def xz_list_line(summary: XzSummary, name: str) -> str:
    """Return a file's line."""
    ratio = "---"
    if summary.uncompressed_size and summary.compressed_size / summary.uncompressed_size <= 9.999:
        ratio = f"{summary.compressed_size / summary.uncompressed_size:.3f}"
    checks = ",".join(check_names(summary))
    return (
        f"{summary.streams:5}  {summary.blocks:6}  {size_text(summary.compressed_size):>11}  "
        f"{size_text(summary.uncompressed_size):>11}  {ratio:>5}  {checks:<7} {name}\n"
    )


def check_names(summary: XzSummary) -> list[str]:
    """Return the names of a file's integrity checks."""
    return [CHECK_NAMES.get(check, f"Unknown-{check}") for check in sorted(summary.checks)]


ERROR_STATUS, WARNING_STATUS = 1, 2
SUFFIXES = {".xz": "", ".txz": ".tar", ".lzma": "", ".tlz": ".tar"}
# By whether the format is .lzma.
PACKED_SUFFIXES = {False: (".xz", ".txz"), True: (".lzma", ".tlz")}
LZMA_COMMANDS = ("lzma", "unlzma", "lzcat")
MODES = ("compress", "decompress", "test", "list")  # the last one given wins
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
    compatible="XZ Utils 5.4.1",
    output=OutputStyle(write_error=(1, "(stdout): Write error: {}")),
    refusals=Refusals(
        usage_hint=HINT,
        invalid_values={
            "format": "{}: Unknown file format type",
            "check": "{}: Unsupported integrity check type",
        },
    ),
    style=OptionStyle(unabbreviated="level"),
    ignored="-M, --memlimit, --memory LIMIT; --no-adjust; --no-sparse",
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
    """Compress each file to FILE.xz, or decompress it.

    files ...              files to compress or decompress; without any, or for -,
                           read standard input and write standard output
    --block-size SIZE      ignored: there is one block
    -c, --stdout, --to-stdout  write to standard output and keep the input files
    -d, --decompress, --uncompress  decompress, as unxz does
    -z, --compress         compress, whatever the command's name
    -e, --extreme          compress better, but slower
    -f, --force            overwrite files and follow links; with -cd, copy
                           uncompressed input unchanged
    -F, --format FMT       auto, xz, or lzma (alone) for the legacy format
    -C, --check CHECK      integrity check: none, crc32, crc64 or sha256
    --json                 with -l, print JSON lines: name, streams, blocks,
                           compressed, uncompressed, checks
    -h, --help             print this help
    -k, --keep             keep the input files
    -l, --list             list the sizes and checks of .xz files
    -q, --quiet            suppress warnings; given twice, suppress errors too
    -Q, --no-warn          do not let warnings change the exit status
    --single-stream        decompress only the first stream
    -S, --suffix .SUF      use the suffix .SUF for compressed files
    -t, --test             test the integrity of compressed files
    -T, --threads NUM      ignored: there is one thread
    -v, --verbose          print the sizes of each file
    --level NUM            compression level: 0 (fastest) to 9 (smallest),
                           default 6 (also -NUM)
    --fast                 same as -1
    --best                 same as -9

    xzcat is the same as xz -cd. Decompressing takes at most 256 MiB of memory;
    files that need more are refused.
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
    if mode == "list":
        yield from run.listing(files, rows=json)
        return run.status
    return (yield from run.run(files))


class XzRun(CompressionRun):
    """One run of xz."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.is_silent = self.is_older = self.is_single = self.extreme = False
        self.magics: tuple[bytes, ...] = ()  # of the formats to decompress
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
            stat = self.sh.fs.stat(self.sh.path(name), follow=follows)
        except OSError as error:
            raise SkipFile(f"{name}: {os_error_text(error)}", ERROR_STATUS) from None
        if stat.is_link:
            raise self.warning(f"{name}: Is a symbolic link, skipping")
        if stat.is_directory:
            raise self.folder_skip(name, self.warning(f"{name}: Is a directory, skipping"))
        if self.to_stdout or self.tests:
            return name, stat, ""
        if not stat.is_file:
            raise self.warning(f"{name}: Not a regular file, skipping")
        if not (self.force or self.keeps):
            self._check_kind(name, stat)
        return name, stat, self._unpacked_name(name) if self.expands else self._packed_name(name)

    def _check_kind(self, name: str, stat: Stat) -> None:
        """Refuse a file that would lose a property by being replaced."""
        if stat.mode & SET_ID_BITS:
            raise self.warning(f"{name}: File has setuid or setgid bit set, skipping")
        if stat.mode & STICKY_BIT:
            raise self.warning(f"{name}: File has sticky bit set, skipping")
        if stat.links > 1:
            raise self.warning(f"{name}: Input file has more than one hard link, skipping")

    def _packed_name(self, name: str) -> str:
        custom = (self.suffix,) if self.suffix else ()
        suffixes = (*PACKED_SUFFIXES[self.is_older], *custom)
        suffix = next((suffix for suffix in suffixes if has_suffix(name, suffix)), "")
        if suffix:
            raise self.warning(f"{name}: File already has `{suffix}' suffix, skipping")
        return name + (self.suffix or PACKED_SUFFIXES[self.is_older][0])

    def _unpacked_name(self, name: str) -> str:
        suffixes = {**SUFFIXES, **({self.suffix: ""} if self.suffix else {})}
        suffix = next((suffix for suffix in suffixes if has_suffix(name, suffix)), "")
        if not suffix:
            with self.open_file(name) as stream:
                if not stream.read(len(XZ_MAGIC)).startswith(self.magics):
                    raise SkipFile(f"{name}: {FAULT_MESSAGES['magic']}", ERROR_STATUS)
            raise self.warning(f"{name}: Filename has an unknown suffix, skipping")
        return name[: -len(suffix)] + suffixes[suffix]

    def already_there(self, target: str) -> SkipFile:
        return SkipFile(f"{target}: File exists", ERROR_STATUS)

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        del is_piped
        message = "Compressed data cannot be written to a terminal"
        raise self.sh.fail(f"{message}\n{HINT.format('xz')}", ERROR_STATUS)

    def refuse_terminal_input(self) -> None:
        raise self.sh.fail("Compressed data cannot be read from a terminal", ERROR_STATUS)

    def check_head(self, transfer: FileConversion) -> None:
        source = transfer.source
        is_known = not self.expands or source.peek(len(XZ_MAGIC)).startswith(self.magics)
        if not (is_known or self._passes(transfer)):
            raise DamagedData("magic")

    def _passes(self, transfer: FileConversion) -> bool:
        """Whether uncompressed input is copied unchanged."""
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
        """Yield the lines of -l, or rows."""
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
                    summary = summarize(stream, self.sh.tick)
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
                    "name": name, "streams": summary.streams, "blocks": summary.blocks,
                    "compressed": summary.compressed_size,
                    "uncompressed": summary.uncompressed_size, "checks": check_names(summary),
                }  # fmt: skip
                continue
            yield LIST_HEADING * (not count) + xz_list_line(summary, name)
            total.add(summary)
            count += 1
        if count > 1:
            yield LIST_RULE + xz_list_line(total, f"{count} files")

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        self.report(f"{transfer.name}: {FAULT_MESSAGES[fault.fault]}", ERROR_STATUS)
        return True

    def report_done(self, transfer: FileConversion) -> None:
        if not self.verbose:
            return
        compressed, uncompressed = transfer.read_bytes, transfer.written_bytes
        if not self.expands:
            compressed, uncompressed = uncompressed, compressed
        ratio = (
            f"= {compressed / uncompressed:.3f}"
            if uncompressed and compressed / uncompressed <= 9.999
            else "> 9.999"
        )
        self.sh.err.write(
            f"{transfer.name}: {size_text(compressed)} / {size_text(uncompressed)} {ratio}\n"
        )


def loudness(options: Iterable[tuple[str, object]]) -> int:
    """Return the verbosity: 0 by default, one more for each -v, one less for each -q."""
    level = 0
    for name, value in options:
        if value and name in ("verbose", "quiet"):
            level = (
                min(level + 1, MAX_LOUDNESS) if name == "verbose" else max(level - 1, MIN_LOUDNESS)
            )
    return level


def has_suffix(name: str, suffix: str) -> bool:
    """Whether a name ends with a suffix that is not the whole name."""
    base = last_step(name)
    return base.endswith(suffix) and base != suffix
