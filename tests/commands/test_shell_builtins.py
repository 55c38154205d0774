"""Builtins for traps, jobs, names and options, and nested shells, against bash."""

from __future__ import annotations

import pytest

from commands.script_runner import bash_script, our_script
from real_tools import needs

SCRIPTS = [
    'let x=1+2 y=x*2; echo $? $x $y; let 0; echo $?; let; echo $?; let "z = 3"; echo $z',
    r"""
while getopts ab:c o -a -b val -c -z -b; do echo "$? $o [$OPTARG] $OPTIND"; done
echo "$? $o $OPTIND"; OPTIND=1; while getopts :ab: o -xa -b; do echo "$o [$OPTARG] $OPTIND"
done; echo $OPTIND; OPTIND=1; set -- -abfoo -- rest; while getopts ab: o
do echo "$o $OPTARG $OPTIND"; done; echo $OPTIND; getopts; echo $?; getopts a; echo $?
getopts a 1x; echo $?
""",
    r"""
printf "a\nb\nc\n" > mf; mapfile -t x < mf; declare -p x;  mapfile x < mf; declare -p x
mapfile -n 2 -s 1 x < mf; declare -p x; mapfile -O 2 -t x <mf; declare -p x
mapfile -d b x < mf; declare -p x; cb() { echo "cb $1 [$2]"; }; mapfile -t -c 2 -C cb x <mf
mapfile < mf; echo "${#MAPFILE[@]}"; mapfile -t 1x; echo $?; mapfile -u 9 x; echo $?
mapfile -n x y; echo $?; mapfile -c 0 -C cb x <mf; echo $?
""",
    r"""
shopt -s nullglob; shopt nullglob; shopt -p nullglob dotglob; echo $?; shopt -q nullglob
echo $?; shopt -u nullglob; shopt -q nullglob; echo $?; shopt -s nono; echo $?; shopt nono
echo $?; shopt -o errexit; shopt -so errexit; shopt -po errexit
""",
    r"""
alias ll="ls -l" x=y; alias; alias ll; alias nono; echo $?; alias -p; unalias ll; unalias nono
echo $?; unalias -a; alias
""",
    "f() { echo hi; }; type -t f cd if nono; echo $?; type cd if nono; echo $?; type; echo $?",
    r"""
f() { :; }; command -v f cd if nono; echo $?; command -V cd if nono; echo $?; command nono
echo $?; command; echo $?; builtin cd /; builtin nono; echo $?; builtin; echo $?
""",
    r"""
cd() { echo mine; }; command cd /; pwd; builtin cd /; cd x; echo() { builtin echo fn "$@"; }
echo a
""",
    "hash; hash -r; hash nono; echo $?",
    r"""
umask; umask -S; umask 077; umask; umask -p; umask -pS; umask u=rwx,g=,o=; umask; umask 999
echo $?; umask a+z; echo $?; umask x; umask u; echo $?;  umask -S g+w
""",
    r"""
trap "echo a" EXIT int ERR 15; trap "" HUP; trap; trap -p INT nono; echo $?; trap - 2; trap
kill ''; kill -l 15 TERM 130 9; trap foo BAD; echo $?
""",
    "trap 'echo bye $?' EXIT; exit 3",
    "trap 'echo bye' EXIT; (echo sub); echo main",
    r"""
trap 'echo err $?' ERR; false; true; if false; then :; fi; f() { return 4; }; f; echo end
""",
    "trap 'echo dbg' DEBUG; echo a; echo b",
    "f() { trap 'echo ret' RETURN; echo in; }; f; f",
    "kill -l; trap -l",
    "(exit 3) & wait $!; echo $?; (exit 4) & p=$!; wait $p; wait $p; echo $?",
    "disown; echo $?; disown %9; echo $?; sleep 1 & disown; jobs",
    "trap 'echo int' INT; kill -INT $$; trap '' TERM; kill -TERM $$; echo alive",
    "trap 'exit 9' TERM; kill $$; echo no",
    "trap 'echo x' EXIT; trap - EXIT; echo done",
    "trap 'echo usr' USR1; kill -s USR1 $$; kill -n 10 $$; kill -10 $$; kill -SIGUSR1 $$",
    "f() { trap 'echo fexit' EXIT; }; f; echo on",
    "set -e; trap 'echo E' ERR; false; echo no",
    "trap 'echo t $?; exit' EXIT; exit 4",
    "bash -c 'echo $0 $1 $#' a b c",
    "sh -c 'echo hi; exit 4'; echo $?",
    "echo 'echo from stdin $1' | bash -s x",
    "echo 'echo file $1; exit 3' > f.sh; bash f.sh arg; echo $?; bash nofile; echo $?",
    r"""
x=1; export y=2; bash -c 'echo "[$x][$y]"; y=3; cd /'; echo $y
""",
    "bash -c; echo $?",
    "echo 'x=5; echo $x' | sh",
    r"""
printf 'a b\nc d\n' | while read x y; do echo "$y $x"; done
""",
    "exec 2>/dev/null; type nono; echo $?",
    "(exit 4) & p=$!; wait $p; wait $p; echo $?",
    r"""
trap 'echo err $LINENO' ERR

passing() {
  false  # line 4
  true
}

failing() {
  true
  false
}

passing
failing

set -o errtrace

echo 'now with errtrace'
passing
failing

echo ok
""",
    r"""
trap 'echo dbg $LINENO' DEBUG
f() {
  echo in
}
f
echo x
""",
    'trap "echo r" RETURN; f() { echo in; }; f; f3() { trap "echo r3" RETURN; }; f3; f; f3',
    r"""
set -e
trap 'echo "failed at $LINENO"' ERR
true
ls /nonexistent_dir 2>/dev/null
echo no
""",
    'set -T; trap "echo r" RETURN; f() { echo in; }; f',
    r"""
PATH=/bin; mkdir q; printf '#!/bin/sh\necho mine\n' > q/mytool; chmod +x q/mytool
PATH=q:$PATH; type mytool; command -v mytool; type -t mytool; type -p mytool; mytool
""",
    "eval -z; echo $?; eval -- echo hi; eval - 2>/dev/null; echo $?",
    "read -n x y; echo $?; read -n -1 z; echo $?",
]


@needs("bash")
@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(script: str) -> None:
    assert our_script(script)[:2] == bash_script(script)
