"""A process that the host has forked leaves what its shells run to the first process."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from keysh import KeyshError, Shell
from keysh.process.wakeup import Flag

LONGEST_SECONDS = 30


def passes_in_fork(check: Callable[[], bool]) -> bool:
    """Whether a check passes in a forked process."""
    pid = os.fork()
    if not pid:
        signal.alarm(LONGEST_SECONDS)
        code = 1
        try:
            code = 0 if check() else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_jobs_and_their_programs_are_not_the_forks() -> None:
    with Shell(external=True, journal=True) as shell:
        pid = int(shell.run("x=kept; /bin/sleep 60 & sleep 60 & /bin/sleep 60 & echo $!").stdout)

        def check() -> bool:
            own = shell.run("jobs; wait; echo $x; /bin/echo program; /bin/cat < /dev/null & wait")
            shell.close()
            return own.stdout == "kept\nprogram\n"

        assert passes_in_fork(check)
        assert passes_in_fork(lambda: shell.close() is None)
        assert Path(f"/proc/{pid}").exists()
        assert shell.run("jobs").stdout.count("Running") == 3
    assert not Path(f"/proc/{pid}").exists()


def test_run_in_progress_is_neither_ended_nor_awaited() -> None:
    with Shell(external=True) as shell:
        job = shell.start("/bin/sh -c 'echo begun; exec sleep 60'")
        while not job.output:
            threading.Event().wait(0.01)

        def check() -> bool:
            job.cancel()
            shell.close()
            with pytest.raises(KeyshError, match="in the process that forked this one"):
                job.wait()
            return True

        assert passes_in_fork(check)
        assert not job.is_done
        job.cancel()
        assert job.wait().code == 130


def test_flag_of_a_fork_is_another_one() -> None:
    def check() -> bool:
        flag.set()
        with pytest.raises(BlockingIOError):
            os.read(before, 8)
        return os.read(flag.fd, 8) != b""

    with Flag() as flag:
        before = os.dup(flag.fd)
        assert passes_in_fork(check)
        with pytest.raises(BlockingIOError):
            os.read(flag.fd, 8)
        os.close(before)
