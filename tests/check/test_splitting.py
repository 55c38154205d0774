"""W304 of `keysh migrate` reports exactly the expansions that sh may split, compared with sh."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from keysh.check.migrate import differences
from keysh.diagnostics.source import Source
from keysh.schema.command import Command
from keysh.syntax.parser import parse

HOSTILE = "a b"  # pieces of the environment and the arguments


class Programs:
    """A registry that has no builtins: every command is a program of the machine."""

    has_external = True

    def names(self) -> frozenset[str]:
        return frozenset()

    def command_named(self, name: str) -> Command | None:
        return None

    def is_script(self, name: str) -> bool:
        return False


def splits(script: str) -> list[str]:
    """Return the expansions that W304 reports."""
    source = Source(script, "script.sh")
    result = differences(parse(source), Programs())
    return [script[one.start : one.end] for one in result if one.code == "W304"]


def counted(tmp_path: Path, before: str, expansion: str, after: str = "") -> set[int]:
    """Return into how many words sh splits an expansion, each time it is reached."""
    script = f'words() {{ echo "$#" >&3; }}\n{before}\nwords {expansion}\n{after}'
    names = ("x", "y", "old", "A", "B", "MODE")
    done = subprocess.run(
        ["sh", "-c", f"exec 3>&1 >/dev/null\n{script}", "sh", HOSTILE, "2"],
        env={"PATH": "/usr/bin:/bin", "HOME": "/", **dict.fromkeys(names, HOSTILE)},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout, done.stderr
    return {int(line) for line in done.stdout.split()}


WHOLE = [
    ("x=$?", "$x", ""),
    ("x=$#", "$x", ""),
    ("x=$$", "${x}", ""),
    ("x=$((1 + 2))", "$x", ""),
    ("x=${#1}", "$x", ""),
    ("x=plain-text.c", "a$x", ""),
    ("x=", "$x", ""),
    ("", "$((7 * 6))", ""),
    ("", "${#1}", ""),
    ("", "$(id -u)", ""),
    ("", "$(echo a b | wc -w)", ""),
    ("", "$(expr 2 + 3)", ""),
    ("x=$(wc -c < /dev/null)", "$x", ""),
    ("x=1; y=$x.$#; x=$y", "$x", ""),
    ("x=a; x=${x:-b}", "$x", ""),
    ("for x in a b $((1 + 1)); do", "$x", "done"),
    ("for x in $(seq 3); do", "$x", "done"),
    ("", '${1+"x"}', ""),
    ("", "${1:+yes}", ""),
    ("", "${1+'a b'}", ""),
    ("A=1", "$A", ""),
    ("f() { x=$1; }; x=1; y=$x", "$#", ""),
    ("x=one; eval 'y=\"a b\"'", "$x", ""),
    ("x=one; . /dev/null", "$x", ""),
    ("x=one; trap 'rm -f none' 0", "$x", ""),
    ("x=a:b; old=$IFS; IFS=,; IFS=$old", "$x", ""),
    ("while [ $# -gt 0 ]; do shift; x=$#", "$x", "done"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "expansion", "after"), WHOLE)
def test_single_words_are_not_reported(
    tmp_path: Path, before: str, expansion: str, after: str
) -> None:
    assert splits(f"{before}\nwords {expansion}\n{after}") == []
    assert counted(tmp_path, before, expansion, after) <= {0, 1}


SPLIT = [
    ("", "$1", "$1"),
    ("x=$1", "$x", "$x"),
    ("x='a b'", "$x", "$x"),
    ("x='/[du]*'", "$x", "$x"),
    ("x=a; x=$x,$1", "$x", "$x"),
    ('x=a; x="$x $#"', "$x", "$x"),
    ("y=$x; x=1", "$y", "$y"),
    ("x=${x:-none}", "$x", "$x"),
    (": ${x:=none}", "$x", "$x"),
    ("[ -z none ] && A=1", "$A", "$A"),
    ("x=${1#c}", "$x", "$x"),
    ("x=$(echo 'a b')", "$x", "$x"),
    ("seq() { echo 'a b'; }", "$(seq 3)", "$(seq 3)"),
    ("x=1; read x < input", "$x", "$x"),
    ("x=1; eval 'x=\"a b\"'", "$x", "$x"),
    ("x=1; y=x; eval \"$y='a b'\"", "$x", "$x"),
    ("MODE=1; . ./config", "$MODE", "$MODE"),
    ("x=1; for x in 'a b'; do", "$x", "$x"),
    ("x=a:b; IFS=:", "$x", "$x"),
    ("x=a-b; y=-; IFS=$y", "$x", "$x"),
    ("x=1; f() { x=$1; }; f 'a b'", "$x", "$x"),
    ("", "${1+a $1}", "${1+a $1}"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "expansion", "reported"), SPLIT)
def test_splitting_by_sh_is_reported(
    tmp_path: Path, before: str, expansion: str, reported: str
) -> None:
    (tmp_path / "input").write_text("a b\n")
    (tmp_path / "config").write_text("MODE='a b'\n")
    after = "done" if before.endswith("do") else ""
    assert splits(f"{before}\nwords {expansion}\n{after}")[-1:] == [reported]
    assert max(counted(tmp_path, before, expansion, after)) > 1


@pytest.mark.parametrize(
    "script",
    ["exit $1", "return $1", "shift $1", "test $1 -eq 2", "[ $1 -lt $2 ]", "[ 3 -ge $1 ]"],
)
def test_numeric_contexts_do_not_split(script: str) -> None:
    assert splits(script) == []


@pytest.mark.parametrize("script", ["echo $1", "test -n $1", "[ $1 = a ]", "exit 1 $1"])
def test_other_contexts_split(script: str) -> None:
    assert splits(script) == ["$1"]


def test_chain_of_variables_takes_linear_time() -> None:
    chain = "\n".join(f"v{i + 1}=$v{i}" for i in range(2000))
    assert splits(f"v0=1\n{chain}\nwords $v2000") == []
    assert splits(f"v0=$1\n{chain}\nwords $v2000") == ["$v2000"]
