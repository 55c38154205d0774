"""Access: whether a file may be read, written or executed, told before it is tried."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat
    from keysh.vfs.router import Router


def is_access_allowed(fs: Router, path: str, found: Stat, wanted: int) -> bool:
    """Whether `wanted` (4 read, 2 write, 1 execute) is allowed for the file found at a path.

    A file of this machine is asked for as this process; of any other, the owner's bits count.
    """
    real = fs.real_path(path)
    if real is None:
        return bool(found.mode >> 6 & wanted)
    return os.access(real, wanted, effective_ids=os.access in os.supports_effective_ids)
