"""The nine tests of the document that `spawn` comes from, in its order, against real programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from keysh import LocalFS, MemoryFS, Result, Shell
from keysh.text.gnu_quoting import quoted_name
from keysh.values import json_of
from process.conftest import PATH
from process.leaked_processes import kill_marked

Spawn = Callable[..., Result]


def spawned(shell: Shell, stdin: str | None = None, **parameters: object) -> Result:
    """`spawn` with named parameters."""
    words = [
        f"{name}={quoted_name(value) if isinstance(value, str) else json_of(value)}"
        for name, value in parameters.items()
    ]
    return shell.run(" ".join(["spawn", *words]), stdin=stdin)


@pytest.fixture
def spawn(mark: str) -> Iterator[Spawn]:
    """In a shell that has files in memory, and a real /tmp."""
    files = {"/": MemoryFS(), "/tmp": LocalFS("/tmp")}
    with Shell(files, env={"PATH": PATH, "KEYSH_TEST": mark}, external=True) as shell:
        yield partial(spawned, shell)
    assert kill_marked(mark) == 0


def test_spawn_echo(spawn: Spawn) -> None:
    result = spawn(command="/bin/echo", argv="hello")
    assert result.ok
    assert result.stdout.strip() == "hello"


def test_spawn_with_stdin(spawn: Spawn) -> None:
    result = spawn(stdin="hello world", command="/bin/cat")
    assert result.ok
    assert result.stdout == "hello world"


def test_spawn_with_env(spawn: Spawn) -> None:
    result = spawn(command="/usr/bin/env", env='{"MY_TEST_VAR": "test_value"}', clear_env=True)
    assert result.ok
    assert result.stdout.splitlines()[:-1] == ["MY_TEST_VAR=test_value"]
    assert result.stdout.splitlines()[-1].startswith("KEYSH_SPAWN=")


def test_spawn_missing_command(spawn: Spawn) -> None:
    result = spawn()
    assert not result.ok
    assert "command parameter required" in result.stderr


def test_spawn_nonexistent_command(spawn: Spawn) -> None:
    result = spawn(command="/nonexistent/command/path")
    assert not result.ok
    assert result.code == 127


def test_spawn_path_resolution(spawn: Spawn) -> None:
    result = spawn(command="echo", argv='["hello", "from", "PATH"]')
    assert result.ok
    assert result.stdout == "hello from PATH\n"


def test_spawn_with_cwd(spawn: Spawn) -> None:
    result = spawn(command="pwd", cwd="/tmp")
    assert result.ok, result.stderr
    assert "tmp" in result.stdout


def test_spawn_with_timeout(spawn: Spawn) -> None:
    result = spawn(command="sleep", argv="10", timeout=100)
    assert not result.ok
    assert result.code == 124
    assert "timed out" in result.stderr


def test_spawn_no_timeout_when_fast(spawn: Spawn) -> None:
    result = spawn(command="echo", argv="quick", timeout=10_000)
    assert result.ok
    assert "quick" in result.stdout
