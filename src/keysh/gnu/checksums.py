"""Checksums: print digests of files, verify lists of digests, and compute sum and cksum."""

from __future__ import annotations

import re
import zlib

from keysh.gnu.progress import Progress, file_size
from keysh.interp.state.call import UsageFailure, os_error_text
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
MODE_OPTIONS = ("binary", "text", "tag")  # the last one given wins
CHECK_OPTIONS = ("ignore_missing", "status", "warn", "quiet", "strict")
VERBOSITY_OPTIONS = ("status", "warn", "quiet")
ALGORITHM_TITLES = {
    "md5": "MD5", "sha1": "SHA1", "sha224": "SHA224", "sha256": "SHA256", "sha384": "SHA384",
    "sha512": "SHA512", "blake2b": "BLAKE2b",
}  # fmt: skip
MAX_BLAKE2B_BITS = 512  # the default
NAME_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
DIGEST_HELP = """Print or check {} checksums.

    files ...            files to read; - for standard input
    -b, --binary         mark names with *
    -c, --check          read checksums from the files and check them{}
    --tag                print BSD-style lines, with the algorithm's name
    -t, --text           do not mark names (default)
    -z, --zero           end lines with NUL, and do not escape names
    --ignore-missing     with -c, ignore missing files
    --quiet              with -c, do not print OK for each verified file
    --status             with -c, print nothing; the status shows success
    --strict             with -c, fail on improperly formatted lines
    -w, --warn           with -c, warn about improperly formatted lines
    --json               print JSON lines: name, digest
    """


