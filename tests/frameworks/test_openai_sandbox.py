"""The sandbox of the OpenAI Agents SDK: what its own methods ask of a session."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

pytest.importorskip("agents.sandbox")

from agents.sandbox.errors import (
    ExecTimeoutError,
    WorkspaceArchiveWriteError,
    WorkspaceReadNotFoundError,
)

from keysh import Shell
from keysh.adapters.agent import Guard
from keysh.adapters.openai_agents import sandbox

pytestmark = pytest.mark.filterwarnings("default")


def test_files_and_commands() -> None:
    async def main() -> None:
        async with sandbox(files={"/workspace/notes": "tea\n"}) as session:
            ran = await session.exec("wc -l < notes; echo err >&2; x=1; cd /; exit 3")
            assert (ran.stdout, ran.stderr, ran.exit_code) == (b"1\n", b"err\n", 3)
            after = await session.exec("pwd; echo [$x]")
            assert after.stdout == b"/workspace\n[]\n"
            await session.write(Path("deep/er/new"), io.BytesIO(b"\xff\n"))
            assert (await session.read(Path("deep/er/new"))).read() == b"\xff\n"
            await session.mv("notes", "moved")
            await session.mkdir("empty", parents=True)
            assert [Path(entry.path).name for entry in await session.ls(".")] == [
                "deep", "empty", "moved"
            ]  # fmt: skip
            assert await session.same_file("moved", "deep/../moved")
            await session.rm("deep", recursive=True)
            with pytest.raises(WorkspaceReadNotFoundError):
                await session.read(Path("deep/er/new"))
            with pytest.raises(ExecTimeoutError):
                await session.exec("sleep 60", timeout=0.1)
            assert "blocked" in (await session.exec("rm -rf /")).stderr.decode()
            assert await session.running()
        assert not await session.running()

    asyncio.run(main())


def test_workspace_goes_from_one_session_to_another() -> None:
    async def main() -> bytes:
        async with sandbox(files={"/workspace/a/b": "c\n"}) as session:
            archive = await session.persist_workspace()
            assert (await session.exec("ls /tmp")).stdout == b""
        async with sandbox() as other:
            await other.hydrate_workspace(archive)
            return (await other.exec("cat a/b; ls /tmp")).stdout

    assert asyncio.run(main()) == b"c\n"


def test_archive_that_cannot_be_unpacked() -> None:
    async def main() -> None:
        async with sandbox() as session:
            with pytest.raises(WorkspaceArchiveWriteError):
                await session.hydrate_workspace(io.BytesIO(b"no archive"))

    asyncio.run(main())


def test_guard_holds_for_files_but_not_for_the_archive() -> None:
    async def main() -> None:
        guard = Guard(directories=["/workspace"])
        files = {"/workspace/a": "b\n", "/workspace/link/c": ""}
        async with sandbox(guard=guard, files=files, cwd="/workspace") as session:
            await session.exec("rm -r link; ln -s /tmp link")
            with pytest.raises(WorkspaceArchiveWriteError):
                await session.write(Path("link/d"), io.BytesIO(b"d"))
            archive = await session.persist_workspace()
            await session.hydrate_workspace(archive)
            assert (await session.read(Path("a"))).read() == b"b\n"

    asyncio.run(main())


def test_shell_of_the_host_stays() -> None:
    async def main(shell: Shell) -> None:
        async with sandbox(shell) as session:
            prompt = session.system_prompt()
            assert "exec_command runs commands in keysh" in prompt
            assert "Each command begins in /work, in a shell of its own: only files last." in prompt
            assert "limits: what yield_time_ms says, up to " in prompt
            assert "timeout sets" not in prompt
            assert (await session.exec("pwd; echo x > made")).stdout == b"/work\n"

    with Shell(dialect="bash", files={"/work/a": ""}, cwd="/work") as shell:
        asyncio.run(main(shell))
        assert shell.run("cat made").stdout == "x\n"
