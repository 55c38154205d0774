from __future__ import annotations
import pytest
from pathlib import Path
from keysh.vfs.api import FileSystem
from keysh.vfs.memory import MemoryFS
from keysh.vfs.local import LocalFS
from keysh.vfs.overlay import OverlayFS
from vfs.conformance import FileSystemConformance
from vfs.conforming.kit import Kit

class TestOverMemory(FileSystemConformance):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return OverlayFS(MemoryFS())

class TestOverLocal(FileSystemConformance):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return OverlayFS(LocalFS(tmp_path))

class TestOverFurnished(FileSystemConformance):
    @pytest.fixture
    def fs(self) -> FileSystem:
        self.lower = MemoryFS()
        return OverlayFS(self.lower)
    @pytest.fixture
    def furnished(self, fs):
        Kit.furnished.__wrapped__(self, self.lower)
        return fs
