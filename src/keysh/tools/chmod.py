"""chmod - change the permissions of files."""

from __future__ import annotations

import errno

from keysh.gnu.modes import changed, changes_like, changes_of, letters_of
from keysh.interp.state.call import BadCall, why
from keysh.interp.streams.files import is_link
from keysh.schema.declare import command
from keysh.text.gnu_quoting import locale_quoted, quoted, shown
from keysh.vfs.paths import join, trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.modes import Change
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

TOLD = {"changes": "changed", "verbose": "all"}
TAKEN_AWAY = {"no_reading": "r", "no_writing": "w", "no_executing": "x"}


@command(added="no-reading no-writing no-executing")
def chmod(
    sh: Call,
    mode: str | None,
    /,
    *files: Path,
    changes: bool = False,
    quiet: bool = False,
    recursive: bool = False,
    reference: Path | None = None,
    preserve_root: bool = False,
    verbose: bool = False,
    no_reading: str | bool = False,
    no_writing: str | bool = False,
    no_executing: str | bool = False,
) -> None:
    """Change the permissions of files.

    mode                       755, or u=rwx,go+rX: classes u g o a, then + - or =, then any of
                               r w x X s t, or one of u g o to copy from
                               (not with --reference, -r, -w, -x)
    files ...                  the files
    -c, --changes              tell of each file that was changed
    -f, --quiet, --silent      do not tell what fails
    -R, --recursive            directories with all that is in them
    --reference FILE           the permissions of this file
    --preserve-root            never change `/` with -R
    -v, --verbose              tell of each file
    -r, --no-reading[=MORE]    the mode -r, with more letters behind it
    -w, --no-writing[=MORE]    the mode -w
    -x, --no-executing[=MORE]  the mode -x
    """
    minus = [
        f"-{TAKEN_AWAY[name]}{value if isinstance(value, str) else ''}"
        for name, value in sh.given
        if name in TAKEN_AWAY and value is not False
    ]
    text = mode if mode is not None else ",".join(minus)
    if reference is not None and minus:
        raise BadCall("cannot combine mode and --reference options")
    if not files:
        after = f" after {locale_quoted(mode)}" if mode is not None else ""
        raise BadCall(f"missing operand{after}")
    if reference is not None:
        try:
            wanted: list[Change] | None = changes_like(sh.fs.stat(sh.path(reference), follow=True))
        except OSError as error:
            says = f"failed to get attributes of {quoted(reference)}: {why(error)}"
            raise sh.fail(says) from None
    else:
        wanted = changes_of(text)
    if wanted is None:
        raise BadCall(f"invalid mode: {locale_quoted(text)}")
    tells = [TOLD[name] for name, value in sh.given if name in TOLD and value]
    run = Changing(sh, wanted, tells=tells[-1] if tells else "")
    run.is_quiet, run.is_surprising = quiet, mode is None and reference is None
    for file in files:
        if recursive and preserve_root and is_root(sh, file):
            sh.warn(f"it is dangerous to operate recursively on {quoted(file)}")
            sh.warn("use --no-preserve-root to override this failsafe")
            continue
        run.change(trimmed(file), recursive)


def is_root(sh: Call, file: str) -> bool:
    """Whether a path leads to `/`."""
    try:
        return sh.fs.resolve(sh.path(file)) == "/"
    except OSError:
        return False


class Changing:
    """One run. `is_surprising` says that the mode looked like an option, so the umask may stop it
    from doing what it says, which is then told.
    """

    __slots__ = ("_changes", "_sh", "_tells", "is_quiet", "is_surprising")

    def __init__(self, sh: Call, changes: list[Change], tells: str) -> None:
        self._sh, self._changes, self._tells = sh, changes, tells
        self.is_quiet = self.is_surprising = False

    def change(self, top: str, is_recursive: bool) -> None:
        """Change a file, and what is in it."""
        fs, path = self._sh.fs, self._sh.path
        stack = [top]
        while stack:
            self._sh.tick()
            file = stack.pop()
            try:
                found = fs.stat(path(file), follow=file == top)
            except OSError as error:
                if error.errno == errno.ENOENT and is_link(self._sh, file):
                    self._warn(f"cannot operate on dangling symlink {quoted(file)}")
                else:
                    self._warn(f"cannot access {quoted(file)}: {why(error)}")
                self._tell_failure(file)
                continue
            if found.is_link:  # on the way, links are left alone
                if self._tells == "all":
                    self._sh.tell(
                        f"neither symbolic link {quoted(file)} nor referent has been changed\n"
                    )
                continue
            self._change_one(file, found)
            if is_recursive and found.is_directory:
                try:
                    names = sorted(entry.name for entry in fs.list(path(file)))
                except OSError as error:
                    self._warn(f"cannot read directory {quoted(file)}: {why(error)}")
                    continue
                stack += [join(file, name) for name in reversed(names)]

    def _change_one(self, file: str, found: Stat) -> None:
        before = found.mode & 0o7777
        umask, is_folder = self._sh.state.umask, found.is_directory
        mode = changed(before, self._changes, umask, is_directory=is_folder)
        try:
            self._sh.fs.set_mode(self._sh.path(file), mode)
        except OSError as error:
            self._warn(f"changing permissions of {quoted(file)}: {why(error)}")
            self._tell_failure(file, before, mode)
            return
        if mode != before and self._tells:
            self._sh.tell(f"mode of {quoted(file)} changed from {told(before, mode)}\n")
        elif self._tells == "all":
            kept = f"{before:04o} ({letters_of(before)})"
            self._sh.tell(f"mode of {quoted(file)} retained as {kept}\n")
        if self.is_surprising:
            naive = changed(before, self._changes, 0, is_directory=is_folder)
            if mode & ~naive:
                new = f"new permissions are {letters_of(mode)}, not {letters_of(naive)}"
                self._sh.warn(f"{shown(file)}: {new}")

    def _warn(self, message: str) -> None:
        if self.is_quiet:
            self._sh.status = 1
        else:
            self._sh.warn(message)

    def _tell_failure(self, file: str, before: int | None = None, mode: int = 0) -> None:
        if self._tells != "all":
            return
        if before is None:
            self._sh.tell(f"{quoted(file)} could not be accessed\n")
        else:
            failed = f"failed to change mode of {quoted(file)} from {told(before, mode)}"
            self._sh.tell(f"{failed}\n")


def told(before: int, mode: int) -> str:
    """`0644 (rw-r--r--) to 0600 (rw-------)`."""
    return f"{before:04o} ({letters_of(before)}) to {mode:04o} ({letters_of(mode)})"
