"""flock and mkfifo on real files, and watch on what claims to be a terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import keysh
from commands.command_runner import run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.command_listing import command_named
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.router import Router


def test_a_program_that_holds_the_lock_keeps_it(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as held, keysh.Shell(LocalFS(tmp_path)) as shell:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert shell.run("flock -n /lock echo mine").code == 1
        assert shell.run("flock -n -E 7 9 9>/lock").code == 7
        fcntl.flock(held, fcntl.LOCK_UN)
        assert shell.run("flock -n /lock echo mine").stdout == "mine\n"


def test_an_overlay_is_locked_within_the_shell() -> None:
    with keysh.Shell(OverlayFS(MemoryFS({"/lock": "x"}))) as shell:
        result = shell.run("flock -s /lock sh -c 'flock -ns /lock echo a; flock -n /lock echo b'")
    assert (result.stdout, result.code) == ("a\n", 1)


def test_a_fifo_carries_text(tmp_path: Path) -> None:
    with keysh.Shell(LocalFS(tmp_path, allow_fifos=True)) as shell:
        assert shell.run("mkfifo -m 600 /p; echo hello >/p & cat /p; wait").stdout == "hello\n"
    found = (tmp_path / "p").stat()
    assert stat.S_ISFIFO(found.st_mode)
    assert stat.S_IMODE(found.st_mode) == 0o600


def test_a_fifo_that_nobody_could_open_is_refused(tmp_path: Path) -> None:
    answer = run_keysh("mkfifo", "p", fs=LocalFS(tmp_path))
    assert answer.err == "mkfifo: cannot create fifo 'p': Operation not permitted\n"
    assert answer.status == 1
    answer = run_keysh("mkfifo", "p", fs=LocalFS(tmp_path, True, allow_fifos=True))
    assert answer.err.endswith("Read-only file system\n")


def test_watch_repeats_on_a_terminal_until_the_command_fails() -> None:
    class Terminal(Writer):
        width = 80

    shown: list[str] = []
    statuses = [0, 0, 3]
    seen: list[object] = []

    def run(words: object) -> int:
        seen.append(words)
        return statuses.pop(0)

    surroundings = FakeShell(Router(MemoryFS()), run=run)
    call = Call("watch", surroundings, Reader(()), Terminal(shown.append), Writer(print))
    status = invoke(command_named("watch"), call, ["-e", "-n", "1", "echo", "a b"])
    assert status == 3
    assert seen == [("sh", "-c", "echo a b")] * 3
    assert "".join(shown).count("Every 1.0s: echo a b\n\n") == 3


CLEAR = "\033[H\033[J"


@pytest.mark.parametrize(
    ("options", "command", "shown"),
    [
        ("-tdg", "echo x >>f; wc -l <f", f"{CLEAR}1\r\n{CLEAR}\033[7m2\033[27m\r\n"),
        ("-t -q 2", "echo x", f"{CLEAR}x\r\n" * 3),
    ],
)
def test_watch_compares_what_is_printed(
    tmp_path: Path, options: str, command: str, shown: str
) -> None:
    reader, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "keysh", "--sandbox", "-c",
             f"watch {options} -n 0.1 '{command}'"],
            cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal, timeout=30,
            check=False,
        )  # fmt: skip
        assert os.read(reader, 4096).decode() == shown
        assert done.returncode == 0
    finally:
        os.close(reader)
        os.close(terminal)
