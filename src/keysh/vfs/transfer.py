"""Whole contents and trees: reading, comparing, copying between file systems, removing.

Nothing here follows a link, and a deep tree needs no deep stack.
"""

from __future__ import annotations

import errno
import stat as kinds

from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.paths import join, parent
from keysh.vfs.stream import complete_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import FileSystem, Stat
    from keysh.vfs.router import Router
    from keysh.vfs.stream import Stream


# ---------------------------------------------------------------- renaming


def check_rename(fs: FileSystem, old: str, new: str) -> tuple[Stat, Stat | None]:
    """Return what a rename would move and replace; raise what `rename(2)` would refuse.

    A directory may only replace an empty one, and not be moved into itself.
    """
    with ErrorPaths(old, new):
        for path in (old, new):
            if path != "/":
                require_parent(fs, path)
        if "/" in (old, new):
            raise failure(errno.EBUSY, old)
        source = fs.stat(old)
        try:
            replaced = fs.stat(new)
        except FileNotFoundError:
            replaced = None
        if new.startswith(f"{old}/"):
            raise failure(errno.EINVAL, old)
        if replaced is None or old == new:
            return source, replaced
        if old.startswith(f"{new}/"):
            raise failure(errno.ENOTEMPTY, old)
        if replaced.is_directory != source.is_directory:
            raise failure(errno.EISDIR if replaced.is_directory else errno.ENOTDIR, old)
        if replaced.is_directory and any(True for _ in fs.list(new)):
            raise failure(errno.ENOTEMPTY, old)
    return source, replaced


def require_parent(fs: FileSystem, path: str) -> None:
    """Raise unless a path's parent directory exists."""
    try:
        fs.stat(path)
    except FileNotFoundError:
        with ErrorPaths(path):
            fs.stat(parent(path))


TRANSFER_CHUNK_BYTES = 2**18


def refuse_link(fs: FileSystem, path: str, stat: Stat) -> None:
    """Raise LinkInPath for a symbolic link."""
    if stat.is_link:
        raise LinkInPath(path, fs.read_link(path), "")


def refuse_writing(fs: FileSystem, path: str, stat: Stat) -> None:
    """Raise for all but a file, which can be opened for writing."""
    refuse_link(fs, path, stat)
    if not stat.is_file:
        raise failure(errno.EISDIR if stat.is_directory else errno.EACCES, path)


def stream_chunks(stream: Stream) -> Iterator[bytes]:
    """Yield the rest of a stream in chunks of equal size, but for the last."""
    while True:
        piece = stream.read(TRANSFER_CHUNK_BYTES)
        while 0 < len(piece) < TRANSFER_CHUNK_BYTES:
            more = stream.read(TRANSFER_CHUNK_BYTES - len(piece))
            if not more:
                break
            piece += more
        if not piece:
            return
        yield piece


def write_all(stream: Stream, data: bytes) -> None:
    written = stream.write(data)
    while written < len(data):
        written += stream.write(data[written:])


def has_same_content(one: FileSystem, path: str, other: FileSystem, other_path: str) -> bool:
    """Whether two files have the same contents."""
    with (
        complete_stream(one.open(path)) as left,
        complete_stream(other.open(other_path)) as right,
    ):
        ours, theirs = stream_chunks(left), stream_chunks(right)
        return all(piece == next(theirs, None) for piece in ours) and next(theirs, None) is None


def content_digest(fs: FileSystem, path: str) -> bytes:
    """Return a digest of a file's contents."""
    from hashlib import blake2b  # noqa: PLC0415 - brings in OpenSSL

    hasher = blake2b()
    with complete_stream(fs.open(path)) as stream:
        for piece in stream_chunks(stream):
            hasher.update(piece)
    return hasher.digest()


def copy_node(source: FileSystem, path: str, target: FileSystem, new: str) -> None:
    """Copy a file, link or directory to a path that must be free, with mode and times.

    A directory's entries are not copied. EPERM for any other kind of file.
    """
    stat = source.stat(path)
    if stat.is_link:
        target.make_link(source.read_link(path), new)
    elif stat.is_directory:
        target.make_directory(new)
    elif stat.is_file:
        copy_content(source, path, target, new)
    else:
        raise failure(errno.EPERM, path)
    copy_attributes(stat, target, new)


def copy_content(source: FileSystem, path: str, target: FileSystem, new: str) -> None:
    with (
        complete_stream(source.open(path)) as reading,
        complete_stream(target.open(new, "x", 0o600)) as writing,
    ):
        try:
            for piece in stream_chunks(reading):
                write_all(writing, piece)
        except BaseException:
            target.remove(new)
            raise


def copy_attributes(stat: Stat, target: FileSystem, path: str) -> None:
    """Set a path's mode and times, as far as its file system keeps them."""
    try:
        if not stat.is_link:
            target.set_mode(path, kinds.S_IMODE(stat.mode))
        target.set_times(path, stat.accessed, stat.modified)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP):
            raise


def walk_tree(fs: FileSystem, path: str) -> Iterator[tuple[str, Stat]]:
    """Yield a path and everything below it, directories before their entries."""
    pending = [path]
    while pending:
        current = pending.pop()
        stat = fs.stat(current)
        yield current, stat
        if stat.is_directory:
            pending += [join(current, entry.name) for entry in fs.list(current)]


def remove_contents(fs: FileSystem, path: str) -> None:
    """Remove everything below a directory."""
    for current, stat in reversed([*walk_tree(fs, path)]):
        if current == path:
            continue
        if stat.is_directory:
            fs.remove_directory(current)
        else:
            fs.remove(current)


def missing_parents(fs: Router, path: str) -> list[str]:
    """Return the directories above an absolute path that do not exist, outermost first."""
    missing: list[str] = []
    above = path.rpartition("/")[0]
    while above:
        try:
            if not fs.stat(above, follow=True).is_directory:
                raise failure(errno.ENOTDIR, above)
            break
        except FileNotFoundError:
            missing.append(above)
            above = above.rpartition("/")[0]
    return missing[::-1]


def make_parents(fs: Router, path: str, permissions: int) -> None:
    """Make the missing directories above an absolute path."""
    for directory in missing_parents(fs, path):
        fs.make_directory(directory, permissions)
