"""xz - files packed with LZMA2; unxz, xzcat, lzma, unlzma and lzcat are the same command."""

from __future__ import annotations

from keysh.archive.byte_source import Damaged
from keysh.archive.bzip2_xz import LZMA, XZ, xz_compressed, xz_expanded
from keysh.archive.xz_index import Summary, summary
from keysh.gnu.compressors import Packing, Skip, Transfer, level_of
from keysh.interp.state.call import why
from keysh.schema.declare import command
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

CHECKS = {0: "None", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}

HEADING = "Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n"
RULE = f"{'-' * 79}\n"
UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def size_of(size: int) -> str:
    """A number of bytes in the unit that fits it."""
    if size < 10_000:
        return f"{size} B"
    amount, unit = float(size), 0
    while unit == 0 or (amount > 9999.9 and unit < len(UNITS) - 1):
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.1f} {UNITS[unit]}"


def line(found: Summary, name: str) -> str:
    """A file's line."""
    ratio = "---"
    if found.plain and found.packed / found.plain <= 9.999:
        ratio = f"{found.packed / found.plain:.3f}"
    checks = ",".join(checks_of(found))
    return (
        f"{found.streams:5}  {found.blocks:6}  {size_of(found.packed):>11}  "
        f"{size_of(found.plain):>11}  {ratio:>5}  {checks:<7} {name}\n"
    )


def checks_of(found: Summary) -> list[str]:
    """The kinds of sums in a file."""
    return [CHECKS.get(check, f"Unknown-{check}") for check in sorted(found.checks)]


ERROR, WARNING = 1, 2
SUFFIXES = {".xz": "", ".txz": ".tar", ".lzma": "", ".tlz": ".tar"}
PACKED = {False: (".xz", ".txz"), True: (".lzma", ".tlz")}  # of each format
OLDER = ("lzma", "unlzma", "lzcat")
MODES = ("compress", "decompress", "test", "list")  # of which the last one given counts
KNOWN = {"auto": (XZ, LZMA), "xz": (XZ,)}
LEVEL = 6
HINT = "{0}: Try `{0} --help' for more information."
LEAST_SAID, MOST_SAID = -2, 2
SET_ID, STICKY = 0o6000, 0o1000
LISTS_XZ = "--list works only on .xz files (--format=xz or --format=auto)"
FAULTS = {
    "magic": "File format not recognized", "end": "Unexpected end of input",
    "data": "Compressed data is corrupt", "memory": "Memory usage limit reached",
    "empty": "File is empty", "short": "Too small to be a valid .xz file",
}  # fmt: skip


@command(
    added="level",
    unwritten=(1, "(stdout): Write error: {}"),
    invalid={
        "format": "{}: Unknown file format type", "check": "{}: Unsupported integrity check type",
    },
    hint=HINT,
)  # fmt: skip
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
    level: int = LEVEL,
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
            raise sh.fail(f"{number}: Value is not a non-negative decimal integer", ERROR)
    if "/" in suffix or (not suffix and any(name == "suffix" for name, _ in sh.given)):
        raise sh.fail(f"{suffix}: Invalid filename suffix", ERROR)
    run = Xzing(sh, expands=mode in ("decompress", "test"))
    run.to_stdout = stdout or sh.name in ("xzcat", "lzcat")
    run.force, run.tests, run.keeps = force, mode == "test", keep
    voice = loudness(sh.given)
    run.verbose, run.quiet, run.is_silent = voice > 0, voice < 0, voice < -1
    run.warning_status = 0 if no_warn else WARNING
    has_format = any(name == "format" for name, _ in sh.given)
    is_older = sh.name in OLDER if not has_format else format in ("lzma", "alone")
    if mode == "list" and is_older:
        raise sh.fail(LISTS_XZ, ERROR)
    run.is_older, run.known = is_older, (LZMA,) if is_older else KNOWN[format]
    run.is_single = single_stream
    run.check, run.level, run.extreme = check, level_of(sh.given, LEVEL), extreme
    run.suffix = suffix
    del decompress, compress, test, list, quiet, verbose, level, fast, best
    del block_size, memlimit, no_adjust, no_sparse
    if mode == "list":
        yield from run.listing(files, rows=json)
        return run.status
    return (yield from run.run(files))


