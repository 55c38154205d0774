"""gzip - files packed with DEFLATE; gunzip and zcat are the same command."""

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
SUFFIXES = (".tgz", ".taz", ".gz", "-gz", ".z", "-z", "_z")  # besides that of -S, in any case
TAR_SHORTHANDS = (".tgz", ".taz")
TRIED_SUFFIXES = (".gz", ".z", "-z", ".Z")  # behind a name that is not there
DEFAULT_LEVEL = 6
NANOSECONDS_PER_SECOND = 1_000_000_000
HEADING = "         compressed        uncompressed  ratio uncompressed_name\n"
TERMINAL_REFUSAL = (
    "compressed data not {} a terminal. Use -f to force {}.\nFor help, type: gzip --help"
)
VERBOSE_HEADING = "method  crc     date  time  "
TRAILING_DATA = {"garbage": "garbage", "zeros": "zero bytes"}  # the end, which are ignored
SPECIAL_MODES = {
    0o4000: "set-user-ID on execution - ignored", 0o2000: "set-group-ID on execution - ignored",
}  # fmt: skip
STICKY_BIT = 0o1000
TRUNCATION_FAULTS, CHECKSUM_FAULTS = (
    ("end", "data"),
    ("crc", "length"),
)  # faults that end the run, the latter unless it tests


