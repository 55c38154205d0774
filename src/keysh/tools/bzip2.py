"""bzip2 - compress with the Burrows-Wheeler transform; also called bunzip2 and bzcat."""

from __future__ import annotations

from keysh.archive.bzip2_xz import compress_bzip2, decompress_bzip2, is_bzip2
from keysh.gnu.compressors import CompressionRun, FileConversion, SkipFile, level_of
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from keysh.archive.byte_source import DamagedData
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

USAGE_STATUS, CORRUPT_STATUS = 1, 2
SUFFIXES = {".bz2": "", ".bz": "", ".tbz2": ".tar", ".tbz": ".tar"}
DEFAULT_LEVEL = 9
MAX_SMALL_LEVEL = 2  # with -s
RECOVERY_HINT = """
You can use the `bzip2recover' program to attempt to recover
data from undamaged sections of corrupted files.

"""
CORRUPTION_HINT = """
It is possible that the compressed file(s) have become corrupted.
You can use the -tvv option to test integrity of such files.
"""
TERMINAL_REFUSAL = "I won't {} a terminal.\nbzip2: For help, type: `bzip2 --help'."
UNEXPECTED_END = "Compressed file ends unexpectedly;\n\tperhaps it is corrupted?"


@command(compatible="bzip2 1.0.8", style=OptionStyle(unabbreviated="level"))
def bzip2(
    sh: Call,
    *files: Path,
    stdout: bool = False,
    decompress: bool = False,
    compress: bool = False,
    force: bool = False,
    keep: bool = False,
    quiet: bool = False,
    small: bool = False,
    test: bool = False,
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
    repetitive_fast: bool = False,
    repetitive_best: bool = False,
) -> Generator[str, None, int]:
    """Compress each file to FILE.bz2, or decompress it.

    files ...          files to compress or decompress; - or none reads standard
                       input and writes standard output
    -c, --stdout       write to standard output and keep the files
    -d, --decompress   decompress, like bunzip2
    -z, --compress     compress, whatever name the command was called by
    -f, --force        overwrite files and follow links; with -cd, copy data that is
                       not compressed unchanged
    -h, --help         print this help
    -k, --keep         keep the input files
    -q, --quiet        suppress warnings
    -s, --small        use blocks of at most 200 kB
    -t, --test         only check the integrity of compressed files
    -v, --verbose      report each file's compression ratio
    --level NUM        block size in units of 100 kB, 1 to 9; the default is 9 (also
                       -NUM)
    --fast             same as -1
    --best             same as -9
    --repetitive-fast  ignored, with a warning
    --repetitive-best  ignored, with a warning

    bzcat is bzip2 -cd.
    """
    mode_options = ("decompress", "compress", "test")
    modes = [name for name, value in sh.given if value and name in mode_options]
    mode = modes[-1] if modes else "decompress" if sh.name in ("bunzip2", "bzcat") else "compress"
    to_stdout = stdout or sh.name == "bzcat"
    names = [name for name in files if name != "-"]  # bzip2 ignores it
    if mode == "test" and (stdout or (to_stdout and names)):
        raise sh.fail("-c and -t cannot be used together.", USAGE_STATUS)
    run = Bzip2Run(sh, expands=mode != "compress")
    run.to_stdout, run.force, run.verbose = to_stdout, force, verbose
    run.tests, run.keeps, run.quiet = mode == "test", keep, quiet
    run.level = level_of(sh.given, DEFAULT_LEVEL, least=1)
    if small:
        run.level = min(run.level, MAX_SMALL_LEVEL)
    del decompress, compress, test, level, fast, best
    for name, is_asked in (("fast", repetitive_fast), ("best", repetitive_best)):
        if is_asked:
            run.report(f"--repetitive-{name} is redundant in versions 0.9.5 and above")
    run.names, run.width = names, max(len(name) for name in (run.STDIN, *names))
    status = yield from run.run(names)
    if run.has_corrupt_file and not quiet:
        sh.err.write(RECOVERY_HINT)
    return status


