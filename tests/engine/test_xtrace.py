"""`set -x` against bash: quoted words, assignments, heads of loops, and `$PS4`."""

from __future__ import annotations

import subprocess
from itertools import product

import pytest

from bash import is_reference_machine
from keysh import Shell, quote

CHARACTERS = " \t\n'\"\\|&;()<>!{}*?[]^$`~#=%@+:,.-/aé\x01\x7f"
TEXTS = ["", *CHARACTERS, *map("".join, product(CHARACTERS, "a~\n")), "a~b", "a#b", "a=b c"]

SCRIPTS = {
    "values": "x='a b'; y=$x z=; y+=\"$x\"; z=$(echo '$x') true; a[0]=1; b=('a b' $z\"$y\")",
    "more values": "x='a b'; y+=x; b=(1); b+=(c \"$x\"d); b[1]=e; b[0]+=f; b=([0]=a [1]='c d')",
    "appends": "i=1; i+=2 j=$((i + 1)); x+=; x+=\"\"; x=~ y='~'",
    "declared": "f() { local a='b c' d; declare e=1; d=2; }; f 'a b'; let 'n = 1'",
    "heads": "for i in 'a b' $HOME; do :; done; for i; do :; done; case $i$i in a) ;; *) : ;; esac",
    "arguments": 'set -- \'a b\' c; for i in "$@"; do echo "$i"; done',
    "sums": "for ((i = 0, j=1; i < 2; i++)); do continue; done; for ((;;)); do break; done",
    "nested": "x=$(echo $(echo a; y=1)); (echo $(: b)); eval 'eval \"echo e\"'; `echo echo` f",
    "tests": "while [ 1 = 2 ]; do :; done; if ! true; then :; elif false; then :; else : no; fi",
    "redirected": "{ echo no >&2; : x; } 2>/dev/null; v=1 echo 2>/dev/null; : 2>/dev/null",
    "functions": "f() { PS4='+ $FUNCNAME '; g; }; g() { : g; return 3; }; f || : $?",
    "conditions": """x=1; y='a b'; e=; [[ a == b ]]
[[ $x == 1 && -n $y ]]; [[ $y == q* || ! -f /no ]]
[[ $y == "a b" ]]; [[ $y =~ ^a(.*)b$ ]]; [[ ( $x -eq 1 ) ]]; [[ -z "" ]]; [[ $y ]]; [[ ! $y ]]
[[ $y < z ]]; [[ -v x ]]; [[ a != "$y" ]]; [[ $e == '' ]]; [[ $x == @(a|b) ]]; [[ a =~ "b*c".* ]]
[[ ! ( a == b ) ]]; [[ ! a == b || ! -n '' ]]; [[ a == [abc]* ]]; [[ a == "$x"$x* ]]; [[ ~ == a ]]
[[ -o xtrace ]]; [[ $(echo a) == "$(echo b)"* ]]; [[ $x -lt $((1 + 1)) ]]; [[ a == \\* ]]""",
    "conditions once": "i=0; [[ $((i++)) == 0 && $i == 1 ]]; [[ $((i += 1)) -eq 2 ]]; : $i",
    "(( ))": "i=1; (( i = 1 )); ((i++)); (( i > 5 )) || :; (( i + $i )); ((a[0]=7)); ((i?2:3))",
    "loops": "i=0; while ((i < 2)); do ((i += 1)); done; if [[ $i == 2 ]]; then :; fi",
    "prompt": """PS4='+ $LINENO ${x:-"none"} `echo \\`echo q\\`` $(echo "a  b") '
: 1
x=1
: 2; (: 3)""",
    "failing prompt": "PS4='+ $(false) '; false; : $?; PS4='+ $((1 + 1)) $ '; : a",
    "long prompt": "PS4='äb> '; : a; x=$(: b; eval ': c'); PS4=''; : none",
    "ended": "set +x; : no; set -x; : yes; (set +x; : no); : again",
}


def traced_by_bash(script: str) -> list[str]:
    done = subprocess.run(
        ["bash", "--norc", "-s"], input=script.encode(), capture_output=True, check=False,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/"}, cwd="/",
    )  # fmt: skip
    return done.stderr.decode("utf-8", "surrogateescape").split("\n")


def traced_by_keysh(script: str) -> list[str]:
    return Shell(env={"HOME": "/"}).run(script).stderr.split("\n")


needs_bash = pytest.mark.skipif(not is_reference_machine(), reason="bash 5.2 is the judge")


@needs_bash
def test_traced_words_can_be_typed_again() -> None:
    script = "set -x\n" + "".join(f": {quote(text)} b\n" for text in TEXTS)
    result = traced_by_keysh(script)
    assert result == traced_by_bash(script)
    assert len(result) > len(TEXTS)


@needs_bash
@pytest.mark.parametrize("name", SCRIPTS)
def test_commands(name: str) -> None:
    script = f"set -x\n{SCRIPTS[name]}\n"
    result = traced_by_keysh(script)
    assert result == traced_by_bash(script)
    assert len(result) > 3


def test_invalid_ps4_is_printed_unchanged() -> None:
    assert traced_by_keysh("PS4='$(( '; set -x; : a") == ["$(( : a", ""]
    assert traced_by_keysh("PS4='${x?} '; set -u; set -x; : a")[-2:] == ["${x?} : a", ""]
    assert traced_by_keysh("PS4='END\n$x'; x=1; set -x; : a") == ["END", "1: a", ""]


def test_commands_in_ps4_are_not_traced() -> None:
    result = traced_by_keysh("PS4='$(f) '; f() { echo p; }; set -x; f >/dev/null")
    assert result == ["p f", "p echo p", ""]
