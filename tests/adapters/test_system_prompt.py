"""What a model is told about its session: each sentence is true, and each door changes the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh.adapters.agent import BashSession, Guard, KeyshSession, ShellManager, tools_for
from keysh.adapters.agent.prompt.command_families import FAMILIES
from keysh.shell import command_listing


def prompt(guard: Guard | None = None, on_timeout: str = "kill", **options: Any) -> str:
    with ShellManager(KeyshSession(**options)) as manager:
        return tools_for(manager, guard, on_timeout=on_timeout).system_prompt()


def outputs(commands: list[str], **options: Any) -> list[str]:
    with ShellManager(KeyshSession(**options)) as manager:
        tools = tools_for(manager)
        return [tools.execute_sync("Bash", {"command": command}).text for command in commands]


@keysh.command
def weather(sh: keysh.Call, city: str) -> str:
    """Tell the weather.

    city  where
    """
    return f"rain in {city}\n"


DOORS: dict[str, tuple[dict[str, Any], str]] = {
    "dialect": ({"dialect": "keysh"}, "an embedded shell with a language of its own"),
    "directory": ({"cwd": "/w", "files": {"/w/a": ""}}, "The directory is /w."),
    "commands": ({"commands": [weather]}, "Commands of this host: weather."),
    "programs": ({"external": True}, "Programs of the machine on $PATH run too."),
    "policy": (
        {"external": keysh.Policy(allow=["sh", "nosuch"])},
        "Of the programs of the machine these run: sh.",
    ),
    "denied": ({"external": keysh.Policy(deny=["sh"])}, "except those that are denied."),
    "network": ({"network": True}, "The network is open: curl reaches every host."),
    "hosts": (
        {"network": keysh.Network(["a.org", "*.b.org:8443"], ["get", "POST"])},
        "curl reaches these hosts: a.org, *.b.org:8443 (GET, POST).",
    ),
    "network rules": (
        {"network": keysh.Network(keysh.Rules([], default="deny"))},
        "curl reaches the hosts that rules allow.",
    ),
    "rules": ({"rules": keysh.Rules([], default="allow")}, "The host judges what commands do"),
    "on_command": ({"on_command": lambda *_: None}, "The host judges what commands do"),
    "files": ({"fs": keysh.LocalFS("/", read_only=True)}, "/ (files of the machine, read-only)"),
    "steps": ({"limits": keysh.Limits(steps=1234)}, "60 s (timeout sets up to 60 s), 1,234 steps"),
    "memory": ({"limits": keysh.Limits(memory=None)}, "600 s), 67,108,864 bytes of output."),
    "journal": ({"journal": True}, "Undo takes back what the last commands changed"),
}


@pytest.mark.parametrize("door", DOORS)
def test_door_changes_the_text(door: str) -> None:
    options, sentence = DOORS[door]
    if door == "memory":
        options = {"limits": keysh.Limits(seconds=None, memory=None)}
    text = prompt(**options)
    assert sentence in text
    assert sentence not in prompt()


@pytest.mark.parametrize(
    ("guard", "on_timeout", "sentence"),
    [
        (Guard(directories=["/w"]), "kill", "Commands and files stay within /w."),
        (Guard(confirm=lambda *_: True), "kill", "Somebody is asked before a command runs"),
        (Guard(rules=keysh.Rules([], default="allow")), "kill", "The host judges"),
        (None, "background", "A command that takes long continues in the background."),
    ],
)
def test_setting_of_the_tools_changes_the_text(
    guard: Guard | None, on_timeout: str, sentence: str
) -> None:
    assert sentence in prompt(guard, on_timeout)
    assert sentence not in prompt()


def test_text_is_about_ten_lines() -> None:
    assert 8 <= prompt().count("\n- ") <= 11
    assert len(prompt()) < 2500


def test_each_command_is_in_one_family() -> None:
    listed = [name for family in FAMILIES.values() for name in family]
    assert sorted(listed) == sorted(command_listing.names())


def test_counts_are_those_of_the_shell() -> None:
    text = prompt()
    total = int(text.split(" commands are built in")[0].rpartition(" ")[2])
    counts = [int(number) for number in re.findall(r"(\d+) for ", text)]
    listed, helped = outputs(["compgen -c | sort -u | wc -l", "help sed | head -n 1"])
    assert total == sum(counts)
    assert int(listed) >= total  # with keywords
    assert helped.startswith("Usage: sed")


def test_state_lasts_and_exit_ends_its_own_command() -> None:
    assert (
        outputs(["cd /tmp; x=1; f() { echo f; }; exit 3", "pwd; echo $x; f"])[1] == "/tmp\n1\nf\n"
    )


def test_what_is_missing_is_missing() -> None:
    names = re.findall(r"so (\w+) and (\w+) are missing", prompt())[0]
    assert all("command not found" in text for text in outputs([f"{name} -V" for name in names]))
    with ShellManager(KeyshSession(prepare=lambda shell: shell.add(weather, "git"))) as manager:
        assert "so python3 and npm are missing" in tools_for(manager).system_prompt()


def test_network_is_as_it_says() -> None:
    assert "network is closed" in outputs(["curl http://127.0.0.1:9/"])[0]
    network = keysh.Network(["a.org"])
    answer = outputs(["curl http://b.org/"], network=network)[0]
    assert "b.org:80 is not among the hosts that may be reached" in answer


@pytest.fixture
def database(tmp_path: Path) -> Iterator[keysh.SqliteFS]:
    with closing(keysh.SqliteFS(tmp_path / "db")) as fs:
        yield fs


def test_mounts_can_be_written_as_it_says(tmp_path: Path, database: keysh.SqliteFS) -> None:
    for name in ("plain", "below", "held"):
        (tmp_path / name).mkdir()
    mounts: dict[str, keysh.FileSystem] = {
        "/": keysh.MemoryFS(),
        "/plain": keysh.LocalFS(tmp_path / "plain"),
        "/over": keysh.OverlayFS(keysh.LocalFS(tmp_path / "below")),
        "/held": keysh.ReadOnlyFS(keysh.LocalFS(tmp_path / "held")),
        "/db": database,
    }
    # The first is judged: its mounts are wrapped.
    options = {"fs": mounts, "rules": keysh.Rules([], default="allow")}
    assert (
        "Files: / (in memory, writable); /plain (files of the machine, writable); /over (files of "
        "the machine; changes stay in the session); /held (files of the machine, read-only); /db "
        "(files of the host, writable)."
    ) in prompt(**options)
    writes = outputs([f"echo x > {point}/f" for point in mounts], **options)
    assert [not text for text in writes] == [True, True, True, False, True]
    assert (tmp_path / "plain/f").exists()
    assert not (tmp_path / "below/f").exists()
    assert str(tmp_path) not in prompt(**options)


def test_many_mounts_are_counted() -> None:
    mounts: dict[str, keysh.FileSystem] = {f"/m{i}": keysh.MemoryFS() for i in range(10)}
    assert "; 3 more places." in prompt(fs={"/": keysh.MemoryFS(), **mounts})


def test_limit_is_the_one_it_says() -> None:
    limits = keysh.Limits(steps=500)
    text = prompt(limits=limits)
    assert "500 steps" in text
    assert "500 allowed" in outputs(["while :; do :; done"], limits=limits)[0]


def test_cut_output_can_be_read_as_it_says() -> None:
    with ShellManager() as manager:
        tools = tools_for(manager)
        assert "over 30,000 characters" in tools.system_prompt()
        cut = tools.execute_sync("Bash", {"command": "seq 9000"}).cut
        assert cut is not None
        read = tools.execute_sync("Read", {"path": cut["file"], "offset": 4500, "limit": 1})
        command = {"command": f"sed -n 4500p {cut['file']}; grep -x 4500 {cut['file']}"}
        assert (read.output, tools.execute_sync("Bash", command).output) == (
            "4500\n",
            "4500\n4500\n",
        )


def test_real_bash(env: dict[str, str], tmp_path: Path) -> None:
    with ShellManager(BashSession(env=env, cwd=str(tmp_path))) as manager:
        text = tools_for(manager).system_prompt()
    assert text.startswith("- Bash runs commands in the real bash")
    assert "read parts of it with Read." in text
    assert "Snapshot" not in text
