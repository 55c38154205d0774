"""InodeTable: the names and inodes of a database, and the lookup of paths.

Methods are called with the lock held. `names` are the paths that an error shows, for `failure`, if
they are not the path alone. An inode's link count is the number of its names, as the specification
has it; what `stat` reports of a directory is counted.
"""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import Entry, LinkInPath, Stat, failure
from keysh.vfs.memory.inodes import DIRECTORY_BYTES, encode, fault_of_name, fault_of_path
from keysh.vfs.paths import base_name, parent, path_steps
from keysh.vfs.sqlite.schema import IS_DIRECTORY, ROOT_INODE, loaded_text, stored_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.vfs.sqlite.database import Database

MAX_SECONDS = 2**63 - 1  # what an INTEGER holds

LOOK_UP = """
    SELECT i.ino, i.mode FROM fs_dentry AS d JOIN fs_inode AS i ON i.ino = d.ino
    WHERE d.parent_ino = ? AND d.name = CAST(? AS TEXT)"""
LIST = """
    SELECT CAST(d.name AS BLOB), i.mode FROM fs_dentry AS d JOIN fs_inode AS i ON i.ino = d.ino
    WHERE d.parent_ino = ? ORDER BY d.id"""
STAT_COLUMNS = """
    i.ino, i.mode, i.size, i.nlink, i.uid, i.gid, i.rdev, i.atime, i.atime_nsec, i.mtime,
    i.mtime_nsec, i.ctime, i.ctime_nsec"""
STAT = f"SELECT {STAT_COLUMNS} FROM fs_inode AS i WHERE i.ino = ?"
STAT_NAME = f"""
    SELECT {STAT_COLUMNS} FROM fs_dentry AS d JOIN fs_inode AS i ON i.ino = d.ino
    WHERE d.parent_ino = ? AND d.name = CAST(? AS TEXT)"""
COUNT_SUBDIRECTORIES = f"""
    SELECT count(*) FROM fs_dentry AS d JOIN fs_inode AS i ON i.ino = d.ino
    WHERE d.parent_ino = ? AND {IS_DIRECTORY}"""
CREATE = """
    INSERT INTO fs_inode (mode, nlink, size, atime, mtime, ctime, atime_nsec, mtime_nsec,
    ctime_nsec) VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)"""
ADD_NAME = "INSERT INTO fs_dentry (name, parent_ino, ino) VALUES (CAST(? AS TEXT), ?, ?)"
REMOVE_NAME = "DELETE FROM fs_dentry WHERE parent_ino = ? AND name = CAST(? AS TEXT)"
TOUCH = """
    UPDATE fs_inode SET mtime = ?, mtime_nsec = ?, ctime = ?, ctime_nsec = ? WHERE ino = ?"""
SET_CHANGED = "UPDATE fs_inode SET {}, ctime = ?, ctime_nsec = ? WHERE ino = ?"


