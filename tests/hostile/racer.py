"""A process that exchanges links and directories, and moves directories in and out of a root.

    python racer.py FOLDER        FOLDER holds root/victim, root/decoy and outside

All is one system call each, so that no moment is without the name. Ended by SIGTERM it prints how
many changes it made; it also ends when its parent has gone.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

AT_FDCWD, RENAME_EXCHANGE = -100, 2


def main(folder: str) -> None:
    os.chdir(folder)
    rename = ctypes.CDLL(None, use_errno=True).renameat2
    parent, is_running = os.getppid(), True

    def stop(*_: object) -> None:
        nonlocal is_running
        is_running = False

    def exchange(first: bytes, second: bytes) -> None:
        if rename(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE):
            raise OSError(ctypes.get_errno(), "renameat2")

    signal.signal(signal.SIGTERM, stop)
    os.mkdir("parked")
    print("ready", flush=True)
    changes = 0
    while is_running and os.getppid() == parent:
        exchange(b"root/victim", b"root/decoy")  # a directory, a link to outside
        exchange(b"root/victim", b"root/decoy")
        # Out of the root and in again: `..` of whoever stands in it leads out meanwhile.
        os.rename("root/victim/sub", "parked/sub")
        os.rename("parked/sub", "root/victim/sub")
        exchange(b"root/victim/sub", b"root/victim/link")
        exchange(b"root/victim/sub", b"root/victim/link")
        changes += 6
        for _ in range(changes % 1009):  # otherwise the two processes would run in step
            pass
    print(changes)


if __name__ == "__main__":
    main(sys.argv[1])
