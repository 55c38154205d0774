"""Unprivileged: what no permission keeps from root is kept from nobody."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def unprivileged(root: Path) -> Iterator[None]:
    """Root may do everything: for a while be nobody, who owns what is in a directory."""
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
