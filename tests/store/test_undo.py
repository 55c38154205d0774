"""Undo in a store: the history goes on from one process to the next."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from keysh import Journal, LocalFS, MergeConflict, Shell, SqliteFS, UndoConflict, UndoRefused
from store.test_failures import accept_entries, execute, refuse_entries

SETUP = r"""
x=1; xs=[1, [2]]; declare -A map=([k]=v); f() { echo one; }; alias ll='ls -l'; set -u; umask 027
mkdir -p /d/e; echo one > /d/f; ln /d/f /d/g; ln -s f /d/l; chmod 640 /d/f; cd /d; RANDOM=7
printf '\xff\0' > /d/bytes; touch -d @7 /d/f
"""
CHANGE = r"""
x=2; xs[1][0]=9; map[k]=w; f() { echo two; }; unalias ll; set +u; umask 0; cd /; RANDOM=9; y=1
echo more >> /d/f; rm /d/g; mv /d/e /new; echo x > /new/x; rm /d/bytes; ln -sf nowhere /d/l
chmod 600 /d/f; mkdir /d/bytes
"""
LOOK = r"""
declare -p x map; tojson $xs; f; alias; set -o | grep nounset; umask; pwd; echo ${y-none} $RANDOM
find / -path /bin -prune -o -path /usr -prune -o -path /dev -prune -o -printf '%p %y %m %n %l %s\n'
find /d -type f -printf '%T@\n'; cat /d/f; cksum /d/* 2>&1
"""


def look(path: str) -> str:
    """Return what a new process sees, without a trace of having looked."""
    with Shell(store=path) as shell:
        return shell.fork().run(LOOK).stdout


@pytest.fixture
def looks(store_path: str) -> list[str]:
    """What is there after each of two runs, the second of which another process has done."""
    seen = []
    for text in (SETUP, CHANGE):
        with Shell(store=store_path) as shell:
            result = shell.run(text)
            assert result.ok, result.stderr
            assert result.changes is not None
            assert result.changes.is_complete
        seen.append(look(store_path))
    assert seen[0] != seen[1]
    return seen


class TestAcrossProcesses:
    def test_undo_and_redo(self, store_path: str, looks: list[str]) -> None:
        for _ in range(2):
            with Shell(store=store_path) as shell:
                assert [entry.number for entry in shell.undo()] == [2]
            assert look(store_path) == looks[0]
            with Shell(store=store_path) as shell:
                assert [entry.number for entry in shell.redo()] == [2]
            assert look(store_path) == looks[1]

    def test_several_runs_at_once(self, store_path: str, looks: list[str]) -> None:
        with Shell(store=store_path) as shell:
            shell.run("echo third > /third; echo again >> /d/f")
            shell.undo(3)
            assert shell.run("ls /d; echo ${x-unset}").stderr.startswith("ls: cannot access '/d'")
        with Shell(store=store_path) as shell:
            shell.redo(2)
        assert look(store_path) == looks[1]

    def test_checkout(self, store_path: str, looks: list[str]) -> None:
        for number in (1, 2, 0, 2, 1):
            with Shell(store=store_path) as shell:
                shell.checkout(number)
            if number:
                assert look(store_path) == looks[number - 1]
        with Shell(store=store_path) as shell, pytest.raises(UndoRefused, match="no run 3"):
            shell.checkout(3)

    def test_the_history(self, store_path: str, looks: list[str]) -> None:
        with Shell(store=store_path) as shell:
            shell.run("while :; do :; done", timeout=0.01)
            first, second, third = shell.history
            assert (first.text, first.status, first.limit) == (SETUP, 0, None)
            assert {"/d/f", "/d/g", "/new/x"} < {change.path for change in second.changes.files}
            diffs = {change.path: change.diff() for change in second.changes.files}
            assert diffs["/d/f"].endswith("@@ -1 +1,2 @@\n one\n+more\n")
            assert {change.name for change in second.changes.state} >= {"x", "xs", "map", "f", "y"}
            assert third.limit is not None
            assert third.limit.kind == "seconds"
            assert not third.changes.files

    def test_a_run_after_undo_drops_what_could_be_redone(
        self, store_path: str, looks: list[str]
    ) -> None:
        with Shell(store=store_path) as shell:
            shell.undo()
            shell.run("ls")
        with Shell(store=store_path) as shell:
            shell.run("z=1")
            with pytest.raises(UndoRefused, match="no run is there to be repeated"):
                shell.redo()
            assert [entry.number for entry in shell.history] == [1, 3, 4]

    def test_builtins(self, store_path: str, looks: list[str]) -> None:
        with Shell(store=store_path) as shell:
            assert shell.run("undo").ok
        assert look(store_path) == looks[0]
        with Shell(store=store_path) as shell:
            assert shell.run("redo").ok
        assert look(store_path) == looks[1]

    def test_another_process_undoes(self, store_path: str, looks: list[str]) -> None:
        with Shell(store=store_path) as one, Shell(store=store_path) as other:
            one.run("z=1; echo z > /z")
            other.undo()
            assert one.run("echo ${z-unset}; ls /z").stdout == "unset\n"
            other.redo()
            assert one.run("echo $z; cat /z").stdout == "1\nz\n"


class TestRefusals:
    def test_a_file_that_somebody_else_has_changed(self, store_path: str, looks: list[str]) -> None:
        with SqliteFS(store_path) as fs, fs.open("/d/f", "a") as stream:
            stream.write(b"theirs\n")
        before = look(store_path)
        with Shell(store=store_path) as shell, pytest.raises(UndoConflict) as caught:
            shell.undo()
        assert caught.value.paths == ["/d/f"]
        assert look(store_path) == before

    def test_a_failing_commit_changes_nothing(self, store_path: str, looks: list[str]) -> None:
        with Shell(store=store_path) as shell:
            execute(
                shell,
                "CREATE TEMP TRIGGER refuse BEFORE UPDATE ON keysh_session "
                "BEGIN SELECT RAISE(ABORT, 'no'); END",
            )
            with pytest.raises(OSError, match="Input/output error"):
                shell.undo()
            accept_entries(shell)
            assert shell.fork().run(LOOK).stdout == looks[1]
            shell.undo()
        assert look(store_path) == looks[0]

    def test_a_run_that_is_not_stored_is_not_in_the_history(
        self, store_path: str, looks: list[str]
    ) -> None:
        with Shell(store=store_path) as shell:
            refuse_entries(shell)
            result = shell.run("x=3; echo lost > /lost")
            assert (result.code, result.changes) == (125, None)
            accept_entries(shell)
            assert [entry.number for entry in shell.history] == [1, 2]
            shell.undo()
        assert look(store_path) == looks[0]

    def test_a_store_has_no_other_journal(self, store_path: str, tmp_path: Path) -> None:
        for journal in (False, Journal(tmp_path)):
            with pytest.raises(ValueError, match="the history of a store is in the store"):
                Shell(store=store_path, journal=journal)


class TestForks:
    def test_a_fork_is_merged_into_the_store(self, store_path: str) -> None:
        files = {"/a": "a\n", "/b": "b\n", "/d/x": "x\n"}
        with Shell(store=store_path, files=files) as shell:
            shell.run("x=1; y=1; chmod 640 /b")
            fork = shell.fork()
            fork.run("x=2; echo fork > /a; mkdir /n; echo n > /n/n; rm -r /d; echo f >> /b")
            shell.run("y=3; echo own > /own")
            shell.merge(fork)
            fork.run("echo again > /a")
            shell.merge(fork)
            fork.run("echo theirs > /own; echo theirs > /a; x=9")
            shell.run("echo ours > /a; x=8")
            with pytest.raises(MergeConflict) as caught:
                shell.merge(fork)
            assert caught.value.paths == ["/a", "/own"]
        with Shell(store=store_path) as shell:
            look = "echo $x $y; cat /a /b /own /n/n; ls -d /d; stat -c %a /b"
            assert shell.run(look).stdout == "8 3\nours\nb\nf\nown\nn\n640\n"
            assert [entry.text for entry in shell.history][1:4] == [
                "y=3; echo own > /own", "merge", "merge",
            ]  # fmt: skip
            shell.checkout(2)
            assert shell.run("echo $x $y; cat /a /b /own; ls /d").stdout == "1 3\na\nb\nown\nx\n"


class TestLimits:
    def test_old_runs_are_forgotten(self, store_path: str) -> None:
        with Shell(store=store_path, journal=Journal(max_runs=8)) as shell:
            for number in range(20):
                shell.run(f"x={number}; echo {number} > /f")
            assert 7 <= len(shell.history) <= 8
            with pytest.raises(UndoRefused, match="forgotten"):
                shell.undo(9)
            shell.undo(6)
            assert shell.run("echo $x; cat /f").stdout == "13\n13\n"

    def test_old_contents_are_forgotten(self, store_path: str) -> None:
        with Shell(store=store_path, journal=Journal(max_bytes=10_000)) as shell:
            for number in range(10):
                shell.run(f"x={number}; head -c 3000 /dev/urandom > /f; echo {number} >> /f")
            assert len(shell.history) == 3
            shell.undo(2)
            assert shell.run("tail -n 1 /f; echo $x").stdout.endswith("7\n7\n")
            result = shell.run("head -c 20000 /dev/zero > /large; rm /large; echo > /f")
            assert result.ok
        with SqliteFS(store_path) as fs:
            size = fs.database.execute("SELECT total(length(data)) FROM keysh_part").fetchone()[0]
            assert size <= 10_000

    def test_a_content_without_room_is_named(self, store_path: str) -> None:
        with Shell(store=store_path, journal=Journal(max_bytes=1000)) as shell:
            shell.run("head -c 3000 /dev/zero > /f")
            changes = shell.run("echo > /f").changes
            assert changes is not None
            assert not changes.is_complete
        with Shell(store=store_path) as shell, pytest.raises(UndoRefused, match="/f: the journal"):
            shell.undo()


def test_a_directory_of_the_machine_beside(store_path: str, tmp_path: Path) -> None:
    def shell() -> Shell:
        return Shell({"/work": LocalFS(tmp_path)}, store=store_path)

    (tmp_path / "f").write_text("first\n")
    with shell() as one:
        one.run("echo second > /work/f; echo new > /work/g; echo inside > /f")
    with shell() as one:
        one.run("rm /work/g; echo third >> /work/f")
    with shell() as one:
        one.undo()
        assert (tmp_path / "g").read_text() == "new\n"
        one.undo()
    assert (tmp_path / "f").read_text() == "first\n"
    with shell() as one:
        one.redo(2)
    assert (tmp_path / "f").read_text() == "second\nthird\n"
    (tmp_path / "f").write_text("theirs\n")
    with shell() as one, pytest.raises(UndoConflict):
        one.undo()


NAMES = ("a", "b", "d/c")


class StoredHistory(RuleBasedStateMachine):
    """Random runs, some of which fail, undo, redo and new processes, against copies in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = tempfile.TemporaryDirectory(
            dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        )
        self.path = f"{self.directory.name}/work.db"
        self.shell = Shell(store=self.path)
        self.done = [self.seen()]  # what was there after each run that changed something
        self.undone: list[str] = []

    def teardown(self) -> None:
        self.shell.close()
        self.directory.cleanup()

    def seen(self) -> str:
        return (
            self.shell.fork()
            .run(
                "declare -p v 2>&1; type f 2>&1; pwd; for p in $(find / -name '[a-e]' | sort); do\n"
                "  stat -c '%n %F %a %h %s' $p; [ -f $p ] && cat $p; done; true"
            )
            .stdout
        )

    def run(self, text: str) -> None:
        result = self.shell.run(text)
        now = self.seen()
        assert result.limit is None
        if result.changes:
            self.done.append(now)
            self.undone.clear()
        else:
            assert now == self.done[-1]

    @rule(name=st.sampled_from(NAMES), text=st.sampled_from(["x", "yy", ""]))
    def write(self, name: str, text: str) -> None:
        self.run(f"[ -d /d ] || mkdir /d; echo '{text}' > /{name}")

    @rule(name=st.sampled_from(NAMES))
    def append(self, name: str) -> None:
        self.run(f"[ -d /d ] || mkdir /d; echo more >> /{name}; v+=x")

    @rule(name=st.sampled_from(NAMES), other=st.sampled_from(NAMES))
    def move(self, name: str, other: str) -> None:
        self.run(f"mv /{name} /{other}")

    @rule(name=st.sampled_from(NAMES), other=st.sampled_from(NAMES))
    def link(self, name: str, other: str) -> None:
        self.run(f"ln -f /{name} /{other}; chmod 600 /{other}")

    @rule()
    def move_directory(self) -> None:
        self.run("mv /d /e || mv /e /d; cd /")

    @rule()
    def remove(self) -> None:
        self.run("rm -r /d /a; cd /tmp; unset v")

    @rule(number=st.integers(0, 9))
    def set_variable(self, number: int) -> None:
        self.run(f"v={number}; f() {{ echo {number}; }}")

    @rule()
    def fail(self) -> None:
        refuse_entries(self.shell)
        assert self.shell.run("v=lost; rm -r /d; echo lost > /a; cd /usr").code == 125
        accept_entries(self.shell)
        assert self.seen() == self.done[-1]

    @rule()
    def go_on_in_another_process(self) -> None:
        self.shell.close()
        self.shell = Shell(store=self.path)
        assert self.seen() == self.done[-1]

    @precondition(lambda self: len(self.done) > 1)
    @rule()
    def undo(self) -> None:
        self.shell.undo()
        self.undone.append(self.done.pop())
        assert self.seen() == self.done[-1]

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        self.shell.redo()
        self.done.append(self.undone.pop())
        assert self.seen() == self.done[-1]


TestStoredHistory = StoredHistory.TestCase
TestStoredHistory.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
