"""What scripts try against rules: each case is decided as the rule says; nothing is smuggled."""

from __future__ import annotations

from typing import Any

import pytest
from more_rule_cases import HIDDEN_BY_OTHER_WAYS, KEPT_BY_OTHER_WAYS
from rule_cases import (
    ALLOWED_ARGUMENTS,
    ALLOWED_CHANGES,
    DENIED_ARGUMENTS,
    DENIED_CHANGES,
    DENIED_COMMANDS,
    DENIED_READS,
    DENIED_SPELLINGS,
    DENIED_TOOLS,
)

import keysh

COMMAND_RULES = keysh.Rules([
    {"command": "deploy", "decision": "deny", "reason": "only people deploy"},
    {"command": "git", "arguments": ["...", "push", "..."], "decision": "deny"},
])  # fmt: skip
FILE_RULES = keysh.Rules([
    {"paths": ["/repo/.git/**", "**/*.pem", "/caf\u00e9/**"], "access": ["write", "remove"],
     "decision": "deny", "reason": "history is kept"},
    {"paths": ["/secret/**"], "decision": "deny"},
])  # fmt: skip
# What may be removed, linked and moved must still not be read.
READ_RULES = keysh.Rules([{"paths": ["/secret/**"], "access": ["read"], "decision": "deny"}])
SECRET, KEPT = "s3cr3t-value\n", {"/repo/.git/config": "a\n", "/repo/.git/empty/.keep": ""}
FILES = {
    **KEPT, "/repo/src/file": "1\n", "/secret/key": SECRET, "/in": "a\n", "/dir/x": "",
    "/deploy.sh": "#!/bin/sh\ndeploy\n", "/caf\u00e9/y": "", "/repo.tar": "",
}  # fmt: skip

MAX_STEPS = 10_000  # `until deploy; do break; done` has no end where `break` is denied


class RecordedCalls:
    """A shell whose commands `deploy` and `git` record how they are called."""

    def __init__(self, rules: keysh.Rules | None, **options: object) -> None:
        self.calls: list[list[str]] = []

        @keysh.command
        def deploy(sh: keysh.Call, *words: keysh.Raw) -> None:
            """Deploy.

            words ...  anything
            """
            self.calls.append(["deploy", *map(str, words)])

        @keysh.command
        def git(sh: keysh.Call, *words: keysh.Raw) -> None:
            """Keep versions.

            words ...  anything
            """
            self.calls.append(["git", *map(str, words)])

        self.shell = keysh.Shell(
            files=FILES, rules=rules, commands=[deploy, git], check=False, dialect="bash",
            limits=keysh.Limits(seconds=20, steps=MAX_STEPS), **options,  # type: ignore[arg-type]
        )  # fmt: skip
        self.shell.run("chmod +x /deploy.sh")

    def run(self, script: str) -> keysh.Result:
        """Run a script, and end what it has left."""
        result = self.shell.run(script, stdin="a\n", timeout=10)
        self.shell.run("wait", timeout=5)
        return result


def contents(shell: keysh.Shell, path: str) -> str:
    with shell.fs.open(path) as stream:
        return stream.read().decode()


def kept_tree(shell: keysh.Shell) -> list[tuple[str, int, int]]:
    """The names below what rules keep, with mode and inode."""
    found = []
    for directory in ("/repo/.git", "/repo/.git/empty"):
        for entry in shell.fs.list(directory):
            stat = shell.fs.stat(f"{directory}/{entry.name}")
            found.append((f"{directory}/{entry.name}", stat.mode, stat.inode))
    return sorted(found)


@pytest.mark.parametrize("script", DENIED_COMMANDS)
def test_denied_command_never_runs(script: str) -> None:
    recorded = RecordedCalls(COMMAND_RULES)
    result = recorded.run(script)
    assert recorded.calls == []
    assert result.limit is None
    assert "denied by rule 1" in result.stdout + result.stderr
    free = RecordedCalls(None)
    free.run(script)
    assert free.calls  # the case can fail


@pytest.mark.parametrize("script", DENIED_SPELLINGS)
def test_denied_name_has_no_other_spelling(script: str) -> None:
    assert "denied by rule 1" in RecordedCalls(COMMAND_RULES).run(script).stderr


