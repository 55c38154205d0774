"""Merges: what only one side has changed is taken, what both have changed differently is named."""

from __future__ import annotations

import errno
import os
import pickle
from pathlib import Path

import pytest

from images.shell_picture import files_of
from keysh import (
    Call,
    KeyshError,
    LocalFS,
    MemoryFS,
    MergeConflict,
    OverlayFS,
    ReadOnlyFS,
    Shell,
    SqliteFS,
)
from keysh.shell.history.state_changes import state_changes
from keysh.shell.history.state_version import StateVersion


def prepared() -> Shell:
    shell = Shell(files={"/w/a": "a\n", "/w/b": "b\n", "/w/c": "c\n", "/w/d/e": "e\n"}, cwd="/w")
    shell.run("x=1; y=1; xs=[1]; f() { echo old; }; alias ll=ls; trap 'echo t' USR1")
    return shell


def merged(fork_script: str, own_script: str = "") -> Shell:
    """Return a shell that has taken over what a fork did, and did something itself."""
    shell = prepared()
    fork = shell.fork()
    assert fork.run(fork_script).ok
    assert shell.run(own_script).ok
    shell.merge(fork)
    assert not fork.changes()
    return shell


def conflict(fork_script: str, own_script: str) -> MergeConflict:
    """Return the conflict of two scripts, which must have changed nothing, and be symmetric."""
    found = []
    for one, other in ((fork_script, own_script), (own_script, fork_script)):
        shell = prepared()
        fork = shell.fork()
        assert fork.run(one).ok
        assert shell.run(other).ok
        files, state = files_of(shell.fs, with_inodes=True), StateVersion(shell.state)
        with pytest.raises(MergeConflict) as raised:
            shell.merge(fork)
        assert files == files_of(shell.fs, with_inodes=True)
        assert not state_changes(state, StateVersion(shell.state))
        found.append(raised.value)
    assert str(found[0]) == str(found[1])
    return found[0]


# ---------------------------------------------------------------- the state


@pytest.mark.parametrize(
    ("script", "look", "expected"),
    [
        ("x=2", "tojson $x", "2\n"),
        ("unset x", "echo ${x-unset}", "unset\n"),
        ("push xs two", "tojson $xs", '[1,"two"]\n'),
        ("export x", "env | grep '^x='", "x=1\n"),
        ("f() { echo new; }", "f", "new\n"),
        ("unset -f f", "type -t f", ""),
        ("echo() { printf mine; }", "echo", "mine"),
        ("alias ll='ls -l'", "alias ll", "alias ll='ls -l'\n"),
        ("trap 'echo other' USR1", "trap -p USR1", "trap -- 'echo other' SIGUSR1\n"),
        ("trap 'echo failed' ERR", "set +e; false", "failed\n"),
        ("set -f", "echo *", "*\n"),
        ("cd d", "pwd; echo $OLDPWD", "/w/d\n/w\n"),
        ("pushd d > /dev/null", "dirs", "/w/d /w\n"),
        ("set -- one two", 'echo "$# $2"', "2 two\n"),
        ("umask 077", "umask", "0077\n"),
    ],
)
def test_a_fact_is_taken(script: str, look: str, expected: str) -> None:
    assert merged(script, "y=2; zs=[5]").run(look).stdout == expected
    assert merged(script, script).run(look).stdout == expected  # both alike


def test_what_the_shell_has_changed_stays() -> None:
    shell = merged("x=2; ys=[1]; set -u", "y=2; unset xs; f() { echo newer; }; cd d; set -f")
    found = shell.run("echo $x $y ${xs-unset} $-; tojson $ys; f; pwd").stdout
    assert found == "2 2 unset fhuB\n[1]\nnewer\n/w/d\n"


def test_values_are_not_shared_after_a_merge() -> None:
    shell = prepared()
    fork = shell.fork()
    fork.run("xs=[1, [2]]; declare -A map=([k]=v)")
    shell.merge(fork)
    shell.run("xs[1][0]=3; map[k]=own")
    fork.run("xs[1][0]=4; map[k]=theirs")
    assert shell.run("tojson $xs; echo ${map[k]}").stdout == "[1,[3]]\nown\n"
    assert fork.run("tojson $xs; echo ${map[k]}").stdout == "[1,[4]]\ntheirs\n"


