"""What undo, redo and checkout promise: the exact state, the exact history, and every refusal."""

from __future__ import annotations

import gc
import weakref
from threading import Event

import pytest

from history.worlds import world_of
from keysh import (
    Call,
    ContentLost,
    Journal,
    KeyshError,
    LocalFS,
    MemoryFS,
    Shell,
    UndoConflict,
    UndoRefused,
)

SETUP = r"""
x=1; xs=[1, [2, 3]]; declare -A map=([k]=v); array=(a b); declare -i n=5; export e=1; readonly r=1
f() { echo "f $1"; }; alias ll='ls -l'; trap 'echo bye' USR1; trap '' TERM; set -u
mkdir -p /d; echo one > /d/f; cd /d; pushd / > /dev/null; umask 027; set -- first second; RANDOM=7
"""
CHANGE = r"""
x=2; xs[1][0]=9; map[k]=w; array+=(c); n+=3; unset e; f() { echo g; }; unalias ll; trap - USR1 TERM
set +u; rm -r /d; echo two > /g; popd > /dev/null; umask 022; set --; echo $RANDOM; declare -n q=x
"""
LOOK = r"""
declare -p x map array n r; tojson $xs; f here; alias; trap -p; set -o | grep nounset
cat /d/f; pwd; dirs; umask; echo "$@" $RANDOM $e
"""


def test_the_state_is_exactly_what_it_was() -> None:
    shell, twin = Shell(journal=True), Shell()
    shell.run(SETUP)
    twin.run(SETUP)
    before = world_of(shell)
    shell.run(CHANGE)
    after = world_of(shell)
    for _ in range(2):
        shell.undo()
        assert world_of(shell) == before
        shell.redo()
        assert world_of(shell) == after
    shell.undo()
    result = shell.run(LOOK)
    assert result.stdout == twin.run(LOOK).stdout
    assert result.stderr == ""


def test_the_status_comes_back_as_well() -> None:
    shell = Shell(journal=True)
    shell.run("x=1; (exit 3)")
    shell.run("y=1")
    shell.undo()
    assert shell.run("echo $?").stdout == "3\n"


def test_values_that_a_host_holds_do_not_change() -> None:
    shell = Shell(journal=True)
    shell.run("list=[1]")
    held = shell.vars["list"]
    shell.run("list[0]=2; list+=[3]")
    shell.undo()
    assert (held, shell.vars["list"]) == ([1], [1])


def test_runs_that_change_nothing_do_not_count() -> None:
    shell = Shell(journal=True)
    for text in ("x=1", "ls", "x=2", "echo $x", "cat /nowhere"):
        shell.run(text)
    assert [entry.number for entry in shell.undo()] == [3, 4, 5]
    assert shell.vars["x"] == 1
    assert [entry.text for entry in shell.history] == ["x=1", "ls"]
    shell.run("true")  # changes nothing, so that redo is still possible
    assert [entry.number for entry in shell.redo()] == [3]
    assert [entry.number for entry in shell.history] == [1, 2, 6, 3]
    shell.undo()
    shell.run("y=1")
    with pytest.raises(UndoRefused, match="no run is there to be repeated"):
        shell.redo()


def test_entries_tell_what_happened() -> None:
    shell = Shell(journal=True, clock=1000.0)
    shell.run("echo hi > /f; exit 3")
    shell.run("while :; do :; done", timeout=0.05)
    first, second = shell.history
    assert (first.number, first.text, first.status) == (1, "echo hi > /f; exit 3", 3)
    assert first.ms > 0
    assert (first.limit, second.limit and second.limit.kind) == (None, "seconds")
    record = first.record()
    assert record["changes"]["files"][0]["path"] == "/f"
    assert record["changes"]["is_complete"] is True
    assert repr(first) == "<JournalEntry 1 'echo hi > /f; exit 3' 3>"


def test_checkout() -> None:
    shell = Shell(journal=True)
    for number in range(1, 6):
        shell.run(f"x={number}; echo {number} >> /f")
    for number in (2, 5, 0, 4, 4, 1):
        shell.checkout(number)
        lines = "".join(f"{line}\n" for line in range(1, number + 1))
        assert shell.run("cat /f; echo ${x-0}").stdout == f"{lines}{number}\n"
    with pytest.raises(UndoRefused, match="there is no run 99"):
        shell.checkout(99)


