"""The engine on an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from keysh.process import Flag, arun
from process.conftest import Make
from process.leaked_processes import marked_processes


def test_result_is_the_same(make: Make) -> None:
    result = asyncio.run(arun(make("sh", "-c", "cat; echo e >&2; exit 3", stdin=b"x" * 300_000)))
    assert (len(result.stdout), result.stderr, result.code) == (300_000, b"e\n", 3)
    assert asyncio.run(arun(make("no-such-tool"))).code == 127


def test_event_loop_continues_meanwhile(make: Make) -> None:
    """Each of two processes waits for something that only the other's task can cause."""

    async def main() -> list[int]:
        turn = asyncio.Event()

        async def second() -> int:
            await turn.wait()
            return (await arun(make("true"))).code

        first = arun(make("sh", "-c", "echo ready", stdout=lambda _: turn.set()))
        done = await asyncio.gather(first, second())
        return [done[0].code, done[1]]

    assert asyncio.run(main()) == [0, 0]


def test_many_at_once(make: Make) -> None:
    async def main() -> list[bytes]:
        results = await asyncio.gather(*(arun(make("echo", str(n))) for n in range(30)))
        return [result.stdout for result in results]

    assert asyncio.run(main()) == [b"%d\n" % n for n in range(30)]


def test_timeout_and_cancel(make: Make) -> None:
    assert asyncio.run(arun(make("sleep", "60", timeout=20))).code == 124
    with Flag() as flag:
        flag.set()
        assert asyncio.run(arun(make("sleep", "60"), cancel=flag.fd)).code == 130


def test_cancelled_task_leaves_no_process(make: Make, mark: str) -> None:
    async def main() -> None:
        ready = asyncio.Event()
        script = "trap '' TERM; sleep 60 & echo ready; wait"
        spec = make("sh", "-c", script, grace=50, tagged=True, stdout=lambda _: ready.set())
        task = asyncio.create_task(arun(spec))
        await ready.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert marked_processes(mark) == []

    asyncio.run(main())


@pytest.mark.parametrize("where", ["stdout", "stdin"])
def test_failure_is_raised_and_the_process_killed(make: Make, mark: str, where: str) -> None:
    def fail(_: bytes) -> None:
        raise LookupError(where)

    def source() -> Iterator[bytes]:
        yield b"x"
        raise LookupError(where)

    given = {"stdout": fail} if where == "stdout" else {"stdin": source()}
    argv = ("yes",) if where == "stdout" else ("sh", "-c", "cat; sleep 60")
    with pytest.raises(LookupError, match=where):
        asyncio.run(arun(make(*argv, **given)))
    assert marked_processes(mark) == []
