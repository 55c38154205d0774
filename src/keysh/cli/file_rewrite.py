"""Write a file so that no reader ever sees half of it."""

from __future__ import annotations

import os


def replace_file(path: str, data: bytes, mode: int) -> None:
    """Write a file beside the one at a path, whose place it takes once it is complete."""
    beside = f"{path}.{os.getpid()}.new"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def rewrite_file(name: str, text: str) -> None:
    """Replace the text of a file, which keeps its mode; a link stays one.

    Where the directory allows no new file, or the file has several names or another owner, it is
    written in place.
    """
    path = os.path.realpath(name)
    data = text.encode("utf-8", "surrogateescape")
    before = os.stat(path)
    is_shared = before.st_nlink > 1 or before.st_uid != os.geteuid()
    if is_shared or not os.access(os.path.dirname(path), os.W_OK) or not os.access(path, os.W_OK):
        with open(path, "wb") as file:
            file.write(data)
        return
    replace_file(path, data, before.st_mode & 0o7777)
