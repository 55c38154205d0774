"""Background processes, and the one thread that attends them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from time import monotonic

import pytest

from keysh.process import OPEN, STREAM, Flag, ProcessResult, run, start
from keysh.process.keeper import BackgroundProcess, Keeper
from process.conftest import Make
from process.leaked_processes import marked_processes, threads


@pytest.fixture
def keeper(make: Make) -> Iterator[Keeper]:
    with Keeper() as keeper:
        yield keeper


def read_until(kept: BackgroundProcess, end: bytes) -> bytes:
    """Poll, as a user does, until there is output."""
    seen = b""
    while not seen.endswith(end):
        seen += kept.read()[0]
    return seen


def test_output_is_collected_while_nobody_waits(make: Make, keeper: Keeper) -> None:
    kept = keeper.keep(start(make("sh", "-c", "seq 100000; echo e >&2; echo done")))
    result = kept.wait()
    assert result is not None
    assert result.stdout.endswith(b"100000\ndone\n")
    assert (result.stderr, result.code, kept.is_running) == (b"e\n", 0, False)


def test_only_new_output_is_read(make: Make, keeper: Keeper) -> None:
    script = "while read x; do echo got $x; done; echo e >&2"
    kept = keeper.keep(start(make("sh", "-c", script, stdin=OPEN)))
    for word in (b"a\n", b"b\n"):
        assert kept.send(word)
        assert read_until(kept, word) == b"got " + word
    assert kept.read() == (b"", b"", 0)
    kept.finish_input()
    assert kept.wait() is not None
    assert kept.read() == (b"", b"e\n", 0)
    assert kept.read() == (b"", b"", 0)
    assert not kept.send(b"late")


def test_memory_of_a_chatty_process_is_bounded(make: Make, keeper: Keeper) -> None:
    kept = keeper.keep(start(make("sh", "-c", "seq 1000000 >&2", max_output=1000)))
    assert kept.wait() is not None
    out, err, lost_bytes = kept.read()
    assert (out, lost_bytes) == (b"", 6_888_896 - 1000)
    assert len(err) < 1100
    assert err.endswith(b"\n1000000\n")


def test_kill(make: Make, keeper: Keeper, mark: str) -> None:
    kept = keeper.keep(start(make("sh", "-c", "sleep 60 & echo ready; wait")))
    read_until(kept, b"ready\n")
    result = kept.kill()
    assert (result.stop, result.signal, marked_processes(mark)) == ("killed", 15, [])
    assert kept.kill() is result
    kept.signal(9)


def test_signal(make: Make, keeper: Keeper) -> None:
    kept = keeper.keep(start(make("sleep", "60")))
    kept.signal(1)
    result = kept.wait()
    assert result is not None
    assert result.signal == 1


def test_wait_has_a_timeout(make: Make, keeper: Keeper) -> None:
    kept = keeper.keep(start(make("sleep", "60")))
    assert kept.wait(until=monotonic()) is None
    with Flag() as flag:
        flag.set()
        assert kept.wait(cancel=flag.fd) is None
    assert kept.is_running


def test_closing_ends_many_at_once(make: Make, mark: str) -> None:
    with Keeper() as keeper:
        quick = [keeper.keep(start(make("echo", str(n)))) for n in range(20)]
        slow = [keeper.keep(start(make("sleep", "60"))) for _ in range(5)]
        for number, kept in enumerate(quick):
            result = kept.wait()
            assert result is not None
            assert result.stdout == b"%d\n" % number
        assert len(threads()) == 2
    assert all(kept.result is not None and kept.result.signal == 15 for kept in slow)
    assert marked_processes(mark) == []


def test_thread_ends_with_the_last_process_and_restarts(make: Make, keeper: Keeper) -> None:
    for _ in range(3):
        kept = keeper.keep(start(make("true")))
        assert kept.wait() is not None
        for thread in threads():
            if thread is not threading.current_thread():
                thread.join()


def test_timeout_moves_the_process_to_the_background(make: Make, keeper: Keeper) -> None:
    script = "echo early; read x; echo late"
    spec = make("sh", "-c", script, stdin=OPEN, timeout=1000, on_timeout="background")
    kept = keeper.run(spec)
    assert isinstance(kept, BackgroundProcess)
    assert kept.read()[0] == b"early\n"
    kept.send(b"\n")
    result = kept.wait()
    assert result is not None
    assert (result.code, kept.read()[0]) == (0, b"late\n")


def test_fast_process_stays_in_the_foreground(make: Make, keeper: Keeper) -> None:
    for spec in (
        make("echo", "hi", timeout=60_000, on_timeout="background"),
        make("echo", "hi", on_timeout="background"),
        make("echo", "hi"),
    ):
        result = keeper.run(spec)
        assert isinstance(result, ProcessResult)
        assert result.stdout == b"hi\n"
    with pytest.raises(ValueError, match="keeper"):
        run(make("true", timeout=1, on_timeout="background"))
    failed = keeper.run(make("no-such-tool", timeout=1, on_timeout="background"))
    assert isinstance(failed, ProcessResult)
    assert failed.code == 127


@pytest.mark.parametrize("fault", [LookupError, SystemExit])
def test_failing_callback_ends_only_its_process(
    make: Make, keeper: Keeper, fault: type[BaseException]
) -> None:
    def fail(_: bytes) -> None:
        raise fault("callback")

    other = keeper.keep(start(make("sh", "-c", "read x; echo $x", stdin=OPEN)))
    kept = keeper.keep(start(make("yes", stdout=fail)))
    result = kept.wait()
    assert result is not None
    assert result.stop == "killed"
    assert isinstance(kept.error, fault)
    other.send(b"fine\n")
    ended = other.wait()
    assert ended is not None
    assert (ended.stdout, other.error) == (b"fine\n", None)


def test_streamed_output_is_not_kept(make: Make, keeper: Keeper) -> None:
    with (
        start(make("yes", stdout=STREAM)) as process,
        pytest.raises(ValueError, match="stream"),
    ):
        keeper.keep(process)


def test_callback_may_use_the_manager(make: Make, keeper: Keeper) -> None:
    seen: list[bool] = []
    kept: BackgroundProcess

    def answer(_: bytes) -> None:
        seen.append(kept.send(b"bye\n"))

    process = start(make("sh", "-c", "read x; echo $x; read y; exit 3", stdin=OPEN, stdout=answer))
    kept = keeper.keep(process)
    kept.send(b"hello\n")
    result = kept.wait()
    assert result is not None
    assert (result.code, seen) == (3, [True])
