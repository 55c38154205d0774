"""Workers die, hang and lie: the host is unharmed, and the session goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import keysh
import keysh.shell.isolation.worker_process as worker_process
from isolation.deaths import KINDS, Count, run_deaths
from isolation.hostile_frames import run_frames, run_properties
from keysh.process.confine.kernel import Kernel
from keysh.process.confine.landlock import ABI_SCOPES


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    before = Count()
    yield
    after = Count()
    assert after.is_within(before), (before, after)


@pytest.mark.parametrize("kind", KINDS)
def test_session_goes_on_after_a_death(kind: str) -> None:
    assert run_deaths(2 if kind == "cpu" else 5, 7, (kind,)) == []


def test_deaths_of_all_kinds_in_turn() -> None:
    assert run_deaths(14, 3, ("SIGKILL", "SIGSEGV", "memory", "programs")) == []


def test_frames_of_a_hostile_worker_harm_nobody() -> None:
    results, problems = run_frames(2000, 1)
    assert problems == []
    assert results > 10  # some were right


def test_frames_that_hypothesis_changes_harm_nobody() -> None:
    run_properties(150)


def test_death_is_named() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.run("x=1")
        job = shell.start("x=2; echo begun; while true; do :; done")
        kill_worker_in_run(shell, job, signal.SIGKILL)
        result = job.wait()
        assert (result.code, result.stderr) == (125, "keysh: worker: it was killed by SIGKILL\n")
        assert result.limit is not None
        assert result.limit.kind == "worker"
        assert shell.run("echo $x").stdout == "1\n"


def test_what_a_host_has_set_is_not_lost() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.vars["x"] = "set"
        with shell.fs.open("/f", "w") as stream:
            stream.write(b"written\n")
        job = shell.start("x=2; rm /f; echo begun; while true; do :; done")
        kill_worker_in_run(shell, job, signal.SIGSEGV)
        job.wait()
        assert shell.run("echo $x; cat /f").stdout == "set\nwritten\n"


def test_death_between_two_runs_loses_nothing_of_a_finished_run() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.run("x=1")
        kill_idle_worker(shell)
        assert shell.run("echo $x").stdout == "1\n"


def test_changes_that_are_in_no_image_are_missed_aloud() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.run("x=1")
        shell.vars["x"] = 2
        kill_idle_worker(shell)
        result = shell.run("echo $x")
        assert (result.stdout, result.limit and result.limit.kind) == ("", "worker")
        assert "died between two runs" in result.stderr
        assert shell.run("echo $x").stdout == "1\n"


HANGING = (
    "import signal, sys, socket, time; from keysh.shell.isolation.frames import *;"
    "signal.signal(signal.SIGUSR1, signal.SIG_IGN); pipe = socket.socket(fileno=int(sys.argv[1]));"
    "pipe.sendall(packed_frame(READY, {}));"
)
PATH_SETUP = "import sys; sys.path[:] = sys.argv[5:];"


@pytest.fixture
def hostile_program(monkeypatch: pytest.MonkeyPatch) -> Any:
    def use(code: str) -> None:
        monkeypatch.setattr(worker_process, "BOOT", PATH_SETUP + HANGING + code)
        monkeypatch.setattr(worker_process, "GRACE_SECONDS", 0.2)

    return use


def test_worker_that_hears_nothing_is_killed_at_the_deadline(hostile_program: Any) -> None:
    # It loads the shell, and then hears nothing, also no signal.
    hostile_program(
        "pipe.recv(1 << 16); pipe.sendall(packed_frame(ANSWER, {'id': 1})); time.sleep(1000)"
    )
    with keysh.Shell(isolated=True, limits=keysh.Limits(seconds=0.1)) as shell:
        result = shell.run("echo hi")
        assert (result.code, result.limit and result.limit.kind) == (124, "seconds")
    with keysh.Shell(isolated=True) as shell:
        job = shell.start("echo hi")
        while shell._worker is None or not shell._worker.peer._waiting:  # type: ignore[attr-defined]
            time.sleep(0.001)
        job.cancel()
        assert (job.wait().code, job.wait().stderr) == (130, "keysh: cancelled\n")


@pytest.mark.parametrize(
    "code",
    [
        "pipe.sendall(b'x' * 1000); time.sleep(1000)",
        "pipe.sendall(HEADER.pack(ANSWER, 1 << 31, 0)); time.sleep(1000)",
        "pipe.sendall(HEADER.pack(ANSWER, 2, (1 << 32) - 1)); time.sleep(1000)",
        "x = packed_frame(OUTPUT, {'stream': 'stdout'}); [*map(pipe.sendall, iter(lambda: x, 1))]",
        "pipe.close(); time.sleep(1000)",
        "sys.exit(3)",
    ],
)
def test_program_that_lies_is_ended(hostile_program: Any, code: str) -> None:
    hostile_program(code)
    with keysh.Shell(isolated=True) as shell:
        result = shell.run("echo hi")
    assert (result.code, result.limit and result.limit.kind) == (125, "worker")


@pytest.mark.parametrize("leaves_fork", [False, True])
def test_worker_ends_with_its_host(leaves_fork: bool) -> None:
    program = (
        "import keysh, os, sys; shell = keysh.Shell(isolated=True); shell.run('x=1');"
        "job = shell.start('while true; do :; done') if len(sys.argv) == 1 else None\n"
        "if len(sys.argv) > 1 and not os.fork():\n"
        "    os.close(1); sys.stdin.read(); os._exit(0)\n"
        "print(next(iter(shell._workers._alive)).process_id, flush=True); os.kill(os.getpid(), 9)"
    )
    words = [sys.executable, "-W", "ignore", "-c", program, *(["fork"] if leaves_fork else [])]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        pid = int(process.stdout.read())
        process.wait()
        deadline = time.monotonic() + 20
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
            time.sleep(0.005)
        assert not os.path.exists(f"/proc/{pid}")


def test_worker_has_nothing_of_its_host() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.run("x=1")
        pid = pid_of(shell)
        descriptors = sorted(int(fd) for fd in os.listdir(f"/proc/{pid}/fd"))
        links = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in descriptors[:3]}
        assert (len(descriptors), links) == (5, {"/dev/null"})  # the pipe, and the host's process
        with open(f"/proc/{pid}/status") as status:
            fields = dict(line.split(":\t", 1) for line in status.read().splitlines())
        assert fields["NoNewPrivs"] == "1"
        with open(f"/proc/{pid}/environ", "rb") as environment:
            names = {one.partition(b"=")[0] for one in environment.read().split(b"\0") if one}
        assert names == {b"MALLOC_ARENA_MAX", b"LC_ALL"}
        with open(f"/proc/{pid}/limits") as limits:
            rows = limits.read()
        assert "Max core file size        0                    0" in rows
        assert f"Max address space         {1 << 30}" in rows


def kill_worker_in_run(shell: Any, job: keysh.Job, number: int) -> None:
    """Kill the worker of a shell once its script has printed something."""
    while not job.output:
        time.sleep(0.001)
    os.kill(pid_of(shell), number)


def kill_idle_worker(shell: Any) -> None:
    pid = pid_of(shell)
    os.kill(pid, signal.SIGKILL)
    (worker,) = shell._workers._alive
    worker._process.wait()


def pid_of(shell: Any) -> int:
    (worker,) = shell._workers._alive
    return int(worker.process_id)


def test_many_threads_use_one_shell() -> None:
    with keysh.Shell(isolated=True) as shell:
        shell.run("n=0")

        def count() -> None:
            for _ in range(10):
                shell.run("n=$((n + 1))")

        threads = [threading.Thread(target=count) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert shell.vars["n"] == 40


ESCAPES = """
import os, resource, signal, socket, subprocess, sys
sys.path.insert(0, sys.argv[2])  # a folder of the host's program
from keysh.worker.worker_confinement import confine_worker
outside = sys.argv[1]
confine_worker()
ways = {
    "read": lambda: open(outside).read(), "write": lambda: open(outside, "w"),
    "list": lambda: os.listdir(os.path.dirname(outside)), "passwd": lambda: open("/etc/passwd"),
    "unlink": lambda: os.unlink(outside), "chmod": lambda: os.chmod(outside, 0o777),
    "truncate": lambda: os.truncate(outside, 0), "make": lambda: os.mkdir(outside + ".d"),
    "temporary": lambda: open("/tmp/keysh-escape", "w"), "library": lambda: open(os.__file__, "a"),
    "program": lambda: open(os.path.join(sys.argv[2], "settings")).read(),
    "sockets": lambda: open("/proc/self/net/tcp").read(),
    "environment": lambda: open("/proc/self/environ").read(),
    "proc": lambda: open(f"/proc/{os.getppid()}/environ").read(),
    "root": lambda: open("/proc/self/root" + outside).read(),
    "fork": os.fork, "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "exec": lambda: os.execv("/bin/true", ["true"]), "run": lambda: subprocess.run(["/bin/true"]),
    "inet": lambda: socket.socket(socket.AF_INET), "unix": lambda: socket.socket(socket.AF_UNIX),
    "pair": socket.socketpair, "netlink": lambda: socket.socket(socket.AF_NETLINK),
    "signal": lambda: os.kill(os.getppid(), 0),
    "limits": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
}
for name, way in ways.items():
    try:
        way()
    except OSError:
        continue
    print(name)
"""


def test_taken_over_worker_is_held_by_the_kernel(tmp_path: Path) -> None:
    kernel = Kernel()
    if kernel.landlock_abi < ABI_SCOPES or not kernel.has_seccomp:
        pytest.skip("this kernel does not confine processes")
    outside = tmp_path / "outside"
    outside.write_text("secret\n")
    program = tmp_path / "program"
    program.mkdir()
    (program / "settings").write_text("secret\n")
    words = [sys.executable, "-c", ESCAPES, str(outside), str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")
    assert outside.read_text() == "secret\n"
