"""Snapshots share what neither side has changed, and nobody can tell.

Each MemoryFS has a twin that shares nothing: where one gets a snapshot, the other is pickled and
restored. All that is done to one of a growing number of file systems is done to its twin.
"""

from __future__ import annotations

import itertools
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from keysh.vfs.api import LinkInPath
from keysh.vfs.memory.filesystem import MemoryFS

if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.vfs.api import FileSystem
    from keysh.vfs.stream import Stream

MAX_PAIRS = 5
MAX_STREAMS = 6
MAX_BYTES = 60  # small enough to be reached

numbers = st.integers(0, 40)
paths = st.sampled_from(["/f", "/g", "/d/f", "/d/g", "/d/e/f", "/f", "/d/f", "/d", "/d/e", "/x"])
accesses = st.sampled_from(["r", "w", "a", "x", "rw"])
data = st.binary(max_size=8)
stream_acts = st.one_of(
    st.tuples(st.just("read"), st.integers(-1, 8)),
    st.tuples(st.just("write"), data),
    st.tuples(st.just("seek"), st.integers(0, 12), st.sampled_from([0, 2])),
    st.tuples(st.just("truncate"), st.integers(0, 12)),
)
verbs = st.one_of(
    st.tuples(st.just("make_directory"), paths),
    st.tuples(st.just("remove_directory"), paths),
    st.tuples(st.just("remove"), paths),
    st.tuples(st.just("rename"), paths, paths),
    st.tuples(st.just("link"), paths, paths),
    st.tuples(st.just("link"), paths, paths),
    st.tuples(st.just("make_link"), st.sampled_from(["a", "../b"]), paths),
    st.tuples(st.just("set_mode"), paths, st.sampled_from([0o700, 0o755])),
    st.tuples(st.just("set_times"), paths, numbers, numbers),
    st.tuples(st.just("stat"), paths),
)
turn = itertools.count()
now = 0


def clock() -> int:
    return now


def lazy_text() -> str:
    return "lazy"


def answer(act: Callable[..., object], *arguments: object) -> object:
    """Return the result or the error of a call in a comparable form."""
    try:
        result = act(*arguments)
    except LinkInPath as link:
        return "link", link.path, link.target, link.rest
    except OSError as error:
        return "error", error.errno, error.filename, error.filename2
    return stat_marks(result) if arguments and hasattr(result, "inode") else result


def stat_marks(stat: object) -> tuple[object, ...]:
    return tuple(getattr(stat, name) for name in type(stat).__slots__)  # type: ignore[attr-defined]


def picture(fs: MemoryFS) -> list[object]:
    """Return all that can be seen of a file system, in the order of its directories."""
    result: list[object] = [fs.bytes_used, fs.files_used]
    pending = ["/"]
    while pending:
        path = pending.pop()
        stat = fs.stat(path)
        content: object = None
        if stat.is_directory:
            content = [(entry.name, entry.kind) for entry in fs.list(path)]
            pending += [f"{path.rstrip('/')}/{entry.name}" for entry in fs.list(path)]
        elif stat.is_link:
            content = fs.read_link(path)
        else:
            with fs.open(path) as stream:
                content = stream.read()
        result.append((path, stat_marks(stat), content))
    result.append([fs.bytes_used, fs.files_used])  # lazy files have been loaded
    return result


def stream_picture(stream: Stream) -> object:
    """Return the position and all that can be read, and leave the stream where it is."""
    position = stream.tell()
    size = stream.seek(0, 2)
    stream.seek(0)
    content = answer(stream.read)
    stream.seek(position)
    return position, size, content


