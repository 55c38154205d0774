"""The journal of an overlay: what its lower file system showed before a run, and who changes it."""

from __future__ import annotations

import copy
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from keysh import ContentLost, UndoConflict
from keysh.interp.run.control_flow import LimitReached
from keysh.testing.conformance.kit import get, put, tree
from keysh.vfs.api import FileSystem
from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.file_journal import FileJournal
from keysh.vfs.journal.overlay_journal import OverlayJournal
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.router import Router

LOWERS: dict[str, Callable[[Path], FileSystem]] = {
    "local": LocalFS,
    "memory": lambda _: MemoryFS(),
    "overlay": lambda folder: OverlayFS(LocalFS(folder)),
}


class Case:
    """An overlay over a directory with files, and a journal of its runs."""

    def __init__(self, lower: FileSystem, contents: ContentStore | None = None) -> None:
        self.lower = lower
        lower.make_directory("/d")
        put(lower, "/d/f", b"old")
        put(lower, "/g", b"other")
        self.fs = OverlayFS(lower)
        self.router = Router(self.fs)
        self.journal = FileJournal(self.router, contents)
        self.before = tree(self.fs)

    @contextmanager
    def run(self) -> Iterator[list[FileChanges]]:
        """Do what is in the block in a run; its changes are in the list afterwards."""
        changes: list[FileChanges] = []
        self.journal.begin()
        yield changes
        changes.append(self.journal.end())


@pytest.fixture(params=LOWERS)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(LOWERS[request.param](tmp_path))


def listed(changes: FileChanges) -> list[tuple[str, str]]:
    return [(each.kind, each.path) for each in changes]


ACTS: dict[str, tuple[Callable[[Router], object], list[tuple[str, str]]]] = {
    "overwrite": (lambda fs: put(fs, "/d/f", b"new"), [("changed", "/d/f")]),
    "remove": (lambda fs: fs.remove("/d/f"), [("removed", "/d/f")]),
    "replace": (lambda fs: fs.rename("/g", "/d/f"), [("changed", "/d/f"), ("removed", "/g")]),
    "move": (lambda fs: fs.rename("/d", "/e"), [("moved", "/e")]),
    "mode": (lambda fs: fs.set_mode("/d/f", 0o600), [("mode", "/d/f")]),
    "nothing": (lambda fs: fs.set_mode("/d/f", 0o644), []),
}


@pytest.mark.parametrize("act", ACTS)
def test_contents_outlive_the_lower_files(case: Case, act: str) -> None:
    """Somebody else may change or remove what the overlay has covered."""
    case.lower.set_mode("/d/f", 0o644)
    with case.run() as changes:
        ACTS[act][0](case.router)
    assert listed(changes[0]) == ACTS[act][1]
    assert changes[0].is_complete
    if act != "nothing":
        put(case.lower, "/d/f", b"theirs")
        put(case.lower, "/g", b"theirs") if act == "replace" else None
    case.journal.restore(changes[0])
    assert tree(case.fs) == case.before
    case.journal.restore(changes[0], "after")
    case.journal.restore(changes[0])
    assert tree(case.fs) == case.before


def test_only_what_is_lost_takes_room(tmp_path: Path) -> None:
    """A file that is moved, or gets another mode, has its content in the upper."""
    contents = ContentStore(4)
    case = Case(LocalFS(tmp_path), contents)
    with case.run() as moved:
        case.router.rename("/g", "/h")
        case.router.set_mode("/d/f", 0o600)
    assert moved[0].is_complete
    assert len(moved[0].before) == 4
    assert contents.bytes_used == 0
    with case.run() as changed, case.fs.open("/h", "a") as stream:
        stream.write(b"!")
    assert "no room for 5 bytes" in changed[0].lost["/h"]
    with pytest.raises(ContentLost, match="/h"):
        case.journal.restore(changed[0])
    assert get(case.fs, "/h") == b"other!"


def test_what_does_not_fit_is_not_read(tmp_path: Path) -> None:
    case = Case(LocalFS(tmp_path), ContentStore(4))
    with case.run() as changes:
        put(case.router, "/g", b"new")
        put(case.router, "/d/f", b"new")
    assert [*changes[0].lost] == ["/g"]
    assert not changes[0].is_complete


