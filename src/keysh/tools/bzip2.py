"""bzip2 - files packed with the Burrows-Wheeler transform; bunzip2 and bzcat are the same."""

from __future__ import annotations

from keysh.archive.bzip2_xz import bzip2_compressed, bzip2_expanded, is_bzip2
from keysh.gnu.compressors import Packing, Skip, Transfer, level_of
from keysh.interp.state.call import why
from keysh.interp.streams.files import is_there
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from keysh.archive.byte_source import Damaged
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

USAGE, CORRUPT = 1, 2
SUFFIXES = {".bz2": "", ".bz": "", ".tbz2": ".tar", ".tbz": ".tar"}
LEVEL = 9
SMALL = 2  # the highest level with -s
RECOVER = """
You can use the `bzip2recover' program to attempt to recover
data from undamaged sections of corrupted files.

"""
CORRUPTED = """
It is possible that the compressed file(s) have become corrupted.
You can use the -tvv option to test integrity of such files.
"""
REFUSAL = "I won't {} a terminal.\nbzip2: For help, type: `bzip2 --help'."
ENDS = "Compressed file ends unexpectedly;\n\tperhaps it is corrupted?"


@command(added="level")
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
    level: int = LEVEL,
    fast: bool = False,
    best: bool = False,
    repetitive_fast: bool = False,
    repetitive_best: bool = False,
) -> Generator[str, None, int]:
    """Pack each file into one with .bz2 behind its name, or unpack it.

    files ...         what to pack or unpack; - for standard input, which goes to standard
                      output, as it does where none are given
    -c, --stdout      write to standard output, and keep the files
    -d, --decompress  unpack, as bunzip2 does
    -z, --compress    pack, whatever the command's name
    -f, --force       write over files, follow links; with -cd, print what is not packed as it is
    -k, --keep        keep the files
    -q, --quiet       no warnings
    -s, --small       blocks of 200 kB at most
    -t, --test        only see whether packed files are whole
    -v, --verbose     say what is done
    --level NUM       blocks of so many times 100 kB: 1 to 9; 9 without it (also -NUM)
    --fast            the same as -1
    --best            the same as -9
    --repetitive-fast  ignored, with a warning
    --repetitive-best  ignored, with a warning

    bzcat is bzip2 -cd.
    """
    ways = ("decompress", "compress", "test")
    said = [name for name, value in sh.given if value and name in ways]
    way = said[-1] if said else "decompress" if sh.name in ("bunzip2", "bzcat") else "compress"
    to_stdout = stdout or sh.name == "bzcat"
    names = [name for name in files if name != "-"]  # which says nothing to bzip2
    if way == "test" and (stdout or (to_stdout and names)):
        raise sh.fail("-c and -t cannot be used together.", USAGE)
    run = Bzipping(sh, expands=way != "compress")
    run.to_stdout, run.force, run.verbose = to_stdout, force, verbose
    run.tests, run.keeps, run.quiet = way == "test", keep, quiet
    run.level = level_of(sh.given, LEVEL, least=1)
    if small:
        run.level = min(run.level, SMALL)
    del decompress, compress, test, level, fast, best
    for name, is_asked in (("fast", repetitive_fast), ("best", repetitive_best)):
        if is_asked:
            run.tell(f"--repetitive-{name} is redundant in versions 0.9.5 and above")
    run.names, run.width = names, max(len(name) for name in (run.STDIN, *names))
    status = yield from run.run(names)
    if run.has_bad and not quiet:
        sh.err.write(RECOVER)
    return status


