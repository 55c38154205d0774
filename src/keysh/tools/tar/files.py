"""Extract files, directories and links, never writing through a link from the archive."""

from __future__ import annotations

import errno

from keysh.archive import tar_reader as tar
from keysh.gnu.directories import make_parents
from keysh.gnu.progress import Progress
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.tar.listing import name_text
from keysh.tools.tar.safe_names import FATAL_STATUS, TARGETS, shown_name, without_steps
from keysh.vfs.api import failure, identity
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.archive.tar_reader import TarMember, TarReader
    from keysh.interp.state.call import Call
    from keysh.tools.tar.safe_names import SafeNames
    from keysh.tools.tar.settings import TarSettings
    from keysh.vfs.api import Stat

DEVICE_TYPES = (tar.CHARACTER, tar.DEVICE)
FAILED_ACTIONS = {
    tar.DIRECTORY: "mkdir", tar.FIFO: "mkfifo", tar.SYMLINK: "create symlink to {}",
    tar.LINK: "hard link to {}",
}  # fmt: skip
OWNER_DEFAULT_MODE = 0o777


class DelayedLink:
    """A link that could lead out of the directory; an empty file holds its place until the end."""

    __slots__ = ("identity", "path", "modified", "target")

    def __init__(self, identity: tuple[int, int], target: str, modified: int) -> None:
        self.identity, self.target, self.modified = identity, target, modified
        self.path = ""  # where it was created


