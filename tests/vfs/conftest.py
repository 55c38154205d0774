"""What the tests of file systems share.

The assertions of the conformance class are rewritten as well, so that failures explain themselves.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("keysh.testing.conformance", "vfs.sqlite_writer")


@pytest.fixture
def db_path() -> Iterator[str]:
    """A path for a database, in memory if possible: no test needs the disk, which is slow."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as directory:
        yield f"{directory}/files.db"
