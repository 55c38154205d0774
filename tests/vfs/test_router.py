"""The router: links as the kernel resolves them, mounts, and their combination."""

from __future__ import annotations

import errno
import os
import stat as kinds
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.testing import FileSystemConformance
from keysh.testing.conformance.kit import call, fails, get, names, put, tree
from keysh.vfs.api import Entry, FileSystem, LinkInPath, Stat, failure
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router


class Following(FileSystemConformance):
    """The conformance tests except those about links, which the router follows."""

    test_links_are_not_followed = None
    test_reports_the_first_link_and_the_remaining_path = None
    test_dangling_links_are_reported_too = None
    test_open_needs_the_target = None
    test_list_and_mode_need_the_target = None
    test_link_may_point_to_itself = None
    test_link_has_its_own_times = None


class TestOneMemory(Following):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return Router(MemoryFS())


class TestOneLocal(Following):
    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return Router(LocalFS(tmp_path))


class TestInAnotherRouter(Following):
    @pytest.fixture
    def fs(self) -> FileSystem:
        return Router(Router(MemoryFS()))


# Compared with the kernel. For a tree and operations with any paths, all results and the tree
# afterwards must be equal. The tree is so deep that no path climbs out of it.

DEEP = "/w" * 12
Tree = dict[str, str | None]
Act = tuple[str, ...]


def opened(flags: int) -> Callable[[str], None]:
    def act(path: str) -> None:
        descriptor = os.open(path, flags, 0o644)
        try:
            if not flags & os.O_CREAT:
                os.read(descriptor, 1)  # which a directory refuses
        finally:
            os.close(descriptor)

    return act


MADE = os.O_CREAT | os.O_WRONLY

# How the kernel does it, and how the router.
VERBS: dict[str, tuple[Callable[..., object], Callable[..., object]]] = {
    "stat": (
        lambda path: kinds.S_IFMT(os.lstat(path).st_mode),
        lambda fs, path: kinds.S_IFMT(fs.stat(path).mode),
    ),
    "stat following": (
        lambda path: kinds.S_IFMT(os.stat(path).st_mode),
        lambda fs, path: kinds.S_IFMT(fs.stat(path, follow=True).mode),
    ),
    "list": (lambda path: sorted(os.listdir(path)), names),
    "open r": (opened(os.O_RDONLY), lambda fs, path: fs.open(path).close()),
    "open w": (opened(MADE | os.O_TRUNC), lambda fs, path: fs.open(path, "w").close()),
    "open a": (opened(MADE | os.O_APPEND), lambda fs, path: fs.open(path, "a").close()),
    "open x": (opened(MADE | os.O_EXCL), lambda fs, path: fs.open(path, "x").close()),
    "make_directory": (os.mkdir, lambda fs, path: fs.make_directory(path)),
    "remove_directory": (os.rmdir, lambda fs, path: fs.remove_directory(path)),
    "remove": (os.unlink, lambda fs, path: fs.remove(path)),
    "rename": (os.rename, lambda fs, old, new: fs.rename(old, new)),
    "link": (
        lambda old, new: os.link(old, new, follow_symlinks=False),
        lambda fs, old, new: fs.link(old, new),
    ),
    "make_link": (lambda path: os.symlink("b", path), lambda fs, path: fs.make_link("b", path)),
    "read_link": (os.readlink, lambda fs, path: fs.read_link(path)),
    "set_mode": (lambda path: os.chmod(path, 0o700), lambda fs, path: fs.set_mode(path, 0o700)),
    "set_times": (
        lambda path: os.utime(path, ns=(1, 2)),
        lambda fs, path: fs.set_times(path, 1, 2),
    ),
}

NAMES = st.sampled_from(["a", "b", "c"])
TARGETS = st.sampled_from(
    ["a", "b", "c", "a/b", "../a", "../b/", ".", "..", "a/..", "c/.", "a//b", "missing", "./c/"]
)
STEPS = st.sampled_from(["a", "b", "c", "a", "b", "c", ".", "..", ""])
PATHS = st.lists(STEPS, min_size=1, max_size=5).map(lambda steps: "/" + "/".join(steps))


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    result: Tree = {}
    folders = [""]
    for _ in range(draw(st.integers(1, 10))):
        path = f"{draw(st.sampled_from(folders))}/{draw(NAMES)}"
        if path in result:
            continue
        kind = draw(st.sampled_from(["file", "folder", "folder", "link", "link"]))
        if kind == "folder":
            folders.append(path)
        result[path] = {"file": "", "folder": None, "link": draw(TARGETS)}[kind]
    return result