class FileExtractor:
    """Creates files, directories and links. `finish` completes links and directories."""

    __slots__ = ("_folders", "_delayed_links", "_progress", "_safety", "_settings", "_sh")

    def __init__(self, sh: Call, settings: TarSettings, safety: SafeNames) -> None:
        self._sh, self._settings, self._safety = sh, settings, safety
        self._progress = Progress(sh)
        self._folders: dict[str, tuple[int, int]] = {}  # mode and time to set at the end
        self._delayed_links: dict[str, DelayedLink] = {}

    def make(self, member: TarMember, name: str, folder: str, reader: TarReader) -> None:
        """Create what a member describes, at a name below a directory."""
        path = join(folder, without_slash(name))
        try:
            if member.is_directory:
                self._folder(member, name, path)
            elif self._keeps_existing(member, name, path, folder):
                return
            elif member.kind == tar.SYMLINK:
                self._symlink(member, path)
            elif member.kind == tar.LINK:
                self._link(member, path, folder)
            elif member.kind == tar.FIFO:
                self._fifo(member, path)
            elif member.kind in DEVICE_TYPES:
                message = f"{shown_name(name)}: Cannot mknod: Operation not permitted"
                self._sh.warn(message, FATAL_STATUS)
            else:
                self._file(member, name, path, reader)
        except OSError as error:
            verb = FAILED_ACTIONS.get(member.kind, "open").format(
                locale_quoted_text(self._target_of(member))
            )
            self._sh.warn(
                f"{shown_name(without_slash(name))}: Cannot {verb}: {os_error_text(error)}",
                FATAL_STATUS,
            )

    def finish(self) -> None:
        """Create the delayed links, and set the modes and times of directories."""
        fs = self._sh.fs
        for path, link in self._delayed_links.items():
            try:
                stat = fs.stat(path)
                if identity(stat) != link.identity or stat.size:
                    continue  # another member replaced it
                fs.remove(path)
                if link.path:
                    fs.link(link.path, path)
                    continue
                fs.make_link(link.target, path)
                link.path = path
                self._set_time(path, link.modified)
            except OSError as error:
                target = locale_quoted_text(link.target)
                message = f"Cannot create symlink to {target}: {os_error_text(error)}"
                self._sh.warn(f"{shown_name(path)}: {message}", FATAL_STATUS)
        for path, (mode, modified) in reversed(self._folders.items()):
            try:
                if fs.stat(path).is_directory:
                    fs.set_mode(path, mode)
                    self._set_time(path, modified)
            except OSError as error:
                self._sh.warn(
                    f"{shown_name(path)}: Cannot utime: {os_error_text(error)}", FATAL_STATUS
                )

    # ------------------------------------------------------------ existing files

    def _keeps_existing(self, member: TarMember, name: str, path: str, folder: str) -> bool:
        """Whether an existing file stays; report it unless it is the same file."""
        settings = self._settings
        keeps_newer = settings.has("keep_newer_files")
        if not (keeps_newer or settings.has("keep_old_files") or settings.has("skip_old_files")):
            return False
        target = self._target_of(member)
        try:
            existing = self._sh.fs.stat(path)
        except OSError:
            return False
        is_same = member.kind == tar.LINK and self._is_same_file(existing, join(folder, target))
        if is_same and not keeps_newer:
            return True
        if keeps_newer:
            if existing.modified < member.modified:
                return False
            message = f"Current {locale_quoted_text(name)} is newer or same age"
            self._sh.note(message)
        elif settings.has("skip_old_files"):
            if settings.verbosity:
                self._sh.note(f"{name}: skipping existing file")
        else:
            verb = FAILED_ACTIONS.get(member.kind, "open").format(locale_quoted_text(target))
            self._sh.warn(f"{shown_name(name)}: Cannot {verb}: File exists", FATAL_STATUS)
        return True

    def _target_of(self, member: TarMember) -> str:
        """Return a link's target; of a hard link, the name its target was extracted to."""
        target = name_text(member.link)
        if member.kind != tar.LINK:
            return target
        inside = self._safety.inside(target, TARGETS)
        return without_steps(inside, self._settings.options.get("strip_components", 0))

    def _is_same_file(self, stat: Stat, path: str) -> bool:
        other = self._sh.fs.stat_or_none(path, follow=False)
        return other is not None and identity(stat) == identity(other)

    def _make_room(self, path: str) -> None:
        """Remove what exists at a path, except a directory with contents, or create its parents."""
        fs = self._sh.fs
        try:
            stat = fs.stat(path)
        except FileNotFoundError:
            make_parents(self._sh, path)
            return
        if not stat.is_directory:
            fs.remove(path)
            return
        try:
            fs.remove_directory(path)
        except OSError as error:
            if error.errno == errno.ENOTEMPTY:
                raise failure(errno.EEXIST, path) from None
            raise

    # ------------------------------------------------------------ one of each kind

    def _mode(self, member: TarMember) -> int:
        """Return the permissions for a file."""
        if self._settings.has("preserve_permissions"):
            return member.mode
        return member.mode & OWNER_DEFAULT_MODE & ~self._sh.umask

    def _set_time(self, path: str, modified: int) -> None:
        if not self._settings.has("touch"):
            self._sh.fs.set_times(path, self._sh.now(), modified, follow=False)

    def _folder(self, member: TarMember, name: str, path: str) -> None:
        fs = self._sh.fs
        try:
            stat = fs.stat(path)
            if stat.is_directory:
                if self._settings.has("skip_old_files") and self._settings.verbosity:
                    message = f"{without_slash(name)}: skipping existing file"
                    self._sh.note(message)
                is_unchanged = self._settings.has("keep_old_files")
                is_unchanged = is_unchanged or not self._settings.options.get("overwrite_dir", True)
                if not is_unchanged and path not in self._folders:
                    self._folders[path] = (self._mode(member), member.modified)
                return
            if self._keeps_existing(member, name, path, path) or self._leads_to_folder(path):
                return
            fs.remove(path)
        except FileNotFoundError:
            make_parents(self._sh, path)
        fs.make_directory(path, 0o700)  # private until it is complete
        self._folders[path] = (self._mode(member), member.modified)

    def _leads_to_folder(self, path: str) -> bool:
        """Whether a symbolic link serves as the directory."""
        if not self._settings.has("keep_directory_symlink"):
            return False
        try:
            return self._sh.fs.stat(path, follow=True).is_directory
        except OSError:
            return False

    def _symlink(self, member: TarMember, path: str) -> None:
        fs, target = self._sh.fs, name_text(member.link)
        self._make_room(path)
        is_inner = not target.startswith("/") and ".." not in target.split("/")
        if is_inner or self._safety.is_off:
            fs.make_link(target, path)
            self._set_time(path, member.modified)
            return
        fs.open(path, "x", 0).close()
        stat = fs.stat(path)
        self._delayed_links[path] = DelayedLink(identity(stat), target, member.modified)

    def _fifo(self, member: TarMember, path: str) -> None:
        self._make_room(path)
        self._sh.fs.make_fifo(path, self._mode(member))
        self._set_time(path, member.modified)

    def _link(self, member: TarMember, path: str, folder: str) -> None:
        fs = self._sh.fs
        existing = join(folder, self._target_of(member))
        if self._is_same_file(fs.stat(existing), path):
            return
        self._make_room(path)
        fs.link(existing, path)
        delayed = self._delayed_links.get(existing)
        if delayed is not None:
            self._delayed_links[path] = delayed

    def _file(self, member: TarMember, name: str, path: str, reader: TarReader) -> None:
        fs, mode = self._sh.fs, self._mode(member)
        self._make_room(path)
        with (
            fs.open(path, "x", mode & ~0o077 | 0o200) as stream,
            self._progress.of(name_text(member.name), member.size) as progress,
        ):
            for piece in reader.data(member):
                self._sh.tick()
                try:
                    stream.write(piece)
                except OSError as error:
                    message = (
                        f"{shown_name(without_slash(name))}: Cannot write: {os_error_text(error)}"
                    )
                    self._sh.warn(message, FATAL_STATUS)
                    return
                progress.add(len(piece))
        fs.set_mode(path, mode)
        self._set_time(path, member.modified)
