"""gzip - compress with DEFLATE; also called gunzip and zcat."""

from __future__ import annotations

import errno

from keysh.archive.byte_source import ByteSource, DamagedData, chunks_of
from keysh.archive.gzip import GZIP_MAGIC, GzipStream
from keysh.gnu.compressors import CompressionRun, FileConversion, SkipFile, level_of
from keysh.gnu.file_facts import iso_time
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.values import json_of
from keysh.vfs.api import failure
from keysh.vfs.paths import join, last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

ERROR_STATUS, WARNING_STATUS = 1, 2
SUFFIXES = (".tgz", ".taz", ".gz", "-gz", ".z", "-z", "_z")  # besides that of -S, ignoring case
TAR_SHORTHANDS = (".tgz", ".taz")
TRIED_SUFFIXES = (".gz", ".z", "-z", ".Z")  # appended to a missing name
DEFAULT_LEVEL = 6
NANOSECONDS_PER_SECOND = 1_000_000_000
HEADING = "         compressed        uncompressed  ratio uncompressed_name\n"
TERMINAL_REFUSAL = (
    "compressed data not {} a terminal. Use -f to force {}.\nFor help, type: gzip --help"
)
VERBOSE_HEADING = "method  crc     date  time  "
TRAILING_DATA = {"garbage": "garbage", "zeros": "zero bytes"}  # after the end; ignored
SPECIAL_MODES = {
    0o4000: "set-user-ID on execution - ignored", 0o2000: "set-group-ID on execution - ignored",
}  # fmt: skip
STICKY_BIT = 0o1000
# Faults that end the run; with -t the latter do not.
TRUNCATION_FAULTS, CHECKSUM_FAULTS = ("end", "data"), ("crc", "length")