class Bzipping(Packing):
    """One run of bzip2."""

    def __init__(self, sh: Call, *, expands: bool) -> None:
        super().__init__(sh, expands=expands)
        self.level, self.width = LEVEL, 0
        self.names: list[str] = []
        self._dealt_with = 0  # of the names
        self.has_bad = False  # whether a file that was only tested is not whole

    def worse(self, status: int, other: int) -> int:
        return max(status, other)

    def examined(self, name: str) -> tuple[str, Stat, str]:
        self._dealt_with += 1
        try:
            found = self.sh.fs.stat(self.sh.path(name), follow=True)
        except OSError as error:
            raise self.unreadable(name, error) from None
        end = next((end for end in SUFFIXES if name.endswith(end)), "")
        if end and not self.expands:
            says = "" if self.quiet else f"Input file {name} already has {end} suffix."
            raise Skip(says, USAGE)
        if found.is_directory:
            raise self.folder(name, Skip(f"Input file {name} is a directory.", USAGE))
        if self.to_stdout or self.tests:
            return name, found, ""
        is_link = self.sh.fs.stat(self.sh.path(name)).is_link
        if not self.force and (is_link or not found.is_file):
            raise Skip("" if self.quiet else f"Input file {name} is not a normal file.", USAGE)
        target = name[: -len(end)] + SUFFIXES[end] if end else f"{name}.out"
        if not self.expands:
            target = f"{name}.bz2"
        elif not end and not self.quiet:
            self.tell(f"Can't guess original name for {name} -- using {target}")
        if not target:
            raise Skip("Can't create output file : No such file or directory.", USAGE)
        if not self.force and is_there(self.sh, target, follow=False):
            raise self.already_there(target)
        if not self.force and found.links > 1:
            other = found.links - 1
            plural = "s" * (other > 1)
            raise Skip(f"Input file {name} has {other} other link{plural}.", USAGE)
        return name, found, target

    def already_there(self, target: str) -> Skip:
        return Skip(f"Output file {target} already exists.", USAGE)

    def unreadable(self, path: str, error: OSError) -> Skip:
        what = "input" if self.tests else "input file"
        return Skip(f"Can't open {what} {path}: {why(error)}.", USAGE)

    def unwritable(self, target: str, error: OSError) -> Skip:
        return Skip(f"Can't create output file {target}: {why(error)}.", USAGE)

    def refuse_writing(self, *, is_piped: bool) -> None:
        del is_piped
        raise self.sh.fail(REFUSAL.format("write compressed data to"), USAGE)

    def refuse_reading(self) -> None:
        raise self.sh.fail(REFUSAL.format("read compressed data from"), USAGE)

    def stream(self, transfer: Transfer) -> Iterator[bytes]:
        source = transfer.source
        if not self.expands:
            return bzip2_compressed(source.rest(), self.level)
        head = source.peek(4)
        passes = self.force and not self.tests and not is_bzip2(head)
        return source.rest() if passes else bzip2_expanded(source)

    # ------------------------------------------------------------ words

    def begin(self, transfer: Transfer) -> None:
        if self.verbose:
            name = transfer.name
            self.sh.err.write(f"  {name}: {' ' * (self.width - len(name))}")

    def tell_fault(self, transfer: Transfer, fault: Damaged) -> bool:
        write, name, kind = self.sh.err.write, transfer.name, fault.fault
        if kind == "garbage":
            if not self.quiet:
                says = "trailing garbage after EOF ignored"
                write("" if self.tests else "\n")
                if self.tests and self.verbose:
                    write(f"{says}\n")
                else:
                    self.tell(f"{name}: {says}")
            return False
        if self.tests:
            reason = {
                "magic": "bad magic number (file not created by bzip2)",
                "end": "file ends unexpectedly",
            }.get(kind, "data integrity (CRC) error in data")
            write(f"{reason}\n" if self.verbose else f"{self.sh.name}: {name}: {reason}\n")
            self.has_bad = True
        elif kind == "magic":
            says = "not a bzip2 file.\n"
            write(says if self.verbose else f"{self.sh.name}: {name} is {says}")
        else:
            self._end(transfer, kind)
        self.tell("", CORRUPT)
        return True

    def _end(self, transfer: Transfer, kind: str) -> None:
        """Say what is wrong in a file's data, behind which bzip2 ends the run."""
        self.is_over = True
        write, name, target = self.sh.err.write, transfer.name, transfer.target
        if kind != "end" or not self.quiet:
            write("\n")
            self.tell(ENDS if kind == "end" else "Data integrity error when decompressing.")
        if not self.quiet:
            write(f"\tInput file = {name}, output file = {target or '(stdout)'}\n")
            write(f"{CORRUPTED}{RECOVER}")
            if target:
                self.tell(f"Deleting output file {target}, if it exists.")
            count, left = len(self.names), len(self.names) - self._dealt_with
            if left:
                self.tell("WARNING: some files have not been processed:")
                self.tell(f"   {count} specified on command line, {left} not processed yet.\n")

    def tell_done(self, transfer: Transfer) -> None:
        if not self.verbose:
            return
        if self.expands:
            says = "ok" if self.tests else "done"
        elif not transfer.taken:
            says = " no data compressed."
        else:
            taken, made = transfer.taken, transfer.made
            says = (
                f"{taken / made:6.3f}:1, {8 * made / taken:6.3f} bits/byte, "
                f"{100 * (1 - made / taken):5.2f}% saved, {taken} in, {made} out."
            )
        self.sh.err.write(f"{says}\n")
