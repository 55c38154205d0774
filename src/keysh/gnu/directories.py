"""Create directories for files that are extracted."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


def make_parents(sh: Call, path: str) -> None:
    """Create the missing directories above an absolute path."""
    fs = sh.fs
    missing: list[str] = []
    parent = path.rpartition("/")[0]
    while parent:
        try:
            if not fs.stat(parent, follow=True).is_directory:
                raise failure(errno.ENOTDIR, parent)
            break
        except FileNotFoundError:
            missing.append(parent)
            parent = parent.rpartition("/")[0]
    for folder in reversed(missing):
        fs.make_directory(folder, 0o777 & ~sh.umask)