@command(
    output=OutputStyle(write_error=(1, "stdout: {}")),
    refusals=Refusals(usage_hint="Try `{} --help' for more information."),
    style=OptionStyle(unabbreviated="level"),
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
    rsyncable: bool = False,
    suffix: str = ".gz",
    synchronous: bool = False,
    test: bool = False,
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Pack each file into one with .gz behind its name, or unpack it.

    files ...                  what to pack or unpack; - for standard input, which goes to
                               standard output, as it does where none are given
    -a, --ascii                ignored, with a warning
    -c, --stdout, --to-stdout  write to standard output, and keep the files
    -d, --decompress, --uncompress  unpack, as gunzip does
    -f, --force                write over files, follow links; with -cd, print what is not packed
                               as it is
    --json                     with -l, rows as JSON lines: name, file, compressed, uncompressed,
                               crc, modified
    -k, --keep                 keep the files
    -l, --list                 sizes and names of packed files
    -n, --no-name              neither keep nor give back name and time
    -N, --name                 unpacking, give back name and time
    -q, --quiet                no warnings
    -r, --recursive            all files in directories
    --rsyncable                ignored
    -S, --suffix TEXT          what stands behind the names of packed files
    --synchronous              ignored: what is written is there
    -t, --test                 only see whether packed files are whole
    -v, --verbose              say what is done
    --level NUM                how small to pack: 1, the fastest, to 9, the smallest; 6 without it
                               (also -NUM)
    --fast                     the same as -1
    --best                     the same as -9

    zcat is gzip -cd.
    """
    expands = decompress or sh.name in ("gunzip", "zcat") or test or list
    to_stdout = stdout or sh.name == "zcat"
    if not suffix:
        raise sh.fail("invalid suffix ''", ERROR_STATUS)
    sh.name = "gzip"  # gunzip and zcat are scripts that run it: messages have its name
    run = GzipRun(sh, expands=expands)
    run.to_stdout, run.force = to_stdout, force
    voice = [given for given, value in sh.given if given in ("verbose", "quiet") and value][-1:]
    run.verbose, run.quiet = voice == ["verbose"], voice == ["quiet"]
    run.tests, run.lists, run.recursive = test or list, list, recursive
    run.prints_rows = json and list
    run.keeps = keep
    run.suffix, run.level = suffix, level_of(sh.given, DEFAULT_LEVEL, least=1)
    said = [given for given, value in sh.given if given in ("name", "no_name") and value]
    run.names = said[-1:] == ["name"] if expands else said[-1:] != ["no_name"]
    del level, fast, best, name, no_name, rsyncable, synchronous, verbose, quiet
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
        self.current = GzipStream()  # of the file that is dealt with
        self._passes_through = False  # whether it is not packed, and goes through as it is
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
        path, found = self._find_file(name)
        if found.is_directory:
            raise self.folder_skip(path, self.warning(f"{path} is a directory -- ignored"))
        if not found.is_file:
            raise self.warning(f"{path} is not a directory or a regular file - ignored")
        if self.tests and self.recursive and not self._suffix_of(path):
            raise SkipFile("", 0)
        if self.to_stdout or self.tests:
            return path, found, ""
        self._check_kind(path, found)
        return path, found, self._unpacked_name(path) if self.expands else self._packed_name(path)

    def _check_kind(self, path: str, found: Stat) -> None:
        """Refuse a file that would lose something by being written anew."""
        for bit, words in SPECIAL_MODES.items():
            if found.mode & bit:
                raise self.warning(f"{path} is {words}")
        if found.mode & STICKY_BIT and not self.force:
            raise self.warning(f"{path} has the sticky bit set - file ignored")
        if found.links > 1 and not self.force:
            other = found.links - 1
            says = f"{path} has {other} other link{'s' * (other > 1)} -- file ignored"
            raise self.warning(says)

    def _find_file(self, name: str) -> tuple[str, Stat]:
        """The file of a name; unpacking, one with a suffix more where that is missing."""
        follows = self.force or self.to_stdout or self.tests
        tried = [name]
        if self.expands and not self._suffix_of(name):
            tried += [name + end for end in dict.fromkeys((self.suffix, *TRIED_SUFFIXES))]
        for path in tried:
            try:
                found = self.sh.fs.stat(self.sh.path(path), follow=follows)
                if found.is_link:
                    raise failure(errno.ELOOP, path)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise SkipFile(f"{path}: {os_error_text(error)}", ERROR_STATUS) from None
            return path, found
        shown = tried[1] if len(tried) > 1 else name
        raise SkipFile(f"{shown}: {os_error_text(failure(errno.ENOENT, shown))}", ERROR_STATUS)

    def _suffix_of(self, path: str) -> str:
        """The suffix of a packed file, which is not all of its name."""
        base = last_step(path)
        lower = base.lower()
        found = (end for end in (self.suffix, *SUFFIXES) if end and lower.endswith(end))
        return base[-len(end) :] if (end := next(found, "")) and lower != end else ""

    def _packed_name(self, path: str) -> str:
        found = self._suffix_of(path)
        if found and not self.force:
            if self.verbose or not (self.recursive or self.quiet):
                self.report(f"{path} already has {found} suffix -- unchanged")
            raise SkipFile("", 0)
        return path + self.suffix

    def _unpacked_name(self, path: str) -> str:
        end = self._suffix_of(path)
        if not end:
            is_told = self.verbose or not (self.recursive or self.quiet)
            raise SkipFile(f"{path}: unknown suffix -- ignored" * is_told, WARNING_STATUS * is_told)
        bare = path[: -len(end)] + (".tar" if end.lower() in TAR_SHORTHANDS else "")
        stored = self._stored_name(path) if self.names else ""
        return join(path[: path.rindex("/")], stored) if stored and "/" in path else stored or bare

    def _stored_name(self, path: str) -> str:
        """The name in a packed file, of which only the last step counts."""
        header = GzipStream()
        with self.open_file(path) as stream:
            try:
                header.read_header(ByteSource(chunks_of(stream.read)), is_first=True)
            except DamagedData:
                return ""  # unpacking will tell of it
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
        """Whether what is not packed goes through as it is."""
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

    def target_time(self, transfer: FileConversion, found: Stat) -> int:
        is_stored = self.expands and self.names and self.current.modified
        return self.current.modified * NANOSECONDS_PER_SECOND if is_stored else found.modified

    # ------------------------------------------------------------ words

    def report_start(self, transfer: FileConversion) -> None:
        if self.verbose and not self.lists and transfer.stat is not None:
            self.sh.err.write(f"{transfer.name}:\t")

    def report_fault(self, transfer: FileConversion, fault: DamagedData) -> bool:
        name, kind = transfer.name, fault.fault
        if fault.is_harmless:
            self.current.overhead = 0  # it has begun to read another header
            if kind == "garbage" or self.verbose:
                says = f"{name}: decompression OK, trailing {TRAILING_DATA[kind]} ignored"
                self.sh.err.write("" if self.quiet else "\n")
                self.report("" if self.quiet else says, WARNING_STATUS)
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
        """One line or row of -l."""
        out, found = self.sh.out, transfer.stat
        packed, plain = transfer.read_bytes, transfer.written_bytes
        time = found.modified if found is not None else 0
        if self.names and self.current.modified:
            time = self.current.modified * NANOSECONDS_PER_SECOND
        name = "stdout"
        if found is not None:
            stored = text_of_bytes(self.current.name) if self.names else ""
            end = self._suffix_of(transfer.name)
            bare = transfer.name.removesuffix(end) + ".tar" * (end.lower() in TAR_SHORTHANDS)
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
        """A line with the sums of -l so far: at the end, and behind what is not whole."""
        packed, plain = (sum(row[column] for row in self._listed_sizes) for column in (0, 1))
        if packed and plain:
            numbers = "" if self.quiet else f"{packed:19} {plain:19} "
            ratio = compression_ratio(plain, packed - overhead)
            self.sh.out.write(f"{' ' * 28 * self.verbose}{numbers}{ratio} (totals)\n")


def fault_messages(fault: DamagedData) -> list[str]:
    """What gzip says behind a file's name."""
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
    """How much smaller the data became, in percent."""
    return f"{(plain - packed) / plain * 100 if plain else 0:5.1f}%"
