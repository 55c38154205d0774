"""Files: what extracting makes, without ever writing through a link that the archive has made."""

from __future__ import annotations

import errno

from keysh.archive import tar_reader as tar
from keysh.gnu.directories import make_above
from keysh.gnu.progress import Progress
from keysh.interp.state.call import why
from keysh.interp.streams.files import stat_at
from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.tar.listing import decoded_name
from keysh.tools.tar.names import FATAL, TARGETS, shown_name, without_steps
from keysh.vfs.api import failure, identity
from keysh.vfs.paths import bare, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.archive.tar_reader import Member, Reader
    from keysh.interp.state.call import Call
    from keysh.tools.tar.names import Safety
    from keysh.tools.tar.settings import Settings
    from keysh.vfs.api import Stat

SPECIAL = {tar.FIFO: "mkfifo", tar.CHARACTER: "mknod", tar.DEVICE: "mknod"}
VERBS = {
    tar.DIRECTORY: "mkdir", tar.SYMLINK: "create symlink to {}", tar.LINK: "hard link to {}",
}  # fmt: skip
RWX = 0o777


class Later:
    """A link that could lead out of the directory: an empty file holds its place until the end."""

    __slots__ = ("identity", "made", "modified", "target")

    def __init__(self, identity: tuple[int, int], target: str, modified: int) -> None:
        self.identity, self.target, self.modified = identity, target, modified
        self.made = ""  # where it is, in the end


