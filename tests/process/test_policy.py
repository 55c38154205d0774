"""What a policy lets run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from keysh.process import NotStarted, Policy, ProcessSpec, run, start
from process.conftest import PATH, Make
from process.test_start import script


def reason(spec: ProcessSpec) -> str:
    """Why a process may not run; empty where it ran."""
    result = run(spec)
    if result.error is None:
        return ""
    assert (result.code, result.error.kind, result.issue) == (126, "refused", "POLICY")
    return result.error.reason


def test_only_what_is_allowed(make: Make) -> None:
    policy = Policy(["echo", "/bin/cat"], path=PATH)
    assert reason(make("echo", policy=policy)) == ""
    assert reason(make("/bin/echo", policy=policy)) == ""
    assert reason(make("cat", policy=policy)) == ""
    assert reason(make("ls", policy=policy)) == f"{os.path.realpath('/bin/ls')} is not allowed"
    with pytest.raises(NotStarted):
        start(make("ls", policy=policy))


def test_what_is_denied(make: Make) -> None:
    policy = Policy(deny=["ls"], path=PATH)
    assert reason(make("echo", policy=policy)) == ""
    assert reason(make("ls", policy=policy)).endswith("is denied")
    assert reason(make("echo", policy=Policy(["echo"], ["echo"], path=PATH))) != ""


def test_link_is_judged_by_what_it_leads_to(make: Make, tmp_path: Path) -> None:
    (tmp_path / "echo").symlink_to("/bin/ls")
    policy = Policy(["echo"], path=PATH)
    assert reason(make("echo", path=str(tmp_path), policy=policy)).endswith("ls is not allowed")
    (tmp_path / "harmless").symlink_to("/bin/ls")
    assert reason(make("./harmless", directory=str(tmp_path), policy=policy)) != ""


def test_names_are_resolved_when_the_policy_is_made(make: Make, tmp_path: Path) -> None:
    first = script(tmp_path / "1" / "tool")
    policy = Policy(["tool", "sh", "nothing"], path=f"{tmp_path}/0:{tmp_path}/1:{PATH}")
    assert policy.missing == ["nothing"]
    script(tmp_path / "0" / "tool")
    assert reason(make(str(first), policy=policy)) == ""
    assert reason(make("tool", path=f"{tmp_path}/0", policy=policy)) != ""


def test_writable_file_is_never_allowed(make: Make, tmp_path: Path) -> None:
    tool = script(tmp_path / "tool")
    policy = Policy([str(tool), "sh"], path=PATH)
    assert reason(make(str(tool), policy=policy)) == ""
    written = make(str(tool), policy=policy, writable=[str(tmp_path)])
    assert reason(written).endswith("can be written by scripts")
    beside = make(str(tool), policy=policy, writable=[str(tmp_path) + "x", str(tool) + "x"])
    assert reason(beside) == ""


@pytest.mark.parametrize("line", ["#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh",
                                  "#!/usr/bin/env -S A=b sh -e"])  # fmt: skip
def test_script_is_judged_by_its_interpreter_too(make: Make, tmp_path: Path, line: str) -> None:
    tool = script(tmp_path / "tool", f"{line}\necho ran\n")
    shell = os.path.realpath("/bin/sh")
    assert reason(make(str(tool), policy=Policy([str(tool), "env"], path=PATH))).startswith(shell)
    assert reason(make(str(tool), policy=Policy(deny=["sh"], path=PATH))).startswith(shell)
    result = run(make(str(tool), policy=Policy([str(tool), "env", "sh"], path=PATH)))
    assert result.stdout == b"ran\n"


def test_scripts_that_interpret_one_another_have_an_end(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "tool"
    script(path, f"#!{path}\n")
    assert reason(make(str(path), policy=Policy())) == "scripts interpret scripts too deeply"


def test_host_is_asked_last(make: Make) -> None:
    asked: list[tuple[str, list[str]]] = []

    def ask(path: str, argv: Sequence[str]) -> bool | str:
        asked.append((path, list(argv)))
        return "not today" if "no" in argv else "never" not in argv

    policy = Policy(["echo"], on_spawn=ask, path=PATH)
    echo = os.path.realpath("/bin/echo")
    assert reason(make("echo", "yes", policy=policy)) == ""
    assert reason(make("echo", "no", policy=policy)) == "not today"
    assert reason(make("echo", "never", policy=policy)) == f"{echo} was refused by the host"
    assert reason(make("ls", policy=policy)) != ""
    assert asked == [(echo, ["echo", word]) for word in ("yes", "no", "never")]


def test_loader_variables_are_dropped_unless_listed(make: Make) -> None:
    given = {"LD_PRELOAD": "", "PYTHONPATH": "p", "PYTHONHOME": "h", "ENV": "e", "BASH_ENV": "b",
             "GIT_SSH_COMMAND": "g", "GIT_DIR": "d", "ENVY": "y"}  # fmt: skip
    policy = Policy(variables=["PYTHONPATH"])
    shown = run(make("env", env=given, policy=policy)).stdout.decode()
    names = {line.partition("=")[0] for line in shown.splitlines()}
    assert names == {"PATH", "LC_ALL", "KEYSH_TEST", "KEYSH_SPAWN", "PYTHONPATH", "GIT_DIR", "ENVY"}
