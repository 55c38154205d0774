"""Checksums: the digests of files, printed in lines, and files checked against such lines."""

from __future__ import annotations

import re
import zlib

from keysh.gnu.progress import Progress, file_size
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import reader_of
from keysh.schema.declare import command
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

    Sum = Callable[[Iterable[bytes]], tuple[int, int]]


DIGEST_LINE = re.compile(r"[ \t]*(\\?)([0-9A-Fa-f]+)[ \t][ *](.+)", re.DOTALL)
TAGGED_DIGEST_LINE = re.compile(
    r"[ \t]*(\\?)([A-Za-z0-9-]+) ?\((.+)\) ?= ?([0-9A-Fa-f]+)", re.DOTALL
)
MODE_OPTIONS = ("binary", "text", "tag")  # which undo one another
CHECK_OPTIONS = ("ignore_missing", "status", "warn", "quiet", "strict")
VERBOSITY_OPTIONS = ("status", "warn", "quiet")
ALGORITHM_TITLES = {
    "md5": "MD5", "sha1": "SHA1", "sha224": "SHA224", "sha256": "SHA256", "sha384": "SHA384",
    "sha512": "SHA512", "blake2b": "BLAKE2b",
}  # fmt: skip
MAX_BLAKE2B_BITS = 512  # bits of BLAKE2b, which is what it has by itself
NAME_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
DIGEST_HELP = """Print or check {} digests.

    files ...            files to read, - for standard input
    -b, --binary         mark the names with a star
    -c, --check          the files are lists of digests: check the files that these name{}
    --tag                print the name of the algorithm too
    -t, --text           no mark, as without it
    -z, --zero           lines end with NUL, and names are printed as they are
    --ignore-missing     with -c, a file that is missing is no failure
    --quiet              with -c, print only what fails
    --status             with -c, print nothing
    --strict             with -c, a line that is no digest is a failure
    -w, --warn           with -c, tell of each line that is no digest
    --json               rows as JSON lines: name, digest
    """


