"""Contents and trees as a whole: read, compared, copied from one file system to another, removed.

Nothing here follows a link, and a deep tree takes no deep stack.
"""

from __future__ import annotations

import errno
import stat as kinds
from hashlib import blake2b

from keysh.vfs.api import failure
from keysh.vfs.mounts import ErrorPaths
from keysh.vfs.paths import join, parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.vfs.api import FileSystem, Stat, Stream
    from keysh.vfs.router import Router


# What `rename(2)` refuses, for file systems that have to see to it themselves.


def check_rename(fs: FileSystem, old: str, new: str) -> tuple[Stat, Stat | None]:
    """What a rename would move, and what it would replace; an error if it may not.

    A directory is moved over an empty one only, and not into itself.
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
    """See that the directory is there which has or would have a name."""
    try:
        fs.stat(path)
    except FileNotFoundError:
        with ErrorPaths(path):
            fs.stat(parent(path))


TRANSFER_CHUNK_BYTES = 2**18


def stream_chunks(stream: Stream) -> Iterator[bytes]:
    """What is left of a stream, all pieces but the last of one size."""
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
    """Whether two files hold the same bytes."""
    with one.open(path) as left, other.open(other_path) as right:
        ours, theirs = stream_chunks(left), stream_chunks(right)
        return all(piece == next(theirs, None) for piece in ours) and next(theirs, None) is None


def content_digest(fs: FileSystem, path: str) -> bytes:
    """A fingerprint of a file's contents."""
    found = blake2b()
    with fs.open(path) as stream:
        for piece in stream_chunks(stream):
            found.update(piece)
    return found.digest()


def copy_node(source: FileSystem, path: str, target: FileSystem, new: str) -> None:
    """Make what is at a path also at another, which must be free: file, directory or link.

    Modes and times go with it, the entries of a directory do not. EPERM for any other kind.
    """
    found = source.stat(path)
    if found.is_link:
        target.make_link(source.read_link(path), new)
    elif found.is_directory:
        target.make_directory(new)
    elif found.is_file:
        copy_content(source, path, target, new)
    else:
        raise failure(errno.EPERM, path)
    copy_attributes(found, target, new)


def copy_content(source: FileSystem, path: str, target: FileSystem, new: str) -> None:
    with source.open(path) as reading, target.open(new, "x", 0o600) as writing:
        try:
            for piece in stream_chunks(reading):
                write_all(writing, piece)
        except BaseException:
            target.remove(new)
            raise


def copy_attributes(found: Stat, target: FileSystem, path: str) -> None:
    """Give a path mode and times, as far as its file system keeps any."""
    try:
        if not found.is_link:
            target.set_mode(path, kinds.S_IMODE(found.mode))
        target.set_times(path, found.accessed, found.modified)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP):
            raise


def walk_tree(fs: FileSystem, path: str) -> Iterator[tuple[str, Stat]]:
    """What is at a path and below it, directories before their entries."""
    pending = [path]
    while pending:
        at = pending.pop()
        found = fs.stat(at)
        yield at, found
        if found.is_directory:
            pending += [join(at, entry.name) for entry in fs.list(at)]


def remove_contents(fs: FileSystem, path: str) -> None:
    """Remove all that is below a directory."""
    for at, found in reversed([*walk_tree(fs, path)]):
        if at == path:
            continue
        if found.is_directory:
            fs.remove_directory(at)
        else:
            fs.remove(at)


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
