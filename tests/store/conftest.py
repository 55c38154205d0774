"""What the tests of stores share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("store.session_writer")


@pytest.fixture
def store_path() -> Iterator[str]:
    """A path for a store, in memory if possible: no test needs the disk, which is slow."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as directory:
        yield f"{directory}/work.db"
