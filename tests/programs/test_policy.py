"""Which programs may run, and what the host is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from keysh import Policy
from programs.conftest import Open


def test_allowed_and_not(shell: Open) -> None:
    sh = shell(external=Policy(allow=["echo"]))
    result = sh.run("/bin/echo a; /bin/ls; echo $?; /bin/echo b | /bin/cat; /usr/bin/env echo c")
    assert result.stdout == "a\n126\n"
    assert result.stderr.splitlines() == [
        "keysh: /bin/ls: /usr/bin/ls is not allowed",
        "keysh: /bin/cat: /usr/bin/cat is not allowed",
        "keysh: /usr/bin/env: /usr/bin/env is not allowed",
    ]


def test_denied(shell: Open) -> None:
    result = shell(external=Policy(deny=["ls"])).run("/bin/echo a; /bin/ls")
    assert (result.code, result.stdout) == (126, "a\n")
    assert result.stderr == "keysh: /bin/ls: /usr/bin/ls is denied\n"


def test_what_scripts_can_write_is_not_allowed(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    result = shell(external=Policy(allow=[str(tool), "sh"])).run("./tool")
    assert (result.code, "can be written by scripts" in result.stderr) == (126, True)


def test_the_host_is_asked_last(shell: Open) -> None:
    asked: list[tuple[str, list[str]]] = []

    def on_spawn(path: str, argv: Sequence[str]) -> bool | str:
        asked.append((path, list(argv)))
        return "not on Sundays" if "b" in argv else True

    sh = shell(external=Policy(deny=["ls"], on_spawn=on_spawn))
    result = sh.run("/bin/ls; /bin/echo a; /bin/echo b; spawn command=echo argv=b")
    assert result.stdout == "a\n"
    assert result.stderr.splitlines()[1:] == [
        "keysh: /bin/echo: not on Sundays",
        "spawn: echo: not on Sundays",
    ]
    assert asked[0] == ("/usr/bin/echo", ["/bin/echo", "a"])
    assert len(asked) == 3


def test_loader_variables_are_dropped(shell: Open) -> None:
    text = "export LD_X=1 PYTHONPATH=2 A=3; /usr/bin/env | grep -c -e LD_X -e PYTHONPATH"
    assert shell(external=Policy()).run(text).stdout == "0\n"
    assert shell(external=Policy(variables=["LD_*", "PYTHONPATH"])).run(text).stdout == "2\n"
    assert shell().run(text).stdout == "2\n"


@pytest.mark.parametrize("text", ["{}", "{} | cat", "x=$({})", "spawn command={}"])
def test_each_decision_is_an_event(shell: Open, text: str) -> None:
    events: list[dict[str, object]] = []
    sh = shell(external=Policy(deny=["ls"]), on_event=events.append)
    sh.run(text.format("/bin/true"))
    sh.run(text.format("/bin/ls"))
    allowed, denied = events
    assert allowed["pid"]
    assert {**allowed, "pid": 0} == {
        "event": "program", "allowed": True, "reason": "", "path": "/usr/bin/true",
        "argv": ["/bin/true"], "cwd": "/work", "pid": 0,
    }  # fmt: skip
    assert (denied["allowed"], denied["reason"]) == (False, "/usr/bin/ls is denied")


def test_unconfined(tmp_path: Path, shell: Open) -> None:
    from keysh import LocalFS

    fs = {"/": LocalFS("/", read_only=True)}
    sh = shell(fs=fs, cwd="/", external=Policy(unconfined=True))
    assert sh.run("/bin/echo a").stdout == "a\n"
