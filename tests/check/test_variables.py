"""Variables that nothing assigns, that sh would split, or that are arrays without a subscript."""

from __future__ import annotations

import pytest

from check.checking import diagnostics, summaries

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
    assert [one for one in summaries(text) if one.startswith("W301")] == MISSING[text]


def test_variables_of_the_host_count_as_assigned() -> None:
    assert summaries("echo $x", variables={"x"}) == []


def test_nearest_variable_is_suggested() -> None:
    (result,) = diagnostics('name=a; echo "$nmae"')
    assert result.fix == "did you mean `$name`?"


SPLIT = {
    "x='a b'; cat $x": ["E310 $x"],
    "x='*.c'; cat $x": ["E310 $x"],
    "x=*.c; cat $x": ["E310 $x"],
    "x='a[0-9]*'; cat ${x}": ["E310 ${x}"],
    "x='[1,2]'; cat $x": [],
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
    'x=\'a b\'; cat "$x" "a$x"': [],
    "x='a b'; y=$x; [[ $x == a ]]": [],
    "x=a; cat $x": [],
    "x='a\\*b'; cat $x": [],
    "x='a[b'; cat $x": [],
    "x=$1; cat $x": [],
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
}


@pytest.mark.parametrize("text", SPLIT)
def test_text_that_sh_would_split(text: str) -> None:
    assert [one for one in summaries(text) if one.startswith(("E310", "E204"))] == SPLIT[text]


def test_variable_set_by_the_host_is_not_judged() -> None:
    assert summaries("x='a b'; cat $x", variables={"x"}) == []


PIECES = {
    "x='a b'; cat a$x $x.c": ["E310 $x", "E310 $x"],
    "x='a b'; cat {$x,c}": ["E310 $x"],
    "x='*.c'; cat a/$x": ["E310? $x"],
    "x='a b'; for y in a$x; do echo; done": ["E310 $x"],
    "x='a b'; $x/prog": ["E310 $x"],
    "x='a b'; cat ${x:-c} ${x^}": ["E310 ${x:-c}", "E310 ${x^}"],
    "x='a b'; cat ${x%b} ${x:+c} ${#x}": [],
    "x='a b'; cat a=$x > a$x; y=a$x; case a$x in b) ;; esac; [[ a$x == b ]]": [],
    "x='a b'; echo =$x=": [],
    "cat ${1:-a b} ${1+a b}": ["E310? ${1:-a b}", "E310? ${1+a b}"],
    "cat ${1:-*.c}": ["E310? ${1:-*.c}"],
    "cat ${1//,/ } ${1/a/'x y'}": ["E310? ${1//,/ }", "E310? ${1/a/'x y'}"],
    "cat ${1:-'a b'} ${1:-\"a b\"} ${1:-a\\ b} \"${1:-a b}\" ${1// /}": [],
    "echo ${1:-a b}": [],
    "echo ${1:-a  b}": ["E310? ${1:-a  b}"],
    "words ${1:-a b}": [],
    "y=${1:-a b}; [[ ${1:-a b} == c ]]; case ${1:-a b} in c) ;; esac": [],
    "y='a b'; cat ${1:-$y}": ["E310 $y"],
    "IFS=5; cat ${#1} $# $((1 + 4)) $? $$": [
        "E310? ${#1}", "E310? $#", "E310? $((1 + 4))", "E310? $?", "E310? $$",
    ],
    'IFS=5; cat "${#1}"; x=$#; [[ $# == 5 ]]; case $# in 5) ;; esac': [],
    "IFS=,; cat ${#1} $#": [],
    "IFS=5; IFS=,; cat $#": [],
    "(IFS=5); cat $#": [],
    "IFS=5 read x; cat $#": [],
    "IFS=,; cat ${1:-a,b} ${1//x/,}": ["E310? ${1:-a,b}", "E310? ${1//x/,}"],
}  # fmt: skip
FLOWS = {
    # an assignment that certainly runs first replaces earlier values
    "x=''; x='a b'; cat $x": ["E310 $x"],
    "x='a b'; x=c; cat $x": [],
    "x='a b'; read x; cat $x": [],
    "x='a b'; if read x; then echo; fi; cat $x": [],
    "x='a b'; while read x; do cat $x; done; cat $x": [],
    "x='a b'; for x in $1; do cat $x; done": [],
    "x='a b'; { x=c; }; cat $x": [],
    "x='a b'; f() { x=c; cat $x; }": [],
    # an assignment that may run first, or in the previous iteration, adds a possible value
    "x=''; [ $1 ] && x='-n 3'; cat $x": ["E310? $x"],
    "x=c; if [ $1 ]; then x='a b'; fi; cat $x": ["E310? $x"],
    "if [ $1 ]; then x='a b'; else x='c d'; fi; cat $x": ["E310 $x"],
    "x='a b'; if [ $1 ]; then x=c; fi; cat $x": ["E310? $x"],
    "x='a b'; case $1 in c) x=c ;; esac; cat $x": ["E310? $x"],
    "x=; while [ $1 ]; do cat $x; x='a b'; done": ["E310? $x"],
    "x=; for y in 1 2; do cat $x; x='a b'; done": ["E310? $x"],
    "x=; for y in 1 2; do x=; cat $x; x='a b'; done": [],
    "cat $x; x='a b'": [],
    "x='a b'; (x=c); cat $x": ["E310 $x"],
    "x=c; (x='a b'; cat $x); cat $x": ["E310 $x"],
    "x='a b'; f() { x=c; }; cat $x": ["E310? $x"],
    "f() { x='a b'; }; cat $x": [],
    "f() { cat $x; x='a b'; }": ["E310? $x"],
    "x='a b'; eval \"$1\"; cat $x": ["E310? $x"],
    "declare -i x; x='1 + 2'; cat $x": [],
    "f() { local -i x=1 y; x='1 + 2' y='1 + 2'; cat $x $y; }": [],
    # texts of which a part is known
    "x='a b'; x+=c; cat $x": ["E310? $x"],
    "x=a; x+=' -b'; cat $x": ["E310? $x"],
    'x="-n $1"; cat $x': ["E310? $x"],
    'x="Hello $1"; echo $x': [],
    'x="$1"; cat $x': [],
    "x=$1; cat $x": [],
    'IFS=,; x="$1,$2"; echo $x': ["E310? $x"],
    "for x in 'a b' c; do cat $x; done": ["E310? $x"],
    "for x in 'a b' 'c d'; do cat $x; done": ["E310 $x"],
    "for x in *.c; do cat $x; done": [],
    'for x in a$1 "$2"; do cat $x; done': [],
    # texts that IFS has joined
    'IFS=,; x="$*"; echo $x': ["E310? $x"],
    'IFS=,; x=${a[*]}; echo $x; echo "$x"': ["E310? $x"],
    "IFS=,; x=\"$*\"; IFS=' '; cat $x": [],
    'IFS=,; for x in "${*:2}"; do echo =$x=; done': ["E310? $x"],
    'IFS=,; for x in "$@"; do echo $x; done': [],
    'x="$*"; cat $x': [],
}


@pytest.mark.parametrize("text", PIECES | FLOWS)
def test_behaviour_of_sh(text: str) -> None:
    assert [one for one in summaries(text) if one.startswith(("E310", "E204"))] == (PIECES | FLOWS)[
        text
    ]


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
    assert [one for one in summaries(text) if one.startswith("E311")] == ARRAYS[text]
