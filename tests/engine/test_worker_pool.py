"""Scripts that event loops await share few threads, and none that waits holds up another."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from time import monotonic
from typing import Any

import pytest

from keysh import Call, Limits, Shell
from keysh.interp.run import worker_pool
from keysh.interp.run.worker_pool import POOL, Place, WorkerPool

LONGEST_SECONDS = 60


def run(main: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(main, LONGEST_SECONDS))


class Gate:
    """A command that waits on the host's loop, and says how many do."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.waiting = 0

    def shell(self, **options: Any) -> Shell:
        """Return a shell with the command."""

        async def pause(sh: Call) -> None:
            """Wait."""
            self.waiting += 1
            await self.opened.wait()

        return Shell(commands=[pause], **options)

    async def until(self, count: int) -> None:
        while self.waiting < count:
            await asyncio.sleep(0.001)


class PoolWithoutReserve(WorkerPool):
    """A pool without a reserve: only places that are given up let a script begin."""

    def _keep_reserve(self) -> None:
        pass


def test_many_scripts_take_few_threads() -> None:
    async def main() -> None:
        most = 0

        async def one() -> int:
            nonlocal most
            result = await Shell().arun("for i in 1 2 3; do x=$((i + 1)); done; echo $x")
            most = max(most, POOL.workers)
            return result.code

        before = POOL.workers
        assert set(await asyncio.gather(*(one() for _ in range(2000)))) == {0}
        assert most - before < 100

    run(main())


def test_scripts_that_wait_for_the_host_hold_up_none() -> None:
    async def main() -> None:
        gate = Gate()
        waiting = [asyncio.create_task(gate.shell().arun("pause; echo on")) for _ in range(50)]
        await gate.until(50)
        assert (await Shell().arun("echo here")).stdout == "here\n"
        gate.opened.set()
        assert {result.stdout for result in await asyncio.gather(*waiting)} == {"on\n"}

    run(main())


@pytest.mark.parametrize(
    "script",
    [
        "sleep 100", "sleep 100 & wait", "sleep 100 | cat", "x=$(sleep 100)", "cat <(sleep 100)",
        "mkfifo /f; cat /f & cat < /f", "timeout 100 sleep 100", "(sleep 100)", "wait $(sleep 100)",
    ],
)  # fmt: skip
def test_waits_of_a_script_hold_up_none(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "POOL", PoolWithoutReserve())

    async def main() -> None:
        waiting = [asyncio.create_task(Shell().arun(script)) for _ in range(20)]
        await asyncio.sleep(0)
        assert (await Shell().arun("echo here")).stdout == "here\n"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    run(main())


def test_host_code_that_blocks_holds_up_none() -> None:
    opened = threading.Event()

    def block(sh: Call) -> None:
        """Wait where the shell does not see it."""
        opened.wait()

    async def main() -> None:
        blocked = [asyncio.create_task(Shell(commands=[block]).arun("block")) for _ in range(12)]
        await asyncio.sleep(0)
        assert (await Shell().arun("echo here")).stdout == "here\n"
        opened.set()
        await asyncio.gather(*blocked)

    run(main())


def test_next_script_of_a_shell_begins_though_all_places_are_blocked() -> None:
    pool = WorkerPool()
    pool._places = 1
    waits, blocks = threading.Event(), threading.Event()
    opened, unblocked, begun = threading.Event(), threading.Event(), threading.Event()

    def wait(place: Place) -> None:
        with place:
            waits.set()
            opened.wait()

    def block(place: Place) -> None:
        blocks.set()
        unblocked.wait()

    pool.submit(wait, "shell")
    pool.submit(lambda place: begun.set(), "shell")
    waits.wait(LONGEST_SECONDS)
    pool.submit(block)
    blocks.wait(LONGEST_SECONDS)
    opened.set()
    has_begun = begun.wait(LONGEST_SECONDS)
    unblocked.set()
    assert has_begun


