"""Run a test as an unprivileged user, since permissions do not restrict root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def unprivileged(root: Path) -> Iterator[None]:
    """Become the user `nobody`, who owns the files in a directory, if this is root."""
    if os.geteuid() != 0:
        yield
        return
    os.chown(root, NOBODY, NOBODY)
    for path in root.rglob("*"):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