@st.composite
def acts(draw: st.DrawFn) -> Act:
    verb = draw(st.sampled_from([*VERBS]))
    return (verb, *(draw(PATHS) for _ in range(2 if verb in ("rename", "link") else 1)))


def build(fs: FileSystem, tree: Tree) -> None:
    for at in range(2, len(DEEP) + 1, 2):
        fs.make_directory(DEEP[:at])
    for path, content in tree.items():
        if content is None:
            fs.make_directory(DEEP + path)
        elif content:
            fs.make_link(content, DEEP + path)
        else:
            put(fs, DEEP + path)


def answer(act: Callable[..., object], *arguments: object) -> object:
    try:
        return act(*arguments)
    except OSError as error:
        # For an existing directory followed by `/`, "x" may give either error.
        return "EEXIST" if error.errno == errno.EISDIR else errno.errorcode[error.errno or 0]


@settings(max_examples=150)
@given(tree_of=trees(), done=st.lists(acts(), min_size=1, max_size=12))
def test_same_as_the_kernel(tree_of: Tree, done: list[Act]) -> None:
    with tempfile.TemporaryDirectory() as kernel, tempfile.TemporaryDirectory() as folder:
        routers = [Router(MemoryFS()), Router(LocalFS(folder))]
        for fs in (*routers, LocalFS(kernel)):
            build(fs, tree_of)
        for verb, *paths in done:
            by_kernel, by_router = VERBS[verb]
            expected = answer(by_kernel, *(kernel + DEEP + path for path in paths))
            for router in routers:
                got = answer(by_router, router, *(DEEP + path for path in paths))
                assert got == expected, (verb, *paths)
        left = tree(LocalFS(kernel))
        for router in routers:
            assert tree(router) == left


# Mounts, and links between them.


@pytest.fixture
def top() -> MemoryFS:
    return MemoryFS({"/file": "top", "/dir/inner": "top inner"})


@pytest.fixture
def other() -> MemoryFS:
    return MemoryFS({"/file": "other", "/dir/inner": "other inner"})


@pytest.fixture
def router(top: MemoryFS, other: MemoryFS) -> Router:
    return Router({"/": top, "/mnt/other": other})


