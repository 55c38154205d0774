"""The results of stat: permissions, times, inode numbers and link counts."""

from __future__ import annotations

import stat as kinds
from collections.abc import Callable

import pytest

from keysh.testing.conformance.kit import Kit, get, put
from keysh.vfs.api import FileSystem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.vfs.api import Access

OLD = 1_000_000_000_123_456_789  # long before any clock that runs now


def write(fs: FileSystem, data: bytes, access: Access = "a") -> None:
    with fs.open("/dir/inner", access) as stream:
        stream.write(data)


def truncate(fs: FileSystem, size: int) -> None:
    with fs.open("/dir/inner", "a") as stream:
        stream.truncate(size)


# An operation, and which modification times it sets: of /dir/inner, of /dir, of /dir2.
SETS: dict[str, tuple[Callable[[FileSystem], object], tuple[bool, bool, bool]]] = {
    "stat": (lambda fs: fs.stat("/dir/inner"), (False, False, False)),
    "list": (lambda fs: [*fs.list("/dir")], (False, False, False)),
    "read": (lambda fs: get(fs, "/dir/inner"), (False, False, False)),
    "open w": (lambda fs: fs.open("/dir/inner", "w").close(), (True, False, False)),
    "open a": (lambda fs: fs.open("/dir/inner", "a").close(), (False, False, False)),
    "open rw": (lambda fs: fs.open("/dir/inner", "rw").close(), (False, False, False)),
    "write": (lambda fs: write(fs, b"x"), (True, False, False)),
    "write over": (lambda fs: write(fs, b"inside", "rw"), (True, False, False)),
    "write nothing": (lambda fs: write(fs, b""), (False, False, False)),
    "truncate": (lambda fs: truncate(fs, 2), (True, False, False)),
    "truncate to the same": (lambda fs: truncate(fs, 6), (True, False, False)),
    "make file": (lambda fs: put(fs, "/dir/new"), (False, True, False)),
    "make directory": (lambda fs: fs.make_directory("/dir/new"), (False, True, False)),
    "remove": (lambda fs: fs.remove("/dir/other"), (False, True, False)),
    "remove directory": (lambda fs: fs.remove_directory("/dir/sub"), (False, True, False)),
    "rename": (lambda fs: fs.rename("/dir/other", "/dir/new"), (False, True, False)),
    "move away": (lambda fs: fs.rename("/dir/other", "/dir2/new"), (False, True, True)),
    "replace": (lambda fs: fs.rename("/dir/other", "/dir2/there"), (False, True, True)),
    "rename to itself": (lambda fs: fs.rename("/dir/other", "/dir/other"), (False, False, False)),
    "set mode": (lambda fs: fs.set_mode("/dir/inner", 0o600), (False, False, False)),
}
LINK_SETS: dict[str, tuple[Callable[[FileSystem], object], tuple[bool, bool, bool]]] = {
    "link": (lambda fs: fs.link("/dir/inner", "/dir2/new"), (False, False, True)),
    "make link": (lambda fs: fs.make_link("x", "/dir/new"), (False, True, False)),
    "link onto itself": (lambda fs: fs.rename("/dir/inner", "/dir/twin"), (False, False, False)),
}