class Bzip2Run(CompressionRun):
    """One run of bzip2."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.level, self.width = DEFAULT_LEVEL, 0
        self.names: list[str] = []
        self._processed_count = 0  # how many of the names
        self.has_corrupt_file = False  # whether a file under -t is damaged

    def worse_status(self, status: int, other: int) -> int:
        return max(status, other)

    def examine_file(self, name: str) -> tuple[str, Stat, str]:
        self._processed_count += 1
        try:
            stat = self.sh.fs.stat(self.sh.path(name), follow=True)
        except OSError as error:
            raise self.unreadable(name, error) from None
        suffix = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
        if suffix and not self.expands:
            message = "" if self.quiet else f"Input file {name} already has {suffix} suffix."
            raise SkipFile(message, USAGE_STATUS)
        if stat.is_directory:
            raise self.folder_skip(
                name, SkipFile(f"Input file {name} is a directory.", USAGE_STATUS)
            )
        if self.to_stdout or self.tests:
            return name, stat, ""
        is_link = self.sh.fs.stat(self.sh.path(name)).is_link
        if not self.force and (is_link or not stat.is_file):
            raise SkipFile(
                "" if self.quiet else f"Input file {name} is not a normal file.", USAGE_STATUS
            )
        target = name[: -len(suffix)] + SUFFIXES[suffix] if suffix else f"{name}.out"
        if not self.expands:
            target = f"{name}.bz2"
        elif not suffix and not self.quiet:
            self.report(f"Can't guess original name for {name} -- using {target}")
        if not target:
            raise SkipFile("Can't create output file : No such file or directory.", USAGE_STATUS)
        if not self.force and self.sh.exists(target, follow=False):
            raise self.already_there(target)
        if not self.force and stat.links > 1:
            other = stat.links - 1
            plural = "s" * (other > 1)
            raise SkipFile(f"Input file {name} has {other} other link{plural}.", USAGE_STATUS)
        return name, stat, target

    def already_there(self, target: str) -> SkipFile:
        return SkipFile(f"Output file {target} already exists.", USAGE_STATUS)

    def unreadable(self, path: str, error: OSError) -> SkipFile:
        what = "input" if self.tests else "input file"
        return SkipFile(f"Can't open {what} {path}: {os_error_text(error)}.", USAGE_STATUS)

    def unwritable(self, target: str, error: OSError) -> SkipFile:
        return SkipFile(f"Can't create output file {target}: {os_error_text(error)}.", USAGE_STATUS)

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        del is_piped
        raise self.sh.fail(TERMINAL_REFUSAL.format("write compressed data to"), USAGE_STATUS)

    def refuse_terminal_input(self) -> None:
        raise self.sh.fail(TERMINAL_REFUSAL.format("read compressed data from"), USAGE_STATUS)

    def convert(self, transfer: FileConversion) -> Iterator[bytes]:
        source = transfer.source
        if not self.expands:
            return compress_bzip2(source.rest(), self.level)
        head = source.peek(4)
        passes = self.force and not self.tests and not is_bzip2(head)
        return source.rest() if passes else decompress_bzip2(source)

    # ------------------------------------------------------------ words

    def report_start(self, transfer: FileConversion) -> None:
        if self.verbose:
            name = transfer.name
            self.sh.err.write(f"  {name}: {' ' * (self.width - len(name))}")

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        write, name, kind = self.sh.err.write, transfer.name, fault.fault
        if kind == "garbage":
            if not self.quiet:
                message = "trailing garbage after EOF ignored"
                write("" if self.tests else "\n")
                if self.tests and self.verbose:
                    write(f"{message}\n")
                else:
                    self.report(f"{name}: {message}")
            return False
        if self.tests:
            reason = {
                "magic": "bad magic number (file not created by bzip2)",
                "end": "file ends unexpectedly",
            }.get(kind, "data integrity (CRC) error in data")
            write(f"{reason}\n" if self.verbose else f"{self.sh.name}: {name}: {reason}\n")
            self.has_corrupt_file = True
        elif kind == "magic":
            message = "not a bzip2 file.\n"
            write(message if self.verbose else f"{self.sh.name}: {name} is {message}")
        else:
            self._report_fatal(transfer, kind)
        self.report("", CORRUPT_STATUS)
        return True

    def _report_fatal(self, transfer: FileConversion, kind: str) -> None:
        """Report damaged data, after which bzip2 ends the run."""
        self.is_over = True
        write, name, target = self.sh.err.write, transfer.name, transfer.target
        if kind != "end" or not self.quiet:
            write("\n")
            self.report(
                UNEXPECTED_END if kind == "end" else "Data integrity error when decompressing."
            )
        if not self.quiet:
            write(f"\tInput file = {name}, output file = {target or '(stdout)'}\n")
            write(f"{CORRUPTION_HINT}{RECOVERY_HINT}")
            if target:
                self.report(f"Deleting output file {target}, if it exists.")
            count, unprocessed = len(self.names), len(self.names) - self._processed_count
            if unprocessed:
                self.report("WARNING: some files have not been processed:")
                self.report(
                    f"   {count} specified on command line, {unprocessed} not processed yet.\n"
                )

    def report_done(self, transfer: FileConversion) -> None:
        if not self.verbose:
            return
        if self.expands:
            message = "ok" if self.tests else "done"
        elif not transfer.read_bytes:
            message = " no data compressed."
        else:
            taken, written = transfer.read_bytes, transfer.written_bytes
            message = (
                f"{taken / written:6.3f}:1, {8 * written / taken:6.3f} bits/byte, "
                f"{100 * (1 - written / taken):5.2f}% saved, {taken} in, {written} out."
            )
        self.sh.err.write(f"{message}\n")