@pytest.mark.parametrize(
    ("script", "own_script", "kind", "name"),
    [
        ("x=2", "x=3", "variable", "x"),
        ("x=2", 'x="2"', "variable", "x"),
        ("unset x", "x=3", "variable", "x"),
        ("export x", "readonly x", "variable", "x"),
        ("new=1", "new=2", "variable", "new"),
        ("xs=[1, 2]", "unset xs; xs=(1 2)", "variable", "xs"),
        ("f() { echo 1; }", "f() { echo 2; }", "function", "f"),
        ("unset -f f", "f() { echo 2; }", "function", "f"),
        ("alias ll=1", "unalias ll", "alias", "ll"),
        ("trap 'echo 1' USR1", "trap '' USR1", "trap", "USR1"),
        ("set -- 1", "set -- 2", "arguments", ""),
        ("umask 1", "umask 2", "umask", ""),
    ],
)
def test_facts_in_conflict(script: str, own_script: str, kind: str, name: str) -> None:
    found = conflict(f"{script}; y=2", f"{own_script}; z=3")
    assert found.facts == {kind: [name]}
    assert not found.paths


def test_a_conflict_lists_all() -> None:
    found = conflict(
        "x=2; y=2; f() { :; }; echo 1 > a; rm b; cd d",
        "x=3; y=3; f() { true; }; rm a; echo > b; cd /",
    )
    assert str(found) == (
        "both sides have changed: file /w/a, /w/b; variable PWD, x, y; function f; directory"
    )
    assert (found.variables, found.functions, found.options) == (["PWD", "x", "y"], ["f"], [])
    again = pickle.loads(pickle.dumps(found))
    assert (again.paths, str(again)) == (found.paths, str(found))


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("script", "look", "expected"),
    [
        ("echo new > n", "cat n", "new\n"),
        ("echo more >> a", "cat a", "a\nmore\n"),
        ("rm a", "ls", "b\nc\nd\n"),
        ("rm -r d", "ls", "a\nb\nc\n"),
        ("mv a z", "ls; cat z", "b\nc\nd\nz\na\n"),
        ("mv d z", "cat z/e", "e\n"),
        ("mkdir -p p/q; echo x > p/q/r", "cat p/q/r", "x\n"),
        ("chmod 600 a", "stat -c %a a", "600\n"),
        ("ln -s a l", "readlink l", "a\n"),
        ("ln a l", "echo x >> l; cat a; stat -c %h a", "a\nx\n2\n"),
        ("rm a; mkdir a; echo x > a/b", "cat a/b", "x\n"),
        ("rm -r d; echo x > d", "cat d", "x\n"),
        ("touch -d 2001-02-03 a", "stat -c %y a | cut -c1-10", "2001-02-03\n"),
        ("mkfifo p", "stat -c %F p", "fifo\n"),
    ],
)
def test_a_path_is_taken(script: str, look: str, expected: str) -> None:
    assert merged(script, "echo mine > mine; echo b2 > b; rm mine").run(look).stdout == expected


def test_both_alike() -> None:
    shell = merged(
        "rm a; mkdir n; echo 1 > n/1; chmod 600 b", "chmod 600 b; mkdir n; echo 2 > n/2; rm a"
    )
    assert shell.run("ls . n; stat -c %a b").stdout == ".:\nb\nc\nd\nn\n\nn:\n1\n2\n600\n"


