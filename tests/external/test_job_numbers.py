"""The numbers of jobs: a real program's is its own, the shell's own jobs have no process's."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from external.conftest import PATH, Open
from keysh import Limits, Policy, Shell

HIGHEST = 1 << 22  # Linux gives no process this number or one above it

# Jobs that become a program, however written; the shell's `$!` is that program's number.
PROGRAMS = [
    "/bin/sleep 60 &",
    "/bin/sleep 60 >out 2>&1 </dev/null &",
    "x=1 /bin/sleep 60 &",
    "p=/bin/sleep; $p 60 &",
    'set -- /bin/sleep 60; "$@" &',
    "/bin/sleep $(/bin/echo 60) &",
    "/bin/echo a | /bin/cat | /bin/sleep 60 &",
    "/bin/sleep 60 & true",
]


@pytest.mark.parametrize("text", PROGRAMS)
def test_job_number_is_the_pid_of_the_program(shell: Open, text: str) -> None:
    sh = shell()
    pid = sh.run(f"{text} \necho $!").stdout.split()[-1]
    assert Path(f"/proc/{pid}/comm").read_text() == "sleep\n"
    assert sh.run("jobs -p").stdout == f"{pid}\n"
    assert f" {pid} Running" in sh.run("jobs -l").stdout
    os.kill(int(pid), signal.SIGTERM)
    assert sh.run(f"wait {pid}").code == 143


# The shell's own commands, or more than one program.
OWN = [
    "sleep 60 &",
    "{ /bin/sleep 60; } &",
    "(/bin/sleep 60; true) &",
    "/bin/sleep 60 && true &",
    "f() { /bin/sleep 60; }; f &",
    "eval '/bin/sleep 60' &",
    "/bin/sleep 60 | cat &",
]


@pytest.mark.parametrize("text", OWN)
def test_signalling_an_internal_job_reaches_no_process(shell: Open, text: str) -> None:
    sh = shell()
    pid = sh.run(f"{text} echo $!").stdout.strip()
    assert int(pid) > HIGHEST
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)
    assert sh.run(f"kill -0 {pid} && kill {pid}; wait {pid}").code == 143


def test_subshells_have_their_own_numbers(shell: Open) -> None:
    result = shell().run("echo $BASHPID $$; (echo $BASHPID); { echo $BASHPID >in; } & wait; cat in")
    own, dollar, below, beside = map(int, result.stdout.split())
    assert own == dollar >= HIGHEST
    assert HIGHEST < below != beside > HIGHEST


def test_shell_that_read_its_pid_still_owns_its_jobs(shell: Open) -> None:
    script = "{ /bin/sleep 0.05; echo done >f; } & echo $BASHPID >/dev/null; wait; cat f"
    assert shell().run(script).stdout == "done\n"


def test_both_numbers_give_the_status(shell: Open) -> None:
    script = "/bin/sh -c 'exit 5' & p=$!; wait $p; echo $?; wait $p; echo $?; wait -p q -n; echo $q"
    assert shell().run(script).stdout == "5\n5\n\n"


def test_job_asking_for_its_own_number_does_not_block(shell: Open) -> None:
    assert shell().run('/bin/echo "$(jobs -p)" >f & wait; cat f').stdout.strip().isdecimal()


def test_program_that_fails_to_start_ends_the_wait(shell: Open) -> None:
    sh = shell(limits=Limits(seconds=20))
    result = sh.run("PATH=/nowhere setsid a & echo $!; wait $!; echo $?; /bin/sleep <no & echo $!")
    first, status, last = map(int, result.stdout.split())
    assert first > HIGHEST < last
    assert status == 127


# ---------------------------------------------------------------- kill

TRAPS = """/bin/sh -c '
    trap "echo $0; exit 5" {0}; echo >ready; while :; do sleep 0.01; done
' {0} >out &
while [ ! -e ready ]; do sleep 0.01; done
"""


@pytest.mark.parametrize("signal", ["USR1", "HUP", "INT", "TERM", "WINCH"])
def test_program_receives_the_same_signal(shell: Open, signal: str) -> None:
    result = shell().run(f"{TRAPS.format(signal)}kill -{signal} $!; wait $!; echo $?; cat out")
    assert result.stdout == f"5\n{signal}\n"


@pytest.mark.parametrize(
    "text", ["/bin/sleep 60 | /bin/sleep 60", "/bin/sh -c 'sleep 60 & sleep 60'", "/bin/sleep 60"]
)
def test_signal_reaches_the_whole_job(shell: Open, text: str) -> None:
    sh = shell(limits=Limits(seconds=30))
    assert sh.run(f"{text} & kill %1; wait %1").code == 143
    assert sh.run("jobs").stdout == ""


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that is not a job of the shell and leads a group."""
    with subprocess.Popen(["/bin/sleep", "60"], process_group=0) as process:
        yield process
        process.kill()


@pytest.mark.parametrize(
    ("how", "number"), [("", 15), ("-9 ", 9), ("-s HUP ", 1), ("-SIGUSR1 ", 10), ("-n 2 -- -", 2)]
)
def test_any_process_can_be_signalled(
    shell: Open, stranger: subprocess.Popen[bytes], how: str, number: int
) -> None:
    sh = shell()
    assert sh.run(f"kill -0 {stranger.pid}").code == 0
    result = sh.run(f"kill {how}{stranger.pid}")
    assert (result.code, result.stderr) == (0, "")
    assert stranger.wait(30) == -number
    gone = sh.run(f"kill {stranger.pid}")
    assert (gone.code, gone.stderr) == (
        1,
        f"keysh: line 1: kill: ({stranger.pid}) - No such process\n",
    )


@pytest.mark.parametrize("external", [False, Policy(allow=["sleep"])])
def test_no_process_is_signalled_under_a_program_policy(
    stranger: subprocess.Popen[bytes], external: object
) -> None:
    with Shell(external=external, env={"PATH": PATH}) as sh:
        for how in ("", "-9 ", "-- -"):
            assert sh.run(f"kill {how}{stranger.pid}").code == 1
        assert sh.run(f"kill -0 {stranger.pid}").stderr.endswith("No such process\n")
    assert stranger.poll() is None


def test_impossible_process_number(shell: Open) -> None:
    number = "9" * 30
    assert shell().run(f"kill {number}").stderr.endswith(f" kill: ({number}) - No such process\n")
