"""Whatever ends a run also ends its programs and their descendants."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable

import pytest

from external.conftest import Open
from keysh import Cancel, Events, Limits

# Descendants that are found by their parent or their session.
TREES = [
    "/bin/sleep 60",
    "/bin/sh -c 'sleep 60 & wait'",
    "/bin/sh -c 'setsid sleep 60 & wait'",
    "/bin/sleep 60 | /bin/cat",
    "/bin/sleep 60 | cat | /bin/cat",
    "yes | /bin/cat | /bin/cat > /dev/null",
    "{ /bin/sleep 60; } | cat",
    "x=$(/bin/sleep 60)",
    "cat <(/bin/sleep 60)",
    "/bin/cat <(/bin/sleep 60)",
    "echo a > >(/bin/sleep 60)",
    "echo 60 | xargs /bin/sleep",
    "spawn command=sleep argv=60",
    "f() { /bin/sleep 60; }; f",
]


# It is found by the mark that a run with a timeout puts into the environment.
DETACHED = "/bin/sh -c 'setsid --fork sleep 60; sleep 60'"


@pytest.mark.parametrize("text", [*TREES, DETACHED])
def test_timeout(shell: Open, text: str) -> None:
    result = shell().run(text, timeout=0.1)
    assert result.code == 124
    assert result.limit is not None
    assert result.limit.kind == "seconds"


@pytest.mark.parametrize("text", TREES)
def test_cancel(shell: Open, text: str) -> None:
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.cancel)
    timer.start()
    result = shell().run(text, cancel=cancel)
    timer.join()
    assert result.code == 130


@pytest.mark.parametrize("text", TREES)
def test_cancelling_the_task(shell: Open, text: str) -> None:
    """The task ends after its programs, and the shell stays usable."""
    begin: list[Callable[[], object]] = []  # the action at the first event
    notice = Events(lambda event: begin.pop()() if begin else None, only=["program"])
    sh = shell(on_event=notice)

    async def main() -> None:
        begun = asyncio.Event()
        loop = asyncio.get_running_loop()
        begin.append(lambda: loop.call_soon_threadsafe(begun.set))
        task = asyncio.create_task(sh.arun(text))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert sh.run("/bin/echo on").stdout == "on\n"


def test_timeout_command(shell: Open) -> None:
    sh = shell()
    assert sh.run("timeout 0.1 /bin/sleep 60; echo $?; echo on").stdout == "124\non\n"
    assert sh.run("timeout 20 /bin/echo a").stdout == "a\n"


def test_partial_output_is_kept(shell: Open) -> None:
    result = shell().run("/bin/sh -c 'echo a; echo b >&2; exec sleep 60'", timeout=1)
    assert (result.code, result.stdout, result.stderr[:2]) == (124, "a\n", "b\n")


def test_shell_continues_after_a_timeout(shell: Open) -> None:
    sh = shell()
    sh.run("x=1; /bin/sleep 60", timeout=0.1)
    assert sh.run("/bin/echo $x").stdout == "1\n"


def test_limit_on_output(shell: Open) -> None:
    result = shell(limits=Limits(output=1000)).run("/usr/bin/yes")
    assert (len(result.stdout), result.limit.kind if result.limit else "") == (1000, "output")


def test_limit_on_processes(shell: Open) -> None:
    sh = shell(limits=Limits(processes=1))
    assert sh.run("/bin/echo a").stdout == "a\n"
    result = sh.run("/bin/sleep 60 | /bin/cat")
    assert (result.code, result.limit.kind if result.limit else "") == (125, "processes")


def test_limit_on_processes_of_a_program(shell: Open) -> None:
    sh = shell(limits=Limits(processes=3))
    result = sh.run("/bin/sh -c 'for i in 1 2 3 4 5 6; do sleep 60 & done; wait'")
    assert (result.code, result.limit.kind if result.limit else "") == (125, "processes")


def test_limit_on_processes_of_all_programs(shell: Open) -> None:
    """Each has fewer than allowed, and all have been admitted before they start others."""
    sh = shell(limits=Limits(processes=12))
    program = (
        "/bin/sh -c 'until [ -e go ]; do sleep 0.01; done; "
        "for i in 1 2 3 4 5 6 7 8; do sleep 60 & done; wait' &"
    )
    result = sh.run(f"{program} {program} echo >go; wait")
    assert "limit reached: processes: 13 used, 12 allowed" in result.stderr


def test_leaving_a_pipeline_ends_its_programs(shell: Open) -> None:
    sh = shell()
    assert sh.run("/bin/sleep 60 | exit 3").code == 3
    assert sh.run("set -u; /bin/sleep 60 | echo $nosuch").code == 1


def test_a_failing_host_ends_the_program(shell: Open) -> None:
    def fail(stream: str, text: str) -> None:
        raise KeyError(text)

    result = shell().run("/bin/sh -c 'echo a; exec sleep 60'", on_output=fail)
    assert isinstance(result.error, KeyError)


def test_program_behind_a_descriptor_ends_with_the_shell(shell: Open) -> None:
    sh = shell()
    program = "/bin/sh -c 'echo $$; echo more; exec sleep 60'"
    pid = int(sh.run(f"exec 3< <({program}); read -r pid <&3; echo $pid").stdout)
    sh.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_program_without_a_reader_is_ended(shell: Open) -> None:
    pid = shell().run("read -r pid < <(/bin/sh -c 'echo $$; exec sleep 60'); echo $pid").stdout
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


@pytest.mark.parametrize("text", ["{}; :", "{{ {}; }} | cat", "x=$( {}); echo $x", "{} &\nwait"])
def test_program_behind_a_subshell_descriptor_ends_with_it(shell: Open, text: str) -> None:
    sh = shell()
    inner = "exec 4< <(/bin/sh -c 'echo $$; echo more; exec sleep 60'); read -r pid <&4; echo $pid"
    pid = int(sh.run(text.format(f"({inner})")).stdout)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
