"""install - copy files and set their modes."""

from __future__ import annotations

import errno
import os

from keysh.gnu.backups import backups_of
from keysh.gnu.copy.copier import Copier
from keysh.gnu.copy.destination import refuse_second_folder
from keysh.gnu.copy.rules import CopyRules
from keysh.gnu.modes import changed_mode, parse_mode_changes
from keysh.gnu.owners import Owners
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.text.shell_numbers import is_digits
from keysh.tools.mkdir import make_directories
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from keysh.gnu.backups import Backups
    from keysh.gnu.modes import ModeChange
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MAX_OWNER_DIGITS = 18  # of an owner's number
DIRECTORY_MODE = 0o755
PERMISSION_BITS = 0o777
COMPARE_CHUNK_BYTES = 1 << 16  # read at once for --compare


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="backup-plainly leading"),
    ignored="-c",
)
def install(
    sh: Call,
    *paths: Path,
    backup: str | bool = False,
    backup_plainly: bool = False,
    compare: bool = False,
    directory: bool = False,
    leading: bool = False,
    group: str | None = None,
    mode: str | None = None,
    owner: str | None = None,
    preserve_timestamps: bool = False,
    suffix: str | None = None,
    target_directory: Path | None = None,
    no_target_directory: bool = False,
    verbose: bool = False,
) -> None:
    """Copy files and set their modes, or create directories.

    paths ...                   the sources, then the destination; with -d,
                                directories to create
    --backup[=METHOD]           back up replaced files: simple, numbered, existing
                                or none
    -b, --backup-plainly        same as --backup
    -C, --compare               leave a destination with the same contents and mode
                                unchanged
    -d, --directory             create directories with all their parents
    -D, --leading               create all parent directories of the destination
    -g, --group GROUP           set the group; only that of new files is possible
    -m, --mode MODE             set the mode, as in chmod; the default is rwxr-xr-x
    -o, --owner OWNER           set the owner; only that of new files is possible
    -p, --preserve-timestamps   preserve access and modification times
    -S, --suffix SUFFIX         backup suffix; the default is ~
    -t, --target-directory DIR  copy all sources into DIR
    -T, --no-target-directory   never treat the destination as a directory to copy
                                into
    -v, --verbose               report each file
    """
    refuse_second_folder(sh)
    if directory and target_directory is not None:
        raise sh.fail("target directory not allowed when installing a directory")
    backups = backups_of(sh, suffix)
    if len(paths) <= (not directory and target_directory is None):
        after = (
            f"destination file operand after {quoted_name(paths[0])}" if paths else "file operand"
        )
        raise UsageFailure(f"missing {after}")
    if no_target_directory:
        if target_directory is not None:
            message = "cannot combine --target-directory (-t) and --no-target-directory (-T)"
            raise sh.fail(message)
        if len(paths) > 2:
            raise UsageFailure(f"extra operand {quoted_name(paths[2])}")
    takes_name = directory or no_target_directory
    folder = "" if takes_name else target_folder(sh, paths, target_directory, leading)
    mode = "00755" if mode is None else mode
    changes = parse_mode_changes(mode)
    if changes is None:
        raise sh.fail(f"invalid mode {quoted_name(mode)}")
    permissions = changed_mode(0, changes, 0)
    if compare and preserve_timestamps:
        message = "options --compare (-C) and --preserve-timestamps are mutually exclusive"
        raise UsageFailure(message)
    if compare and permissions & ~PERMISSION_BITS:
        message = "option is ignored when you specify a mode with non-permission bits"
        sh.note(f"the --compare (-C) {message}")
    ownership = Ownership(sh, owner, group)
    if directory:
        for path in paths:
            sh.tick()
            if install_directory(sh, path, changes, verbose):
                ownership.warn_if_different(path)
        return
    installer = Installer(sh, backups, permissions, ownership)
    installer.compares = compare and not permissions & ~PERMISSION_BITS
    installer.rules.keeps_times, installer.rules.verbose = preserve_timestamps, verbose
    for source in paths if target_directory is not None else paths[:-1]:
        target = join(folder, last_step(source)) if folder else paths[-1]
        if not leading or make_parent_directories(sh, target, verbose):
            installer.install(source, target)


def target_folder(sh: Call, paths: tuple[str, ...], folder: str | None, leads: bool) -> str:
    """Return the directory to copy into, or "" if the last path is the file to write."""
    reason = errno.ENOTDIR
    last = folder if folder is not None else paths[-1]
    try:
        if sh.fs.stat(sh.path(last), follow=True).is_directory:
            return without_slash(last)
    except OSError as error:
        reason = error.errno or errno.EIO
    if folder is not None:
        if leads and reason == errno.ENOENT:
            return without_slash(folder)
        raise sh.fail(f"failed to access {quoted_name(folder)}: {os.strerror(reason)}")
    if len(paths) > 2:
        raise sh.fail(f"target {quoted_name(last)}: {os.strerror(reason)}")
    return ""


