"""`Shell(isolated=True)`: scripts in a worker process, with the API of a Shell."""

from __future__ import annotations

import asyncio
import io
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh


@pytest.fixture
def shell() -> Iterator[keysh.Shell]:
    with keysh.Shell(isolated=True) as made:
        yield made


def test_state_stays_from_run_to_run(shell: keysh.Shell) -> None:
    result = shell.run("x=5; f() { echo f $1; }; cd /tmp; echo out > note; echo hi; echo err >&2")
    assert (result.code, result.stdout, result.stderr) == (0, "hi\n", "err\n")
    assert shell.run("f $x; cat note; pwd").stdout == "f 5\nout\n/tmp\n"
    assert shell.cwd == "/tmp"


def test_script_runs_in_another_process_without_the_hosts_environment() -> None:
    with keysh.Shell(isolated=True, env={"USER": "amy"}, files={"/in": "a\n"}, args=["q"]) as shell:
        assert shell.run("env; cat /in; echo $1").stdout.splitlines()[-2:] == ["a", "q"]
        assert "USER=amy" in shell.run("env").stdout
        assert "HOME=" not in shell.run("env").stdout
        assert worker_of(shell).process_id != os.getpid()


def test_result_has_what_a_shell_in_this_process_tells(shell: keysh.Shell) -> None:
    here = keysh.Shell()
    for text in (
        "echo one; ecko two", "user={name: amy}; echo ${user[nmae]} || echo never", "exit 7",
        "printf '\\xff\\x00'", "cat /none", "echo $((1/0))", "echo é", "x=[1, ",
    ):  # fmt: skip
        there, expected = shell.run(text).record(), here.run(text).record()
        there.pop("duration_ms"), expected.pop("duration_ms")
        assert there == expected, text


def test_limits_hold_there() -> None:
    limits = keysh.Limits(steps=10_000, output=100)
    with keysh.Shell(isolated=True, limits=limits) as shell:
        loop = shell.run("while true; do :; done")
        assert (loop.code, loop.limit and loop.limit.kind) == (125, "steps")
        flood = shell.run("for i in {1..1000}; do echo $i; done")
        assert (flood.code, flood.truncated, flood.stdout[:6]) == (3, True, "1\n2\n3\n")


def test_input_and_variables_of_one_run(shell: keysh.Shell) -> None:
    assert shell.run("cat - && echo $NAME", stdin="in\n", env={"NAME": "x"}).stdout == "in\nx\n"
    assert shell.run("cat", stdin=io.BytesIO(b"file\n")).stdout == "file\n"
    assert shell.run("cat; pwd", stdin=iter(["a", b"b\n"]), cwd="/tmp").stdout == "ab\n/tmp\n"
    assert shell.run("echo [$NAME]; pwd").stdout == "[]\n/\n"
    assert shell.run("wc -c", stdin=b"x" * 3_000_000).stdout == "3000000\n"
    with pytest.raises(FileNotFoundError):
        shell.run("pwd", cwd="/none")
    assert shell.run("pwd").stdout == "/\n"


def test_endless_input_is_pulled(shell: keysh.Shell) -> None:
    def numbers() -> Iterator[str]:
        i = 0
        while True:
            i += 1
            yield f"{i}\n"

    assert shell.run("head -n 2", stdin=numbers()).stdout == "1\n2\n"


def test_variables_keep_their_types(shell: keysh.Shell) -> None:
    shell.run("hosts=[web1, web2]; declare -a a=(x y z); unset 'a[1]'; n=5; t='5'")
    assert shell.vars["hosts"] == ["web1", "web2"]
    assert shell.vars.elements("a") == {0: "x", 2: "z"}
    assert (shell.vars["n"], shell.vars["t"], shell.vars.get("none", 1)) == (5, "5", 1)
    shell.vars["port"] = {"http": 80}
    assert shell.run("echo ${port[http]}").stdout == "80\n"
    del shell.vars["port"]
    assert "port" not in shell.vars
    with pytest.raises(KeyError):
        shell.vars["port"]
    with pytest.raises(KeyError):
        shell.vars["a b"] = 1


def test_files_by_proxy(shell: keysh.Shell) -> None:
    shell.run("mkdir /d; echo text > /d/f; ln -s f /d/l")
    with shell.fs.open("/d/l") as stream:
        assert stream.read() == b"text\n"
    with shell.fs.open("/d/new", "w") as stream:
        stream.write(b"x" * 2_500_000)
    assert shell.run("wc -c < /d/new").stdout == "2500000\n"
    assert sorted(entry.name for entry in shell.fs.list("/d")) == ["f", "l", "new"]
    shell.fs.remove("/d/new")
    with pytest.raises(FileNotFoundError) as raised:
        shell.fs.stat("/d/new")
    assert raised.value.filename == "/d/new"


