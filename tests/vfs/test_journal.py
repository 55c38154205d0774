"""The journal: what it lists, keeps and restores, and when it refuses."""

from __future__ import annotations

import os
import stat as kinds
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from keysh import ContentLost, UndoConflict
from keysh.testing.conformance.kit import get, put, tree
from keysh.vfs.api import FileSystem, Stat
from keysh.vfs.journal.changes import FileChanges, joined_changes
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.directory_contents import DirectoryContents
from keysh.vfs.journal.file_journal import FileJournal
from keysh.vfs.journal.recent import is_within_tick
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router
from keysh.vfs.sqlite.filesystem import SqliteFS

MAKERS: dict[str, Callable[[Path], FileSystem]] = {
    "memory": lambda _: MemoryFS(),
    "still clock": lambda _: MemoryFS(clock=lambda: 5),
    "local": LocalFS,
    "coarse clock": lambda folder: CoarseFS(folder),
    "overlay": lambda folder: OverlayFS(LocalFS(folder)),
    "sqlite": lambda folder: SqliteFS(folder / "files.db"),
}


class Case:
    """A file system with some files, and a journal of its runs."""

    def __init__(self, fs: FileSystem, contents: ContentStore | None = None) -> None:
        self.fs = fs
        fs.make_directory("/d")
        put(fs, "/d/f", b"old")
        put(fs, "/g", b"other")
        self.router = Router(fs)
        self.journal = FileJournal(self.router, contents)

    def run(self, act: Callable[[Router], object]) -> FileChanges:
        self.journal.begin()
        act(self.router)
        return self.journal.end()


