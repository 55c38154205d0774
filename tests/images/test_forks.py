"""Forks of a shell: each side sees what was there before, and nothing of the other one after."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, rule

from keysh import Call, KeyshError, Limits, LocalFS, OverlayFS, Shell

SETUP = r"""
x=1; xs=[1, [2, 3]]; declare -A map=([k]=v); array=(a b); declare -i n=5; export e=1; readonly r=1
f() { echo "f $1"; }; alias ll='ls -l'; trap 'echo bye' EXIT; trap '' TERM; set -u
mkdir -p /d; echo one > /d/f; cd /d; pushd / > /dev/null; umask 027; set -- first second; RANDOM=7
"""
LOOK = r"""
declare -p x map array n e r; tojson $xs; f here; alias; trap -p; set -o | grep nounset
cat /d/f; pwd; dirs; umask; echo "$@" $RANDOM
"""


def prepared() -> Shell:
    """Return a shell with something of each kind in it; its EXIT trap waits as at a prompt."""
    shell = Shell()
    shell.state.session.is_interactive = True
    assert shell.run(SETUP).ok
    return shell


def test_a_fork_sees_everything() -> None:
    shell = prepared()
    fork = shell.fork()
    fork.state.session.is_interactive = True
    assert fork.run(LOOK).stdout == shell.run(LOOK).stdout


def test_neither_changes_the_other() -> None:
    shell = prepared()
    before = shell.run("RANDOM=1; " + LOOK).stdout
    fork = shell.fork()
    assert fork.run(
        "x=2; xs[1][0]=9; map[k]=w; array+=(c); n=6; f() { echo other; }; unalias ll; trap - TERM\n"
        "set +u; echo two > /d/f; rm -r /d; mkdir /new; cd /new; umask 0; set --; RANDOM=2"
    ).ok
    assert shell.run("RANDOM=1; " + LOOK).stdout == before
    assert shell.run("xs[1][0]=8; echo more >> /d/f; y=1").ok
    assert fork.run("tojson $xs; ls /; echo ${y-unset}").stdout.split() == [
        "[1,[9,3]]", "bin", "dev", "new", "tmp", "usr", "unset",
    ]  # fmt: skip


def test_a_fork_of_a_fork() -> None:
    shell = Shell(files={"/f": "0"})
    shells = [shell]
    for number in range(1, 5):
        shells.append(shells[-1].fork())
        shells[-1].run(f"x={number}; echo -n {number} >> /f")
    assert [one.run("echo ${x-0} $(cat /f)").stdout for one in shells] == [
        "0 0\n", "1 01\n", "2 012\n", "3 0123\n", "4 01234\n",
    ]  # fmt: skip


def test_a_directory_of_the_machine_is_overlaid(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("there\n")
    shell = Shell({"/work": LocalFS(tmp_path)}, cwd="/work")
    fork = shell.fork()
    assert fork.run("echo mine > f; echo new > g; cat f g").stdout == "mine\nnew\n"
    assert shell.run("cat f; ls").stdout == "there\nf\n"
    shared = shell.fork(share=["/work"])
    assert shared.run("echo ours > f").ok
    assert shell.run("cat f").stdout == "ours\n"
    assert (tmp_path / "f").read_text() == "ours\n"
    with pytest.raises(ValueError, match="nothing is mounted at /other"):
        shell.fork(share=["/other"])


def test_a_fork_over_an_overlay(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("there\n")
    shell = Shell({"/work": OverlayFS(LocalFS(tmp_path))}, cwd="/work")
    shell.run("echo first > f")
    fork = shell.fork()
    fork.run("echo second > f")
    assert (shell.run("cat f").stdout, fork.run("cat f").stdout) == ("first\n", "second\n")
    assert (tmp_path / "f").read_text() == "there\n"


def hello(sh: Call) -> str:
    """Say hello."""
    return "hello"


def test_a_fork_has_the_doors_and_limits_of_its_shell() -> None:
    shell = Shell(
        commands=[hello], limits=Limits(steps=1000), on_command=lambda name, *_: name != "rm"
    )
    fork = shell.fork()
    assert fork.run("hello").stdout == "hello"
    assert fork.run("rm /tmp/x").code == 126
    limit = fork.run("while :; do x=1; done").limit
    assert limit is not None
    assert limit.kind == "steps"


def test_a_fork_during_a_run_is_refused() -> None:
    shell = Shell()

    def divide(sh: Call) -> str:
        """Ask for a fork."""
        with pytest.raises(KeyshError, match="in progress"):
            shell.fork()
        return "refused"

    shell.add(divide)
    assert shell.run("divide").stdout == "refused"


def test_copies() -> None:
    shell = Shell()
    shell.run("x=[1]")
    twin = copy.deepcopy(shell)
    twin.run("xs[0]=2; x=2")
    assert shell.run("tojson $x").stdout == "[1]\n"
    with pytest.raises(TypeError, match="fork"):
        copy.copy(shell)
    with pytest.raises(TypeError, match="snapshot"):
        pickle.dumps(shell)


def test_reset() -> None:
    shell = Shell(files={"/f": "kept\n"}, env={"HOME": "/h"})
    shell.run("x=1; f() { :; }; cd /tmp; set -u; sleep 100 &")
    shell.reset()
    found = shell.run("echo ${x-unset} $HOME; type -t f; pwd; cat /f; jobs").stdout
    assert found == "unset /h\n/\nkept\n"


def test_forks_in_threads() -> None:
    """Eight threads change what all of them have shared; each finds only its own changes."""
    shell = Shell(files={f"/d/f{number}": f"{number}\n" for number in range(20)})
    shell.run("xs=[0]; declare -A map=([k]=0)")
    forks = [shell.fork() for _ in range(8)]

    def work(number: int) -> str:
        fork = forks[number]
        for turn in range(30):
            at = (number + turn) % 20
            assert fork.run(f"push xs {number}; map[k]={number}; echo {number} >> /d/f{at}").ok
        return fork.run("echo ${#xs[@]} ${map[k]}; cat /d/*").stdout

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(8)))
    for number, text in enumerate(found):
        lines = text.split("\n")
        assert lines[0] == f"31 {number}"
        assert lines.count(str(number)) == 30 + 1
    assert shell.run("tojson $xs; echo ${map[k]}; cat /d/*").stdout.split() == [
        "[0]", "0", *sorted(map(str, range(20)), key=lambda text: f"f{text}"),
    ]  # fmt: skip


def test_forks_in_threads_are_merged() -> None:
    """Eight threads use forks and forks of these at once; then all of it comes together."""
    shell = Shell(files={"/d/f": "0\n"})
    shell.run("xs=[0]; declare -A map=([k]=0)")
    forks = [shell.fork() for _ in range(8)]

    def work(number: int) -> list[str]:
        fork = forks[number]
        for turn in range(10):
            child = fork.fork()
            assert child.run(f"mkdir -p /d/{number}; echo {turn} > /d/{number}/{turn}").ok
            assert fork.run(f"x{number}={turn}").ok
            assert child.run(f"y{number}={turn}; push xs x; map[k]=x").ok
            child.run("unset xs map; xs=[0]; declare -A map=([k]=0)")
            fork.merge(child)
        return sorted(change.path for change in fork.changes().files)

    with ThreadPoolExecutor(8) as pool:
        changed = list(pool.map(work, range(8)))
    for number, fork in enumerate(forks):
        assert changed[number] == [f"/d/{number}", *(f"/d/{number}/{turn}" for turn in range(10))]
        shell.merge(fork)
    found = shell.run("cat /d/*/*; echo $x0 $x7 $y0 $y7; tojson $xs; cat /d/f").stdout
    assert found == "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" * 8 + "9 9 9 9\n[0]\n0\n"


NAMES = ("a", "b", "c")


class Forks(RuleBasedStateMachine):
    """Random changes on random sides of a growing family, against plain copies of what each has."""

    family = Bundle("family")

    def __init__(self) -> None:
        super().__init__()
        self.models: dict[int, tuple[dict[str, list[str]], dict[str, str]]] = {}

    @rule(target=family)
    def begin(self) -> Shell:
        shell = Shell()
        self.models[id(shell)] = ({}, {})
        self.kept = [*getattr(self, "kept", []), shell]
        return shell

    @rule(target=family, shell=family)
    def fork(self, shell: Shell) -> Shell:
        twin = shell.fork()
        self.models[id(twin)] = copy.deepcopy(self.models[id(shell)])
        self.kept.append(twin)
        return twin

    @rule(shell=family, name=st.sampled_from(NAMES), value=st.integers(0, 9))
    def push(self, shell: Shell, name: str, value: int) -> None:
        self.models[id(shell)][0].setdefault(name, []).append(str(value))
        assert shell.run(f"[[ -v {name} ]] || {name}=[]; push {name} {value}").ok

    @rule(shell=family, name=st.sampled_from(NAMES), text=st.sampled_from(["x", "yy", ""]))
    def write(self, shell: Shell, name: str, text: str) -> None:
        files = self.models[id(shell)][1]
        files[name] = files.get(name, "") + text
        assert shell.run(f"printf %s '{text}' >> /tmp/{name}").ok

    @rule(shell=family, name=st.sampled_from(NAMES))
    def remove(self, shell: Shell, name: str) -> None:
        self.models[id(shell)][1].pop(name, None)
        assert shell.run(f"rm -f /tmp/{name}").ok

    @rule(shell=family)
    def look(self, shell: Shell) -> None:
        variables, files = self.models[id(shell)]
        for name in NAMES:
            found = shell.vars.get(name)
            assert found == variables.get(name)
        there = {entry.name: entry for entry in shell.fs.list("/tmp")}
        assert set(there) == set(files)
        for name, text in files.items():
            with shell.fs.open(f"/tmp/{name}") as stream:
                assert stream.read().decode() == text


TestForks = Forks.TestCase
TestForks.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
