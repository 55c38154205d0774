"""The public interface: arguments, results, and commands of the host."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import Call, Cancel, Limits, LocalFS, MemoryFS, Shell, command


@pytest.mark.parametrize(
    "stdin",
    [
        "a\nbé\n",
        "a\nbé\n".encode(),
        ["a\n", "bé\n"],
        lambda: iter(["a\n", "bé\n"]),
        lambda: iter([b"a\nb\xc3", b"\xa9\n"]),
        lambda: io.StringIO("a\nbé\n"),
        lambda: io.BytesIO("a\nbé\n".encode()),
    ],
)
@pytest.mark.parametrize("timeout", [None, 60])
def test_standard_input_may_be_any_readable(stdin: object, timeout: float | None) -> None:
    given: Any = stdin() if callable(stdin) else stdin
    actual = Shell().run("read -r first; echo $first; cat", stdin=given, timeout=timeout)
    assert actual.stdout == "a\nbé\n"


def test_an_open_file_is_standard_input(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"\xff\n")
    with (tmp_path / "in").open("rb") as file:
        assert Shell().run("cat", stdin=file).stdout_bytes == b"\xff\n"


def test_options_of_one_run_end_with_it() -> None:
    shell = Shell(env={"A": "1"})
    shell.run("mkdir -p /here /there; cd /there; readonly B=2")
    actual = shell.run(
        "echo $A $B $PWD; cat; cd ..; A=4; C=5; export B", env={"A": "2", "B": "3"}, cwd="/here",
        stdin="in",
    )  # fmt: skip
    assert (actual.stdout, actual.stderr) == ("2 3 /here\nin", "")
    assert shell.run("echo $A $B $C $PWD; pwd; cat").stdout == "1 2 5 /there\n/there\n"
    assert shell.cwd == "/there"
    with pytest.raises(FileNotFoundError):
        shell.run("pwd", cwd="/nowhere")
    assert shell.run("pwd").stdout == "/there\n"


def test_changes_by_scripts_persist() -> None:
    shell = Shell()
    shell.run("x=1; f() { echo f; }; mkdir /d; cd /d; echo a > b; set -u; alias e=echo")
    assert shell.run("echo $x; f; pwd; cat b; e hi").stdout == "1\nf\n/d\na\nhi\n"
    assert shell.run("echo $nothing").code == 1
    assert shell.run("set +u; set -e; false; echo no").code == 1
    assert shell.run("echo yes").stdout == "yes\n"


def test_variables_have_types_on_both_sides() -> None:
    shell = Shell(check=False)
    shell.run("x=[1 {a: 2.5}]; y=true; z=text; n=1.10; a=(p q); declare -i i=2; readonly r=1")
    names = ["x", "y", "z", "n", "a", "i"]
    assert [shell.vars[name] for name in names] == [
        [1, {"a": 2.5}], True, "text", "1.10", ["p", "q"], 2,
    ]  # fmt: skip


def test_variables_are_copies() -> None:
    shell = Shell()
    mine = [1, [2]]
    shell.vars["x"] = mine
    mine[1].append(3)  # type: ignore[attr-defined]
    shell.vars["x"].append(4)
    assert shell.run("echo $x").stdout == "[1,[2]]\n"
    shell.vars["t"] = ("a", b"\xff")
    assert shell.vars["t"] == ["a", "\udcff"]
    del shell.vars["t"]
    assert "t" not in shell.vars
    assert shell.vars.get("t", 7) == 7
    for wrong in ("a b", "1", ""):
        with pytest.raises(KeyError):
            shell.vars[wrong] = 1
    with pytest.raises(TypeError):
        shell.vars["x"] = object()
    shell.run("readonly r=1")
    with pytest.raises(keysh.KeyshError, match="readonly variable: r"):
        shell.vars["r"] = 2
    with pytest.raises(keysh.KeyshError, match="readonly variable: r"):
        del shell.vars["r"]


def test_clock_and_randomness_can_be_fixed() -> None:
    script = "date +%s; echo $RANDOM $RANDOM; shuf -i 1-1000 -n 3"
    first, second = (Shell(clock=1_700_000_000, random=5).run(script) for _ in range(2))
    assert first.stdout == second.stdout
    assert first.stdout.startswith("1700000000\n")
    ticks = iter(range(100))
    assert Shell(clock=lambda: next(ticks)).run("date +%s").stdout in ("1\n", "2\n")


def test_files_in_memory_have_the_times_of_the_clock(tmp_path: Path) -> None:
    script, seconds = "echo x > /f; mkdir /d; stat -c '%Y %Z' /f /d", 1_700_000_000
    expected = f"{seconds} {seconds}\n" * 2
    shell = Shell(clock=seconds)
    assert shell.run(script).stdout == expected
    assert shell.fork().run(f"rm -r /f /d; {script}").stdout == expected
    image = Shell().snapshot()
    assert Shell.restore(image, clock=seconds).run(script).stdout == expected
    with Shell(store=tmp_path / "store.db", clock=seconds) as stored:
        assert stored.run(script).stdout == expected
        assert stored.fork().run(f"rm -r /f /d; {script}").stdout == expected
    given = Shell(fs={"/": MemoryFS(clock=lambda: 5 * 10**9)}, clock=seconds)
    assert given.run(script).stdout == "5 5\n" * 2
    overlaid = Shell(fs={"/": LocalFS(tmp_path)}, clock=seconds).fork()
    assert overlaid.run(script).stdout == expected
    assert overlaid.fork().run(f"rm -r /f /d; {script}").stdout == expected


def test_results() -> None:
    actual = Shell().run("""echo '{"a": 1}'; echo w >&2; exit 3""")
    assert (actual.code, actual.ok, actual.stderr, actual.data) == (3, False, "w\n", {"a": 1})
    with pytest.raises(keysh.Failed, match="status 3: w") as failed:
        actual.check()
    assert failed.value.result is actual
    assert Shell().run("seq 3").data == [1, 2, 3]
    assert keysh.run("exit 0").check().ok


def test_output_callback() -> None:
    reported: list[tuple[str, str]] = []
    actual = Shell().run(
        "echo a; echo b >&2; echo c", on_output=lambda kind, text: reported.append((kind, text))
    )
    assert reported == [("stdout", "a\n"), ("stderr", "b\n"), ("stdout", "c\n")]
    assert actual.stdout == "a\nc\n"


def test_failing_output_callback_ends_the_run() -> None:
    def fail(kind: str, text: str) -> None:
        raise ValueError(text)

    shell = Shell()
    for script in ("echo a; echo b", "seq 3; echo b", "for i in 1 2; do echo $i; done | cat"):
        actual = shell.run(script, on_output=fail)
        assert actual.code == 1
        assert isinstance(actual.error, ValueError)
        assert "b" not in actual.stdout
    assert shell.run("echo again").stdout == "again\n"


# ---------------------------------------------------------------- checking and asking


def test_a_script_that_fails_the_check_does_not_run() -> None:
    shell = Shell()
    actual = shell.run("echo first\nnosuchcommand")
    assert (actual.code, actual.stdout, actual.rejected) == (2, "", True)
    assert [one.code for one in actual.diagnostics] == ["E301"]
    assert "E301" in actual.stderr
    actual = shell.run("echo first\nif")
    assert (actual.code, actual.stdout, actual.rejected) == (2, "", True)
    actual = shell.run("echo $unset_one; exit 2")
    assert (actual.code, actual.rejected) == (2, False)
    assert [one.severity for one in actual.diagnostics] == ["warning"]


def test_severities() -> None:
    script = "nosuchcommand; echo after"
    assert Shell(check={"E301": "warn"}).run(script).stdout == "after\n"
    assert Shell(check=False).run(script).stdout == "after\n"
    assert Shell().run("nosuchcommand  # keysh: allow E301\necho after").stdout == "after\n"


DOORS = [
    "echo x", "[ a ]", ":", "true", "test a", "rm /f", "eval 'rm /f'", "cat /f | rm /f",
    "$(rm /f)", "( rm /f )", "{ rm /f; } | cat", "f() { rm /f; }; f", "command rm /f",
    "echo /f | xargs rm", "env rm /f", "find /f -exec rm {} +", "trap 'rm /f' EXIT", "x=rm; $x /f",
    "timeout 9 rm /f", "alias r=rm; eval 'r /f'", "cat <(rm /f)", "echo 'rm /f' > /s; source /s",
    "A=1 rm /f", "rm /f > /out", "builtin rm /f", "exec rm /f", "time rm /f", "rm /f & wait",
    "nosuch_function_handler() { :; }; if rm /f; then :; fi", "find /f -delete -o -exec rm {} \\;",
]  # fmt: skip


@pytest.mark.parametrize("script", DOORS)
def test_refused_command_cannot_run_indirectly(script: str) -> None:
    requests: list[str] = []
    refused = {"rm", "echo", "[", ":", "true", "test"} if len(script) < 8 else {"rm"}

    def ask(name: str, arguments: list[object], place: object) -> bool:
        requests.append(name)
        return name not in refused and not (name == "find" and "-delete" in arguments)

    shell = Shell(on_command=ask, files={"/f": "kept"}, check=False)
    shell.run(script)
    assert requests
    assert shell.fs.open("/f").read() == b"kept"
    actual = shell.run("rm /f")
    assert (actual.code, actual.stderr) == (126, "keysh: line 1: rm: refused by the host\n")


def test_a_refusal_gives_its_reason_and_the_place() -> None:
    places: list[object] = []

    def ask(name: str, arguments: list[object], place: object) -> str | None:
        places.append((name, arguments, place))
        return "not today" if name == "echo" else None

    actual = Shell(on_command=ask).run(":\n  echo a 'b c'")
    assert (actual.code, actual.stderr) == (126, "keysh: line 2: echo: not today\n")
    assert places == [(":", [], ("keysh", 1, 1)), ("echo", ["a", "b c"], ("keysh", 2, 3))]


def test_failing_approval_callback_refuses() -> None:
    def ask(name: str, arguments: list[object], place: object) -> None:
        raise LookupError("boom")

    actual = Shell(on_command=ask).run("echo a")
    assert (actual.code, actual.stdout) == (1, "")
    assert isinstance(actual.error, LookupError)


# ---------------------------------------------------------------- commands of the host


def raising(error: BaseException) -> Callable[..., object]:
    @command
    def bad(sh: Call) -> None:
        """Raise something."""
        raise error

    return bad


@pytest.mark.parametrize(
    "error",
    [
        ValueError("first\nsecond"), KeyError("x"), AssertionError(), MemoryError(), SystemExit(3),
        StopIteration(2), GeneratorExit(), asyncio.CancelledError(), BrokenPipeError(),
        UnicodeDecodeError("utf-8", b"x", 0, 1, "bad"), type("Odd", (BaseException,), {})(),
    ],
)  # fmt: skip
def test_exception_in_a_command_gives_status_1_and_one_line(error: BaseException) -> None:
    shell = Shell(commands=[raising(error)])
    actual = shell.run("bad; echo $?; bad | cat; echo ${PIPESTATUS[@]}; x=$(bad); echo $?")
    assert actual.stdout == "1\n1 0\n1\n"
    told = f"keysh:1: E299 an unexpected error in `bad`: {type(error).__name__}"
    assert [line.startswith((told, "fix: ")) for line in actual.stderr.splitlines()] == [True] * 6
    assert actual.error is error
    assert shell.run("echo again").error is None


def test_interrupt_reaches_the_host_and_the_shell_stays_usable() -> None:
    shell = Shell(commands=[raising(KeyboardInterrupt())])
    for script in ("f() { for i in 1; do bad; done; }; f", "bad | cat", "seq 99999 | bad",
                   "{ seq 99999; bad; } | cat", "x=$(bad)", "cat <(bad)"):  # fmt: skip
        with pytest.raises(KeyboardInterrupt):
            shell.run(script)
    assert shell.run("eval break; echo ok").stdout == "ok\n"


@pytest.mark.parametrize(
    "error",
    [SystemExit(3), GeneratorExit(), asyncio.CancelledError(), type("End", (BaseException,), {})()],
)
def test_callbacks_and_files_of_the_host_may_raise_what_is_no_error(error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    class Files(keysh.MemoryFS):
        def open(self, *_: object, **options: object) -> object:  # type: ignore[override]
            raise error

    files = {"/": keysh.MemoryFS(), "/h": Files()}
    for result in (
        Shell(files).run("cat /h/f"), Shell(files).run("echo x > /h/f"),
        Shell(on_command=fail).run("cat /dev/null"), Shell().run("echo x", on_output=fail),
    ):  # fmt: skip
        assert result.error is error
        assert type(error).__name__ in result.stderr
        assert "Traceback" not in result.stderr


def test_host_objects_may_fail() -> None:
    def text() -> Iterator[str]:
        yield "a\n"
        raise ValueError("x")

    for script in ("cat", "read -r a; read -r b", "while read -r x; do :; done", "wc -l"):
        actual = Shell().run(script, stdin=text())
        assert isinstance(actual.error, ValueError)
        assert "Traceback" not in actual.stderr


# ---------------------------------------------------------------- async


def test_a_coroutine_command_runs_with_and_without_a_loop() -> None:
    @command
    async def later(sh: Call) -> str:
        """Answer later."""
        await asyncio.sleep(0)
        return "later\n"

    shell = Shell(commands=[later])
    script = "later; later | cat; echo $(later)"
    assert shell.run(script).stdout == "later\n" * 3
    assert asyncio.run(shell.arun(script)).stdout == "later\n" * 3

    async def inside() -> keysh.Result:
        return shell.run("later")

    actual = asyncio.run(inside())
    assert actual.code == 1
    assert "await sh.arun" in actual.stderr


def test_cancelled_task_cancels_its_script() -> None:
    async def main() -> None:
        shell = Shell()
        for script in ("while :; do :; done", "sleep 1000", "cat"):
            begun = asyncio.Event()
            loop = asyncio.get_running_loop()

            def tell(
                kind: str, text: str, begun: asyncio.Event = begun,
                loop: asyncio.AbstractEventLoop = loop,
            ) -> None:  # fmt: skip
                loop.call_soon_threadsafe(begun.set)

            endless = iter(lambda: "x\n", "")
            task = asyncio.create_task(
                shell.arun(f"echo begun; {script}", on_output=tell, stdin=endless)
            )
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await shell.arun("echo ok")).stdout == "ok\n"

    asyncio.run(asyncio.wait_for(main(), 30))


def test_stream_yields_pieces_and_then_the_result() -> None:
    async def main() -> None:
        shell = Shell()
        actual = [event async for event in shell.stream("echo a; echo b >&2; exit 3")]
        assert actual[:2] == [("stdout", "a\n"), ("stderr", "b\n")]
        assert actual[2][0] == "end"
        assert actual[2][1].code == 3
        events = shell.stream("while :; do echo hi; done")
        async for kind, piece in events:
            assert (kind, piece) == ("stdout", "hi\n")
            break
        await events.aclose()  # type: ignore[attr-defined]
        assert (await shell.arun("echo ok")).stdout == "ok\n"

    asyncio.run(asyncio.wait_for(main(), 30))


def test_start_wait_and_cancel() -> None:
    shell = Shell()
    assert shell.start("echo a; exit 4").wait(30).code == 4
    job = shell.start("echo begun; sleep 1000")
    with pytest.raises(TimeoutError):
        job.wait(0.01)
    waiting = shell.start("echo second")
    cancel = Cancel()
    cancel.cancel()
    actual = shell.run("echo third", cancel=cancel)  # it waits for its turn, and no longer
    assert (actual.code, actual.limit and actual.limit.kind) == (130, "cancelled")
    assert shell.run("echo third", timeout=0.01).code == 124
    job.cancel()
    actual = job.wait(30)
    assert (actual.code, actual.stdout, job.is_done) == (130, "begun\n", True)
    assert job.output[0] == ("stdout", "begun\n")
    assert waiting.wait(30).stdout == "second\n"


def test_ended_job_is_done_for_every_observer() -> None:
    job = Shell().start("true")
    job.wait()
    wrong: list[str] = []

    def look() -> None:
        for _ in range(5000):
            if not job.is_done:
                wrong.append("is_done")
            try:
                job.wait(0)
            except TimeoutError:
                wrong.append("wait")

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong


def test_files_and_mounts() -> None:
    below = MemoryFS({"/x": "in"})
    shell = Shell({"/m": below}, files={"/d/t": "text", "/b": b"\xff", "/c": lambda: "made"})
    assert shell.run("cat /m/x /d/t /c; wc -c < /b").stdout == "intextmade1\n"
    with Shell(limits=Limits(steps=10)) as closed:
        assert closed.run("echo a").ok


def test_tmp_is_world_writable() -> None:
    shell = Shell(files={"/tmp/x": "", "/tmp/d/x": "", "/d/tmp/x": ""})
    assert shell.run("stat -c %a /tmp /tmp/d /d/tmp; test -k /tmp").stdout == "1777\n755\n755\n"
    assert shell.run("test -k /tmp && ! test -k /tmp/d").ok


class FullDiskStream:
    """A stream that finds out where it is closed that the disk is full."""

    def __init__(self, stream: Any, path: str, closed: list[str]) -> None:
        self._stream, self._path, self._closed = stream, path, closed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        self._stream.close()
        self._closed.append(self._path)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), self._path)


def test_all_files_are_closed_where_one_fails(tmp_path: Path) -> None:
    closed: list[str] = []

    class FullDisk(MemoryFS):
        def open(self, path: str, access: Any = "r", permissions: int = 0o666) -> Any:
            return FullDiskStream(super().open(path, access, permissions), path, closed)

    shell = Shell({"/data": FullDisk()}, store=tmp_path / "store.db")
    assert shell.run("exec 3>/data/a 4>/data/b 5>/data/c").code == 0
    with pytest.raises(OSError, match="No space left"):
        shell.close()
    assert closed == ["/a", "/b", "/c"]
    with Shell({"/data": MemoryFS()}, store=tmp_path / "store.db") as again:
        assert again.run("echo on").stdout == "on\n"
