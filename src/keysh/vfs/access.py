"""Access: whether a file may be read, written or executed."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router


def is_access_allowed(fs: Router, path: str, stat: Stat, access: int) -> bool:
    """Whether an access (4 read, 2 write, 1 execute) to a file is allowed.

    For a file of this machine this process's rights count, for any other the owner's bits.
    """
    real = fs.real_path(path)
    if real is None:
        return bool(stat.mode >> 6 & access)
    return os.access(real, access, effective_ids=os.access in os.supports_effective_ids)
