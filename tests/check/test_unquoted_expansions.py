"""W304 of `keysh check --strict`: what is probably not quoted by mistake in a bash script."""

from __future__ import annotations

import pytest

from keysh.check.unquoted_expansions import unquoted_expansions
from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.source import Source
from keysh.syntax.parser import parse

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("rm $1", ["$1"]),
        ("rm a$x/b $(ls)", ["$x", "$(ls)"]), ("xs=($1 ${y#a})", ["$1", "${y#a}"]),
        ("[ -n $1 ]", ["$1"]), ("rm $@ ${xs[@]}", ["$@", "${xs[@]}"]), ("rm `ls`", ["`ls`"]),
        ("for x in $@; do :; done", ["$@"]), ("f() { rm $1; }", ["$1"]),
        ('x=$1; rm $x "$x"', ["$x"]), ("select x in a; do rm $y; done", ["$y"]),
        # Meant to be split, or never split.
        ("for x in $list; do :; done", []), ("$cmd a", []), ("x=$1; y=$(ls)", []),
        ("export x=$1; local y=$2", []), ('rm "$1" "$(ls)" "$@"', []), ("echo $# $? $$", []),
        ("n=3; echo $n $((n + $1)) ${#x}", []), ("case $1 in $2) ;; esac", []),
        ("[[ $1 == $2 ]]", []), ("rm $1 # keysh: allow W304", []), ("", []),
    ],
)  # fmt: skip
def test_unquoted_expansions(script: str, found: list[str]) -> None:
    places = unquoted_expansions(parse(Source(script, "s.sh", BASH)))
    assert [script[one.start : one.end] for one in places] == found
    assert {(one.code, one.severity) for one in places} <= {("W304", "warning")}


def test_fix() -> None:
    places = unquoted_expansions(parse(Source("rm $* $x $(\nls)", "s.sh", BASH)))
    assert [one.fix for one in places] == ['write `"$@"`', 'write `"$x"`', "quote it"]