class DigestAlgorithm:
    """A digest algorithm: hashlib's name, the title in digest lines, and the size in bits.

    Only BLAKE2b has a size other than the default, which is then part of the title.
    """

    __slots__ = ("bits", "name", "title")

    def __init__(self, name: str, bits: int = 0) -> None:
        self.name, self.title = name, ALGORITHM_TITLES[name]
        self.bits = bits % MAX_BLAKE2B_BITS  # 0 for the default

    @property
    def tag(self) -> str:
        """The title in a BSD-style line."""
        return f"{self.title}-{self.bits}" if self.bits else self.title

    def digest_of(self, pieces: Iterable[bytes]) -> str:
        """Return the hexadecimal digest of data in pieces."""
        import hashlib  # noqa: PLC0415 - --help does not need it

        size: dict[str, Any] = {"digest_size": self.bits // 8} if self.bits else {}
        digest = hashlib.new(self.name, usedforsecurity=False, **size)
        for piece in pieces:
            digest.update(piece)
        return digest.hexdigest()


def blake2b_digest(sh: Call, name: str, text: str) -> DigestAlgorithm:
    """Return BLAKE2b with the size that -l sets."""
    message = f"invalid length: {quoted_name(text)}"
    if not is_digits(text):
        raise sh.fail(message)
    bits = bounded_number(text)
    if bits > MAX_BLAKE2B_BITS:
        title = quoted_name(ALGORITHM_TITLES[name])
        limit = f"maximum digest length for {title} is {MAX_BLAKE2B_BITS} bits"
        raise sh.fail(f"{message}\n{sh.name}: {limit}")
    if bits % 8:
        raise sh.fail(f"{message}\n{sh.name}: length is not a multiple of 8")
    return DigestAlgorithm(name, bits)


def digest_command(name: str, algorithm: str) -> Callable[..., Any]:
    """Return the command for an algorithm, given by hashlib's name."""

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
    return command(name=name, compatible="GNU coreutils 9.1")(digests)


def run_digest(sh: Call, files: Sequence[str], digest: DigestAlgorithm) -> Iterator[object]:
    """Print or check digests, as the options of the call say."""
    flags = {name for name, value in dict(sh.given).items() if value}
    options = checksum_options(sh)
    if "check" in flags:
        refuse_check_options(flags)
        for path in files or ("-",):
            yield from DigestCheck(sh, digest, options).results(path)
        return
    mode = [name for name, value in sh.given if value and name in MODE_OPTIONS][-1:]
    if "tag" in flags and mode == ["text"]:
        raise UsageFailure("--tag does not support --text mode")
    for option in CHECK_OPTIONS:
        if option in options:
            flag = option.replace("_", "-")
            message = f"the --{flag} option is meaningful only when verifying checksums"
            raise UsageFailure(message)
    progress, zero = Progress(sh), "zero" in flags
    for source in sh.inputs(files):
        earlier_status, sh.status = sh.status, 0
        hexdigest = digest.digest_of(progress.read_input(source))
        is_unreadable, sh.status = sh.status > 0, max(earlier_status, sh.status)
        if is_unreadable:
            continue
        if "json" in flags:
            yield {"name": source.name, "digest": hexdigest}
        elif "tag" in flags:
            yield digest_line(f"{digest.tag} (", source.name, f") = {hexdigest}", zero)
        else:
            mark = "*" if mode == ["binary"] else " "
            yield digest_line(f"{hexdigest} {mark}", source.name, "", zero)


def checksum_options(sh: Call) -> set[str]:
    """Return the options for -c. Of those that set the verbosity, the last one wins."""
    given = [name for name, value in sh.given if value]
    verbosity = [name for name in given if name in VERBOSITY_OPTIONS]
    return {
        name for name in given if name in CHECK_OPTIONS and name not in VERBOSITY_OPTIONS
    } | set(verbosity[-1:])


def refuse_check_options(flags: Collection[str]) -> None:
    """Refuse options that make no sense with -c."""
    if "zero" in flags:
        message = "the --zero option is not supported when verifying checksums"
        raise UsageFailure(message)
    for flag in ("tag", "binary", "text"):
        if flag in flags:
            what = "--tag" if flag == "tag" else "--binary and --text"
            verb = "option is" if flag == "tag" else "options are"
            message = f"the {what} {verb} meaningless when verifying checksums"
            raise UsageFailure(message)


def digest_line(prefix: str, name: str, suffix: str, ends_with_nul: bool) -> str:
    """Return a line with a name. A leading backslash marks an escaped name."""
    if ends_with_nul:
        return f"{prefix}{name}{suffix}\0"
    shown = name.translate(NAME_ESCAPES)
    return f"{chr(92) if shown != name else ''}{prefix}{shown}{suffix}\n"


class DigestCheck:
    """The verification of one list: its options, and counts of lines by outcome.

    Without an algorithm, each line must name its own.
    """

    __slots__ = (
        "_malformed", "_digest", "_failed", "_matched", "_options", "_progress", "_sh", "_title",
        "_unreadable",
    )  # fmt: skip

    def __init__(self, sh: Call, digest: DigestAlgorithm | None, options: Collection[str]) -> None:
        self._sh, self._digest, self._options = sh, digest, options
        # The algorithm of the last line, for messages.
        self._title = digest.title if digest else "CRC"
        self._malformed = self._failed = self._matched = self._unreadable = 0
        self._progress = Progress(sh)

    def results(self, path: str) -> Iterator[str]:
        """Verify all files in a list; yield a line for each, and print warnings."""
        name = "'standard input'" if path == "-" else message_name(path)
        sh, options = self._sh, self._options
        proper_lines, earlier_status = 0, sh.status
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
                    if "warn" in options:
                        what = f"improperly formatted {self._title} checksum line"
                        sh.note(f"{name}: {number}: {what}")
                    continue
                proper_lines += 1
                if result := self.result(*entry):
                    yield result
            if proper_lines or not sh.status:
                self.report_totals(name, proper_lines)
            sh.status = max(sh.status, earlier_status)

    def entry(self, line: str) -> tuple[str, str, DigestAlgorithm] | None:
        """Parse a line into name, digest and algorithm; None if it is malformed."""
        if match := TAGGED_DIGEST_LINE.fullmatch(line):
            mark, digest, file = match[1], match[4], match[3]
            name, _, bits = match[2].partition("-")
            name_in_hashlib = next(
                (key for key, title in ALGORITHM_TITLES.items() if title == name), ""
            )
            if not name_in_hashlib or (self._digest and self._digest.name != name_in_hashlib):
                return None
            self._title = name
            is_sized = (
                is_digits(bits)
                and bounded_number(bits) <= MAX_BLAKE2B_BITS
                and name_in_hashlib == "blake2b"
            )
            if bits and not is_sized:
                return None
            kind = DigestAlgorithm(name_in_hashlib, bounded_number(bits))
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
        """Verify one file and return the line to print."""
        sh, options = self._sh, self._options
        # Unlike a digest line, a result is escaped only if the name has a newline.
        mark, shown_file = ("\\", file.translate(NAME_ESCAPES)) if "\n" in file else ("", file)
        try:
            is_right = self.digest_of_file(file, kind) == digest
        except OSError as error:
            if "ignore_missing" in options and isinstance(error, FileNotFoundError):
                return ""
            sh.warn(f"{message_name(file)}: {os_error_text(error)}")
            self._unreadable += 1
            return "" if "status" in options else f"{mark}{shown_file}: FAILED open or read\n"
        if is_right:
            self._matched += 1
            is_hidden = "status" in options or "quiet" in options
            return "" if is_hidden else f"{mark}{shown_file}: OK\n"
        self._failed += 1
        sh.status = max(sh.status, 1)
        return "" if "status" in options else f"{mark}{shown_file}: FAILED\n"

    def digest_of_file(self, file: str, kind: DigestAlgorithm) -> str:
        """Return the digest of a file."""
        if file == "-":
            return kind.digest_of(self._sh.stdin.data())
        reader = self._sh.open_reader(file)
        try:
            with self._progress.of(file, lambda: file_size(self._sh, file)) as progress:
                return kind.digest_of(progress.count_chunks(reader.data()))
        finally:
            reader.close()

    def report_totals(self, name: str, proper_lines: int) -> None:
        """Print the numbers of malformed lines, unreadable files and wrong digests."""
        sh, options = self._sh, self._options
        if not proper_lines:
            sh.warn(f"{name}: no properly formatted checksum lines found")
            return
        is_silent = "status" in options
        counts = (
            (self._malformed, "line is improperly formatted", "lines are improperly formatted"),
            (self._unreadable, "listed file could not be read", "listed files could not be read"),
            (self._failed, "computed checksum did NOT match", "computed checksums did NOT match"),
        )
        for count, one, many in counts:
            if count and not is_silent:
                sh.note(f"WARNING: {count} {one if count == 1 else many}")
        if "ignore_missing" in options and not self._matched:
            if not is_silent:
                sh.warn(f"{name}: no file was verified")
            sh.status = max(sh.status, 1)
        if self._malformed and "strict" in options:
            sh.status = max(sh.status, 1)


def unescaped_name(name: str) -> str:
    """Undo the escapes in a name."""
    pieces = name.split("\\\\")
    return "\\".join(piece.replace("\\n", "\n").replace("\\r", "\r") for piece in pieces)


# Sums that are no digests: BSD's, System V's, and the POSIX CRC.

REVERSED_BITS = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
MAX_UINT32 = 0xFFFFFFFF
# In chunks this small, the low half of zlib's Adler-32 is the plain sum: it stays below 65,521.
ADLER_CHUNK_BYTES = 256


def bsd_sum(pieces: Iterable[bytes]) -> tuple[int, int]:
    """Return BSD's sum, which is rotated right before each byte is added, and the size."""
    # Each 16-bit number rotated right; a larger index is one whose carry is dropped.
    rotated = [0] * 0x10000
    rotated[::2], rotated[1::2] = range(0x8000), range(0x8000, 0x10000)
    rotated += rotated[:0x100]
    value = size = 0
    for data in pieces:
        size += len(data)
        for byte in data:
            value = rotated[value] + byte
    return value & 0xFFFF, size


def sysv_sum(pieces: Iterable[bytes]) -> tuple[int, int]:
    """Return the sum of all bytes folded to 16 bits, and the size."""
    total = size = 0
    for data in pieces:
        size += len(data)
        for index in range(0, len(data), ADLER_CHUNK_BYTES):
            total += zlib.adler32(data[index : index + ADLER_CHUNK_BYTES], 0) & 0xFFFF
    total &= MAX_UINT32
    total = (total & 0xFFFF) + (total >> 16)
    return (total & 0xFFFF) + (total >> 16), size


def posix_crc(pieces: Iterable[bytes]) -> tuple[int, int]:
    """Return the CRC of POSIX's cksum, which covers the size too, and the size.

    It is zlib's with the bits of each byte reversed, and another start value.
    """
    value, size = MAX_UINT32, 0
    for data in pieces:
        size += len(data)
        value = zlib.crc32(data.translate(REVERSED_BITS), value)
    count = size.to_bytes((size.bit_length() + 7) // 8, "little")
    value = zlib.crc32(count.translate(REVERSED_BITS), value) ^ MAX_UINT32
    return int(f"{value:032b}"[::-1], 2) ^ MAX_UINT32, size


SUM_FUNCTIONS: dict[str, Sum] = {"bsd": bsd_sum, "sysv": sysv_sum, "crc": posix_crc}


def sum_line(kind: str, value: int, size: int, name: str, terminator: str = "\n") -> str:
    """Return a line with a sum, with the size in the unit of its kind."""
    tail = f" {name}{terminator}" if name else terminator
    if kind == "bsd":
        return f"{value:05} {-(-size // 1024):5}{tail}"
    return f"{value} {size if kind == 'crc' else -(-size // 512)}{tail}"
