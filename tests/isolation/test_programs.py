"""Programs of scripts in a worker: the host runs them, and ends them with the worker."""

from __future__ import annotations

import gc
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import keysh
from isolation.deaths import LONG_SLEEP, Count, programs_left
from isolation.test_worker_deaths import kill_worker_in_run

ENV = {"PATH": "/usr/bin:/bin"}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    gc.collect()
    before = Count()
    yield
    gc.collect()  # a shell of this process is in cycles
    after = Count()
    assert after.is_within(before), (before, after)
    assert programs_left() == []


@pytest.fixture
def shells(tmp_path: Path) -> Iterator[list[keysh.Shell]]:
    """Two shells with the same doors, in this process and in a worker."""
    options: dict[str, Any] = {"external": True, "env": ENV, "cwd": "/work"}
    mounts = {"/work": keysh.LocalFS(str(tmp_path))}
    with (
        keysh.Shell(mounts, **options) as here,
        keysh.Shell(mounts, isolated=True, **options) as there,
    ):
        made = [here, there]
        yield made
        made.clear()  # pytest keeps the list


SCRIPTS = r"""/bin/echo hi; echo $?
/bin/echo a b | /usr/bin/tr a-z A-Z | cat
echo in | /bin/cat; /bin/sh -c 'echo err >&2; exit 7'; echo $?
/usr/bin/yes | head -n 3
yes | /usr/bin/head -n 2
/usr/bin/seq 50000 | /usr/bin/tail -n 1
seq 5 | while read x; do /bin/true; echo $x; done
seq 5 | while read x; do /bin/sh -c 'read y; echo got $y'; done
nosuch; echo $?; ./nosuch; echo $?
x=$(/bin/echo sub); echo $x
/bin/sh -c 'echo o; echo e >&2' 2>&1 | /bin/cat
/bin/sh -c 'echo e >&2' 2> err; cat err; /bin/cat < err; /bin/cat err
export A=b; /bin/sh -c 'echo $A'; B=c /bin/sh -c 'echo $B'
umask 077; /bin/sh -c umask; ulimit -n 50; /bin/sh -c 'ulimit -n'
/bin/sh -c 'kill -9 $$'; echo $?
for i in 1 2 3; do /bin/echo $i; done | /usr/bin/sort -r
timeout 0.2 /bin/sleep 5; echo $?
xargs -n1 /bin/echo <<< 'a b'
printf 'a\xff\n' | /bin/cat | od -c | head -1
/bin/sleep 100 & sleep 0.1; kill %1; wait %1; echo $?
/bin/sleep 100 & p=$!; sleep 0.1; kill -9 $p; wait $p; echo $?
/bin/sh -c 'echo a; exec 1>&-; exit 3' | cat; echo ${PIPESTATUS[*]}
exec /bin/echo done
/bin/false || /bin/echo no; ! /bin/true; echo $?
type -t /bin/echo; command -v env
spawn /bin/sh argv='["-c", "echo x; exit 4"]'; echo $?
head -c 300000 /dev/zero | /usr/bin/wc -c
/usr/bin/head -c 3000000 /dev/zero | wc -c
cat <(/bin/echo one) <(/bin/echo two)""".splitlines()


def test_programs_are_as_in_a_shell_of_this_process(shells: list[keysh.Shell]) -> None:
    expected, found = (
        [(script, result.code, result.stdout, result.stderr) for script, result in results]
        for results in ([(text, one.run(f"( {text}\n)")) for text in SCRIPTS] for one in shells)
    )
    assert found == expected


def test_descriptors_above_two_are_refused_aloud(shells: list[keysh.Shell]) -> None:
    result = shells[1].run("/bin/cat <(echo x)")
    assert result.code == 125
    assert "has no descriptors but 0, 1 and 2" in result.stderr


def test_policy_judges_in_the_host() -> None:
    seen = []

    def judge(path: str, words: Any) -> str | None:
        seen.append((path, [*words], threading.get_ident()))
        return "not this" if "no" in words else None

    policy = keysh.Policy(["echo"], on_spawn=judge)
    with keysh.Shell(isolated=True, external=policy, env=ENV) as shell:
        result = shell.run("/bin/echo yes; /bin/echo no; echo $?; /bin/ls; echo $?")
    assert result.stdout == "yes\n126\n126\n"
    assert "not this" in result.stderr
    assert "ls is not allowed" in result.stderr
    assert [words for _, words, _ in seen] == [["/bin/echo", "yes"], ["/bin/echo", "no"]]


def test_copying_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="materialize"):
        keysh.Shell(isolated=True, external=keysh.Policy(materialize=True))
    with pytest.raises(TypeError, match="external"):
        keysh.Shell(isolated=True, external="yes")