class Attributes(Kit):
    @pytest.mark.parametrize("permissions", [0o666, 0o600, 0o755, 0o400, 0])
    def test_new_file_has_the_permissions(self, fs: FileSystem, permissions: int) -> None:
        self.require_claims("has_modes")
        with fs.open("/f", "w", permissions) as stream:
            stream.write(b"text")  # already opened, whatever their modes
        assert fs.stat("/f").mode == kinds.S_IFREG | permissions

    @pytest.mark.parametrize("access", ["w", "a", "rw"])
    def test_existing_file_keeps_its_permissions(self, fs: FileSystem, access: Access) -> None:
        self.require_claims("has_modes")
        fs.open("/f", "x", 0o640).close()
        fs.open("/f", access, 0o777).close()
        assert fs.stat("/f").mode == kinds.S_IFREG | 0o640

    @pytest.mark.parametrize("permissions", [0o777, 0o700, 0o755, 0o1777])
    def test_new_directory_has_the_permissions(self, fs: FileSystem, permissions: int) -> None:
        self.require_claims("has_modes")
        fs.make_directory("/d", permissions)
        assert fs.stat("/d").mode == kinds.S_IFDIR | permissions

    def test_new_directory_has_no_set_id_bits(self, fs: FileSystem) -> None:
        self.require_claims("has_modes")
        fs.make_directory("/d", 0o7777)
        assert fs.stat("/d").mode == kinds.S_IFDIR | 0o1777

    @pytest.mark.parametrize("mode", [0, 0o600, 0o777, 0o4711, 0o1777])
    def test_sets_mode(self, furnished_fs: FileSystem, mode: int) -> None:
        self.require_claims("has_modes")
        for path, kind in (("/file", kinds.S_IFREG), ("/dir", kinds.S_IFDIR)):
            furnished_fs.set_mode(path, mode)
            assert furnished_fs.stat(path).mode == kind | mode

    def test_mode_contains_only_permissions(self, furnished_fs: FileSystem) -> None:
        self.require_claims("has_modes")
        furnished_fs.set_mode("/file", kinds.S_IFDIR | 0o640)
        assert furnished_fs.stat("/file").mode == kinds.S_IFREG | 0o640

    def test_root_has_a_mode(self, fs: FileSystem) -> None:
        self.require_claims("has_modes")
        fs.set_mode("/", 0o711)
        assert fs.stat("/").mode == kinds.S_IFDIR | 0o711

    def test_open_stream_survives_a_mode_change(self, fs: FileSystem) -> None:
        self.require_claims("has_modes", "keeps_open_files")
        with fs.open("/f", "w") as stream:
            fs.set_mode("/f", 0)
            stream.write(b"text")
        assert fs.stat("/f").size == 4

    @pytest.mark.parametrize("path", ["/file", "/dir", "/"])
    @pytest.mark.parametrize(
        ("accessed", "modified"), [(1, 2), (OLD, OLD + 1), (2 * OLD, 0), (0, 1_999_999_999)]
    )
    def test_sets_times(
        self, furnished_fs: FileSystem, path: str, accessed: int, modified: int
    ) -> None:
        self.require_claims("has_times")
        furnished_fs.set_times(path, accessed, modified)
        stat = furnished_fs.stat(path)
        assert (stat.accessed, stat.modified) == (accessed, modified)
        assert stat.changed > OLD

    def test_new_file_has_the_current_time(self, fs: FileSystem) -> None:
        self.require_claims("has_times")
        put(fs, "/f")
        fs.make_directory("/d")
        for path in ("/f", "/d"):
            stat = fs.stat(path)
            assert min(stat.accessed, stat.modified, stat.changed) > OLD

    @pytest.mark.parametrize("act", SETS)
    def test_changes_set_the_modification_time(self, furnished_fs: FileSystem, act: str) -> None:
        self.require_claims("has_times")
        if act == "set mode":
            self.require_claims("has_modes")
        if act.startswith(("open", "write", "truncate")):
            self.require_claims("has_random_access", "has_append")
        put(furnished_fs, "/dir/other")
        put(furnished_fs, "/dir2/there")
        self.look(furnished_fs, *SETS[act])

    @pytest.mark.parametrize("act", LINK_SETS)
    def test_link_changes_set_the_modification_time(
        self, furnished_fs: FileSystem, act: str
    ) -> None:
        self.require_claims("has_times", "has_links", "has_hard_links")
        furnished_fs.link("/dir/inner", "/dir/twin")
        self.look(furnished_fs, *LINK_SETS[act])

    def look(
        self, fs: FileSystem, act: Callable[[FileSystem], object], expected: tuple[bool, ...]
    ) -> None:
        """Return which of the three times an operation sets, after making them old."""
        paths = ("/dir/inner", "/dir", "/dir2")
        for path in paths:
            fs.set_times(path, OLD, OLD)
        act(fs)
        assert tuple(fs.stat(path).modified != OLD for path in paths) == expected

    def test_inodes_are_unique(self, furnished_fs: FileSystem) -> None:
        self.require_claims("has_inodes")
        paths = ["/", "/file", "/dir", "/dir/inner", "/dir/sub", "/dir2", "/empty"]
        paths += ["/link", "/dirlink", "/lost"] if self.has_links else []
        numbers = {path: furnished_fs.stat(path).inode for path in paths}
        assert len(set(numbers.values())) == len(paths)
        put(furnished_fs, "/file", b"changed")
        put(furnished_fs, "/dir/new")
        assert {path: furnished_fs.stat(path).inode for path in paths} == numbers
        assert furnished_fs.stat("/dir/new").inode not in numbers.values()

    def test_counts_subdirectories(self, furnished_fs: FileSystem) -> None:
        self.require_claims("counts_subdirectories")

        def links(*paths: str) -> list[int]:
            return [furnished_fs.stat(path).links for path in paths]

        assert links("/", "/dir", "/dir/sub", "/empty") == [5, 3, 2, 2]
        furnished_fs.rename("/dir/sub", "/empty/sub")
        assert links("/", "/dir", "/empty") == [5, 2, 3]
        furnished_fs.rename("/dir", "/empty/sub")
        assert links("/", "/empty", "/empty/sub") == [4, 3, 2]
        furnished_fs.remove_directory("/dir2")
        furnished_fs.make_directory("/empty/sub/new")
        assert links("/", "/empty/sub") == [3, 3]
        furnished_fs.rename("/empty/sub/new", "/empty/sub/newer")
        assert links("/empty/sub") == [3]

    def test_file_has_one_link(self, furnished_fs: FileSystem) -> None:
        assert furnished_fs.stat("/file").links == 1
