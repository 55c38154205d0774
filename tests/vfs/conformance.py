"""FileSystemConformance: tests that every file system must pass.

    class TestMine(FileSystemConformance):
        has_hard_links = False  # each claim that is not made is a skip with its name

        @pytest.fixture
        def fs(self) -> FileSystem:
            return MineFS()

The claims are in `conforming/kit.py`. All expectations are the Linux kernel's, which must pass
too: `test_kernel.py`.
"""

from __future__ import annotations

from vfs.conforming.attributes import Attributes
from vfs.conforming.links import HardLinks, Links
from vfs.conforming.names import Names
from vfs.conforming.renames import Renames
from vfs.conforming.streams import Streams
from vfs.conforming.threads import Threads
from vfs.conforming.verbs import Verbs

PARTS = (Verbs, Streams, Names, Links, HardLinks, Renames, Attributes, Threads)


class FileSystemConformance(Verbs, Streams, Names, Links, HardLinks, Renames, Attributes, Threads):
    """All parts; a subclass gives the fixture `fs`."""
