"""The contract of the primitive."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from keysh.adapters.subprocess_primitive import SubprocessPrimitive, SubprocessResult, fill

pytestmark = pytest.mark.asyncio


async def run(**config: object) -> SubprocessResult:
    return await SubprocessPrimitive().execute(config)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("${A}", "a"),
        ("${A:-d}", "a"),
        ("${NO:-d}", "d"),
        ("${EMPTY:-d}", "d"),
        ("[${NO}]", "[]"),
        ("${NO:-}", ""),
        ("{p}", "P"),
        ("{missing}", "{missing}"),
        ("${A}{p}${A}", "aPa"),
        ("{}", "{}"),
        ('{"a": 1}', '{"a": 1}'),
        ("$A", "$A"),
        ("${BRACES}", "{p}"),
        ("{dollar}", "${A}"),
        ("${1}", "$one"),
        ("{with space}", "x"),
        ("{number}", "5"),
        ("${NO:-a b}", "a b"),
    ],
)
async def test_templates(template: str, text: str) -> None:
    env = {"A": "a", "EMPTY": "", "BRACES": "{p}"}
    params = {"p": "P", "dollar": "${A}", "with space": "x", "number": 5, "1": "one"}
    assert fill(template, env, params) == text


async def test_templates_apply_to_every_text(tmp_path: Path) -> None:
    result = await SubprocessPrimitive().execute(
        {"command": "{c}", "args": ["{c}", "-"], "cwd": "{d}", "input_data": "{i}"},
        {"c": "cat", "d": str(tmp_path), "i": "text\n"},
    )
    assert result.stderr == "cat: cat: No such file or directory\n"
    assert result.stdout == "text\n"


async def test_env_values_use_only_variables() -> None:
    env = {"A": "1", "B": "${A}2", "PATH": "${PATH}", "C": "{p}${NO:-3}"}
    config = {"command": "sh", "args": ["-c", "echo $B $C"], "env": env}
    result = await SubprocessPrimitive().execute(config, {"p": "x"})
    assert result.stdout == "12 {p}3\n"


@pytest.mark.parametrize(("count", "sees_host"), [(49, True), (50, False)])
async def test_env_replaces_the_environment(
    count: int, sees_host: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FROM_HOST", "yes")
    env = {f"V{i}": str(i) for i in range(count - 1)} | {"PATH": "/usr/bin:/bin"}
    result = await run(command="env", env=env)
    assert ("FROM_HOST=yes" in result.stdout) is sees_host
    assert f"V{count - 2}={count - 2}" in result.stdout


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "config: command is required"),
        ({"command": ""}, "config: command is required"),
        ({"command": 5.5j}, "config: command must be a string, but is 5.5j"),
        ({"command": "echo", "args": "x"}, "config: args must be a list, but is 'x'"),
        ({"command": object()}, "config: command must be a string, but is of type object"),
        ({"command": "echo", "args": [None]}, "config: args must be a string, but is None"),
        ({"command": "echo", "env": []}, ""),
        ({"command": "echo", "env": [1]}, "config: env must be a mapping, but is [1]"),
        ({"command": "echo", "env": {"A": None}}, "config: env.A must be a string, but is None"),
        ({"command": "echo", "cwd": []}, "config: cwd must be a string, but is []"),
        ({"command": "echo", "timeout": "5"},
         "config: timeout must be a number of seconds above 0, but is '5'"),
        ({"command": "echo", "timeout": 0},
         "config: timeout must be a number of seconds above 0, but is 0"),
        ({"command": "cat", "input_data": "\ud800"},
         "config: input_data must be valid UTF-8"),
        ({"command": "echo", "timeout": True},
         "config: timeout must be a number of seconds above 0, but is True"),
        ({"command": "echo", "capture_output": "no"},
         "config: capture_output must be true or false, but is 'no'"),
        ({"command": "echo", "input_data": []}, "config: input_data must be a string, but is []"),
        (None, "config must be a mapping, but is None"),
        ([], "config must be a mapping, but is []"),
        ({"command": "a\0b"}, "an argument must"),
    ],
)  # fmt: skip
async def test_invalid_configuration_is_a_result_naming_the_key(
    config: dict[str, object], message: str
) -> None:
    result = await SubprocessPrimitive().execute(config, {})
    if message.startswith("config"):
        assert (result.stderr, result.success, result.return_code) == (message, False, -1)
    else:
        assert result.success is not bool(message)


async def test_numbers_and_paths_are_arguments() -> None:
    assert (await run(command="echo", args=[1, 2.5, Path("/a")])).stdout == "1 2.5 /a\n"


async def test_missing_directory() -> None:
    result = await run(command="echo", cwd="/no/such")
    assert (result.stderr, result.return_code) == ("Working directory not found: /no/such", -1)


async def test_timeout_keeps_partial_output_and_kills_the_tree() -> None:
    result = await run(
        command="sh", args=["-c", "echo a; echo b >&2; sleep 60 & wait"], timeout=1.5
    )
    assert (result.success, result.stdout, result.return_code) == (False, "a\n", -1)
    assert result.stderr == "b\nCommand timed out after 1.5 seconds"


async def test_signal_gives_a_negative_code() -> None:
    assert (await run(command="sh", args=["-c", "kill -9 $$"])).return_code == -9


async def test_output_can_always_be_encoded() -> None:
    result = await run(command="cat", input_data=b"\xff\x00a")
    assert result.stdout == "\ufffd\x00a"
    assert result.stdout.encode()


class Untold:
    """A parameter that has no text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (5, "params must be a mapping, but is 5"),
        ({"a": Untold()}, "params: a has no text: RuntimeError"),
    ],
)
async def test_invalid_parameters_are_a_result(params: Any, message: str) -> None:
    result = await SubprocessPrimitive().execute({"command": "echo", "args": ["{a}"]}, params)
    assert (result.success, result.return_code, result.stderr) == (False, -1, message)


