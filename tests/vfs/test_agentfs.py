"""SqliteFS and the SDK of AgentFS read and write one file, in turns.

The SDK is no dependency of keysh: `pip install agentfs-sdk` makes these tests run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from importlib.util import find_spec
from sqlite3 import connect
from typing import Any

import pytest

from keysh.testing.conformance.kit import get, names, put, tree
from keysh.vfs.sqlite.filesystem import SqliteFS
from real_tools import MISSING

if find_spec("agentfs_sdk") is None:
    pytest.skip(f"{MISSING}agentfs-sdk", allow_module_level=True)

LONG = bytes(range(256)) * 50  # three chunks and a part


def in_sdk(db_path: str, act: Callable[[Any], Awaitable[Any]]) -> Any:
    """Return what a function returns that gets the SDK's view of the file."""
    from agentfs_sdk import AgentFS, AgentFSOptions

    async def run() -> Any:
        agent = await AgentFS.open(AgentFSOptions(path=db_path))
        try:
            return await act(agent)
        finally:
            await agent.close()

    return asyncio.run(run())


def require_rules(db_path: str) -> None:
    """Check what the specification calls consistency rules."""
    with closing(connect(db_path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        for query in (
            "SELECT ino FROM fs_dentry EXCEPT SELECT ino FROM fs_inode",
            """SELECT parent_ino FROM fs_dentry
               EXCEPT SELECT ino FROM fs_inode WHERE mode & 61440 = 16384""",
            "SELECT ino FROM fs_inode WHERE ino <> 1 EXCEPT SELECT ino FROM fs_dentry",
            "SELECT ino FROM fs_data EXCEPT SELECT ino FROM fs_inode WHERE mode & 61440 = 32768",
            """SELECT ino FROM fs_inode WHERE mode & 61440 = 32768 AND size <>
               (SELECT total(length(data)) FROM fs_data WHERE fs_data.ino = fs_inode.ino)""",
            """SELECT ino FROM fs_inode WHERE ino <> 1 AND nlink <>
               (SELECT count(*) FROM fs_dentry WHERE fs_dentry.ino = fs_inode.ino)""",
        ):
            assert connection.execute(query).fetchall() == []


def test_sdk_reads_ours(db_path: str) -> None:
    with SqliteFS(db_path) as fs:
        fs.make_directory("/d")
        put(fs, "/d/long", LONG)
        put(fs, "/d/é 日本", b"text")
        put(fs, "/empty")
        with fs.open("/hole", "w") as stream:
            stream.seek(9000)
            stream.write(b"x")
        fs.link("/d/long", "/same")
        fs.make_link("d/long", "/link")
        fs.set_mode("/empty", 0o600)
        fs.values["k"] = {"a": [1, "é"]}
        fs.record_tool_call("ls", {"path": "/"}, result=["d"], started_at=100, completed_at=102)
        fs.record_tool_call("rm", error="no", started_at=100, completed_at=100)
    require_rules(db_path)

    async def read(agent: Any) -> list[Any]:
        fs = agent.fs
        stat, empty, link = [await fs.stat(path) for path in ("/same", "/empty", "/link")]
        return [
            sorted(await fs.readdir("/")),
            sorted(await fs.readdir("/d")),
            await fs.read_file("/d/long", encoding=None),
            await fs.read_file("/d/é 日本"),
            await fs.read_file("/empty", encoding=None),
            await fs.read_file("/hole", encoding=None),
            (stat.size, stat.nlink, empty.mode, link.is_symbolic_link()),
            await agent.kv.get("k"),
            [(call.name, call.result, call.error) for call in await agent.tools.get_recent(0)],
        ]

    *read_back, calls = in_sdk(db_path, read)
    assert read_back == [
        ["d", "empty", "hole", "link", "same"],
        ["long", "é 日本"],
        LONG,
        "text",
        b"",
        bytes(9000) + b"x",
        (len(LONG), 2, 0o100600, True),
        {"a": [1, "é"]},
    ]
    assert sorted(calls, key=lambda call: call[0]) == [("ls", ["d"], None), ("rm", None, "no")]


def test_we_read_theirs(db_path: str) -> None:
    async def write(agent: Any) -> None:
        await agent.fs.write_file("/d/e/long", LONG)
        await agent.fs.write_file("/text", "é\n")
        await agent.kv.set("k", [1, {"a": None}])
        call = await agent.tools.start("ls", {"path": "/"})
        await agent.tools.success(call, ["d"])

    in_sdk(db_path, write)
    with SqliteFS(db_path) as fs:
        assert tree(fs) == {
            "/d": None,
            "/d/e": None,
            "/d/e/long": LONG,
            "/text": "é\n".encode(),
        }
        assert fs.stat("/d").links == 3
        assert dict(fs.values) == {"k": [1, {"a": None}]}
        fs.record_tool_call("rm", started_at=1, completed_at=2)


def test_both_change_one_file(db_path: str) -> None:
    with SqliteFS(db_path) as fs:
        fs.make_directory("/d")
        put(fs, "/d/ours", LONG)
        put(fs, "/d/gone", b"text")
        fs.make_directory("/none")

    async def change(agent: Any) -> None:
        await agent.fs.write_file("/d/ours", LONG[::-1] + LONG)
        await agent.fs.unlink("/d/gone")
        await agent.fs.rmdir("/none")
        await agent.fs.write_file("/d/theirs", "text")
        await agent.fs.rename("/d/theirs", "/d/moved")

    in_sdk(db_path, change)
    require_rules(db_path)
    with SqliteFS(db_path) as fs:
        assert get(fs, "/d/ours") == LONG[::-1] + LONG
        assert names(fs, "/d") == ["moved", "ours"]
        with fs.open("/d/moved", "a") as stream:
            stream.write(b"+")
        fs.rename("/d/moved", "/d/ours")
        fs.rename("/d", "/e")
        assert names(fs) == ["e"]
    require_rules(db_path)
    assert in_sdk(db_path, lambda agent: agent.fs.read_file("/e/ours")) == "text+"