class SnapshotsAndTwins(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[tuple[MemoryFS, MemoryFS]] = []
        self.streams: list[tuple[Stream, Stream]] = []
        self.is_watched = False  # after each step; looking loads lazy files

    @initialize(lazy=st.booleans(), is_watched=st.booleans())
    def furnish(self, lazy: bool, is_watched: bool) -> None:
        self.is_watched = is_watched
        files = {"/f": lazy_text if lazy else "text", "/d/f": "1", "/d/e/f": "2"}
        one, other = (MemoryFS(files, clock=clock, max_bytes=MAX_BYTES) for _ in range(2))
        self.pairs.append((one, other))

    def both(self, pair: tuple[object, object], verb: str, *arguments: object) -> None:
        one, other = (answer(getattr(side, verb), *arguments) for side in pair)
        assert one == other, (verb, arguments)

    def pair(self, number: int) -> tuple[MemoryFS, MemoryFS]:
        global now
        now = next(turn)
        return self.pairs[number % len(self.pairs)]

    @rule(number=numbers, acts=st.lists(verbs, min_size=1, max_size=4))
    def change(self, number: int, acts: list[tuple[str, ...]]) -> None:
        for verb, *arguments in acts:
            self.both(self.pair(number), verb, *arguments)

    @rule(number=numbers, path=paths, content=data, access=st.sampled_from("wa"))
    def put(self, number: int, path: str, content: bytes, access: str) -> None:
        def act(fs: FileSystem) -> None:
            with fs.open(path, access) as stream:  # type: ignore[arg-type]
                stream.write(content)

        one, other = self.pair(number)
        assert answer(act, one) == answer(act, other)

    @precondition(lambda self: len(self.streams) < MAX_STREAMS)
    @rule(number=numbers, path=paths, access=accesses)
    def open(self, number: int, path: str, access: str) -> None:
        pair = self.pair(number)
        one, other = (answer(fs.open, path, access) for fs in pair)
        if isinstance(one, tuple):
            assert one == other
        else:
            self.streams.append((one, other))  # type: ignore[arg-type]

    @precondition(lambda self: self.streams)
    @rule(acts=st.lists(st.tuples(numbers, stream_acts), min_size=1, max_size=4))
    def use_streams(self, acts: list[tuple[int, tuple[object, ...]]]) -> None:
        global now
        for number, (verb, *arguments) in acts:
            now = next(turn)
            self.both(self.streams[number % len(self.streams)], str(verb), *arguments)

    @precondition(lambda self: self.streams)
    @rule(number=numbers, is_closed=st.booleans())
    def finish_stream(self, number: int, is_closed: bool) -> None:
        """Close a stream, or only forget it."""
        for stream in self.streams.pop(number % len(self.streams)):
            if is_closed:
                stream.close()

    @precondition(lambda self: len(self.pairs) < MAX_PAIRS)
    @rule(number=numbers)
    def take_snapshot(self, number: int) -> None:
        one, other = self.pair(number)
        self.pairs.append((one.snapshot(), pickle.loads(pickle.dumps(other))))

    @precondition(lambda self: len(self.pairs) > 1)
    @rule(number=numbers)
    def drop(self, number: int) -> None:
        self.pairs.pop(number % len(self.pairs))

    @rule()
    def look(self) -> None:
        for one, other in self.pairs:
            assert picture(one) == picture(other)
        for one, other in self.streams:
            assert stream_picture(one) == stream_picture(other)

    @invariant()
    def watch(self) -> None:
        if self.is_watched:
            self.look()

    def teardown(self) -> None:
        self.look()
        for pair in self.streams:
            for stream in pair:
                stream.close()
        self.streams.clear()
        self.look()
        for one, _ in self.pairs:
            assert not one._tree.streams
            assert not one._tree.nameless_files()


@pytest.mark.quick
def test_agree_with_plain_copies_quick() -> None:
    short = settings(max_examples=15, stateful_step_count=40, derandomize=True, deadline=None)
    run_state_machine_as_test(SnapshotsAndTwins, settings=short)


def test_agree_with_plain_copies() -> None:
    long = settings(max_examples=250, stateful_step_count=80, derandomize=True, deadline=None)
    run_state_machine_as_test(SnapshotsAndTwins, settings=long)
