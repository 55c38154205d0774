"""Timeouts, cancelling and killing leave no process of the tree."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from time import monotonic

import pytest

from keysh.process import OPEN, STREAM, Flag, run, start
from keysh.process.process import Process
from process.conftest import Make
from process.leaked_processes import kill_marked, marked_processes
from real_tools import needs

DEAF = "trap '' TERM HUP INT"

# Trees that print "ready" when all of them are there. Each must be dead when the result is there.
TREES = {
    "alone": "echo ready; exec sleep 60",
    "children": "sleep 60 & sleep 60 & echo ready; wait",
    "deaf": f"{DEAF}; echo ready; while :; do sleep 60; done",
    "deaf grandchild": f"({DEAF}; echo ready; sleep 60; sleep 60) & wait",
    "session of its own": "setsid sh -c 'echo ready; sleep 60' & wait",
    "double fork": "(setsid sh -c 'sleep 60 & echo ready' &) ; sleep 60",
    "deaf double fork": f'(setsid sh -c "{DEAF}; echo ready; sleep 60; sleep 60" &) ; sleep 60',
    "stopped": "sh -c 'echo ready; kill -STOP $$' & wait",
    "storm": "for i in 1 2 3 4 5 6 7 8 9 10; do (setsid sleep 60 &); done; echo ready; sleep 60",
    "forks when asked to end": "trap '(setsid sleep 60 &); exit' TERM; echo ready; sleep 60 & wait",
    "group without its leader": "set -m; sleep 60 & echo ready; wait",
}


def ready(spec: object, **options: object) -> Process:
    """Start a process and read its output until it reports that it is ready."""
    process = start(spec, **options)  # type: ignore[arg-type]
    seen = b""
    while b"ready\n" not in seen:
        process.turn(None)
        seen += process.captured[0].take()
    return process


@pytest.mark.parametrize("name", TREES)
def test_tree_is_killed(make: Make, mark: str, name: str) -> None:
    with ready(make("sh", "-c", TREES[name], grace=100, tagged=True)) as process:
        while not marked_processes(mark):  # a process within `exec` shows no environment
            pass
        process.stop()
        result = process.wait()
        assert marked_processes(mark) == []
    assert (result.stop, result.survivors) == ("killed", [])


def test_detached_process_survives(make: Make, mark: str) -> None:
    """As documented, a process that detached and cleared its environment is not covered."""
    script = f'(setsid env -i KEYSH_TEST={mark} sh -c "echo ready; exec sleep 60" &) ; sleep 60'
    with ready(make("sh", "-c", script, tagged=True)) as process:
        process.stop()
        process.wait()
    assert kill_marked(mark) == 1


def test_leaving_the_with_block_kills(make: Make, mark: str) -> None:
    with ready(make("sh", "-c", TREES["children"])):
        pass
    assert marked_processes(mark) == []


def test_timeout(make: Make) -> None:
    result = run(make("sh", "-c", "echo partial; echo e >&2; exec sleep 60", timeout=1000))
    assert (result.code, result.timed_out, result.issue) == (124, True, "TIMEOUT")
    assert (result.stdout, result.stderr) == (b"partial\n", b"e\n")
    assert (result.signal, result.exit_code) == (15, None)


def test_timeout_when_the_process_exits_cleanly_on_sigterm(make: Make) -> None:
    script = "trap 'echo bye; exit 5' TERM; sleep 60 & wait"
    result = run(make("sh", "-c", script, timeout=1000))
    assert (result.code, result.exit_code, result.stdout) == (124, 5, b"bye\n")


def test_output_while_dying_is_kept(make: Make) -> None:
    script = "trap 'head -c 500000 /dev/zero; exit' TERM; sleep 60 & wait"
    assert len(run(make("sh", "-c", script, timeout=1000)).stdout) == 500_000


def test_timeout_during_output(make: Make) -> None:
    assert run(make("yes", timeout=30)).code == 124


def test_timeout_during_input(make: Make) -> None:
    def source() -> object:
        while True:
            yield b"x" * 1000

    assert run(make("sh", "-c", "cat >/dev/null", stdin=source(), timeout=30)).code == 124


def test_no_timeout_for_a_fast_process(make: Make) -> None:
    result = run(make("true", timeout=60_000))
    assert (result.code, result.stop) == (0, "")


def test_run_deadline(make: Make) -> None:
    result = run(make("sleep", "60", timeout=60_000), deadline=monotonic())
    assert (result.code, result.timed_out) == (124, True)


def test_cancel_from_another_thread(make: Make) -> None:
    with Flag() as flag:
        seen = threading.Event()

        def cancel() -> None:
            seen.wait()
            flag.set()

        thread = threading.Thread(target=cancel)
        thread.start()
        spec = make("sh", "-c", "echo ready; sleep 60", stdout=lambda _: seen.set())
        result = run(spec, cancel=flag.fd)
        thread.join()
        assert (result.code, result.cancelled) == (130, True)
        # The flag is the caller's: it stays set until he clears it.
        assert run(make("sleep", "60"), cancel=flag.fd).code == 130
        flag.clear()
        assert run(make("true"), cancel=flag.fd).code == 0


def test_ctrl_c(make: Make) -> None:
    spec = make("sh", "-c", "echo ready; sleep 60", stdout=lambda _: signal.raise_signal(2))
    assert run(spec).code == 130


def test_second_ctrl_c_skips_the_grace_period(make: Make) -> None:
    script = "trap 'echo deaf' TERM; echo ready; while :; do read line; done"
    interrupt = {"stdin": OPEN, "stdout": lambda _: signal.raise_signal(2)}
    result = run(make("sh", "-c", script, grace=3_600_000, **interrupt))
    assert (result.code, result.signal) == (130, 9)


def test_cancelled_chain(make: Make) -> None:
    with (
        Flag() as flag,
        start(make("sleep", "60", stdout=STREAM), cancel=flag.fd) as first,
        start(make("cat", stdin=first)) as second,
    ):
        flag.set()
        assert second.wait().code == first.wait().code == 130


def test_signal_reaches_the_process_group(make: Make) -> None:
    script = "trap 'echo usr; exit 4' USR1; echo ready; read line"
    with ready(make("sh", "-c", script, stdin=OPEN)) as process:
        process.signal(signal.SIGUSR1)
        result = process.wait()
    assert (result.stdout, result.code) == (b"usr\n", 4)


def test_ended_by_a_signal(make: Make) -> None:
    result = run(make("sh", "-c", "kill -SEGV $$"))
    assert (result.code, result.signal, result.exit_code) == (139, 11, None)


@needs("ps")
def test_process_without_a_session(make: Make) -> None:
    script = "ps -o pid=,pgid=,sid= -p $$; echo ready; sleep 60 & wait"
    with start(make("sh", "-c", script, session=False, stdout=STREAM)) as process:
        pid, group, session = map(int, next(process.output()).split()[:3])
    assert (pid, group, session) == (process.pid, process.pid, os.getsid(0))
    assert process.result is not None


def test_program_name_that_imitates_the_process_table(
    make: Make, mark: str, tmp_path: Path
) -> None:
    """The table of processes has names in brackets, unescaped."""
    program = tmp_path / "a) R 1 (b"
    program.symlink_to("/bin/sh")
    spec = make(str(program), "-c", "sleep 60 & echo ready; wait", grace=100)
    with ready(spec) as process:
        process.stop()
        process.wait()
        assert marked_processes(mark) == []


def test_nested_tags_add_up(make: Make) -> None:
    spec = make("printenv", "KEYSH_SPAWN", env={"KEYSH_SPAWN": "outer"}, timeout=60_000)
    outer, inner = run(spec).stdout.decode().strip().split(":")
    assert (outer, len(inner)) == ("outer", 16)


def test_tag_is_set_only_where_needed(make: Make) -> None:
    assert run(make("printenv", "KEYSH_SPAWN")).code == 1


def test_second_stop_kills_immediately(make: Make) -> None:
    with ready(make("sh", "-c", TREES["deaf"], grace=3_600_000)) as process:
        process.stop()
        process.turn(None)
        process.stop()
        assert process.wait().signal == 9


def test_stop_after_the_end(make: Make) -> None:
    with start(make("true", stdin=OPEN)) as process:
        result = process.wait()
        process.stop()
        process.signal(9)
        assert process.wait() is result
