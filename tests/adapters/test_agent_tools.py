"""The contract of the tools with a model and its host."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from adapters.sessions import facts, read_until
from keysh.adapters.agent import (
    BaseTool,
    BashInputTool,
    BashOutputTool,
    BashTool,
    ExecutionContext,
    Guard,
    KeyshSession,
    KillShellTool,
    ShellManager,
    ToolCategory,
    ToolRegistry,
    ToolResult,
    tools_for,
)

pytestmark = pytest.mark.asyncio


@pytest.fixture
def manager() -> Iterator[ShellManager]:
    with ShellManager(KeyshSession(files={"/work/a": "1\n2\n3\n"}, check=False)) as made:
        yield made


@pytest.fixture
def registry(manager: ShellManager) -> ToolRegistry:
    return tools_for(manager)


async def bash(registry: ToolRegistry, command: str, **arguments: Any) -> ToolResult:
    return await registry.execute("Bash", {"command": command, **arguments})


# ---------------------------------------------------------------- what a model sees


async def test_names_and_parameters(registry: ToolRegistry) -> None:
    assert {tool.name: [one.name for one in tool.parameters] for tool in registry.list()} == {
        "Bash": ["command", "description", "timeout", "run_in_background", "pty"],
        "BashOutput": ["bash_id", "filter"],
        "KillShell": ["shell_id"],
        "BashInput": ["bash_id", "text", "end"],
        "Read": ["path", "offset", "limit"],
        "Write": ["path", "content"],
        "Edit": ["path", "old_string", "new_string", "replace_all"],
        "Reset": [],
        "ListCommands": ["pattern"],
        "Help": ["command"],
        "Snapshot": ["name"],
        "Restore": ["name"],
    }
    assert [tool.name for tool in registry.list(ToolCategory.FILES)] == ["Read", "Write", "Edit"]


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
async def test_schemas(registry: ToolRegistry, form: Any) -> None:
    for tool, schema in zip(registry.list(), registry.schemas(form), strict=True):
        if form == "openai":
            assert schema["type"] == "function"
            schema = schema["function"]
        key = {"openai": "parameters", "anthropic": "input_schema", "mcp": "inputSchema"}[form]
        more = {"title", "annotations", "outputSchema"} if form == "mcp" else set()
        assert set(schema) == {"name", "description", key, *more}
        assert schema["name"] == tool.name
        assert schema["description"]
        jsonschema.Draft202012Validator.check_schema(schema[key])
        assert schema[key]["type"] == "object"
        assert all(one["description"] for one in schema[key]["properties"].values())


async def test_timeout_is_in_the_schema() -> None:
    schema = BashTool(ShellManager()).schema()["input_schema"]
    assert schema["required"] == ["command"]
    assert schema["properties"]["timeout"] == {
        "type": "integer", "description": "Milliseconds until it is killed",
        "default": 120_000, "minimum": 1000, "maximum": 600_000,
    }  # fmt: skip


async def test_unknown_schema_format(registry: ToolRegistry) -> None:
    with pytest.raises(ValueError, match="form must be openai, anthropic or mcp, but is 'x'"):
        registry.schemas("x")  # type: ignore[arg-type]


async def test_registry(registry: ToolRegistry) -> None:
    tool = registry.get("Bash")
    assert isinstance(tool, BashTool)
    assert registry.get("Nope") is None
    with pytest.raises(ValueError, match="there is a tool Bash already"):
        registry.register(tool)
    assert (await registry.execute("Nope", {})).error == (
        "no such tool: Nope; available: Bash, BashOutput, KillShell, BashInput, Read, Write, "
        "Edit, Reset, ListCommands, Help, Snapshot, Restore"
    )


async def test_custom_tool_of_the_host() -> None:
    class Hello(BaseTool):
        name = "Hello"
        description = "Greets."

        async def _execute(self, context: ExecutionContext, given: Any) -> ToolResult:
            return ToolResult.ok("hello", loud=False)

    result = await ToolRegistry(Hello()).execute("Hello", {})
    assert (result.output, facts(result)) == ("hello", {"loud": False})


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("Bash", {}, "command is required"),
        ("Bash", {"command": None}, "command is required"),
        ("Bash", {"command": 5}, "command must be of type string, but is 5"),
        ("Bash", {"command": "x", "timeout": 999}, "timeout must be 1000 at least, but is 999"),
        ("Bash", {"command": "x", "timeout": 600_001},
         "timeout must be 600000 at most, but is 600001"),
        ("Bash", {"command": "x", "timeout": True}, "timeout must be of type integer, but is True"),
        ("Bash", {"command": "x", "run_in_background": 1},
         "run_in_background must be of type boolean, but is 1"),
        ("Bash", {"command": "x", "cwd": "/"},
         "cwd is not one of command, description, timeout, run_in_background, pty"),
        ("Bash", {"command": "x", "pty": True}, "pty needs run_in_background"),
        ("KillShell", {}, "shell_id is required"),
        ("Write", {"path": "a", "content": "\ud800"},
         "content must be valid UTF-8, but is '\\ud800'"),
        ("BashInput", {"bash_id": "x", "text": "\udcff"},
         "text must be valid UTF-8, but is '\\udcff'"),
    ],
)  # fmt: skip
async def test_arguments(
    registry: ToolRegistry, name: str, arguments: dict[str, Any], error: str
) -> None:
    result = await registry.execute(name, arguments)
    assert (result.success, result.error) == (False, f"{name}: {error}")


# ---------------------------------------------------------------- Bash


async def test_result_of_a_command(registry: ToolRegistry) -> None:
    result = await bash(registry, "cd /work; cat a | tail -n 1; echo e >&2", description="Looks")
    assert (result.success, result.output, result.error) == (True, "3\ne\n", None)
    assert facts(result) == {
        "command": "cd /work; cat a | tail -n 1; echo e >&2", "exit_code": 0, "cwd": "/work",
        "stderr": "e\n", "result": 1, "result_file": "/v/results/1",
    }  # fmt: skip


async def test_result_of_a_command_that_fails(registry: ToolRegistry) -> None:
    result = await bash(registry, "printf a; echo e >&2; exit 3")
    assert (result.success, result.output, result.error) == (False, "a\ne\n", "Exit code 3")
    assert result.metadata["exit_code"] == 3


async def test_timeout(registry: ToolRegistry) -> None:
    result = await bash(registry, "x=1; echo a; sleep 60", timeout=1000)
    assert result.error == "Command timed out after 1000 ms and was ended"
    assert result.output.startswith("a\n")
    assert (await bash(registry, "echo $x")).output == "1\n"


async def test_timeout_moves_the_command_to_the_background(manager: ShellManager) -> None:
    tool = BashTool(manager, on_timeout="background")
    result = await tool.execute(command="echo a; sleep 60", timeout=1000)
    shell = manager.list_shells()[0]
    assert result.success
    assert facts(result) == {
        "bash_id": shell.id, "command": "echo a; sleep 60", "status": "running", "is_running": True,
        "exit_code": None, "moved_to_background": True,
    }  # fmt: skip
    assert f"continues in the background as {shell.id}" in result.output
    assert (await BashOutputTool(manager).execute(bash_id=shell.id)).output == "a\n"
    with pytest.raises(ValueError, match="on_timeout must be kill or background"):
        BashTool(manager, on_timeout="x")


@pytest.mark.parametrize("size", [30_000, 30_001, 500_000])
async def test_long_output_is_cut_and_kept(registry: ToolRegistry, size: int) -> None:
    result = await bash(registry, f"head -c {size - 2} /dev/zero | tr '\\0' x; echo é")
    if size == 30_000:
        assert (len(result.output), result.cut) == (size, None)
        return
    assert len(result.output) <= 30_000
    assert result.output.startswith("xxx")
    assert result.output.endswith("xé\n")
    assert f"{size - 29_900} characters are left out; the whole is in /v/output/1" in result.output
    assert result.cut == {
        "characters": size - 29_900, "file": "/v/output/1", "lost_bytes": 0
    }  # fmt: skip
    assert (await bash(registry, "wc -m < /v/output/1")).output == f"{size}\n"


async def test_oldest_outputs_are_removed_first(registry: ToolRegistry) -> None:
    for _ in range(3):
        await bash(registry, "head -c 40000 /dev/zero | tr '\\0' x")
    assert (await bash(registry, "ls /v/output")).output == "1\n2\n3\n"
    await bash(registry, "rm /v/output/1")
    for _ in range(98):
        await bash(registry, "head -c 40000 /dev/zero | tr '\\0' x")
    assert (await bash(registry, "ls /v/output | wc -l; ls /v/output/101")).output == (
        "100\n/v/output/101\n"
    )


async def test_undecodable_output_is_marked(registry: ToolRegistry) -> None:
    assert (await bash(registry, "printf 'a\\377b'")).output == "a\ufffdb"


async def test_dry_run(registry: ToolRegistry, manager: ShellManager) -> None:
    context = ExecutionContext(dry_run=True)
    result = await registry.execute("Bash", {"command": "echo x > /made"}, context)
    assert result.output == "[Dry Run] Would execute: echo x > /made"
    assert facts(result) == {"command": "echo x > /made", "dry_run": True}
    result = await registry.execute("Bash", {"command": "rm -rf /"}, context)
    assert not result.success
    await registry.execute("Write", {"path": "/made", "content": ""}, context)
    await registry.execute("Reset", {}, context)
    assert (await bash(registry, "test -e /made")).metadata["exit_code"] == 1


async def test_working_directory_of_the_context(registry: ToolRegistry) -> None:
    async def pwd(context: ExecutionContext | None = None, command: str = "pwd") -> str:
        result = await registry.execute("Bash", {"command": command}, context)
        return result.output or str(result.error)

    work = ExecutionContext(working_directory="/work")
    assert await pwd(work) == "/work\n"
    assert await pwd(work, "cd /dev; pwd") == "/dev\n"
    assert await pwd(work) == "/dev\n"
    assert await pwd(ExecutionContext(working_directory="/")) == "/\n"
    assert await pwd(work) == "/work\n"
    missing = ExecutionContext(working_directory="/no such")
    assert await pwd(missing) == "Working directory not found: /no such"


async def test_blocked_and_not_confirmed(manager: ShellManager) -> None:
    tool = BashTool(manager, guard=Guard(confirm=lambda *_: False))
    assert "blocked for security reasons" in str((await tool.execute(command="rm -rf /")).error)
    assert (await tool.execute(command="mkdir x")).error == "Command not confirmed: mkdir x"
    assert (await tool.execute(command="echo x")).success


async def test_guard_directories(manager: ShellManager) -> None:
    registry = tools_for(manager, Guard(directories=["/work"]))
    assert "/ is outside /work" in str((await bash(registry, "pwd")).error)
    work = ExecutionContext(working_directory="/work")
    assert (await registry.execute("Bash", {"command": "pwd"}, work)).output == "/work\n"
    result = await registry.execute("Bash", {"command": 'd=/dev; cd "$d"; pwd'}, work)
    assert result.output == "/dev\n"
    assert result.metadata["notice"] == "the session was moved back from /dev to /work"
    assert (await registry.execute("Bash", {"command": "pwd"}, work)).output == "/work\n"
    assert (await registry.execute("Read", {"path": "a"})).success
    for path in ("../x", "/x"):
        result = await registry.execute("Write", {"path": path, "content": ""})
        assert result.error == f"{path}: Operation not permitted"


async def test_many_calls_at_once(registry: ToolRegistry) -> None:
    results = await asyncio.gather(*(bash(registry, f"echo {n}") for n in range(20)))
    assert [result.output for result in results] == [f"{n}\n" for n in range(20)]


# ---------------------------------------------------------------- background shells


async def started(registry: ToolRegistry, command: str) -> str:
    result = await bash(registry, command, run_in_background=True)
    assert result.success
    actual: str = result.metadata["bash_id"]
    assert (
        result.output == f"Running in the background as {actual}; read its output with BashOutput"
    )
    return actual


async def test_output_of_a_shell(registry: ToolRegistry, manager: ShellManager) -> None:
    actual = await started(registry, "echo a1; echo b1 >&2; read x; echo a2$x; exit 4")
    shell = manager.get_shell(actual)
    assert shell is not None
    read_until(shell, "a1\n")
    sent = await registry.execute("BashInput", {"bash_id": actual, "text": "!\n", "end": True})
    assert sent.output == f"2 characters were written to {actual}"
    assert shell.wait(20)
    result = await registry.execute("BashOutput", {"bash_id": actual})
    assert (result.success, result.output) == (True, "a2!\n")
    assert facts(result) == {
        "bash_id": actual, "command": "echo a1; echo b1 >&2; read x; echo a2$x; exit 4",
        "status": "failed", "is_running": False, "exit_code": 4, "stdout": "a2!\n", "stderr": "",
    }  # fmt: skip
    result = await registry.execute("BashInput", {"bash_id": actual, "text": "x"})
    assert result.error == f"Shell {actual} reads no input"


@pytest.mark.parametrize(
    ("pattern", "out", "err"),
    [
        ("b", "ab\n", "cb\n"),
        ("^a", "ab\nac\n", ""),
        ("x|c$", "ac\n", ""),
        (r"\bcb\b", "", "cb\n"),
        ("", "ab\nac\n", "cb\n"),
    ],
)
async def test_filter(
    registry: ToolRegistry, manager: ShellManager, pattern: str, out: str, err: str
) -> None:
    shell = manager.create_shell("echo ab; echo ac; echo cb >&2")
    assert shell.wait(20)
    result = await BashOutputTool(manager).execute(bash_id=shell.id, filter=pattern)
    assert (result.metadata["stdout"], result.metadata["stderr"]) == (out, err)
    assert (await BashOutputTool(manager).execute(bash_id=shell.id)).output == ""


async def test_invalid_filter_loses_no_output(manager: ShellManager) -> None:
    shell = manager.create_shell("echo a")
    assert shell.wait(20)
    tool = BashOutputTool(manager)
    result = await tool.execute(bash_id=shell.id, filter="a(")
    assert str(result.error).startswith("Invalid filter regex: ")
    assert (await tool.execute(bash_id=shell.id)).output == "a\n"


async def test_a_filter_takes_linear_time(manager: ShellManager) -> None:
    # `re` needs 2**60 steps for this; the alarm of the fixture ends a test that hangs.
    shell = manager.create_shell("head -c 60000 /dev/zero | tr '\\0' a; echo b")
    assert shell.wait(20)
    result = await BashOutputTool(manager).execute(bash_id=shell.id, filter="(a|a)*(aa|a)*c")
    assert (result.success, result.output) == (True, "")


async def test_long_output_of_a_shell_is_cut(registry: ToolRegistry, manager: ShellManager) -> None:
    shell = manager.create_shell("head -c 50000 /dev/zero | tr '\\0' x")
    assert shell.wait(20)
    result = await registry.execute("BashOutput", {"bash_id": shell.id})
    assert len(result.output) <= 30_000
    assert len(result.metadata["stdout"]) <= 30_000
    assert result.cut == {"characters": 20_100, "file": "/v/output/1", "lost_bytes": 0}


@pytest.mark.parametrize("tool", [BashOutputTool, BashInputTool])
async def test_unknown_shell(manager: ShellManager, tool: Any) -> None:
    assert (await tool(manager).execute(bash_id="x")).error == "Shell not found: x"


async def test_kill(registry: ToolRegistry, manager: ShellManager) -> None:
    actual = await started(registry, "sleep 60")
    tool = KillShellTool(manager)
    result = await tool.execute(shell_id=actual)
    assert (result.success, result.output) == (True, f"Shell {actual} terminated")
    assert result.metadata["status"] == "killed"
    result = await tool.execute(shell_id=actual)
    assert (result.success, result.output) == (
        True, f"Shell {actual} had already ended, with status 130",
    )  # fmt: skip
    assert (await tool.execute(shell_id="x")).error == "Shell not found: x"


# ---------------------------------------------------------------- files


async def test_files(registry: ToolRegistry) -> None:
    result = await registry.execute("Read", {"path": "/work/a", "offset": 2, "limit": 1})
    assert result.output == "2\n"
    assert facts(result) == {"path": "/work/a", "lines": 3, "more": 1}
    await bash(registry, "cd /work")
    result = await registry.execute("Write", {"path": "new/b", "content": "ü\n"})
    assert result.output == "2 characters were written to /work/new/b"
    assert (await bash(registry, "cat new/b")).output == "ü\n"
    for name, arguments in (("Read", {}), ("Write", {"content": ""})):
        result = await registry.execute(name, {"path": "/work", **arguments})
        assert result.error == "/work: Is a directory"
    assert (await registry.execute("Read", {"path": "no"})).error == "no: No such file or directory"


async def test_reset(registry: ToolRegistry) -> None:
    await bash(registry, "x=1; cd /work; echo kept > file")
    assert (
        await registry.execute("Reset", {})
    ).output == "The session was reset; its directory is /"
    assert (await bash(registry, "echo [$x]; pwd; cat /work/file")).output == "[]\n/\nkept\n"
