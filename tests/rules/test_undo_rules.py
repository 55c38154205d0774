"""Going back in the history, and looking at it, are judged as what they do to files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh.adapters.agent import KeyshSession, ShellManager, tools_for
from keysh.interp.state.call import CommandFailure

RULES = keysh.Rules([
    {"paths": ["/repo/.git/**"], "access": ["write", "remove"], "decision": "deny"},
    {"paths": ["/secret/**"], "access": ["read"], "decision": "deny"},
])  # fmt: skip
FILES = {"/repo/.git/config": "old\n", "/a": "1\n", "/secret/key": "old s3cr3t\n"}
CHANGED = {"/repo/.git/config": "new\n", "/a": "2\n", "/secret/key": "new s3cr3t\n"}


def put(shell: keysh.Shell, path: str, text: str) -> None:
    with shell.fs.open(path, "w") as file:
        file.write(text.encode())


def tree(fs: Any) -> dict[str, str]:
    found = {}
    for path in ("/repo/.git/config", "/repo/.git/new", "/a", "/secret/key"):
        if fs.stat_or_none(path) is not None:
            with fs.open(path) as file:
                found[path] = file.read().decode()
    return found


def changed_shell(**options: Any) -> keysh.Shell:
    """A shell whose host has changed files in a run of the history."""
    shell = keysh.Shell(journal=True, dialect="bash", **{"rules": RULES} | options)
    shell.run("mkdir -p /repo /secret", timeout=5)
    with shell.recording("before"):
        shell.fs.make_directory("/repo/.git")
        for path, text in FILES.items():
            put(shell, path, text)
    with shell.recording("by the host"):
        for path, text in CHANGED.items():
            put(shell, path, text)
    return shell


@pytest.mark.parametrize("kind", ["memory", "local", "overlay"])
@pytest.mark.parametrize("script", ["undo", "undo -p", "undo 2", "undo; undo", "eval undo"])
def test_undo_changes_nothing_if_one_file_is_denied(kind: str, script: str, tmp_path: Path) -> None:
    local = keysh.LocalFS(tmp_path)
    options: dict[str, Any] = {
        "memory": {}, "local": {"fs": local}, "overlay": {"fs": keysh.OverlayFS(local)},
    }[kind]  # fmt: skip
    shell = changed_shell(**options)
    result = shell.run(script)
    assert result.code == 126
    assert "undo: /repo/.git" in result.stderr
    assert "denied by rule 1 of rules" in result.stderr
    assert tree(shell.fs) == CHANGED
    assert len(shell.undo()) > 0  # the host may
    assert tree(shell.fs) == FILES
    result = shell.run("redo")
    assert (result.code, tree(shell.fs)) == (126, FILES)


def test_undo_removes_and_makes_nothing_denied() -> None:
    shell = changed_shell()
    with shell.recording("made"):
        put(shell, "/repo/.git/new", "x")
    assert "/repo/.git/new: denied" in shell.run("undo").stderr
    shell.undo()
    assert "/repo/.git/new: denied" in shell.run("redo").stderr
    with shell.recording("mode"):
        shell.fs.set_mode("/repo/.git", 0o700)
    assert "/repo/.git: denied" in shell.run("undo").stderr
    assert "/repo/.git/new" not in tree(shell.fs)


def test_undo_of_what_no_rule_denies() -> None:
    shell = changed_shell()
    shell.run("echo 3 > /a; mkdir /d; echo x > /repo/x")
    assert shell.run("undo").code == 0
    assert tree(shell.fs) == CHANGED
    assert shell.run("redo; cat /a").stdout.endswith("3\n")


def test_host_is_asked_about_each_file_that_undo_changes() -> None:
    asked: list[str] = []
    rules = keysh.Rules([{"paths": ["/**"], "access": ["write", "remove"], "decision": "ask"}])

    def on_ask(request: keysh.AskRequest) -> bool:
        asked.append(str(request))
        return len(asked) < 3

    shell = changed_shell(rules=rules, on_ask=lambda request: True)
    shell.close()
    shell = keysh.Shell(files={"/a": "1", "/b": "2"}, rules=rules, on_ask=on_ask, journal=True)
    with shell.recording("change"):
        shell.fs.remove("/a")
        put(shell, "/b", "3")
        put(shell, "/c", "4")
    assert shell.run("undo").code == 126
    assert asked == ["write /a", "write /b", "remove /c"]
    assert shell.fs.stat_or_none("/a") is None


@pytest.mark.parametrize(
    "script", ["changes 3", "changes -p 3", "changes --json 3", "changes -l --json", "changes -p"]
)
def test_changes_show_nothing_of_a_file_that_may_not_be_read(script: str) -> None:
    shell = changed_shell()
    result = shell.run(script)
    assert "s3cr3t" not in result.stdout
    assert "/secret/key" not in result.stdout
    assert "/a" in result.stdout
    files = "2 files are" if "-l" in script else "1 file is"
    assert result.stderr == f"changes: {files} left out, which may not be read\n"
    assert "/secret/key" in changed_shell(rules=None).run(script).stdout


def executed(session: KeyshSession, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Call tools one after the other; return what each has refused, or "" """

    async def run() -> list[str]:
        with ShellManager(session) as manager:
            tools = tools_for(manager)
            return [(await tools.execute(name, given)).error or "" for name, given in calls]

    return asyncio.run(run())