def test_forgotten_runs() -> None:
    shell = Shell(journal=Journal(max_runs=3))
    for number in range(1, 6):
        shell.run(f"x={number}")
    assert [entry.number for entry in shell.history] == [3, 4, 5]
    for number in (0, 1):
        with pytest.raises(UndoRefused, match="the journal has forgotten"):
            shell.checkout(number)
    with pytest.raises(UndoRefused, match="only 3 runs are there"):
        shell.undo(4)
    assert shell.vars["x"] == 5
    shell.undo(3)
    assert shell.vars["x"] == 2


def test_contents_have_a_limit() -> None:
    shell = Shell(journal=Journal(max_bytes=25_000))
    for number in range(5):
        shell.run(f"head -c 10000 /dev/zero | tr '\\0' {number} > /f")
    assert len(shell.history) < 5  # the oldest are forgotten
    shell.undo()
    assert shell.run("head -c 1 /f").stdout == "3"
    shell.run("head -c 100000 /dev/zero > /big")
    result = shell.run("rm /big")
    assert result.changes is not None
    assert not result.changes.is_complete
    assert result.changes.reasons[0].startswith("/big: the journal has no room for 100000 bytes")
    with pytest.raises(UndoRefused, match="run 8 cannot be taken back: /big"):
        shell.undo()


