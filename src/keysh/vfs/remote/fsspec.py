"""FsspecFS: any storage of fsspec as a file system. It needs the extra `keysh[fsspec]`."""

from __future__ import annotations

import errno
import stat as kinds
from datetime import UTC, datetime
from hashlib import blake2b
from weakref import WeakSet

try:
    from fsspec import AbstractFileSystem
    from fsspec.archive import AbstractArchiveFileSystem
except ModuleNotFoundError as error:
    if error.name != "fsspec":
        raise
    raise ModuleNotFoundError(
        "fsspec is not installed: pip install 'keysh[fsspec]'", name="fsspec"
    ) from None

from keysh.vfs.api import Entry, FileSystem, Stat, failure
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.paths import base_name, is_below, join, parent
from keysh.vfs.remote.change_lock import ChangeLock
from keysh.vfs.remote.storage_errors import StorageError
from keysh.vfs.remote.stream import ReadStream, WriteStream
from keysh.vfs.transfer import check_rename, stream_chunks, walk_tree, write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

    Info = Mapping[str, Any]

STORAGE_KINDS = {"file": kinds.S_IFREG, "directory": kinds.S_IFDIR}
DEFAULT_PERMISSIONS = {kinds.S_IFREG: 0o644, kinds.S_IFDIR: 0o755}

# The keys under which storages keep the modification time, the best first.
TIME_KEYS = (
    "mtime",
    "LastModified",
    "last_modified",
    "updated",
    "modified",
    "date_time",
    "created",
)


