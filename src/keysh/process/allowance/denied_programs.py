"""Denied programs: a deny list that sees through links and copies, and through other programs.

/bin/env     ->  denied: its path          ./copy       ->  denied: the same content
./hard-link  ->  denied: the same file     nice -n5 env ->  denied: `nice` runs it

A program that runs others by a name that it computes is not seen through; the kernel refuses that
where the policy confines programs.
"""

from __future__ import annotations

import os
import re

from keysh.process.resolve import find_executable, path_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # What changes with a file.
    FileMark = tuple[int, int, int, int, int]

# Programs that run what their arguments name.
RUNNERS = frozenset((
    "ash", "bash", "busybox", "catchsegv", "chroot", "chrt", "dash", "doas", "env", "expect",
    "fakeroot", "find", "fish", "flock", "gdb", "ionice", "ksh", "ltrace", "make", "mksh", "nice",
    "nohup", "nsenter", "numactl", "parallel", "perf", "pkexec", "prlimit", "rbash", "runuser",
    "script", "setarch", "setpriv", "setsid", "sh", "ssh-agent", "stdbuf", "strace", "su", "sudo",
    "systemd-run", "taskset", "time", "timeout", "toybox", "unshare", "valgrind", "watch", "xargs",
    "xvfb-run", "zsh",
))  # fmt: skip
MULTICALL = frozenset(("busybox", "toybox"))  # one file that is many programs, by name
WORD_BREAKS = re.compile(r"""[\s;&|()<>`"'$={}\\]+""")  # between the words of a text for a shell
MAX_EXAMINED_WORDS = 10_000  # in the arguments of one program; more is refused
READ_BYTES = 1 << 20
MAX_CACHED_DIGESTS = 256


class DeniedPrograms:
    """The files and the names that a policy denies."""

    __slots__ = ("_digests", "_marks", "_sizes", "names", "paths")

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths` are real ones."""
        self.paths = frozenset(paths)
        self.names = frozenset(os.path.basename(path) for path in self.paths)
        self._marks = {path: mark for path in self.paths if (mark := mark_of(path))}
        self._sizes = {mark[2] for mark in self._marks.values()}
        self._digests: dict[FileMark, bytes] = {}  # of files that have the size of a denied one

    def has_file(self, real: str) -> bool:
        """Whether a real file is a denied one, by its path, its inode or its content."""
        if real in self.paths:
            return True
        mark = mark_of(real)
        if mark is None or mark[2] not in self._sizes:
            return False
        for path, denied in self._marks.items():
            if mark[:2] == denied[:2]:
                return True
            if mark[2] == denied[2]:
                digest = self._digest(path, denied)
                if digest and digest == self._digest(real, mark):
                    return True
        return False

    def fact_against(
        self, real: str, argv: Sequence[str], search: str, directory: str | None
    ) -> str:
        """What the arguments of a program say against it: that it would run a denied one, or too
        much to tell. "" if there is nothing.
        """
        name = os.path.basename(real)
        is_multicall = name in MULTICALL
        if is_multicall and os.path.basename(argv[0]) in self.names:
            return denial(argv[0])
        if name not in RUNNERS and os.path.basename(argv[0]) not in RUNNERS:
            return ""
        words = [word for text in argv[1:] for word in WORD_BREAKS.split(text) if word]
        if len(words) > MAX_EXAMINED_WORDS:
            return f"has more than {MAX_EXAMINED_WORDS} words, too many to look for what is denied"
        for word in dict.fromkeys(words):
            if is_multicall and os.path.basename(word) in self.names:
                return denial(word)
            path = path_from(word, directory) if "/" in word else find_executable(word, search)
            if path is not None and self.has_file(os.path.realpath(path)):
                return denial(word)
        return ""

    def _digest(self, path: str, mark: FileMark) -> bytes:
        digest = self._digests.get(mark)
        if digest is None:
            if len(self._digests) >= MAX_CACHED_DIGESTS:
                self._digests.clear()
            digest = self._digests[mark] = digest_of(path)
        return digest


def digest_of(path: str) -> bytes:
    """The digest of a file; empty if it cannot be read, and so not be compared."""
    from hashlib import sha256  # noqa: PLC0415 - only for files of the same size

    total = sha256()
    try:
        with open(path, "rb") as file:
            while data := file.read(READ_BYTES):
                total.update(data)
    except OSError:
        return b""
    return total.digest()


def denial(word: str) -> str:
    return f"would run {word}, which is denied"


def mark_of(path: str) -> FileMark | None:
    """The device, inode, size and times of a file; None if there is none.

    Scripts can set the time of the last change of a file's content back, but not that of its inode.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
