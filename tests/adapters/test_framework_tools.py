"""What the adapters of frameworks share: sessions of the host and their own, results, closing."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import Any

import pytest

import keysh
from keysh.adapters.agent import (
    BashTool,
    FrameworkTools,
    Guard,
    KeyshSession,
    ShellManager,
    ShellSession,
    ShellStatus,
    ToolResult,
    tools_for,
)
from keysh.adapters.agent.frameworks.sandbox import SearchFailure, SessionSandbox
from keysh.adapters.agent.tool import BaseTool
from keysh.adapters.thread import Stop
from keysh.interp.state.call import CommandFailure


class ToolNames(FrameworkTools[str]):
    """Stands in for a framework, whose tools are names."""

    __slots__ = ()

    def framework_tool(self, tool: BaseTool) -> str:
        return tool.name


toolset = ToolNames


def bash(tools: FrameworkTools[str], command: str, **arguments: Any) -> ToolResult:
    return tools.call("Bash", {"command": command, **arguments})


def test_session_of_its_own_ends_with_the_tools() -> None:
    with toolset(files={"/a": "x\n"}) as tools:
        assert tools[:3] == ["Bash", "BashOutput", "KillShell"]
        assert bash(tools, "cat /a").text == "x\n"
        bash(tools, "sleep 60", run_in_background=True)
        manager = tools.registry.manager
        shell = manager.list_shells()[0]
    assert not manager.list_shells()
    assert shell.status is not ShellStatus.RUNNING
    tools.close()


@pytest.mark.asyncio
async def test_session_for_coroutines() -> None:
    async with toolset() as tools:
        assert (await tools.acall("Bash", {"command": "echo a"})).text == "a\n"


def test_shell_of_the_host_is_shared_and_stays() -> None:
    with keysh.Shell(files={"/a": "x\n"}, dialect="bash", env={"SECRET_KEY": "s"}) as shell:
        shell.run("mine=1; cd /tmp")
        with toolset(shell) as tools:
            assert "The directory is /tmp." in tools.system_prompt()
            assert bash(tools, "echo $mine $SECRET_KEY; pwd; its=2; echo e >&2").text == (
                "1 s\n/tmp\ne\n"
            )
            assert shell.vars["its"] == "2"
            assert shell.run("cd /; between=3; echo b").stdout == "b\n"
            assert bash(tools, "echo $between; pwd").text == "3\n/\n"
            assert bash(tools, "exit 3").exit_code == 3
        assert shell.run("echo $its $mine").stdout == "2 1\n"


def test_background_shell_of_a_host_shell_shares_files_not_state() -> None:
    with keysh.Shell(dialect="bash") as shell:
        shell.run("x=1")
        with toolset(shell) as tools:
            begun = bash(tools, "echo $x > /seen; x=2", run_in_background=True)
            assert tools.registry.manager.list_shells()[0].wait(20)
            assert begun.success
            assert bash(tools, "cat /seen; echo $x").text == "1\n1\n"
            bash(tools, "sleep 60", run_in_background=True)
        assert shell.run("echo still").stdout == "still\n"


def test_host_shell_with_a_journal_has_undo() -> None:
    with keysh.Shell(files={"/a": "x\n"}, dialect="bash", journal=True) as shell:
        with toolset(shell) as tools:
            assert "Undo" in tools
            assert bash(tools, "rm /a").text == "[changed: /a removed]"
            assert tools.call("Undo", {}).text == "Took back: rm /a\n"
            tools.call("Write", {"path": "/b", "content": "b"})
        assert shell.run("cat /a /b").stdout == "x\nb"
        assert shell.history[-1].text == "cat /a /b"


def test_host_shell_is_reset_but_not_replaced() -> None:
    with keysh.Shell(dialect="bash", files={"/a": "x\n"}) as shell, toolset(shell) as tools:
        bash(tools, "x=1")
        assert tools.call("Reset", {}).success
        assert bash(tools, "echo [$x]; cat /a").text == "[]\nx\n"
        tools.call("Snapshot", {})
        assert "belongs to the host" in str(tools.call("Restore", {}).error)


def test_long_output_and_limits_of_a_host_shell() -> None:
    limits = keysh.Limits(steps=20_000)
    with keysh.Shell(dialect="bash", limits=limits) as shell, toolset(shell) as tools:
        cut = bash(tools, "seq 9000").cut
        assert cut is not None
        assert bash(tools, f"wc -l < {cut['file']}").text == "9000\n"
        limit = bash(tools, "while :; do :; done").limit
        assert limit is not None
        assert limit["kind"] == "steps"


def test_host_shell_of_the_other_language() -> None:
    with keysh.Shell() as shell, toolset(shell) as tools:
        assert bash(tools, "x=[1, 2]; echo ${x[1]}").text == "2\n"
        assert "a language of its own" in tools.system_prompt()


def test_session_of_the_host_stays() -> None:
    session = KeyshSession()
    with ShellManager(session) as manager:
        with toolset(session) as tools:
            bash(tools, "x=1")
            bash(tools, "sleep 60", run_in_background=True)
            shell = tools.registry.manager.list_shells()[0]
        assert shell.status is not ShellStatus.RUNNING
        with toolset(manager) as tools:
            assert bash(tools, "echo $x").text == "1\n"
        assert tools_for(manager).execute_sync("Bash", {"command": "echo $x"}).text == "1\n"


def test_on_result_gets_each_result() -> None:
    seen: list[tuple[str, int | None]] = []
    with toolset(on_result=lambda name, result: seen.append((name, result.exit_code))) as tools:
        bash(tools, "exit 3")
        tools.call("Read", {"path": "/none"})
    assert seen == [("Bash", 3), ("Read", None)]


@pytest.mark.parametrize("path", ["-delete", "(", "!", ","])
def test_a_path_to_search_is_no_test_of_find(path: str) -> None:
    options = {"files": {"/w/a": "x", f"/w/{path}/b": "y"}, "cwd": "/w"}
    sandbox = SessionSandbox(None, None, options)
    found = sandbox.find(path, "-type f")
    assert [one.path for one in found] == [f"./{path}/b"]
    assert sandbox.read("/w/a") == b"x"
    sandbox.close()


GUARDS = [
    Guard(directories=["/w"]),
    Guard(rules=keysh.Rules([{"paths": "/secret/**", "decision": "deny"}], default="allow")),
]


@pytest.mark.parametrize("guard", GUARDS)
def test_the_guard_holds_for_files_of_a_sandbox(guard: Guard) -> None:
    options = {"files": {"/w/a": "x\n", "/secret/b": "x\n"}, "cwd": "/w", "dialect": "bash"}
    sandbox = SessionSandbox(None, guard, options)
    with closing(sandbox), Stop() as stop:
        assert sandbox.run("ln -s /secret/b link; ln -s /secret by", 20, stop).exit_code == 0
        for path in ("/secret/b", "../secret/b", "/w/link", "by/b"):
            with pytest.raises((PermissionError, CommandFailure)):
                sandbox.read(path)
            with pytest.raises((PermissionError, CommandFailure)):
                sandbox.write(path, "y")
        assert sandbox.remove("/w/by/b").startswith("/w/by/b: ")
        for path in ("/secret", "by"):
            with pytest.raises(SearchFailure):
                sandbox.find(path, "")
            with pytest.raises(SearchFailure):
                [*sandbox.grep("x", path)]
        assert sandbox.remove("link") == ""
        assert sandbox.content("/secret/b") == b"x\n"
        sandbox.write("/w/new/c", "z")
        assert (sandbox.read("a"), sandbox.read("new/c")) == (b"x\n", b"z")
        assert [*sandbox.grep("x", "/w")] == [("/w/a", 1, "x")]
        assert sandbox.remove("/w/new") == ""
        assert [one.path for one in sandbox.find("/w", "-type f")] == ["/w/a"]


def test_a_file_without_end_does_not_fill_the_memory_of_the_host() -> None:
    sandbox = SessionSandbox(None, None, {})
    with closing(sandbox), pytest.raises(OSError, match="File too large"):
        sandbox.read("/dev/zero")


def test_a_search_ends_at_a_file_that_may_not_be_read() -> None:
    sandbox = SessionSandbox(None, GUARDS[1], {"files": {"/a": "x\n", "/secret/b": "x\n"}})
    with closing(sandbox), pytest.raises(SearchFailure, match="/secret/b: read is denied"):
        [*sandbox.grep("x", "/")]


def test_mistakes_of_the_host() -> None:
    with keysh.Shell() as shell:
        with pytest.raises(TypeError, match="these have no effect: files, cwd"):
            toolset(shell, files={}, cwd="/")
        with pytest.raises(ValueError, match="cannot continue in the background"):
            toolset(shell, on_timeout="background")
        with pytest.raises(ValueError, match="cannot continue in the background"):
            BashTool(ShellManager(ShellSession(shell)), promote_after=1000)
        assert shell.run("echo open").stdout == "open\n"
    with pytest.raises(TypeError, match="session must be a session, or a Shell"):
        toolset("bash")
    with pytest.raises(TypeError, match="session must be a session, or a Shell"):
        ShellSession(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="isolated must be False"):
        toolset(isolated=True)
    with toolset(isolated=False) as tools:
        assert bash(tools, "echo a").text == "a\n"
    with pytest.raises(ValueError, match="on_timeout must be kill or background"):
        toolset(on_timeout="x")


@pytest.mark.asyncio
async def test_cancelled_call_cancels_its_command() -> None:
    with keysh.Shell(dialect="bash") as shell:
        async with toolset(shell) as tools:
            begun = asyncio.Event()
            loop = asyncio.get_running_loop()

            def begin(sh: keysh.Call) -> None:
                """Say that the command runs."""
                loop.call_soon_threadsafe(begun.set)

            shell.add(begin)
            task = asyncio.create_task(tools.acall("Bash", {"command": "x=1; begin; sleep 60"}))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await tools.acall("Bash", {"command": "echo $x"})).text == "1\n"