class InodeTable:
    """The names and inodes of a database."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, path: str, *names: str) -> tuple[int, int]:
        """Return the inode and mode of a path."""
        names = names or (path,)
        fault = fault_of_path(path)
        if fault:
            raise failure(fault, *names)
        steps = path_steps(path)
        if not steps:
            return ROOT_INODE, kinds.S_IFDIR
        directory, name = self._directory_of(steps, path, names), steps[-1]
        entry = self.entry(directory, name)
        if entry is None:
            raise failure(fault_of_name(name) or errno.ENOENT, *names)
        return entry

    def stat_path(self, path: str) -> Stat:
        """Return a path's Stat."""
        return self._stat_of_row(self.row_of(path))

    def row_of(self, path: str) -> tuple[int, ...]:
        """Return a path's inode, mode, size and what else `stat` needs.

        The last name and its inode are looked up in one query.
        """
        fault = fault_of_path(path)
        if fault:
            raise failure(fault, path)
        steps = path_steps(path)
        if not steps:
            row = self._database.execute(STAT, (ROOT_INODE,)).fetchone()
        else:
            directory, name = self._directory_of(steps, path, (path,)), steps[-1]
            try:
                row = self._database.execute(STAT_NAME, (directory, stored_text(name))).fetchone()
            except UnicodeEncodeError:
                row = None
            if row is None:
                raise failure(fault_of_name(name) or errno.ENOENT, path)
        found: tuple[int, ...] = row
        return found

    def _directory_of(self, steps: Sequence[str], path: str, names: tuple[str, ...]) -> int:
        """Return the inode of the directory that the last of some steps is in."""
        inode = ROOT_INODE
        for place, step in enumerate(steps[:-1]):
            entry = self.entry(inode, step)
            if entry is None:
                raise failure(fault_of_name(step) or errno.ENOENT, *names)
            inode, mode = entry
            if not kinds.S_ISDIR(mode):
                walked = "/" + "/".join(steps[: place + 1])
                raise self.path_error(walked, inode, mode, path, *names)
        return inode

    def parent_and_name(self, path: str, *names: str) -> tuple[int, str]:
        """Return the inode of a path's directory, and the path's last step.

        The root's last step is empty and in no directory.
        """
        names = names or (path,)
        fault = fault_of_path(path)
        if fault:
            raise failure(fault, *names)
        above = parent(path)
        inode, mode = self.find(above, *names) if path != "/" else (ROOT_INODE, kinds.S_IFDIR)
        if not kinds.S_ISDIR(mode):
            raise self.path_error(above, inode, mode, path, *names)
        return inode, base_name(path)

    def entry(self, directory: int, name: str) -> tuple[int, int] | None:
        """Return the inode and mode of a name in a directory."""
        try:
            row = self._database.execute(LOOK_UP, (directory, stored_text(name))).fetchone()
        except UnicodeEncodeError:
            return None
        return row and (row[0], row[1])

    def existing_entry(self, path: str, *names: str) -> tuple[int, str, int, int]:
        """Return an existing path's directory, name, inode and mode."""
        directory, name = self.parent_and_name(path, *names)
        entry = self.entry(directory, name)
        if entry is None:
            raise failure(fault_of_name(name) or errno.ENOENT, *(names or (path,)))
        return directory, name, *entry

    def new_entry(self, path: str, *names: str) -> tuple[int, str]:
        """Return the directory and name of a path that can be created."""
        names = names or (path,)
        directory, name = self.parent_and_name(path, *names)
        if path == "/" or self.entry(directory, name) is not None:
            raise failure(errno.EEXIST, *names)
        refuse_name(name, *names)
        return directory, name

    def path_error(
        self, walked: str, inode: int, mode: int, path: str, *names: str
    ) -> LinkInPath | OSError:
        """Return the error for a path that leads through a file or link, or to one."""
        if kinds.S_ISLNK(mode):
            return LinkInPath(walked, self.target(inode), path[len(walked) :])
        return failure(errno.ENOTDIR, *(names or (path,)))

    def target(self, inode: int) -> str:
        """Return the text of a symbolic link."""
        row = self._database.execute(
            "SELECT CAST(target AS BLOB) FROM fs_symlink WHERE ino = ?", (inode,)
        ).fetchone()
        return loaded_text(row[0]) if row else ""

    def entries(self, directory: int) -> list[Entry]:
        """Return the entries of a directory, in order of creation."""
        rows = self._database.execute(LIST, (directory,)).fetchall()
        return [Entry(loaded_text(name), kinds.S_IFMT(mode)) for name, mode in rows]

    def is_empty(self, directory: int) -> bool:
        query = "SELECT 1 FROM fs_dentry WHERE parent_ino = ? LIMIT 1"
        return self._database.execute(query, (directory,)).fetchone() is None

    def _stat_of_row(self, row: tuple[int, ...]) -> Stat:
        (
            inode, mode, size, links, owner, group, special, accessed, accessed_rest, modified,
            modified_rest, changed, changed_rest,
        ) = row  # fmt: skip
        if kinds.S_ISDIR(mode):
            size = DIRECTORY_BYTES
            links = 2 + self._database.execute(COUNT_SUBDIRECTORIES, (inode,)).fetchone()[0]
        return Stat(
            mode,
            size,
            modified * 10**9 + modified_rest,
            accessed=accessed * 10**9 + accessed_rest,
            changed=changed * 10**9 + changed_rest,
            inode=inode,
            links=links,
            owner=owner,
            group=group,
            special=special,
        )

    def create(self, directory: int, name: str, mode: int, now: int) -> int:
        """Create an inode with a name."""
        seconds, nanoseconds = divmod(now, 10**9)
        values = (mode, 0, *[seconds] * 3, *[nanoseconds] * 3)
        inode = self._database.execute(CREATE, values).lastrowid
        assert inode is not None
        self.add_name(directory, name, inode, now)
        return inode

    def create_link(self, directory: int, name: str, target: str, now: int) -> None:
        """Create a symbolic link."""
        inode = self.create(directory, name, kinds.S_IFLNK | 0o777, now)
        self._database.execute(
            "UPDATE fs_inode SET size = ? WHERE ino = ?", (len(encode(target)), inode)
        )
        self._database.execute(
            "INSERT INTO fs_symlink (ino, target) VALUES (?, CAST(? AS TEXT))",
            (inode, stored_text(target)),
        )

    def add_name(self, directory: int, name: str, inode: int, now: int) -> None:
        """Add a name to a directory; the caller counts it."""
        self._database.execute(ADD_NAME, (stored_text(name), directory, inode))
        self.touch(directory, now)

    def remove_name(self, directory: int, name: str, now: int) -> None:
        """Remove a name from a directory; the caller counts it."""
        self._database.execute(REMOVE_NAME, (directory, stored_text(name)))
        self.touch(directory, now)

    def touch(self, inode: int, now: int) -> None:
        """Set the time of modification."""
        self._database.execute(TOUCH, (*divmod(now, 10**9) * 2, inode))

    def change(self, inode: int, what: str, values: tuple[int, ...], now: int) -> None:
        """Set columns of an inode, such as `mode = ?`, and the time of the change."""
        self._database.execute(SET_CHANGED.format(what), (*values, *divmod(now, 10**9), inode))

    def link_count(self, inode: int) -> int:
        """Return the number of names."""
        query = "SELECT nlink FROM fs_inode WHERE ino = ?"
        return int(self._database.execute(query, (inode,)).fetchone()[0])


def refuse_name(name: str, *names: str) -> None:
    """Raise if a name is invalid."""
    fault = fault_of_name(name)
    if fault:
        raise failure(fault, *names)


def seconds_and_nanoseconds(time: int, path: str) -> tuple[int, int]:
    """Return a time as the two columns that hold it; raise EINVAL if they cannot."""
    seconds, nanoseconds = divmod(time, 10**9)
    if abs(seconds) > MAX_SECONDS:
        raise failure(errno.EINVAL, path)
    return seconds, nanoseconds
