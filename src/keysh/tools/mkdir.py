"""mkdir - make directories."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.gnu.modes import new_directory_mode, parse_mode_changes
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import locale_quoted_text, quoted_name
from keysh.vfs.api import failure
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def mkdir(
    sh: Call,
    *folders: Path,
    mode: str | None = None,
    parents: bool = False,
    verbose: bool = False,
) -> None:
    """Create directories.

    folders ...      the directories to create (at least 1)
    -m, --mode MODE  set the mode, as in chmod, relative to a=rwx
    -p, --parents    create parent directories as needed; existing ones are no error
    -v, --verbose    report each created directory
    """
    umask, mode_and_mask = sh.umask, parse_mode(sh, mode) if mode is not None else None
    for folder in folders:
        sh.tick()
        try:
            for path in make_directories(sh, folder, parents, 0o777 & ~umask):
                if verbose:
                    sh.tell(f"mkdir: created directory {quoted_name(path)}\n")
                if mode_and_mask is not None and path == folder:
                    permissions, spelled = mode_and_mask
                    # The set-group-ID bit may be inherited from the parent directory.
                    kept = sh.fs.stat(sh.path(path)).mode & kinds.S_ISGID & ~spelled
                    sh.fs.set_mode(sh.path(path), permissions | kept)
        except OSError as error:
            name = folder if error.filename == without_slash(folder) else error.filename
            is_stat = parents and error.errno == errno.ELOOP and name == folder
            message = "cannot stat" if is_stat else "cannot create directory"
            sh.warn(f"{message} {locale_quoted_text(name)}: {os_error_text(error)}")


def parse_mode(sh: Call, mode: str) -> tuple[int, int]:
    """Return the permissions of -m and the bits that it names."""
    changes = parse_mode_changes(mode)
    if changes is None:
        raise sh.fail(f"invalid mode {quoted_name(mode)}")
    permissions, spelled = new_directory_mode(0o777, changes, sh.umask)
    # For special bits GNU first makes a directory that others cannot write to, and keeps its mode
    # if the kernel has set all the bits that the mode names: +t gives 1755.
    first = permissions & 0o1755
    is_special = permissions & kinds.S_ISVTX or spelled & (kinds.S_ISUID | kinds.S_ISGID)
    is_left = is_special and not (first ^ permissions) & spelled
    return first if is_left else permissions, spelled


def make_directories(sh: Call, folder: str, with_parents: bool, permissions: int) -> Iterator[str]:
    """Create a directory, optionally with its parents, and yield what was created."""
    if not with_parents or not folder:
        make_one_directory(sh, folder, permissions)
        yield folder
        return
    stripped = without_slash(folder)
    for position in [
        position for position, char in enumerate(stripped) if char == "/" and position
    ] + [len(stripped)]:
        sh.tick()
        path = stripped[:position]
        is_last = position == len(stripped)
        if path.endswith("/") or is_existing_directory(sh, path, is_last):
            continue
        # The owner must be able to create the directories below.
        make_one_directory(sh, path, permissions if is_last else permissions | 0o300)
        yield folder if is_last else path


def make_one_directory(sh: Call, path: str, permissions: int) -> None:
    """Create one directory; an error names the path as given."""
    try:
        sh.fs.make_directory(sh.path(path), permissions)
    except OSError as error:
        error.filename = path
        raise


def is_existing_directory(sh: Call, path: str, is_last: bool) -> bool:
    """Tell whether the directory exists; raise an error if something else does."""
    try:
        stat = sh.fs.stat(sh.path(path), follow=True)
    except FileNotFoundError:
        return False
    except PermissionError:  # reported for the directory that cannot be searched
        raise failure(errno.EACCES, path.rpartition("/")[0] or path) from None
    except OSError as error:
        raise failure(error.errno or errno.EIO, path) from None
    if not stat.is_directory:
        raise failure(errno.EEXIST if is_last else errno.ENOTDIR, path)
    return True