@command(
    compatible="GNU gzip 1.12",
    output=OutputStyle(write_error=(1, "stdout: {}")),
    refusals=Refusals(usage_hint="Try `{} --help' for more information."),
    style=OptionStyle(unabbreviated="level"),
    ignored="--rsyncable; --synchronous",
)
def gzip(
    sh: Call,
    *files: Path,
    ascii: bool = False,
    stdout: bool = False,
    decompress: bool = False,
    force: bool = False,
    json: bool = False,
    keep: bool = False,
    list: bool = False,
    no_name: bool = False,
    name: bool = False,
    quiet: bool = False,
    recursive: bool = False,
    suffix: str = ".gz",
    test: bool = False,
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Compress each file to FILE.gz, or decompress it.

    files ...                  files to compress or decompress; - or none reads
                               standard input and writes standard output
    -a, --ascii                ignored, with a warning
    -c, --stdout, --to-stdout  write to standard output and keep the files
    -d, --decompress, --uncompress
                               decompress, like gunzip
    -f, --force                overwrite files and follow links; with -cd, copy data
                               that is not compressed unchanged
    --json                     with -l, print JSON lines: name, file, compressed,
                               uncompressed, crc, modified
    -h, --help                 print this help
    -k, --keep                 keep the input files
    -l, --list                 list the sizes and names of compressed files
    -n, --no-name              do not save or restore the name and time
    -N, --name                 save the name and time (default); restore them with
                               -d
    -q, --quiet                suppress warnings
    -r, --recursive            process all files in directories
    -S, --suffix TEXT          suffix of compressed files
    -t, --test                 only check the integrity of compressed files
    -v, --verbose              report each file's compression ratio
    --level NUM                compression level from 1 (fastest) to 9 (smallest);
                               the default is 6 (also -NUM)
    --fast                     same as -1
    --best                     same as -9

    zcat is gzip -cd.
    """
    expands = decompress or sh.name in ("gunzip", "zcat") or test or list
    to_stdout = stdout or sh.name == "zcat"
    if not suffix:
        raise sh.fail("invalid suffix ''", ERROR_STATUS)
    sh.name = "gzip"  # messages of gunzip and zcat, which are scripts, name gzip
    run = GzipRun(sh, expands=expands)
    run.to_stdout, run.force = to_stdout, force
    voices = [option for option, value in sh.given if option in ("verbose", "quiet") and value][-1:]
    run.verbose, run.quiet = voices == ["verbose"], voices == ["quiet"]
    run.tests, run.lists, run.recursive = test or list, list, recursive
    run.prints_rows = json and list
    run.keeps = keep
    run.suffix, run.level = suffix, level_of(sh.given, DEFAULT_LEVEL, least=1)
    name_options = [option for option, value in sh.given if option in ("name", "no_name") and value]
    run.names = name_options[-1:] == ["name"] if expands else name_options[-1:] != ["no_name"]
    del level, fast, best, name, no_name, verbose, quiet
    if ascii and not run.quiet:
        run.report("option --ascii ignored on this system")
    yield from run.run(files)
    if run.lists and not (run.is_over or run.quiet or json) and len(files) > 1:
        run.list_totals(run.current.overhead)
    return run.status


class GzipRun(CompressionRun):
    """One run of gzip."""

    STDIN = "stdin"

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.lists = self.recursive = self.names = self.prints_rows = False
        self.suffix, self.level = ".gz", DEFAULT_LEVEL
        self.current = GzipStream()  # of the current file
        self._passes_through = False  # whether the input is copied because it is not compressed
        self._listed_sizes: list[tuple[int, int]] = []

    def worse_status(self, status: int, other: int) -> int:
        return ERROR_STATUS if ERROR_STATUS in (status, other) else WARNING_STATUS

    def warning(self, message: str) -> SkipFile:
        return SkipFile("" if self.quiet else message, WARNING_STATUS)

    # ------------------------------------------------------------ files and their names

    def convert_operand(self, name: str) -> Iterator[str]:
        if name != "-" and self.recursive and self.sh.is_directory(name, follow=False):
            try:
                entries = sorted(entry.name for entry in self.sh.fs.list(self.sh.path(name)))
            except OSError as error:
                self.report(f"{name}: {os_error_text(error)}", ERROR_STATUS)
                return
            for entry in entries:
                yield from self.convert_operand(join(name, entry))
                if self.is_over:
                    break
        else:
            yield from super().convert_operand(name)

    def examine_file(self, name: str) -> tuple[str, Stat, str]:
        path, stat = self._find_file(name)
        if stat.is_directory:
            raise self.folder_skip(path, self.warning(f"{path} is a directory -- ignored"))
        if not stat.is_file:
            raise self.warning(f"{path} is not a directory or a regular file - ignored")
        if self.tests and self.recursive and not self._suffix_of(path):
            raise SkipFile("", 0)
        if self.to_stdout or self.tests:
            return path, stat, ""
        self._check_kind(path, stat)
        return path, stat, self._unpacked_name(path) if self.expands else self._packed_name(path)

    def _check_kind(self, path: str, stat: Stat) -> None:
        """Refuse a file that would lose attributes by being rewritten."""
        for bit, words in SPECIAL_MODES.items():
            if stat.mode & bit:
                raise self.warning(f"{path} is {words}")
        if stat.mode & STICKY_BIT and not self.force:
            raise self.warning(f"{path} has the sticky bit set - file ignored")
        if stat.links > 1 and not self.force:
            other = stat.links - 1
            message = f"{path} has {other} other link{'s' * (other > 1)} -- file ignored"
            raise self.warning(message)

    def _find_file(self, name: str) -> tuple[str, Stat]:
        """Find a named file; with -d also under the name with a suffix."""
        follows = self.force or self.to_stdout or self.tests
        candidates = [name]
        if self.expands and not self._suffix_of(name):
            candidates += [
                name + suffix for suffix in dict.fromkeys((self.suffix, *TRIED_SUFFIXES))
            ]
        for path in candidates:
            try:
                stat = self.sh.fs.stat(self.sh.path(path), follow=follows)
                if stat.is_link:
                    raise failure(errno.ELOOP, path)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise SkipFile(f"{path}: {os_error_text(error)}", ERROR_STATUS) from None
            return path, stat
        missing = candidates[1] if len(candidates) > 1 else name
        raise SkipFile(f"{missing}: {os_error_text(failure(errno.ENOENT, missing))}", ERROR_STATUS)

    def _suffix_of(self, path: str) -> str:
        """Return the suffix of a compressed file; the name may not be the suffix alone."""
        base = last_step(path)
        lower = base.lower()
        matching = (
            suffix for suffix in (self.suffix, *SUFFIXES) if suffix and lower.endswith(suffix)
        )
        return base[-len(suffix) :] if (suffix := next(matching, "")) and lower != suffix else ""

    def _packed_name(self, path: str) -> str:
        suffix = self._suffix_of(path)
        if suffix and not self.force:
            if self.verbose or not (self.recursive or self.quiet):
                self.report(f"{path} already has {suffix} suffix -- unchanged")
            raise SkipFile("", 0)
        return path + self.suffix

    def _unpacked_name(self, path: str) -> str:
        suffix = self._suffix_of(path)
        if not suffix:
            is_reported = self.verbose or not (self.recursive or self.quiet)
            raise SkipFile(
                f"{path}: unknown suffix -- ignored" * is_reported, WARNING_STATUS * is_reported
            )
        bare = path[: -len(suffix)] + (".tar" if suffix.lower() in TAR_SHORTHANDS else "")
        stored = self._stored_name(path) if self.names else ""
        return join(path[: path.rindex("/")], stored) if stored and "/" in path else stored or bare

    def _stored_name(self, path: str) -> str:
        """Return the last component of the name stored in a compressed file."""
        header = GzipStream()
        with self.open_file(path) as stream:
            try:
                header.read_header(ByteSource(chunks_of(stream.read)), is_first=True)
            except DamagedData:
                return ""  # decompression reports it
        name = last_step(text_of_bytes(header.name))
        return "" if name in (".", "..") else name

    def already_there(self, target: str) -> SkipFile:
        return SkipFile(f"{target} already exists;\tnot overwritten", WARNING_STATUS)

    def refuse_terminal_output(self, *, is_piped: bool) -> None:
        if is_piped and not self.force:
            raise self.sh.fail(TERMINAL_REFUSAL.format("written to", "compression"), ERROR_STATUS)

    def refuse_terminal_input(self) -> None:
        if not self.force:
            raise self.sh.fail(TERMINAL_REFUSAL.format("read from", "decompression"), ERROR_STATUS)

    # ------------------------------------------------------------ bytes

    def check_head(self, transfer: FileConversion) -> None:
        if self.expands:
            self.current = GzipStream()
            self._passes_through = (
                self._may_pass_through(transfer) and transfer.source.peek(2) != GZIP_MAGIC
            )
            if not self._passes_through:
                self.current.read_header(transfer.source, is_first=True)

    def _may_pass_through(self, transfer: FileConversion) -> bool:
        """Tell whether data that is not compressed may be copied unchanged."""
        return self.force and not transfer.target and not self.lists

    def convert(self, transfer: FileConversion) -> Iterator[bytes]:
        source = transfer.source
        if self.expands:
            if self._passes_through:
                return source.rest()
            return self.current.members(source, passes=self._may_pass_through(transfer))
        name, modified = b"", 0
        if self.names and transfer.stat is not None:
            name, modified = (
                bytes_of_text(last_step(transfer.name)),
                transfer.stat.modified // NANOSECONDS_PER_SECOND,
            )
        self.current = GzipStream(name, modified)
        return self.current.compress(source.rest(), self.level)

    def target_time(self, transfer: FileConversion, stat: Stat) -> int:
        is_stored = self.expands and self.names and self.current.modified
        return self.current.modified * NANOSECONDS_PER_SECOND if is_stored else stat.modified

    # ------------------------------------------------------------ words

    def report_start(self, transfer: FileConversion) -> None:
        if self.verbose and not self.lists and transfer.stat is not None:
            self.sh.err.write(f"{transfer.name}:\t")

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        name, kind = transfer.name, fault.fault
        if fault.is_harmless:
            self.current.overhead = 0  # another header has been read in part
            if kind == "garbage" or self.verbose:
                message = f"{name}: decompression OK, trailing {TRAILING_DATA[kind]} ignored"
                self.sh.err.write("" if self.quiet else "\n")
                self.report("" if self.quiet else message, WARNING_STATUS)
            if self.lists and self._listed_sizes:
                self.list_totals()
            return self.lists or transfer.stat is None
        for words in fault_messages(fault):
            self.sh.err.write("" if kind in ("method", "flags") else "\n")
            self.report(f"{name}{words}", ERROR_STATUS)
        if kind in CHECKSUM_FAULTS and self.lists and self._listed_sizes:
            self.list_totals(self.current.overhead)
        self.is_over = kind in TRUNCATION_FAULTS or (kind in CHECKSUM_FAULTS and not self.tests)
        return True

    def report_done(self, transfer: FileConversion) -> None:
        if self.lists:
            self._list_file(transfer)
        elif self.verbose and self.tests:
            self.sh.err.write(" OK\n")
        elif self.verbose and not (self.expands and transfer.stat is None):
            verb = "created" if self.keeps else "replaced with"
            tail = f" -- {verb} {transfer.target or 'stdout'}" if transfer.stat is not None else ""
            plain, packed = transfer.written_bytes, transfer.read_bytes
            if not self.expands:
                plain, packed = packed, plain
            ratio = compression_ratio(plain, packed - self.current.overhead)
            self.sh.err.write(f"{ratio}{tail}\n")

    def _list_file(self, transfer: FileConversion) -> None:
        """Print one line or row of -l."""
        out, stat = self.sh.out, transfer.stat
        packed, plain = transfer.read_bytes, transfer.written_bytes
        time = stat.modified if stat is not None else 0
        if self.names and self.current.modified:
            time = self.current.modified * NANOSECONDS_PER_SECOND
        name = "stdout"
        if stat is not None:
            stored = text_of_bytes(self.current.name) if self.names else ""
            suffix = self._suffix_of(transfer.name)
            bare = transfer.name.removesuffix(suffix) + ".tar" * (suffix.lower() in TAR_SHORTHANDS)
            name = stored or bare
        if self.prints_rows:
            row = {
                "name": name, "file": transfer.name, "compressed": packed, "uncompressed": plain,
                "crc": f"{self.current.crc:08x}", "modified": iso_time(time) if time else None,
            }  # fmt: skip
            out.write_row(row, f"{json_of(row)}\n")
            return
        if not self._listed_sizes and not self.quiet:
            out.write(VERBOSE_HEADING * self.verbose + HEADING)
        self._listed_sizes.append((packed, plain))
        if self.verbose:
            moment = Moment(time, find_zone(self.sh.env.get("TZ")))
            out.write(f"defla {self.current.crc:08x} {format_moment('%b %e %H:%M', moment)} ")
        ratio = compression_ratio(plain, packed - self.current.overhead)
        out.write(f"{packed:19} {plain:19} {ratio} {name}\n")

    def list_totals(self, overhead: int = 0) -> None:
        """Print the totals line of -l; after a damaged file too."""
        packed, plain = (sum(row[column] for row in self._listed_sizes) for column in (0, 1))
        if packed and plain:
            numbers = "" if self.quiet else f"{packed:19} {plain:19} "
            ratio = compression_ratio(plain, packed - overhead)
            self.sh.out.write(f"{' ' * 28 * self.verbose}{numbers}{ratio} (totals)\n")


def fault_messages(fault: DamagedData) -> list[str]:
    """Return gzip's messages for a fault, which follow the file name."""
    data = ": invalid compressed data--"
    if fault.fault == "crc":
        also = [f"{data}length error"] if fault.detail else []
        return [f"{data}crc error", *also]
    if fault.fault == "flags":
        is_encrypted = int(fault.detail, 16) & 0x20
        why = "is encrypted" if is_encrypted else f"has flags 0x{fault.detail}"
        return [f" {why} -- not supported"]
    return [{
        "magic": ": not in gzip format", "end": ": unexpected end of file",
        "length": f"{data}length error", "data": f"{data}format violated",
        "method": f": unknown method {fault.detail} -- not supported",
    }[fault.fault]]  # fmt: skip


def compression_ratio(plain: int, packed: int) -> str:
    return f"{(plain - packed) / plain * 100 if plain else 0:5.1f}%"
