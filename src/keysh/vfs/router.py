"""Router: several file systems as one tree, in which symbolic links are followed.

Every verb takes any absolute path, with `.`, `..` and `//`, and reads it as the kernel does: `..`
is the parent of the directory that a link led to. Absolute targets of links begin at the router's
root; relative ones may lead from one mount into another. Errors show the path as it was given.
"""

from __future__ import annotations

import errno

from keysh.vfs.api import FileSystem, LinkInPath, Stat, failure
from keysh.vfs.mounted_tree import MountedTree
from keysh.vfs.mounts import ErrorPaths, Mounts, complete_error
from keysh.vfs.paths import join, last_step, parent, simple_path, without_slash
from keysh.vfs.stream import complete_stream
from keysh.vfs.symlinks import MAX_LINK_TURNS, resolve_links

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn, TypeVar

    from keysh.vfs.api import Access, Entry
    from keysh.vfs.stream import Stream

    T = TypeVar("T")


class Router(MountedTree):
    """File systems mounted into one tree: one at `/`, or several by their mount points.

    `open`, `list`, `set_mode`, `set_times` and `real_path` follow a link that is the last step, as
    `stat` does on request; the verbs about the name itself do not.

    A mount point and every path above it are directories, even if the file system below has
    something else or nothing there. They cannot be removed or renamed: EBUSY, or ENOTEMPTY for
    removing a directory above a mount point.
    """

    __module__ = "keysh"
    __slots__ = ()

    def locate(self, path: str) -> tuple[FileSystem, str]:
        """Return the file system that a path leads to, and the path inside it."""
        mounts = self._mounts
        with ErrorPaths(path):
            return mounts.find(resolve_links(mounts, path, follow=True))[:2]

    def resolve(self, path: str) -> str:
        """Return the path without links, `.` and `..`. Only its last step may be missing."""
        mounts = self._mounts
        with ErrorPaths(path):
            resolved = resolve_links(mounts, path, follow=True)
            try:
                mounts.stat(resolved)
            except FileNotFoundError:
                if not mounts.stat(parent(resolved)).is_directory:
                    raise failure(errno.ENOTDIR, path) from None
        return resolved

    def real_path(self, path: str) -> str | None:
        try:
            at = resolve_links(self._mounts, path, follow=True)
            fs, inner, _ = self._mounts.find(at)
            return None if self._mounts.is_synthetic(at) else fs.real_path(inner)
        except (OSError, LinkInPath):
            return None

    def open_directory(self, path: str) -> int | None:
        def act(fs: FileSystem, inner: str) -> int | None:
            opened = fs.open_directory(inner)
            if opened is None and not self._mounts.stat_no_link(fs, inner).is_directory:
                raise failure(errno.ENOTDIR, path)
            return opened

        def act_fixed(mounts: Mounts, at: str) -> int | None:
            return None if mounts.is_synthetic(at) else act(*mounts.find(at)[:2])

        return self._act(self._mounts, act, path, act_fixed)

    def stat(self, path: str, *, follow: bool = False) -> Stat:
        """Return a path's attributes; with `follow`, those of a link's target."""
        look = self._mounts.stat_no_link if follow else self._mounts.stat_mounted
        return self._act(self._mounts, look, path, Mounts.stat, follow=follow)

    def stat_or_none(self, path: str, *, follow: bool = True) -> Stat | None:
        """Return the stat of a path; None if it is empty, does not exist or is not accessible."""
        try:
            return self.stat(path, follow=follow) if path else None
        except OSError:
            return None

    def list(self, path: str) -> Iterator[Entry]:
        # Read at once, so that a lazy file system raises here and not later.
        entries = self._act(
            self._read_mounts, lambda fs, inner: [*fs.list(inner)], path, Mounts.list_fixed
        )
        return iter(entries)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        def act(fs: FileSystem, inner: str) -> Stream:
            return complete_stream(fs.open(inner, access, permissions))

        if access == "r":
            return self._act(self._read_mounts, act, path, refusal_act(errno.EISDIR))
        if access == "x":
            return self._create(act, path, follow=False, opens=True)
        return self._create(act, path, refusal_act(errno.EISDIR), opens=True)

    def make_directory(self, path: str, permissions: int = 0o777) -> None:
        with ErrorPaths(path):
            self._create(
                lambda fs, at: fs.make_directory(at, permissions), without_slash(path), follow=False
            )

    def remove_directory(self, path: str) -> None:
        def refuse_fixed(mounts: Mounts, at: str) -> NoReturn:
            raise failure(errno.ENOTEMPTY if mounts.leads_to_mount(at) else errno.EBUSY, at)

        with ErrorPaths(path):
            if last_step(path) == ".":
                self.stat(path)
                raise failure(errno.EINVAL, path)
            # Without the final `/` a link is no directory and is kept: ENOTDIR.
            self._act(
                self._changed_mounts,
                lambda fs, at: fs.remove_directory(at),
                without_slash(path),
                refuse_fixed,
                follow=False,
            )

    def remove(self, path: str) -> None:
        if path.endswith("/"):
            self._refuse_slash(path, errno.EISDIR, errno.ENOTDIR, errno.ENOENT)
        self._act(
            self._changed_mounts,
            lambda fs, inner: fs.remove(inner), path, refusal_act(errno.EISDIR), follow=False,
        )  # fmt: skip

    def rename(self, old: str, new: str) -> None:
        """Rename as `rename(2)`. OSError EXDEV from one mount to another: the caller must copy."""
        with ErrorPaths(old, new):
            is_unnamed = {last_step(old), last_step(new)} & {"", ".", ".."}
            has_slash = old.endswith("/") or new.endswith("/")
            if is_unnamed or has_slash:
                for path in (old, new):
                    self._entry_path(without_slash(path))
                if is_unnamed:
                    raise failure(errno.EBUSY, old)
                if not self.stat(without_slash(old)).is_directory:
                    raise failure(errno.ENOTDIR, old)
            self._act_on_pair(
                lambda fs, here, there: fs.rename(here, there),
                without_slash(old), without_slash(new),
                errno.EBUSY, errno.EBUSY,
            )  # fmt: skip

    def link(self, existing: str, path: str) -> None:
        """Link as `link(2)`. OSError EXDEV from one mount to another."""
        with ErrorPaths(existing, path):
            self.stat(existing)
            if path.endswith("/"):
                self._refuse_slash(path, errno.EEXIST, errno.EEXIST, errno.ENOENT)
            self._act_on_pair(
                lambda fs, here, there: fs.link(here, there), existing, path,
                errno.EPERM, errno.EEXIST,
            )  # fmt: skip

    def make_link(self, target: str, path: str) -> None:
        if path.endswith("/"):
            self._refuse_slash(path, errno.EEXIST, errno.EEXIST, errno.ENOENT)
        self._create(lambda fs, inner: fs.make_link(target, inner), path, follow=False)

    def make_fifo(self, path: str, permissions: int = 0o666) -> None:
        if path.endswith("/"):
            self._refuse_slash(path, errno.EEXIST, errno.EEXIST, errno.ENOENT)
        self._create(lambda fs, inner: fs.make_fifo(inner, permissions), path, follow=False)

    def read_link(self, path: str) -> str:
        return self._act(
            self._mounts,
            link_text, path, refusal_act(errno.EINVAL), follow=False,
        )  # fmt: skip

    def set_mode(self, path: str, mode: int) -> None:
        def act(fs: FileSystem, inner: str) -> None:
            fs.set_mode(inner, mode)

        self._act(self._changed_mounts, act, path, lambda mounts, at: mounts.change_fixed(act, at))

    def set_times(self, path: str, accessed: int, modified: int, *, follow: bool = True) -> None:
        """Set both times; without `follow`, those of a link itself."""

        def act(fs: FileSystem, inner: str) -> None:
            fs.set_times(inner, accessed, modified)

        with ErrorPaths(path):
            # The file system's verb would set the link's own times.
            at = resolve_links(self._mounts, path, follow=True) if follow else path
            self._act(
                self._changed_mounts,
                act, at, lambda mounts, at: mounts.change_fixed(act, at), follow=False,
            )  # fmt: skip

    def set_owner(self, path: str, owner: int, group: int, *, follow: bool = True) -> None:
        """Set owner and group; without `follow`, those of a link itself."""

        def act(fs: FileSystem, inner: str) -> None:
            fs.set_owner(inner, owner, group)

        with ErrorPaths(path):
            at = resolve_links(self._mounts, path, follow=True) if follow else path
            self._act(
                self._changed_mounts,
                act, at, lambda mounts, at: mounts.change_fixed(act, at), follow=False,
            )  # fmt: skip

    def _act(
        self,
        mounts: Mounts,
        act: Callable[[FileSystem, str], T],
        path: str,
        act_fixed: Callable[[Mounts, str], T],
        *,
        follow: bool = True,
        opens: bool = False,
    ) -> T:
        """Call `act` where a path leads, or `act_fixed` for a directory of the mount table."""
        try:
            at = simple_path(path)  # tried first: most paths have no link
            for _ in range(MAX_LINK_TURNS + 1):
                if at is None:
                    at = resolve_links(mounts, path, follow, opens)
                if at in mounts.fixed:
                    return act_fixed(mounts, at)
                fs, inner, point = mounts.find(at)
                try:
                    return act(fs, inner)
                except LinkInPath as link:
                    if point + link.path in mounts.fixed:  # the link is hidden
                        raise failure(errno.ENOENT, path) from None
                    at = simple_path(join(parent(point + link.path), link.target) + link.rest)
            raise failure(errno.ELOOP, path)
        except OSError as error:
            complete_error(error)
            error.filename = path
            raise

    def _create(
        self,
        act: Callable[[FileSystem, str], T],
        path: str,
        act_fixed: Callable[[Mounts, str], T] | None = None,
        *,
        follow: bool = True,
        opens: bool = False,
    ) -> T:
        """Do something that may create a name."""
        act_fixed = act_fixed or refusal_act(errno.EEXIST)
        try:
            return self._act(self._changed_mounts, act, path, act_fixed, follow=follow, opens=opens)
        except (FileNotFoundError, NotADirectoryError):
            self._refuse_synthetic(path, follow)
            raise

    def _act_on_pair(
        self,
        act: Callable[[FileSystem, str, str], None],
        old: str,
        new: str,
        old_fixed: int,
        new_fixed: int,
    ) -> None:
        """Do something with two names in one mount; the errnos are for fixed directories."""
        mounts = self._changed_mounts
        for _ in range(MAX_LINK_TURNS):
            source = self._entry_path(old)
            target = self._entry_path(new)
            if source in mounts.fixed or target in mounts.fixed:
                raise failure(new_fixed if target in mounts.fixed else old_fixed, old)
            fs, here, point = mounts.find(source)
            _, there, other_point = mounts.find(target)
            try:
                if point != other_point:
                    fs.stat(here)
                    raise failure(errno.EXDEV, old)
                return act(fs, here, there)
            except LinkInPath:
                continue
            except (FileNotFoundError, NotADirectoryError):
                fs.stat(here)
                self._refuse_synthetic(new, follow=False)
                raise
        raise failure(errno.ELOOP, old)

    def _entry_path(self, path: str) -> str:
        """Return a name's path without links: the directory exists, the name may be missing."""
        resolved = resolve_links(self._mounts, path, follow=False)
        if not self._mounts.stat(parent(resolved)).is_directory:
            raise failure(errno.ENOTDIR, path)
        return resolved

    def _refuse_synthetic(self, path: str, follow: bool) -> None:
        """Raise EROFS for a new name in a synthetic directory."""
        mounts = self._mounts
        with ErrorPaths(path):
            if mounts.is_synthetic(parent(resolve_links(mounts, path, follow))):
                raise failure(errno.EROFS, path) from None

    def _refuse_slash(self, path: str, directory: int, other: int, missing: int) -> NoReturn:
        """Raise the error for a final `/` on a name that cannot be a directory's."""
        with ErrorPaths(path):
            try:
                stat = self.stat(without_slash(path))
            except FileNotFoundError:
                raise failure(missing, path) from None
            raise failure(directory if stat.is_directory else other, path)


def refusal_act(number: int) -> Callable[[Mounts, str], NoReturn]:
    """Return an act that fails in any directory of the mount table."""

    def act(mounts: Mounts, at: str) -> NoReturn:
        raise failure(number, at)

    return act


def link_text(fs: FileSystem, path: str) -> str:
    """Return the text of a symbolic link, which a host's file system may not have as text."""
    target = fs.read_link(path)
    if not isinstance(target, str):
        raise TypeError(f"read_link of {type(fs).__name__} returned {type(target).__name__}")
    return target
