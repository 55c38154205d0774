"""mkdir - make directories."""

from __future__ import annotations

import errno

from keysh.runtime.call import why
from keysh.runtime.modes import changed, changes_of
from keysh.runtime.quoting import locale_quoted, quoted
from keysh.schema.declare import command
from keysh.vfs.api import failure
from keysh.vfs.paths import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path


@command
def mkdir(
    sh: Call,
    *folders: Path,
    mode: str | None = None,
    parents: bool = False,
    verbose: bool = False,
) -> None:
    """Make directories.

    folders ...        the directories to make (at least 1)
    -m, --mode MODE    permissions as chmod takes them, counted from a=rwx
    -p, --parents      make those above as well, and leave those that are there
    -v, --verbose      tell of each directory made
    """
    permissions = None
    if mode is not None:
        changes = changes_of(mode)
        if changes is None:
            raise sh.fail(f"invalid mode {quoted(mode)}")
        permissions = changed(0o777, changes, sh.state.umask, is_directory=True)
    for folder in folders:
        sh.tick()
        try:
            for path in make(sh, folder, parents):
                if verbose:
                    sh.out.write(f"mkdir: created directory {quoted(path)}\n")
                if permissions is not None and path == folder:
                    sh.fs.set_mode(sh.path(path), permissions)
        except OSError as error:
            sh.warn(f"cannot create directory {locale_quoted(error.filename)}: {why(error)}")


def make(sh: Call, folder: str, with_parents: bool) -> Iterator[str]:
    """Make a directory, and those above it if asked to; yields what it has made."""
    permissions = 0o777 & ~sh.state.umask
    if not with_parents or not folder:
        make_one(sh, folder, permissions)
        yield folder
        return
    whole = bare(folder)
    for at in [at for at, char in enumerate(whole) if char == "/" and at] + [len(whole)]:
        path = whole[:at]
        is_last = at == len(whole)
        if path.endswith("/") or is_there(sh, path, is_last):
            continue
        # Whoever makes a directory for what is below must be able to go into it.
        make_one(sh, path, permissions if is_last else permissions | 0o300)
        yield folder if is_last else path


def make_one(sh: Call, path: str, permissions: int) -> None:
    """Make one directory; an error tells of the path as it was given."""
    try:
        sh.fs.make_directory(sh.path(path), permissions)
    except OSError as error:
        error.filename = path
        raise


def is_there(sh: Call, path: str, is_last: bool) -> bool:
    """Whether there is a directory; anything else in the way is an error."""
    try:
        found = sh.fs.stat(sh.path(path), follow=True)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise failure(error.errno or errno.EIO, path) from None
    if not found.is_directory:
        raise failure(errno.EEXIST if is_last else errno.ENOTDIR, path)
    return True
