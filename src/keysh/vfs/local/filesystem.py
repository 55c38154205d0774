"""LocalFS: a directory of this machine as a file system, and no way out of it.

`descent` leads to the directory that holds a name; here each verb does one act relative to that
directory's descriptor, without following a link. Nothing is looked at first and trusted later.
"""

from __future__ import annotations

import errno
import io
import os
import select
import stat as kinds

from keysh.vfs.api import Entry, FileSystem, Stat, failure, identity_of
from keysh.vfs.local.descent import PASS_FLAGS, OpenParent, RootDirectory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.vfs.api import Access, Stream

CREATE_FLAGS = os.O_CREAT | os.O_WRONLY
ACCESS_FLAGS = {
    "r": os.O_RDONLY,
    "w": CREATE_FLAGS,  # emptied only when it is known to be a file
    "a": CREATE_FLAGS | os.O_APPEND,
    "x": CREATE_FLAGS | os.O_EXCL,
    "rw": os.O_CREAT | os.O_RDWR,
}
SET_ID_BITS = kinds.S_ISUID | kinds.S_ISGID  # which a new directory is not given
FIFO_READ_BYTES = 1 << 16  # as much as a pipe of Linux holds
STREAM_MODES = {"r": "rb", "w": "wb", "a": "ab", "x": "wb", "rw": "rb+"}


class LocalFile(io.FileIO):
    """An open file of this machine. A write is whole, or an error that names the virtual path."""

    def __init__(self, descriptor: int, mode: str, path: str) -> None:
        super().__init__(descriptor, mode)
        self.path = path

    def write(self, data: bytes, /) -> int:  # type: ignore[override]  # as the contract has it
        try:
            written = super().write(data)
            while written < len(data):
                written += super().write(memoryview(data)[written:])
        except OSError as error:
            raise failure(error.errno or errno.EIO, self.path) from None
        return written

    def identity(self) -> tuple[int, int] | None:
        """What tells a regular file from all others that are open."""
        return identity_of(self.fileno())

    def __exit__(self, *exception: object) -> None:
        self.close()


class LocalFifo(LocalFile):
    """An end of a fifo. Reading waits for what is written, also where nobody writes as yet."""

    def __init__(self, descriptor: int, mode: str, path: str) -> None:
        super().__init__(descriptor, mode, path)
        self.has_met_peer = self.writable()  # whether somebody has been at the other end
        self.wait: Callable[[LocalFifo], object] = wait_for_writer  # until it can be read

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(FIFO_READ_BYTES), b""))
        self.wait(self)
        self.has_met_peer = True
        return super().read(size) or b""

    def is_ready(self, seconds: float) -> bool:
        """Whether there is something to read, be it the end, within so many seconds."""
        waiting = select.poll()
        waiting.register(self.fileno(), select.POLLIN)
        return bool(waiting.poll(seconds * 1000))


