"""Warnings of `keysh migrate` other than W304: where sh differs, and the fix."""

from __future__ import annotations

import pytest

from keysh.check.migrate import Difference, differences
from keysh.check.migration_edits import edited_text
from keysh.diagnostics.source import Source
from keysh.shell.registry import CheckedNames, CommandRegistry
from keysh.syntax.parser import parse


def found(script: str) -> list[Difference]:
    """Return the differences of a script."""
    return differences(
        parse(Source(script, "script.sh")), CheckedNames(CommandRegistry(), (), True)
    )


def told(script: str) -> list[tuple[str, str, str]]:
    """Return code, position and fix of each difference."""
    return [(one.code, script[one.start : one.end], one.fix) for one in found(script)]


def codes(script: str) -> list[str]:
    return [code for code, _, _ in told(script)]


UNMATCHED = "set +o failglob to pass its text as sh does, set -o nullglob for none"


@pytest.mark.parametrize(
    ("script", "place", "fix"),
    [
        ("ls *.c", "*.c", UNMATCHED),
        ("xs=(*.c)", "*.c", UNMATCHED),
        ("local -a xs=(a?)", "a?", UNMATCHED),
        ("for f in *.c; do :; done", "*.c", UNMATCHED),
        ("find . -name *.c", "*.c", "'*.c'"),
        ("grep a* file", "a*", "'a*'"),
        ('[ "$1" = *.c ]', "*.c", "'*.c'"),
        ("rm *.c", "*.c", UNMATCHED),
    ],
)
def test_globs(script: str, place: str, fix: str) -> None:
    assert ("W305", place, fix) in told(script)


@pytest.mark.parametrize(
    "script",
    [
        "rm -f *.c", "rm -rf build/*", "rm --force *.c", "[ -e *.c ]", "test ! -f *.c",
        "shopt -s nullglob; ls *.c; xs=(*.c)", "shopt -u failglob; for f in *.c; do :; done",
        "set +o failglob; ls *.c", "case x in *.c) ;; esac", "[[ x == *.c ]]", "ls '*.c'",
    ],
)  # fmt: skip
def test_globs_with_the_same_meaning_in_sh(script: str) -> None:
    assert "W305" not in codes(script)


@pytest.mark.parametrize(
    "script",
    [
        'ls | while read x; do n=$x; done; echo "$n"', 'ls | read x; echo "$x"',
        "ls | { cd /; }", "f() { ls | while read x; do return 1; done; }",
        "ls | while read x; do exit 1; done", 'ls | for i in 1; do :; done; echo "$i"',
        "ls | while read x; do shift; done", 'ls | while read x; do :; done; eval "$y"',
    ],
)  # fmt: skip
def test_last_stage_that_assigns(script: str) -> None:
    assert "W306" in codes(script)


@pytest.mark.parametrize(
    "script",
    [
        "ls | sort", 'ls | while read x; do echo "$x"; done', "ls | (read x; exit 1)",
        'ls | while read x; do (cd "$x"; exit); done', "read x | cat",
        "ls | LC_ALL=C sort; echo $LC_ALL",
        'ls | while read x; do :; done; for x in a; do echo "$x"; done',
        'ls | while read x; do :; done; ls | while read x; do echo "$x"; done',
    ],
)  # fmt: skip
def test_last_stage_that_does_not_assign(script: str) -> None:
    assert "W306" not in codes(script)


@pytest.mark.parametrize(
    ("script", "place", "fix"),
    [
        ("xs=($1)", "$1", '"$1" for one word, $(words $1) for its words'),
        ("xs=($(cmd a))", "$(cmd a)", '"$(cmd a)" for one word, $(words "$(cmd a)") for all'),
        ("cmd $*", "$*", '"$@"'),
        ("for x in $@; do :; done", "$@", '"$@"'),
        ("xs=(a); cmd ${xs[*]}", "${xs[*]}", '"${xs[@]}"'),
        ("xs=(a); cmd ${xs[@]#*.}", "${xs[@]#*.}", '"${xs[@]#*.}"'),
        ('cmd `cat "a b" \\$x`', '`cat "a b" \\$x`',
         '"$(cat "a b" $x)" for one word, $(words "$(cat "a b" $x)") for all'),
        (f"cmd $(printf {'x' * 60})", f"$(printf {'x' * 60})",
         '"$(…)" for one word, $(words "$(…)") for all'),
    ],
)  # fmt: skip
def test_words(script: str, place: str, fix: str) -> None:
    assert ("W304", place, fix) in told(script)


def test_refused_constructs_are_not_reported_twice() -> None:
    assert codes('x="a b"; ls $x') == ["E310"]
    assert codes('x="a b"; for y in $x; do :; done') == ["E204"]


FIXED = """\
set +o failglob
for f in "$@" *.txt; do
    [ -e "$f" ] || continue
    rm -f "$f" *.tmp
done
find . -name '*.c' | (while read -r path; do
    count=$((count + 1))
    exit 3
done)
files=("$(ls)" $(words "$1"))
echo "${files[@]}" "$count"
"""


def test_applying_the_fix_removes_the_warning() -> None:
    assert told(FIXED) == []


@pytest.mark.parametrize(
    ("script", "rank"),
    [
        ('x="a b"; ls $x', "certain"), ("head lines=3", "certain"),
        ("ls | while read x; do n=$x; done; ls $n", "certain"),
        ("for x in $1; do :; done", "likely"), ("xs=($1)", "likely"), ("$1 a", "likely"),
        ("cc $CFLAGS x.c", "likely"), ("ls $opts", "likely"), ("ls $@", "likely"),
        ("kill $(cat pid)", "likely"), ("set -- $1", "likely"), ("ls *.c", "likely"),
        ("cp $1 /tmp", "style"), ("ls $dir/x", "style"), ("[ -n $1 ]", "style"),
        ("ls $address", "style"), ('[ "$x" = $(id) ]', "style"), ("ls $dir/$(date)", "style"),
    ],
)  # fmt: skip
def test_rank(script: str, rank: str) -> None:
    assert found(script)[0].rank == rank


@pytest.mark.parametrize(
    "script",
    [
        'n=0; n=$((n + 1)); echo $n $# $? $$ $BASHPID ${PIPESTATUS[0]}', "mode=fast; echo $mode",
        "f=$(mktemp); t=$(date +%s); u=$(whoami); echo $f $t $u", "echo $(words $1)",
        "declare -i q=$1; echo $q", "for i in 1 2 3; do echo $i; done",
    ],
)  # fmt: skip
def test_single_words_are_no_difference(script: str) -> None:
    assert codes(script) == []


@pytest.mark.parametrize(
    ("script", "edited"),
    [
        ('x="a b"; ls $x "$x" -$x', 'x="a b"; ls $(words $x) "$x" -$x'),
        ('x="a b"; for y in $x; do :; done', 'x="a b"; for y in $(words $x); do :; done'),
        ("head lines=3", "head 'lines='3"), ('head lines="$n"', "head 'lines='\"$n\""),
        ("ls | read x; echo $x", "ls | ( read x ); echo $x"),
        ("ls | read x <<E; echo $x\na\nE\n", "ls | read x <<E; echo $x\na\nE\n"),
        ("seq 3 | ((n++)); echo $n", "seq 3 | ( ((n++)) ); echo $n"),
        ("cp $1 /tmp; ls *.c", "cp $1 /tmp; ls *.c"),
    ],
)  # fmt: skip
def test_edits_of_certain_differences(script: str, edited: str) -> None:
    edits = [edit for one in found(script) for edit in one.edits]
    assert edited_text(script, edits) == edited
    parse(Source(edited))