def test_streams_awaits_and_jobs(shell: keysh.Shell) -> None:
    async def main() -> list[object]:
        assert (await shell.arun("echo awaited")).stdout == "awaited\n"
        pieces: list[object] = []
        async for kind, piece in shell.stream("echo out; echo err >&2; exit 3"):
            pieces.append((kind, piece.code if kind == "end" else piece))
        task = asyncio.create_task(shell.arun("touch /begun; while true; do :; done"))
        while shell_is_idle(shell):
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pieces

    pieces = asyncio.run(main())
    assert pieces == [("stdout", "out\n"), ("stderr", "err\n"), ("end", 3)]
    job = shell.start("echo job; while true; do :; done")
    while not job.output:
        time.sleep(0.001)
    job.cancel()
    assert (job.wait().code, job.output[0]) == (130, ("stdout", "job\n"))
    assert shell.run("echo on").stdout == "on\n"


def test_exception_of_on_output_ends_the_run(shell: keysh.Shell) -> None:
    def refuse(stream: str, text: str) -> None:
        raise ValueError("full")

    result = shell.run("echo a; while true; do :; done", on_output=refuse)
    assert (result.code, result.limit and result.limit.kind) == (1, "on_output")
    assert isinstance(result.error, ValueError)


def test_fork_and_image() -> None:
    with keysh.Shell(isolated=True, files={"/f": "1\n"}) as shell:
        shell.run("x=1")
        with shell.fork() as fork:
            fork.run("x=2; echo 2 > /f")
            assert fork.run("echo $x; cat /f").stdout == "2\n2\n"
        assert shell.run("echo $x; cat /f").stdout == "1\n1\n"
        image = shell.snapshot()
    assert keysh.Shell.restore(image).run("echo $x; cat /f").stdout == "1\n1\n"
    with keysh.Shell.restore(image, isolated=True) as again:
        assert again.run("echo $x; cat /f").stdout == "1\n1\n"


def test_mounts_are_called_back(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("of the machine\n")
    mounts = {"/work": keysh.LocalFS(str(tmp_path)), "/ro": keysh.ReadOnlyFS(keysh.MemoryFS())}
    with keysh.Shell(mounts, isolated=True) as shell:
        result = shell.run("cat /work/in; echo new > /work/out; mkdir /work/d; ln -s in /work/l")
        assert (result.stdout, result.stderr) == ("of the machine\n", "")
        assert shell.run("cat /work/l; ls /work; echo x > /ro/x").stdout == (
            "of the machine\nd\nin\nl\nout\n"
        )
        assert "Read-only file system" in shell.run("echo x > /ro/x").stderr
        assert (tmp_path / "out").read_text() == "new\n"
        fork = shell.fork()
        fork.run("echo fork > /work/out")
        assert (tmp_path / "out").read_text() == "new\n"
        fork.close()


@keysh.command
def total(sh: keysh.Call, *files: keysh.Path, column: int = 1) -> None:
    """Add the numbers of a column.

    files ...         files to read; standard input when none are given
    -c, --column NUM  which column, from 1
    """
    subtotal = 0
    for source in sh.inputs(files):
        for line in source.lines():
            subtotal += int(line.split()[column - 1])
    sh.out.write(f"{subtotal}\n")


@keysh.command
def user(sh: keysh.Call, name: str) -> dict[str, object]:
    """Return what is known about a user.

    name  name of the user
    """
    return {"name": name, "tags": ["staff"], "pid": os.getpid()}


@keysh.command
def broken(sh: keysh.Call) -> None:
    """Raise an exception."""
    raise RuntimeError("of the host")


def test_commands_of_the_host_run_in_the_host() -> None:
    with keysh.Shell(
        isolated=True, commands=[total, user, broken], files={"/a": "x 4\ny 5\n"}
    ) as shell:
        assert shell.run("total column=2 /a; seq 3 | total; total -c 2 < /a").stdout == "9\n6\n9\n"
        result = shell.run("u=$(user bob); echo ${u[name]} ${#u[tags]} ${u[pid]}")
        assert result.stdout == f"bob 1 {os.getpid()}\n"
        assert "unrecognized option '--sum=2'" in shell.run("total --sum=2").stderr
        assert shell.run("user; echo $?").stdout == "1\n"
        failed = shell.run("broken; echo $?")
        assert isinstance(failed.error, RuntimeError)
        assert failed.stdout == "1\n"
        assert shell.run("yes 1 | head -n 1000 | total | cat").stdout == "1000\n"
        assert shell.run("seq 4 | total | total").stdout == "10\n"


def test_command_of_the_host_may_run_scripts_of_the_shell() -> None:
    with keysh.Shell(isolated=True) as shell:

        @keysh.command
        def twice(sh: keysh.Call, text: str) -> str:
            """Run a text twice.

            text  a script
            """
            assert shell.vars["n"] == 1
            return shell.run(text).stdout + shell.run(text).stdout

        shell.add(twice)
        assert shell.run("n=1; twice 'n=$((n)); echo $n'; echo end").stdout == "1\n1\nend\n"


def test_coroutine_of_the_host_runs_on_its_loop() -> None:
    @keysh.command
    async def slow(sh: keysh.Call) -> str:
        """Return the name of the thread that has the loop."""
        await asyncio.sleep(0)
        return threading.current_thread().name + "\n"

    async def main() -> str:
        with keysh.Shell(isolated=True, commands=[slow]) as shell:
            return (await shell.arun("slow")).stdout

    assert asyncio.run(main()) == threading.current_thread().name + "\n"


def test_host_is_asked() -> None:
    asked = []

    def ask(name: str, arguments: list[object], place: tuple[str, int, int]) -> object:
        asked.append((name, arguments, place[1:]))
        return "not now" if name == "rm" else None

    with keysh.Shell(isolated=True, on_command=ask, files={"/a": ""}) as shell:
        result = shell.run("ls /a\nrm /a")
    assert (result.code, result.stdout) == (126, "/a\n")
    assert result.stderr == "keysh: line 2: rm: not now\n"
    assert asked[1] == ("rm", ["/a"], (2, 1))


def test_clock_and_random_are_the_hosts() -> None:
    with keysh.Shell(isolated=True, clock=lambda: 86400.0, random=1) as shell:
        assert shell.run("date -u +%F").stdout == "1970-01-02\n"
        assert shell.run("shuf -i 1-5").stdout == keysh.run("shuf -i 1-5", random=1).stdout


def test_what_a_worker_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="store"):
        keysh.Shell(isolated=True, store=tmp_path / "store.db")
    with pytest.raises(ValueError, match="directory"):
        keysh.Shell(isolated=True, journal=keysh.Journal(tmp_path))


