"""Runs that cannot be stored: files, state and descriptors are as before, and the shell goes on."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from keysh import Call, Cancel, KeyshError, Limits, Result, Shell, SqliteFS
from keysh.shell.store.session_store import SessionStore
from unprivileged import unprivileged

SETUP = r"""
x=1; xs=[1, 2]; declare -A map=([k]=v); f() { echo f; }; alias ll='ls -l'; trap 'echo t' USR1
mkdir -p /d; echo one > /d/f; cd /d; set -u; set -- first; umask 027; RANDOM=7; exec 3>/d/log
echo begun >&3; printf 'a\nb\nc\n' > /d/in; exec 4</d/in; read -u 4 line
"""
CHANGE = r"""
x=2; xs[0]=9; push xs 3; map[k]=w; f() { echo g; }; unalias ll; trap - USR1; trap 'echo bye' EXIT
echo two > /d/f; ln -s f /d/l; rm -r /tmp; cd /; set +u; set --; umask 0; RANDOM=3
echo more >&3; exec 3>&- 5>/d/other; echo other >&5; read -u 4 line; exec > /d/out
echo out; (exit 7)
"""
LOOK = r"""
declare -p x map; tojson $xs; f; alias; trap -p; set -o | grep nounset; pwd; echo "$@" $line; umask
cat /d/f; ls / /d; cat /d/log; echo again >&3; cat /d/log; read -u 4 line; echo $line
echo five >&5
"""


def store_of(shell: Shell) -> SessionStore:
    assert shell._store is not None
    return shell._store


def execute(shell: Shell, statement: str) -> None:
    store_of(shell).files.database.execute(statement)


def refuse_entries(shell: Shell) -> None:
    """Let SQLite refuse what is stored last."""
    execute(
        shell,
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON tool_calls "
        "BEGIN SELECT RAISE(ABORT, 'no'); END",
    )


def accept_entries(shell: Shell) -> None:
    execute(shell, "DROP TRIGGER refuse")


def require_unstored(result: Result, path: str, reason: str) -> None:
    """Require what a run that is not stored answers."""
    message = f"store: {path}: {reason}"
    assert result.code == 125
    assert result.limit is not None
    assert result.limit.kind == "store"
    assert result.stderr.endswith(f"keysh: {message}\n")


def prepared(path: str) -> Shell:
    shell = Shell(store=path)
    assert shell.run(SETUP).ok
    return shell


def look(shell: Shell) -> tuple[str, str]:
    result = shell.run(LOOK)
    return result.stdout, result.stderr


@pytest.fixture
def expected(tmp_path: Path) -> tuple[str, str]:
    """What a shell answers for which there was no other run."""
    with prepared(str(tmp_path / "expected.db")) as shell:
        return look(shell)


class TestTakenBack:
    def test_everything_is_as_before(self, store_path: str, expected: tuple[str, str]) -> None:
        with prepared(store_path) as shell:
            refuse_entries(shell)
            for _ in range(2):
                require_unstored(shell.run(CHANGE), store_path, "Input/output error")
            accept_entries(shell)
            assert look(shell) == expected

    def test_the_next_shell_knows_nothing_of_it(self, store_path: str) -> None:
        with prepared(store_path) as shell:
            refuse_entries(shell)
            shell.run(CHANGE)
            accept_entries(shell)
        with Shell(store=store_path) as shell:
            assert shell.run("pwd; cat f; f; echo $? $x").stdout == "/d\none\nf\n0 1\n"

    def test_output_is_answered_with_the_message_behind_it(self, store_path: str) -> None:
        pieces: list[tuple[str, str]] = []
        with Shell(store=store_path) as shell:
            refuse_entries(shell)
            result = shell.run("echo out", on_output=lambda *piece: pieces.append(piece))
        message = f"keysh: store: {store_path}: Input/output error\n"
        assert (result.stdout, result.stderr) == ("out\n", message)
        assert pieces == [("stdout", "out\n"), ("stderr", message)]

    def test_a_value_that_cannot_be_stored(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            assert shell.run("x=1").ok
            shell.state.variables["odd"] = object()
            result = shell.run("echo x > /f")
            assert result.code == 125
            assert "store: an image cannot hold <object" in result.stderr
            del shell.state.variables["odd"]
            assert shell.run("ls /f").code == 2
            deep: list[object] = []
            for _ in range(100_000):
                deep = [deep]
            shell.state.variables["odd"] = deep
            assert "store: a value is nested too deeply" in shell.run("x=2").stderr
            del shell.state.variables["odd"]
            assert shell.run("echo $x").stdout == "1\n"

    def test_jobs_of_the_run_end(self, store_path: str) -> None:
        has_begun = threading.Event()

        def tell(sh: Call) -> None:
            """Tell the other command."""
            has_begun.set()

        def hear(sh: Call) -> None:
            """Wait for the job."""
            has_begun.wait()

        with Shell(store=store_path, commands=[tell, hear]) as shell:
            refuse_entries(shell)
            text = "{ tell; while :; do echo job > /job; done; } & hear"
            assert shell.run(text).code == 125
            assert not shell.state.session.unfinished_jobs()
            accept_entries(shell)
            assert shell.run("ls /job; jobs; echo ${!-none}").stdout == "none\n"


class TestInterrupted:
    def test_interrupt_takes_the_run_back(self, store_path: str, expected: tuple[str, str]) -> None:
        def interrupt(sh: Call) -> None:
            """Do what Ctrl-C does in the host."""
            raise KeyboardInterrupt

        with prepared(store_path) as shell:
            shell.add(interrupt)
            with pytest.raises(KeyboardInterrupt):
                shell.run(f"{CHANGE}\ninterrupt")
            assert look(shell) == expected

    def test_interrupt_just_after_the_commit(
        self, store_path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with prepared(store_path) as shell:
            files = store_of(shell).files
            commit = files.commit

            def commit_and_interrupt() -> None:
                commit()
                raise KeyboardInterrupt

            monkeypatch.setattr(files, "commit", commit_and_interrupt)
            with pytest.raises(KeyboardInterrupt):
                shell.run("x=2; echo two > /d/f")
            monkeypatch.undo()
            for one in (shell, Shell(store=store_path)):
                assert one.run("echo $x; cat /d/f").stdout == "2\ntwo\n"

    def test_a_cancelled_run_is_stored_as_far_as_it_came(self, store_path: str) -> None:
        cancel = Cancel()

        def stop(sh: Call) -> None:
            """Cancel the run."""
            cancel.cancel()

        with Shell(store=store_path, commands=[stop]) as shell:
            result = shell.run("x=2; echo two > /f; stop; while :; do x=3; done", cancel=cancel)
            assert result.code == 130
        with Shell(store=store_path) as shell:
            assert shell.run("cat /f; [ $x -gt 1 ] && echo yes").stdout == "two\nyes\n"

    def test_a_wrong_option_is_no_run(self, store_path: str) -> None:
        with prepared(store_path) as shell:
            with pytest.raises(FileNotFoundError):
                shell.run("echo x > /f", cwd="/missing")
            assert shell.run("ls /f").code == 2


@contextmanager
def small_disk() -> Iterator[str]:
    """Mount 1 MB of memory; skip where that is not allowed."""
    with tempfile.TemporaryDirectory() as directory:
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory]
        if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("nothing may be mounted")
        try:
            yield directory
        finally:
            subprocess.run(["umount", directory], check=True)


class TestFullDisk:
    LARGE_FILE = f"{CHANGE}\nhead -c 3000000 /dev/urandom > /d/large"
    LARGE_VALUE = f"{CHANGE}\nx=$(head -c 3000000 /dev/zero | tr '\\0' x)"

    @pytest.mark.parametrize("text", [LARGE_FILE, LARGE_VALUE])
    def test_limit_of_the_database(
        self, store_path: str, expected: tuple[str, str], text: str
    ) -> None:
        with prepared(store_path) as shell:
            execute(shell, "PRAGMA max_page_count = 100")
            require_unstored(shell.run(text), store_path, "No space left on device")
            assert look(shell) == expected

    @pytest.mark.parametrize("text", [LARGE_FILE, LARGE_VALUE])
    def test_disk(self, expected: tuple[str, str], text: str) -> None:
        with small_disk() as directory:
            path = f"{directory}/work.db"
            with prepared(path) as shell:
                require_unstored(shell.run(text), path, "No space left on device")
                assert look(shell) == expected
            with closing(sqlite3.connect(path)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    def test_a_quota_of_the_shell_ends_the_run_as_in_memory(self, store_path: str) -> None:
        with Shell(store=store_path, limits=Limits(file_bytes=1000)) as shell:
            result = shell.run("echo kept > /f; x=2; head -c 3000 /dev/zero > /g; x=3")
            assert result.limit is not None
            assert result.limit.kind == "file_bytes"
        with Shell(store=store_path) as shell:
            assert shell.run("cat /f; echo $x").stdout == "kept\n2\n"


class TestReadOnly:
    def test_a_file_that_cannot_be_written(self, store_path: str) -> None:
        prepared(store_path).close()
        Path(store_path).chmod(0o444)
        with unprivileged(Path(store_path).parent):
            shell = Shell(store=store_path)
            for text in ("x=2", "echo two > /d/f", "true"):
                require_unstored(shell.run(text), store_path, "Read-only file system")
            assert shell.vars["x"] == 1
            with shell.fs.open("/d/f") as stream:
                assert stream.read() == b"one\n"
            assert Shell.restore(shell.snapshot()).run("f; cat /d/f").stdout == "f\none\n"
            shell.close()

    def test_a_new_file_that_cannot_be_written(self, store_path: str) -> None:
        SqliteFS(store_path).close()
        Path(store_path).chmod(0o444)
        with (
            unprivileged(Path(store_path).parent),
            pytest.raises(OSError, match=f"Read-only file system: '{store_path}'"),
        ):
            Shell(store=store_path)


class TestLocked:
    def test_another_process_keeps_the_file(
        self, store_path: str, expected: tuple[str, str]
    ) -> None:
        with prepared(store_path) as shell, closing(sqlite3.connect(store_path)) as other:
            store_of(shell).files.database._timeout = 0
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            require_unstored(shell.run(CHANGE), store_path, "Locked by another process")
            with pytest.raises(OSError, match="Locked by another process"):
                shell.fork()
            other.execute("ROLLBACK")
            assert look(shell) == expected

    @pytest.mark.parametrize("way", ["timeout", "cancel"])
    def test_the_wait_can_be_ended(self, store_path: str, way: str) -> None:
        with Shell(store=store_path) as shell, closing(sqlite3.connect(store_path)) as other:
            store_of(shell).files.database._timeout = 3600
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            if way == "timeout":
                result = shell.run("x=1", timeout=0.01)
            else:
                job = shell.start("x=1")
                job.cancel()
                result = job.wait()
            assert result.limit is not None
            assert result.limit.kind == {"timeout": "seconds", "cancel": "cancelled"}[way]
            other.execute("ROLLBACK")
            assert shell.run("echo ${x-unset}").stdout == "unset\n"

    def test_the_wait_ends_with_the_lock(self, store_path: str) -> None:
        with Shell(store=store_path) as shell, closing(sqlite3.connect(store_path)) as other:
            store_of(shell).files.database._timeout = 3600
            other.isolation_level = None
            other.execute("BEGIN IMMEDIATE")
            job = shell.start("echo done > /f; cat /f")
            other.execute("ROLLBACK")
            assert job.wait().stdout == "done\n"


Act = Callable[[Shell], object]


@pytest.mark.parametrize("act", [Shell.fork, Shell.snapshot, Shell.reset])
def test_what_is_refused_leaves_the_file_unlocked(store_path: str, act: Act) -> None:
    def inner(sh: Call) -> str:
        """Do it within a run."""
        with pytest.raises(KeyshError, match="a run of this shell is in progress"):
            act(shell)
        return "refused"

    with Shell(store=store_path, commands=[inner]) as shell:
        assert shell.run("inner").stdout == "refused"
        assert shell.run("echo x > /f; cat /f").stdout == "x\n"
    assert os.listdir(os.path.dirname(store_path)) == ["work.db"]


@pytest.mark.parametrize("wrong", [{"dialect": "zsh"}, {"env": 3}, {"commands": [3]}])
def test_shell_that_cannot_be_made_leaves_its_store_closed(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    with pytest.raises((ValueError, TypeError, KeyshError)) as caught:
        Shell(store=tmp_path / "store.db", **wrong)
    # SQLite removes this one with the last connection; the exception holds all that it has seen.
    assert not (tmp_path / "store.db-wal").exists(), caught