def test_a_stream_that_an_earlier_run_left_open_covers_its_file(case: Case) -> None:
    with case.run() as first:
        stream = case.router.open("/g", "a")
    assert not first[0]
    with case.run() as second, stream:
        stream.write(b"!")
    assert listed(second[0]) == [("changed", "/g")]
    case.journal.restore(second[0])
    assert tree(case.fs) == case.before


def test_what_the_host_does_between_two_runs_is_in_none(case: Case) -> None:
    put(case.fs, "/d/f", b"host")
    with case.run() as changes:
        put(case.router, "/g", b"run")
    assert listed(changes[0]) == [("changed", "/g")]
    put(case.fs, "/g", b"host")
    with pytest.raises(UndoConflict, match="/g"):
        case.journal.restore(changes[0])


@pytest.mark.parametrize("is_committed", [True, False])
def test_an_overlay_that_ends_in_a_run_shows_the_lower_files(
    case: Case, *, is_committed: bool
) -> None:
    with case.run():
        put(case.router, "/d/f", b"first")
    with case.run() as changes:
        put(case.router, "/g", b"new")
        put(case.router, "/made", b"1")
        (case.fs.commit if is_committed else case.fs.reset)()
    kinds = [("changed", "/g"), ("created", "/made")] if is_committed else [("changed", "/d/f")]
    assert listed(changes[0]) == kinds
    put(case.lower, "/g", b"theirs")
    if is_committed:
        with pytest.raises(UndoConflict, match="/g"):
            case.journal.restore(changes[0])
    else:
        case.journal.restore(changes[0])
        assert get(case.fs, "/d/f") == b"first"
    assert get(case.fs, "/g") == b"theirs"


def test_a_rename_that_fails_is_no_change(tmp_path: Path) -> None:
    """The place of the file that it would have replaced is noted before."""

    class Failing(MemoryFS):
        def rename(self, old: str, new: str) -> None:
            raise OSError(errno.ENOSPC, "No space left on device", new)

    case = Case(LocalFS(tmp_path))
    router = Router(OverlayFS(case.lower, Failing()))
    journal = FileJournal(router)
    journal.begin()
    with pytest.raises(OSError, match="No space"):
        router.rename("/g", "/d/f")
    assert not journal.end()


def test_two_journals_of_one_overlay(case: Case) -> None:
    other = FileJournal(Router(case.fs))
    other.begin()
    with case.run() as changes:
        put(case.router, "/g", b"new")
    assert listed(changes[0]) == listed(other.end()) == [("changed", "/g")]
    with case.run() as changes:
        put(case.router, "/d/f", b"new")
    assert listed(changes[0]) == [("changed", "/d/f")]


def test_a_copy_of_the_overlay_tells_nobody(case: Case) -> None:
    with case.run() as changes:
        put(copy.deepcopy(case.fs), "/g", b"copy")
    assert not changes[0]


def test_a_lower_file_that_cannot_be_looked_at_is_a_reason(tmp_path: Path) -> None:
    class Refusing(LocalFS):
        refuses = False

        def stat(self, path: str) -> object:
            if self.refuses and path == "/new":
                raise OSError(errno.EIO, "Input/output error", path)
            return super().stat(path)

    lower = Refusing(tmp_path)
    case = Case(lower)
    with case.run():
        put(case.router, "/new", b"1")
    with case.run() as changes:
        case.router.remove("/new")
        lower.refuses = True
    assert changes[0].reasons == ["/new could not be read: Input/output error"]
    assert not changes[0].is_complete


COVERING_ACTS: dict[str, Callable[[FileSystem], object]] = {
    "remove": lambda fs: fs.remove("/d/f"),
    "empty": lambda fs: fs.open("/d/f", "w"),
    "replace": lambda fs: fs.rename("/g", "/d/f"),
    "remove_directory": lambda fs: fs.remove_directory("/e"),
}


@pytest.mark.parametrize("act", COVERING_ACTS)
def test_a_limit_that_strikes_while_a_content_is_kept_changes_nothing(
    case: Case, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strike(*_: object) -> None:
        raise LimitReached("seconds", 1.0, 1.0, 124)

    case.lower.make_directory("/e")
    before = tree(case.fs)
    with case.run() as changes:
        monkeypatch.setattr(OverlayJournal, "note_loss", strike)
        with pytest.raises(LimitReached):
            COVERING_ACTS[act](case.router)
        monkeypatch.undo()
    assert tree(case.fs) == before
    assert listed(changes[0]) == []