def test_tools_of_an_agent_are_judged_by_the_rules_of_its_session() -> None:
    session = KeyshSession(files=FILES, rules=RULES, journal=True)
    refusals = executed(
        session,
        ("Write", {"path": "/repo/.git/config", "content": "x"}),
        ("Write", {"path": "/repo/.git/d/e", "content": "x"}),
        ("Write", {"path": "/repo/x", "content": "x"}),
        ("Read", {"path": "/secret/key"}),
        ("Read", {"path": "/a"}),
    )
    assert refusals == [
        "/repo/.git/config: denied by rule 1 of rules", "/repo/.git/d: denied by rule 1 of rules",
        "", "/secret/key: denied by rule 2 of rules", "",
    ]  # fmt: skip
    assert tree(session.fs) == FILES


def test_undo_tools_are_judged_too() -> None:
    session = KeyshSession(files=FILES, rules=RULES, journal=True)
    with session._shell.recording("by the host"):
        put(session._shell, "/repo/.git/config", "new\n")
    assert executed(session, ("Undo", {})) == [
        "Undo: /repo/.git/config: denied by rule 1 of rules"
    ]  # fmt: skip
    session._shell.undo()
    assert executed(session, ("Redo", {})) == [
        "Redo: /repo/.git/config: denied by rule 1 of rules"
    ]  # fmt: skip


def test_snapshot_that_is_restored_is_judged_too() -> None:
    session = KeyshSession(files=FILES, rules=RULES)

    async def run() -> list[str]:
        with ShellManager(session) as manager:
            tools = tools_for(manager)
            found = []
            await tools.execute("Snapshot", {})
            await tools.execute("Bash", {"command": "echo 2 > /a; mkdir /d"})
            found.append((await tools.execute("Restore", {})).error or "")
            put(session._shell, "/repo/.git/config", "new\n")
            found.append((await tools.execute("Restore", {})).error or "")
            put(session._shell, "/repo/.git/config", "old\n")
            put(session._shell, "/repo/.git/new", "")
            found.append((await tools.execute("Restore", {})).error or "")
            return found

    assert asyncio.run(run()) == [
        "", "Restore: /repo/.git/config: denied by rule 1 of rules",
        "Restore: /repo/.git/new: denied by rule 1 of rules",
    ]  # fmt: skip
    assert "/repo/.git/new" in tree(session.fs)


class WatchedFS(keysh.LocalFS):
    """A directory of the machine that notes what is looked at."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.seen: list[str] = []

    def open(self, path: str, *options: Any) -> Any:
        self.seen.append(path)
        return super().open(path, *options)

    def list(self, path: str) -> Any:
        self.seen.append(path)
        return super().list(path)


@pytest.mark.parametrize("is_overlay", [False, True])
def test_restoring_looks_at_no_file_that_both_sides_share(tmp_path: Path, is_overlay: bool) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a").write_text("a\n")
    machine = WatchedFS(str(tmp_path))
    session = KeyshSession(
        fs={"/": keysh.OverlayFS(machine) if is_overlay else machine, "/m": keysh.MemoryFS()},
        rules=keysh.Rules([{"paths": ["/m/kept", "/d/new"], "decision": "deny"}]),
    )
    put(session._shell, "/m/kept", "1\n")
    image = session.snapshot()
    session.restore(image)  # nothing has changed
    machine.seen.clear()
    session.restore(image)
    assert machine.seen == []
    put(session._shell, "/d/new" if is_overlay else "/m/kept", "2\n")
    with pytest.raises(CommandFailure, match="denied by rule 1"):
        session.restore(image)
    session.close()


def test_question_about_a_file_of_a_tool_is_answered() -> None:
    rules = keysh.Rules([{"paths": ["/a"], "decision": "ask"}])
    asked: list[str] = []

    def on_ask(request: keysh.AskRequest) -> bool:
        asked.append(str(request))
        return request.action == "read"

    session = KeyshSession(files=FILES, rules=rules, on_ask=on_ask)
    refusals = executed(
        session, ("Read", {"path": "/a"}), ("Write", {"path": "/a", "content": "x"})
    )
    assert asked == ["read /a", "write /a"]
    assert refusals == ["", "/a: denied by the host: rule 1 of rules"]