def test_host_learns_of_each_program() -> None:
    events: list[dict[str, Any]] = []
    told = keysh.Events(events.append, only=["program"])
    with keysh.Shell(isolated=True, external=True, env=ENV, on_event=told) as shell:
        shell.run("/bin/sh -c 'exit 3'; /nosuch")
    assert [(e["event"], e.get("status"), e.get("argv")) for e in events] == [
        ("program", None, ["/bin/sh", "-c", "exit 3"]), ("end", 3, None),
    ]  # fmt: skip


def test_exception_of_on_event_is_in_the_result() -> None:
    def refuse(event: object) -> None:
        raise ValueError("full")

    with keysh.Shell(isolated=True, external=True, env=ENV, on_event=refuse) as shell:
        result = shell.run("/bin/echo hi")
        assert isinstance(result.error, ValueError)
        assert (result.code, result.stdout) == (0, "hi\n")
        assert result.stderr == "keysh: on_event: ValueError: full\n"


def test_cancel_and_timeout_end_programs() -> None:
    with keysh.Shell(isolated=True, external=True, env=ENV) as shell:
        result = shell.run(f"/bin/sleep {LONG_SLEEP}", timeout=0.3)
        assert (result.code, result.limit and result.limit.kind) == (124, "seconds")
        job = shell.start(f"echo begun; /bin/sh -c 'sleep {LONG_SLEEP} & sleep {LONG_SLEEP}'")
        while not programs_left():
            time.sleep(0.001)
        job.cancel()
        assert job.wait().code == 130
        assert programs_left() == []
        assert shell.run("echo on").stdout == "on\n"


def test_programs_end_with_their_worker() -> None:
    with keysh.Shell(isolated=True, external=True, env=ENV) as shell:
        job = shell.start(
            f"/bin/sleep {LONG_SLEEP} & /bin/sh -c 'setsid sleep {LONG_SLEEP} & sleep 0.2';"
            f" echo begun; yes | /bin/sh -c 'cat > /dev/null'"
        )
        kill_worker_in_run(shell, job, signal.SIGKILL)
        assert job.wait().code == 125
        assert programs_left() == []


def test_programs_of_jobs_end_with_the_shell_and_with_a_limit() -> None:
    shell = keysh.Shell(isolated=True, external=True, env=ENV)
    shell.run(f"/bin/sleep {LONG_SLEEP} & sleep 0.1")
    assert len(programs_left()) == 1
    assert shell.run("jobs").stdout.startswith("[1]")
    result = shell.run(f"/bin/sleep {LONG_SLEEP} & sleep 5", timeout=0.2)
    assert result.code == 124
    deadline = time.monotonic() + 10
    while len(programs_left()) > 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(programs_left()) == 1
    shell.close()
    assert programs_left() == []


def test_programs_end_when_their_session_moves() -> None:
    with keysh.Pool(1) as pool:
        one, other = pool.session(external=True, env=ENV), pool.session()
        one.run(f"/bin/sleep {LONG_SLEEP} & sleep 0.1")
        assert len(programs_left()) == 1
        other.run("echo hi")
        assert programs_left() == []
        assert one.run("/bin/echo on").stdout == "on\n"
        one.close()


def test_dropped_shell_leaves_no_program() -> None:
    shell = keysh.Shell(isolated=True, external=True, env=ENV)
    shell.run(f"/bin/sleep {LONG_SLEEP} & sleep 0.1")
    workers: Any = shell._workers  # type: ignore[attr-defined]
    del shell
    deadline = time.monotonic() + 10
    while programs_left() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert programs_left() == []
    workers.close()


def test_limit_of_processes_holds_in_the_host() -> None:
    limits = keysh.Limits(processes=3)
    with keysh.Shell(isolated=True, external=True, env=ENV, limits=limits) as shell:
        result = shell.run(f"for i in 1 2 3 4 5; do /bin/sleep {LONG_SLEEP} & done; sleep 5")
        assert result.limit is None or result.limit.kind == "processes"
        deadline = time.monotonic() + 10  # they are counted, which a busy machine may delay
        while len(programs_left()) > 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(programs_left()) <= 3


def test_arguments_that_are_too_long_fail_alone() -> None:
    with keysh.Shell(isolated=True, external=True, env=ENV) as shell:
        result = shell.run("x=$(head -c 2000000 /dev/zero | tr '\\0' x); /bin/echo $x; echo $?")
        assert result.limit is None
        assert result.stdout != "0\n"


def test_private_directories_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with keysh.Shell(isolated=True, external=True, env=ENV) as shell:
        result = shell.run("mkdir /d; cd /d; /bin/sh -c 'echo x > f'; pwd")
        assert result.stdout == "/d\n"
        assert "the files in its temporary directory are lost" in result.stderr
    assert [*tmp_path.iterdir()] == []


def test_worker_itself_starts_no_program() -> None:
    with keysh.Shell(isolated=True, external=True, env=ENV) as shell:
        pids = shell.run("/bin/sh -c 'echo $PPID'").stdout
        worker: Any = next(iter(shell._workers._alive))  # type: ignore[attr-defined]
        assert int(pids) != worker.process_id
