"""A real private copy of a file system, for a program to work on; its changes are copied back.

    mount --copied--> directory of the machine --program runs, its tree dies--> changes --> mount

Links are never followed, in either direction. Files, directories and links are copied back, without
setuid and setgid; other kinds are not. All changed files are written beside those they replace
before any is replaced, so that a full file system leaves the mount unchanged.
"""

from __future__ import annotations

import errno
import os
import stat as kinds

from keysh.external.deep_directory import DeepDirectory
from keysh.external.directory import NOT_REAL, WorkingDirectory
from keysh.external.lookup import VirtualPath
from keysh.interp.run.control_flow import STATUS_OVER_LIMIT
from keysh.interp.state.call import CommandFailure
from keysh.process.environment import TAG
from keysh.process.launch import remove_private_directory
from keysh.process.policy import is_within, policy_refusal
from keysh.process.result import NotStarted
from keysh.process.tree.kill import end_tagged
from keysh.values import text_of
from keysh.vfs.overlay.changes import KIND_WORDS, Change, stat_or_none
from keysh.vfs.overlay.commit import Commit
from keysh.vfs.paths import normal_path
from keysh.vfs.transfer import copy_attributes, copy_content, walk_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.external.request import ProgramRequest
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.vfs.api import FileSystem, Stat

    # The kind of a file, and what changes with its content or attributes.
    ChangeMark = tuple[int, int, int, int, int]

DEFAULT_MAX_COPY_BYTES = 256 << 20  # unless the policy names another size
MAX_COPIED_FILES = 100_000

SET_ID_BITS = kinds.S_ISUID | kinds.S_ISGID


class DirectoryCopy(WorkingDirectory):
    """The copy of the file system that contains the shell's directory."""

    __slots__ = (
        "_marks", "_modified", "_mounted", "_name", "_point", "_real", "_root", "_state", "_tag",
    )  # fmt: skip

    def __init__(self, state: State, request: ProgramRequest, max_bytes: bool | int) -> None:
        from tempfile import mkdtemp  # noqa: PLC0415 - only where a copy is made

        path = request.cwd or state.cwd
        self._state, self._name = state, request.words[0]
        self._mounted, inner = state.fs.locate(path)
        self._point = state.fs.resolve(path).removesuffix(inner) or "/"  # of the mount
        self._root = mkdtemp(prefix="keysh-")
        super().__init__(self._root + inner)
        try:
            self._real = DeepDirectory(self._root)
            copy_out(
                state.fs.for_script(self._point, reads=True),
                self._real,
                DEFAULT_MAX_COPY_BYTES if max_bytes is True else max_bytes,
                state.tick,
            )
            stats = dict(walk_tree(self._real, "/"))
            self._real.forget_waypoints()
        except BaseException as error:
            remove_private_directory(self._root)
            if isinstance(error, CommandFailure):  # a file that the program would see is denied
                raise policy_refusal("rules", self._name, error.message) from None
            if isinstance(error, OSError):
                reason = f"its file system cannot be copied: {error.strerror}"
                raise NotStarted("directory", error.errno or 0, path, reason) from None
            raise
        self._marks = {at: change_mark(stat) for at, stat in stats.items()}
        self._modified = {at: stat.modified for at, stat in stats.items() if stat.is_directory}
        self._tag = os.urandom(8).hex()
        outer = text_of(state.variables.get(TAG))
        self.variables = {TAG: f"{outer}:{self._tag}" if outer else self._tag}
        self.writable = [self._root]

    def words(self, request: ProgramRequest) -> list[str]:
        first = request.words[0]
        if not isinstance(request.path, VirtualPath):
            return super().words(request)
        mounted, inner = self._state.fs.locate(request.path)
        if mounted is not self._mounted:
            raise NotStarted("not_executable", errno.EXDEV, first, NOT_REAL)
        return [self._root + inner, *request.words[1:]] if first[:1] == "/" else request.words

    def original_path(self, real: str) -> str:
        root = os.path.realpath(self._root)
        if not is_within(real, root):
            return ""
        return normal_path(f"{self._point}/{real[len(root) :]}")

    def end(self, call: Call, status: int, *, has_left: bool) -> int:
        try:
            # Nothing may write while the changes are read.
            if alive := end_tagged(self._tag, grace=0):
                pids = " ".join(map(str, alive))
                call.complain(f"{self._name}: cannot be killed: {pids}", as_shell=True)
            changes = self._changes()
            if changes:
                target = self._state.fs.for_script(self._point)
                Commit(self._real, target, changes, self._modified).run()
        except CommandFailure as denial:  # of a file, by the host
            call.complain(
                f"{self._name}: its changes could not be copied back: {denial.message}",
                as_shell=True,
            )
            status = denial.status
        except OSError as error:
            call.complain(
                f"{self._name}: its changes could not be copied back: {error.strerror}",
                as_shell=True,
            )
            status = STATUS_OVER_LIMIT
        finally:
            self._real.close()
            remove_private_directory(self._root)
        return status

    def _changes(self) -> list[Change]:
        """The program's changes of the copy, sorted by path as `Commit` needs them."""
        real, marks = self._real, self._marks
        changes: list[Change] = []
        seen: set[str] = set()
        for path, now in walk_tree(real, "/"):
            if now.mode & SET_ID_BITS and not now.is_link:
                real.set_mode(path, kinds.S_IMODE(now.mode) & ~SET_ID_BITS)
                now = real.stat(path)
            what = KIND_WORDS.get(kinds.S_IFMT(now.mode))
            if what is None:
                continue
            was = marks.get(path)
            if was is not None and kinds.S_IFMT(was[0]) == kinds.S_IFMT(now.mode):
                seen.add(path)
                if change_mark(now) != was:
                    changes.append(Change("changed", path, what))
            else:
                changes.append(Change("added", path, what))
        for path, was in marks.items():
            if path not in seen and stat_or_none(self._mounted, path) is not None:
                changes.append(Change("removed", path, KIND_WORDS[kinds.S_IFMT(was[0])]))
        return sorted(changes, key=lambda change: change.path)


def copy_out(
    source: FileSystem, target: FileSystem, max_bytes: int, tick: Callable[[], None]
) -> None:
    """Copy a whole file system into an empty one; OSError EFBIG if it is too large."""
    size = count = 0
    folders: list[tuple[str, Stat]] = []
    names: dict[tuple[int, int], str] = {}  # of files with several links
    for path, stat in walk_tree(source, "/"):
        tick()
        count += 1
        if size + (stat.size if stat.is_file else 0) > max_bytes or count > MAX_COPIED_FILES:
            raise OSError(
                errno.EFBIG, f"it has more than {max_bytes} bytes or {MAX_COPIED_FILES} files"
            )
        if stat.is_directory:
            folders.append((path, stat))
            if path != "/":
                target.make_directory(path, 0o700)
        elif stat.is_link:
            target.make_link(source.read_link(path), path)
        elif stat.is_file:
            identity = stat.inode, stat.device
            if stat.links > 1 and identity in names:
                target.link(names[identity], path)
                continue
            names[identity] = path
            copy_content(source, path, target, path)
            copy_attributes(stat, target, path)
            size += target.stat(path).size
    for path, stat in reversed(folders):  # last, since they may forbid writing
        copy_attributes(stat, target, path)


def change_mark(stat: Stat) -> ChangeMark:
    """What changes with a file. Of a directory only the mode, since its entries are compared."""
    if stat.is_directory:
        return (stat.mode, 0, 0, 0, 0)
    return (stat.mode, stat.size, stat.modified, stat.changed, stat.inode)
