"""File tests: `-f x`, `x -nt y` and so on, for `test` and `[[ … ]]`.

Paths are absolute; the empty path is no file.
"""

from __future__ import annotations

import os
import stat as kinds

from keysh.interp.streams.descriptors import device_descriptor_number
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call_state import CallState
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router

FILE_KINDS = {
    "-b": kinds.S_IFBLK, "-c": kinds.S_IFCHR, "-d": kinds.S_IFDIR, "-f": kinds.S_IFREG,
    "-p": kinds.S_IFIFO, "-S": kinds.S_IFSOCK,
}  # fmt: skip
MODE_BITS = {"-g": kinds.S_ISGID, "-k": kinds.S_ISVTX, "-u": kinds.S_ISUID}
PERMISSION_BITS = {"-r": 4, "-w": 2, "-x": 1}
STAT_TESTS: dict[str, Callable[[Stat], bool]] = {
    "-a": lambda found: True,
    "-e": lambda found: True,
    "-s": lambda found: found.size > 0,
    "-O": lambda found: found.owner == os.geteuid(),
    "-G": lambda found: found.group == os.getegid(),
    "-N": lambda found: found.accessed < found.modified,
}
LINK_TESTS = ("-h", "-L")
FILE_TESTS = {*FILE_KINDS, *MODE_BITS, *PERMISSION_BITS, *STAT_TESTS, *LINK_TESTS}
FILE_COMPARISONS = ("-nt", "-ot", "-ef")


def file_test(state: CallState, operator: str, path: str) -> bool:
    """Return the result of a unary file operator."""
    fs, number = state.fs, device_descriptor_number(path)
    if number is None or operator in LINK_TESTS:
        stat = fs.stat_or_none(path, follow=operator not in LINK_TESTS)
    else:
        from keysh.interp.streams.descriptor_stat import descriptor_stat  # noqa: PLC0415 - few paths are descriptors

        end = state.descriptors.get(number)
        stat = None if end is None else descriptor_stat(end)
    if stat is None:
        return False
    if operator in FILE_KINDS:
        return kinds.S_IFMT(stat.mode) == FILE_KINDS[operator]
    if operator in MODE_BITS:
        return bool(stat.mode & MODE_BITS[operator])
    if operator in PERMISSION_BITS:
        return is_access_allowed(fs, path, stat, PERMISSION_BITS[operator])
    return STAT_TESTS[operator](stat) if operator in STAT_TESTS else stat.is_link


def file_comparison(fs: Router, left: str, operator: str, right: str) -> bool:
    """Return the result of a binary file operator."""
    here, there = fs.stat_or_none(left), fs.stat_or_none(right)
    if operator == "-ef":
        return here is not None and there is not None and is_same_file(fs, left, here, right, there)
    if operator == "-ot":
        here, there = there, here
    return here is not None and (there is None or here.modified > there.modified)


def is_same_file(fs: Router, left: str, here: Stat, right: str, there: Stat) -> bool:
    """Whether two paths are the same file; inode numbers count within one file system only."""
    try:
        mount, inner = fs.locate(left)
        other, other_inner = fs.locate(right)
    except OSError:  # one has gone meanwhile
        return False
    if not here.inode or not there.inode:
        return mount is other and inner == other_inner
    return mount is other and (here.device, here.inode) == (there.device, there.inode)
