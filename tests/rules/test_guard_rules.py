"""The guard of an agent's session takes rules: before a command runs, and for its file tools."""

from __future__ import annotations

import asyncio

import pytest

import keysh
from keysh.adapters.agent import Guard, KeyshSession, ReadTool, ShellManager, WriteTool

RULES = keysh.Rules([
    {"command": "deploy", "decision": "deny", "reason": "only people deploy"},
    {"command": "git", "arguments": ["...", "push", "..."], "decision": "ask"},
    {"command": "make", "arguments": ["test"], "decision": "allow"},
    {"command": "tool", "decision": "allow"},
    {"paths": ["/repo/.git/**"], "access": ["write"], "decision": "deny"},
    {"paths": ["/secret/**"], "access": ["read"], "decision": "ask"},
])  # fmt: skip


def judged(command: str, confirmed: bool | None) -> str:
    asked: list[str] = []

    def confirm(text: str, programs: list[str]) -> bool:
        asked.append(text)
        return bool(confirmed)

    guard = Guard(rules=RULES, confirm=None if confirmed is None else confirm)
    refusal = asyncio.run(guard.judge(command, "/repo"))
    return f"{'asked ' if asked else ''}{refusal}"


@pytest.mark.parametrize(
    "command",
    [
        "deploy",
        "true; deploy x",
        "sudo deploy",
        "env A=1 nice deploy",
        "sh -c 'deploy'",
        "eval deploy",
        "echo $(deploy)",
        "find . -exec deploy ';'",
        "echo x > .git/config",
        "echo x >> /repo/.git/HEAD",
        "trap deploy EXIT",
        "xargs deploy",
    ],
)
@pytest.mark.parametrize("confirmed", [None, True])
def test_denied(command: str, confirmed: bool | None) -> None:
    assert judged(command, confirmed).startswith("Command denied by rule")


def test_asks() -> None:
    assert judged("git push", True) == "asked "
    assert judged("git -C x push", False) == "asked Command not confirmed: git -C x push"
    assert judged("git push", None).startswith(
        "Command denied, since nobody can be asked: 1:1: git"
    )
    assert judged("git $x", True) == "asked "  # it may be a push
    assert judged("git status", True) == ""


def test_rule_that_allows_needs_no_confirmation() -> None:
    assert judged("tool --all", False) == ""
    assert judged("other", False).startswith("asked Command not confirmed")
    assert judged("tool > /tmp/x", False).startswith("asked Command not confirmed")


def test_file_tools() -> None:
    files = {"/repo/.git/config": "a\n", "/secret/key": "s\n", "/in": "b\n"}

    async def results(confirmed: bool) -> list[bool]:
        manager = ShellManager(KeyshSession(files=files))
        guard = Guard(rules=RULES, confirm=lambda *_: confirmed)
        found = []
        for tool, arguments in (
            (WriteTool(manager, guard=guard), {"path": "/repo/.git/config", "content": "x"}),
            (WriteTool(manager, guard=guard), {"path": "/repo/a", "content": "x"}),
            (ReadTool(manager, guard=guard), {"path": "/secret/key"}),
            (ReadTool(manager, guard=guard), {"path": "/in"}),
        ):
            result = await tool.execute(**arguments)
            found.append(result.success)
        return found

    assert asyncio.run(results(True)) == [False, True, True, True]
    assert asyncio.run(results(False)) == [False, True, False, True]


def test_file_that_nobody_can_be_asked_about_is_denied() -> None:
    refusal = asyncio.run(Guard(rules=RULES).judge_file("read", "/secret/key"))
    assert refusal == "read is denied, since nobody can be asked: rule 6 of rules"
