"""An exception may come wherever a call begins or returns: nothing that threads share is lost.

Signal handlers of the host and the watchdog raise at these moments. A profiler raises here at each
of them in turn, in the functions that take and pass on what several threads share.
"""

from __future__ import annotations

import gc
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from itertools import count
from time import sleep as give_turn
from types import FrameType
from typing import Any

import pytest

from keysh import Call, Limits, Shell
from keysh.interp.engine.thread_handoff import Baton, wait_for
from keysh.interp.run.budget import Budget
from keysh.interp.run.turn import in_turn, take_turn, wait_for_turn
from keysh.shell.async_run import Job
from keysh.shell.runner import Runner
from keysh.text.cache import CacheMemory, TextCache

PATIENCE_SECONDS = 5.0
HANDOFF_FILE = wait_for.__code__.co_filename


class Interrupted(BaseException):
    """What the profiler raises."""


def is_interrupted(functions: list[Callable[..., Any]], at: int, act: Callable[[], object]) -> bool:
    """Call `act`, with an exception at a moment of these functions; whether that was reached.

    CPython looks for signals where a function begins, and where a call of C has returned: there a
    profiler is called too, and what it raises comes from the same instruction.
    """
    codes = {function.__code__ for function in functions}
    passed = count()

    def profile(frame: FrameType, event: str, _: object) -> None:
        is_moment = event in ("call", "c_return") and frame.f_code in codes
        if is_moment and next(passed) == at:
            raise Interrupted

    sys.setprofile(profile)
    try:
        act()
    except Interrupted:
        return True
    finally:
        sys.setprofile(None)
    return False


def interruptions(
    functions: list[Callable[..., Any]], make: Callable[[], Callable[[], object]]
) -> Iterator[int]:
    """Interrupt what `make` returns at one moment after the other; yield the number of each."""
    for at in count():
        if not is_interrupted(functions, at, make()):
            assert at > 0
            return
        yield at


def test_a_run_that_is_interrupted_leaves_its_turn() -> None:
    shells: list[Shell] = []

    def make() -> Callable[[], object]:
        shells.append(Shell())
        return lambda: shells[-1].run("echo a")

    for at in interruptions([Runner.run, Runner._run_alone], make):
        assert not shells[-1].state.session.threads, at
        result = shells[-1].run("echo on", timeout=PATIENCE_SECONDS)
        assert result.stdout == "on\n", at


@pytest.mark.parametrize("is_taken", [False, True])
def test_whoever_waits_for_a_turn_and_is_interrupted_leaves_the_queue(is_taken: bool) -> None:
    turn: dict[object, Any] = {}

    class Waits(Budget):
        def check(self) -> None:
            turn.pop("other", None)

    def make() -> Callable[[], object]:
        turn.clear()
        if is_taken:
            turn["other"] = None
        return lambda: in_turn(turn, Waits(), lambda: None)

    for at in interruptions([in_turn, wait_for_turn], make):
        turn.pop("other", None)
        assert not turn, at


def test_a_turn_that_is_taken_at_once() -> None:
    turn: dict[object, Any] = {}
    taken: list[object] = []

    def make() -> Callable[[], object]:
        taken.clear()
        return lambda: taken.append(take_turn(turn))

    assert not is_interrupted([take_turn], 1000, make())
    assert take_turn(turn) is None
    assert [*turn] == taken
    turn.clear()
    for at in interruptions([take_turn], make):
        assert not turn, at


def test_turns_go_by_the_order_of_arrival() -> None:
    turn: dict[object, Any] = {"first": None, "second": None}
    seen: list[object] = []

    class Waits(Budget):
        def check(self) -> None:
            seen.append(next(iter(turn)))
            del turn[seen[-1]]

    wait_for_turn({**turn}, "first", None)
    in_turn(turn, Waits(), lambda: seen.append("mine"))
    assert seen == ["first", "second", "mine"]
    assert not turn


def test_an_interrupt_that_comes_with_the_baton_does_not_lose_it() -> None:
    baton = Baton()
    real = baton.lock

    class InterruptingLock:
        """Raises when it was acquired, as a signal handler may."""

        def acquire(self, timeout: float) -> bool:
            start_new_thread(baton.give, ())
            real.acquire(timeout=timeout)
            baton.lock = real
            raise Interrupted

        def release(self) -> None:
            real.release()

    baton.lock = InterruptingLock()  # type: ignore[assignment]
    with pytest.raises(Interrupted):
        wait_for(baton, None)
    baton.give()
    wait_for(baton, None)


def test_a_baton_may_be_given_twice() -> None:
    baton = Baton()
    baton.give()
    baton.give()
    wait_for(baton, None)
    assert not baton.is_given


def test_an_interrupted_wait_for_a_job_lets_others_wait() -> None:
    jobs: list[Job] = []

    def make() -> Callable[[], object]:
        jobs.append(Shell().start("echo a"))
        return lambda: jobs[-1].wait(PATIENCE_SECONDS)

    for at in interruptions([Job.wait], make):
        assert jobs[-1].wait(PATIENCE_SECONDS).stdout == "a\n", at
        assert not jobs[-1]._end_lock.locked(), at


def test_a_value_whose_storing_is_interrupted_is_not_counted_for_good() -> None:
    memories: list[CacheMemory] = []

    def make() -> Callable[[], object]:
        memories.append(CacheMemory(4000))
        cache = TextCache(1, memories[-1])
        cache.store("again", 1)
        return lambda: [cache.store(text, 1) for text in ("again", "b" * 50)]

    for at in interruptions([CacheMemory.store], make):
        memory = memories[-1]
        cache = memory.caches[0]
        for number in range(100):
            cache.store(str(number) * 20, number)
        assert set(cache) == set(cache.sizes), at
        assert cache.held_bytes == sum(cache.sizes.values()), at
        assert memory._bytes == cache.held_bytes, at


def busy(sh: Call) -> None:
    """Compute, without a look at any limit."""
    while True:
        pass


def test_the_watchdog_ends_an_idle_reader_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)
    with Shell(limits=Limits(seconds=0.2), commands=[busy]) as shell:
        for _ in range(3):
            result = shell.run("read x; echo $x; busy", stdin=iter(["a\n", "b\n"]))
            assert result.limit is not None
            assert result.stdout == "a\n"
            gc.collect()  # the reader, which ends its thread
            while any(frame.f_code.co_filename == HANDOFF_FILE for frame in callers()):
                give_turn(0.001)
    assert not printed


def callers() -> Iterator[FrameType]:
    """Yield the functions that run on all threads."""
    for frame in sys._current_frames().values():
        while frame is not None:
            yield frame
            frame = frame.f_back  # type: ignore[assignment]


def test_the_watchdog_goes_on_when_only_a_part_has_ended() -> None:
    with Shell(limits=Limits(seconds=0.5), commands=[busy]) as shell:
        result = shell.run("timeout 0.01 sleep 5; echo $?; timeout 0.02 busy; echo $?; busy")
        assert result.limit is not None
        assert (result.limit.kind, result.stdout) == ("seconds", "124\n124\n")
        assert result.duration_ms < 4000
