"""rmdir - remove empty directories."""

from __future__ import annotations

import errno
from contextlib import suppress

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

NOT_EMPTY_ERRORS = (errno.ENOTEMPTY, errno.EEXIST, errno.EBUSY)


@command(compatible="GNU coreutils 9.1")
def rmdir(
    sh: Call,
    *folders: Path,
    ignore_fail_on_non_empty: bool = False,
    parents: bool = False,
    verbose: bool = False,
) -> None:
    """Remove empty directories.

    folders ...                 the directories to remove (at least 1)
    --ignore-fail-on-non-empty  do not fail if a directory is not empty
    -p, --parents, --path       also remove the parent directories that the path
                                names
    -v, --verbose               report each directory
    """
    for folder in folders:
        path: str | None = folder
        while path is not None:
            if verbose:
                sh.tell(f"rmdir: removing directory, {quoted_name(path)}\n")
            try:
                sh.fs.remove_directory(sh.path(path))
            except OSError as error:
                if ignore_fail_on_non_empty and error.errno in NOT_EMPTY_ERRORS:
                    break
                what = "directory " if path != folder else ""
                sh.warn(
                    f"failed to remove {what}{quoted_name(path)}: {failure_reason(sh, path, error)}"
                )
                break
            above, slash, _ = without_slash(path).rpartition("/")
            path = (above.rstrip("/") or None) if parents and slash else None


def failure_reason(sh: Call, path: str, error: OSError) -> str:
    """Return the system's reason, or GNU's for a link to a directory."""
    if error.errno == errno.ENOTDIR and path.endswith("/"):
        with suppress(OSError):  # keep the first reason
            if sh.fs.stat(sh.path(without_slash(path))).is_link and not leads_to_file(sh, path):
                return "Symbolic link not followed"
    return os_error_text(error)


def leads_to_file(sh: Call, path: str) -> bool:
    """Tell whether the path resolves to something other than a directory."""
    try:
        sh.fs.stat(sh.path(path), follow=True)
    except NotADirectoryError:
        return True
    except OSError:
        return False
    return False
