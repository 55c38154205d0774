"""`differing_paths` finds what a walk of both trees finds."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from keysh.vfs.api import LinkInPath
from keysh.vfs.memory.difference import differing_paths
from keysh.vfs.memory.filesystem import MemoryFS

if TYPE_CHECKING:
    from keysh.vfs.api import Stat
    from keysh.vfs.stream import Stream

MAX_SIDES = 6
MAX_STREAMS = 6

numbers = st.integers(0, 40)
# /deep has names of files that change elsewhere, so it is mostly shared.
hidden_paths = st.sampled_from(["/deep/er/f", "/deep/er/g", "/deep/h", "/deep/i"])
paths = st.one_of(
    st.sampled_from(["/f", "/g", "/d/f", "/d/g", "/d/e/f", "/d", "/d/e", "/x", "/x/e"]),
    hidden_paths,
)
data = st.binary(min_size=1, max_size=8)
verbs = st.one_of(
    st.tuples(st.just("make_directory"), paths),
    st.tuples(st.just("remove_directory"), paths),
    st.tuples(st.just("remove"), paths),
    st.tuples(st.just("rename"), paths, paths),
    st.tuples(st.just("link"), paths, paths),
    st.tuples(st.just("link"), paths, paths),
    st.tuples(st.just("make_link"), st.sampled_from(["a", "../b"]), paths),
    st.tuples(st.just("make_fifo"), paths),
    st.tuples(st.just("set_mode"), paths, st.sampled_from([0o700, 0o755])),
    st.tuples(st.just("set_times"), paths, st.integers(0, 2), st.integers(0, 2)),
    st.tuples(st.just("stat"), paths),
    st.tuples(st.just("open"), paths, st.just("a")),
)
turn = itertools.count(10)
now = 0


def walked(fs: MemoryFS) -> dict[str, tuple[object, ...]]:
    """Return all that can be seen of each path, contents of directories and lazy files excepted."""
    seen: dict[str, tuple[object, ...]] = {}
    pending = ["/"]
    while pending:
        path = pending.pop()
        stat = fs.stat(path)
        content: object = None
        if stat.is_directory:
            pending += [f"{path.rstrip('/')}/{entry.name}" for entry in fs.list(path)]
        elif stat.is_link:
            content = fs.read_link(path)
        elif stat.is_file:
            with fs.open(path) as stream:
                content = stream.read()
        seen[path] = (marks_of(stat), content)
    return seen


def marks_of(stat: Stat) -> tuple[object, ...]:
    names = {*type(stat).__slots__} - ({"links"} if stat.is_directory else set())
    return tuple(getattr(stat, name) for name in sorted(names))


def walked_difference(one: MemoryFS, other: MemoryFS) -> list[str]:
    ours, theirs = walked(one), walked(other)
    return sorted(path for path in {**ours, **theirs} if ours.get(path) != theirs.get(path))


class SidesOfOneLineage(RuleBasedStateMachine):
    """Snapshots of snapshots; `is_still` lets the clock stand, so that times reveal nothing."""

    @initialize(is_lazy=st.booleans(), is_still=st.booleans())
    def furnish(self, is_lazy: bool, is_still: bool) -> None:
        self.is_still = is_still
        self.streams: list[Stream] = []
        files = {"/f": (lambda: "lazy") if is_lazy else "text", "/d/f": "1", "/d/e/f": "2"}
        more = {"/deep/er/f": "3", "/deep/er/g": "4", "/deep/h": "5"}
        self.sides = [MemoryFS({**files, **more}, clock=lambda: now)]
        self.sides[0].link("/deep/er/g", "/deep/i")

    def side(self, number: int) -> MemoryFS:
        global now
        now = 5 if self.is_still else next(turn)
        return self.sides[number % len(self.sides)]

    @rule(number=numbers, acts=st.lists(verbs, min_size=1, max_size=3))
    def change(self, number: int, acts: list[tuple[str, ...]]) -> None:
        for verb, *arguments in acts:
            with suppress(OSError, LinkInPath):
                getattr(self.side(number), verb)(*arguments)

    @rule(number=numbers, path=paths, content=data, access=st.sampled_from(["w", "a", "rw"]))
    def put(self, number: int, path: str, content: bytes, access: str) -> None:
        with suppress(OSError, LinkInPath), self.side(number).open(path, access) as stream:  # type: ignore[arg-type]
            stream.write(content)

    @precondition(lambda self: len(self.streams) < MAX_STREAMS)
    @rule(number=numbers, path=paths | hidden_paths, access=st.sampled_from(["a", "rw"]))
    def open(self, number: int, path: str, access: str) -> None:
        with suppress(OSError, LinkInPath):
            self.streams.append(self.side(number).open(path, access))  # type: ignore[arg-type]

    @precondition(lambda self: self.streams)
    @rule(number=numbers, content=data)
    def write(self, number: int, content: bytes) -> None:
        self.side(0)
        self.streams[number % len(self.streams)].write(content)

    @precondition(lambda self: self.streams)
    @rule(number=numbers)
    def close(self, number: int) -> None:
        self.streams.pop(number % len(self.streams)).close()

    @precondition(lambda self: len(self.sides) < MAX_SIDES)
    @rule(number=numbers)
    def take_snapshot(self, number: int) -> None:
        self.sides.append(self.side(number).snapshot())

    @precondition(lambda self: len(self.sides) > 1)
    @rule(number=numbers, other=numbers)
    def compare(self, number: int, other: int) -> None:
        one, two = self.side(number), self.side(other)
        differing, reverse = differing_paths(one, two), differing_paths(two, one)
        # The walk loads lazy files, so it comes last.
        assert differing == reverse == walked_difference(one, two)

    def teardown(self) -> None:
        for one, other in itertools.combinations(getattr(self, "sides", []), 2):
            assert differing_paths(one, other) == walked_difference(one, other)
        for stream in getattr(self, "streams", []):
            stream.close()


@pytest.mark.quick
def test_finds_what_a_walk_finds_quick() -> None:
    short = settings(max_examples=20, stateful_step_count=40, derandomize=True, deadline=None)
    run_state_machine_as_test(SidesOfOneLineage, settings=short)


def test_finds_what_a_walk_finds() -> None:
    long = settings(max_examples=400, stateful_step_count=60, derandomize=True, deadline=None)
    run_state_machine_as_test(SidesOfOneLineage, settings=long)
