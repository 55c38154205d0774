"""Random scripts in shells, their forks and the forks of those, with merges in any order.

The first test has a model of plain dictionaries: what each side has, what each fork began with, and
a merge of dictionaries. The second one merges the same forks in all orders, which must not matter.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from images.shell_picture import files_of
from keysh import MemoryFS, MergeConflict, Shell
from keysh.shell.history.state_changes import state_changes
from keysh.shell.history.state_version import StateVersion

MAX_SHELLS = 7
ROOT = "/t"
PATHS = ("a", "b", "d", "d/a", "d/e", "d/e/a", "d/b")
DIRECTORY = "a directory"

names = st.sampled_from(["x", "y", "xs"])
paths = st.sampled_from(PATHS).map(lambda path: f"{ROOT}/{path}")
numbers = st.integers(0, 3)


def above(path: str) -> str:
    return path.rpartition("/")[0]


class Model:
    """What a shell has: variables, and files by path with their content and mode."""

    def __init__(self) -> None:
        self.variables: dict[str, object] = {}
        self.files: dict[str, object] = {ROOT: DIRECTORY}

    def copy(self) -> Model:
        copy = Model()
        copy.variables, copy.files = dict(self.variables), dict(self.files)
        return copy

    def has_directory(self, path: str) -> bool:
        return self.files.get(path) == DIRECTORY


def merged(base: dict[str, object], theirs: dict[str, object], ours: dict[str, object]) -> object:
    """Return the merged dictionary and the keys in conflict."""
    result, conflicts = dict(ours), set()
    for key in {**base, **theirs}:
        was, now, own = base.get(key), theirs.get(key), ours.get(key)
        if was == now or now == own:
            continue
        if own != was:
            conflicts.add(key)
        elif now is None:
            del result[key]
        else:
            result[key] = now
    return result, conflicts


def misplaced(
    theirs: dict[str, object], ours: dict[str, object], both: dict[str, object]
) -> set[str]:
    """Return what has no directory any more, as seen by the side that has made it."""
    return {
        path
        for path in both
        if path != ROOT
        and both.get(above(path)) != DIRECTORY
        # What hangs on a lost directory by way of another one is named by that one alone.
        and (above(path) not in both or both[above(path)] != DIRECTORY)
        and (path in theirs or path in ours)
    }


class Merges(RuleBasedStateMachine):
    """A family of shells, and the model of each; `begun` has the bases of the forks."""

    family = Bundle("family")

    def __init__(self) -> None:
        super().__init__()
        self.models: dict[Shell, Model] = {}
        self.begun: dict[Shell, Model] = {}
        self.parents: dict[Shell, Shell] = {}

    @rule(target=family)
    def begin(self) -> Shell:
        if self.models:
            return next(iter(self.models))
        shell = Shell()
        assert shell.run(f"mkdir {ROOT}").ok
        self.models[shell] = Model()
        return shell

    @rule(target=family, shell=family)
    def fork(self, shell: Shell) -> Shell:
        if len(self.models) == MAX_SHELLS:
            return shell
        fork = shell.fork()
        self.models[fork], self.begun[fork] = self.models[shell].copy(), self.models[shell].copy()
        self.parents[fork] = shell
        return fork

    @rule(shell=family, name=names, value=numbers | st.none())
    def set(self, shell: Shell, name: str, value: int | None) -> None:
        if value is None:
            self.models[shell].variables.pop(name, None)
            assert shell.run(f"unset {name}").ok
        else:
            self.models[shell].variables[name] = [value] if name == "xs" else value
            assert shell.run(f"{name}={[value] if name == 'xs' else value}").ok

    @rule(shell=family, value=numbers)
    def push(self, shell: Shell, value: int) -> None:
        variables = self.models[shell].variables
        variables["xs"] = [*variables.get("xs", []), str(value)]  # type: ignore[misc]
        assert shell.run(f"[[ -v xs ]] || xs=[]; push xs {value}").ok

    @rule(shell=family, path=paths, text=numbers, mode=st.sampled_from(["600", "644"]))
    def write(self, shell: Shell, path: str, text: int, mode: str) -> None:
        model = self.models[shell]
        is_possible = model.has_directory(above(path)) and not model.has_directory(path)
        assert shell.run(f"echo {text} > {path} && chmod {mode} {path}").ok is is_possible
        if is_possible:
            model.files[path] = text, mode

    @rule(shell=family, path=paths)
    def make_directory(self, shell: Shell, path: str) -> None:
        model = self.models[shell]
        is_possible = model.has_directory(above(path)) and path not in model.files
        assert shell.run(f"mkdir {path}").ok is is_possible
        if is_possible:
            model.files[path] = DIRECTORY

    @rule(shell=family, path=paths)
    def remove(self, shell: Shell, path: str) -> None:
        model = self.models[shell]
        assert shell.run(f"rm -rf {path}").ok
        model.files = {
            other: what
            for other, what in model.files.items()
            if other != path and not other.startswith(f"{path}/")
        }

    @rule(shell=family, path=paths, new=paths)
    def move(self, shell: Shell, path: str, new: str) -> None:
        model = self.models[shell]
        if path not in model.files or new in model.files or not model.has_directory(above(new)):
            return
        if new.startswith(f"{path}/"):
            return
        assert shell.run(f"mv {path} {new}").ok
        model.files = {
            new + other[len(path) :]
            if other == path or other.startswith(f"{path}/")
            else other: what
            for other, what in model.files.items()
        }

    @rule(fork=family)
    def merge(self, fork: Shell) -> None:
        shell = self.parents.get(fork)
        if shell is None:
            return
        base, theirs, ours = self.begun[fork], self.models[fork], self.models[shell]
        variables, facts = merged(base.variables, theirs.variables, ours.variables)
        files, found = merged(base.files, theirs.files, ours.files)
        found |= misplaced(theirs.files, ours.files, files)
        assert sorted(change.name for change in fork.changes().state) == sorted(
            name
            for name in {**base.variables, **theirs.variables}
            if base.variables.get(name) != theirs.variables.get(name)
        )
        if not found and not facts:
            shell.merge(fork)
            ours.variables, ours.files = variables, files
            self.begun[fork] = theirs.copy()
            assert not fork.changes()
            return
        with pytest.raises(MergeConflict) as raised:
            shell.merge(fork)
        assert sorted(found) == raised.value.paths
        assert sorted(facts) == raised.value.variables

    @invariant()
    def compare(self) -> None:
        for shell, model in self.models.items():
            assert {name: shell.vars.get(name) for name in model.variables} == model.variables
            assert not {"x", "y", "xs"} - {*model.variables} & {*shell.vars}
            there = {
                path: DIRECTORY if found[0] & 0o40000 else (int(found[2]), f"{found[0] & 0o777:o}")  # type: ignore[operator, call-overload]
                for path, found in files_of(shell.fs).items()
                if path.startswith(ROOT) and path != "/tmp"
            }
            assert there == model.files


TestMerges = Merges.TestCase
TestMerges.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, derandomize=True
)


# ---------------------------------------------------------------- any order

commands = st.one_of(
    st.builds("{}={}".format, st.sampled_from("xyz"), numbers),
    st.sampled_from(
        [
            "push xs 1", "push xs 2", "export x", "set -u", "set -f", "f() { echo 1; }",
            "f() { echo 2; }", "unset -f f", "alias l=ls", "alias l=dir", "unset x", "set -- 1",
            "umask 077", "trap 'echo 1' USR1", "map[k]=1", "map[k]=2",
        ]
    ),
    st.builds("echo {} > {}".format, numbers, paths),
    st.builds("echo {} >> {}".format, numbers, paths),
    st.builds("rm -rf {}".format, paths),
    st.builds("mkdir -p {}".format, paths),
    st.builds("mv {} {}".format, paths, paths),
    st.builds("ln {} {}".format, paths, paths),
    st.builds("ln -s {} {}".format, paths, paths),
    st.builds("chmod {} {}".format, st.sampled_from(["600", "700"]), paths),
    st.builds("touch {}".format, paths),
    st.builds("touch -d @{} {}".format, numbers, paths),
)  # fmt: skip
scripts = st.lists(commands, max_size=3).map("\n".join)
BEFORE = f"""
mkdir -p {ROOT}/d/e; cd {ROOT}; echo a > a; echo b > b; ln b d/b; echo e > d/e/a
x=1; xs=[1]; declare -A map=([k]=v); f() {{ echo old; }}
"""


class World:
    """A shell whose clock counts, and forks that have run a script each."""

    def __init__(self, forks: list[str]) -> None:
        clock = itertools.count(10**18, 10**9)
        self.shell = Shell(MemoryFS(clock=lambda: next(clock)), clock=lambda: next(clock) / 10**9)
        assert self.shell.run(BEFORE).ok
        self.forks = [self.shell.fork() for _ in forks]
        for fork, script in zip(self.forks, forks, strict=True):
            fork.run(script)

    def merge(self, order: tuple[int, ...]) -> tuple[int, list[str], dict[str, list[str]]] | None:
        """Merge the forks; return the conflict, and how many were merged before."""
        for count, index in enumerate(order):
            try:
                self.shell.merge(self.forks[index])
            except MergeConflict as conflict:
                return count, conflict.paths, conflict.facts
        return None


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.lists(scripts, min_size=2, max_size=3))
def test_the_order_does_not_matter(forks: list[str]) -> None:
    worlds = []
    for order in itertools.permutations(range(len(forks))):
        world = World(forks)
        worlds.append((world, world.merge(order)))
    first, conflict = worlds[0]
    for other, other_conflict in worlds[1:]:
        assert (conflict is None) == (other_conflict is None)
        if conflict is None:
            assert files_of(first.shell.fs) == files_of(other.shell.fs)
            states = StateVersion(first.shell.state), StateVersion(other.shell.state)
            assert not state_changes(*states)
        elif len(forks) == 2:
            assert conflict == other_conflict


@settings(max_examples=60, deadline=None, derandomize=True)
@given(scripts, scripts)
def test_two_that_do_the_same_do_not_disturb_each_other(script: str, other: str) -> None:
    world = World([script, script, ""])
    assert world.merge((0, 1, 2)) is None
    files = files_of(world.shell.fs)
    assert world.merge((2, 1, 0)) is None
    assert files == files_of(world.shell.fs)
    world.forks[0].run(other)
    assert world.merge((0,)) is None
