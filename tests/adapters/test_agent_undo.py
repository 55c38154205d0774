"""Undo and Redo: what commands of an agent did is in their results, and is taken back."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.sessions import read_until
from keysh import Journal
from keysh.adapters.agent import ExecutionContext, KeyshSession, ShellManager, tools_for
from keysh.adapters.agent.changes_summary import MAX_LISTED_CHANGES

pytestmark = pytest.mark.asyncio


async def test_results_list_changes() -> None:
    with ShellManager(KeyshSession(files={"/w/f": "1\n"}, cwd="/w", journal=True)) as manager:
        tools = tools_for(manager)
        done = await tools.execute("Bash", {"command": "mv f g; echo 2 > h; x=1; g() { :; }"})
        assert done.metadata["changes"] == {
            "files": [
                {"path": "/w/g", "kind": "moved", "moved_from": "/w/f"},
                {"path": "/w/h", "kind": "created"},
            ],
            "session": ["variable x", "function g"],
            "is_complete": True,
        }
        done = await tools.execute("Bash", {"command": "cat g h"})
        assert "changes" not in done.metadata
        done = await tools.execute("Bash", {"command": "touch {1..50}; false"})
        changes = done.metadata["changes"]
        assert (done.success, len(changes["files"])) == (False, MAX_LISTED_CHANGES)
        assert changes["more"] == 50 - MAX_LISTED_CHANGES
        done = await tools.execute("Write", {"path": "h", "content": "3\n"})
        assert done.metadata["changes"]["files"] == [{"path": "/w/h", "kind": "changed"}]


async def test_commands_and_writes_are_taken_back() -> None:
    with ShellManager(KeyshSession(files={"/w/f": "1\n"}, cwd="/w", journal=True)) as manager:
        tools = tools_for(manager)

        async def said(name: str, /, **arguments: Any) -> str:
            result = await tools.execute(name, arguments)
            return result.output if result.success else result.error

        await said("Bash", command="x=1; cd /")
        await said("Write", path="/w/f", content="2\n")
        await said("Bash", command="ls")
        await said("Bash", command="rm -r /w; x=2")
        context = ExecutionContext(dry_run=True)
        assert (
            await tools.execute("Undo", {}, context)
        ).output == "[Dry Run] Would call Undo for 1"
        assert await said("Undo") == "Took back: rm -r /w; x=2\n"
        assert await said("Bash", command="cat /w/f; echo $x") == "2\n1\n"
        result = await tools.execute("Undo", {"count": 2})
        assert result.output == "Took back: x=1; cd /\nTook back: Write /w/f\n"
        assert (result.metadata["cwd"], manager.session.cwd) == ("/w", "/w")
        assert await said("Bash", command="cat f; echo [$x]") == "1\n[]\n"
        assert await said("Undo") == "Undo: no run is there to be taken back"
        assert await said("Redo", count=3) == (
            "Repeated: x=1; cd /\nRepeated: Write /w/f\nRepeated: rm -r /w; x=2\n"
        )
        assert await said("Bash", command="pwd; ls /w 2>&1; echo $x") == (
            "/\nls: cannot access '/w': No such file or directory\n2\n"
        )


async def test_background_shells_stand_in_the_way() -> None:
    with ShellManager(KeyshSession(journal=True)) as manager:
        tools = tools_for(manager)
        await tools.execute("Bash", {"command": "x=1"})
        begun = await tools.execute(
            "Bash", {"command": "echo on; read y", "run_in_background": True}
        )
        shell = manager.get_shell(begun.metadata["bash_id"])
        assert shell is not None
        read_until(shell, "on")
        assert (await tools.execute("Undo", {})).error == (
            f"Undo: {shell.id} is running; KillShell ends it"
        )
        done = await tools.execute("Bash", {"command": "x=2"})
        assert done.metadata["changes"]["reasons"] == ["a background shell ran at the same time"]
        await tools.execute("KillShell", {"shell_id": shell.id})
        assert (await tools.execute("Undo", {})).error == (
            "Undo: run 2 cannot be taken back: a background shell ran at the same time; "
            "`partial` takes back what is known"
        )
        assert (await tools.execute("Undo", {"partial": True})).success
        assert (await tools.execute("Bash", {"command": "echo $x"})).output.startswith("1\n")


async def test_a_command_that_goes_on_makes_an_end_of_the_history() -> None:
    with ShellManager(KeyshSession(journal=True)) as manager:
        tools = tools_for(manager, on_timeout="background")
        await tools.execute("Bash", {"command": "x=1"})
        moved = await tools.execute("Bash", {"command": "sleep 60", "timeout": 1000})
        await tools.execute("KillShell", {"shell_id": moved.metadata["bash_id"]})
        assert (await tools.execute("Undo", {})).error == "Undo: no run is there to be taken back"
        assert (await tools.execute("Bash", {"command": "echo $x"})).output == "1\n"


async def test_a_session_without_a_journal() -> None:
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager)
        assert tools.get("Undo") is None
        done = await tools.execute("Bash", {"command": "x=1"})
        assert "changes" not in done.metadata
        await tools.execute("Write", {"path": "/f", "content": "1"})
    with ShellManager(KeyshSession(journal=Journal(max_runs=1))) as manager:
        tools = tools_for(manager)
        await tools.execute("Bash", {"command": "x=1"})
        await tools.execute("Bash", {"command": "x=2"})
        assert (await tools.execute("Undo", {"count": 2})).error == (
            "Undo: only 1 run is there to be taken back; the journal has forgotten older ones"
        )
