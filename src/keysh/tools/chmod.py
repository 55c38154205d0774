"""chmod - change file permissions."""

from __future__ import annotations

import errno

from keysh.gnu.modes import changed_mode, mode_copy, mode_letters, parse_mode_changes
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import locale_quoted_text, message_name, quoted_name
from keysh.vfs.paths import join, with_one_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.modes import ModeChange
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

REPORT_OPTIONS = {"changes": "changed", "verbose": "all"}
MINUS_LETTERS = {"no_reading": "r", "no_writing": "w", "no_executing": "x"}


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="no-reading no-writing no-executing"),
)
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
    """Change file permissions.

    mode                       octal as in 755, or symbolic as in u=rwx,go+rX: any
                               of ugoa, then + - or =, then any of rwxXst or one of
                               ugo to copy from (not with --reference, -r, -w, -x)
    files ...                  the files to change
    -c, --changes              report each file whose mode changes
    -f, --quiet, --silent      suppress most error messages
    -R, --recursive            change directories and their contents recursively
    --reference FILE           use the mode of FILE
    --preserve-root            refuse to change `/` recursively
    -v, --verbose              report each file
    -r, --no-reading[=MORE]    the mode -r, followed by the letters MORE
    -w, --no-writing[=MORE]    the mode -w
    -x, --no-executing[=MORE]  the mode -x
    """
    minus_modes = [
        f"-{MINUS_LETTERS[name]}{value if isinstance(value, str) else ''}"
        for name, value in sh.given
        if name in MINUS_LETTERS and value is not False
    ]
    text = mode if mode is not None else ",".join(minus_modes)
    if reference is not None and minus_modes:
        raise UsageFailure("cannot combine mode and --reference options")
    if not files:
        after = f" after {locale_quoted_text(mode)}" if mode is not None else ""
        raise UsageFailure(f"missing operand{after}")
    if reference is not None:
        try:
            mode_changes: list[ModeChange] | None = mode_copy(
                sh.fs.stat(sh.path(reference), follow=True)
            )
        except OSError as error:
            message = (
                f"failed to get attributes of {quoted_name(reference)}: {os_error_text(error)}"
            )
            raise sh.fail(message) from None
    else:
        mode_changes = parse_mode_changes(text)
    if mode_changes is None:
        raise UsageFailure(f"invalid mode: {locale_quoted_text(text)}")
    reports = [REPORT_OPTIONS[name] for name, value in sh.given if name in REPORT_OPTIONS and value]
    run = ModeChanger(sh, mode_changes, tells=reports[-1] if reports else "")
    run.is_quiet, run.warns_of_umask = quiet, mode is None and reference is None
    for file in files:
        if recursive and preserve_root and is_root(sh, file):
            sh.warn(f"it is dangerous to operate recursively on {quoted_name(file)}")
            sh.warn("use --no-preserve-root to override this failsafe")
            continue
        run.change(with_one_slash(file), recursive)


def is_root(sh: Call, file: str) -> bool:
    """Whether a path resolves to `/`."""
    try:
        return sh.fs.resolve(sh.path(file)) == "/"
    except OSError:
        return False


class ModeChanger:
    """One run of chmod.

    With `warns_of_umask` the mode was spelled like an option, as in `chmod -w`: a warning follows
    where the umask kept a bit that the mode names.
    """

    __slots__ = ("_changes", "_reports", "_sh", "is_quiet", "warns_of_umask")

    def __init__(self, sh: Call, changes: list[ModeChange], tells: str) -> None:
        self._sh, self._changes, self._reports = sh, changes, tells
        self.is_quiet = self.warns_of_umask = False

    def change(self, top: str, is_recursive: bool) -> None:
        """Change a file, and with `is_recursive` everything below it."""
        fs, path = self._sh.fs, self._sh.path
        stack = [top]
        while stack:
            self._sh.tick()
            file = stack.pop()
            try:
                stat = fs.stat(path(file), follow=file == top)
            except OSError as error:
                if error.errno == errno.ENOENT and self._sh.is_link(file):
                    self._warn(f"cannot operate on dangling symlink {quoted_name(file)}")
                else:
                    self._warn(f"cannot access {quoted_name(file)}: {os_error_text(error)}")
                self._report_failure(file)
                continue
            if stat.is_link:  # links met while descending stay unchanged
                if self._reports == "all":
                    self._sh.tell(
                        f"neither symbolic link {quoted_name(file)} nor referent has been changed\n"
                    )
                continue
            self._change_one(file, stat)
            if is_recursive and stat.is_directory:
                try:
                    names = sorted(entry.name for entry in fs.list(path(file)))
                except OSError as error:
                    self._warn(f"cannot read directory {quoted_name(file)}: {os_error_text(error)}")
                    continue
                stack += [join(file, name) for name in reversed(names)]

    def _change_one(self, file: str, stat: Stat) -> None:
        old_mode = stat.mode & 0o7777
        umask, is_folder = self._sh.umask, stat.is_directory
        mode = changed_mode(old_mode, self._changes, umask, is_directory=is_folder)
        try:
            self._sh.fs.set_mode(self._sh.path(file), mode)
        except OSError as error:
            self._warn(f"changing permissions of {quoted_name(file)}: {os_error_text(error)}")
            self._report_failure(file, old_mode, mode)
            return
        if mode != old_mode and self._reports:
            self._sh.tell(
                f"mode of {quoted_name(file)} changed from {mode_transition(old_mode, mode)}\n"
            )
        elif self._reports == "all":
            kept = f"{old_mode:04o} ({mode_letters(old_mode)})"
            self._sh.tell(f"mode of {quoted_name(file)} retained as {kept}\n")
        if self.warns_of_umask:
            naive = changed_mode(old_mode, self._changes, 0, is_directory=is_folder)
            if mode & ~naive:
                new = f"new permissions are {mode_letters(mode)}, not {mode_letters(naive)}"
                self._sh.warn(f"{message_name(file)}: {new}")

    def _warn(self, message: str) -> None:
        if self.is_quiet:
            self._sh.status = 1
        else:
            self._sh.warn(message)

    def _report_failure(self, file: str, old_mode: int | None = None, new_mode: int = 0) -> None:
        if self._reports != "all":
            return
        if old_mode is None:
            self._sh.tell(f"{quoted_name(file)} could not be accessed\n")
        else:
            transition = mode_transition(old_mode, new_mode)
            self._sh.tell(f"failed to change mode of {quoted_name(file)} from {transition}\n")


def mode_transition(old_mode: int, new_mode: int) -> str:
    """`0644 (rw-r--r--) to 0600 (rw-------)`."""
    return f"{old_mode:04o} ({mode_letters(old_mode)}) to {new_mode:04o} ({mode_letters(new_mode)})"