@pytest.mark.parametrize(
    ("script", "own_script", "paths"),
    [
        ("echo 1 > a", "echo 2 > a", ["/w/a"]),
        ("echo 1 > a", "rm a", ["/w/a"]),
        ("echo 1 > a", "chmod 600 a", ["/w/a"]),
        ("echo 1 > a", "mv a z", ["/w/a"]),
        ("echo 1 > a", "ln a z", ["/w/a"]),
        ("echo 1 > n", "mkdir n", ["/w/n"]),
        ("ln -s a n", "ln -s b n", ["/w/n"]),
        ("rm -r d", "echo x > d/new", ["/w/d/new"]),
        ("rm -r d; echo x > d", "echo x > d/new", ["/w/d/new"]),
        ("rm -r d", "mkdir d/p; echo x > d/p/q", ["/w/d/p"]),
        ("mv d z", "echo x > d/new", ["/w/d/new"]),
        ("rm -r d", "echo x > d/e", ["/w/d/e"]),
        ("rm -r d", "chmod 700 d", ["/w/d"]),
        ("rm a; ln b a", "rm a; ln c a", ["/w/a"]),
    ],
)
def test_paths_in_conflict(script: str, own_script: str, paths: list[str]) -> None:
    found = conflict(f"echo only > fork; {script}", f"{own_script}; echo only > own")
    assert found.paths == paths
    assert not found.facts


def test_an_open_descriptor_sees_what_was_merged() -> None:
    shell = prepared()
    shell.run("exec 3<> a")
    fork = shell.fork()
    fork.run("echo changed > a")
    shell.merge(fork)
    assert shell.run("cat <&3").stdout == "changed\n"


def test_nothing_changed() -> None:
    """Times, inodes and all: a merge of nothing leaves no trace."""
    shell = prepared()
    shell.run("ln a l; ln -s a s; mkdir empty")
    used, unused = shell.fork(), shell.fork()
    used.run("cat a b > /dev/null; ls -R > /dev/null; x=2; x=1; (cd d)")
    files, state = files_of(shell.fs, with_inodes=True), StateVersion(shell.state)
    shell.merge(used)
    shell.merge(unused)
    assert files == files_of(shell.fs, with_inodes=True)
    assert state.is_of(shell.state)


def test_a_second_merge_takes_what_is_new() -> None:
    shell = prepared()
    fork = shell.fork()
    fork.run("echo 1 > n; x=2; echo 1 > a")
    shell.merge(fork)
    shell.run("echo own >> n; x=9; y=8")
    fork.run("echo 2 > m; y2=5; echo 2 >> a")
    assert [change.path for change in fork.changes().files] == ["/w/a", "/w/m"]
    assert [change.name for change in fork.changes().state] == ["y2"]
    shell.merge(fork)
    assert shell.run("cat n m a; echo $x $y $y2").stdout == "1\nown\n2\n1\n2\n9 8 5\n"
    fork.run("x=3; echo theirs > n")
    with pytest.raises(MergeConflict) as raised:
        shell.merge(fork)
    assert (raised.value.paths, raised.value.variables) == (["/w/n"], ["x"])


def test_forks_of_forks() -> None:
    shell = prepared()
    child = shell.fork()
    child.run("echo child >> a; x=2")
    grandchild = child.fork()
    grandchild.run("echo grandchild >> a; y=2; rm b")
    with pytest.raises(ValueError, match="its own forks"):
        shell.merge(grandchild)
    child.merge(grandchild)
    assert shell.run("cat a; ls b").stdout == "a\nb\n"
    shell.merge(child)
    assert shell.run("cat a; ls; echo $x $y").stdout == "a\nchild\ngrandchild\na\nc\nd\n2 2\n"


def test_an_entry_in_a_removed_directory_is_listed_with_the_rest() -> None:
    found = conflict("x=2; rm -r d; echo 1 > a", "x=3; echo x > d/new; echo 2 > a")
    assert str(found) == "both sides have changed: file /w/a, /w/d/new; variable x"


def test_a_file_that_loses_a_name_leaves_the_directory_of_the_other_alone() -> None:
    shell = prepared()
    shell.run("ln b d/b; touch -d 2001-02-03 d")
    fork = shell.fork()
    fork.run("cp b new; mv new b; echo other > b")
    shell.merge(fork)
    assert shell.run("cat b d/b; stat -c '%h %y' d/b d | cut -c1-12").stdout == (
        f"other\nb\n1 {fork.run('stat -c %y d/b').stdout[:10]}\n2 2001-02-03\n"
    )


