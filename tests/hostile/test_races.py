"""No operation of a LocalFS leaves its root while another process exchanges what is in it.

`python -m tests.hostile --races 1000000` runs as many of them as one wants.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile.races import MOMENTS, race, racing
from vfs.test_containment import SECRET, Machine

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


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is a call of Linux")


def test_exchanged_links_and_directories(folder: Path) -> None:
    outcomes, changes = race(folder, OPERATIONS)
    assert set(outcomes) <= MOMENTS
    # A race in which one side never ran, or no operation succeeded, proves nothing.
    assert changes > 1000
    assert outcomes["link"] > 100
    assert outcomes["done"] > 100


def test_checking_first_would_lose_the_race(folder: Path) -> None:
    """The same race reads the secret of anyone who checks a path and then uses it."""
    machine = Machine(folder)
    victim = machine.root / "victim"
    with racing(machine) as end:
        for _ in range(100 * OPERATIONS):
            with contextlib.suppress(OSError):
                is_inside = stat.S_ISDIR(os.lstat(victim).st_mode)
                if is_inside and (victim / "file").read_bytes() == SECRET:
                    break
        else:
            pytest.fail("the racer never won: the other test shows nothing")
        end()