class FsspecFS(FileSystem):
    """A storage of fsspec, or the part of it below `root`.

        FsspecFS(fsspec.filesystem("s3"), "bucket/folder")
        FsspecFS(fsspec.filesystem("zip", fo="files.zip"))

    A storage can do less than a file system:

    - Files are written as a whole: a stream collects the data, and the storage gets it when the
      stream is closed, so the last one to close wins. The name exists at once, with an empty file
      if it is new or truncated.
    - There are no links: EPERM. The storage's own links are followed, wherever they lead.
    - Modes come from the storage, else 644 and 755; modes and times cannot be set: EPERM.
    - A rename is the storage's own, if it has one; else everything is copied and then removed. An
      interruption leaves the old name.
    - If directories exist only through their files, empty ones are remembered in this object.
    - What a storage refuses is EROFS, and what it does not explain is EIO.
    """

    def __init__(self, storage: AbstractFileSystem, root: str = "") -> None:
        self._storage = storage
        self._root = root.rstrip("/")
        # Most changes take several steps, such as a check and a creation.
        self._change_lock = ChangeLock()
        self._empty_directories: set[str] = set()  # directories that the storage lacks
        self._writers: WeakSet[WriteStream] = WeakSet()
        is_archive = isinstance(storage, AbstractArchiveFileSystem)
        self._is_archive = is_archive and getattr(storage, "mode", "r") == "r"
        # A wrapper passes `mv` on to another storage, which may read a path as a pattern.
        has_own_move = type(storage).mv is not AbstractFileSystem.mv and not hasattr(storage, "fs")
        self._move = storage.mv if has_own_move else None
        # A local file's move replaces the target, as the machine's does.
        self._replaces = getattr(storage, "local_file", False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for `pickle`: the storage by its own rules, without open streams."""
        with self._change_lock:
            return {
                "storage": self._storage, "root": self._root,
                "empty": self._empty_directories.copy(),
            }  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        FsspecFS.__init__(self, state["storage"], state["root"])
        self._empty_directories = state["empty"]

    def stat(self, path: str) -> Stat:
        info = self._info(path)
        if info is None:
            raise self._missing(path)
        kind = STORAGE_KINDS.get(info["type"], kinds.S_IFIFO)
        mode = info.get("mode")
        permissions = (
            kinds.S_IMODE(mode) if isinstance(mode, int) else DEFAULT_PERMISSIONS.get(kind, 0)
        )
        size = info.get("size") or 0
        inode = info.get("ino") or path_inode(path)
        return Stat(kind | permissions, size, modification_time(info), inode=inode)

    def list(self, path: str) -> Iterator[Entry]:
        if not self.stat(path).is_directory:
            raise failure(errno.ENOTDIR, path)
        return self._entries(path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        key = self._key(path)
        if access == "r":
            self._require_file(path, self.stat(path))
            with StorageError(path):
                return self._change_lock.read_consistently(
                    lambda: ReadStream(self._storage, key, path)
                )
        with self._change_lock:
            info = self._info(path)
            if info is None:
                self._require_parent(path)
            elif access == "x":
                raise failure(errno.EEXIST, path)
            else:
                self._require_file(path, self.stat(path))
            with self._change(path):
                if info is None or access == "w":
                    self._storage.pipe_file(key, b"")
                stream = WriteStream(self._storage, key, path, access, self._change_lock)
            self._writers.add(stream)
            return stream

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        with self._change_lock:
            if self._info(path) is not None:
                raise failure(errno.EEXIST, path)
            self._require_parent(path)
            with self._change(path):
                self._storage.mkdir(self._key(path), create_parents=False)
            self._remember_if_empty(path)

    def remove_directory(self, path: str) -> None:
        with self._change_lock:
            if path == "/":
                raise failure(errno.EBUSY, path)
            if any(True for _ in self.list(path)):
                raise failure(errno.ENOTEMPTY, path)
            if path in self._empty_directories:
                self._empty_directories.discard(path)
            else:
                with self._change(path):
                    self._storage.rmdir(self._key(path))
            self._remember_if_empty(parent(path))

    def remove(self, path: str) -> None:
        with self._change_lock:
            if self.stat(path).is_directory:
                raise failure(errno.EISDIR, path)
            with self._change(path):
                self._storage.rm_file(self._key(path))
            self._detach_writers(path)
            self._remember_if_empty(parent(path))

    def rename(self, old: str, new: str) -> None:
        with self._change_lock:
            source, replaced = check_rename(self, old, new)
            if old == new:
                return
            with self._change(old, new):
                if replaced and replaced.is_directory:
                    self.remove_directory(new)
                elif replaced:
                    self._detach_writers(new)
                    if self._move and not self._replaces:
                        self._storage.rm_file(self._key(new))
                if self._move and old not in self._empty_directories:
                    self._move(self._key(old), self._key(new))
                elif source.is_directory:
                    self._copy_tree(old, new)
                else:
                    self._copy_file(old, new)
                    self._storage.rm_file(self._key(old))
                self._update_paths(old, new)
                self._remember_if_empty(parent(old))

    def set_mode(self, path: str, mode: int) -> None:
        self.stat(path)
        raise failure(errno.EPERM, path)

    def set_times(self, path: str, accessed: int, modified: int) -> None:
        self.stat(path)
        raise failure(errno.EPERM, path)

    def _change(self, path: str, other: str | None = None) -> StorageError:
        # An archive warns or does nothing before it refuses.
        if self._is_archive:
            with ErrorPaths(path, other):
                raise failure(errno.EROFS, path)
        return StorageError(path, other, refused=errno.EROFS)

    def _key(self, path: str) -> str:
        """Return a path as the storage writes it."""
        marker: str = self._storage.root_marker
        if path == "/":
            return self._root or marker
        return self._root + path if self._root or marker else path[1:]

    def _info(self, path: str) -> Info | None:
        """Return the storage's information about a path; None if there is none."""
        with StorageError(path):
            try:
                key = self._key(path)
                info: Info = self._change_lock.read_consistently(lambda: self._storage.info(key))
            except FileNotFoundError:
                is_kept = path == "/" or path in self._empty_directories
                return {"type": "directory"} if is_kept else None
        return info

    def _missing(self, path: str) -> OSError:
        """Return the error for a missing path: ENOENT, or ENOTDIR with a file above it."""
        above = parent(path)
        while above != "/":
            info = self._info(above)
            if info:
                if info["type"] != "directory":
                    return failure(errno.ENOTDIR, path)
                break
            above = parent(above)
        return failure(errno.ENOENT, path)

    def _require_parent(self, path: str) -> None:
        info = self._info(parent(path))
        if not info or info["type"] != "directory":
            raise self._missing(path)

    def _require_file(self, path: str, stat: Stat) -> None:
        if not stat.is_file:
            raise failure(errno.EISDIR if stat.is_directory else errno.EACCES, path)

    def _entries(self, path: str) -> Iterator[Entry]:
        key = self._key(path)
        with StorageError(path):
            try:
                infos = self._change_lock.read_consistently(
                    lambda: self._storage.ls(key, detail=True)
                )
            except FileNotFoundError:
                infos = []
        entries = {}
        for info in infos:
            # In a storage of keys a directory may list itself as an empty file.
            each = info["name"].rstrip("/").rpartition("/")[2]
            if each and info["name"].strip("/") != key.strip("/"):
                kind = info["type"]
                if info.get("islink"):
                    kind = (self._info(join(path, each)) or info)["type"]
                entries[each] = Entry(each, STORAGE_KINDS.get(kind, kinds.S_IFIFO))
        for kept in [*self._empty_directories]:  # a copy, since other threads change it meanwhile
            if parent(kept) == path:
                entries[base_name(kept)] = Entry(base_name(kept), kinds.S_IFDIR)
        return iter(entries.values())

    def _remember_if_empty(self, path: str) -> None:
        """Remember an empty directory if the storage does not keep it."""
        if path != "/" and self._info(path) is None:
            self._empty_directories.add(path)

    def _detach_writers(self, path: str) -> None:
        """Discard what streams write to a path that is removed."""
        for stream in [*self._writers]:
            if stream.path == path:
                self._writers.discard(stream)
                stream.forget()

    def _update_paths(self, old: str, new: str) -> None:
        """Update remembered directories and writing streams after a rename."""
        for path in [path for path in self._empty_directories if is_below(path, old)]:
            self._empty_directories.discard(path)
            self._remember_if_empty(new + path[len(old) :])
        for stream in [*self._writers]:
            if is_below(stream.path, old):
                at = new + stream.path[len(old) :]
                stream.move(self._key(at), at)

    def _copy_tree(self, old: str, new: str) -> None:
        """Move a directory and everything below it, one by one."""
        moved = [*walk_tree(self, old)]
        for path, stat in moved:
            new_path = new + path[len(old) :]
            if stat.is_directory:
                self.make_directory(new_path)
            else:
                self._copy_file(path, new_path)
        for path, stat in reversed(moved):
            (self.remove_directory if stat.is_directory else self.remove)(path)

    def _copy_file(self, old: str, new: str) -> None:
        try:
            self._storage.cp_file(self._key(old), self._key(new))
        except NotImplementedError:
            with self._storage.open(self._key(new), "wb") as target, self.open(old) as source:
                for piece in stream_chunks(source):
                    write_all(target, piece)


def path_inode(path: str) -> int:
    """Return an inode number for a path, if the storage has none."""
    text = path.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=7).digest(), "big")


def modification_time(info: Info) -> int:
    """Return the modification time in nanoseconds since 1970; 0 if unknown."""
    value = next((info[word] for word in TIME_KEYS if info.get(word) is not None), 0)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return 0
    if isinstance(value, tuple):  # of a zip file: year to second
        value = datetime.fromisoformat("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}".format(*value))
    if isinstance(value, datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()
    return int(value * 1_000_000_000) if isinstance(value, int | float) else 0
