"""Making: the directories above a path that an archive tells of."""

from __future__ import annotations

import errno

from keysh.diagnostics.errors import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


def make_parents(sh: Call, path: str) -> None:
    """Make the directories above an absolute path that are missing."""
    fs = sh.fs
    missing: list[str] = []
    above = path.rpartition("/")[0]
    while above:
        try:
            if not fs.stat(above, follow=True).is_directory:
                raise failure(errno.ENOTDIR, above)
            break
        except FileNotFoundError:
            missing.append(above)
            above = above.rpartition("/")[0]
    for folder in reversed(missing):
        fs.make_directory(folder, 0o777 & ~sh.umask)