def test_a_merge_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\n")
    (tmp_path / "b").write_text("b\n")
    shell = Shell({"/work": LocalFS(tmp_path)}, files={"/m": "m\n"}, cwd="/work", journal=True)
    shell.run("x=1; set -f")
    fork = shell.fork()
    fork.run("x=2; set +f; echo more >> a; rm b; mkdir d; echo e > d/e; echo n > /m; ln a l")
    before = files_of(shell.fs), StateVersion(shell.state)
    shell.merge(fork)
    after = files_of(shell.fs), StateVersion(shell.state)
    entry = shell.history[-1]
    assert entry.text == "merge"
    assert entry.changes.is_complete
    changed = ["/m", "/work/a", "/work/b", "/work/d", "/work/d/e", "/work/l"]
    assert [change.path for change in entry.changes.files] == changed
    assert [change.name for change in entry.changes.state] == ["x", "noglob"]
    for act, (files, state) in ((shell.undo, before), (shell.redo, after), (shell.undo, before)):
        act()
        assert files_of(shell.fs) == files
        assert not state_changes(state, StateVersion(shell.state))
    conflicting = shell.fork()
    conflicting.run("x=3")
    shell.run("x=4")
    with pytest.raises(MergeConflict):
        shell.merge(conflicting)
    assert shell.history[-1].text == "x=4"


# ---------------------------------------------------------------- what is refused


def test_what_is_no_fork_is_refused() -> None:
    shell = prepared()
    for other in (Shell(), shell, shell.fork().fork(), None, "fork"):
        with pytest.raises(ValueError, match="a shell merges only its own forks"):
            shell.merge(other)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="this shell is no fork"):
        shell.changes()


def test_nothing_is_merged_during_a_run() -> None:
    shell = prepared()
    fork = shell.fork()

    def refuse(sh: Call) -> str:
        """Try to merge while a run is in progress."""
        with pytest.raises(KeyshError, match="in progress"):
            shell.merge(fork)
        return "refused"

    for side in (shell, fork):
        side.add(refuse)
        assert side.run("refuse").stdout == "refused"

    def look(sh: Call) -> str:
        """Ask for changes while a run is in progress."""
        with pytest.raises(KeyshError, match="in progress"):
            fork.changes()
        return "refused"

    fork.add(look)
    assert fork.run("look").stdout == "refused"


def test_open_files_and_jobs_of_the_fork_are_refused(work: Path) -> None:
    shell = Shell({"/work": LocalFS(work)}, cwd="/work")
    fork = shell.fork()
    fork.run("exec 3>> a; echo one >&3; exec 4> /m")
    with pytest.raises(KeyshError, match="the fork has open files in /work"):
        shell.merge(fork)
    fork.run("echo two >&3; exec 3>&-; sleep 1000 & x=1")
    with pytest.raises(KeyshError, match=r"job 1 \(sleep 1000\) of the fork still runs"):
        shell.merge(fork)
    assert not fork.changes().is_complete
    assert (work / "a").read_text() == "a\n"
    fork.run("kill %1; wait")
    shell.merge(fork)
    assert shell.run("cat a; echo $x").stdout == "a\none\ntwo\n1\n"


def test_other_mounts_are_refused() -> None:
    shell = Shell({"/m": MemoryFS({"/f": "1"})})
    fork = shell.fork()
    fork.run("echo 2 > /m/f")
    shell.fs.unmount("/m")
    with pytest.raises(ValueError, match="what is mounted at /m is not what was there"):
        shell.merge(fork)


# ---------------------------------------------------------------- directories of the machine


