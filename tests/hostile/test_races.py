"""No operation of a LocalFS leaves its root while another process exchanges what is in it.

`python -m tests.hostile --races 1000000` runs as many of them as one wants.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile.races import MOMENTS, race

OPERATIONS = 20_000


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Use memory if possible: a disk's journal would serialize the race."""
    memory = "/dev/shm"
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as made:
        yield Path(made)


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is a call of Linux")
def test_exchanged_links_and_directories(folder: Path) -> None:
    outcomes, changes = race(folder, OPERATIONS)
    assert set(outcomes) <= MOMENTS
    # A race in which one side never ran, or no operation succeeded, proves nothing.
    assert changes > 1000
    assert outcomes["link"] > 100
    assert outcomes["done"] > 100