def test_wrong_options_are_refused() -> None:
    with pytest.raises(TypeError, match="isolated"):
        keysh.Shell(isolated="yes")
    for option in ("rules", "audit", "on_event", "on_ask", "network"):
        with pytest.raises(TypeError, match=option):
            keysh.Shell(isolated=True, **{option: 5})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="colour"):
        keysh.Shell(isolated=True, colour=1)  # type: ignore[call-arg]
    with keysh.Shell(isolated=True, cwd="/none") as shell, pytest.raises(FileNotFoundError):
        shell.run("pwd")


def test_check_switch_and_reset(shell: keysh.Shell) -> None:
    assert [one.code for one in shell.check("ecko two")] == ["E301"]
    shell.switch("nounset", True)
    assert shell.run("echo $none").code == 1
    shell.run("x=1; echo y > /y")
    shell.reset()
    assert shell.run("echo [$x]; cat /y").stdout == "[]\ny\n"


def test_closed_shell_says_so(shell: keysh.Shell) -> None:
    shell.run("x=1")
    shell.close()
    result = shell.run("echo $x")
    assert (result.code, result.limit and result.limit.kind) == (125, "closed")


def worker_of(shell: object) -> object:
    (worker,) = shell._workers._alive  # type: ignore[attr-defined]
    return worker


def shell_is_idle(shell: object) -> bool:
    worker = shell._worker  # type: ignore[attr-defined]
    return worker is None or worker.peer.on_output is None


def test_host_is_asked_about_files_too() -> None:
    actions = []

    def ask(name: str, arguments: list[object], place: object, action: str) -> object:
        actions.append((action, name))
        return False if action == "write" else None

    with keysh.Shell(isolated=True, on_command=ask) as shell:
        result = shell.run("echo x > /f")
        assert result.code != 0
        assert shell.run("cat /f").code == 1
    assert [action for action, _ in actions if action == "write"] == ["write"]


def test_characters_of_long_output_are_whole() -> None:
    with keysh.Shell(isolated=True) as shell:
        pieces: list[str] = []
        shell.run("x=$(yes é | head -n 900000 | tr -d '\\n'); printf '%s' a $x",
                  on_output=lambda _, text: pieces.append(text))  # fmt: skip
    assert "".join(pieces) == "a" + "é" * 900_000


@pytest.mark.parametrize("option", ["engine=processes", "engine=dask", "on=tcp://127.0.0.1:1"])
def test_scatter_does_not_leave_the_worker(shell: keysh.Shell, option: str) -> None:
    result = shell.run(f"seq 3 | scatter {option} echo")
    assert (result.code, result.stdout) == (2, "")
    assert f"{option} is not possible in an isolated shell\nfix: engine=threads" in result.stderr
    assert shell.run("seq 3 | scatter engine=threads echo | wc -l").stdout == "3\n"