class TestMounts:
    def test_longest_mount_prefix_wins(self, router: Router, other: MemoryFS) -> None:
        router.mount("/mnt/other/dir", MemoryFS({"/file": "deepest"}))
        assert get(router, "/file") == b"top"
        assert get(router, "/mnt/other/file") == b"other"
        assert get(router, "/mnt/other/dir/file") == b"deepest"
        assert names(router, "/mnt/other/dir") == ["file"]
        assert names(other, "/dir") == ["inner"]

    def test_longer_name_is_not_below_a_mount(self, router: Router, top: MemoryFS) -> None:
        top.make_directory("/mnt")
        put(top, "/mnt/otherwise", b"top")
        assert get(router, "/mnt/otherwise") == b"top"

    def test_mount_points_are_listed(self, router: Router, top: MemoryFS) -> None:
        assert names(router) == ["dir", "file", "mnt"]
        assert names(router, "/mnt") == ["other"]
        top.make_directory("/mnt")
        put(top, "/mnt/beside")
        put(top, "/mnt/other", b"a file that is hidden")
        kinds_of = {entry.name: entry.kind for entry in router.list("/mnt")}
        assert kinds_of == {"beside": kinds.S_IFREG, "other": kinds.S_IFDIR}

    def test_parents_of_a_mount_point_are_directories(self, router: Router, top: MemoryFS) -> None:
        for thing in ("nothing", "file", "link", "directory"):
            match thing:
                case "file":
                    put(top, "/mnt")
                case "link":
                    top.remove("/mnt")
                    top.make_link("dir", "/mnt")
                case "directory":
                    top.remove("/mnt")
                    top.make_directory("/mnt", 0o700)
            assert router.stat("/mnt").is_directory
            assert names(router, "/mnt") == ["other"]
            assert get(router, "/mnt/other/file") == b"other"
            assert get(router, "/mnt/../file") == b"top"
            with pytest.raises((FileNotFoundError, NotADirectoryError)):
                router.stat("/mnt/inner")
        assert router.stat("/mnt").mode == kinds.S_IFDIR | 0o700

    def test_virtual_parent_directory_is_read_only(self, router: Router) -> None:
        with fails(errno.EROFS, "/mnt/new"):
            router.open("/mnt/new", "w")
        with fails(errno.EROFS, "/mnt/new"):
            router.make_directory("/mnt/new")
        with fails(errno.EROFS, "/mnt//new"):
            router.make_link("x", "/mnt//new")
        with fails(errno.EROFS, "/file", "/mnt/new"):
            router.rename("/file", "/mnt/new")
        with fails(errno.ENOENT, "/missing", "/mnt/new"):
            router.rename("/missing", "/mnt/new")
        with fails(errno.EROFS, "/mnt"):
            router.set_mode("/mnt", 0o700)
        with fails(errno.EROFS, "/mnt"):
            router.set_times("/mnt", 1, 2)

    def test_mounted_root_has_a_mode(self, router: Router, other: MemoryFS) -> None:
        router.set_mode("/mnt/other", 0o711)
        assert other.stat("/").mode == kinds.S_IFDIR | 0o711

    @pytest.mark.parametrize(
        ("act", "number"),
        [
            (("remove", "/mnt/other"), errno.EISDIR),
            (("remove_directory", "/mnt/other"), errno.EBUSY),
            (("remove_directory", "/mnt"), errno.ENOTEMPTY),
            (("remove_directory", "/"), errno.ENOTEMPTY),
            (("rename", "/mnt/other", "/new"), errno.EBUSY),
            (("rename", "/mnt", "/new"), errno.EBUSY),
            (("rename", "/dir", "/mnt/other"), errno.EBUSY),
            (("rename", "/dir/../mnt", "/new"), errno.EBUSY),
            (("rename", "/file", "/mnt/other/new"), errno.EXDEV),
            (("rename", "/missing", "/mnt/other/new"), errno.ENOENT),
            (("link", "/file", "/mnt/other/new"), errno.EXDEV),
            (("link", "/mnt/other", "/new"), errno.EPERM),
            (("link", "/file", "/mnt/other"), errno.EEXIST),
            (("make_directory", "/mnt/other"), errno.EEXIST),
            (("make_directory", "/mnt"), errno.EEXIST),
            (("open", "/mnt", "w"), errno.EISDIR),
            (("open", "/mnt/other"), errno.EISDIR),
            (("open", "/mnt", "x"), errno.EEXIST),
            (("read_link", "/mnt/other"), errno.EINVAL),
        ],
    )
    def test_mount_points_cannot_be_removed(
        self, router: Router, act: tuple[str, ...], number: int
    ) -> None:
        before = tree(router)
        with fails(number, *act[1:3] if act[0] in ("rename", "link") else act[1:2]):
            call(router, *act)
        assert tree(router) == before

    def test_mounts_can_be_added_and_removed(self, router: Router, other: MemoryFS) -> None:
        added = MemoryFS({"/f": "added"})
        router.mount("/mnt/other/new/", added)
        assert router.mounts["/mnt/other/new"] is added
        with fails(errno.EBUSY, "/mnt/other"):
            router.unmount("/mnt/other")
        with fails(errno.EBUSY, "/"):
            router.unmount("/")
        with fails(errno.EINVAL, "/mnt"):
            router.unmount("/mnt")
        with fails(errno.EBUSY, "/mnt//other"):
            router.mount("/mnt//other", added)
        with fails(errno.EINVAL, "relative"):
            router.mount("relative", added)
        with router.open("/mnt/other/new/f") as stream:
            router.unmount("/mnt/other/new")
            router.unmount("/mnt/other")
            assert stream.read() == b"added"
        assert names(router) == ["dir", "file"]
        assert names(other) == ["dir", "file"]

    def test_router_without_a_root(self, other: MemoryFS) -> None:
        router = Router({"/a/b": other})
        assert names(router) == ["a"]
        assert get(router, "/a/b/file") == b"other"
        with fails(errno.EROFS, "/new"):
            router.open("/new", "w")

    def test_inodes_of_different_mounts_are_distinct(self, top: MemoryFS, other: MemoryFS) -> None:
        router = Router({"/": top, "/o": other, "/again": other})
        one, two, three = (router.stat(f"{at}/file") for at in ("", "/o", "/again"))
        assert one.inode == two.inode
        assert one.device != two.device
        assert (two.device, two.inode) == (three.device, three.inode)

    def test_errors_have_the_path_as_given(self, router: Router) -> None:
        for path in ("/mnt/other/missing", "/dir/../mnt/./other//missing"):
            with fails(errno.ENOENT, path):
                router.open(path)

    @pytest.mark.parametrize(("path", "number"), [("", errno.ENOENT), ("x", errno.EINVAL)])
    def test_only_absolute_paths_are_accepted(self, router: Router, path: str, number: int) -> None:
        with fails(number, path):
            router.stat(path)

    def test_mounts_may_change_during_reads(self, top: MemoryFS) -> None:
        router = Router({"/": top})
        other = MemoryFS({"/inner": "other inner"})
        stop = threading.Event()

        def change() -> None:
            while not stop.is_set():
                router.mount("/dir", other)
                router.unmount("/dir")

        thread = threading.Thread(target=change)
        thread.start()
        try:
            seen = {get(router, "/dir/inner") for _ in range(3000)}
        finally:
            stop.set()
            thread.join()
        assert seen <= {b"top inner", b"other inner"}


