"""LocalFS: a directory of this machine as a file system, without a way out of it.

`descent` opens the parent directory of a path; each verb is then one call relative to that
descriptor, which follows no link. Nothing is checked first and used later.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.vfs.api import Entry, FileSystem, Stat, failure
from keysh.vfs.local.descent import OpenParent
from keysh.vfs.local.root import PASS_FLAGS, open_root
from keysh.vfs.local.stream import LocalFifo, LocalFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from keysh.vfs.api import Access
    from keysh.vfs.local.root import RootDirectory
    from keysh.vfs.stream import Stream

CREATE_FLAGS = os.O_CREAT | os.O_WRONLY
ACCESS_FLAGS = {
    "r": os.O_RDONLY,
    "w": CREATE_FLAGS,  # truncated only when it is known to be a file
    "a": CREATE_FLAGS | os.O_APPEND,
    "x": CREATE_FLAGS | os.O_EXCL,
    "rw": os.O_CREAT | os.O_RDWR,
}
SET_ID_BITS = kinds.S_ISUID | kinds.S_ISGID  # a new directory does not get these
STREAM_MODES = {"r": "rb", "w": "wb", "a": "ab", "x": "wb", "rw": "rb+"}


class LocalFS(FileSystem):
    """A directory of this machine, `root`; nothing done through this object leaves it.

    The directory is opened once, and every path is walked from it, so it may be renamed or replaced
    later. The router follows links inside the virtual tree: an absolute target begins at the
    virtual root. A program of the machine follows the same link in the machine's tree.

    `read_only` refuses every change with EROFS. Fifos, sockets and devices can be listed, renamed
    and removed, but opening one is EACCES. With `allow_devices` it is allowed; opening a fifo then
    never waits for its other end, though reading may. With `allow_fifos` only `open_fifo` opens
    one.

    New files and directories are subject to the process's umask. With `umask`, the one of a process
    that a script has for itself, they get exactly the permissions requested.

    The root stays open until `close`, the end of the `with` or garbage collection; running verbs
    and open streams are not affected. A child made by `os.fork` has its own descriptor and may use
    and close the file system freely; one made by `subprocess` inherits nothing.

    A copy has the same root and options. One that is pickled opens its root again, by its path; on
    the same machine that must be the same directory, else the error is ESTALE.
    """

    __module__ = "keysh"
    keeps_inodes = True

    def __init__(
        self, root: str | os.PathLike[str], read_only: bool = False, *,
        allow_devices: bool = False, allow_fifos: bool = False, umask: int = 0,
    ) -> None:  # fmt: skip
        self._host = os.path.abspath(os.fspath(root))
        # Links in the root's own path are the host's choice and followed.
        self._root: RootDirectory | None = open_root(self._host)
        self._read_only = read_only
        if read_only:
            self.is_recorded = False
        self._allow_devices, self._allow_fifos = allow_devices, allow_fifos
        self._umask = umask

    def reference(self) -> dict[str, object]:
        return {"name": "LocalFS", "place": self._host, "read only": self._read_only}

    def __copy__(self) -> Self:
        return self._bare_copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.__copy__()

    def stat(self, path: str) -> Stat:
        with self._open_parent(path) as parent:
            return stat_from_os(parent.stat())

    def list(self, path: str) -> Iterator[Entry]:
        # Read at once, so that the caller may remove entries and no descriptor stays open.
        with self._open_parent(path) as parent:
            descriptor = parent.open(os.O_RDONLY | os.O_DIRECTORY)
            try:
                with os.scandir(descriptor) as found:
                    entries = [Entry(entry.name, entry_kind(entry)) for entry in found]
            finally:
                os.close(descriptor)
        if self._is_of_descriptors(path):
            entries = [entry for entry in entries if is_open_descriptor(entry.name)]
        return iter(entries)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        if access != "r":
            self._refuse_change(path)
        with self._open_parent(path) as parent:
            if not self._allow_devices and access != "x":
                self._refuse_before_opening(parent, access)
            if permissions & self._umask and access != "r":
                descriptor = open_with_exact_mode(parent, ACCESS_FLAGS[access], permissions)
            else:
                descriptor = parent.open(ACCESS_FLAGS[access], permissions)
            try:
                mode = os.fstat(descriptor).st_mode
                self._refuse_kind(mode, path)
                if not kinds.S_ISREG(mode):
                    os.set_blocking(descriptor, True)
                elif access == "w":
                    os.ftruncate(descriptor, 0)
                return LocalFile(descriptor, STREAM_MODES[access], path)
            except BaseException:
                os.close(descriptor)
                raise

    def open_fifo(self, path: str, access: Access) -> LocalFifo:
        """Open a fifo without waiting; ENXIO for writing without a reader."""
        if not self._allow_fifos:
            raise failure(errno.EACCES, path)
        if access != "r":
            self._refuse_change(path)
        with self._open_parent(path) as parent:
            descriptor = parent.open(ACCESS_FLAGS[access] & ~os.O_CREAT)
        if not kinds.S_ISFIFO(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise failure(errno.EACCES, path)
        os.set_blocking(descriptor, True)
        return LocalFifo(descriptor, STREAM_MODES[access], path)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            os.mkdir(parent.name, permissions, dir_fd=parent.directory)
            if permissions & self._umask:
                inherited = parent.stat().st_mode & kinds.S_ISGID
                change_mode(parent, permissions & ~SET_ID_BITS | inherited)

    def remove_directory(self, path: str) -> None:
        self._refuse_change(path)
        if path == "/":
            raise failure(errno.EBUSY, path)  # its name here is ".", which would be EINVAL
        with self._open_parent(path) as parent:
            os.rmdir(parent.name, dir_fd=parent.directory)

    def remove(self, path: str) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            os.unlink(parent.name, dir_fd=parent.directory)

    def rename(self, old: str, new: str) -> None:
        self._refuse_change(new, old)
        with self._open_parent(old, new, old) as source, self._open_parent(new, new, old) as target:
            os.rename(
                source.name, target.name, src_dir_fd=source.directory, dst_dir_fd=target.directory
            )

    def link(self, existing: str, path: str) -> None:
        self._refuse_change(path, existing)
        with (
            self._open_parent(existing, path, existing) as source,
            self._open_parent(path, path, existing) as target,
        ):
            os.link(
                source.name,
                target.name,
                src_dir_fd=source.directory,
                dst_dir_fd=target.directory,
                follow_symlinks=False,
            )

    def make_link(self, target: str, path: str) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            os.symlink(target, parent.name, dir_fd=parent.directory)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        self._refuse_change(path)
        if not self._allow_fifos:
            raise failure(errno.EPERM, path)
        with self._open_parent(path) as parent:
            os.mkfifo(parent.name, permissions, dir_fd=parent.directory)
            if permissions & self._umask:
                change_mode(parent, permissions)

    def read_link(self, path: str) -> str:
        with self._open_parent(path) as parent:
            return os.readlink(parent.name, dir_fd=parent.directory)

    def set_mode(self, path: str, mode: int) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            change_mode(parent, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            os.utime(
                parent.name, ns=(accessed, modified), dir_fd=parent.directory, follow_symlinks=False
            )

    def set_owner(self, path: str, owner: int, group: int) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as parent:
            os.chown(parent.name, owner, group, dir_fd=parent.directory, follow_symlinks=False)

    def real_path(self, path: str) -> str | None:
        """Return the file's current path on this machine, which may change at any time."""
        root = self._open_root(path)
        try:
            with self._open_parent(path) as parent:
                if kinds.S_ISLNK(parent.stat().st_mode):
                    raise parent.link()
            # The root's path may lead to another directory by now.
            if not os.path.samestat(os.stat(self._host), os.fstat(root.descriptor)):
                return None
        except OSError:
            return None
        return self._host.rstrip("/") + path if path != "/" else self._host

    def open_directory(self, path: str) -> int:
        """Return a new descriptor of a directory, for a child to start in; the caller closes it.

        It works with `os.fchdir`, as `dir_fd` and as /proc/self/fd/N, but on Linux it cannot be
        read (O_PATH). Unlike a path it stays this directory, whatever is renamed.
        """
        with self._open_parent(path) as parent:
            return parent.open(PASS_FLAGS)

    def close(self) -> None:
        """Close the root; every later verb is EBADF. Streams stay open."""
        self._root = None

    def __enter__(self) -> LocalFS:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def is_read_only(self) -> bool:
        """Whether every change is refused."""
        return self._read_only

    def _open_root(self, *names: str) -> RootDirectory:
        root = self._root
        if root is None:
            raise failure(errno.EBADF, *names)
        return root

    def _open_parent(self, path: str, *names: str) -> OpenParent:
        return OpenParent(self._open_root(*(names or (path,))), path, names)

    def _is_of_descriptors(self, path: str) -> bool:
        """Whether a directory lists this process's descriptors, as /proc/self/fd does."""
        if not path.endswith(("/fd", "/fdinfo")):
            return False
        return (self._host.rstrip("/") + path).startswith(f"/proc/{os.getpid()}/")

    def _refuse_change(self, *names: str) -> None:
        if self._read_only:
            raise failure(errno.EROFS, *names)

    def _refuse_kind(self, mode: int, path: str) -> None:
        if kinds.S_ISDIR(mode):
            raise failure(errno.EISDIR, path)
        if not kinds.S_ISREG(mode) and not self._allow_devices:
            raise failure(errno.EACCES, path)

    def _refuse_before_opening(self, parent: OpenParent, access: Access) -> None:
        """Refuse a file whose opening alone has an effect, such as waking a fifo's writer.

        The decisive check is that of the descriptor, later.
        """
        try:
            mode = parent.stat().st_mode
        except FileNotFoundError:
            return
        if kinds.S_ISDIR(mode) and access == "r":
            os.close(parent.open(os.O_RDONLY))  # raises the right error, if it fails
        if not kinds.S_ISLNK(mode):
            self._refuse_kind(mode, parent.path)


