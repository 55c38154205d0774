"""Links: symbolic ones, which no verb follows, and hard ones, which are the file itself."""

from __future__ import annotations

import errno
import stat as kinds

import pytest

from keysh.testing.conformance.kit import Kit, call, fails, get, leads_through, names, put, tree
from keysh.vfs.api import FileSystem

# Each verb, with a path through /dirlink as one of its arguments.
THROUGH = [
    ("stat", "/dirlink/inner"),
    ("list", "/dirlink/inner"),
    *[("open", "/dirlink/inner", access) for access in ("r", "w", "a", "x", "rw")],
    ("make_directory", "/dirlink/inner"),
    ("remove_directory", "/dirlink/inner"),
    ("remove", "/dirlink/inner"),
    ("rename", "/dirlink/inner", "/new"),
    ("rename", "/file", "/dirlink/inner"),
    ("link", "/dirlink/inner", "/new"),
    ("link", "/file", "/dirlink/inner"),
    ("make_link", "target", "/dirlink/inner"),
    ("read_link", "/dirlink/inner"),
    ("set_mode", "/dirlink/inner", 0o600),
    ("set_times", "/dirlink/inner", 1, 2),
]
TARGETS = ["a", "/abs", "../x", "a//b/", ".", "/", "a b", "new\nline", "é🎉", "\udcff", "x" * 4095]


def title_of_case(act: tuple[object, ...]) -> str:
    return " ".join(map(str, act))


class Links(Kit):
    @pytest.fixture
    def linked_fs(self, furnished_fs: FileSystem) -> FileSystem:
        self.require_claims("has_links")
        return furnished_fs

    @pytest.fixture
    def linking(self, fs: FileSystem) -> FileSystem:
        """Start with an empty file system."""
        self.require_claims("has_links")
        return fs

    @pytest.mark.parametrize("act", THROUGH, ids=title_of_case)
    def test_links_are_not_followed(self, linked_fs: FileSystem, act: tuple[str, ...]) -> None:
        if act[0] == "link":
            self.require_claims("has_hard_links")
        if act[0].startswith("set_"):
            self.require_claims("has_modes", "has_times")
        before = tree(linked_fs)
        with leads_through("/dirlink", "dir", "/inner"):
            call(linked_fs, *act)
        assert tree(linked_fs) == before

    def test_reports_the_first_link_and_the_remaining_path(self, linking: FileSystem) -> None:
        linking.make_directory("/a")
        linking.make_directory("/a/b")
        linking.make_link("../../c", "/a/b/link")
        with leads_through("/a/b/link", "../../c", "/d/link/e"):
            linking.stat("/a/b/link/d/link/e")
        with leads_through("/a/b/link", "../../c", "/d"):
            linking.open("/a/b/link/d", "w")

    def test_dangling_links_are_reported_too(self, linked_fs: FileSystem) -> None:
        with leads_through("/lost", "nowhere", "/x"):
            linked_fs.stat("/lost/x")
        with leads_through("/link", "file", "/x"):
            linked_fs.stat("/link/x")

    def test_errors_before_the_link_come_first(self, linked_fs: FileSystem) -> None:
        with fails(errno.ENOENT, "/missing/link/x"):
            linked_fs.stat("/missing/link/x")
        with fails(errno.ENOTDIR, "/file/link/x"):
            linked_fs.stat("/file/link/x")

    @pytest.mark.parametrize("access", ["r", "w", "a", "rw"])
    def test_open_needs_the_target(self, linked_fs: FileSystem, access: str) -> None:
        for path, target in (("/link", "file"), ("/dirlink", "dir"), ("/lost", "nowhere")):
            with leads_through(path, target, ""):
                call(linked_fs, "open", path, access)

    def test_list_and_mode_need_the_target(self, linked_fs: FileSystem) -> None:
        with leads_through("/dirlink", "dir", ""):
            call(linked_fs, "list", "/dirlink")
        with leads_through("/link", "file", ""):
            call(linked_fs, "list", "/link")
        if self.has_modes:
            with leads_through("/link", "file", ""):
                linked_fs.set_mode("/link", 0o600)

    @pytest.mark.parametrize("path", ["/link", "/dirlink", "/lost"])
    def test_name_is_taken(self, linked_fs: FileSystem, path: str) -> None:
        for act in (("open", path, "x"), ("make_directory", path)):
            with fails(errno.EEXIST, path):
                call(linked_fs, *act)
        with fails(errno.EEXIST, path):
            linked_fs.make_link("target", path)

    def test_stat_describes_the_link(self, linked_fs: FileSystem) -> None:
        stat = linked_fs.stat("/dirlink")
        assert (stat.is_link, stat.is_directory, stat.is_file, stat.size) == (True, False, False, 3)
        assert kinds.S_IMODE(stat.mode) == 0o777
        assert linked_fs.stat("/lost").is_link

    def test_removes_the_link(self, linked_fs: FileSystem) -> None:
        for path in ("/link", "/dirlink", "/lost"):
            linked_fs.remove(path)
        assert names(linked_fs) == ["dir", "dir2", "empty", "file"]
        assert get(linked_fs, "/dir/inner") == b"inside"

    def test_link_to_a_directory_is_not_a_directory(self, linked_fs: FileSystem) -> None:
        with fails(errno.ENOTDIR, "/dirlink"):
            linked_fs.remove_directory("/dirlink")

    def test_renames_the_link(self, linked_fs: FileSystem) -> None:
        linked_fs.rename("/link", "/dir/moved")
        assert linked_fs.read_link("/dir/moved") == "file"
        assert "link" not in names(linked_fs)

    @pytest.mark.parametrize("target", TARGETS, ids=lambda target: ascii(target)[:20])
    def test_link_keeps_its_text(self, linking: FileSystem, target: str) -> None:
        linking.make_link(target, "/l")
        assert linking.read_link("/l") == target
        assert linking.stat("/l").size == len(target.encode("utf-8", "surrogateescape"))

    @pytest.mark.parametrize(
        ("target", "number"),
        [
            ("", errno.ENOENT),
            ("x" * 4096, errno.ENAMETOOLONG),
            ("a\0b", errno.EINVAL),
            ("\ud800", errno.EILSEQ),
        ],
        ids=["empty", "long", "nul", "half"],
    )
    def test_link_refuses_text(self, linking: FileSystem, target: str, number: int) -> None:
        with fails(number, "/l"):
            linking.make_link(target, "/l")
        assert names(linking) == []

    @pytest.mark.parametrize(
        ("path", "number"),
        [
            ("/file", errno.EEXIST),
            ("/dir", errno.EEXIST),
            ("/", errno.EEXIST),
            ("/missing/x", errno.ENOENT),
            ("/file/x", errno.ENOTDIR),
        ],
    )
    def test_link_refuses_path(self, linked_fs: FileSystem, path: str, number: int) -> None:
        before = tree(linked_fs)
        with fails(number, path):
            linked_fs.make_link("target", path)
        assert tree(linked_fs) == before

    def test_link_may_point_to_itself(self, linking: FileSystem) -> None:
        linking.make_link("l", "/l")
        assert linking.stat("/l").is_link
        with leads_through("/l", "l", "/l"):
            linking.stat("/l/l")

    def test_link_has_its_own_times(self, linked_fs: FileSystem) -> None:
        self.require_claims("has_times")
        linked_fs.set_times("/file", 10, 20)
        linked_fs.set_times("/link", 1_000, 2_000)
        stat = linked_fs.stat("/link")
        assert (stat.accessed, stat.modified) == (1_000, 2_000)
        assert linked_fs.stat("/file").modified == 20

    def test_can_have_hard_links(self, linked_fs: FileSystem) -> None:
        self.require_claims("has_hard_links")
        linked_fs.link("/link", "/same")
        assert linked_fs.read_link("/same") == "file"
        assert linked_fs.stat("/same").links == 2
        linked_fs.remove("/link")
        assert linked_fs.stat("/same").links == 1