@pytest.fixture
def work(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text(f"{name}\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/e").write_text("e\n")
    return tmp_path


def test_a_directory_of_the_machine(work: Path) -> None:
    shell = Shell({"/work": LocalFS(work)}, cwd="/work")
    fork = shell.fork()
    fork.run(
        "echo more >> a; rm b; mkdir -p p/q; echo x > p/q/r; ln -s a l; chmod 700 c; mv d z\n"
        "echo m > /m"
    )
    assert (work / "a").read_text() == "a\n"
    (work / "own").write_text("own\n")
    assert [f"{change.kind} {change.path}" for change in fork.changes().files] == [
        "created /m", "changed /work/a", "removed /work/b", "mode /work/c", "removed /work/d",
        "removed /work/d/e", "created /work/l", "created /work/p", "created /work/p/q",
        "created /work/p/q/r", "created /work/z", "created /work/z/e",
    ]  # fmt: skip
    shell.merge(fork)
    assert (work / "a").read_text() == "a\nmore\n"
    assert (work / "p/q/r").read_text() == "x\n"
    assert (work / "z/e").read_text() == "e\n"
    assert (work / "l").readlink() == Path("a")
    assert (work / "c").stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in work.iterdir()) == ["a", "c", "l", "own", "p", "z"]
    assert not fork.changes()
    assert shell.run("cat /m").stdout == "m\n"
    fork.run("echo again >> a")
    shell.merge(fork)
    assert (work / "a").read_text() == "a\nmore\nagain\n"


def test_made_in_both(work: Path) -> None:
    shell = Shell({"/work": LocalFS(work)}, cwd="/work")
    fork = shell.fork()
    fork.run("mkdir n; echo 1 > n/1; echo same > a; rm -r d; mkdir d; echo f > d/f")
    shell.run("mkdir n; echo 2 > n/2; echo same > a; echo g > d/g")
    shell.merge(fork)
    assert shell.run("ls n d; cat a").stdout == "d:\nf\ng\n\nn:\n1\n2\nsame\n"


@pytest.mark.parametrize(
    ("script", "own_script", "paths"),
    [
        ("echo 1 > a", "echo 2 > a", ["/work/a"]),
        ("echo 1 > a", "rm a", ["/work/a"]),
        ("rm a", "chmod 600 a", ["/work/a"]),
        ("echo 1 > n", "echo 2 > n", ["/work/n"]),
        ("rm -r d", "echo x > d/new", ["/work/d/new"]),
        ("echo x > d/new", "rm -r d", ["/work/d/new"]),
        ("chmod 700 d", "chmod 711 d", ["/work/d"]),
    ],
)
def test_conflicts_on_the_machine(
    work: Path, script: str, own_script: str, paths: list[str]
) -> None:
    shell = Shell({"/work": LocalFS(work)}, cwd="/work")
    fork = shell.fork()
    assert fork.run(f"{script}; echo x > only; echo x > /tmp/only").ok
    assert shell.run(own_script).ok
    before = files_of(shell.fs, with_inodes=True)
    for _ in range(2):
        with pytest.raises(MergeConflict) as raised:
            shell.merge(fork)
        assert raised.value.paths == paths
        assert files_of(shell.fs, with_inodes=True) == before
    assert fork.run("cat only").stdout == "x\n"


def test_hard_links_on_the_machine(work: Path) -> None:
    (work / "other").hardlink_to(work / "a")
    shell = Shell({"/work": LocalFS(work)}, cwd="/work")
    fork = shell.fork()
    fork.run("echo changed > a; echo new > n; ln n m")
    shell.merge(fork)
    assert (work / "other").read_text() == "a\n"
    assert (work / "a").read_text() == "changed\n"
    assert (work / "n").stat().st_ino == (work / "m").stat().st_ino


def test_an_overlay_of_the_host(work: Path) -> None:
    shell = Shell({"/work": OverlayFS(LocalFS(work))}, cwd="/work")
    shell.run("echo first > a; rm b")
    fork = shell.fork()
    fork.run("echo second > a; rm -r d; mkdir d; echo n > d/n; echo b2 > b")
    shell.run("echo own > own; rm c")
    shell.merge(fork)
    assert shell.run("cat a b; ls . d").stdout == "second\nb2\n.:\na\nb\nd\nown\n\nd:\nn\n"
    assert (work / "a").read_text() == "a\n"
    fork.run("echo third > a")
    shell.run("echo 3 > a")
    with pytest.raises(MergeConflict) as raised:
        shell.merge(fork)
    assert raised.value.paths == ["/work/a"]


