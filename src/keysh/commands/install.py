"""install - copy files and set their modes."""

from __future__ import annotations

import errno
import os

from keysh.commands.mkdir import make
from keysh.runtime.backups import Backups
from keysh.runtime.call import why
from keysh.runtime.copy_rules import Rules
from keysh.runtime.copying import Copier, place_in
from keysh.runtime.modes import changed, changes_of
from keysh.runtime.owners import Owners
from keysh.runtime.quoting import locale_quoted, quoted
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.vfs.paths import bare, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.runtime.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

MOST_DIGITS = 18  # of the number of an owner
PIECE = 1 << 16  # bytes that are compared at once


@command
def install(
    sh: Call,
    *paths: Path,
    backup: str | bool = False,
    backup_plainly: bool = False,
    compare: bool = False,
    ignored: bool = False,
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
    """Copy files and set their modes, or make directories.

    paths ...                      what to copy, and last where to; with -d, directories to make
    --backup[=METHOD]              keep what is replaced: simple, numbered, existing, none
    -b, --backup-plainly           the same as --backup
    -C, --compare                  leave alone what is there with the same contents and mode
    -c, --ignored                  ignored
    -d, --directory                make directories, and those above them
    -D, --leading                  make all directories above the target
    -g, --group NAME               the group, which has to be the one that new files get
    -m, --mode MODE                the mode, as chmod takes it; rwxr-xr-x without it
    -o, --owner NAME               the owner, which has to be the one that new files get
    -p, --preserve-timestamps      keep the times of the files
    -S, --suffix SUFFIX            what a backup's name ends in; ~ by default
    -t, --target-directory FOLDER  copy everything into this directory
    -T, --no-target-directory      the last path is no directory to copy into
    -v, --verbose                  say what is done
    """
    permissions = 0o755
    if mode is not None:
        changes = changes_of(mode)
        if changes is None:
            raise sh.fail(f"invalid mode {quoted(mode)}")
        permissions = changed(0, changes, 0, is_directory=directory)
    if not paths:
        raise Misuse("E304", -1, "missing file operand")
    if sum(name == "target_directory" for name, _ in sh.given) > 1:
        raise sh.fail("multiple target directories specified")
    if compare and preserve_timestamps:
        says = "options --compare (-C) and --preserve-timestamps are mutually exclusive"
        raise Misuse("E305", -1, says)
    if directory and target_directory is not None:
        raise sh.fail("target directory not allowed when installing a directory")
    if target_directory is not None and no_target_directory:
        says = "cannot combine --target-directory (-t) and --no-target-directory (-T)"
        raise sh.fail(says)
    ownership = Ownership(sh, owner, group)
    if directory:
        for path in paths:
            if make_folder(sh, path, permissions, verbose):
                ownership.check(path)
        return
    installer = Installer(sh, Backups(sh, backup, backup_plainly, suffix), permissions)
    installer.compares, installer.keeps_times, installer.verbose = (
        compare, preserve_timestamps, verbose,
    )  # fmt: skip
    installer.ownership = ownership
    sources, folder = split(sh, paths, target_directory, no_target_directory, leading, verbose)
    for source in sources:
        installer.install(source, place_in(folder, source) if folder else paths[-1])


def make_folder(sh: Call, path: str, permissions: int | None, verbose: bool) -> bool:
    """Make a directory and those above it; whether it is there."""
    try:
        for made in make(sh, path, True):
            if verbose:
                sh.out.write(f"install: creating directory {quoted(made)}\n")
            if permissions is not None and made == path:
                sh.fs.set_mode(sh.path(path), permissions)
    except OSError as error:
        sh.warn(f"cannot create directory {locale_quoted(error.filename)}: {why(error)}")
        return False
    return True


def split(
    sh: Call, paths: tuple[str, ...], folder: str | None, is_file: bool, leads: bool, verbose: bool
) -> tuple[tuple[str, ...], str]:
    """The sources, and the directory they go into; empty where the target is a file."""
    if folder is None and len(paths) == 1:
        raise Misuse("E304", -1, f"missing destination file operand after {quoted(paths[0])}")
    if is_file and len(paths) > 2:
        raise Misuse("E305", 2, f"extra operand {quoted(paths[2])}")
    last = folder if folder is not None else paths[-1]
    if leads:
        above = last if folder is not None else bare(last).rpartition("/")[0]
        if above and not make_folder(sh, above, None, verbose):
            return (), ""
    reason = "Not a directory"
    try:
        if not is_file and sh.fs.stat(sh.path(last), follow=True).is_directory:
            return paths if folder is not None else paths[:-1], last
    except OSError as error:
        reason = why(error)
    if folder is not None:
        raise sh.fail(f"failed to access {quoted(folder)}: {reason}")
    if len(paths) > 2:
        raise sh.fail(f"target {quoted(last)}: {reason}")
    return paths[:1], ""


class Ownership:
    """The owner and the group that files shall have: no file system here gives one away."""

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
        is_number = name.isascii() and name.isdecimal() and len(name) <= MOST_DIGITS
        number = int(name) if is_number else number_of(name)
        if number is None:
            raise self._sh.fail(f"invalid {kind} {quoted(name)}")
        return number

    def check(self, path: str) -> None:
        """Tell of a file that belongs to someone else."""
        found = self._sh.fs.stat(self._sh.path(path))
        has = (self._owners.user_number(found), self._owners.group_number(found))
        wanted = (self._user, self._group)
        if any(want not in (None, is_now) for want, is_now in zip(wanted, has, strict=True)):
            reason = os.strerror(errno.EPERM)
            self._sh.warn(f"cannot change ownership of {quoted(path)}: {reason}")


class Installer:
    """One run of installing."""

    __slots__ = (
        "_backups",
        "_copier",
        "_made",
        "_mode",
        "_sh",
        "compares",
        "keeps_times",
        "ownership",
        "verbose",
    )

    def __init__(self, sh: Call, backups: Backups, mode: int) -> None:
        self._sh, self._backups, self._mode = sh, backups, mode
        self._made: set[str] = set()
        self.ownership: Ownership | None = None
        self.compares = self.keeps_times = self.verbose = False
        rules = Rules()
        rules.follow, rules.remove_first = "always", True
        self._copier = Copier(sh, rules)

    def install(self, source: str, target: str) -> None:
        """Copy one file to its place."""
        sh, fs, path = self._sh, self._sh.fs, self._sh.path
        try:
            found = fs.stat(path(source), follow=True)
        except OSError as error:
            sh.warn(f"cannot stat {quoted(source)}: {why(error)}")
            return
        if found.is_directory:
            sh.warn(f"omitting directory {quoted(source)}")
            return
        try:
            there: Stat | None = fs.stat(path(target))
        except OSError:
            there = None
        if there is not None and normal(path(target)) in self._made:
            sh.warn(f"will not overwrite just-created {quoted(target)} with {quoted(source)}")
            return
        if there is not None and self.compares and self._is_same(source, target, found, there):
            return
        before, sh.status = sh.status, 0
        backup = self._backups.put_aside(target) if there is not None else ""
        self._copier.copy(source, target)
        if not sh.status:
            self._made.add(normal(path(target)))
            if self.verbose:
                if there is not None and not backup and not there.is_directory:
                    sh.out.write(f"removed {quoted(target)}\n")
                shown = f" (backup: {quoted(backup)})" if backup else ""
                sh.out.write(f"{quoted(source)} -> {quoted(target)}{shown}\n")
            if self.keeps_times:
                fs.set_times(path(target), found.accessed, found.modified)
            fs.set_mode(path(target), self._mode)
            if self.ownership is not None:
                self.ownership.check(target)
        sh.status = max(sh.status, before)

    def _is_same(self, source: str, target: str, found: Stat, there: Stat) -> bool:
        """Whether what is there needs no change."""
        if not there.is_file or there.mode & 0o7777 != self._mode or there.size != found.size:
            return False
        with self._sh.open(source) as one, self._sh.open(target) as other:
            while True:
                self._sh.tick()
                data = one.read(PIECE)
                if data != other.read(PIECE):
                    return False
                if not data:
                    return True
