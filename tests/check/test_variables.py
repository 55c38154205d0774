"""Variables: what nothing assigns, what sh would split, arrays without a subscript."""

from __future__ import annotations

import pytest

from check.judging import diagnostics, said

pytestmark = pytest.mark.quick

MISSING = {
    "echo $nmae": ["W301 $nmae"],
    'echo "a $nmae" ${nmae%x}': ["W301 $nmae"],
    "echo $((count + 1))": ["W301 count"],
    "[[ a == $nmae ]]": ["W301 $nmae"],
    "x=${y}z; echo $x": ["W301 ${y}"],
    "f() { echo $x; }; x=1": [],
    "echo $EDITOR $? $1 $@ $_ $$": [],
    "echo ${x:-a} $x": [],
    "if [[ -v x ]]; then echo $x; fi": [],
    '[ -z "$x" ]; echo $x': [],
    "read -r x y; echo $x $y": [],
    "IFS= read -r -d , x; echo $x": [],
    "while read line; do echo $line; done": [],
    "mapfile -t xs; echo ${xs[0]}": [],
    "getopts ab: option; echo $option": [],
    "printf -v x %d 1; printf -vy %d 1; echo $x $y": [],
    "export x; declare -r y=1; readonly z=2; echo $x $y $z": [],
    "f() { local x y=1; echo $x $y; }": [],
    "let i++ j=2; echo $i $j": [],
    "((i++, j = 2)); echo $i $j": [],
    "for ((i = 0; i < 3; i++)); do echo $i; done": [],
    "for x in a; do echo $x; done": [],
    "exec {fd}< file; echo $fd": [],
    "echo ${x:=1}; echo $x": [],
    "unset x; echo $x": [],
    "push xs 1; echo $xs": [],
    "x[0]=1; echo $x": [],
    "command read x; builtin printf -v y a; echo $x $y": [],
    "f(a, *b) { echo $a ...$b; }": [],
    'eval "$1"; echo $x': [],
    "source lib; echo $x": [],
    'read "$1"; echo $x': [],
    'declare "$1=2"; echo $x': [],
    "f() { local -n ref=$1; ref=2; }; echo $x": [],
    "trap 'x=1' USR1; echo $x": [],
    "trap - USR1; echo $x": ["W301 $x"],
}


@pytest.mark.parametrize("text", MISSING)
def test_unassigned(text: str) -> None:
    assert [one for one in said(text) if one.startswith("W301")] == MISSING[text]


def test_variables_of_the_host_are_assigned() -> None:
    assert said("echo $x", variables={"x"}) == []


def test_the_nearest_variable_is_offered() -> None:
    (found,) = diagnostics('name=a; echo "$nmae"')
    assert found.fix == "did you mean `$name`?"


SPLIT = {
    "x='a b'; cat $x": ["E310 $x"],
    "x='*.c'; cat $x": ["E310 $x"],
    "x=*.c; cat $x": ["E310 $x"],
    "x='a[0-9]'; cat ${x}": ["E310 ${x}"],
    "x='a b'; f() { cat $x; }": ["E310 $x"],
    "f() { local x='a b'; cat $x; }": ["E310 $x"],
    "x='a b'; echo() { cat; }; cat $x": ["E310 $x"],
    "x='a b'; $x": ["E310 $x"],
    "x='a  b'; echo $x": ["E310 $x"],
    "x='*'; echo $x": ["E310 $x"],
    "IFS=,; x=a,b; cat $x": ["E310 $x"],
    "IFS=,; x=a,b; echo $x": ["E310 $x"],
    "x=a,b; f() { local IFS=,; cat $x; }": ["E310 $x"],
    "IFS=:; f() { local IFS=,; cat $x; }; x=a,:b; cat $x": ["E310 $x"],
    "IFS=' '; x='a b'; cat $x": ["E310 $x"],
    "x='a b'; IFS=, read y; cat $x": ["E310 $x"],
    "IFS=,; x=a,b; for y in $x; do echo; done": ["E204 $x"],
    "x='a b'; for y in $x; do echo; done": ["E204 $x"],
    "x='a b'; y=(c $x)": ["E204 $x"],
    "x='a b'; set -- $x": ["E204 $x"],
    # where it does not show, or is not known
    "x='a b'; echo $x": [],
    "x='a b'; cat \"$x\" $x.c": [],
    "x='a b'; y=$x; [[ $x == a ]]": [],
    "x=''; x='a b'; cat $x": [],
    "x=a; cat $x": [],
    "x='a\\*b'; cat $x": [],
    "x='a[b'; cat $x": [],
    "x=$1; cat $x": [],
    "x='a b'; x+=c; cat $x": [],
    "cat $x; x='a b'": [],
    "(x='a b'); cat $x": [],
    "echo | x='a b' | echo; cat $x": [],
    "f() { local x='a b'; }; cat $x": [],
    "IFS=,; x='a b'; cat $x": [],
    "IFS=,; x=a:b; cat $x": [],
    "IFS=; x='a b'; cat $x": [],
    "IFS=$1; x=a,b; cat $x": [],
    "x=a,b; IFS=, read y; cat $x": [],
    "x=a,b; f() { IFS=,; }; cat $x": [],
    "IFS=,; x=a,b; IFS=:; cat $x": [],
    "IFS=,; unset IFS; x=a,b; cat $x": [],
    "set -f; x='*'; cat $x": [],
    "x='a b' cat $x": [],
    "x='a b'; read x; cat $x": [],
    "x='a b'; words $x; tojson $x": [],
    "x='a b'; f(a) { echo; }; f $x": [],
    "x='a b'; alias e=echo; e $x": [],
    "x='a b'; eval \"$1\"; cat $x": [],
}


@pytest.mark.parametrize("text", SPLIT)
def test_text_that_sh_would_split(text: str) -> None:
    assert [one for one in said(text) if one.startswith(("E310", "E204"))] == SPLIT[text]


def test_variable_that_the_host_has_set_is_not_judged() -> None:
    assert said("x='a b'; cat $x", variables={"x"}) == []


ARRAYS = {
    "xs=(a b); echo $xs": ["E311 $xs"],
    'xs=(a b); cat "$xs"': ["E311 $xs"],
    "xs=(); xs+=(c); echo $xs": ["E311 $xs"],
    "declare -a xs; echo $xs": ["E311 $xs"],
    "declare -A m=([k]=v); echo $m": ["E311 $m"],
    "mapfile -t xs; echo $xs": ["E311 $xs"],
    "read -a xs; echo $xs": ["E311 $xs"],
    "xs=(a b); for x in $xs; do echo; done": ["E311 $xs"],
    'xs=(a b); echo ${xs[0]} "${xs[@]}" ${#xs[@]} ...$xs': [],
    "xs=(a b); ys=[...$xs c]; for x in ...$xs; do echo; done; [[ a in $xs ]]": [],
    "xs=(a b); tojson $xs; f(a) { echo; }; f $xs": [],
    "xs=[a b]; echo $xs": [],
    "xs=(a b); xs=[a b]; echo $xs": [],
    "(xs=(a b)); echo $xs": [],
}


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays(text: str) -> None:
    assert [one for one in said(text) if one.startswith("E311")] == ARRAYS[text]
