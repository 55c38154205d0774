"""OverlayFS: nothing below changes before a commit, which then writes what the overlay showed."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.diagnostics.exceptions import OverlayConflict
from keysh.testing import FileSystemConformance
from keysh.testing.conformance.kit import fails, get, names, put, tree
from keysh.testing.conformance.thread_tests import at_once
from keysh.vfs.api import FileSystem, LinkInPath
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS

if TYPE_CHECKING:
    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream


class TestOverMemory(FileSystemConformance):
    counts_subdirectories = False  # where a directory shows both sides

    @pytest.fixture
    def fs(self) -> FileSystem:
        return OverlayFS(MemoryFS())


class TestOverLocal(FileSystemConformance):
    counts_subdirectories = False

    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return OverlayFS(LocalFS(tmp_path))


class TestWithLocalUpper(FileSystemConformance):
    counts_subdirectories = False

    @pytest.fixture
    def fs(self, tmp_path: Path) -> FileSystem:
        return OverlayFS(MemoryFS(), LocalFS(tmp_path))


class TestOverSomething(FileSystemConformance):
    """The initial files of a test are below, and all its changes happen above."""

    counts_subdirectories = False
    has_inodes = False  # a copy has another number

    @pytest.fixture
    def fs(self) -> FileSystem:
        self.lower = MemoryFS()
        return OverlayFS(self.lower)

    @pytest.fixture
    def furnished_fs(self, fs: FileSystem) -> Iterator[FileSystem]:
        furnish(self.lower)
        before = picture(self.lower)
        yield fs
        assert picture(self.lower) == before


def furnish(fs: FileSystem) -> None:
    """The files of the conformance class."""
    for path in ("/dir", "/dir/sub", "/dir2", "/empty"):
        fs.make_directory(path)
    put(fs, "/file", b"text")
    put(fs, "/dir/inner", b"inside")
    for name, target in (("link", "file"), ("dirlink", "dir"), ("lost", "nowhere")):
        fs.make_link(target, f"/{name}")


def view(fs: FileSystem) -> dict[str, object]:
    """Return contents, links, modes, and which names share a file."""
    result: dict[str, object] = {}
    firsts: dict[tuple[int, int], str] = {}
    for path, content in {"/": None, **dict(sorted(tree(fs).items()))}.items():
        stat = fs.stat(path)
        first = firsts.setdefault((stat.device, stat.inode), path)
        result[path] = (content, oct(stat.mode), first, stat.links if stat.is_file else 0)
    return result


def picture(fs: FileSystem) -> dict[str, object]:
    """Return everything that could reveal an access."""
    result = {}
    for path, content in {"/": None, **tree(fs)}.items():
        stat = fs.stat(path)
        result[path] = (content, stat.mode, stat.modified, stat.changed, stat.inode, stat.links)
    return result


def times(fs: FileSystem) -> dict[str, int]:
    """When the files and directories were modified."""
    paths = ["/", *tree(fs)]
    return {path: fs.stat(path).modified for path in paths if not fs.stat(path).is_link}


# The property: an overlay always answers as a copy of the lower file system would.

PATHS = st.sampled_from(
    ["/a", "/b", "/c", "/a/a", "/a/b", "/b/a", "/b/c", "/a/b/a", "/b/c/a", "/a/b/c", "/"]
)
ACCESS = st.sampled_from(["r", "w", "a", "x", "rw"])
DATA = st.binary(max_size=3)
SLOTS = st.integers(0, 2)
ACTS = st.one_of(
    st.tuples(st.just("put"), PATHS, DATA),
    st.tuples(st.just("put"), PATHS, DATA),
    st.tuples(st.just("make_directory"), PATHS),
    st.tuples(st.just("make_directory"), PATHS),
    st.tuples(st.just("make_link"), st.sampled_from(["a", "b/c"]), PATHS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("remove_directory"), PATHS),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("rename"), PATHS, PATHS),
    st.tuples(st.just("link"), PATHS, PATHS),
    st.tuples(st.just("set_mode"), PATHS, st.sampled_from([0o700, 0o755, 0o640])),
    st.tuples(st.just("set_times"), PATHS, st.just(1), st.integers(1, 9)),
    st.tuples(st.just("list"), PATHS),
    st.tuples(st.just("stat"), PATHS),
    st.tuples(st.just("read_link"), PATHS),
    st.tuples(st.just("hold"), SLOTS, PATHS, ACCESS),
    st.tuples(st.just("hold"), SLOTS, PATHS, ACCESS),
    st.tuples(st.just("read"), SLOTS, st.integers(-1, 2)),
    st.tuples(st.just("write"), SLOTS, DATA),
    st.tuples(st.just("write"), SLOTS, DATA),
    st.tuples(st.just("seek"), SLOTS, st.integers(0, 3)),
    st.tuples(st.just("truncate"), SLOTS, st.integers(0, 3)),
)


class Hand:
    """Performs operations on a file system and records results; has up to three open files."""

    def __init__(self, fs: FileSystem) -> None:
        self.fs = fs
        self.held: dict[int, Stream] = {}

    def do(self, verb: str, *arguments: object) -> object:
        try:
            return getattr(self if hasattr(self, verb) else self.fs, verb)(*arguments)
        except OSError as error:
            # The message for a wrong mode is up to the stream.
            return errno.errorcode[error.errno or (errno.EBADF if verb == "read" else errno.EINVAL)]
        except LinkInPath as link:
            return (link.path, link.target, link.rest)

    def put(self, path: str, data: bytes) -> None:
        put(self.fs, path, data)

    def list(self, path: str) -> list[str]:
        return names(self.fs, path)

    def stat(self, path: str) -> tuple[int, int]:
        stat = self.fs.stat(path)
        return stat.mode, stat.size if stat.is_file else 0

    def hold(self, slot: int, path: str, access: Access) -> None:
        stream = self.fs.open(path, access)
        self.release(slot)
        self.held[slot] = stream

    def release(self, slot: int) -> None:
        if slot in self.held:
            self.held.pop(slot).close()

    def let_go(self) -> None:
        for slot in [*self.held]:
            self.release(slot)

    def read(self, slot: int, size: int) -> bytes | None:
        return self.held[slot].read(size) if slot in self.held else None

    def write(self, slot: int, data: bytes) -> int | None:
        return self.held[slot].write(data) if slot in self.held else None

    def seek(self, slot: int, place: int) -> int | None:
        return self.held[slot].seek(place) if slot in self.held else None

    def truncate(self, slot: int, size: int) -> int | None:
        return self.held[slot].truncate(size) if slot in self.held else None


def check_against_copy(
    lower: FileSystem, upper: FileSystem, first: list[tuple], then: list[tuple]
) -> None:
    below, reference = Hand(lower), Hand(MemoryFS())
    for act in first:
        assert below.do(*act) == reference.do(*act)
    below.let_go()
    reference.let_go()
    before, view_before = picture(lower), view(lower)
    overlay = OverlayFS(lower, upper, by_content=True)
    hand = Hand(overlay)
    for act in then:
        assert hand.do(*act) == reference.do(*act), act
    assert view(overlay) == view(reference.fs)
    hand.let_go()
    reference.let_go()
    expected, expected_times = view(overlay), times(overlay)
    assert view(reference.fs) == expected
    assert applied(view_before, overlay) == {path: seen[:2] for path, seen in expected.items()}
    assert picture(lower) == before
    overlay.commit()
    assert overlay.diff() == []
    assert view(lower) == expected
    assert view(overlay) == expected
    assert times(lower) == expected_times


def applied(before: dict[str, tuple], overlay: OverlayFS) -> dict[str, tuple]:
    """Return the contents and modes that the list of changes implies."""
    result = {path: seen[:2] for path, seen in before.items()}
    now = view(overlay)
    for change in overlay.diff():
        if change.action == "removed":
            del result[change.path]
        else:
            assert (change.path in result) == (change.action == "changed")
            result[change.path] = now[change.path][:2]
    return result


FIRST = st.lists(ACTS, max_size=12).map(lambda acts: [act for act in acts if act[0] != "link"])


@pytest.fixture(autouse=True, scope="module")
def no_umask() -> Iterator[None]:
    """The umask of the process must not affect the requested permissions."""
    mask = os.umask(0)
    yield
    os.umask(mask)


@settings(max_examples=300)
@given(first=FIRST, then=st.lists(ACTS, max_size=20))
def test_answers_as_a_copy_would(first: list[tuple], then: list[tuple]) -> None:
    check_against_copy(MemoryFS(), MemoryFS(), first, then)


@pytest.mark.skipif(os.geteuid() != 0, reason="modes keep all others out of the real directories")
@settings(max_examples=60)
@given(first=FIRST, then=st.lists(ACTS, max_size=20))
def test_answers_as_a_copy_would_on_disk(first: list[tuple], then: list[tuple]) -> None:
    with tempfile.TemporaryDirectory() as lower, tempfile.TemporaryDirectory() as upper:
        os.chmod(lower, 0o755)
        check_against_copy(LocalFS(lower), LocalFS(upper), first, then)


@pytest.fixture
def lower() -> MemoryFS:
    fs = MemoryFS()
    furnish(fs)
    return fs


@pytest.fixture
def overlay(lower: MemoryFS) -> OverlayFS:
    return OverlayFS(lower)


def told(overlay: OverlayFS) -> list[tuple[str, str, str]]:
    return [(change.action, change.path, change.what) for change in overlay.diff()]


LONG_AGO = 1_000_000_000_000_000_000

CHANGES = (
    "make_directory", "remove_directory", "remove", "rename", "link", "make_link", "set_mode",
    "set_times",
)  # fmt: skip


class Watched(FileSystem):
    """Wraps a file system and announces each operation before it happens."""

    def __init__(self, inner: FileSystem, before: Callable[[str, str], object]) -> None:
        self.inner, self.before = inner, before


def watched(verb: str) -> Callable[..., object]:
    def act(self: Watched, path: str, *arguments: object) -> object:
        is_change = verb in CHANGES or (verb == "open" and arguments[:1] not in ((), ("r",)))
        self.before("change" if is_change else verb, path)
        return getattr(self.inner, verb)(path, *arguments)

    return act


for each in ("stat", "list", "open", "read_link", *CHANGES):
    setattr(Watched, each, watched(each))


class TestDifference:
    def test_reading_changes_nothing(self, overlay: OverlayFS) -> None:
        view(overlay)
        with overlay.open("/file", "a"), overlay.open("/dir/inner", "rw") as stream:
            stream.read()
        assert told(overlay) == []

    def test_changes_list_each_path(self, overlay: OverlayFS) -> None:
        put(overlay, "/dir/sub/new")
        put(overlay, "/file", b"other")
        overlay.remove("/link")
        overlay.set_mode("/dir2", 0o700)
        overlay.make_directory("/made")
        overlay.make_link("x", "/made/link")
        assert told(overlay) == [
            ("added", "/dir/sub/new", "file"),
            ("changed", "/dir2", "directory"),
            ("changed", "/file", "file"),
            ("removed", "/link", "link"),
            ("added", "/made", "directory"),
            ("added", "/made/link", "link"),
        ]

    def test_changed_kind_is_a_removal_and_an_addition(self, overlay: OverlayFS) -> None:
        overlay.remove("/dir/inner")
        overlay.remove_directory("/dir/sub")
        overlay.remove_directory("/dir")
        put(overlay, "/dir")
        assert told(overlay) == [
            ("removed", "/dir", "directory"),
            ("added", "/dir", "file"),
            ("removed", "/dir/inner", "file"),
            ("removed", "/dir/sub", "directory"),
        ]

    def test_identical_content_is_no_change(self, overlay: OverlayFS) -> None:
        stat = overlay.stat("/file")
        put(overlay, "/file", b"other")
        put(overlay, "/file", b"text")
        overlay.set_times("/file", stat.accessed, stat.modified)
        overlay.rename("/dir", "/moved")
        overlay.rename("/moved", "/dir")
        put(overlay, "/brief")
        overlay.remove("/brief")
        overlay.set_mode("/dir2", 0o700)
        overlay.set_mode("/dir2", 0o777)
        assert told(overlay) == []

    def test_same_size_and_time_do_not_hide_a_change(self, overlay: OverlayFS) -> None:
        stat = overlay.stat("/file")
        put(overlay, "/file", b"TEXT")
        overlay.set_times("/file", stat.accessed, stat.modified)
        assert told(overlay) == [("changed", "/file", "file")]

    def test_reset_discards_all_changes(self, lower: MemoryFS, overlay: OverlayFS) -> None:
        before = view(overlay)
        overlay.rename("/dir", "/moved")
        overlay.remove("/file")
        overlay.set_mode("/", 0o700)
        overlay.reset()
        assert told(overlay) == []
        assert view(overlay) == before
        put(lower, "/later")
        assert "later" in names(overlay)


class TestCopying:
    def test_reading_copies_nothing(self, lower: MemoryFS) -> None:
        upper = MemoryFS()
        overlay = OverlayFS(lower, upper)
        for access in ("r", "a", "rw"):
            overlay.open("/dir/inner", access).close()
        assert tree(upper) == {}
        with overlay.open("/dir/inner", "a") as stream:
            stream.write(b"!")
        assert tree(upper) == {"/dir": None, "/dir/inner": b"inside!"}

    @pytest.mark.parametrize("by_content", [False, True])
    def test_truncating_and_removing_copy_nothing(self, lower: MemoryFS, by_content: bool) -> None:
        for path in ("/file", "/dir/inner"):
            lower.set_times(path, LONG_AGO, LONG_AGO)
        opened: list[str] = []
        watched = Watched(lower, lambda verb, path: opened.append(path) if verb == "open" else None)
        overlay = OverlayFS(watched, by_content=by_content)
        put(overlay, "/file", b"other")
        overlay.remove("/dir/inner")
        assert opened == (["/file", "/dir/inner"] if by_content else [])

    def test_open_streams_see_the_change(self, overlay: OverlayFS) -> None:
        with overlay.open("/file") as reading, overlay.open("/file", "a") as writing:
            assert reading.read(2) == b"te"
            writing.write(b"+")
            assert reading.read() == b"xt+"
            put(overlay, "/file", b"new text")
            assert reading.read() == b"ext"
            assert reading.tell() == 8

    def test_failed_copy_up_leaves_no_partial_file(self, lower: MemoryFS) -> None:
        put(lower, "/big", b"x" * 1000)
        overlay = OverlayFS(lower, MemoryFS(max_bytes=100))
        with overlay.open("/big", "a") as stream, pytest.raises(OSError, match="No space"):
            stream.write(b"!")
        assert get(overlay, "/big") == b"x" * 1000
        assert told(overlay) == []

    def test_changed_name_is_separated_from_its_hard_links(self, lower: MemoryFS) -> None:
        lower.link("/file", "/twin")
        overlay = OverlayFS(lower)
        put(overlay, "/file", b"mine")
        assert get(overlay, "/twin") == b"text"

    def test_special_files_are_not_copied(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        overlay = OverlayFS(LocalFS(tmp_path))
        with fails(errno.EPERM, "/fifo", "/other"):
            overlay.rename("/fifo", "/other")
        with fails(errno.EACCES, "/fifo"):
            overlay.open("/fifo", "w")
        overlay.remove("/fifo")
        assert told(overlay) == [("removed", "/fifo", "other")]
        overlay.commit()
        assert os.listdir(tmp_path) == []

    def test_files_have_no_real_path(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        assert LocalFS(tmp_path).real_path("/file")
        assert OverlayFS(LocalFS(tmp_path)).real_path("/file") is None

    def test_deep_tree_can_be_renamed(self, lower: MemoryFS, overlay: OverlayFS) -> None:
        path = "/dir2"
        for _ in range(1500):
            path += "/d"
            lower.make_directory(path)
        overlay.rename("/dir2", "/moved")
        assert overlay.stat(path.replace("/dir2", "/moved")).is_directory
        overlay.commit()
        assert lower.stat(path.replace("/dir2", "/moved")).is_directory


def rework(fs: FileSystem) -> None:
    """Many changes, of all kinds."""
    put(fs, "/file", b"other")
    fs.set_mode("/dir/inner", 0o600)
    fs.rename("/dir/inner", "/moved")
    fs.remove_directory("/dir/sub")
    put(fs, "/dir/sub", b"was a directory")
    fs.remove("/link")
    fs.make_directory("/link")
    put(fs, "/link/below", b"was a link")
    fs.make_directory("/link/deep")
    put(fs, "/link/deep/new", b"new")
    fs.link("/link/deep/new", "/twin")
    fs.remove("/lost")
    fs.make_link("elsewhere", "/lost")
    fs.remove_directory("/empty")
    fs.rename("/dir2", "/empty")
    fs.set_mode("/dir", 0o700)


class TestCommit:
    def test_commit_writes_what_the_overlay_showed(
        self, lower: MemoryFS, overlay: OverlayFS
    ) -> None:
        rework(overlay)
        expected, changes = view(overlay), told(overlay)
        answered = [(change.action, change.path, change.what) for change in overlay.commit()]
        assert answered == changes
        assert view(lower) == expected
        assert told(overlay) == []

    def test_commit_without_changes_writes_nothing(self, lower: MemoryFS) -> None:
        changes: list[str] = []
        fs = Watched(lower, lambda verb, path: changes.append(path) if verb == "change" else None)
        overlay = OverlayFS(fs)
        overlay.open("/file", "a").close()
        overlay.rename("/file", "/new")
        overlay.rename("/new", "/file")
        overlay.commit()
        assert set(changes) <= {"/"}  # the time of the directory

    def test_commit_of_a_mode_keeps_the_file(self, lower: MemoryFS, overlay: OverlayFS) -> None:
        inode = lower.stat("/file").inode
        overlay.set_mode("/file", 0o755)
        overlay.commit()
        assert (lower.stat("/file").inode, lower.stat("/file").mode & 0o777) == (inode, 0o755)

    def test_commit_of_a_hard_link_to_an_unchanged_file(
        self, lower: MemoryFS, overlay: OverlayFS
    ) -> None:
        inode = lower.stat("/file").inode
        overlay.link("/file", "/a-twin")
        overlay.link("/file", "/z-twin")
        overlay.commit()
        assert {lower.stat(path).inode for path in ("/a-twin", "/file", "/z-twin")} == {inode}

    def test_commit_copies_where_hard_links_are_unsupported(self, lower: MemoryFS) -> None:
        class Linkless(Watched):
            link = FileSystem.link

        overlay = OverlayFS(Linkless(lower, lambda verb, path: None))
        overlay.link("/file", "/twin")
        overlay.commit()
        assert get(lower, "/twin") == b"text"
        assert lower.stat("/twin").links == 1

    def test_commit_keeps_times(self, lower: MemoryFS, overlay: OverlayFS) -> None:
        put(overlay, "/dir/new")
        for path in ("/file", "/dir/new", "/dir2"):
            overlay.set_times(path, 5, 7)
        overlay.commit()
        for path in ("/file", "/dir/new", "/dir2"):
            assert (lower.stat(path).accessed, lower.stat(path).modified) == (5, 7)

    @pytest.mark.parametrize("error", [OSError(errno.EIO, "broken"), KeyboardInterrupt()])
    def test_commit_can_be_interrupted_anywhere(self, error: BaseException) -> None:
        """Each change below fails once in turn; then the commit is repeated."""
        turn = 0
        while self.interrupt(turn, error):
            turn += 1
        assert turn > 30

    def interrupt(self, turn: int, error: BaseException) -> bool:
        """Whether there was a change number `turn` that could fail."""
        fs = MemoryFS()
        furnish(fs)
        counted: list[str] = []

        def count(verb: str, path: str) -> None:
            if verb == "change":
                counted.append(path)
                if len(counted) == turn + 1:
                    raise error

        overlay = OverlayFS(Watched(fs, count))
        rework(overlay)
        before, expected = view(fs), view(overlay)
        try:
            overlay.commit()
        except type(error):
            pass
        else:
            return False
        now = tree(fs)
        assert not [path for path in now if ".keysh-commit" in path]
        contents = lambda seen: {path: each[0] for path, each in seen.items()}  # noqa: E731
        for path, content in now.items():
            assert content in (contents(before).get(path, ...), contents(expected).get(path, ...))
        assert b"inside" in now.values()  # on its way from /dir/inner to /moved
        if ".keysh-commit" in counted[turn]:
            staged = [path for path in counted[:turn] if ".keysh-commit" not in path]
            assert staged or view(fs) == before
        overlay.commit()
        assert view(fs) == expected
        return True


# Changes below by others after the overlay was changed, and where they conflict.
MEANWHILE: dict[str, tuple[Callable[[FileSystem], object], list[str]]] = {
    "nothing": (lambda fs: None, []),
    "elsewhere": (lambda fs: put(fs, "/dir2/other"), []),
    "beside": (lambda fs: put(fs, "/dir/other"), []),
    "changed": (lambda fs: put(fs, "/file", b"theirs"), ["/file"]),
    "same size": (lambda fs: put(fs, "/file", b"TEXT"), ["/file"]),
    "mode": (lambda fs: fs.set_mode("/file", 0o600), ["/file"]),
    "gone": (lambda fs: fs.remove("/file"), ["/file"]),
    "replaced": (lambda fs: (fs.remove("/file"), fs.make_directory("/file")), ["/file"]),
    "removed file changed": (lambda fs: put(fs, "/dir/inner", b"theirs"), ["/dir/inner"]),
    "new name taken": (lambda fs: put(fs, "/new"), ["/new"]),
    "link": (lambda fs: (fs.remove("/link"), fs.make_link("dir2", "/link")), ["/link"]),
    "put into a removed directory": (lambda fs: put(fs, "/empty/new"), ["/empty/new"]),
    "directory gone": (lambda fs: (fs.remove("/dir/inner"), fs.remove_directory("/dir/sub"),
                                   fs.remove_directory("/dir")), ["/dir"]),
    "the same done": (lambda fs: fs.remove("/link"), []),
}  # fmt: skip


class TestConflict:
    @pytest.mark.parametrize("age", [0, 1_000_000_000_000])
    @pytest.mark.parametrize("act", MEANWHILE)
    def test_conflict_is_found_and_nothing_is_written(
        self, lower: MemoryFS, act: str, age: int
    ) -> None:
        for path in tree(lower):
            stat = lower.stat(path)
            lower.set_times(path, stat.accessed, stat.modified - age)
        overlay = OverlayFS(lower)
        put(overlay, "/file", b"ours")
        overlay.remove("/dir/inner")
        put(overlay, "/new", b"ours")
        overlay.remove("/link")
        overlay.remove_directory("/empty")
        put(overlay, "/dir/made")
        meanwhile, conflicts = MEANWHILE[act]
        meanwhile(lower)
        before = picture(lower)
        if not conflicts:
            overlay.commit()
            assert get(lower, "/file") == b"ours"
            return
        with pytest.raises(OverlayConflict) as caught:
            overlay.commit()
        assert caught.value.paths == conflicts
        assert picture(lower) == before
        assert get(overlay, "/file") == b"ours"

    @pytest.mark.parametrize("by_content", [False, True])
    def test_conflict_is_found_without_a_changed_time(self, by_content: bool) -> None:
        lower = MemoryFS({"/file": "text"}, clock=lambda: LONG_AGO)
        overlay = OverlayFS(lower, by_content=by_content)
        put(overlay, "/file", b"ours")
        put(lower, "/file", b"TEXT")
        if by_content:
            with pytest.raises(OverlayConflict, match="/file"):
                overlay.commit()
        else:
            overlay.commit()  # it cannot know

    def test_reset_resolves_conflicts(self, lower: MemoryFS, overlay: OverlayFS) -> None:
        put(overlay, "/file", b"ours")
        put(lower, "/file", b"theirs")
        overlay.reset()
        put(overlay, "/file", b"ours again")
        overlay.commit()
        assert get(lower, "/file") == b"ours again"


def test_threads_copy_up_once(lower: MemoryFS, overlay: OverlayFS) -> None:
    put(lower, "/log", b"begin ")

    def work(number: int) -> None:
        with overlay.open("/log", "a") as stream:
            for _ in range(20):
                stream.write(b"%d " % number)

    assert at_once(work) == [None] * 8
    written = get(overlay, "/log").split()
    assert sorted(written) == sorted([b"begin", *(b"%d" % n for n in range(8) for _ in range(20))])
    assert get(lower, "/log") == b"begin "