def test_a_database(tmp_path: Path) -> None:
    with SqliteFS(tmp_path / "files.db") as files:
        shell = Shell(files)
        shell.run("mkdir /x; echo 1 > /x/a; echo 2 > /x/b")
        fork = shell.fork()
        fork.run("echo 3 >> /x/a; rm /x/b; mkdir /x/y; ln /x/a /x/y/l; chmod 600 /x/a")
        assert [f"{change.kind} {change.path}" for change in fork.changes().files] == [
            "changed /x/a", "removed /x/b", "created /x/y", "created /x/y/l",
        ]  # fmt: skip
        shell.merge(fork)
        assert shell.run("cat /x/y/l; stat -c '%h %a' /x/a; ls /x").stdout == "1\n3\n2 600\na\ny\n"
        assert not fork.changes()


def test_owners_are_no_changes(work: Path) -> None:
    """An overlay keeps no owners, so that a copy of a file of somebody else has another one."""
    if os.getuid():
        pytest.skip("only root gives files away")
    for path in (work, work / "d", work / "a"):
        os.chown(path, 65534, 65534)
    for fs in (LocalFS(work), OverlayFS(LocalFS(work))):
        shell = Shell({"/work": fs}, cwd="/work")
        fork = shell.fork()
        fork.run("echo x > d/new; chmod 600 a; chmod 644 a; echo x >> a")
        assert [f"{change.kind} {change.path}" for change in fork.changes().files] == [
            "changed /work/a", "created /work/d/new",
        ]  # fmt: skip
        shell.merge(fork)
        if isinstance(fs, LocalFS):
            assert (work / "a").stat().st_uid == (work / "d").stat().st_uid == 65534
            shell.run("rm d/new")


def test_shared_and_read_only_mounts_take_no_part(work: Path) -> None:
    shared, fixed = MemoryFS({"/s": "0\n"}), MemoryFS({"/r": "0\n"})
    shell = Shell({"/shared": shared, "/fixed": ReadOnlyFS(fixed), "/work": LocalFS(work)})
    fork = shell.fork(share=["/shared", "/work"])
    with fixed.open("/r", "w") as stream:
        stream.write(b"1\n")
    fork.run("echo 1 > /shared/s; echo 1 > /work/a; echo 1 > /fixed/r; echo 1 > /f")
    assert fork.run("cat /fixed/r").stdout == "0\n"
    assert [change.path for change in fork.changes().files] == ["/f"]
    shell.merge(fork)
    assert shell.run("cat /shared/s /work/a /f /fixed/r").stdout == "1\n" * 4


def test_one_file_system_at_two_points() -> None:
    twice = MemoryFS({"/f": "0\n"})
    shell = Shell({"/a": twice, "/b": twice})
    fork = shell.fork()
    fork.run("echo 1 > /a/f; echo 2 > /b/g")
    assert fork.run("cat /b/f /a/g").stdout == "1\n2\n"
    shell.merge(fork)
    assert shell.run("cat /b/f /a/g").stdout == "1\n2\n"


def test_a_failure_in_the_middle_leaves_everything(work: Path) -> None:
    memory = MemoryFS({"/f": "0123456789"}, max_bytes=20)
    shell = Shell({"/work": LocalFS(work), "/m": memory})
    fork = shell.fork()
    fork.run("x=1; echo changed > /work/a; rm /work/b; echo 0123456 > /m/g")
    shell.run("echo 0123456 > /m/h")
    before = files_of(shell.fs)
    with pytest.raises(OSError, match="space") as raised:
        shell.merge(fork)
    assert raised.value.errno == errno.ENOSPC
    assert files_of(shell.fs) == before
    assert "x" not in shell.vars
    shell.run("rm /m/h")
    shell.merge(fork)
    assert shell.run("cat /work/a /m/g; ls /work/b; echo $x").stdout == "changed\n0123456\n1\n"