class HardLinks(Kit):
    @pytest.fixture
    def hard(self, furnished_fs: FileSystem) -> FileSystem:
        self.require_claims("has_hard_links")
        return furnished_fs

    def test_hard_link_is_the_same_file(self, hard: FileSystem) -> None:
        hard.link("/file", "/dir/same")
        assert get(hard, "/dir/same") == b"text"
        assert hard.stat("/file").links == hard.stat("/dir/same").links == 2
        if self.has_inodes:
            assert hard.stat("/file").inode == hard.stat("/dir/same").inode
        put(hard, "/dir/same", b"changed")
        assert get(hard, "/file") == b"changed"
        assert hard.stat("/file").size == 7

    def test_file_exists_until_its_last_name_is_removed(self, hard: FileSystem) -> None:
        hard.link("/file", "/same")
        hard.link("/same", "/third")
        assert hard.stat("/file").links == 3
        hard.remove("/file")
        assert hard.stat("/same").links == 2
        assert get(hard, "/third") == b"text"
        hard.remove("/third")
        hard.remove("/same")
        assert not {"file", "same", "third"} & set(names(hard))

    def test_hard_links_share_mode_and_times(self, hard: FileSystem) -> None:
        self.require_claims("has_modes", "has_times")
        hard.link("/file", "/same")
        hard.set_mode("/same", 0o640)
        hard.set_times("/same", 10, 20)
        stat = hard.stat("/file")
        assert (kinds.S_IMODE(stat.mode), stat.accessed, stat.modified) == (0o640, 10, 20)

    @pytest.mark.parametrize(
        ("existing", "path", "number"),
        [
            ("/missing", "/new", errno.ENOENT),
            ("/missing/x", "/new", errno.ENOENT),
            ("/file/x", "/new", errno.ENOTDIR),
            ("/file", "/missing/new", errno.ENOENT),
            ("/file", "/dir/inner/new", errno.ENOTDIR),
            ("/file", "/dir/inner", errno.EEXIST),
            ("/file", "/file", errno.EEXIST),
            ("/file", "/dir", errno.EEXIST),
            ("/file", "/", errno.EEXIST),
            ("/dir", "/new", errno.EPERM),
            ("/dir", "/file", errno.EEXIST),
            ("/dir", "/dir/new", errno.EPERM),
            ("/dir", "/missing/new", errno.ENOENT),
            ("/missing", "/dir/inner", errno.ENOENT),
        ],
    )
    def test_hard_link_refuses(
        self, hard: FileSystem, existing: str, path: str, number: int
    ) -> None:
        before = tree(hard)
        with fails(number, existing, path):
            hard.link(existing, path)
        assert tree(hard) == before

    def test_renaming_onto_a_hard_link_does_nothing(self, hard: FileSystem) -> None:
        hard.link("/file", "/dir/same")
        hard.rename("/file", "/dir/same")
        assert get(hard, "/file") == get(hard, "/dir/same") == b"text"
        assert hard.stat("/file").links == 2

    def test_replacing_one_hard_link_keeps_the_other(self, hard: FileSystem) -> None:
        hard.link("/file", "/same")
        hard.rename("/dir/inner", "/file")
        assert get(hard, "/file") == b"inside"
        assert get(hard, "/same") == b"text"
        assert hard.stat("/same").links == hard.stat("/file").links == 1
