"""Device numbers: of a driver, and of what it drives."""

from __future__ import annotations

import os
import stat as kinds

from keysh.vfs.mounts import FIRST_DEVICE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Stat


def halves(device: int) -> tuple[int, int]:
    """The numbers of a device: of its driver, and of itself."""
    if device >= FIRST_DEVICE:
        return 0, device - FIRST_DEVICE
    return os.major(device), os.minor(device)


def is_device(found: Stat) -> bool:
    """Whether a file stands for a device; in the place of its size `ls` shows which."""
    return kinds.S_ISCHR(found.mode) or kinds.S_ISBLK(found.mode)
