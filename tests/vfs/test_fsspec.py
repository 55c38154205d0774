"""FsspecFS over storages of fsspec: its memory, its local files, a zip file, and names without directories."""

from __future__ import annotations

import pytest
from pathlib import Path
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from keysh.vfs.api import FileSystem
from keysh.vfs.fsspec import FsspecFS
from vfs.conformance import FileSystemConformance


class Storage(FileSystemConformance):
    """What no storage claims."""

    has_links = False
    has_hard_links = False
    has_modes = False
    has_times = False
    has_inodes = False
    has_any_name = False
    has_long_names = False
    has_append = False  # by two at once; by one, see below
    keeps_open_files = False
    counts_subdirectories = False


class TestMemory(Storage):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return FsspecFS(MemoryFileSystem(global_store=False, skip_instance_cache=True))


class TestLocal(Storage):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return FsspecFS(LocalFileSystem(), str(tmp_path))
