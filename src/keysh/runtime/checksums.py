"""Checksums: the digests of files, printed in lines, and files checked against such lines."""

from __future__ import annotations

import re

from keysh.runtime.call import shown, why
from keysh.runtime.progress import Progress, size_of
from keysh.runtime.streams import reader_of
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

LISTED = re.compile(r"[ \t]*(\\?)([0-9A-Fa-f]+)[ \t][ *](.+)", re.DOTALL)
TAGGED = re.compile(r"[ \t]*(\\?)([A-Za-z0-9-]+) ?\((.+)\) ?= ?([0-9A-Fa-f]+)", re.DOTALL)
ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
DOCSTRING = """Print or check {} digests.

    files ...            files to read, - for standard input
    -b, --binary         mark the names with a star
    -c, --check          the files are lists of digests: check the files that these name
    --tag                print the name of the algorithm too
    -t, --text           no mark, as without it
    -z, --zero           lines end with NUL, and names are printed as they are
    --ignore-missing     with -c, a file that is missing is no failure
    --quiet              with -c, print only what fails
    --status             with -c, print nothing
    --strict             with -c, a line that is no digest is a failure
    -w, --warn           with -c, tell of each line that is no digest
    --json               print rows of JSON
    """


def digest_command(name: str, algorithm: str, title: str) -> Callable[..., Any]:
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
        wishes = {key for key, _ in sh.given if key in ("ignore_missing", "strict")}
        # Of those that say how much to tell, the last counts.
        wishes.update([key for key, _ in sh.given if key in ("status", "warn", "quiet")][-1:])
        if check:
            if zero:
                says = "the --zero option is not supported when verifying checksums"
                raise Misuse("E303", -1, says)
            for flag, is_given in (("tag", tag), ("binary", binary), ("text", text)):
                if is_given:
                    what = "--tag" if flag == "tag" else "--binary and --text"
                    verb = "option is" if flag == "tag" else "options are"
                    says = f"the {what} {verb} meaningless when verifying checksums"
                    raise Misuse("E303", -1, says)
            for path in files or ("-",):
                yield from Check(sh, algorithm, title, wishes).results(path)
            return
        for wish in ("ignore_missing", "status", "warn", "quiet", "strict"):
            if wish in wishes:
                flag = wish.replace("_", "-")
                says = f"the --{flag} option is meaningful only when verifying checksums"
                raise Misuse("E303", -1, says)
        progress = Progress(sh)
        for source in sh.inputs(files):
            before, sh.status = sh.status, 0
            digest = hexadecimal(algorithm, progress.reading(source))
            is_unread, sh.status = sh.status > 0, max(before, sh.status)
            if is_unread:
                continue
            if json:
                yield {"file": source.name, "digest": digest}
            elif tag:
                yield escaped(f"{title} (", source.name, f") = {digest}", zero)
            else:
                yield escaped(f"{digest} {'*' if binary else ' '}", source.name, "", zero)

    digests.__doc__ = DOCSTRING.format(title)
    return command(name=name)(digests)


def hexadecimal(algorithm: str, chunks: Iterable[str]) -> str:
    """The digest of a text's bytes."""
    import hashlib  # noqa: PLC0415 - so that help does not need it

    made = hashlib.new(algorithm, usedforsecurity=False)
    for chunk in chunks:
        made.update(encoded(chunk))
    return made.hexdigest()


def escaped(before: str, name: str, behind: str, ends_with_nul: bool) -> str:
    """A line with a name; a backslash in front says that the name has escapes."""
    if ends_with_nul:
        return f"{before}{name}{behind}\0"
    shown = name.translate(ESCAPES)
    return f"{chr(92) if shown != name else ''}{before}{shown}{behind}\n"


class Check:
    """The check of one list: what it asks for, and how many lines went which way."""

    __slots__ = (
        "_algorithm", "_bad", "_failed", "_matched", "_progress", "_sh", "_title", "_unread",
        "_wishes",
    )  # fmt: skip

    def __init__(self, sh: Call, algorithm: str, title: str, wishes: Collection[str]) -> None:
        self._sh, self._algorithm, self._title, self._wishes = sh, algorithm, title, wishes
        self._bad = self._failed = self._matched = self._unread = 0
        self._progress = Progress(sh)

    def results(self, path: str) -> Iterator[str]:
        """Check all files that a list names; a line for each, and warnings at the end."""
        name = "'standard input'" if path == "-" else shown(path)
        sh, wishes = self._sh, self._wishes
        proper, before = 0, sh.status
        for source in sh.inputs([path], reading="{name}: read error"):
            sh.status = 0
            for number, line in enumerate(source.lines(), 1):
                if line.startswith("#"):
                    continue
                entry = self.entry(line.removesuffix("\n").removesuffix("\r"))
                if entry is None or entry[0] == path == "-":
                    self._bad += 1
                    if "warn" in wishes:
                        what = f"improperly formatted {self._title} checksum line"
                        sh.err.write(f"{sh.name}: {name}: {number}: {what}\n")
                    continue
                proper += 1
                if result := self.result(*entry):
                    yield result
            if proper or not sh.status:
                self.sum_up(name, proper)
            sh.status = max(sh.status, before)

    def entry(self, line: str) -> tuple[str, str] | None:
        """The name and the digest in a line, if it is one of this algorithm."""
        if match := TAGGED.fullmatch(line):
            if match[2] != self._title:
                return None
            mark, digest, file = match[1], match[4], match[3]
        elif match := LISTED.fullmatch(line):
            mark, digest, file = match[1], match[2], match[3]
        else:
            return None
        if len(digest) != len(hexadecimal(self._algorithm, ())):
            return None
        return (unescaped(file) if mark else file), digest.lower()

    def result(self, file: str, digest: str) -> str:
        """Check one file; the line to print."""
        sh, wishes = self._sh, self._wishes
        shown_file = file.translate(ESCAPES)
        mark = "\\" if shown_file != file else ""
        try:
            is_right = self.digest(file) == digest
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

    def digest(self, file: str) -> str:
        """The digest of a file as it is."""
        if file == "-":
            return hexadecimal(self._algorithm, self._sh.stdin.chunks())
        reader = reader_of(self._sh.open(file))
        try:
            with self._progress.of(file, lambda: size_of(self._sh, file)) as progress:
                return hexadecimal(self._algorithm, progress.counted(reader.chunks()))
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
                sh.err.write(f"{sh.name}: WARNING: {count} {one if count == 1 else many}\n")
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
