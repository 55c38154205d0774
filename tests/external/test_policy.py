"""Which programs a policy allows, and what the host learns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from external.conftest import Open, told
from keysh import LocalFS, MemoryFS, OverlayFS, Policy, ReadOnlyFS, Shell


def test_allowed_programs(shell: Open) -> None:
    sh = shell(external=Policy(allow=["echo"]))
    result = sh.run("/bin/echo a; /bin/ls; echo $?; /bin/echo b | /bin/cat; /usr/bin/env echo c")
    assert result.stdout == "a\n126\n"
    assert result.stderr.splitlines() == [
        "keysh: line 1: /bin/ls: /usr/bin/ls is not allowed",
        "keysh: line 1: /bin/cat: /usr/bin/cat is not allowed",
        "keysh: line 1: /usr/bin/env: /usr/bin/env is not allowed",
    ]


def test_denied_programs(shell: Open) -> None:
    result = shell(external=Policy(deny=["ls"])).run("/bin/echo a; /bin/ls")
    assert (result.code, result.stdout) == (126, "a\n")
    assert result.stderr == "keysh: line 1: /bin/ls: /usr/bin/ls is denied\n"


def test_writable_programs_are_not_allowed(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho ran\n")
    tool.chmod(0o755)
    result = shell(external=Policy(allow=[str(tool), "sh"])).run("./tool")
    assert (result.code, "can be written by scripts" in result.stderr) == (126, True)


def test_a_refusal_names_the_path_that_the_script_knows(tmp_path: Path) -> None:
    """The host's event has the real path, the script's message its own."""
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    mounts = {"/": MemoryFS(), "/work": LocalFS(tmp_path)}
    for policy, text, fact in (
        (Policy(deny=[str(tmp_path / "tool")]), "cd /work; ./tool", "/work/tool is denied"),
        (Policy(allow=["sh"], unconfined=True), "/work/tool", "/work/tool is not allowed"),
        (
            Policy(allow=[str(tmp_path / "tool"), "sh"]),
            "cd /work; spawn ./tool",
            "/work/tool can be written by scripts",
        ),
        (Policy(on_spawn=lambda *_: False), "/work/tool", "/work/tool was refused by the host"),
        (
            Policy(cwd_roots=[]),
            "cd /work; ./tool",
            "/work is not below a directory that is allowed",
        ),
    ):
        events: list[dict[str, object]] = []
        with Shell(fs=mounts, external=policy, on_event=told(events)) as sh:
            result = sh.run(text)
        assert (result.code, result.stderr.split(": ")[-1]) == (126, fact + "\n")
        assert events[0]["reason"] == fact.replace("/work", str(tmp_path), 1)


def test_a_refusal_of_a_copied_file_names_the_original(shell: Open) -> None:
    policy = Policy(allow=["sh"], materialize=True)
    for mounts in ({"/": MemoryFS()}, {"/": MemoryFS(), "/p": MemoryFS()}):
        sh = shell(fs=mounts, external=policy, cwd="/")
        result = sh.run("mkdir -p /p/q; cd /p/q; echo '#!/bin/sh' > t; chmod +x t; ./t; cd ..; q/t")
        assert result.stderr.split(": ")[-1] == "/p/q/t is not allowed\n"
        assert result.stderr.count("/p/q/t is not allowed\n") == 2


def test_host_is_asked_last(shell: Open) -> None:
    requests: list[tuple[str, list[str]]] = []

    def on_spawn(path: str, argv: Sequence[str]) -> bool | str:
        requests.append((path, list(argv)))
        return "not on Sundays" if "b" in argv else True

    sh = shell(external=Policy(deny=["ls"], on_spawn=on_spawn))
    result = sh.run("/bin/ls; /bin/echo a; /bin/echo b; spawn command=echo argv=b")
    assert result.stdout == "a\n"
    assert result.stderr.splitlines()[1:] == [
        "keysh: line 1: /bin/echo: not on Sundays",
        "keysh: line 1: spawn: echo: not on Sundays",
    ]
    assert requests[0] == ("/usr/bin/echo", ["/bin/echo", "a"])
    assert len(requests) == 3


def test_loader_variables_are_dropped(shell: Open) -> None:
    text = "export LD_X=1 PYTHONPATH=2 A=3; /usr/bin/env | grep -c -e LD_X -e PYTHONPATH"
    assert shell(external=Policy()).run(text).stdout == "0\n"
    assert shell(external=Policy(env_allow=["LD_*", "PYTHONPATH"])).run(text).stdout == "2\n"
    assert shell().run(text).stdout == "2\n"


def test_directories(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    sh = shell(external=Policy(cwd_roots=[str(tmp_path / "d")]))
    text = "/bin/pwd; cd d; /bin/pwd; spawn command=pwd; spawn command=pwd cwd=/work"
    result = sh.run(text)
    assert result.stdout == f"{tmp_path}/d\n" * 2
    reason = "/work is not below a directory that is allowed"
    assert (
        result.stderr == f"keysh: line 1: /bin/pwd: {reason}\nkeysh: line 1: spawn: pwd: {reason}\n"
    )
    assert result.code == 126


def test_directory_in_memory_is_not_judged(shell: Open) -> None:
    policy = Policy(cwd_roots=[], materialize=True)
    for external in (Policy(cwd_roots=[]), policy):
        assert shell(in_memory=True, external=external).run("/bin/echo a").stdout == "a\n"


def test_program_limit_ends_only_that_program(shell: Open) -> None:
    sh = shell(external=Policy(max_processes=3, rlimits={"cpu_seconds": 0}))
    result = sh.run("/bin/sh -c 'while :; do :; done'; echo $?")
    assert result.stdout == "125\n"
    assert result.stderr == "keysh: line 1: /bin/sh: over the limit: cpu_seconds=0\n"
    sh = shell(external=Policy(max_processes=3))
    result = sh.run("/bin/sh -c 'for i in 1 2 3 4; do sleep 60 & done; wait'; echo $?")
    assert result.stdout == "125\n"
    assert result.stderr == "keysh: line 1: /bin/sh: over the limit: max_processes=3\n"


@pytest.mark.parametrize("external", [True, Policy(), Policy(["true"])])
@pytest.mark.parametrize("kind", ["read-only", "overlay"])
def test_confining_mounts(shell: Open, tmp_path: Path, external: bool | Policy, kind: str) -> None:
    local = LocalFS(tmp_path)
    confined = ReadOnlyFS(local) if kind == "read-only" else OverlayFS(local)
    events: list[dict[str, object]] = []
    sh = shell(fs={"/": MemoryFS(), "/work": confined}, external=external, on_event=told(events))
    result = sh.run("/bin/true; /bin/true | cat; x=$(/bin/true); spawn command=/bin/true")
    assert (result.code, result.stderr.count("the mount /work is read-only or an overlay")) == (
        126, 4,
    )  # fmt: skip
    assert [(event["rule"], event["started"]) for event in events] == [("mounts", False)] * 4


def test_unconfined(tmp_path: Path, shell: Open) -> None:
    fs = {"/": LocalFS("/", read_only=True)}
    sh = shell(fs=fs, cwd="/", external=Policy(unconfined=True))
    assert sh.run("/bin/echo a").stdout == "a\n"