def test_room_for_what_an_undo_overwrites(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The oldest runs are forgotten for it as well, and the history stays in order."""
    directory = tmp_path_factory.mktemp("work")
    shell = Shell({"/": LocalFS(directory)}, journal=Journal(max_bytes=45_000))
    for number in range(5):
        shell.run(f"head -c 10000 /dev/zero | tr '\\0' {number} > f; n={number}")
    for expected in (3, 2, 1):
        entries = shell.undo()
        assert [entry.number for entry in entries if entry.changes] == [expected + 2]
        assert shell.run("head -c 1 f; echo $n").stdout == f"{expected}{expected}\n"
        numbers = [entry.number for entry in shell.history if entry.changes]
        assert numbers == list(range(numbers[0], expected + 2)) if numbers else True
    for expected in (2, 3, 4):
        assert shell.redo()[-1].number == expected + 1
        assert shell.run("head -c 1 f; echo $n").stdout == f"{expected}{expected}\n"


def test_what_somebody_else_has_changed(tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = tmp_path_factory.mktemp("work")
    shell = Shell({"/": MemoryFS(), "/work": LocalFS(directory)}, journal=True, cwd="/work")
    shell.run("x=1; echo 1 > f; echo 1 > g; echo 1 > /m")
    shell.run("x=2; echo 2 > f; echo 2 > g; echo 2 > /m")
    (directory / "g").write_text("mine\n")
    before = world_of(shell)
    with pytest.raises(UndoConflict) as caught:
        shell.undo(2)
    assert caught.value.paths == ["/work/g"]
    assert world_of(shell) == before
    assert [entry.number for entry in shell.history] == [1, 2]
    assert issubclass(ContentLost, UndoRefused)


def test_jobs() -> None:
    shell = Shell(journal=True)
    result = shell.run("sleep 60 & x=1")
    assert result.changes is not None
    assert result.changes.reasons == ["job 1 (sleep 60) still runs"]
    with pytest.raises(UndoRefused, match="still runs"):
        shell.undo()
    shell.run("kill %1; wait")
    shell.run("y=1")
    shell.undo()
    with pytest.raises(UndoRefused, match="run 1 cannot be taken back"):
        shell.undo()
    shell.close()


def test_not_while_a_run_is_in_progress() -> None:
    shell = Shell(journal=True)
    shell.run("x=1")
    is_running, may_end = Event(), Event()

    @shell.add
    def pause(sh: Call) -> int:
        """Wait for the test."""
        is_running.set()
        may_end.wait()
        return 0

    job = shell.start("pause")
    is_running.wait()
    for act in (shell.undo, shell.redo, lambda: shell.checkout(0)):
        with pytest.raises(KeyshError, match="a run of this shell is in progress"):
            act()
    may_end.set()
    assert job.wait().ok
    shell.undo()


def test_runs_of_a_host_command_belong_to_the_run_around() -> None:
    shell = Shell(journal=True)
    inner = []

    @shell.add
    def twice(sh: Call, text: str) -> int:
        """Run a text twice.

        text  what to run
        """
        inner.extend([shell.run(text), shell.run(text)])
        return 0

    result = shell.run("twice 'echo 1 >> /f'; x=1")
    assert [one.changes for one in inner] == [None, None]
    assert result.changes is not None
    assert [change.path for change in result.changes.files] == ["/f"]
    assert len(shell.history) == 1
    shell.undo()
    assert not shell.fs.stat_or_none("/f")


def test_a_run_that_an_exception_of_the_host_ends() -> None:
    shell = Shell(journal=True)

    def interrupt(kind: str, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shell.run("echo 1 > /f; echo shown; echo 2 > /f", on_output=interrupt)
    [entry] = shell.history
    assert entry.status is None
    assert [change.path for change in entry.changes.files] == ["/f"]
    shell.undo()
    assert shell.run("ls /f").code == 2


def test_options_of_a_run_are_no_changes() -> None:
    shell = Shell(journal=True)
    shell.run("x=1; mkdir /d")
    result = shell.run("y=$x$z; cat > f", env={"x": "2", "z": "3"}, cwd="/d", stdin="in")
    assert result.changes is not None
    assert [change.name for change in result.changes.state] == ["y"]
    shell.undo()
    assert shell.run("echo $x ${y-unset}; ls /d").stdout == "1 unset\n"
    refused = shell.run("undo", env={"x": "2"})
    assert "undo: not with variables or a directory of its own" in refused.stderr


def test_what_a_host_changes_between_runs() -> None:
    shell = Shell(journal=True)
    shell.run("x=1")
    shell.vars["y"] = 2
    assert [change.name for change in shell.history[-1].changes.state] == ["x"]
    shell.undo()
    assert "y" not in shell.vars
    shell.redo()
    assert (shell.vars["x"], shell.vars["y"]) == (1, 2)
    with shell.recording("the host"):
        shell.vars["z"] = 3
        with shell.fs.open("/z", "w") as stream:
            stream.write(b"3")
    assert (shell.history[-1].text, shell.history[-1].status) == ("the host", None)
    shell.undo()
    assert "z" not in shell.vars
    assert not shell.fs.stat_or_none("/z")


def test_a_fork_has_a_history_of_its_own() -> None:
    shell = Shell(journal=True)
    shell.run("x=1; echo 1 > /f")
    fork = shell.fork()
    fork.run("x=2; rm /f")
    assert [entry.text for entry in fork.history] == ["x=2; rm /f"]
    fork.undo()
    assert fork.run("cat /f; echo $x").stdout == "1\n1\n"
    with pytest.raises(UndoRefused):
        fork.undo()
    assert len(shell.history) == 1


def test_without_a_journal() -> None:
    shell = Shell()
    assert shell.run("x=1").changes is None
    for act in (shell.undo, shell.redo, lambda: shell.history, lambda: shell.recording("x")):
        with pytest.raises(UndoRefused, match=r"this shell has no journal: Shell\(journal=True\)"):
            act()
    with pytest.raises(TypeError, match="journal must be True"):
        Shell(journal="work")  # type: ignore[arg-type]
    for bad in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            Shell(journal=True).undo(bad)
        with pytest.raises(ValueError, match="at least"):
            Journal(max_runs=bad)
    with pytest.raises(TypeError, match="watch must be a list"):
        Journal(watch="/work")


def test_undo_inside_a_run() -> None:
    shell = Shell(journal=True)
    shell.run("x=1; echo 1 > /f")
    shell.run("x=2; echo 2 > /f")
    result = shell.run("undo; echo $x; cat /f; x=5; undo 2>&1; echo $x")
    assert result.stdout == (
        "undone 2: x=2; echo 2 > /f\n1\n1\n"
        "keysh: line 1: undo: this run has changed something itself: x\n5\n"
    )
    assert [change.name for change in shell.history[-1].changes.state] == ["x"]
    shell.undo()
    assert shell.vars["x"] == 1
    assert shell.run("if undo && undo; then :; else echo refused; fi").stdout == (
        "undone 1: x=1; echo 1 > /f\nrefused\n"
    )


def test_a_shell_with_a_journal_is_freed_at_once() -> None:
    """Nothing in it refers to the shell in a circle."""
    shell = Shell(journal=True)
    shell.run("x=1; echo 1 > /f")
    shell.run("rm /f; ls | cat")
    shell.undo()
    state = weakref.ref(shell.state)
    gc.disable()
    try:
        del shell
        assert state() is None
    finally:
        gc.enable()