class Xzing(Packing):
    """One run of xz."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.is_silent = self.is_older = self.is_single = self.extreme = False
        self.known: tuple[bytes, ...] = ()  # how what can be unpacked begins
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
            raise self.folder(name, self.warning(f"{name}: Is a directory, skipping"))
        if self.to_stdout or self.tests:
            return name, found, ""
        if not found.is_file:
            raise self.warning(f"{name}: Not a regular file, skipping")
        if not (self.force or self.keeps):
            self._see_kind(name, found)
        return name, found, self._unpacked(name) if self.expands else self._packed(name)

    def _see_kind(self, name: str, found: Stat) -> None:
        """Refuse a file that would lose something by being written anew."""
        if found.mode & SET_ID:
            raise self.warning(f"{name}: File has setuid or setgid bit set, skipping")
        if found.mode & STICKY:
            raise self.warning(f"{name}: File has sticky bit set, skipping")
        if found.links > 1:
            raise self.warning(f"{name}: Input file has more than one hard link, skipping")

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
                if not stream.read(len(XZ)).startswith(self.known):
                    raise Skip(f"{name}: {FAULTS['magic']}", ERROR)
            raise self.warning(f"{name}: Filename has an unknown suffix, skipping")
        return name[: -len(end)] + known[end]

    def already_there(self, target: str) -> Skip:
        return Skip(f"{target}: File exists", ERROR)

    def refuse_writing(self, *, is_piped: bool) -> None:
        del is_piped
        says = "Compressed data cannot be written to a terminal"
        raise self.sh.fail(f"{says}\n{HINT.format('xz')}", ERROR)

    def refuse_reading(self) -> None:
        raise self.sh.fail("Compressed data cannot be read from a terminal", ERROR)

    def look(self, transfer: Transfer) -> None:
        source = transfer.source
        is_known = not self.expands or source.peek(len(XZ)).startswith(self.known)
        if not (is_known or self._passes(transfer)):
            raise Damaged("magic")

    def _passes(self, transfer: Transfer) -> bool:
        """Whether what is not packed goes through as it is."""
        is_asked = self.force and self.to_stdout and not self.tests
        return is_asked and not transfer.source.peek(len(XZ)).startswith(self.known)

    def stream(self, transfer: Transfer) -> Iterator[bytes]:
        source = transfer.source
        if not self.expands:
            return xz_compressed(
                source.rest(), self.level, extreme=self.extreme, check=self.check,
                older=self.is_older,
            )  # fmt: skip
        if self._passes(transfer):
            return source.rest()
        return xz_expanded(source, single=self.is_single)

    def listing(self, files: Sequence[str], *, rows: bool) -> Iterator[str | dict[str, object]]:
        """The lines of -l, or rows."""
        total, count = Summary(), 0
        for name in files or ("-",):
            self.sh.tick()
            if name == "-":
                self.tell("--list does not support reading from standard input", ERROR)
                continue
            try:
                if self.sh.fs.stat(self.sh.path(name), follow=True).is_directory:
                    raise self.folder(name, self.warning(f"{name}: Is a directory, skipping"))
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
            if rows:
                yield {
                    "name": name, "streams": found.streams, "blocks": found.blocks,
                    "compressed": found.packed, "uncompressed": found.plain,
                    "checks": checks_of(found),
                }  # fmt: skip
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
        if not self.verbose:
            return
        packed, plain = transfer.taken, transfer.made
        if not self.expands:
            packed, plain = plain, packed
        ratio = f"= {packed / plain:.3f}" if plain and packed / plain <= 9.999 else "> 9.999"
        self.sh.err.write(f"{transfer.name}: {size_of(packed)} / {size_of(plain)} {ratio}\n")


def loudness(given: Iterable[tuple[str, object]]) -> int:
    """How much is said: 0 if nothing is asked for, one more for each -v, one less for each -q."""
    level = 0
    for name, value in given:
        if value and name in ("verbose", "quiet"):
            level = min(level + 1, MOST_SAID) if name == "verbose" else max(level - 1, LEAST_SAID)
    return level


def has_suffix(name: str, end: str) -> bool:
    """Whether a name has a suffix, and more before it."""
    base = last_step(name)
    return base.endswith(end) and base != end
