"""The code runner: from Python and as the command `run`."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from keysh import LocalFS, MemoryFS, Shell
from keysh.adapters.code import aexecute, execute, running
from keysh.builtins.run.execution import MAX_OUTPUT_BYTES
from real_tools import needs

LANGUAGES = {"py": (sys.executable, "-c"), "tcl": ("no-such-interpreter", "-e")}


def test_record() -> None:
    assert execute("bash", "printf 'a\\r\\n'; echo b >&2; exit 3").record() == {
        "success": False, "exit_code": 3, "stdout": "a\r\n", "stderr": "b\n", "error": None,
    }  # fmt: skip
    assert execute("bash", "echo a").success


@needs("node")
def test_javascript() -> None:
    assert execute("javascript", "console.log(1 + 1)").stdout == "2\n"


def test_python() -> None:
    assert execute("python", "print(1)").stdout == "1\n"


def test_more_languages() -> None:
    assert execute("py", "print(2)", languages=LANGUAGES).stdout == "2\n"


def test_runs_are_independent_and_inherit_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FROM_HOST", "yes")
    assert execute("bash", "x=1; echo $FROM_HOST").stdout == "yes\n"
    assert execute("bash", "echo [$x]; cat").stdout == "[]\n"


def test_directory(tmp_path: Path) -> None:
    before = os.getcwd()
    assert execute("bash", "pwd", str(tmp_path)).stdout == f"{tmp_path}\n"
    assert os.getcwd() == before


@pytest.mark.parametrize(
    ("language", "code", "options", "error"),
    [
        ("tcl", "1", {}, "no-such-interpreter not found in PATH (ENOENT)"),
        ("bash", "1", {"cwd": "/tmp/ghost"},
         "Working directory does not exist '/tmp/ghost' (ENOENT)"),
        ("bash", "1", {"cwd": "/dev/null"},
         "Working directory '/dev/null': Not a directory (ENOTDIR)"),
        ("ruby", "1", {},
         "Unsupported language 'ruby', there are bash, javascript, py, python, tcl (EINVAL)"),
        ("bash", "sleep 60 & wait", {"timeout": 0.2}, "Process timeout after 0.2s (TIMEOUT)"),
        ("bash", "kill -9 $$", {}, "Process killed by signal 9 (SIGKILL)"),
        ("bash", "printf '\\377'", {}, "Output is not UTF-8 (EENCODING)"),
        ("bash", "x" * 200_000, {}, "bash: Argument list too long (E2BIG)"),
        ("bash", "a\0b", {}, "a\\0b: holds a NUL character (EINVAL)"),
    ],
)  # fmt: skip
def test_errors(language: str, code: str, options: dict[str, object], error: str) -> None:
    done = execute(language, code, languages=LANGUAGES, **options)  # type: ignore[arg-type]
    assert done.error == f"exec: {error}"
    assert not done.success


def test_partial_output_is_kept_at_a_timeout() -> None:
    done = execute("bash", "echo a; echo b >&2; sleep 60", timeout=1)
    assert (done.stdout, done.stderr, done.exit_code) == ("a\n", "b\n", None)


@pytest.mark.parametrize(
    ("out", "err"),
    [
        (MAX_OUTPUT_BYTES + 1, 0),
        (3 * MAX_OUTPUT_BYTES, 100),
        (100, 2 * MAX_OUTPUT_BYTES),
        (2 * MAX_OUTPUT_BYTES, 2 * MAX_OUTPUT_BYTES),
        (MAX_OUTPUT_BYTES - 100, 200),
    ],
)
def test_output_over_the_limit_is_cut_in_the_middle(out: int, err: int) -> None:
    script = (
        f"head -c {out} /dev/zero | tr '\\0' x; head -c {err} /dev/zero | tr '\\0' y >&2; echo z"
    )
    done = execute("bash", script)
    total = out + 2 + err
    assert done.error == f"exec: Output of {total} bytes exceeds {MAX_OUTPUT_BYTES} (EMAXBUFFER)"
    assert done.stdout.endswith("xz\n")
    marks = re.findall(r"\n\[\.\.\. (\d+) bytes dropped \.\.\.\]\n", done.stdout + done.stderr)
    kept = len(re.sub(r"\n\[.*\]\n", "", done.stdout + done.stderr))
    assert kept == MAX_OUTPUT_BYTES
    assert sum(map(int, marks)) == total - kept


@pytest.mark.parametrize("shift", range(4))
def test_output_is_cut_between_characters(shift: int) -> None:
    code = f"import sys; sys.stdout.write('a' * {shift} + '\\U0001f600' * 400000)"
    done = execute("py", code, languages={"py": (sys.executable, "-X", "utf8", "-c")})
    assert "EMAXBUFFER" in (done.error or "")
    head, _, tail = done.stdout.partition("\n[... ")
    assert set(head) | set(tail.partition("...]\n")[2]) <= {"a", "\U0001f600"}


@pytest.mark.asyncio
async def test_on_an_event_loop() -> None:
    done = await asyncio.gather(*(aexecute("bash", f"echo {i}") for i in range(5)))
    assert [one.stdout for one in done] == [f"{i}\n" for i in range(5)]
    assert (await aexecute("nope", "")).error


@pytest.fixture
def shell(tmp_path: Path, env: dict[str, str]) -> Iterator[Shell]:
    local = LocalFS(tmp_path)
    fs = {"/": MemoryFS(), "/work": local}
    with Shell(fs, cwd="/work", env=env, external=True, commands=[running(LANGUAGES)]) as made:
        yield made
    local.close()


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("run language=bash code='echo hi'", "hi\n"),
        ("run bash <<< 'echo a; cat'", "a\n"),
        ("echo in | run bash 'cat'", "in\n"),
        ("run bash 'echo a' | tr a b", "b\n"),
        ("x=1; export y=2; run bash 'echo $x $y'", "2\n"),
        ("cd /; run bash 'test -d .'; echo $?", "0\n"),
        ("run bash 'exit 3'; echo $?", "3\n"),
        ("run py 'print(7)'", "7\n"),
        ("x=$(run --json bash 'echo a; exit 2'); echo ${x[exit_code]} ${x[success]}", "2 false\n"),
        ("timeout 0.2 run bash 'sleep 60 & wait'; echo $?", "124\n"),
        ("run bash 'sleep 0.01; echo b' & wait", "b\n"),
    ],
)
def test_command(shell: Shell, text: str, output: str) -> None:
    result = shell.run(text)
    assert (result.stdout, result.stderr) == (output, "")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("run tcl 1", 127, "exec: no-such-interpreter not found in PATH (ENOENT)"),
        ("run nope 1", 2,
         "exec: Unsupported language 'nope', there are bash, javascript, py, python, tcl (EINVAL)"),
        ("run bash 'sleep 60' timeout=0.2", 124, "exec: Process timeout after 0.2s (TIMEOUT)"),
        ("run bash 1 cwd=/no", 1, "exec: Working directory does not exist '/no' (ENOENT)"),
        ("run bash 'printf \"\\377\"'", 1, "exec: Output is not UTF-8 (EENCODING)"),
        ("run bash 1 timeout=0", 1, "run: timeout must be seconds above 0, but is 0"),
    ],
)  # fmt: skip
def test_refusals_of_the_command(shell: Shell, text: str, code: int, message: str) -> None:
    result = shell.run(text)
    assert (result.code, result.stdout, result.stderr) == (code, "", f"{message}\n")


def test_refusal_as_json(shell: Shell) -> None:
    result = shell.run("run --json nope 1")
    assert json.loads(result.stdout)["error"].startswith("exec: Unsupported language 'nope'")
    assert result.code == 2


def test_code_is_refused_by_default() -> None:
    result = Shell().run("run bash 'echo a'")
    assert (result.code, result.stdout) == (1, "")
    assert result.stderr.startswith("keysh: line 1: run: external commands are disabled")


@pytest.mark.asyncio
async def test_cancelling_the_task_kills_the_code(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "begun")
    held = os.open(tmp_path / "begun", os.O_RDWR)
    begun = asyncio.Event()
    asyncio.get_running_loop().add_reader(held, begun.set)
    task = asyncio.create_task(aexecute("bash", "echo > begun; sleep 60 & wait", str(tmp_path)))
    await begun.wait()
    asyncio.get_running_loop().remove_reader(held)
    os.close(held)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_version_is_ignored(shell: Shell) -> None:
    assert execute("python", "print(1)", version="3.12").stdout == "1\n"
    assert asyncio.run(aexecute("python", "print(1)", version="3.12")).stdout == "1\n"
    assert shell.run("run language=python version=3.12 code='print(1)'").stdout == "1\n"
