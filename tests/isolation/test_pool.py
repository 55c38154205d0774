"""`keysh.Pool`: many sessions in few workers."""

from __future__ import annotations

import threading
import time

import pytest

import keysh


def test_sessions_move_between_workers() -> None:
    with keysh.Pool(2) as pool:
        sessions = [pool.session(env={"ID": str(number)}) for number in range(12)]
        for turn in range(3):
            for number, session in enumerate(sessions):
                result = session.run(
                    'echo "$ID" >> /log; n=$((${n:-0} + 1)); echo "$ID $n" $(wc -l < /log)'
                )
                assert result.stdout == f"{number} {turn + 1} {turn + 1}\n", result.stderr
        metrics = pool.metrics()
        assert metrics["workers"] <= 2
        assert metrics["moves"] >= 20
        assert (metrics["runs"], metrics["died"]) == (36, 0)


def test_a_move_loses_no_status() -> None:
    with keysh.Pool(1) as pool, pool.session() as one, pool.session() as other:
        one.run("(exit 7)")
        other.run("true")
        assert one.run("echo $?").stdout == "7\n"


def test_sessions_see_nothing_of_one_another() -> None:
    with keysh.Pool(1) as pool, pool.session() as one, pool.session() as other:
        one.run("secret=1; f() { :; }; alias a=b; cd /tmp; echo x > /x; set -u; trap 'echo t' EXIT")
        seen = other.run("echo [$secret]; pwd; ls /; type f; alias; trap")
        assert "secret" not in seen.stdout
        assert seen.stdout.splitlines()[:2] == ["[]", "/"]
        assert "x" not in seen.stdout.split()


def test_many_threads_share_two_workers() -> None:
    with keysh.Pool(2) as pool:
        sessions = [pool.session() for _ in range(8)]

        def work(session: keysh.Shell) -> None:
            for _ in range(5):
                session.run("n=$((${n:-0} + 1))")

        threads = [threading.Thread(target=work, args=[session]) for session in sessions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [session.vars["n"] for session in sessions] == [5] * 8
        assert pool.metrics()["workers"] <= 2


def test_sessions_that_wait_get_a_worker_in_order() -> None:
    order: list[str] = []
    with keysh.Pool(1) as pool:
        greedy, modest = pool.session(), pool.session()
        stop = threading.Event()

        def often() -> None:
            while not stop.is_set():
                greedy.run("i=0; while ((i < 2000)); do ((i += 1)); done")
                order.append("greedy")

        thread = threading.Thread(target=often)
        thread.start()
        while not order:
            pass
        for _ in range(5):
            before = order.count("greedy")
            modest.run("true")
            # At most the run in progress, and one that began as this one came.
            assert order.count("greedy") - before <= 2
        stop.set()
        thread.join()


def test_worn_workers_are_replaced() -> None:
    with keysh.Pool(1, recycle=3) as pool, pool.session() as session:
        for number in range(1, 11):
            assert session.run("n=$((${n:-0} + 1)); echo $n").stdout == f"{number}\n"
        assert pool.metrics()["recycled"] == 3
        assert pool.metrics()["started"] == 4


def test_a_run_that_waits_for_a_worker_ends_with_its_time_or_cancel() -> None:
    with keysh.Pool(1) as pool, pool.session() as busy, pool.session() as late:
        job = busy.start("while true; do :; done")
        while pool.metrics()["idle"] != 0:
            pass
        result = late.run("echo hi", timeout=0.05)
        assert (result.code, result.limit and result.limit.kind) == (124, "seconds")
        cancel = keysh.Cancel()
        waiting = late.start("echo hi", cancel=cancel)
        while pool.metrics()["waiting"] == 0:
            pass
        cancel.cancel()
        assert waiting.wait().code == 130
        job.cancel()
        job.wait()
        assert late.run("echo hi").stdout == "hi\n"


def test_idle_workers_end_by_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keysh.shell.isolation.workers.IDLE_SECONDS", 0.05)
    with keysh.Pool(2) as pool, pool.session() as one, pool.session() as other:
        job = one.start("x=1; echo begun; while true; do :; done")
        while not job.output:
            pass
        assert other.run("y=2; echo hi").stdout == "hi\n"
        assert pool.metrics()["workers"] == 2
        job.cancel()
        job.wait()
        deadline = time.monotonic() + 20
        while pool.metrics()["workers"] > 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert (pool.metrics()["workers"], pool.metrics()["died"]) == (1, 0)
        assert (one.vars["x"], other.vars["y"]) == (1, 2)


def test_closed_pool_ends_its_runs() -> None:
    pool = keysh.Pool(1)
    session = pool.session()
    job = session.start("while true; do :; done")
    while pool.metrics()["idle"]:
        pass
    pool.close()
    assert job.wait().limit is not None
    assert session.run("echo hi").stderr == "keysh: worker: the workers are closed\n"


def test_dropped_sessions_leave_their_worker_to_others() -> None:
    with keysh.Pool(1) as pool:
        for _ in range(3):
            pool.session().run("x=$(seq 1000)")
        assert pool.session().run("echo [$x]").stdout == "[]\n"
        assert pool.metrics()["workers"] == 1


def test_sessions_of_mounts_and_commands_move(tmp_path: object) -> None:
    @keysh.command
    def greet(sh: keysh.Call) -> str:
        """Greet."""
        return "hello\n"

    mounts = {"/m": keysh.MemoryFS()}
    with keysh.Pool(1) as pool:
        one = pool.session(mounts, commands=[greet])
        other = pool.session()
        for number in range(3):
            result = one.run("echo x >> /m/f; greet; wc -l < /m/f")
            assert result.stdout == f"hello\n{number + 1}\n"
            assert (
                other.run(
                    "greet",
                ).code
                != 0
            )


@pytest.mark.parametrize(
    ("option", "value", "kind"),
    [("workers", 0, ValueError), ("memory", 1, ValueError), ("recycle", "x", TypeError),
     ("cpu", 0, ValueError)],
)  # fmt: skip
def test_wrong_options_are_refused(option: str, value: object, kind: type[Exception]) -> None:
    with pytest.raises(kind, match=option):
        keysh.Pool(**{option: value})  # type: ignore[arg-type]


def test_a_pool_in_a_forked_process_is_refused() -> None:
    import os

    with keysh.Pool(1) as pool, pool.session() as session:
        assert session.run("x=1").ok
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.write(writing, session.run("echo hi").stderr.encode())
            os._exit(0)
        os.waitpid(pid, 0)
        os.close(writing)
        assert b"belong to the process that has started them" in os.read(reading, 200)
        os.close(reading)
        assert session.run("echo $x").stdout == "1\n"


def test_a_run_whose_time_ends_as_it_gets_a_worker_leaves_it_to_others() -> None:
    """The worker still holds the shell of another session, whose image was on its way."""
    with keysh.Pool(workers=1) as pool:
        one, other, third = pool.session(), pool.session(), pool.session()
        one.run("x=1")
        states = [session._state for session in (one, other)]
        worker = pool.acquire(states[0], None, lambda: None)

        def check() -> None:
            pool.release(worker, is_lost=False)  # from now on it is the other's
            raise TimeoutError

        with pytest.raises(TimeoutError):
            pool.acquire(states[1], None, check)
        assert third.run("echo on").stdout == "on\n"
        assert one.run("echo $x").stdout == "1\n"
