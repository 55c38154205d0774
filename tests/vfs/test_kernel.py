"""The conformance tests, run against the kernel itself."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from keysh.testing import FileSystemConformance
from keysh.vfs.api import FileSystem
from vfs.kernel import KernelFS


@pytest.mark.skipif(sys.platform != "linux", reason="what is expected is what Linux does")
class TestKernel(FileSystemConformance):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        # Some file systems of Linux, such as btrfs, do not count the directories in a directory.
        self.counts_subdirectories = tmp_path.stat().st_nlink > 1
        root = tmp_path / "root"
        root.mkdir()
        return KernelFS(root)


def test_no_part_hides_another() -> None:
    parts = FileSystemConformance.__bases__
    names = [name for part in parts for name in vars(part) if not name.startswith("__")]
    assert sorted(names) == sorted(set(names))
