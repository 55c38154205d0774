"""Files that have several names because a directory is mounted twice, and what moves meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import keysh
from keysh.vfs.other_names import other_names
from keysh.vfs.router import Router

RULES = keysh.Rules([
    {"paths": ["/repo/.git/**"], "access": ["write", "remove"], "decision": "deny"},
    {"paths": ["/repo/key"], "decision": "deny"},
])  # fmt: skip
SCRIPTS = [
    "echo x > NAME/.git/config",
    "rm NAME/.git/config",
    "rm -rf NAME",
    "cd NAME; echo x > .git/config",
    "ln -s NAME/.git /tmp/l; echo x > /tmp/l/config",
    "mv NAME/.git NAME/git",
    "mv NAME/.git/config /tmp",
    "ln NAME/.git/config NAME/x; echo x > NAME/x",
    "sed -i s/a/b/ NAME/.git/config",
    "cat NAME/key",
    "cat < NAME/.git/../key",
    "cp NAME/key NAME/y; cat NAME/y",
    "chmod 777 NAME/.git/config",
]


def make(directory: Path) -> None:
    (directory / "repo/.git").mkdir(parents=True)
    (directory / "repo/.git/config").write_text("a\n")
    (directory / "repo/key").write_text("s3cr3t\n")
    (directory / "repo/free").write_text("free\n")
    (directory / "tmp").mkdir()


def twice(directory: Path) -> dict[str, keysh.FileSystem]:
    fs = keysh.LocalFS(directory)
    return {"/": fs, "/again": fs}


def inside(directory: Path) -> dict[str, keysh.FileSystem]:
    return {"/": keysh.LocalFS(directory), "/again": keysh.LocalFS(directory / "repo")}


def around(directory: Path) -> dict[str, keysh.FileSystem]:
    return {
        "/": keysh.MemoryFS(), "/tmp": keysh.LocalFS(directory / "tmp"),
        "/repo": keysh.LocalFS(directory / "repo"), "/again": keysh.LocalFS(directory),
    }  # fmt: skip


def overlaid(directory: Path) -> dict[str, keysh.FileSystem]:
    fs = keysh.LocalFS(directory)
    return {"/": fs, "/again": keysh.OverlayFS(fs)}


@pytest.mark.parametrize(
    ("mounts", "name"),
    [
        (twice, "/again/repo"),
        (inside, "/again"),
        (around, "/again/repo"),
        (overlaid, "/again/repo"),
    ],
)
@pytest.mark.parametrize("script", SCRIPTS)
def test_second_name_is_judged_too(
    tmp_path: Path, mounts: Callable[[Path], dict[str, keysh.FileSystem]], name: str, script: str
) -> None:
    make(tmp_path)
    shell = keysh.Shell(mounts(tmp_path), rules=RULES, dialect="bash")
    result = shell.run(script.replace("NAME", name))
    assert (tmp_path / "repo/.git/config").read_text() == "a\n"
    assert (tmp_path / "repo/.git/config").stat().st_mode & 0o777 == 0o644
    assert "s3cr3t" not in result.stdout
    assert "denied by rule" in result.stderr
    with shell.fs.open(f"{name}/.git/config") as file:
        assert file.read() == b"a\n"


def test_default_is_that_of_the_name_that_is_used(tmp_path: Path) -> None:
    make(tmp_path)
    rules = keysh.Rules(
        [{"paths": ["/again/**"], "access": ["write"], "decision": "allow"}],
        default={"write": "deny"},
    )
    shell = keysh.Shell(inside(tmp_path), rules=rules)
    assert shell.run("echo x > /again/free").code == 0
    assert shell.run("echo x > /repo/free").code == 126


def test_what_is_hidden_by_another_mount_has_no_second_name(tmp_path: Path) -> None:
    make(tmp_path)
    mounts = {**inside(tmp_path), "/repo/.git": keysh.MemoryFS()}
    shell = keysh.Shell(mounts, rules=RULES)
    assert shell.run("echo x > /again/.git/config").code == 0
    assert shell.run("echo x > /repo/.git/config").code == 126
    assert shell.run("cat /again/key").code == 126


def test_other_names(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)

    def names(mounts: dict[str, keysh.FileSystem], point: str, inner: str) -> list[str]:
        found = other_names(Router(mounts)._mounts)
        return found[point].of(inner) if point in found else []

    one, memory = keysh.LocalFS(tmp_path), keysh.MemoryFS()
    deep = keysh.ReadOnlyFS(keysh.LocalFS(tmp_path / "a"))
    assert names({"/": memory}, "/", "/x") == []
    assert names({"/": memory, "/m": keysh.MemoryFS()}, "/m", "/x") == []
    assert names({"/": memory, "/m": memory}, "/m", "/x") == ["/x"]
    assert names({"/": memory, "/m": memory}, "/m", "/") == ["/"]
    assert names({"/": memory, "/m": memory}, "/", "/") == ["/m"]
    assert names({"/": one, "/m": deep}, "/m", "/b") == ["/a/b"]
    assert names({"/": one, "/m": deep}, "/m", "/") == ["/a"]
    assert names({"/": one, "/m": deep}, "/", "/a/b/c") == ["/m/b/c"]
    assert names({"/": one, "/m": deep}, "/", "/ab") == []
    assert names({"/": memory, "/x/y": one, "/m": deep}, "/m", "/b") == ["/x/y/a/b"]


def test_what_a_job_makes_in_a_directory_while_it_moves_is_judged() -> None:
    """As a second thread may do it between the look at the directory and its move."""

    class SlowFS(keysh.MemoryFS):
        def rename(self, old: str, new: str) -> None:
            if new == "/b":
                self.make_directory("/a/kept")
                with self.open("/a/kept/x", "w") as file:
                    file.write(b"x")
            super().rename(old, new)

    fs = SlowFS()
    rules = keysh.Rules([{"paths": ["/b/kept/**"], "access": ["write"], "decision": "deny"}])
    shell = keysh.Shell(fs, rules=rules)
    shell.run("mkdir /a")
    result = shell.run("mv /a /b")
    assert result.code == 126
    assert "/b: denied by rule 1" in result.stderr
    assert fs.stat("/a/kept/x").is_file
    assert shell.fs.stat_or_none("/b") is None
