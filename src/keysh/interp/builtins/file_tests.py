"""File tests: what `-f x`, `x -nt y` and their kin say, for `test` and for `[[ … ]]`.

Paths are absolute; the empty one leads to no file.
"""

from __future__ import annotations

import os
import stat as kinds

from keysh.interp.streams.descriptors import number_of_device
from keysh.interp.streams.files import stat_at
from keysh.vfs.access import may

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.call import Surroundings
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router

KINDS = {
    "-b": kinds.S_IFBLK, "-c": kinds.S_IFCHR, "-d": kinds.S_IFDIR, "-f": kinds.S_IFREG,
    "-p": kinds.S_IFIFO, "-S": kinds.S_IFSOCK,
}  # fmt: skip
BITS = {"-g": kinds.S_ISGID, "-k": kinds.S_ISVTX, "-u": kinds.S_ISUID}
PERMISSIONS = {"-r": 4, "-w": 2, "-x": 1}
OF_FILES: dict[str, Callable[[Stat], bool]] = {
    "-a": lambda found: True,
    "-e": lambda found: True,
    "-s": lambda found: found.size > 0,
    "-O": lambda found: found.owner == os.geteuid(),
    "-G": lambda found: found.group == os.getegid(),
    "-N": lambda found: found.accessed < found.modified,
}
LINKS = ("-h", "-L")
FILE_TESTS = {*KINDS, *BITS, *PERMISSIONS, *OF_FILES, *LINKS}
FILE_COMPARISONS = ("-nt", "-ot", "-ef")


def file_test(state: Surroundings, operator: str, path: str) -> bool:
    """What an operator says of one file."""
    fs, number = state.fs, number_of_device(path)
    if number is None or operator in LINKS:
        found = stat_at(fs, path, follow=operator not in LINKS)
    else:
        from keysh.interp.streams.descriptor_stat import stat_of_end  # noqa: PLC0415 - few paths are such

        end = state.descriptors.get(number)
        found = None if end is None else stat_of_end(end)
    if found is None:
        return False
    if operator in KINDS:
        return kinds.S_IFMT(found.mode) == KINDS[operator]
    if operator in BITS:
        return bool(found.mode & BITS[operator])
    if operator in PERMISSIONS:
        return may(fs, path, found, PERMISSIONS[operator])
    return OF_FILES[operator](found) if operator in OF_FILES else found.is_link


def file_comparison(fs: Router, left: str, operator: str, right: str) -> bool:
    """What an operator says of two files."""
    here, there = stat_at(fs, left), stat_at(fs, right)
    if operator == "-ef":
        return here is not None and there is not None and is_same(fs, left, here, right, there)
    if operator == "-ot":
        here, there = there, here
    return here is not None and (there is None or here.modified > there.modified)


def is_same(fs: Router, left: str, here: Stat, right: str, there: Stat) -> bool:
    """Whether two paths are one file; numbers of inodes count within one file system only."""
    mount, inner = fs.locate(left)
    other, other_inner = fs.locate(right)
    if not here.inode or not there.inode:
        return mount is other and inner == other_inner
    return mount is other and (here.device, here.inode) == (there.device, there.inode)