@pytest.mark.parametrize("script", DENIED_TOOLS)
@pytest.mark.parametrize("dialect", ["bash", "keysh"])
def test_denied_tool_has_no_other_way(script: str, dialect: str) -> None:
    rules = keysh.Rules([{"command": "rm", "decision": "deny"}])
    shell = keysh.Shell(files={"/in": "a\n"}, rules=rules, check=False, dialect=dialect)
    result = shell.run(script, timeout=10)
    shell.run("wait", timeout=5)
    assert contents(shell, "/in") == "a\n"
    assert result.error is None


@pytest.mark.parametrize("script", DENIED_ARGUMENTS)
def test_denied_arguments_never_arrive(script: str) -> None:
    recorded = RecordedCalls(COMMAND_RULES)
    result = recorded.run(script)
    assert not [call for call in recorded.calls if "push" in call]
    assert "denied by rule 2" in result.stderr


@pytest.mark.parametrize("script", ALLOWED_ARGUMENTS)
def test_other_arguments_pass(script: str) -> None:
    recorded = RecordedCalls(COMMAND_RULES)
    result = recorded.run(script)
    assert recorded.calls
    assert "denied" not in result.stderr


@pytest.mark.parametrize("script", [*DENIED_CHANGES, *KEPT_BY_OTHER_WAYS])
def test_protected_files_stay(script: str) -> None:
    recorded = RecordedCalls(FILE_RULES)
    shell = recorded.shell
    before = kept_tree(shell)
    result = recorded.run(script)
    assert result.limit is None
    assert kept_tree(shell) == before
    assert {path: contents(shell, path) for path in KEPT} == KEPT
    assert not [one.name for one in shell.fs.list("/tmp") if one.name.lower().endswith(".pem")]
    assert [one.name for one in shell.fs.list("/caf\u00e9")] == ["y"]
    assert "denied by rule 1" in result.stderr


@pytest.mark.parametrize("script", ALLOWED_CHANGES)
def test_other_changes_pass(script: str) -> None:
    result = RecordedCalls(FILE_RULES).run(script)
    assert "denied" not in result.stderr
    assert result.code == 0 or "none" in script


@pytest.mark.parametrize("script", [*DENIED_READS, *HIDDEN_BY_OTHER_WAYS])
@pytest.mark.parametrize("rules", [FILE_RULES, READ_RULES], ids=["all", "read"])
def test_secret_is_never_read(script: str, rules: keysh.Rules) -> None:
    recorded = RecordedCalls(rules)
    result = recorded.run(script)
    assert SECRET.strip() not in result.stdout + result.stderr
    assert "czNjcjN0" not in result.stdout  # in base64
    assert result.limit is None
    if contents(recorded.shell, "/secret/key") == SECRET:  # else it was overwritten
        assert result.code != 0 or "denied" in result.stderr


def whole_tree(fs: Any, path: str = "/") -> dict[str, tuple[object, ...]]:
    """All files but those of keysh, with what can be changed of them."""
    stat = fs.stat(path)
    if not stat.is_directory:
        content = contents_of(fs, path) if stat.is_file else ""
        return {path: (stat.mode, stat.inode, stat.links, stat.modified, content)}
    found: dict[str, tuple[object, ...]] = {path: (stat.mode, stat.inode)}
    for entry in fs.list(path):
        inner = f"{path.rstrip('/')}/{entry.name}"
        if inner not in ("/bin", "/dev", "/usr", "/v"):
            found |= whole_tree(fs, inner)
    return found


def contents_of(fs: Any, path: str) -> str:
    with fs.open(path) as stream:
        return str(stream.read())


@pytest.mark.parametrize(
    "scripts",
    [
        DENIED_COMMANDS, DENIED_SPELLINGS, DENIED_TOOLS, DENIED_ARGUMENTS, ALLOWED_ARGUMENTS,
        DENIED_CHANGES, ALLOWED_CHANGES, DENIED_READS, KEPT_BY_OTHER_WAYS, HIDDEN_BY_OTHER_WAYS,
    ],
    ids=lambda scripts: f"{len(scripts)} scripts",
)  # fmt: skip
def test_nothing_happens_where_nothing_is_allowed(scripts: list[str]) -> None:
    nothing = keysh.Rules(default="deny")
    for script in scripts:
        recorded = RecordedCalls(nothing)
        before = whole_tree(recorded.shell.fs)
        result = recorded.run(script)
        assert (script, whole_tree(recorded.shell.fs)) == (script, before)
        assert (script, result.stdout.strip(), recorded.calls) == (script, "", [])