def stat_from_os(status: os.stat_result) -> Stat:
    """Return the machine's attributes of a file as a Stat."""
    return Stat(
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        accessed=status.st_atime_ns,
        changed=status.st_ctime_ns,
        inode=status.st_ino,
        device=status.st_dev,
        links=status.st_nlink,
        owner=status.st_uid,
        group=status.st_gid,
        blocks=getattr(status, "st_blocks", None),
        special=getattr(status, "st_rdev", 0),
    )


def is_open_descriptor(name: str) -> bool:
    """Whether a name is the number of an open descriptor."""
    try:
        os.fstat(int(name))
    except (OSError, ValueError):
        return False
    return True


def entry_kind(entry: os.DirEntry[str]) -> int:
    """Return the kind from the directory, or else from the file; 0 if it no longer exists."""
    if entry.is_file(follow_symlinks=False):
        return kinds.S_IFREG
    if entry.is_dir(follow_symlinks=False):
        return kinds.S_IFDIR
    if entry.is_symlink():
        return kinds.S_IFLNK
    try:
        return kinds.S_IFMT(entry.stat(follow_symlinks=False).st_mode)
    except OSError:
        return 0


def open_with_exact_mode(parent: OpenParent, flags: int, permissions: int) -> int:
    """Open a name; a new file gets its permissions regardless of the umask."""
    try:
        descriptor = parent.open(flags | os.O_EXCL, permissions)
    except FileExistsError:
        return parent.open(flags, permissions)
    os.fchmod(descriptor, permissions)
    return descriptor


def change_mode(parent: OpenParent, mode: int) -> None:
    """Set the permissions of a name, never of a link's target."""
    if os.chmod in os.supports_follow_symlinks:
        if kinds.S_ISLNK(parent.stat().st_mode):
            raise parent.link()
        os.chmod(parent.name, mode, dir_fd=parent.directory, follow_symlinks=False)
        return
    # Linux: use an O_PATH descriptor, which needs no read permission, and its name in /proc.
    descriptor = parent.open(PASS_FLAGS & ~os.O_DIRECTORY)
    try:
        if kinds.S_ISLNK(os.fstat(descriptor).st_mode):
            raise parent.link()
        os.chmod(f"/proc/self/fd/{descriptor}", mode)
    finally:
        os.close(descriptor)
