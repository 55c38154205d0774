"""Jobs of the program: processes of their own, which go on when the program has ended, as in sh."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bash import is_reference_machine

KEYSH = [sys.executable, "-m", "keysh"]
SECONDS = 30  # more than any of these takes


def run(script: str, directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a script, whose jobs may go on, and wait until the last of them has ended."""
    return subprocess.run(
        [*KEYSH, *options, "-c", script], cwd=directory, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "job",
    [
        "{ cat go >/dev/null; echo late > f; } &",
        "{ cat go >/dev/null; echo late > f; } & disown",
        "(cat go >/dev/null; echo late > f) & disown",
        "/bin/sh -c 'cat go >/dev/null; echo late > f' &",
        "{ { cat go >/dev/null; echo late > f; } & } &",
        "f() { cat go >/dev/null; echo late > f; }; f &",
        "cat go | { read x; echo late > f; } &",
    ],
)
def test_a_job_goes_on_after_the_program(job: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    with subprocess.Popen(
        [*KEYSH, "-c", f"{job}\necho main; exit 3"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.wait(SECONDS) == 3  # the job waits for the FIFO
        assert not (tmp_path / "f").exists()
        (tmp_path / "go").write_text("now\n")
        # Its output ends when the job has ended, since both have it open.
        assert program.communicate(timeout=SECONDS)[0] == "main\n"
    assert (tmp_path / "f").read_text() == "late\n"


def test_a_sandbox_ends_its_jobs(tmp_path: Path) -> None:
    done = run("{ sleep 100; echo late; } & echo main", tmp_path, "--memory")
    assert (done.stdout, done.returncode) == ("main\n", 0)


# The job says that it is ready before the shell goes on.
UP = """mkfifo up; exec 9<>up
{ trap "%s" %s; echo >&9; while :; do sleep 0.01; done; } & read x <&9
"""
SCRIPTS = {
    "statuses": "{ exit 7; } & wait $!; echo $?; false & wait $!; echo $?",
    "unknown": "nosuch & wait $!; echo $?",
    "signals": "sleep 50 & kill $!; wait $!; echo $?; (sleep 50) & kill -9 $!; wait $!; echo $?",
    "programs": "/bin/sh -c 'echo a; exit 4' & wait $!; echo $?",
    "a killed program": "/bin/sleep 50 & kill $!; wait $!; echo $?",
    "kill by number": "sleep 50 & kill %1; wait %1; echo $?; jobs",
    "trap of a job": UP % ("echo trapped; exit 3", "TERM") + "kill $!; wait $!; echo $?",
    "keys": UP % ("echo alive; exit", "TERM") + "kill -INT $!; kill -QUIT $!; kill $!; wait",
    "any": "for i in 5 5; do { exit $i; } & done; wait -n; echo $?; wait; echo $?",
    "state": "x=1; { x=2; echo in $x; } & wait; echo out $x",
    "pids": "sleep 0 & [ $! != $$ ] && echo other; { [ $BASHPID != $$ ] && echo own; } & wait",
    "to the shell": "trap 'echo usr1' USR1; { kill -USR1 $$; } & wait $!; :; wait; echo end",
    "pipeline": "echo a | cat & wait $!; echo $?; v=$(echo b & wait); echo $v",
    "descriptors": "exec 3>f; { echo three >&3; } & wait; cat f",
    "order": "{ echo one; } & wait; echo two; { echo three >&2; } 2>&1 & wait",
    "inner": "{ { echo inner; } & wait; echo outer; } & wait",
    "input": "echo a > in; exec < in; cat & wait; echo end",
}


@pytest.mark.skipif(not is_reference_machine(), reason="bash 5.2 is the judge")
@pytest.mark.parametrize("name", SCRIPTS)
def test_jobs_are_those_of_bash(name: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    real = subprocess.run(
        ["bash", "-c", SCRIPTS[name]], cwd=tmp_path / "a", capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    own = run(SCRIPTS[name], tmp_path / "b")
    assert (own.stdout, own.returncode) == (real.stdout, real.returncode)


def test_a_signal_runs_the_exit_trap_of_a_job(tmp_path: Path) -> None:
    script = UP % ("echo bye", "EXIT") + "kill $!; wait $!; echo $?"
    assert run(script, tmp_path).stdout == "bye\n143\n"


def test_the_output_of_a_job_is_a_file(tmp_path: Path) -> None:
    script = """mkfifo go up; { echo out; echo err >&2; echo > up; read x < go; } & read x < up
cat /v/jobs/1/stdout; cat /v/jobs/1/stderr /v/jobs/1/status; echo > go; wait"""
    done = run(script, tmp_path)
    assert (done.stdout, done.stderr) == ("out\nout\nerr\nrunning\n", "err\n")


def test_only_the_newest_output_is_kept(tmp_path: Path) -> None:
    script = """mkfifo go done
{ for i in 1 2 3 4; do seq 100000; done; echo > done; read x < go; } & read x < done
 wc -c < /v/jobs/1/stdout >&2; echo > go; wait"""
    size = int(run(script, tmp_path).stderr)
    assert 1 << 20 <= size <= 2 << 20


def test_an_unwaited_job_leaves_no_open_file(tmp_path: Path) -> None:
    script = """for i in $(seq 50); do : & done; wait; ls /proc/$$/fd | wc -l"""
    first = int(run("ls /proc/$$/fd | wc -l", tmp_path).stdout)
    assert int(run(script, tmp_path).stdout) <= first + 4


def test_what_the_programs_of_jobs_have_left_is_counted(tmp_path: Path) -> None:
    """It grows to as many as allowed when the job has ended, and nothing runs that could count."""
    left = (
        "until [ -e go ]; do sleep 0.01; done; for i in 1 2 3 4; do sleep 60 & done; echo >up; wait"
    )
    program = f"/bin/sh -c 'echo $$ >group; ({left}) &' >/dev/null 2>&1"
    wait = "until [ -e up ]; do sleep 0.01; done"
    script = f"/bin/true; {{ {program}; }} & wait; echo >go; {wait}; /bin/true; echo none"
    try:
        done = run(script, tmp_path, "--limit", "processes=5")
    finally:
        os.killpg(int((tmp_path / "group").read_text()), signal.SIGKILL)
    assert (done.returncode, done.stdout) == (125, "")
    assert "limit reached: processes: 6 used, 5 allowed" in done.stderr
