"""Ten kinds of trees, each ended in each way: no survivor, and no next command is run."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import keysh
from keysh.interp.run.control_flow import LimitReached
from keysh.process import Flag, run, start
from keysh.process.tree import kill
from keysh.process.tree.process_tree import ProcessTree
from process.conftest import PATH, Make
from process.hard_trees import TREES, tree_script
from process.leaked_processes import marked_processes

End = Callable[[keysh.Shell, str], None]


def wait_until_ready(job: keysh.Job) -> None:
    while not any("ready" in text for _, text in list(job.output)):
        assert not job.is_done


def cancel(shell: keysh.Shell, text: str) -> None:
    job = shell.start(text)
    wait_until_ready(job)
    job.cancel()
    assert job.wait().code == 130


def close(shell: keysh.Shell, text: str) -> None:
    job = shell.start(text)
    wait_until_ready(job)
    shell.close()


def close_after_the_end(shell: keysh.Shell, text: str) -> None:
    shell.run(f"{text} & disown")
    while not marked_processes(str(shell.vars["KEYSH_TEST"])):
        pass
    shell.close()


@pytest.mark.parametrize("end", [cancel, close, close_after_the_end])
@pytest.mark.parametrize("name", TREES)
def test_shell(name: str, end: End, mark: str, tmp_path: Path) -> None:
    script = tree_script(name, str(tmp_path / "next"))
    env = {"PATH": PATH, "KEYSH_TEST": mark, "S": script}
    with keysh.Shell(env=env, external=True, check=False, limits=keysh.Limits.unlimited()) as shell:
        end(shell, '/bin/sh -c "$S"')
    assert marked_processes(mark) == []
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", TREES)
def test_timeout(name: str, make: Make, mark: str, tmp_path: Path) -> None:
    script = tree_script(name, str(tmp_path / "next"))
    result = run(make("sh", "-c", script, timeout=150, grace=100))
    assert (result.code, result.survivors, marked_processes(mark)) == (124, [], [])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", TREES)
def test_cancelled_while_it_starts(name: str, make: Make, mark: str, tmp_path: Path) -> None:
    script = tree_script(name, str(tmp_path / "next"))
    with Flag() as flag:
        flag.set()
        assert run(make("sh", "-c", script, grace=100), cancel=flag.fd).code == 130
    assert (marked_processes(mark), os.listdir(tmp_path)) == ([], [])


def test_dropped_shell(mark: str, tmp_path: Path) -> None:
    shell = keysh.Shell(env={"PATH": PATH, "KEYSH_TEST": mark}, external=True)
    shell.run("/bin/sh -c 'setsid sleep 6000 & sleep 6000 &'")
    assert len(marked_processes(mark)) == 2
    del shell
    gc.collect()
    assert marked_processes(mark) == []


def test_a_shell_that_is_dropped_in_a_run_that_ends(
    mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The watchdog may raise the limit of a run in the collector, which works in its thread."""

    def freeze_or_end(tree: ProcessTree) -> object:
        monkeypatch.undo()
        raise LimitReached("seconds", 1, 1)

    shell = keysh.Shell(env={"PATH": PATH, "KEYSH_TEST": mark}, external=True)
    shell.run("/bin/sh -c 'setsid sleep 6000 &'")
    monkeypatch.setattr(kill, "freeze", freeze_or_end)
    del shell
    gc.collect()
    assert marked_processes(mark) == []


def test_a_shell_whose_finalizer_is_struck(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog may also raise it before the finalizer has begun: Python prints it."""
    struck: list[object] = []

    def strike(frame: FrameType, event: str, _: object) -> None:
        if frame.f_code.co_qualname == "finalize.__call__" and not struck:
            struck.append(frame)
            raise LimitReached("seconds", 1, 1)

    shell = keysh.Shell(env={"PATH": PATH, "KEYSH_TEST": mark}, external=True)
    shell.run("/bin/sh -c 'setsid sleep 6000 &'")
    monkeypatch.setattr(sys, "unraisablehook", struck.append)
    sys.setprofile(strike)
    try:
        del shell
        gc.collect()
    finally:
        sys.setprofile(None)
    assert len(struck) == 2
    assert marked_processes(mark) == []


PROGRAM = """
import sys, keysh
shell = keysh.Shell(env={"PATH": "/usr/bin:/bin", "KEYSH_TEST": sys.argv[1]}, external=True)
shell.run("/bin/sh -c 'setsid sleep 6000 &'; /bin/sleep 6000 & disown")
shell.start("/bin/sh -c 'sleep 6000; touch NEXT'".replace("NEXT", sys.argv[2]))
"""


def test_interpreter_exit(mark: str, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    subprocess.run(
        [sys.executable, "-c", PROGRAM, mark, str(tmp_path / "next")],
        check=True, env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    assert (marked_processes(mark), os.listdir(temporary)) == ([], [])
    assert os.listdir(tmp_path) == ["temporary"]


def test_a_persons_shell_leaves_its_server(mark: str) -> None:
    command = "/bin/sh -c 'nohup setsid sleep 6000 >/dev/null 2>&1 &'"
    env = {**os.environ, "KEYSH_TEST": mark}
    subprocess.run([sys.executable, "-m", "keysh", "-c", command], check=True, env=env)
    left = marked_processes(mark)
    assert len(left) == 1
    os.kill(left[0], 9)


def test_input_ends_after_the_tree_is_stopped(make: Make, tmp_path: Path) -> None:
    """The end of its input would let a program go on to its next command."""
    script = f"cat >/dev/null; touch {tmp_path}/next"

    def endless() -> object:
        while True:
            yield b"x"

    for _ in range(20):
        assert run(make("sh", "-c", script, stdin=endless(), timeout=10)).code == 124
    assert os.listdir(tmp_path) == []


def test_all_of_a_pipeline_are_stopped_before_one_dies(mark: str, tmp_path: Path) -> None:
    env = {"PATH": PATH, "KEYSH_TEST": mark, "S": f"cat; touch {tmp_path}/next"}
    with keysh.Shell(env=env, external=True) as shell:
        for _ in range(20):
            assert shell.run('/bin/sleep 600 | /bin/sh -c "$S"', timeout=0.02).code == 124
    assert os.listdir(tmp_path) == []


def test_left_children_count(mark: str) -> None:
    env = {"PATH": PATH, "KEYSH_TEST": mark}
    limits = keysh.Limits(processes=5)
    with keysh.Shell(env=env, external=True, limits=limits) as shell:
        result = shell.run("while :; do /bin/sh -c 'sleep 600 >/dev/null 2>&1 &'; done")
        # The fifth program and what it starts may be seen while both are alive.
        assert result.code == 125
        assert len(marked_processes(mark)) in (4, 5)
    assert marked_processes(mark) == []


def test_start_without_a_cancel_can_be_stopped(make: Make, mark: str) -> None:
    with start(make("sh", "-c", "(setsid sleep 600 &); echo ready; sleep 600")) as process:
        while b"ready" not in process.captured[0].content():
            process.turn(None)
    assert marked_processes(mark) == []
