"""The contract of agent sessions, for keysh and for the real bash."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.sessions import Open, output, read_until, run
from keysh import LocalFS
from keysh.adapters.agent import (
    BashSession,
    Guard,
    KeyshSession,
    ShellManager,
    ShellStatus,
    tools_for,
)
from keysh.adapters.agent.bash_session import CommandOutput
from keysh.adapters.agent.task import FinishedCommand, UnsupportedRequest
from keysh.adapters.thread import Stop
from keysh.process import NotStarted
from process.leaked_processes import marked_processes


@pytest.fixture(params=["keysh", "bash"])
def opened(request: pytest.FixtureRequest, env: dict[str, str], tmp_path: Path) -> Iterator[Open]:
    """Open managers of one kind of session in a directory of the machine."""
    made: list[tuple[ShellManager, LocalFS | None]] = []

    def build(**more: str) -> ShellManager:
        if request.param == "bash":
            made.append((ShellManager(BashSession(env={**env, **more}, cwd=str(tmp_path))), None))
        else:
            local = LocalFS("/")
            session = KeyshSession(
                fs={"/": local}, cwd=str(tmp_path), env={**env, **more}, external=True, check=False
            )
            made.append((ShellManager(session), local))
        return made[-1][0]

    yield build
    for manager, local in made:
        manager.close()
        if local is not None:
            local.close()


@pytest.fixture
def manager(opened: Open) -> ShellManager:
    return opened()


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Wait until a command writes to the file `fifo`."""
    os.mkfifo(tmp_path / "fifo")
    held = os.open(tmp_path / "fifo", os.O_RDWR)

    def wait() -> None:
        assert select.select([held], [], [], 20)[0]
        os.read(held, 100)

    yield wait
    os.close(held)


# ---------------------------------------------------------------- the session


