"""Snapshot and Restore: the states of a session under names, and as images for the host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.sessions import output, read_until
from keysh import ImageError, Limits, LocalFS, OverlayFS
from keysh.adapters.agent import (
    BashSession,
    ExecutionContext,
    KeyshSession,
    ShellManager,
    ToolRegistry,
    snapshot_tools,
    tools_for,
)
from keysh.process.environment import TAG

pytestmark = pytest.mark.asyncio


async def said(registry: ToolRegistry, name: str, /, **arguments: Any) -> str:
    """Return the output of a tool, or its error."""
    result = await registry.execute(name, arguments)
    return result.output if result.success else result.error


async def bash(registry: ToolRegistry, command: str, **options: Any) -> str:
    return await said(registry, "Bash", command=command, **options)


async def test_a_session_returns_to_a_snapshot() -> None:
    with ShellManager(KeyshSession(files={"/w/f": "one\n"}, cwd="/w")) as manager:
        tools = tools_for(manager)
        await bash(tools, "x=1; f() { echo $x; }; set -u")
        assert await said(tools, "Snapshot", name="early") == "The session is kept as early"
        await bash(tools, "x=2; rm f; unset -f f; cd /; echo two > /w/g")
        await said(tools, "Snapshot", name="late")
        for _ in range(2):
            done = await said(tools, "Restore", name="early")
            assert done == "The session is as early; its directory is /w"
            assert await bash(tools, "f; cat f; ls; pwd") == "1\none\nf\n/w\n"
            assert "u" in await bash(tools, "echo $-")
            await bash(tools, "x=3; echo three > f")
        await said(tools, "Restore", name="late")
        assert await bash(tools, "ls /w; echo $x") == "g\n2\n"


async def test_long_outputs_stay_readable() -> None:
    with ShellManager() as manager:
        tools = tools_for(manager)
        await said(tools, "Snapshot")
        first = await tools.execute("Bash", {"command": "seq 10000"})
        assert first.metadata["cut"]["file"] == "/v/output/1"
        await said(tools, "Snapshot", name="after")
        await said(tools, "Restore", name="after")
        assert (await said(tools, "Read", path="/v/output/1", limit=1)) == "1\n"
        second = await tools.execute("Bash", {"command": "seq 10000"})
        assert second.metadata["cut"]["file"] == "/v/output/2"


async def test_files_of_the_machine_are_named(tmp_path: Path) -> None:
    with LocalFS(tmp_path) as files, LocalFS(tmp_path) as lower:
        session = KeyshSession(fs={"/": files, "/o": OverlayFS(lower)})
        with ShellManager(session) as manager:
            tools = tools_for(manager)
            await bash(tools, "echo 1 > f; echo 1 > /o/in-overlay")
            kept = await said(tools, "Snapshot")
            assert kept.endswith("the files of the machine at /, /o are not in it")
            await bash(tools, "echo 2 > f; rm /o/in-overlay")
            await said(tools, "Restore")
            assert await bash(tools, "cat f /o/in-overlay") == "2\n1\n"
            assert not (tmp_path / "in-overlay").exists()


async def test_refusals_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager)
        assert await said(tools, "Restore") == (
            "Restore: no snapshot is called snapshot; there are: none"
        )
        await bash(tools, "x=1")
        await said(tools, "Snapshot")
        context = ExecutionContext(dry_run=True)
        assert (await tools.execute("Snapshot", {"name": "n"}, context)).output.startswith("[Dry")
        assert (await tools.execute("Restore", {}, context)).output.startswith("[Dry Run]")
        started = await tools.execute(
            "Bash", {"command": "echo on; read line", "run_in_background": True}
        )
        shell = manager.get_shell(started.metadata["bash_id"])
        assert shell is not None
        read_until(shell, "on")
        await bash(tools, "x=2")
        assert await said(tools, "Restore") == (
            f"Restore: {shell.id} is running; KillShell ends it"
        )
        await said(tools, "KillShell", shell_id=shell.id)
        assert await bash(tools, "echo $x") == "2\n"
        await said(tools, "Restore")
        assert await bash(tools, "echo $x") == "1\n"
        monkeypatch.setattr(snapshot_tools, "MAX_KEPT_BYTES", 1)
        assert await said(tools, "Snapshot", name="new") == (
            "The session is kept as new; dropped to make room: snapshot"
        )


async def test_a_session_of_bash_has_no_snapshots() -> None:
    with ShellManager(BashSession(env={})) as manager:
        assert tools_for(manager).get("Snapshot") is None


async def test_an_image_continues_in_another_session() -> None:
    with ShellManager(KeyshSession(files={"/f": "kept\n"}, env={"A": "b"})) as manager:
        assert output(manager, "x=5; cd /v; echo $A") == "b\n"
        image = manager.session.snapshot()  # type: ignore[union-attr]
    later = KeyshSession(external=True, limits=Limits(seconds=60))
    with ShellManager(later) as manager:
        manager.restore(image)
        assert output(manager, "echo $x; pwd; cat /f; echo $A") == "5\n/v\nkept\nb\n"
        # Its programs are ended with the session.
        assert TAG in later._shell.state.environment()
        with pytest.raises(ImageError):
            manager.restore(image[:-1])
        assert output(manager, "echo $x") == "5\n"
