"""A busy shell is divided, written down, copied or begun anew by nobody, and its run goes on."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from keysh import Call, Cancel, KeyshError, Result, Shell

LONGEST_SECONDS = 30

BETWEEN_RUNS: dict[str, Callable[[Shell], object]] = {
    "deepcopy": copy.deepcopy, "fork": Shell.fork, "snapshot": Shell.snapshot,
    "reset": Shell.reset, "undo": Shell.undo, "redo": Shell.redo,
    "checkout": lambda shell: shell.checkout(0),
    "recording": lambda shell: shell.recording("text").__enter__(),
}  # fmt: skip
NEVER: dict[str, Callable[[Shell], object]] = {
    "copy": copy.copy, "pickle": pickle.dumps,
    "copy of the variables": lambda shell: copy.copy(shell.vars),
    "deepcopy of the variables": lambda shell: copy.deepcopy(shell.vars),
    "pickle of the variables": lambda shell: pickle.dumps(shell.vars),
    "pickle of a job": lambda shell: pickle.dumps(Shell().start(":")),
    "deepcopy of a job": lambda shell: copy.deepcopy(Shell().start(":")),
    "pickle of a cancel": lambda shell: pickle.dumps(Cancel()),
}  # fmt: skip
ALWAYS: dict[str, Callable[[Shell], object]] = {
    "check": lambda shell: shell.check("echo"), "plan": lambda shell: shell.plan("echo"),
    "complete": lambda shell: shell.complete("ec"), "variables": lambda shell: [*shell.vars],
    "files": lambda shell: shell.fs.stat("/"), "directory": lambda shell: shell.cwd,
    "history": lambda shell: shell.history, "text": repr,
}  # fmt: skip


@contextmanager
def busy_shell(how: str) -> Iterator[tuple[Shell, Callable[[], Result]]]:
    """Yield a shell that runs a script, and a function that ends it and returns its result."""
    begun, go_on = threading.Event(), threading.Event()

    def block(sh: Call) -> None:
        """Wait until the test goes on."""
        begun.set()
        while not go_on.wait(0.005):
            sh.tick()

    shell = Shell(commands=[block], journal=True)
    shell.run("x=before")
    results: list[Result] = []
    script = "x=during; block; echo $x"

    def run() -> None:
        if how == "arun":
            results.append(asyncio.run(shell.arun(script)))
        elif how == "subshell":
            results.append(shell.run(f"( {script} ) | cat"))
        else:
            results.append(shell.run(script))

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.wait(LONGEST_SECONDS)

    def end() -> Result:
        go_on.set()
        thread.join(LONGEST_SECONDS)
        return results[0]

    try:
        yield shell, end
    finally:
        end()


@pytest.mark.parametrize("how", ["run", "arun", "subshell"])
@pytest.mark.parametrize("name", [*BETWEEN_RUNS, *NEVER, *ALWAYS])
def test_what_can_be_done_with_a_busy_shell(name: str, how: str) -> None:
    with busy_shell(how) as (shell, end):
        if name in BETWEEN_RUNS:
            with pytest.raises(KeyshError, match=r"^a run of this shell is in progress$"):
                BETWEEN_RUNS[name](shell)
        elif name in NEVER:
            with pytest.raises(TypeError, match=r"copied|copy|pickled"):
                NEVER[name](shell)
        else:
            ALWAYS[name](shell)
        assert end().stdout == "during\n"
    assert shell.run("echo on").stdout == "on\n"


def test_fork_of_a_busy_shell_merges_later() -> None:
    with busy_shell("run") as (shell, end):
        with pytest.raises(ValueError, match="no fork"):
            shell.changes()
        end()
        fork = shell.fork()
        fork.run("y=fork")
        shell.merge(fork)
    assert shell.vars["y"] == "fork"


@pytest.mark.parametrize("name", [*BETWEEN_RUNS])
def test_command_of_the_host_does_none_of_it_to_its_own_shell(name: str) -> None:
    errors: list[str] = []

    def inside(sh: Call) -> None:
        """Try it."""
        try:
            BETWEEN_RUNS[name](shell)
        except KeyshError as error:
            errors.append(str(error))

    shell = Shell(commands=[inside], journal=True)
    assert shell.run("x=1; inside; echo $x").stdout == "1\n"
    assert errors == ["a run of this shell is in progress"]


def test_jobs_do_not_make_a_shell_busy() -> None:
    shell = Shell(journal=True)
    assert shell.run("sleep 100 & x=1").code == 0
    twins: list[Any] = [shell.fork(), copy.deepcopy(shell), Shell.restore(shell.snapshot())]
    for twin in twins:
        assert twin.run("echo $x; jobs").stdout == "1\n"
    shell.close()


def test_process_forked_while_a_shell_is_busy_does_not_wait_for_it() -> None:
    with busy_shell("run") as (shell, _):
        pid = os.fork()
        if not pid:
            code = 1
            try:
                result = shell.run("echo never")
                is_refused = result.code == 125 and "fork" in result.stderr
                with pytest.raises(KeyshError):
                    shell.fork()
                other = Shell().run("echo other").stdout == "other\n"
                awaited = asyncio.run(Shell().arun("echo other")).stdout == "other\n"
                code = 0 if is_refused and other and awaited else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_threads_that_use_a_shell_first_share_its_state() -> None:
    def use(shell: Shell, start: threading.Barrier, number: int) -> None:
        start.wait(LONGEST_SECONDS)
        shell.run(f"x{number}=1")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that threads meet in the middle
    try:
        for _ in range(100):
            shell, start = Shell(), threading.Barrier(4)
            threads = [threading.Thread(target=use, args=(shell, start, n)) for n in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(LONGEST_SECONDS)
            assert shell.run("echo $x0$x1$x2$x3", dialect="bash").stdout == "1111\n"
    finally:
        sys.setswitchinterval(interval)