def test_worker_that_took_its_task_before_it_was_woken_gets_the_next_one_once() -> None:
    pool = WorkerPool()
    worker = worker_pool.Worker(None)
    pool.workers = 1
    for _ in range(2):
        pool._idle.append(worker)
        task = pool.submit(lambda place: None)
        assert task.has_begun
        assert not pool._ready
        assert worker.task is task
        worker.task = None  # as a worker does that has just become idle


def test_scripts_of_one_shell_run_in_order_on_one_thread() -> None:
    async def main() -> None:
        gate = Gate()
        shell = gate.shell()
        first = asyncio.create_task(shell.arun("pause"))
        await gate.until(1)
        before = POOL.workers
        rest = [asyncio.create_task(shell.arun(f"order+={i}\\ ; echo $order")) for i in range(9)]
        await asyncio.sleep(0)
        assert POOL.workers == before
        gate.opened.set()
        await first
        results = await asyncio.gather(*rest)
        assert results[-1].stdout.split() == [str(number) for number in range(9)]

    run(main())


def test_cancelled_script_that_has_not_begun_never_begins() -> None:
    async def main() -> None:
        gate = Gate()
        shell = gate.shell()
        first = asyncio.create_task(shell.arun("pause"))
        await gate.until(1)
        second = asyncio.create_task(shell.arun("x=second"))
        third = asyncio.create_task(shell.arun("echo $x third"))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second  # at once, though the first goes on
        gate.opened.set()
        await first
        assert (await third).stdout == "third\n"

    run(main())


def test_time_in_the_queue_does_not_count() -> None:
    async def main() -> None:
        gate = Gate()
        shell = gate.shell(limits=Limits(seconds=0.3))
        first = asyncio.create_task(shell.arun("sleep 100"))
        second = asyncio.create_task(shell.arun("echo in time"))
        assert (await first).code == 124
        assert (await second).stdout == "in time\n"

    run(main())


def test_script_that_another_waits_for_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        inner = Shell()
        shells: list[Shell] = []

        async def nested(sh: Call) -> str:
            """Run a script of another shell, and of this one."""
            return (await inner.arun("echo inner")).stdout + (
                await shells[0].arun("echo own")
            ).stdout

        shells.append(Shell(commands=[nested]))
        monkeypatch.setattr(worker_pool, "MAX_WORKERS", POOL.workers + 1)
        assert (await shells[0].arun("nested")).stdout == "inner\nown\n"

    run(main())


def test_machine_without_threads_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(worker_pool, "start_new_thread", refuse)
    pool = WorkerPool()
    monkeypatch.setattr(worker_pool, "POOL", pool)
    shell = Shell()
    for _ in range(2):
        result = run(shell.arun("echo never"))
        assert (result.code, result.limit and result.limit.kind) == (125, "threads")
        assert "the machine has no more of them" in result.stderr
    monkeypatch.undo()
    assert run(shell.arun("echo on")).stdout == "on\n"


def test_idle_threads_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "IDLE_SECONDS", 0.001)
    pool, ended = WorkerPool(), threading.Event()

    def work(place: Place) -> None:
        ended.set()

    pool.submit(work)
    ended.wait(LONGEST_SECONDS)
    pause, give_up = threading.Event(), monotonic() + LONGEST_SECONDS
    while pool.workers and monotonic() < give_up:
        pause.wait(0.001)
    assert not pool.workers


def test_pool_of_a_forked_process_is_its_own() -> None:
    run(Shell().arun("echo parent"))
    pid = os.fork()
    if not pid:
        code = 1
        try:
            code = run(Shell().arun("exit 7")).code
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_work_for_a_loop_that_is_closed_leaves_the_pool_alone() -> None:
    shell, opened = Shell(), threading.Event()

    def block(sh: Call) -> None:
        """Wait."""
        opened.wait()

    shell.add(block)
    loop = asyncio.new_event_loop()
    task = loop.create_task(shell.arun("block"))
    loop.run_until_complete(asyncio.sleep(0))
    task.cancel()
    loop.close()
    opened.set()
    assert run(Shell().arun("echo on")).stdout == "on\n"