class Files:
    """Makes files, directories and links; what depends on the whole is done by `finish`."""

    __slots__ = ("_folders", "_later", "_progress", "_safety", "_settings", "_sh")

    def __init__(self, sh: Call, settings: Settings, safety: Safety) -> None:
        self._sh, self._settings, self._safety = sh, settings, safety
        self._progress = Progress(sh)
        self._folders: dict[str, tuple[int, int]] = {}  # mode and time they get at the end
        self._later: dict[str, Later] = {}

    def make(self, member: Member, name: str, folder: str, reader: Reader) -> None:
        """Make what a member is, at a name below a directory."""
        path = join(folder, bare(name))
        try:
            if member.is_directory:
                self._folder(member, name, path)
            elif self._is_kept(member, name, path, folder):
                return
            elif member.kind == tar.SYMLINK:
                self._symlink(member, path)
            elif member.kind == tar.LINK:
                self._link(member, path, folder)
            elif member.kind in SPECIAL:
                says = f"{shown_name(name)}: Cannot {SPECIAL[member.kind]}: Operation not permitted"
                self._sh.warn(says, FATAL)
            else:
                self._file(member, name, path, reader)
        except OSError as error:
            verb = VERBS.get(member.kind, "open").format(locale_quoted(self._target_of(member)))
            self._sh.warn(f"{shown_name(bare(name))}: Cannot {verb}: {why(error)}", FATAL)

    def finish(self) -> None:
        """Make the links that waited, and give directories their modes and times."""
        fs = self._sh.fs
        for path, later in self._later.items():
            try:
                found = fs.stat(path)
                if identity(found) != later.identity or found.size:
                    continue  # another member has taken the place
                fs.remove(path)
                if later.made:
                    fs.link(later.made, path)
                    continue
                fs.make_link(later.target, path)
                later.made = path
                self._set_time(path, later.modified)
            except OSError as error:
                target = locale_quoted(later.target)
                says = f"Cannot create symlink to {target}: {why(error)}"
                self._sh.warn(f"{shown_name(path)}: {says}", FATAL)
        for path, (mode, modified) in reversed(self._folders.items()):
            try:
                if fs.stat(path).is_directory:
                    fs.set_mode(path, mode)
                    self._set_time(path, modified)
            except OSError as error:
                self._sh.warn(f"{shown_name(path)}: Cannot utime: {why(error)}", FATAL)

    # ------------------------------------------------------------ what is there

    def _is_kept(self, member: Member, name: str, path: str, folder: str) -> bool:
        """Whether something is there that stays: a link to the same file without a word."""
        settings = self._settings
        keeps_newer = settings.has("keep_newer_files")
        if not (keeps_newer or settings.has("keep_old_files") or settings.has("skip_old_files")):
            return False
        target = self._target_of(member)
        try:
            there = self._sh.fs.stat(path)
        except OSError:
            return False
        is_same = member.kind == tar.LINK and self._is_one(there, join(folder, target))
        if is_same and not keeps_newer:
            return True
        if keeps_newer:
            if there.modified < member.modified:
                return False
            says = f"Current {locale_quoted(name)} is newer or same age"
            self._sh.note(says)
        elif settings.has("skip_old_files"):
            if settings.verbosity:
                self._sh.note(f"{name}: skipping existing file")
        else:
            verb = VERBS.get(member.kind, "open").format(locale_quoted(target))
            self._sh.warn(f"{shown_name(name)}: Cannot {verb}: File exists", FATAL)
        return True

    def _target_of(self, member: Member) -> str:
        """What a link leads to; of a hard link, the name as its file's was made."""
        target = decoded_name(member.link)
        if member.kind != tar.LINK:
            return target
        inside = self._safety.inside(target, TARGETS)
        return without_steps(inside, self._settings.options.get("strip_components", 0))

    def _is_one(self, there: Stat, path: str) -> bool:
        other = stat_at(self._sh.fs, path, follow=False)
        return other is not None and identity(there) == identity(other)

    def _make_room(self, path: str) -> None:
        """Remove what is there, unless it is a directory that is not empty; make what is above."""
        fs = self._sh.fs
        try:
            found = fs.stat(path)
        except FileNotFoundError:
            make_above(self._sh, path)
            return
        if not found.is_directory:
            fs.remove(path)
            return
        try:
            fs.remove_directory(path)
        except OSError as error:
            if error.errno == errno.ENOTEMPTY:
                raise failure(errno.EEXIST, path) from None
            raise

    # ------------------------------------------------------------ one of each kind

    def _mode(self, member: Member) -> int:
        """The permissions that a file gets."""
        if self._settings.has("preserve_permissions"):
            return member.mode
        return member.mode & RWX & ~self._sh.state.umask

    def _set_time(self, path: str, modified: int) -> None:
        if not self._settings.has("touch"):
            self._sh.fs.set_times(path, self._sh.now(), modified, follow=False)

    def _folder(self, member: Member, name: str, path: str) -> None:
        fs = self._sh.fs
        try:
            found = fs.stat(path)
            if found.is_directory:
                if self._settings.has("skip_old_files") and self._settings.verbosity:
                    says = f"{bare(name)}: skipping existing file"
                    self._sh.note(says)
                stays = self._settings.has("keep_old_files")
                stays = stays or not self._settings.options.get("overwrite_dir", True)
                if not stays and path not in self._folders:
                    self._folders[path] = (self._mode(member), member.modified)
                return
            if self._is_kept(member, name, path, path) or self._leads_to_folder(path):
                return
            fs.remove(path)
        except FileNotFoundError:
            make_above(self._sh, path)
        fs.make_directory(path, 0o700)  # until it is full
        self._folders[path] = (self._mode(member), member.modified)

    def _leads_to_folder(self, path: str) -> bool:
        """Whether a link is there that serves as the directory."""
        if not self._settings.has("keep_directory_symlink"):
            return False
        try:
            return self._sh.fs.stat(path, follow=True).is_directory
        except OSError:
            return False

    def _symlink(self, member: Member, path: str) -> None:
        fs, target = self._sh.fs, decoded_name(member.link)
        self._make_room(path)
        is_inner = not target.startswith("/") and ".." not in target.split("/")
        if is_inner or self._safety.is_off:
            fs.make_link(target, path)
            self._set_time(path, member.modified)
            return
        fs.open(path, "x", 0).close()
        found = fs.stat(path)
        self._later[path] = Later(identity(found), target, member.modified)

    def _link(self, member: Member, path: str, folder: str) -> None:
        fs = self._sh.fs
        existing = join(folder, self._target_of(member))
        if self._is_one(fs.stat(existing), path):
            return
        self._make_room(path)
        fs.link(existing, path)
        waiting = self._later.get(existing)
        if waiting is not None:
            self._later[path] = waiting

    def _file(self, member: Member, name: str, path: str, reader: Reader) -> None:
        fs, mode = self._sh.fs, self._mode(member)
        self._make_room(path)
        with (
            fs.open(path, "x", mode & ~0o077 | 0o200) as stream,
            self._progress.of(decoded_name(member.name), member.size) as progress,
        ):
            for piece in reader.data(member):
                self._sh.tick()
                try:
                    stream.write(piece)
                except OSError as error:
                    says = f"{shown_name(bare(name))}: Cannot write: {why(error)}"
                    self._sh.warn(says, FATAL)
                    return
                progress.add(len(piece))
        fs.set_mode(path, mode)
        self._set_time(path, member.modified)