class TestLinks:
    @pytest.mark.parametrize(
        ("target", "path", "expected"),
        [
            ("/mnt/other/file", "/link", b"other"),  # absolute: from the router's root
            ("mnt/other/dir", "/link/inner", b"other inner"),
            ("mnt/other/dir", "/link/../file", b"other"),  # the parent of where it led
            ("mnt/../mnt/other/./dir/..//file", "/link", b"other"),
        ],
    )
    def test_links_lead_into_a_mount(
        self, router: Router, target: str, path: str, expected: bytes
    ) -> None:
        router.make_link(target, "/link")
        assert get(router, path) == expected

    @pytest.mark.parametrize(
        ("target", "path", "expected"),
        [
            ("/file", "/mnt/other/link", b"top"),
            ("../../file", "/mnt/other/link", b"top"),
            ("../../../../dir", "/mnt/other/link/inner", b"top inner"),
            ("../other/file", "/mnt/other/link", b"other"),
        ],
    )
    def test_links_lead_out_of_a_mount(
        self, router: Router, target: str, path: str, expected: bytes
    ) -> None:
        router.make_link(target, "/mnt/other/link")
        assert get(router, path) == expected

    def test_forty_links_are_followed(self, router: Router) -> None:
        put(router, "/0", b"end")
        for turn in range(41):
            router.make_link(str(turn), f"/{turn + 1}")
        assert get(router, "/40") == b"end"
        for path in ("/41", "//41"):
            with fails(errno.ELOOP, path):
                router.open(path)
        assert router.stat("/41").is_link

    def test_stat_follows_when_asked(self, router: Router) -> None:
        router.make_link("mnt/other/file", "/link")
        router.make_link("nowhere", "/lost")
        assert router.stat("/link").is_link
        assert router.stat("/link", follow=True).size == 5
        with fails(errno.ENOENT, "/lost"):
            router.stat("/lost", follow=True)

    def test_writing_creates_the_target_of_a_link(self, router: Router, other: MemoryFS) -> None:
        router.make_link("mnt/other/new", "/link")
        put(router, "/link", b"made")
        assert get(other, "/new") == b"made"
        with fails(errno.EEXIST, "/link"):
            router.open("/link", "x")

    def test_times_of_the_link_itself(self, router: Router) -> None:
        router.make_link("file", "/link")
        router.set_times("/link", 1, 2, follow=False)
        assert router.stat("/link").modified == 2
        assert router.stat("/file").modified != 2
        router.set_times("/link", 3, 4)
        assert (router.stat("/link").modified, router.stat("/file").modified) == (2, 4)

    def test_rename_acts_on_the_link_itself(self, router: Router, other: MemoryFS) -> None:
        router.make_link("dir", "/link")
        router.make_link("mnt/other", "/out")
        router.rename("/link", "/moved")
        assert router.read_link("/moved") == "dir"
        router.rename("/out/file", "/out/../other/dir/file")
        assert get(other, "/dir/file") == b"other"
        with fails(errno.EXDEV, "/file", "/out/x"):
            router.rename("/file", "/out/x")

    def test_resolve(self, router: Router) -> None:
        router.make_link("mnt/other/dir", "/link")
        router.make_link("link/new", "/lost")
        assert router.resolve("/link/../file") == "/mnt/other/file"
        assert router.resolve("/link//inner") == "/mnt/other/dir/inner"
        assert router.resolve("/lost") == "/mnt/other/dir/new"
        assert router.resolve("/../..") == "/"
        with fails(errno.ENOENT, "/link/no/such"):
            router.resolve("/link/no/such")
        with fails(errno.ENOTDIR, "/file/x"):
            router.resolve("/file/x")

    def test_locate(self, router: Router, other: MemoryFS) -> None:
        router.make_link("mnt/other/dir", "/link")
        assert router.locate("/link/inner") == (other, "/dir/inner")

    def test_real_path(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        (tmp_path / "out").symlink_to("/memory")
        router = Router({"/": MemoryFS(), "/host": LocalFS(tmp_path)})
        router.make_link("/host/file", "/link")
        put(router, "/memory")
        assert router.real_path("/link") == str(tmp_path / "file")
        assert router.real_path("/host") == str(tmp_path)
        for path in ("/memory", "/host/out", "/host/missing", "/", "/missing/x"):
            assert router.real_path(path) is None

    def test_very_long_path_is_resolved_quickly(self, router: Router) -> None:
        assert get(router, "/dir/.." * 2000 + "/file") == b"top"
        assert get(router, "/." * 100_000 + "/file") == b"top"

    def test_read_only_mount_follows_links_out_of_it(self) -> None:
        inner = MemoryFS({"/file": ""})
        inner.make_link("/tmp", "/out")
        router = Router({"/": MemoryFS({"/tmp/x": ""}), "/ro": ReadOnlyFS(inner)})
        put(router, "/ro/out/new", b"made")
        assert get(router, "/tmp/new") == b"made"
        router.rename("/ro/out/new", "/ro/out/newer")
        with fails(errno.EROFS, "/ro/new"):
            router.open("/ro/new", "w")


class Swinging(FileSystem):
    """A file system that always reports a link, as if another process kept creating it."""

    def __init__(self) -> None:
        self.asked = 0

    def stat(self, path: str) -> Stat:
        return Stat(kinds.S_IFDIR if path == "/" else kinds.S_IFREG)

    def open(self, path: str, access: object = "r", permissions: int = 0) -> object:
        self.asked += 1
        raise LinkInPath(path, "file", "")

    def list(self, path: str) -> Iterator[Entry]:
        yield Entry("a", kinds.S_IFREG)
        raise failure(errno.EIO, "/inner")


def test_links_appearing_during_resolution_end_in_eloop() -> None:
    fs = Swinging()
    with fails(errno.ELOOP, "/m/file"):
        Router({"/m": fs}).open("/m/file")
    assert fs.asked == 41


class LinkAtOneLook(MemoryFS):
    """A file that is a link to another one when it is looked at for the nth time."""

    def __init__(self, look: int) -> None:
        super().__init__({"/f": "", "/g": ""})
        self.looks_left = look

    def stat(self, path: str) -> Stat:
        if path == "/f":
            self.looks_left -= 1
            if not self.looks_left:
                raise LinkInPath("/f", "g", "")
        return super().stat(path)


@pytest.mark.parametrize("look", [1, 2])
def test_resolve_follows_a_link_that_appears_between_two_looks(look: int) -> None:
    fs = LinkAtOneLook(look)
    assert Router(fs).resolve("/f") == ("/g" if look == 1 else "/f")
    assert fs.looks_left <= 0


def test_lazy_listing_fails_at_the_call() -> None:
    with fails(errno.EIO, "/m/x"):
        Router({"/m": Swinging()}).list("/m/x")