class DigestAlgorithm:
    """An algorithm: hashlib's name for it, what lines of digests call it, and its bits.

    Only BLAKE2b has other numbers of bits than its own; they stand behind its name.
    """

    __slots__ = ("bits", "name", "title")

    def __init__(self, name: str, bits: int = 0) -> None:
        self.name, self.title = name, ALGORITHM_TITLES[name]
        self.bits = bits % MAX_BLAKE2B_BITS  # 0 for the usual number

    @property
    def tag(self) -> str:
        """The name in a line."""
        return f"{self.title}-{self.bits}" if self.bits else self.title

    def digest_of(self, pieces: Iterable[bytes]) -> str:
        """The digest of pieces of bytes, in hexadecimal."""
        import hashlib  # noqa: PLC0415 - so that help does not need it

        size: dict[str, Any] = {"digest_size": self.bits // 8} if self.bits else {}
        made = hashlib.new(self.name, usedforsecurity=False, **size)
        for piece in pieces:
            made.update(piece)
        return made.hexdigest()


def blake2b_digest(sh: Call, name: str, text: str) -> DigestAlgorithm:
    """BLAKE2b with the number of bits that -l asks for."""
    says = f"invalid length: {quoted_name(text)}"
    if not is_digits(text):
        raise sh.fail(says)
    bits = bounded_number(text)
    if bits > MAX_BLAKE2B_BITS:
        most = f"maximum digest length for {quoted_name(ALGORITHM_TITLES[name])} is {MAX_BLAKE2B_BITS} bits"
        raise sh.fail(f"{says}\n{sh.name}: {most}")
    if bits % 8:
        raise sh.fail(f"{says}\n{sh.name}: length is not a multiple of 8")
    return DigestAlgorithm(name, bits)


def digest_command(name: str, algorithm: str) -> Callable[..., Any]:
    """The command that prints and checks the digests of an algorithm, as hashlib names it."""

    def digests(
        sh: Call,
        *files: Path,
        binary: bool = False,
        check: bool = False,
        tag: bool = False,
        text: bool = False,
        zero: bool = False,
        ignore_missing: bool = False,
        quiet: bool = False,
        status: bool = False,
        strict: bool = False,
        warn: bool = False,
        json: bool = False,
    ) -> Iterator[object]:
        del binary, check, tag, text, zero, ignore_missing, quiet, status, strict, warn, json
        return run_digest(sh, files, DigestAlgorithm(algorithm))

    digests.__doc__ = DIGEST_HELP.format(ALGORITHM_TITLES[algorithm], "")
    return command(name=name)(digests)


def run_digest(sh: Call, files: Sequence[str], digest: DigestAlgorithm) -> Iterator[object]:
    """What a command of an algorithm prints, by the options that are given."""
    flags = {name for name, value in dict(sh.given).items() if value}
    wishes = checksum_options(sh)
    if "check" in flags:
        refuse_check_options(flags)
        for path in files or ("-",):
            yield from DigestCheck(sh, digest, wishes).results(path)
        return
    mode = [name for name, value in sh.given if value and name in MODE_OPTIONS][-1:]
    if "tag" in flags and mode == ["text"]:
        raise UsageFailure("--tag does not support --text mode")
    for wish in CHECK_OPTIONS:
        if wish in wishes:
            flag = wish.replace("_", "-")
            says = f"the --{flag} option is meaningful only when verifying checksums"
            raise UsageFailure(says)
    progress, zero = Progress(sh), "zero" in flags
    for source in sh.inputs(files):
        before, sh.status = sh.status, 0
        found = digest.digest_of(progress.read_input(source))
        is_unread, sh.status = sh.status > 0, max(before, sh.status)
        if is_unread:
            continue
        if "json" in flags:
            yield {"name": source.name, "digest": found}
        elif "tag" in flags:
            yield digest_line(f"{digest.tag} (", source.name, f") = {found}", zero)
        else:
            mark = "*" if mode == ["binary"] else " "
            yield digest_line(f"{found} {mark}", source.name, "", zero)


def checksum_options(sh: Call) -> set[str]:
    """What is asked of a check; of those that say how much to tell, the last counts."""
    given = [name for name, value in sh.given if value]
    telling = [name for name in given if name in VERBOSITY_OPTIONS]
    return {
        name for name in given if name in CHECK_OPTIONS and name not in VERBOSITY_OPTIONS
    } | set(telling[-1:])


def refuse_check_options(flags: Collection[str]) -> None:
    """Refuse options that mean nothing with -c."""
    if "zero" in flags:
        says = "the --zero option is not supported when verifying checksums"
        raise UsageFailure(says)
    for flag in ("tag", "binary", "text"):
        if flag in flags:
            what = "--tag" if flag == "tag" else "--binary and --text"
            verb = "option is" if flag == "tag" else "options are"
            says = f"the {what} {verb} meaningless when verifying checksums"
            raise UsageFailure(says)


def digest_line(before: str, name: str, behind: str, ends_with_nul: bool) -> str:
    """A line with a name; a backslash in front says that the name has escapes."""
    if ends_with_nul:
        return f"{before}{name}{behind}\0"
    shown = name.translate(NAME_ESCAPES)
    return f"{chr(92) if shown != name else ''}{before}{shown}{behind}\n"


class DigestCheck:
    """The check of one list: what it asks for, and how many lines went which way.

    Without an algorithm each line must name its own.
    """

    __slots__ = (
        "_malformed", "_digest", "_failed", "_matched", "_progress", "_sh", "_title", "_unreadable",
        "_options",
    )  # fmt: skip

    def __init__(self, sh: Call, digest: DigestAlgorithm | None, wishes: Collection[str]) -> None:
        self._sh, self._digest, self._options = sh, digest, wishes
        self._title = digest.title if digest else "CRC"  # what a line was last thought to be
        self._malformed = self._failed = self._matched = self._unreadable = 0
        self._progress = Progress(sh)

    def results(self, path: str) -> Iterator[str]:
        """Check all files that a list names; a line for each, and warnings at the end."""
        name = "'standard input'" if path == "-" else message_name(path)
        sh, wishes = self._sh, self._options
        proper, before = 0, sh.status
        for source in sh.inputs([path], reading="{title}: read error"):
            sh.status = 0
            for number, line in enumerate(source.lines(), 1):
                if line.startswith("#"):
                    continue
                bare = line.removesuffix("\n").removesuffix("\r")
                if not bare:
                    continue
                entry = self.entry(bare)
                if entry is None or entry[0] == path == "-":
                    self._malformed += 1
                    if "warn" in wishes:
                        what = f"improperly formatted {self._title} checksum line"
                        sh.note(f"{name}: {number}: {what}")
                    continue
                proper += 1
                if result := self.result(*entry):
                    yield result
            if proper or not sh.status:
                self.report_totals(name, proper)
            sh.status = max(sh.status, before)

    def entry(self, line: str) -> tuple[str, str, DigestAlgorithm] | None:
        """The name, the digest and the algorithm in a line, if it is one of what is checked."""
        if match := TAGGED_DIGEST_LINE.fullmatch(line):
            mark, digest, file = match[1], match[4], match[3]
            name, _, bits = match[2].partition("-")
            found = next((key for key, title in ALGORITHM_TITLES.items() if title == name), "")
            if not found or (self._digest and self._digest.name != found):
                return None
            self._title = name
            is_sized = (
                is_digits(bits) and bounded_number(bits) <= MAX_BLAKE2B_BITS and found == "blake2b"
            )
            if bits and not is_sized:
                return None
            kind = DigestAlgorithm(found, bounded_number(bits))
        elif (match := DIGEST_LINE.fullmatch(line)) and self._digest:
            mark, digest, file, kind = match[1], match[2], match[3], self._digest
            if kind.name == "blake2b":
                kind = DigestAlgorithm(kind.name, len(digest) * 4)
        else:
            return None
        if kind.bits % 8 or len(digest) != (kind.bits // 4 or len(kind.digest_of(()))):
            return None
        return (unescaped_name(file) if mark else file), digest.lower(), kind

    def result(self, file: str, digest: str, kind: DigestAlgorithm) -> str:
        """Check one file; the line to print."""
        sh, wishes = self._sh, self._options
        # Unlike a line of digests, an answer has escapes only where it would not be one line.
        mark, shown_file = ("\\", file.translate(NAME_ESCAPES)) if "\n" in file else ("", file)
        try:
            is_right = self.digest_of_file(file, kind) == digest
        except OSError as error:
            if "ignore_missing" in wishes and isinstance(error, FileNotFoundError):
                return ""
            sh.warn(f"{message_name(file)}: {os_error_text(error)}")
            self._unreadable += 1
            return "" if "status" in wishes else f"{mark}{shown_file}: FAILED open or read\n"
        if is_right:
            self._matched += 1
            is_hidden = "status" in wishes or "quiet" in wishes
            return "" if is_hidden else f"{mark}{shown_file}: OK\n"
        self._failed += 1
        sh.status = max(sh.status, 1)
        return "" if "status" in wishes else f"{mark}{shown_file}: FAILED\n"

    def digest_of_file(self, file: str, kind: DigestAlgorithm) -> str:
        """The digest of a file as it is."""
        if file == "-":
            return kind.digest_of(self._sh.stdin.data())
        reader = reader_of(self._sh.open(file))
        try:
            with self._progress.of(file, lambda: file_size(self._sh, file)) as progress:
                return kind.digest_of(progress.count_chunks(reader.data()))
        finally:
            reader.close()

    def report_totals(self, name: str, proper: int) -> None:
        """Tell how many lines were none, files unread and digests wrong."""
        sh, wishes = self._sh, self._options
        if not proper:
            sh.warn(f"{name}: no properly formatted checksum lines found")
            return
        is_silent = "status" in wishes
        counts = (
            (self._malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self._unreadable, "listed file could not be read", "listed files could not be read"),
            (self._failed, "computed checksum did NOT match", "computed checksums did NOT match"),
        )
        for count, one, many in counts:
            if count and not is_silent:
                sh.note(f"WARNING: {count} {one if count == 1 else many}")
        if "ignore_missing" in wishes and not self._matched:
            if not is_silent:
                sh.warn(f"{name}: no file was verified")
            sh.status = max(sh.status, 1)
        if self._malformed and "strict" in wishes:
            sh.status = max(sh.status, 1)


def unescaped_name(name: str) -> str:
    """A name whose escapes a backslash in front of the line tells of."""
    pieces = name.split("\\\\")
    return "\\".join(piece.replace("\\n", "\n").replace("\\r", "\r") for piece in pieces)


# Sums: the checksums that are no digests: BSD's, System V's, and the POSIX CRC.

REVERSED_BITS = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
MAX_UINT32 = 0xFFFFFFFF
# Bytes of which the low half of zlib's Adler-32 is the very sum: no more than 65,520.
ADLER_CHUNK_BYTES = 256


def bsd_sum(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The sum to which each byte is added after a turn by one bit; and the size."""
    # What each number of 16 bits turns into; an index above them is one with its carry forgotten.
    turned = [0] * 0x10000
    turned[::2], turned[1::2] = range(0x8000), range(0x8000, 0x10000)
    turned += turned[:0x100]
    value = size = 0
    for data in pieces:
        size += len(data)
        for byte in data:
            value = turned[value] + byte
    return value & 0xFFFF, size


def sysv_sum(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The sum of all bytes, folded to 16 bits; and the size."""
    total = size = 0
    for data in pieces:
        size += len(data)
        for at in range(0, len(data), ADLER_CHUNK_BYTES):
            total += zlib.adler32(data[at : at + ADLER_CHUNK_BYTES], 0) & 0xFFFF
    total &= MAX_UINT32
    total = (total & 0xFFFF) + (total >> 16)
    return (total & 0xFFFF) + (total >> 16), size


def posix_crc(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The CRC of POSIX's cksum, which covers the size; and the size.

    It is zlib's with the bits of each byte the other way round, and another start.
    """
    value, size = MAX_UINT32, 0
    for data in pieces:
        size += len(data)
        value = zlib.crc32(data.translate(REVERSED_BITS), value)
    count = size.to_bytes((size.bit_length() + 7) // 8, "little")
    value = zlib.crc32(count.translate(REVERSED_BITS), value) ^ MAX_UINT32
    return int(f"{value:032b}"[::-1], 2) ^ MAX_UINT32, size


SUM_FUNCTIONS: dict[str, Sum] = {"bsd": bsd_sum, "sysv": sysv_sum, "crc": posix_crc}


def sum_line(kind: str, value: int, size: int, name: str, end: str = "\n") -> str:
    """A line with a sum; the name only where a file was named, the size in the kind's unit."""
    tail = f" {name}{end}" if name else end
    if kind == "bsd":
        return f"{value:05} {-(-size // 1024):5}{tail}"
    return f"{value} {size if kind == 'crc' else -(-size // 512)}{tail}"
