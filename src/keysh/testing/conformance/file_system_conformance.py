"""FileSystemConformance: tests that every file system must pass.

    class TestMine(FileSystemConformance):
        has_hard_links = False  # each claim that is not made is a skip with its name

        @pytest.fixture
        def fs(self) -> FileSystem:
            return MineFS()

The claims are in `kit`. All expectations are those of the Linux kernel, which the tests of keysh
hold against the suite as well.
"""

from __future__ import annotations

from keysh.testing.conformance.attribute_tests import Attributes
from keysh.testing.conformance.link_tests import HardLinks, Links
from keysh.testing.conformance.name_tests import Names
from keysh.testing.conformance.rename_tests import Renames
from keysh.testing.conformance.stream_tests import Streams
from keysh.testing.conformance.thread_tests import Threads
from keysh.testing.conformance.verb_tests import Verbs


class FileSystemConformance(Verbs, Streams, Names, Links, HardLinks, Renames, Attributes, Threads):
    """All parts; a subclass gives the fixture `fs`."""
