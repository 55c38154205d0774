"""Warnings of `keysh migrate` other than W304: where sh differs, and the fix."""

from __future__ import annotations

import pytest

from keysh.check.migrate import differences
from keysh.diagnostics.source import Source
from keysh.shell.registry import CheckedNames, CommandRegistry
from keysh.syntax.parser import parse


def told(script: str) -> list[tuple[str, str, str]]:
    """Return code, position and fix of each difference."""
    result = differences(
        parse(Source(script, "script.sh")), CheckedNames(CommandRegistry(), (), True)
    )
    return [(one.code, script[one.start : one.end], one.fix) for one in result]


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


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("xs=(a b); xs=c", 1), ("xs=(a b); xs+=c", 1), ("declare -a xs; xs=", 1),
        ("mapfile -t xs; xs=c", 1), ("xs=(a b); xs=(c)", 0), ("xs=(a b); xs[1]=c", 0),
        ("f() { local xs=c; }; xs=(a b)", 0), ("xs=a; xs=b", 0), ("(xs=(a b)); xs=c", 0),
    ],
)  # fmt: skip
def test_text_assigned_to_an_array(script: str, count: int) -> None:
    assert codes(script).count("W310") == count


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
