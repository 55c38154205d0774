"""What a policy allows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from keysh.process import PRIVATE, NotStarted, Policy, ProcessSpec, run, start
from keysh.process.allowance.loader_variables import LOADER_VARIABLES
from process.conftest import PATH, Make
from process.test_start import script


def reason(spec: ProcessSpec) -> str:
    """Return why a process was refused; empty if it ran."""
    result = run(spec)
    if result.error is None:
        return ""
    assert (result.code, result.error.kind, result.issue) == (126, "refused", "POLICY")
    return result.error.reason


def test_only_allowed_programs_run(make: Make) -> None:
    policy = Policy(["echo", "/bin/cat"], path=PATH)
    assert reason(make("echo", policy=policy)) == ""
    assert reason(make("/bin/echo", policy=policy)) == ""
    assert reason(make("cat", policy=policy)) == ""
    assert reason(make("ls", policy=policy)) == f"{os.path.realpath('/bin/ls')} is not allowed"
    with pytest.raises(NotStarted):
        start(make("ls", policy=policy))


def test_denied_programs_do_not_run(make: Make) -> None:
    policy = Policy(deny=["ls"], path=PATH)
    assert reason(make("echo", policy=policy)) == ""
    assert reason(make("ls", policy=policy)).endswith("is denied")
    assert reason(make("echo", policy=Policy(["echo"], ["echo"], path=PATH))) != ""


def test_link_is_judged_by_its_target(make: Make, tmp_path: Path) -> None:
    (tmp_path / "echo").symlink_to("/bin/ls")
    policy = Policy(["echo"], path=PATH)
    assert reason(make("echo", path=str(tmp_path), policy=policy)).endswith("ls is not allowed")
    (tmp_path / "harmless").symlink_to("/bin/ls")
    assert reason(make("./harmless", directory=str(tmp_path), policy=policy)) != ""


def test_names_are_resolved_when_the_policy_is_created(make: Make, tmp_path: Path) -> None:
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
    policy = Policy([str(tool), "sh"], path=PATH, allow_writable=True)
    assert reason(make(str(tool), policy=policy, writable=[str(tmp_path)])) == ""


@pytest.mark.parametrize("line", ["#!/bin/sh", "#! /bin/sh -e", "#!/usr/bin/env sh",
                                  "#!/usr/bin/env -S A=b sh -e"])  # fmt: skip
def test_script_is_judged_by_its_interpreter_too(make: Make, tmp_path: Path, line: str) -> None:
    tool = script(tmp_path / "tool", f"{line}\necho ran\n")
    shell = os.path.realpath("/bin/sh")
    assert reason(make(str(tool), policy=Policy([str(tool), "env"], path=PATH))).startswith(shell)
    assert reason(make(str(tool), policy=Policy(deny=["sh"], path=PATH))).startswith(shell)
    result = run(make(str(tool), policy=Policy([str(tool), "env", "sh"], path=PATH)))
    assert result.stdout == b"ran\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("#!/bin/sh\0x", "{sh} is denied"),
        ("#!/bin/sh\0 -e", "{sh} is denied"),
        ("#!{link} sh", "{sh} is denied"),
        ("#!{link}\t-S\tA=b sh -e", "{sh} is denied"),
        ("#!/usr/bin/env -S -u ls sh", "its first line does not say plainly what `env` runs: -u"),
        ("#!/usr/bin/env -S -C/ sh", "its first line does not say plainly what `env` runs: -C/"),
        ("#!/usr/bin/env -S $X", "its first line does not say plainly what `env` runs: $X"),
        ("#!/usr/bin/env -S s\\_h", "its first line does not say plainly what `env` runs: s\\_h"),
    ],
)
def test_first_line_is_read_as_the_kernel_reads_it(
    make: Make, tmp_path: Path, line: str, message: str
) -> None:
    link = tmp_path / "e"
    link.symlink_to("/usr/bin/env")
    tool = script(tmp_path / "tool", f"{line.format(link=link)}\necho ran\n")
    denied = Policy(deny=["sh"], path=PATH)
    assert reason(make(str(tool), policy=denied)) == message.format(sh=os.path.realpath("/bin/sh"))


def test_a_carriage_return_is_a_part_of_the_interpreters_name(make: Make, tmp_path: Path) -> None:
    tool = script(tmp_path / "tool", "#!/bin/sh\r\necho ran\n")
    result = run(make(str(tool), policy=Policy(path=PATH)))
    assert "its interpreter was not found" in str(result.error)


def test_relative_interpreter_is_resolved_in_the_working_directory(
    make: Make, tmp_path: Path
) -> None:
    script(tmp_path / "tool", "#!inner/sh\necho ran\n")
    (tmp_path / "inner").symlink_to("/bin")
    wanted = {"directory": str(tmp_path), "policy": Policy(path=PATH)}
    assert run(make("./tool", **wanted)).stdout == b"ran\n"
    wanted["policy"] = Policy(deny=["sh"], path=PATH)
    assert reason(make("./tool", **wanted)).endswith("is denied")
    wanted["policy"] = Policy([str(tmp_path / "tool")], path=PATH)
    assert reason(make("./tool", **wanted)).endswith("is not allowed")


def test_scripts_interpreting_each_other_are_bounded(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "tool"
    script(path, f"#!{path}\n")
    assert reason(make(str(path), policy=Policy())) == "scripts interpret scripts too deeply"


def test_host_is_asked_last(make: Make) -> None:
    requests: list[tuple[str, list[str]]] = []

    def ask(path: str, argv: Sequence[str]) -> bool | str:
        requests.append((path, list(argv)))
        return "not today" if "no" in argv else "never" not in argv

    policy = Policy(["echo"], on_spawn=ask, path=PATH)
    echo = os.path.realpath("/bin/echo")
    assert reason(make("echo", "yes", policy=policy)) == ""
    assert reason(make("echo", "no", policy=policy)) == "not today"
    assert reason(make("echo", "never", policy=policy)) == f"{echo} was refused by the host"
    assert reason(make("ls", policy=policy)) != ""
    assert requests == [(echo, ["echo", word]) for word in ("yes", "no", "never")]


GIVEN = {
    "LD_PRELOAD": "", "PYTHONPATH": "p", "PYTHONHOME": "h", "ENV": "e", "BASH_ENV": "b",
    "GIT_SSH_COMMAND": "g", "GIT_DIR": "d", "ENVY": "y", "API_KEY": "k", "KEYSH_SPAWN": "outer",
}  # fmt: skip
ALWAYS = {"KEYSH_SPAWN"}  # by it an outer program's tree is found
OWN = {"PATH", "LC_ALL", "KEYSH_TEST"}  # of the `make` fixture
PLAIN = {"GIT_DIR", "ENVY", "API_KEY"}


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ({}, OWN | PLAIN),
        ({"env_allow": ["*"]}, OWN | PLAIN),
        ({"env_allow": ["*", "PYTHONPATH"]}, OWN | PLAIN | {"PYTHONPATH"}),
        ({"env_allow": ["*", "PYTHON*"]}, OWN | PLAIN | {"PYTHONPATH", "PYTHONHOME"}),
        ({"env_allow": ["KEYSH_*", "P*"]}, {"PATH", "KEYSH_TEST"}),
        ({"env_allow": ["KEYSH_TEST", "*_KEY"]}, {"KEYSH_TEST", "API_KEY"}),
        ({"env_deny": ["*_KEY", "GIT_*"]}, OWN | {"ENVY"}),
        ({"env_allow": ["*", "ENV"], "env_deny": ["ENV*"]}, OWN | {"GIT_DIR", "API_KEY"}),
        ({"env_deny": ["KEYSH_SPAWN"]}, OWN | PLAIN),
    ],
)
def test_variables(make: Make, rules: dict[str, list[str]], names: set[str]) -> None:
    policy = Policy(env_allow=rules.get("env_allow"), env_deny=rules.get("env_deny", ()))
    displayed = run(make("/usr/bin/env", env=GIVEN, policy=policy)).stdout.decode()
    assert {line.partition("=")[0] for line in displayed.splitlines()} == names | ALWAYS


@pytest.mark.parametrize(
    "name",
    [
        "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_SSH", "GIT_EXEC_PATH", "GCONV_PATH",
        "PERLLIB", "PERL5OPT", "RUBYLIB", "NODE_PATH", "LUA_INIT", "LUA_INIT_5_4",
        "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "TAR_OPTIONS", "LESSOPEN", "PS4", "SHELLOPTS",
        "BASH_FUNC_ls%%", "CARGO_HOME", "RUSTC_WRAPPER", "DOTNET_STARTUP_HOOKS", "PHPRC",
        "MAKEFLAGS", "DYLD_INSERT_LIBRARIES", "GLIBC_TUNABLES", "MALLOC_CHECK_", "EDITOR",
        "GIT_PAGER", "npm_config_node_options",
    ],
)  # fmt: skip
def test_variables_that_load_code_are_dropped(make: Make, name: str) -> None:
    spec = make("/usr/bin/env", env={name: "x"}, policy=Policy())
    assert name not in run(spec).stdout.decode()
    spec = make("/usr/bin/env", env={name: "x"}, policy=Policy(env_allow=["*", name]))
    assert f"{name}=x" in run(spec).stdout.decode().splitlines()


def test_document_lists_the_variables_that_load_code() -> None:
    page = (Path(__file__).parents[2] / "docs" / "processes.md").read_text("utf-8")
    assert [name for name in LOADER_VARIABLES if f"`{name}`" not in page] == []


def test_directories(make: Make, tmp_path: Path) -> None:
    inside = tmp_path / "root" / "inside"
    inside.mkdir(parents=True)
    beside = tmp_path / "rooted"
    beside.mkdir()
    (tmp_path / "root" / "out").symlink_to(beside)
    (tmp_path / "in").symlink_to(inside)
    policy = Policy(cwd_roots=[str(tmp_path / "root")])
    for place in (inside, tmp_path / "root", tmp_path / "in", inside / ".."):
        assert reason(make("true", directory=str(place), policy=policy)) == ""
    refusal = f"{beside} is not below a directory that is allowed"
    for place in (beside, tmp_path / "root" / "out", inside / ".." / "out"):
        assert reason(make("true", directory=str(place), policy=policy)) == refusal
    assert reason(make("true", policy=policy)).startswith(os.getcwd())
    held = os.open(tmp_path / "root" / "out", os.O_PATH)
    try:
        assert reason(make("true", directory=held, policy=policy)) == refusal
    finally:
        os.close(held)


def test_private_directory_is_always_allowed(make: Make, tmp_path: Path) -> None:
    policy = Policy(cwd_roots=[])
    assert reason(make("true", directory=PRIVATE, policy=policy)) == ""
    given = {"directory": str(tmp_path), "policy": policy}
    assert reason(make("true", **given)) != ""
    assert reason(make("true", has_own_directory=True, **given)) == ""


def test_tighter_limit_applies(make: Make) -> None:
    policy = Policy(rlimits={"max_open_files": 50, "nice": 2, "cpu_seconds": 9})
    script = "ulimit -n; nice; ulimit -S -t"
    nice = b"%d" % min(19, os.nice(0) + 2)
    displayed = run(make("sh", "-c", script, policy=policy)).stdout.split()
    assert displayed == [b"50", nice, b"9"]
    requests = {"max_open_files": 40, "nice": 1, "cpu_seconds": 20}
    displayed = run(make("sh", "-c", script, policy=policy, **requests)).stdout.split()
    assert displayed == [b"40", nice, b"9"]


def test_number_of_processes(make: Make) -> None:
    script = "for i in 1 2 3 4 5 6; do sleep 60 & done; wait"
    result = run(make("sh", "-c", script, policy=Policy(max_processes=3)))
    assert (result.code, result.limit) == (125, "max_processes")


def test_refusal_names_the_rule(make: Make, tmp_path: Path) -> None:
    rules = {
        "allow": Policy([]),
        "deny": Policy(deny=["true"]),
        "cwd_roots": Policy(cwd_roots=[str(tmp_path)]),
        "on_spawn": Policy(on_spawn=lambda path, argv: False),
    }
    for rule, policy in rules.items():
        error = run(make("true", policy=policy)).error
        assert error is not None
        assert error.rule == rule
    error = run(make("no-such", policy=Policy())).error
    assert error is not None
    assert error.rule == ""


def test_names_are_resolved_on_the_path_of_the_host(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = script(tmp_path / "bin" / "tool")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{PATH}")
    policy = Policy(["tool", "sh"])
    monkeypatch.setenv("PATH", PATH)
    assert policy.missing == []
    assert reason(make(str(tool), policy=policy)) == ""


def test_invalid_policy_is_refused() -> None:
    with pytest.raises(TypeError, match="allow must be a list of strings, but is 'ls'"):
        Policy("ls")
    with pytest.raises(ValueError, match="rlimits has no 'memory': there are max_memory, "):
        Policy(rlimits={"memory": 1})