async def test_a_result_is_a_dataclass() -> None:
    result = await run(command="echo", args=["a"], description="other keys are ignored")
    assert dataclasses.replace(result, duration_ms=1) == SubprocessResult(True, "a\n", "", 0, 1)
    assert dataclasses.asdict(result)["stdout"] == "a\n"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("${X:-{f}}", "data.csv"),
        ("${X:-a{f}", "a{f"),
        ("{f}${X:-}{f}", "data.csvdata.csv"),
        ("${KEYSH_TEMPLATE}", "{f}"),  # what a variable inserts is no template
        ("{${X:-f}}", "data.csv"),
        ("{{f}}", "{data.csv}"),
    ],
)
async def test_parameters_fill_defaults(
    template: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEYSH_TEMPLATE", "{f}")
    config = {"command": "printf", "args": ["%s", template]}
    assert (await SubprocessPrimitive().execute(config, {"f": "data.csv"})).stdout == text


async def test_programs_are_found_without_a_path() -> None:
    result = await run(command="echo", args=["a"], env={f"V{n}": "" for n in range(50)})
    assert result.stdout == "a\n"


async def test_many_at_once() -> None:
    primitive = SubprocessPrimitive()
    results = await asyncio.gather(
        *(primitive.execute({"command": "echo", "args": ["{n}"]}, {"n": n}) for n in range(20))
    )
    assert [result.stdout for result in results] == [f"{n}\n" for n in range(20)]


async def test_cancelling_the_task_kills_the_program(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    held = os.open(fifo, os.O_RDWR)
    loop = asyncio.get_running_loop()
    begun = asyncio.Event()
    loop.add_reader(held, begun.set)
    script = f"echo x > {fifo}; sleep 60 & wait"
    task = asyncio.create_task(run(command="sh", args=["-c", script]))
    await begun.wait()
    loop.remove_reader(held)
    os.close(held)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_uncaptured_output_goes_to_the_host_streams() -> None:
    program = (
        "import asyncio; from keysh.adapters.subprocess_primitive import SubprocessPrimitive as P;"
        "r = asyncio.run(P().execute({'command': 'sh', 'args': ['-c', 'echo o; echo e >&2'],"
        " 'capture_output': False})); assert (r.stdout, r.stderr, r.success) == ('', '', True)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"o\n", b"e\n")