@pytest.fixture(params=MAKERS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(MAKERS[request.param](tmp_path))


def listed(changes: FileChanges, *, times: bool = False) -> list[tuple[str, ...]]:
    return [
        (each.kind, each.path, *([each.moved_from] if each.moved_from else []))
        for each in changes.list(times=times)
    ]


# ---------------------------------------------------------------- what is listed


def test_kinds_of_changes(case: Case) -> None:
    def act(fs: Router) -> None:
        put(fs, "/new", b"")
        put(fs, "/d/f", b"changed")
        fs.set_mode("/g", 0o600)
        fs.make_link("x", "/link")

    assert listed(case.run(act)) == [
        ("changed", "/d/f"), ("mode", "/g"), ("created", "/link"), ("created", "/new"),
    ]  # fmt: skip
    changes = case.run(lambda fs: fs.rename("/d", "/e"))
    assert listed(changes) == [("moved", "/e", "/d")]
    assert case.journal.contents.bytes_used <= 3  # a move copies nothing
    assert listed(case.run(lambda fs: fs.remove("/g"))) == [("removed", "/g")]
    assert not case.run(lambda fs: get(fs, "/e/f"))
    assert not case.run(lambda fs: fs.set_mode("/e/f", kinds.S_IMODE(fs.stat("/e/f").mode)))


def test_rewriting_the_same_is_a_change_of_times(case: Case) -> None:
    changes = case.run(lambda fs: put(fs, "/g", b"other"))
    assert listed(changes) == []
    changes = case.run(lambda fs: fs.set_times("/g", 1000, 2000))
    assert (listed(changes), listed(changes, times=True)) == ([], [("times", "/g")])
    case.journal.restore(changes)
    assert case.fs.stat("/g").modified != 2000


def test_what_changed_in_a_directory_that_was_moved(case: Case) -> None:
    put(case.fs, "/d/same", b"1")
    put(case.fs, "/d/gone", b"2")

    def act(fs: Router) -> None:
        fs.rename("/d", "/e")
        put(fs, "/e/f", b"changed")
        put(fs, "/e/new", b"3")
        fs.remove("/e/gone")

    changes = case.run(act)
    if isinstance(case.fs, MemoryFS | LocalFS | SqliteFS):
        assert listed(changes) == [
            ("removed", "/d/gone"), ("moved", "/e", "/d"), ("changed", "/e/f"),
            ("created", "/e/new"),
        ]  # fmt: skip
    case.journal.restore(changes)
    assert tree(case.fs) == {
        "/d": None, "/d/f": b"old", "/d/same": b"1", "/d/gone": b"2", "/g": b"other",
    }  # fmt: skip


def test_diff_and_record(case: Case) -> None:
    def act(fs: Router) -> None:
        put(fs, "/d/f", b"old\nmore")
        put(fs, "/g", b"\0")
        fs.make_directory("/e")

    text, made, binary = case.run(act).list()
    assert text.diff() == (
        "--- /d/f\n+++ /d/f\n@@ -1 +1,2 @@\n-old\n\\ No newline at end of file\n"
        "+old\n+more\n\\ No newline at end of file\n"
    )
    assert binary.diff() == "Binary files /g and /g differ\n"
    assert made.diff().startswith("new file mode 040")
    record = text.record()
    assert (record["kind"], record["before"]["size"], record["after"]["size"]) == ("changed", 3, 8)
    assert (
        record["before"]["sha256"].startswith("43a9ff5e") or len(record["before"]["sha256"]) == 64
    )


# ---------------------------------------------------------------- somebody else


def write(path: str, content: bytes) -> Callable[[FileSystem], object]:
    return lambda fs: put(fs, path, content)


def write_and_set_back(fs: FileSystem) -> None:
    """Change a content, but neither size nor time."""
    before = fs.stat("/d/f")
    put(fs, "/d/f", b"NEW")
    fs.set_times("/d/f", before.accessed, before.modified)


def replace(fs: FileSystem) -> None:
    """Put another file with the same content and time in the same place."""
    before = fs.stat("/d/f")
    put(fs, "/other", get(fs, "/d/f"))
    fs.set_times("/other", before.accessed, before.modified)
    fs.rename("/other", "/d/f")


def link_in_the_way(fs: FileSystem) -> None:
    fs.rename("/d", "/away")
    fs.make_link("away", "/d")


INTERFERENCES: dict[str, tuple[Callable[[FileSystem], object], str]] = {
    "content": (write("/d/f", b"theirs"), "/d/f"),
    "content, time set back": (write_and_set_back, "/d/f"),
    "mode": (lambda fs: fs.set_mode("/d/f", 0o640), "/d/f"),
    "replaced": (replace, "/d/f"),
    "removed": (lambda fs: fs.remove("/d/f"), "/d/f"),
    "created": (write("/gone", b"theirs"), "/gone"),
    "in a new directory": (write("/made/theirs", b""), "/made/theirs"),
    "a directory became a link": (link_in_the_way, "/d/f"),
    "hard link": (lambda fs: fs.link("/d/f", "/theirs"), "/d/f"),
}


@pytest.mark.parametrize("name", INTERFERENCES)
def test_nothing_is_changed_if_somebody_else_was_there(case: Case, name: str) -> None:
    put(case.fs, "/gone", b"1")

    def act(fs: Router) -> None:
        put(fs, "/d/f", b"new")
        fs.remove("/gone")
        fs.make_directory("/made")
        put(fs, "/last", b"2")

    changes = case.run(act)
    interfere, path = INTERFERENCES[name]
    interfere(case.fs)
    before = tree(case.fs)
    if name == "hard link" and case.fs.stat("/g").changed % 1000 in (0, 5):
        pytest.skip("only a clock that goes on tells of a new name")
    with pytest.raises(UndoConflict) as caught:
        case.journal.restore(changes)
    assert path in caught.value.paths
    assert tree(case.fs) == before


class CoarseFS(LocalFS):
    """A directory whose clock ticks once in two seconds, as that of FAT."""

    def stat(self, path: str) -> Stat:
        stat = super().stat(path)
        stat.modified -= stat.modified % 2_000_000_000
        stat.changed -= stat.changed % 2_000_000_000
        return stat


@pytest.fixture(params=[LocalFS, CoarseFS])
def attempts(request: pytest.FixtureRequest, tmp_path: Path) -> list[Case]:
    """Cases in directories of their own: whether a tick of the clock passes is chance."""
    folders = [tmp_path / str(number) for number in range(20)]
    for folder in folders:
        folder.mkdir()
    return [Case(request.param(folder)) for folder in folders]


def test_a_change_within_a_tick_of_the_clock_is_seen(attempts: list[Case]) -> None:
    """Also if size and time are the same: the fingerprints of the file are equal then."""
    for case in attempts:
        changes = case.run(write("/d/f", b"new"))
        write_and_set_back(case.fs)
        with pytest.raises(UndoConflict):
            case.journal.restore(changes)
        assert get(case.fs, "/d/f") == b"NEW"


def test_a_change_within_a_tick_between_two_runs_is_theirs(attempts: list[Case]) -> None:
    """What the second run began with is not taken for what the first one has left."""
    for case in attempts:
        first = case.run(write("/d/f", b"new"))
        write_and_set_back(case.fs)
        second = case.run(write("/d/f", b"own"))
        with pytest.raises(UndoConflict, match="/d/f"):
            joined_changes([first, second])
        case.journal.restore(second)
        assert get(case.fs, "/d/f") == b"NEW"
        with pytest.raises(UndoConflict, match="/d/f"):
            case.journal.restore(first)
        assert get(case.fs, "/d/f") == b"NEW"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no clock tells of ticks")
def test_a_tick_is_far_shorter_than_a_second() -> None:
    """Else the contents of all files that a run has written would be read again at its end."""
    second_ago = time.time_ns() - 1_000_000_000
    assert not is_within_tick(second_ago | 1)
    assert is_within_tick(second_ago - second_ago % 1_000_000_000)  # as FAT has it
    assert is_within_tick(time.time_ns() | 1)


def test_two_runs_within_a_tick_are_two_changes(case: Case) -> None:
    runs = [case.run(write("/g", bytes([65 + number]))) for number in range(20)]
    assert [listed(run) for run in runs] == [[("changed", "/g")]] * 20
    for number, run in reversed([*enumerate(runs)]):
        case.journal.restore(run)
        assert get(case.fs, "/g") == (bytes([64 + number]) if number else b"other")
    case.journal.restore(joined_changes(runs), "after")
    assert get(case.fs, "/g") == b"T"


def test_runs_with_a_change_in_between_are_not_joined(case: Case) -> None:
    first = case.run(write("/g", b"1"))
    put(case.fs, "/g", b"theirs")
    second = case.run(write("/g", b"2"))
    with pytest.raises(UndoConflict, match="/g"):
        joined_changes([first, second])
    case.journal.restore(second)
    assert get(case.fs, "/g") == b"theirs"
    with pytest.raises(UndoConflict, match="/g"):
        case.journal.restore(first)


def test_unrelated_new_files_are_no_conflict_and_keep_their_directory(case: Case) -> None:
    changes = case.run(write("/d/f", b"new"))
    put(case.fs, "/d/theirs", b"1")
    case.journal.restore(changes)
    assert (get(case.fs, "/d/f"), get(case.fs, "/d/theirs")) == (b"old", b"1")


def test_a_failure_takes_everything_back() -> None:
    class Failing(MemoryFS):
        fails = False

        def link(self, existing: str, path: str) -> None:
            if self.fails:
                raise OSError(28, "No space left on device", path)
            super().link(existing, path)

    fs = Failing()
    case = Case(fs)
    fs.link("/g", "/h")

    def act(fs: Router) -> None:
        fs.remove("/g")
        fs.remove("/h")
        put(fs, "/d/f", b"new")
        put(fs, "/added", b"1")

    changes = case.run(act)
    before = tree(fs)
    fs.fails = True
    with pytest.raises(OSError, match="No space"):
        case.journal.restore(changes)
    assert tree(fs) == before
    fs.fails = False
    case.journal.restore(changes)
    assert fs.stat("/g").inode == fs.stat("/h").inode
    assert tree(fs) == {"/d": None, "/d/f": b"old", "/g": b"other", "/h": b"other"}


# ---------------------------------------------------------------- links and open files


def test_a_removed_name_is_linked_again_to_one_that_was_not_touched(case: Case) -> None:
    case.fs.link("/d/f", "/name")
    changes = case.run(lambda fs: fs.remove("/d/f"))
    case.journal.restore(changes)
    assert case.fs.stat("/d/f").inode == case.fs.stat("/name").inode
    put(case.fs, "/d/f", b"both")
    assert get(case.fs, "/name") == b"both"


def test_other_names_of_a_file_are_listed(case: Case) -> None:
    case.fs.link("/d/f", "/name")
    changes = case.run(write("/d/f", b"both"))
    assert listed(changes) == [("changed", "/d/f"), ("changed", "/name")]


def test_a_file_that_an_earlier_run_left_open(case: Case) -> None:
    streams = []
    case.run(lambda fs: streams.append(fs.open("/g", "a")))
    moved = case.run(lambda fs: fs.rename("/g", "/h"))
    changes = case.run(lambda _: streams[0].write(b"!"))
    assert listed(changes) == [("changed", "/h")]
    case.journal.restore(changes)
    case.journal.restore(moved)
    changes = case.run(lambda _: streams[0].write(b"?"))
    assert changes.is_complete
    assert [path for _, path in listed(changes)] in ([], ["/g"])
    case.journal.restore(changes)
    assert get(case.fs, "/g") == b"other"
    streams[0].close()


def test_read_only_files_and_directories_are_restored(tmp_path: Path) -> None:
    fs = MemoryFS(enforce_modes=True)
    case = Case(fs)

    def act(router: Router) -> None:
        put(router, "/d/f", b"new")
        router.set_mode("/d/f", 0o400)
        router.set_mode("/d", 0o500)

    changes = case.run(act)
    case.journal.restore(changes)
    assert get(fs, "/d/f") == b"old"
    case.journal.restore(changes, "after")
    assert kinds.S_IMODE(fs.stat("/d").mode) == 0o500
    case.journal.restore(changes)


# ---------------------------------------------------------------- mounts


def test_mounts_are_noticed(tmp_path: Path) -> None:
    case = Case(MemoryFS())
    case.router.mount("/m", LocalFS(tmp_path))
    case.router.mount("/r", ReadOnlyFS(MemoryFS()))
    changes = case.run(lambda fs: put(fs, "/m/x", b"1"))
    assert listed(changes) == [("created", "/m/x")]
    case.journal.restore(changes)
    assert [*tmp_path.iterdir()] == []
    changes = case.run(lambda fs: fs.mount("/n", MemoryFS()))
    assert changes.reasons == ["/n was mounted during the run"]
    assert not case.run(lambda fs: fs.unmount("/n")).reasons


def test_the_router_is_the_same_without_a_journal(tmp_path: Path) -> None:
    fs = LocalFS(tmp_path)
    case = Case(fs)
    case.journal.begin()
    assert case.router.locate("/g")[0] is fs
    assert case.router.mounts == {"/": fs}
    case.journal.end()
    put(case.router, "/g", b"by the host")  # between runs
    assert not case.run(lambda _: None)


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("name", ["memory", "local"])
def test_what_does_not_fit_is_reported(name: str, tmp_path: Path) -> None:
    case = Case(MAKERS[name](tmp_path), ContentStore(10))
    put(case.fs, "/large", b"x" * 20)

    def act(fs: Router) -> None:
        fs.remove("/large")
        put(fs, "/g", b"new")

    changes = case.run(act)
    assert not changes.is_complete
    assert [*changes.lost] == ["/large"]
    assert "no room for 20 bytes" in changes.lost["/large"]
    before = tree(case.fs)
    with pytest.raises(ContentLost, match=r"/large: .*20 bytes.*limit is 10"):
        case.journal.restore(changes)
    assert tree(case.fs) == before


@pytest.mark.parametrize("name", ["memory", "local"])
def test_room_is_made_and_given_back(name: str, tmp_path: Path) -> None:
    runs: list[FileChanges] = []
    contents = ContentStore(12, lambda missing: runs.pop(0) if runs else None)
    case = Case(MAKERS[name](tmp_path), contents)
    for number in range(6):
        runs.append(case.run(write("/g", bytes([48 + number]) * 5)))
        assert runs[-1].is_complete
        assert contents.bytes_used <= 12
    runs.clear()
    case.run(lambda _: None)
    assert contents.bytes_used == 0


def test_contents_in_a_directory(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "kept").mkdir()
    contents = DirectoryContents(tmp_path / "kept", 1000)
    case = Case(LocalFS(tmp_path / "files"), contents)
    changes = case.run(write("/g", b"new" * 100))
    assert contents.bytes_used == 5
    assert [path.read_bytes() for path in Path(contents.directory).iterdir()] == [b"other"]
    assert os.stat(contents.directory).st_mode & 0o077 == 0
    case.journal.restore(changes)
    assert get(case.fs, "/g") == b"other"
    case.journal.restore(changes, "after")
    assert get(case.fs, "/g") == b"new" * 100
    lost = case.run(lambda fs: [put(fs, "/big", b"x" * 2000), fs.remove("/g")])
    assert lost.is_complete
    lost = case.run(lambda fs: fs.remove("/big"))
    assert "no room for 2000 bytes" in lost.lost["/big"]
    del changes, lost, case, contents
    assert [*(tmp_path / "kept").iterdir()] == []