def test_state_persists(manager: ShellManager, tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    run(manager, "x=1; export y=2; f() { echo f$1; }; cd 'a b'")
    assert output(manager, "echo $x $y; f 3; pwd") == f"1 2\nf3\n{tmp_path}/a b\n"
    assert manager.session.cwd == f"{tmp_path}/a b"


def test_streams_are_separate(manager: ShellManager) -> None:
    done = run(manager, "echo a; echo b >&2; exit 3")
    assert (done.exit_code, done.stdout, done.stderr, done.stop) == (3, b"a\n", b"b\n", "")


COMMANDS = [
    ("true && echo a || echo b; echo c", "a\nc\n", 0),
    ("false", "", 1),
    ("cat", "", 0),
    ("printf 'a\\0b'", "a\0b", 0),
    ("echo \"it's\" 'a\"b' $'c\\nd' \\$x", "it's a\"b c\nd $x\n", 0),
    ("cat <<E\na $((1 + 1))\nE\n", "a 2\n", 0),
    ("# a comment", "", 0),
    ("", "", 0),
    ("seq 3 | tail -n 1", "3\n", 0),
    ("for i in 1 2; do\n  echo $i\ndone", "1\n2\n", 0),
    ("set -x; echo a; set +x", "a\n", 0),
    ("printf '\\303\\274'", "ü", 0),
    ("echo a; exec 3>&1; echo b >&3; exec 3>&-", "a\nb\n", 0),
    ("nosuchcommand", "", 127),
    ("(exit 7)", "", 7),
    ("sh -c 'kill -9 $$'", "", 137),
]


def test_commands(manager: ShellManager) -> None:
    for command, text, status in COMMANDS:
        done = run(manager, command)
        assert (done.stdout.decode(), done.exit_code, done.stop) == (text, status, ""), command
        assert output(manager, "echo on") == "on\n", command


def test_secrets_are_removed(opened: Open) -> None:
    manager = opened(API_TOKEN="hidden", PLAIN="seen")
    assert output(manager, "echo [$API_TOKEN] $PLAIN; env | grep -c hidden") == "[] seen\n0\n"


def test_the_hosts_environment_is_not_read(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FROM_HOST", "x")
    assert output(opened(), "echo [$FROM_HOST]; env | grep -c FROM_HOST") == "[]\n0\n"


def test_timeout(manager: ShellManager) -> None:
    run(manager, "export kept=1")
    done = run(manager, "echo a; sleep 60; echo b", 1)
    assert (done.stop, done.exit_code, done.stdout) == ("timeout", 124, b"a\n")
    assert output(manager, "echo $kept") == "1\n"


def test_endless_loop_is_ended(manager: ShellManager) -> None:
    assert run(manager, "while true; do :; done", 0.2).stop == "timeout"
    assert output(manager, "echo on") == "on\n"


def test_processes_started_by_a_command_end_with_it(
    manager: ShellManager, fifo: Callable[[], None]
) -> None:
    # The fixture `mark` looks for remaining processes, also for detached ones.
    command = "setsid -w /bin/sh -c 'echo x > fifo; sleep 60 & wait'"
    done = run(manager, command, 1)
    fifo()
    assert done.stop == "timeout"


def test_detached_processes_end_with_the_session(
    manager: ShellManager, fifo: Callable[[], None]
) -> None:
    run(manager, "setsid /bin/sh -c 'trap \"\" TERM; echo x > fifo; sleep 60 & wait' &")
    fifo()
    shell = manager.create_shell("setsid /bin/sh -c 'echo x > fifo; sleep 60 & wait' & echo a")
    fifo()
    assert shell.wait(20)
    manager.close()


@pytest.mark.asyncio
async def test_cancelling_the_task_interrupts_the_command(
    manager: ShellManager, fifo: Callable[[], None]
) -> None:
    registry = tools_for(manager)
    await registry.execute("Bash", {"command": "export kept=1"})
    task = asyncio.create_task(
        registry.execute("Bash", {"command": "/bin/sh -c 'echo x > fifo'; sleep 60; echo never"})
    )
    await asyncio.to_thread(fifo)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await registry.execute("Bash", {"command": "echo $kept"})).output == "1\n"


@pytest.mark.parametrize("ends_by", ["timeout", "cancelled"])
def test_daemons_of_a_stopped_command_are_killed(
    env: dict[str, str], fifo: Callable[[], None], tmp_path: Path, mark: str, ends_by: str
) -> None:
    daemon = "setsid /bin/sh -c 'echo x > fifo; exec sleep 60'"
    session = KeyshSession(fs=LocalFS("/"), cwd=str(tmp_path), external=True, env=env)
    with ShellManager(session) as manager, Stop() as stop:
        run(manager, f"({daemon} &)")
        fifo()
        earlier = marked_processes(mark)
        if ends_by == "cancelled":
            canceller = threading.Thread(target=lambda: (fifo(), stop.cancel.cancel()))
            canceller.start()
            done = session.run(f"({daemon} &); /bin/sleep 60", 60, stop)
            canceller.join()
        else:
            done = session.run(f"({daemon} &); /bin/sleep 60", 0.5, stop)
        assert isinstance(done, FinishedCommand)
        assert done.stop == ends_by
        assert marked_processes(mark) == earlier


def test_background_shell_with_variables_and_a_directory(
    manager: ShellManager, tmp_path: Path
) -> None:
    (tmp_path / "a b").mkdir()
    run(manager, "export x=1 y=2")
    shell = manager.create_shell(
        "echo $x $y '$z'; printenv z; pwd", env={"y": "3", "z": "it's"}, working_dir="a b"
    )
    assert shell.wait(20)
    assert shell.get_new_output()[0] == f"1 3 $z\nit's\n{tmp_path}/a b\n"
    assert output(manager, "echo $y [$z]; pwd") == f"2 []\n{tmp_path}\n"
    with pytest.raises(FileNotFoundError):
        manager.create_shell("echo", working_dir="none")
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        manager.create_shell("echo", working_dir="file")


def test_old_shells_are_removed(manager: ShellManager) -> None:
    shell = manager.create_shell("echo")
    assert shell.wait(20)
    assert manager.cleanup_completed(max_age=3600) == 0
    assert manager.cleanup_completed() == 1


def test_one_command_runs_at_a_time(manager: ShellManager, fifo: Callable[[], None]) -> None:
    order: list[str] = []
    first = threading.Thread(
        target=lambda: order.append(output(manager, "/bin/sh -c 'echo x > fifo'; echo 1"))
    )
    first.start()
    fifo()
    order.append(output(manager, "echo 2"))
    first.join()
    assert sorted(order) == ["1\n", "2\n"]


# ---------------------------------------------------------------- background shells


def test_background_shell_starts_with_the_session_state(
    manager: ShellManager, tmp_path: Path
) -> None:
    (tmp_path / "d").mkdir()
    run(manager, "export x=1; f() { echo f; }; cd d")
    shell = manager.create_shell("echo $x; f; pwd; x=2; cd /; exit 3")
    assert shell.wait(20)
    assert shell.get_new_output() == (f"1\nf\n{tmp_path}/d\n", "")
    assert (shell.status, shell.exit_code) == (ShellStatus.FAILED, 3)
    assert output(manager, "echo $x; pwd") == f"1\n{tmp_path}/d\n"


def test_background_shell_exchanges_input_and_output(manager: ShellManager) -> None:
    shell = manager.create_shell("while read -r x; do echo got $x; echo e$x >&2; done; echo end")
    assert shell.status is ShellStatus.RUNNING
    assert shell.exit_code is None
    assert shell.send("a\n")
    assert read_until(shell, "\n") == "got a\n"
    assert shell.send("b\n")
    assert read_until(shell, "\n") == "got b\n"
    shell.finish_input()
    assert shell.wait(20)
    assert shell.get_new_output()[0] == "end\n"
    assert shell.status is ShellStatus.COMPLETED
    assert not shell.send("c\n")
    assert shell.get_new_output() == ("", "")


def test_real_program_reads_sent_input(manager: ShellManager) -> None:
    shell = manager.create_shell("/bin/cat")
    assert shell.send("a\n")
    assert read_until(shell, "\n") == "a\n"
    shell.finish_input()
    assert shell.wait(20)


def test_input_to_a_stuck_reader_is_bounded(manager: ShellManager) -> None:
    shell = manager.create_shell("sleep 60")

    def send_on() -> None:
        for _ in range(100):
            shell.send("x" * 100_000)

    with pytest.raises(BlockingIOError):
        send_on()
    assert shell.kill()


def test_kill(manager: ShellManager, fifo: Callable[[], None]) -> None:
    shell = manager.create_shell("/bin/sh -c 'echo x > fifo; sleep 60 & wait'")
    fifo()
    assert shell.kill()
    assert shell.status is ShellStatus.KILLED
    assert not shell.kill()


def test_memory_of_a_chatty_shell_is_bounded(manager: ShellManager) -> None:
    shell = manager.create_shell("head -c 20000000 /dev/zero | tr '\\0' x; echo end")
    assert shell.wait(30)
    text, _ = shell.get_new_output()
    assert len(text) < 1_100_000
    assert text.endswith("xend\n")
    assert "bytes dropped ...]" in text


def test_characters_are_not_split(manager: ShellManager) -> None:
    shell = manager.create_shell("printf '\\303'; read x; printf '\\274\\377'")
    assert shell.send("\n")
    assert shell.wait(20)
    assert shell.get_new_output()[0] == "ü\ufffd"


def test_cleanup_of_many_shells(manager: ShellManager) -> None:
    shells = [manager.create_shell(f"echo {i}; exit {i % 2}") for i in range(8)]
    running = manager.create_shell("sleep 60")
    assert len(manager.list_shells()) == 9
    assert len({shell.id for shell in manager.list_shells()}) == 9
    for i, shell in enumerate(shells):
        assert shell.wait(20)
        assert shell.get_new_output()[0] == f"{i}\n"
        assert shell.status is (ShellStatus.FAILED if i % 2 else ShellStatus.COMPLETED)
    assert manager.cleanup_completed() == 8
    assert manager.list_shells() == [running]
    assert manager.get_shell(running.id) is running
    assert manager.get_shell(shells[0].id) is None


def test_ids(manager: ShellManager) -> None:
    shell = manager.create_shell("true")
    prefix, _, rest = shell.id.partition("_")
    assert prefix == "shell"
    assert len(rest) == 8
    int(rest, 16)


def test_session_with_a_terminal(manager: ShellManager) -> None:
    shell = manager.create_shell("/usr/bin/tty; echo yes; read x; echo got $x", pty=True)
    assert read_until(shell, "yes").startswith("/dev/pts/")
    assert shell.send("line\n")
    assert "got line" in read_until(shell, "got line\r\n")
    assert shell.wait(20)
    assert shell.status is ShellStatus.COMPLETED


def test_slow_command_moves_to_the_background(
    manager: ShellManager, fifo: Callable[[], None]
) -> None:
    run(manager, "export x=1; f() { echo f$x; }")
    task = run(
        manager,
        "x=2; echo a; echo e >&2; /bin/sh -c 'read y < fifo'; echo $x; exit 5",
        1,
        to_background=True,
    )
    assert not isinstance(task, FinishedCommand)
    shell = manager.adopt("command", task)
    assert shell.get_new_output() == ("a\n", "e\n")
    assert shell.status is ShellStatus.RUNNING
    assert output(manager, "echo $x; f; /bin/sh -c 'echo go > fifo'") == "1\nf1\n"
    assert shell.wait(20)
    assert shell.get_new_output() == ("2\n", "")
    assert (shell.status, shell.exit_code) == (ShellStatus.FAILED, 5)


def test_fast_command_stays_in_the_foreground(manager: ShellManager) -> None:
    done = run(manager, "x=2; echo a", 20, to_background=True)
    assert isinstance(done, FinishedCommand)
    assert done.stdout == b"a\n"
    assert output(manager, "echo $x") == "2\n"


def test_command_moved_to_the_background_can_be_killed(manager: ShellManager) -> None:
    shell = manager.adopt("c", run(manager, "sleep 60 & sleep 60", 0.1, to_background=True))
    assert shell.kill()
    assert shell.status is ShellStatus.KILLED


def test_reset(manager: ShellManager, tmp_path: Path) -> None:
    manager.create_shell("sleep 60")
    run(manager, "x=1; export y=2; f() { :; }; cd /; echo kept > file")
    run(manager, f"echo kept > {tmp_path}/file")
    manager.reset()
    assert manager.list_shells() == []
    done = run(manager, "echo [$x$y]; pwd; cat file; f")
    assert done.stdout.decode() == f"[]\n{tmp_path}\nkept\n"
    assert done.exit_code == 127


def test_close_twice(manager: ShellManager) -> None:
    manager.create_shell("sleep 60")
    run(manager, "sleep 60 &")
    manager.close()
    manager.close()


async def links(manager: ShellManager, place: str) -> None:
    """A guard for one directory resolves links that lead out of it."""
    run(manager, "mkdir work out; echo secret > out/file; cd work; ln -s .. up; ln -s ../out to")
    run(manager, "ln -s here in; mkdir here; echo mine > here/file; ln -s round round")
    registry = tools_for(manager, Guard(directories=[f"{place}/work"]))
    for path in ("to/file", "up/out/file", "in/../to/file"):
        for name, more in (("Read", {}), ("Write", {"content": "x"})):
            result = await registry.execute(name, {"path": path, **more})
            assert result.error == f"{path}: Operation not permitted"
    result = await registry.execute("Write", {"path": "to/new/file", "content": "x"})
    assert result.error == "to/new/file: Operation not permitted"
    assert (await registry.execute("Read", {"path": "in/file"})).output == "mine\n"
    result = await registry.execute("Bash", {"command": "cd to"})
    assert result.error == f"Command blocked: {place}/out is outside {place}/work"
    result = await registry.execute("Bash", {"command": "d=to; cd $d; cat file"})
    assert result.output == "secret\n"
    assert result.metadata["notice"].endswith(f"from {place}/work/to to {place}/work")
    assert (await registry.execute("Bash", {"command": "cd round"})).error == "Exit code 1"
    assert (await registry.execute("Bash", {"command": "cd in; pwd"})).success


@pytest.mark.asyncio
async def test_links_do_not_lead_outside(manager: ShellManager, tmp_path: Path) -> None:
    await links(manager, str(tmp_path.resolve()))


@pytest.mark.asyncio
async def test_guard_directory_may_be_a_link(manager: ShellManager, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to("real")
    run(manager, "cd linked")
    registry = tools_for(manager, Guard(directories=[f"{tmp_path}/linked"]))
    assert (await registry.execute("Write", {"path": "file", "content": "x"})).success
    assert (await registry.execute("Bash", {"command": "cat file"})).output == "x"


# ---------------------------------------------------------------- bash only


@pytest.fixture
def bash(env: dict[str, str], tmp_path: Path) -> Iterator[ShellManager]:
    with ShellManager(BashSession(env=env, cwd=str(tmp_path))) as made:
        yield made


@pytest.mark.asyncio
async def test_what_an_interrupt_of_bash_has_lost_is_said_by_the_next_result(
    bash: ShellManager, fifo: Callable[[], None]
) -> None:
    registry = tools_for(bash)
    await registry.execute("Bash", {"command": "x=1; export y=2"})
    task = asyncio.create_task(registry.execute("Bash", {"command": "echo x > fifo; sleep 60"}))
    await asyncio.to_thread(fifo)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    result = await registry.execute("Bash", {"command": "echo [$x] $y"})
    assert result.output == "[] 2\n"
    assert "[the shell was interrupted and was restarted in" in result.text
    assert "everything else is lost]" in result.text
    assert "lost" not in (await registry.execute("Bash", {"command": "echo on"})).text


@pytest.mark.parametrize("command", ["exit 3", "exec sh -c 'exit 3'", "set -e; (exit 3)"])
def test_bash_is_restarted_after_it_exits(bash: ShellManager, tmp_path: Path, command: str) -> None:
    run(bash, "x=1; export y=2; f() { echo f; }; mkdir d; cd d")
    done = run(bash, f"echo a; {command}; echo never")
    assert (done.exit_code, done.stdout) == (3, b"a\n")
    assert done.notice.startswith(
        f"the shell ended with status 3 and was restarted in {tmp_path}/d"
    )
    assert output(bash, "echo [$x] $y; f; pwd") == f"[] 2\nf\n{tmp_path}/d\n"


def test_bash_killed_between_commands(bash: ShellManager) -> None:
    pid = int(output(bash, "export y=2; echo $$"))
    held = os.pidfd_open(pid)
    os.kill(pid, 9)
    select.select([held], [], [])
    os.close(held)
    done = run(bash, "echo $y")
    assert done.stdout == b"2\n"
    assert "had ended with status 137 before" in done.notice
    assert not run(bash, "echo on").notice


def test_bash_with_redirected_streams(bash: ShellManager) -> None:
    assert output(bash, "exec 1>log 2>&1; echo a") == ""
    assert output(bash, "exec 1>/dev/null; cat log >&198") == "a\n"


def test_bash_with_a_background_writer(bash: ShellManager) -> None:
    reported = output(bash, "{ echo y; >began; exec yes; } & while [ ! -e began ]; do :; done")
    assert reported.startswith("y\n")
    done = run(bash, "trap 'echo trap' DEBUG; export x=1; f() { echo f; }; (exit 3)")
    assert (done.exit_code, done.stop, done.notice) == (3, "", "")
    done = run(bash, "trap - DEBUG; kill %1; wait %1 2>/dev/null; exit")
    assert done.notice.startswith("the shell ended with status 143 and was restarted")
    assert output(bash, "echo $x; f") == "1\nf\n"


def test_bash_that_cannot_report_its_state(bash: ShellManager) -> None:
    done = run(bash, 'echo a; for fd in /proc/$$/fd/2??; do eval "exec ${fd##*/}>&-"; done')
    assert done.stdout == b"a\n"
    assert "the shell could not tell how the command ended" in done.notice
    assert output(bash, "echo b") == "b\n"


def test_bash_with_too_much_state_to_pass_on(bash: ShellManager) -> None:
    run(bash, "export x=$(head -c 70000 /dev/zero | tr '\\0' x)")
    assert output(bash, "echo ${#x}") == "70000\n"
    with pytest.raises(
        UnsupportedRequest, match="are over 65536 bytes, and cannot be passed to another bash"
    ):
        bash.create_shell("echo")
    done = run(bash, "exit 2")
    assert done.notice.endswith("the exported variables and functions are over 65536 bytes")
    assert output(bash, "echo ${#x}") == "0\n"


def test_bash_in_a_removed_directory(bash: ShellManager, tmp_path: Path) -> None:
    run(bash, "mkdir d; cd d; rmdir ../d")
    run(bash, "exit")
    assert output(bash, "pwd") == f"{tmp_path}\n"


def test_bash_terminal_has_a_size(bash: ShellManager) -> None:
    shell = bash.create_shell("stty size", pty=True)
    assert shell.wait(20)
    assert shell.get_new_output()[0] == "24 80\r\n"


def test_bash_is_missing(env: dict[str, str], tmp_path: Path) -> None:
    session = BashSession(env={**env, "PATH": str(tmp_path)})
    with ShellManager(session) as manager, pytest.raises(NotStarted):
        run(manager, "echo")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_end_marker_is_found_in_any_chunking(size: int) -> None:
    token = b"abcabd"
    data = b"xabcab" + b"abcab" + b"y" + token + b"of another"
    collector = CommandOutput()
    collector.begin(token)
    for at in range(0, len(data), size):
        collector.add(data[at : at + size])
    assert collector.has_token
    assert collector.capture.content() == b"xabcababcabyof another"


# ---------------------------------------------------------------- keysh only


def test_plain_session_is_isolated_from_the_machine() -> None:
    with ShellManager() as manager:
        assert output(manager, "ls /") == "bin\ndev\ntmp\nusr\nv\n"
        assert run(manager, "spawn /bin/true").exit_code == 1


def test_session_has_commands_and_files_of_the_host() -> None:
    def hello(sh: Any, name: str) -> str:
        """Greet.

        name  who
        """
        return f"hello {name}\n"

    with ShellManager(KeyshSession(files={"/a": "1\n"}, commands=[hello])) as manager:
        assert output(manager, "hello amy; cat /a") == "hello amy\n1\n"
        shell = manager.create_shell("hello bob; cat /a; echo 2 > /b")
        assert shell.wait(20)
        assert shell.get_new_output()[0] == "hello bob\n1\n"
        assert output(manager, "cat /b") == "2\n"


def test_lists_are_not_shared_with_background_shells() -> None:
    with ShellManager(KeyshSession(dialect="keysh")) as manager:
        run(manager, "xs=[1, 2]; xs+=[3]")
        shell = manager.create_shell("xs+=[4]; echo ${#xs[@]}; read y; echo ${#xs[@]}")
        assert read_until(shell, "\n") == "4\n"
        assert output(manager, "xs+=[4, 5]; echo ${#xs[@]}") == "5\n"
        shell.finish_input()
        assert shell.wait(20)
        assert shell.get_new_output()[0] == "4\n"


@pytest.mark.parametrize("options", [{}, {"external": True}])
def test_terminal_needs_the_machine(options: dict[str, Any]) -> None:
    with (
        ShellManager(KeyshSession(**options)) as manager,
        pytest.raises(UnsupportedRequest, match="a terminal is for real programs"),
    ):
        manager.create_shell("tty", pty=True)


def test_script_waiting_for_input_can_be_killed() -> None:
    with ShellManager() as manager:
        shell = manager.create_shell("read x; echo $x")
        assert shell.kill()


def test_leftover_processes_end_with_the_manager() -> None:
    with ShellManager() as manager:
        shell = manager.create_shell("sleep 60 & echo a")
        assert shell.wait(20)


def test_everything_ends_with_the_host_program(mark: str) -> None:
    program = (
        "import os, sys\n"
        "from keysh.adapters.agent import *\n"
        "m = ShellManager(BashSession(env=dict(os.environ)))\n"
        "s = m.create_shell('echo up; sleep 60 & wait')\n"
        "while 'up' not in s.get_new_output()[0]: s.wait(0.005)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    # The fixture `mark` finds remaining processes.


def test_dropping_the_manager_ends_everything(env: dict[str, str]) -> None:
    ShellManager(BashSession(env=env)).create_shell("sleep 60")


def test_shells_and_sessions_are_separate() -> None:
    with ShellManager() as one, ShellManager() as other:
        shell = one.create_shell("true")
        assert other.get_shell(shell.id) is None
        run(one, "x=1")
        assert output(other, "echo [${x:-}]") == "[]\n"


def test_session_is_in_the_bash_dialect_unless_the_host_chooses() -> None:
    command = 'x=[7]; echo "${x[0]}"'
    with ShellManager() as manager:
        assert output(manager, command) == "[7]\n"
        shell = manager.create_shell(command)
        assert read_until(shell, "\n") == "[7]\n"
        manager.reset()
        assert output(manager, command) == "[7]\n"
    with ShellManager(KeyshSession(dialect="keysh")) as manager:
        assert output(manager, command) == "7\n"
    with ShellManager(KeyshSession(dialect=None)) as manager:
        assert output(manager, f"# keysh: dialect bash\n{command}") == "[7]\n"
        assert output(manager, command) == "7\n"