class LocalFS(FileSystem):
    """A directory of this machine, which nothing done through this object leaves.

    The directory is opened once, here, and every path is walked from it, so it may be renamed or
    replaced later. Links are left to the router, which follows them inside the virtual tree: an
    absolute target begins at the virtual root. A program of the machine reads the same link in the
    machine's own way.

    `read_only` refuses every change with EROFS. Fifos, sockets and devices can be listed, renamed
    and removed, but opening one is refused with EACCES; with `allow_devices` it is allowed, and
    opening a fifo never waits for its other end, though reading from it may. With `allow_fifos`
    only `open_fifo` opens one.

    What new files and directories may not have for the process's umask they have not. `umask` is
    that of a process which a script may have for itself: then they have what is asked for.

    The root stays open until `close`, the end of `with` or garbage collection; verbs and streams
    under way are not disturbed. A child made by `os.fork` has a descriptor of its own and may use
    and close the file system freely; one made by `subprocess` inherits nothing.
    """

    def __init__(
        self, root: str | os.PathLike[str], read_only: bool = False, *,
        allow_devices: bool = False, allow_fifos: bool = False, umask: int = 0,
    ) -> None:  # fmt: skip
        self._host = os.path.abspath(os.fspath(root))
        # The root itself may be named by way of links, that is the host's choice.
        self._root: RootDirectory | None = RootDirectory(
            os.open(self._host, PASS_FLAGS & ~os.O_NOFOLLOW)
        )
        self._read_only = read_only
        self._allow_devices, self._allow_fifos = allow_devices, allow_fifos
        self._umask = umask

    def stat(self, path: str) -> Stat:
        with self._open_parent(path) as place:
            return stat_from_os(place.stat())

    def list(self, path: str) -> Iterator[Entry]:
        # Read at once: no descriptor waits for the caller, who may remove what he is told of.
        with self._open_parent(path) as place:
            descriptor = place.open(os.O_RDONLY | os.O_DIRECTORY)
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
        with self._open_parent(path) as place:
            if not self._allow_devices and access != "x":
                self._refuse_before_opening(place, access)
            if permissions & self._umask and access != "r":
                descriptor = open_with_exact_mode(place, ACCESS_FLAGS[access], permissions)
            else:
                descriptor = place.open(ACCESS_FLAGS[access], permissions)
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
        """Open a fifo without waiting: to write is ENXIO where nobody reads."""
        if not self._allow_fifos:
            raise failure(errno.EACCES, path)
        if access != "r":
            self._refuse_change(path)
        with self._open_parent(path) as place:
            descriptor = place.open(ACCESS_FLAGS[access] & ~os.O_CREAT)
        if not kinds.S_ISFIFO(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise failure(errno.EACCES, path)
        os.set_blocking(descriptor, True)
        return LocalFifo(descriptor, STREAM_MODES[access], path)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as place:
            os.mkdir(place.name, permissions, dir_fd=place.directory)
            if permissions & self._umask:
                inherited = place.stat().st_mode & kinds.S_ISGID
                change_mode(place, permissions & ~SET_ID_BITS | inherited)

    def remove_directory(self, path: str) -> None:
        self._refuse_change(path)
        if path == "/":
            raise failure(errno.EBUSY, path)  # known here as ".", which would be EINVAL
        with self._open_parent(path) as place:
            os.rmdir(place.name, dir_fd=place.directory)

    def remove(self, path: str) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as place:
            os.unlink(place.name, dir_fd=place.directory)

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
        with self._open_parent(path) as place:
            os.symlink(target, place.name, dir_fd=place.directory)

    def read_link(self, path: str) -> str:
        with self._open_parent(path) as place:
            return os.readlink(place.name, dir_fd=place.directory)

    def set_mode(self, path: str, mode: int) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as place:
            change_mode(place, mode)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self._refuse_change(path)
        with self._open_parent(path) as place:
            os.utime(
                place.name, ns=(accessed, modified), dir_fd=place.directory, follow_symlinks=False
            )

    def real_path(self, path: str) -> str | None:
        """Where the file is on this machine now; a path is text and proves nothing later."""
        root = self._open_root(path)
        try:
            with self._open_parent(path) as place:
                if kinds.S_ISLNK(place.stat().st_mode):
                    raise place.link()
            # The path given for the root may lead to another directory by now.
            if not os.path.samestat(os.stat(self._host), os.fstat(root.descriptor)):
                return None
        except OSError:
            return None
        return self._host.rstrip("/") + path if path != "/" else self._host

    def open_directory(self, path: str) -> int:
        """A new descriptor of a directory, the caller's to close, for a child to start in.

        It is good for `os.fchdir`, as `dir_fd`, and as /proc/self/fd/N; Linux does not let it be
        read (O_PATH). Unlike a path it stays this directory, whatever is renamed.
        """
        with self._open_parent(path) as place:
            return place.open(PASS_FLAGS)

    def close(self) -> None:
        """Let the root go; every later verb is EBADF. Streams stay open."""
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
        """Whether a directory shows what this process has open, also just to read it."""
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

    def _refuse_before_opening(self, place: OpenParent, access: Access) -> None:
        """Refuse before opening what opening alone would act upon: it wakes a fifo's writer.

        The kind that counts is the one of the descriptor, later.
        """
        try:
            mode = place.stat().st_mode
        except FileNotFoundError:
            return
        if kinds.S_ISDIR(mode) and access == "r":
            os.close(place.open(os.O_RDONLY))  # where that fails, it says why
        if not kinds.S_ISLNK(mode):
            self._refuse_kind(mode, place.path)


def wait_for_writer(fifo: LocalFifo) -> None:
    """Wait for what is written, for ever if need be."""
    while not fifo.is_ready(1):
        pass


def stat_from_os(found: os.stat_result) -> Stat:
    """What the machine tells of a file."""
    return Stat(
        found.st_mode,
        found.st_size,
        found.st_mtime_ns,
        accessed=found.st_atime_ns,
        changed=found.st_ctime_ns,
        inode=found.st_ino,
        device=found.st_dev,
        links=found.st_nlink,
        owner=found.st_uid,
        group=found.st_gid,
        blocks=getattr(found, "st_blocks", None),
        special=getattr(found, "st_rdev", 0),
    )


def is_open_descriptor(name: str) -> bool:
    """Whether a name is the number of a descriptor that is open."""
    try:
        os.fstat(int(name))
    except (OSError, ValueError):
        return False
    return True


def entry_kind(entry: os.DirEntry[str]) -> int:
    """The kind as the directory tells it, or as the file does; 0 for one that has gone."""
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


def open_with_exact_mode(place: OpenParent, flags: int, permissions: int) -> int:
    """A descriptor of what has the name; a new file has its permissions whatever the umask is."""
    try:
        descriptor = place.open(flags | os.O_EXCL, permissions)
    except FileExistsError:
        return place.open(flags, permissions)
    os.fchmod(descriptor, permissions)
    return descriptor


def change_mode(place: OpenParent, mode: int) -> None:
    """Set the permissions of what has the name, never of what a link there leads to."""
    if os.chmod in os.supports_follow_symlinks:
        if kinds.S_ISLNK(place.stat().st_mode):
            raise place.link()
        os.chmod(place.name, mode, dir_fd=place.directory, follow_symlinks=False)
        return
    # Linux: a descriptor of a file that perhaps nobody may read, and the kernel's name for it.
    descriptor = place.open(PASS_FLAGS & ~os.O_DIRECTORY)
    try:
        if kinds.S_ISLNK(os.fstat(descriptor).st_mode):
            raise place.link()
        os.chmod(f"/proc/self/fd/{descriptor}", mode)
    finally:
        os.close(descriptor)
