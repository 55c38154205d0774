"""Checksums: the digests of files, printed in lines, and files checked against such lines."""

from __future__ import annotations

import re
import zlib

from keysh.gnu.progress import Progress, size_of
from keysh.interp.state.call import BadCall, why
from keysh.interp.streams.streams import reader_of
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted, shown
from keysh.text.shell_numbers import is_digits, known_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

    Sum = Callable[[Iterable[bytes]], tuple[int, int]]


LISTED = re.compile(r"[ \t]*(\\?)([0-9A-Fa-f]+)[ \t][ *](.+)", re.DOTALL)
TAGGED = re.compile(r"[ \t]*(\\?)([A-Za-z0-9-]+) ?\((.+)\) ?= ?([0-9A-Fa-f]+)", re.DOTALL)
MODES = ("binary", "text", "tag")  # which undo one another
WISHES = ("ignore_missing", "status", "warn", "quiet", "strict")
TELLING = ("status", "warn", "quiet")
TITLES = {
    "md5": "MD5", "sha1": "SHA1", "sha224": "SHA224", "sha256": "SHA256", "sha384": "SHA384",
    "sha512": "SHA512", "blake2b": "BLAKE2b",
}  # fmt: skip
LONGEST = 512  # bits of BLAKE2b, which is what it has by itself
ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
DOCSTRING = """Print or check {} digests.

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


class Digest:
    """An algorithm: hashlib's name for it, what lines of digests call it, and its bits.

    Only BLAKE2b has other numbers of bits than its own; they stand behind its name.
    """

    __slots__ = ("bits", "name", "title")

    def __init__(self, name: str, bits: int = 0) -> None:
        self.name, self.title = name, TITLES[name]
        self.bits = bits % LONGEST  # 0 for the usual number

    @property
    def shown(self) -> str:
        """The name in a line."""
        return f"{self.title}-{self.bits}" if self.bits else self.title

    def of(self, pieces: Iterable[bytes]) -> str:
        """The digest of pieces of bytes, in hexadecimal."""
        import hashlib  # noqa: PLC0415 - so that help does not need it

        size: dict[str, Any] = {"digest_size": self.bits // 8} if self.bits else {}
        made = hashlib.new(self.name, usedforsecurity=False, **size)
        for piece in pieces:
            made.update(piece)
        return made.hexdigest()


def sized(sh: Call, name: str, text: str) -> Digest:
    """BLAKE2b with the number of bits that -l asks for."""
    says = f"invalid length: {quoted(text)}"
    if not is_digits(text):
        raise sh.fail(says)
    bits = known_number(text)
    if bits > LONGEST:
        most = f"maximum digest length for {quoted(TITLES[name])} is {LONGEST} bits"
        raise sh.fail(f"{says}\n{sh.name}: {most}")
    if bits % 8:
        raise sh.fail(f"{says}\n{sh.name}: length is not a multiple of 8")
    return Digest(name, bits)


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
        return answered(sh, files, Digest(algorithm))

    digests.__doc__ = DOCSTRING.format(TITLES[algorithm], "")
    return command(name=name)(digests)


def answered(sh: Call, files: Sequence[str], digest: Digest) -> Iterator[object]:
    """What a command of an algorithm prints, by the options that are given."""
    flags = {name for name, value in dict(sh.given).items() if value}
    wishes = wishes_of(sh)
    if "check" in flags:
        refuse_for_check(flags)
        for path in files or ("-",):
            yield from Check(sh, digest, wishes).results(path)
        return
    mode = [name for name, value in sh.given if value and name in MODES][-1:]
    if "tag" in flags and mode == ["text"]:
        raise BadCall("--tag does not support --text mode")
    for wish in WISHES:
        if wish in wishes:
            flag = wish.replace("_", "-")
            says = f"the --{flag} option is meaningful only when verifying checksums"
            raise BadCall(says)
    progress, zero = Progress(sh), "zero" in flags
    for source in sh.inputs(files):
        before, sh.status = sh.status, 0
        found = digest.of(progress.reading(source))
        is_unread, sh.status = sh.status > 0, max(before, sh.status)
        if is_unread:
            continue
        if "json" in flags:
            yield {"name": source.name, "digest": found}
        elif "tag" in flags:
            yield escaped(f"{digest.shown} (", source.name, f") = {found}", zero)
        else:
            mark = "*" if mode == ["binary"] else " "
            yield escaped(f"{found} {mark}", source.name, "", zero)


def wishes_of(sh: Call) -> set[str]:
    """What is asked of a check; of those that say how much to tell, the last counts."""
    given = [name for name, value in sh.given if value]
    telling = [name for name in given if name in TELLING]
    return {name for name in given if name in WISHES and name not in TELLING} | set(telling[-1:])


def refuse_for_check(flags: Collection[str]) -> None:
    """Refuse options that mean nothing with -c."""
    if "zero" in flags:
        says = "the --zero option is not supported when verifying checksums"
        raise BadCall(says)
    for flag in ("tag", "binary", "text"):
        if flag in flags:
            what = "--tag" if flag == "tag" else "--binary and --text"
            verb = "option is" if flag == "tag" else "options are"
            says = f"the {what} {verb} meaningless when verifying checksums"
            raise BadCall(says)


def escaped(before: str, name: str, behind: str, ends_with_nul: bool) -> str:
    """A line with a name; a backslash in front says that the name has escapes."""
    if ends_with_nul:
        return f"{before}{name}{behind}\0"
    shown = name.translate(ESCAPES)
    return f"{chr(92) if shown != name else ''}{before}{shown}{behind}\n"


class Check:
    """The check of one list: what it asks for, and how many lines went which way.

    Without an algorithm each line must name its own.
    """

    __slots__ = (
        "_bad", "_digest", "_failed", "_matched", "_progress", "_sh", "_title", "_unread",
        "_wishes",
    )  # fmt: skip

    def __init__(self, sh: Call, digest: Digest | None, wishes: Collection[str]) -> None:
        self._sh, self._digest, self._wishes = sh, digest, wishes
        self._title = digest.title if digest else "CRC"  # what a line was last thought to be
        self._bad = self._failed = self._matched = self._unread = 0
        self._progress = Progress(sh)

    def results(self, path: str) -> Iterator[str]:
        """Check all files that a list names; a line for each, and warnings at the end."""
        name = "'standard input'" if path == "-" else shown(path)
        sh, wishes = self._sh, self._wishes
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
                    self._bad += 1
                    if "warn" in wishes:
                        what = f"improperly formatted {self._title} checksum line"
                        sh.note(f"{name}: {number}: {what}")
                    continue
                proper += 1
                if result := self.result(*entry):
                    yield result
            if proper or not sh.status:
                self.sum_up(name, proper)
            sh.status = max(sh.status, before)

    def entry(self, line: str) -> tuple[str, str, Digest] | None:
        """The name, the digest and the algorithm in a line, if it is one of what is checked."""
        if match := TAGGED.fullmatch(line):
            mark, digest, file = match[1], match[4], match[3]
            name, _, bits = match[2].partition("-")
            found = next((key for key, title in TITLES.items() if title == name), "")
            if not found or (self._digest and self._digest.name != found):
                return None
            self._title = name
            is_sized = is_digits(bits) and known_number(bits) <= LONGEST and found == "blake2b"
            if bits and not is_sized:
                return None
            kind = Digest(found, known_number(bits))
        elif (match := LISTED.fullmatch(line)) and self._digest:
            mark, digest, file, kind = match[1], match[2], match[3], self._digest
            if kind.name == "blake2b":
                kind = Digest(kind.name, len(digest) * 4)
        else:
            return None
        if kind.bits % 8 or len(digest) != (kind.bits // 4 or len(kind.of(()))):
            return None
        return (unescaped(file) if mark else file), digest.lower(), kind

    def result(self, file: str, digest: str, kind: Digest) -> str:
        """Check one file; the line to print."""
        sh, wishes = self._sh, self._wishes
        # Unlike a line of digests, an answer has escapes only where it would not be one line.
        mark, shown_file = ("\\", file.translate(ESCAPES)) if "\n" in file else ("", file)
        try:
            is_right = self.digest(file, kind) == digest
        except OSError as error:
            if "ignore_missing" in wishes and isinstance(error, FileNotFoundError):
                return ""
            sh.warn(f"{shown(file)}: {why(error)}")
            self._unread += 1
            return "" if "status" in wishes else f"{mark}{shown_file}: FAILED open or read\n"
        if is_right:
            self._matched += 1
            is_hidden = "status" in wishes or "quiet" in wishes
            return "" if is_hidden else f"{mark}{shown_file}: OK\n"
        self._failed += 1
        sh.status = max(sh.status, 1)
        return "" if "status" in wishes else f"{mark}{shown_file}: FAILED\n"

    def digest(self, file: str, kind: Digest) -> str:
        """The digest of a file as it is."""
        if file == "-":
            return kind.of(self._sh.stdin.data())
        reader = reader_of(self._sh.open(file))
        try:
            with self._progress.of(file, lambda: size_of(self._sh, file)) as progress:
                return kind.of(progress.counted(reader.data()))
        finally:
            reader.close()

    def sum_up(self, name: str, proper: int) -> None:
        """Tell how many lines were none, files unread and digests wrong."""
        sh, wishes = self._sh, self._wishes
        if not proper:
            sh.warn(f"{name}: no properly formatted checksum lines found")
            return
        is_silent = "status" in wishes
        counts = (
            (self._bad, "line is improperly formatted", "lines are improperly formatted"),
            (self._unread, "listed file could not be read", "listed files could not be read"),
            (self._failed, "computed checksum did NOT match", "computed checksums did NOT match"),
        )
        for count, one, many in counts:
            if count and not is_silent:
                sh.note(f"WARNING: {count} {one if count == 1 else many}")
        if "ignore_missing" in wishes and not self._matched:
            if not is_silent:
                sh.warn(f"{name}: no file was verified")
            sh.status = max(sh.status, 1)
        if self._bad and "strict" in wishes:
            sh.status = max(sh.status, 1)


def unescaped(name: str) -> str:
    """A name whose escapes a backslash in front of the line tells of."""
    pieces = name.split("\\\\")
    return "\\".join(piece.replace("\\n", "\n").replace("\\r", "\r") for piece in pieces)


# Sums: the checksums that are no digests: BSD's, System V's, and the POSIX CRC.

REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
ALL = 0xFFFFFFFF
# Bytes of which the low half of zlib's Adler-32 is the very sum: no more than 65,520.
ADDED = 256


def bsd(pieces: Iterable[bytes]) -> tuple[int, int]:
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


def sysv(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The sum of all bytes, folded to 16 bits; and the size."""
    total = size = 0
    for data in pieces:
        size += len(data)
        for at in range(0, len(data), ADDED):
            total += zlib.adler32(data[at : at + ADDED], 0) & 0xFFFF
    total &= ALL
    total = (total & 0xFFFF) + (total >> 16)
    return (total & 0xFFFF) + (total >> 16), size


def crc(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The CRC of POSIX's cksum, which covers the size; and the size.

    It is zlib's with the bits of each byte the other way round, and another start.
    """
    value, size = ALL, 0
    for data in pieces:
        size += len(data)
        value = zlib.crc32(data.translate(REVERSED), value)
    count = size.to_bytes((size.bit_length() + 7) // 8, "little")
    value = zlib.crc32(count.translate(REVERSED), value) ^ ALL
    return int(f"{value:032b}"[::-1], 2) ^ ALL, size


SUMS: dict[str, Sum] = {"bsd": bsd, "sysv": sysv, "crc": crc}


def sum_line(kind: str, value: int, size: int, name: str, end: str = "\n") -> str:
    """A line with a sum; the name only where a file was named, the size in the kind's unit."""
    tail = f" {name}{end}" if name else end
    if kind == "bsd":
        return f"{value:05} {-(-size // 1024):5}{tail}"
    return f"{value} {size if kind == 'crc' else -(-size // 512)}{tail}"