def install_directory(sh: Call, path: str, changes: list[ModeChange], verbose: bool) -> bool:
    """Create a directory with its parents and set its mode; return whether that worked."""
    fs = sh.fs
    try:
        is_new = (
            report_created(sh, make_directories(sh, path, True, DIRECTORY_MODE), verbose) == path
        )
    except OSError as error:
        message, name, reason = "cannot create directory", error.filename, os_error_text(error)
        if path and name == without_slash(path):
            name = path
            try:
                if fs.stat(sh.path(without_slash(path))).is_link:
                    fs.stat(sh.path(without_slash(path)), follow=True)
            except OSError as nowhere:
                message, reason = "cannot change permissions of", os_error_text(nowhere)
        sh.warn(f"{message} {locale_quoted_text(name)}: {reason}")
        return False
    try:
        before = 0 if is_new else fs.stat(sh.path(path), follow=True).mode
        fs.set_mode(sh.path(path), changed_mode(before, changes, 0, is_directory=True))
    except OSError as error:
        sh.warn(f"cannot change permissions of {locale_quoted_text(path)}: {os_error_text(error)}")
        return False
    return True


def make_parent_directories(sh: Call, target: str, verbose: bool) -> bool:
    """Create the parent directories of a file; return whether they exist."""
    above = without_slash(target).rpartition("/")[0]
    try:
        report_created(
            sh, make_directories(sh, above, True, DIRECTORY_MODE) if above else (), verbose
        )
    except OSError as error:
        # GNU would enter the directory, and finds a file.
        is_file = error.errno == errno.EEXIST and not sh.fs.stat(sh.path(error.filename)).is_link
        reason = os.strerror(errno.ENOTDIR) if is_file else os_error_text(error)
        sh.warn(f"cannot create directory {quoted_name(error.filename)}: {reason}")
        return False
    return True


def report_created(sh: Call, created: Iterable[str], verbose: bool) -> str:
    """Report each directory as it is created; return the last."""
    path = ""
    for path in created:
        if verbose:
            sh.tell(f"install: creating directory {quoted_name(path)}\n")
    return path


class Ownership:
    """The owner and group that were asked for; no file system here can change them."""

    __slots__ = ("_group", "_owners", "_sh", "_user")

    def __init__(self, sh: Call, user: str | None, group: str | None) -> None:
        self._sh, self._owners = sh, Owners(sh)
        self._user = self._number(user, self._owners.number_of_user, "user")
        self._group = self._number(group, self._owners.number_of_group, "group")

    def _number(
        self, name: str | None, number_of: Callable[[str], int | None], kind: str
    ) -> int | None:
        if name is None:
            return None
        is_number = is_digits(name) and len(name) <= MAX_OWNER_DIGITS
        number = int(name) if is_number else number_of(name)
        if number is None:
            raise self._sh.fail(f"invalid {kind} {quoted_name(name)}")
        return number

    def warn_if_different(self, path: str) -> None:
        """Warn if a file belongs to someone else."""
        stat = self._sh.fs.stat(self._sh.path(path))
        current = (self._owners.user_number(stat), self._owners.group_number(stat))
        requested = (self._user, self._group)
        if any(
            requested_id not in (None, current_id)
            for requested_id, current_id in zip(requested, current, strict=True)
        ):
            reason = os.strerror(errno.EPERM)
            self._sh.warn(f"cannot change ownership of {quoted_name(path)}: {reason}")


class Installer:
    """One run of install."""

    __slots__ = ("_copier", "_mode", "_ownership", "_sh", "compares", "rules")

    def __init__(self, sh: Call, backups: Backups, mode: int, ownership: Ownership) -> None:
        self._sh, self._mode, self._ownership = sh, mode, ownership
        self.compares = False
        self.rules = CopyRules()
        self.rules.follow, self.rules.remove_first, self.rules.mode = "always", True, mode
        self.rules.allows_repeats = True
        self.rules.backups = backups if backups.method != "none" else None
        self._copier = Copier(sh, self.rules)

    def install(self, source: str, target: str) -> None:
        """Copy one file."""
        sh, fs = self._sh, self._sh.fs
        sh.tick()
        try:
            stat = fs.stat(sh.path(source), follow=True)
        except OSError as error:
            sh.warn(f"cannot stat {quoted_name(source)}: {os_error_text(error)}")
            return
        if stat.is_directory:
            sh.warn(f"omitting directory {quoted_name(source)}")
            return
        is_current = self.compares and self._is_same(source, target)
        if is_current or self._copier.copy(source, target):
            self._ownership.warn_if_different(target)

    def _is_same(self, source: str, target: str) -> bool:
        """Whether the destination needs no change."""
        sh, fs = self._sh, self._sh.fs
        try:
            source_stat, target_stat = fs.stat(sh.path(source)), fs.stat(sh.path(target))
            if (
                not (source_stat.is_file and target_stat.is_file)
                or source_stat.mode & 0o7777 & ~PERMISSION_BITS
            ):
                return False
            if target_stat.mode & 0o7777 != self._mode or target_stat.size != source_stat.size:
                return False
            with sh.open(source) as source_stream, sh.open(target) as target_stream:
                while True:
                    sh.tick()
                    data = source_stream.read(COMPARE_CHUNK_BYTES)
                    if data != target_stream.read(COMPARE_CHUNK_BYTES):
                        return False
                    if not data:
                        return True
        except OSError:
            return False
