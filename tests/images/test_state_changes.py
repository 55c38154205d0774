"""What became of a state: each kind of fact, typed, and nothing that did not change."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh import Shell
from keysh.shell.history.state_changes import state_changes
from keysh.shell.history.state_version import StateVersion
from keysh.values import ShellList, deep_copy, is_same_value

BEFORE = """
n=1; xs=[1, 2]; declare -A map=([k]=v); array=(a b c); declare -i i=3; gone=1; same=[{a: 1}]
f() { echo 1; }; kept() { echo kept; }; alias ll='ls -l'; trap 'echo usr' USR1
mkdir -p /d /e
"""


def changed(script: str, before: str = BEFORE) -> dict[tuple[str, str], tuple[object, object]]:
    """Return the changes that a script makes, by kind and name."""
    shell = Shell()
    assert shell.run(before).ok
    version = StateVersion(shell.state)
    shell.run(script)
    found = state_changes(version, StateVersion(shell.state))
    for change in found:
        json.dumps(change.record())
    return {(change.kind, change.name): (change.before, change.after) for change in found}


@pytest.mark.parametrize(
    ("script", "kind", "name", "before", "after"),
    [
        ("unset gone", "variable", "gone", "1", "none"),
        ("new=x", "variable", "new", "none", "'x'"),
        ("new=$(fromjson <<< null)", "variable", "new", "none", "None"),
        ('n="1"', "variable", "n", "1", "'1'"),
        ("export n", "variable", "n", "1", "exported 1"),
        ("readonly new", "variable", "new", "none", "readonly None"),
        ("xs[0]=5", "variable", "xs", "[1, 2]", "[5, 2]"),
        ("push xs 3", "variable", "xs", "[1, 2]", "[1, 2, '3']"),
        ("map[l]=w", "variable", "map", "array {'k': 'v'}", "array {'k': 'v', 'l': 'w'}"),
        ("f() { echo 2; }", "function", "f", "'f () \\n{", "'f () \\n{"),
        ("unset -f f", "function", "f", "'f () \\n{", "none"),
        ("alias ll=dir", "alias", "ll", "'ls -l'", "'dir'"),
        ("trap - USR1", "trap", "USR1", "'echo usr'", "none"),
        ("trap '' TERM", "trap", "TERM", "none", "''"),
        ("set -u", "option", "nounset", "False", "True"),
        ("set +h", "option", "hashall", "True", "False"),
        ("set -- a b", "arguments", "", "[]", "['a', 'b']"),
        ("umask 077", "umask", "", "18", "63"),
    ],
)
def test_one_change(script: str, kind: str, name: str, before: str, after: str) -> None:
    shell = Shell()
    assert shell.run(BEFORE).ok
    version = StateVersion(shell.state)
    assert shell.run(script).ok
    (change,) = state_changes(version, StateVersion(shell.state))
    assert (change.kind, change.name) == (kind, name)
    assert repr(change).startswith(f"<StateChange {f'{kind} {name}'.strip()}: {before}")
    assert after in repr(change)
    (back,) = state_changes(StateVersion(shell.state), version)
    assert (back.before, back.after) == (change.after, change.before)


def test_directories() -> None:
    found = changed("cd /d; pushd /e > /dev/null")
    assert found["directory", ""] == ("/", "/e")
    assert found["directory stack", ""] == ([], ["/d"])
    assert {name for kind, name in found if kind == "variable"} == {"PWD", "OLDPWD"}


@pytest.mark.parametrize(
    "script",
    [
        "true", "false", "echo $RANDOM $SECONDS; ls /", "n=1", "n=2; n=1", "xs=[1, 2]",
        "push xs 1; unset xs; xs=[1, 2]", "f() { echo 1; }", "alias ll='ls -l'", "(n=2; cd /d)",
        "trap 'echo usr' USR1", "set -u; set +u", "cd /d; cd /; unset OLDPWD", "f; kept",
        "x=1 f", "same=[{a: 1}]", "set -- ; set --",
    ],
)  # fmt: skip
def test_nothing_changed(script: str) -> None:
    assert not changed(script)


def test_an_array_is_no_list() -> None:
    assert changed('unset xs; xs=("1" "2")')["variable", "xs"]
    assert changed("unset 'array[1]'; array+=(d)")["variable", "array"]
    holes = changed("unset 'array[1]'", BEFORE)["variable", "array"]
    assert [version.value for version in holes] == [["a", "b", "c"], ["a", "c"]]


def test_the_dialect_of_a_function_counts() -> None:
    shell = Shell()
    shell.run("f() { echo 1; }")
    version = StateVersion(shell.state)
    shell.run("f() { echo 1; }", dialect="bash")
    (change,) = state_changes(version, StateVersion(shell.state))
    assert change.record()["before"]["dialect"] == "keysh"
    assert change.record()["after"]["dialect"] == "bash"


def test_a_version_comes_back() -> None:
    shell = Shell()
    shell.run(BEFORE)
    version = StateVersion(shell.state)
    look = "RANDOM=5; declare -p; declare -f; alias; trap -p; set -o; shopt; pwd; umask; tojson $xs"
    before = shell.run(look).stdout
    assert shell.run(
        "n=2; xs[0]=9; map[k]=w; unset array; f() { :; }; unset -f kept; alias ll=x; trap - USR1\n"
        "set -u; cd /d; umask 0; set -- a; declare -A fresh=([a]=b); shopt -s nullglob; RANDOM=3"
    ).ok
    assert shell.run(look).stdout != before
    version.put_into(shell.state)
    assert shell.run(look).stdout == before
    shell.run("xs[0]=7; map[k]=u")
    version.put_into(shell.state)
    assert shell.run(look).stdout == before


def test_a_version_knows_its_state() -> None:
    shell = Shell()
    shell.run(BEFORE)
    version = StateVersion(shell.state)
    assert version.is_of(shell.state)
    for script in ("n=2", "xs[0]=3", "set -u", "f() { :; }", "alias x=y", "cd /d", "false"):
        version = StateVersion(shell.state)
        shell.run(script)
        assert not version.is_of(shell.state)


values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 2),
        st.sampled_from([0.0, -0.0, 1.0, 1.5]),
        st.sampled_from(["", "1", "1.0", "true", "a"]),
    ),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.lists(inner, max_size=2).map(ShellList)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)


def form(value: object) -> object:
    """Return a value with the types of all that is in it."""
    if isinstance(value, list):
        return type(value).__name__, [form(item) for item in value]
    if isinstance(value, dict):
        return type(value).__name__, [(key, form(item)) for key, item in value.items()]
    return type(value).__name__, repr(value)


@settings(max_examples=500, deadline=None)
@given(values, values)
def test_same_values(value: object, other: object) -> None:
    assert is_same_value(value, other) == (form(value) == form(other))
    assert is_same_value(value, deep_copy(value))
