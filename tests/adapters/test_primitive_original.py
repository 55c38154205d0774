"""The examples of the project that specified the primitive, under its own module name."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from lilux.primitives import SubprocessPrimitive, SubprocessResult
from lilux.primitives.subprocess import SubprocessPrimitive as TheSame


@pytest.fixture
def primitive() -> SubprocessPrimitive:
    return SubprocessPrimitive()


@pytest.mark.asyncio
async def test_echo_command():
    prim = SubprocessPrimitive()
    result = await prim.execute(config={"command": "echo", "args": ["test"]}, params={})
    assert result.success
    assert "test" in result.stdout


class TestExamples:
    """The examples of the document."""

    @pytest.mark.asyncio
    async def test_simple_command(self, primitive):
        result = await primitive.execute(
            config={"command": "echo", "args": ["Hello world"]}, params={}
        )
        assert isinstance(result, SubprocessResult)
        assert result.success == True  # noqa: E712 - copied unchanged from the specification
        assert result.stdout == "Hello world\n"
        assert result.return_code == 0

    @pytest.mark.asyncio
    async def test_python_script(self, primitive, tmp_path):
        (tmp_path / "script.sh").write_text('echo "$DEBUG $*"; pwd; echo oops >&2; exit 3')
        result = await primitive.execute(
            config={
                "command": "sh",
                "args": ["script.sh", "--input", "data.json"],
                "cwd": str(tmp_path),
                "env": {"DEBUG": "1"},
                "timeout": 60,
            },
            params={},
        )
        assert not result.success
        assert result.stdout == f"1 --input data.json\n{tmp_path}\n"
        assert result.stderr == "oops\n"
        assert result.return_code == 3

    @pytest.mark.asyncio
    async def test_environment(self, primitive):
        result = await primitive.execute(
            config={
                "command": "bash",
                "args": ["-c", "echo $MESSAGE"],
                "env": {"MESSAGE": "Hello from env"},
            },
            params={},
        )
        assert result.stdout == "Hello from env\n"

    @pytest.mark.asyncio
    async def test_input_data(self, primitive):
        result = await primitive.execute(
            config={
                "command": "grep",
                "args": ["pattern"],
                "input_data": "line1\npattern\nline3",
            },
            params={},
        )
        assert "pattern" in result.stdout

    @pytest.mark.asyncio
    async def test_command_not_found(self, primitive):
        result = await primitive.execute(config={"command": "nonexistent_command"}, params={})
        assert result.success == False  # noqa: E712
        assert "not found" in result.stderr.lower()
        assert result.return_code == -1

    @pytest.mark.asyncio
    async def test_timeout(self, primitive):
        result = await primitive.execute(
            config={"command": "sleep", "args": ["30"], "timeout": 0.2}, params={}
        )
        assert result.success == False  # noqa: E712
        assert "timed out" in result.stderr.lower()

    @pytest.mark.asyncio
    async def test_permission_denied(self, primitive, tmp_path):
        script: Path = tmp_path / "private_script"
        script.write_text("#!/bin/sh\n")
        script.chmod(stat.S_IRUSR)
        result = await primitive.execute(config={"command": str(script)}, params={})
        assert result.success == False  # noqa: E712
        assert "Permission denied" in result.stderr

    @pytest.mark.asyncio
    async def test_duration(self, primitive):
        result = await primitive.execute(config={"command": "sleep", "args": ["0.05"]}, params={})
        assert isinstance(result.duration_ms, int)
        assert result.duration_ms >= 50


class TestTemplates:
    """Both kinds of templates."""

    @pytest.mark.asyncio
    async def test_runtime_params(self, primitive):
        result = await primitive.execute(
            config={
                "command": "echo",
                "args": ["process.py", "--input", "{input_file}", "--output", "{output_file}"],
            },
            params={"input_file": "data.csv", "output_file": "result.json"},
        )
        assert result.stdout == "process.py --input data.csv --output result.json\n"

    @pytest.mark.asyncio
    async def test_variable_with_default_then_params(self, primitive, monkeypatch):
        config = {
            "command": "${THE_SHELL:-echo}",
            "args": ["script.py", "--file", "{input_file}"],
        }
        result = await primitive.execute(config=config, params={"input_file": "data.csv"})
        assert result.stdout == "script.py --file data.csv\n"
        monkeypatch.setenv("THE_SHELL", "/usr/bin/printf")
        result = await primitive.execute(config=config, params={"input_file": "data.csv"})
        assert result.stdout == "script.py"

    @pytest.mark.asyncio
    async def test_default_of_a_script_path(self, primitive, monkeypatch, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        (tmp_path / "projects").mkdir()
        (tmp_path / "projects" / "script.sh").write_text("pwd")
        result = await primitive.execute(
            config={
                "command": "sh",
                "args": ["${SCRIPT_PATH:-script.sh}"],
                "cwd": "${HOME}/projects",
            },
            params={},
        )
        assert result.stdout == f"{tmp_path}/projects\n"


def test_both_names_are_the_same_class():
    assert TheSame is SubprocessPrimitive
