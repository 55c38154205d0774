"""Builtins for variables, functions, arguments and directories, against bash."""

from __future__ import annotations

import pytest

from commands.script_runner import bash_script, our_script
from real_tools import needs

SCRIPTS = [
    "exit 3",
    "exit abc",
    "f() { return abc; echo on; }; f; echo $?",
    "return 3; echo $?",
    "for i in 1 2; do break 0; echo x; done; echo $?",
    "for i in 1 2; do break abc; echo x; done; echo $?",
    "break; echo $?",
    "for i in 1 2; do for j in 1 2; do continue 2; done; echo no; done; echo $?",
    "for i in 1 2; do for j in 1 2; do echo $i$j; break 5; done; echo no; done; echo $?",
    "set -- a b; shift a; echo $?",
    "set -- a b; shift 3; echo $? $#",
    "shift -1; echo $?",
    'set -- a b c d; shift 2; echo "$@"',
    "cd /nonono; echo $?",
    r"""
mkdir -p d/e; p=$PWD; cd d/e; echo "${PWD#$p}"; cd ..; echo "${PWD#$p}"; cd - >/dev/null
echo "${PWD#$p} ${OLDPWD#$p}"; cd ""; echo $?
""",
    r"""
mkdir -p a/b c; ln -s a/b l; p=$(pwd -P); cd l; pwd | sed "s|$p||"; pwd -P | sed "s|$p||"
cd ..; pwd | sed "s|$p||"; cd -P l; pwd | sed "s|$p||"
""",
    "touch f; cd f; echo $?",
    "unset HOME; cd; echo $?",
    "unset OLDPWD; cd -; echo $?",
    "cd -z; echo $?",
    "source; echo $?",
    "source nono; echo $?",
    "mkdir d; source ./d; echo $?",
    r"""
echo 'echo "in $1 $#"; v=7; return 4; echo no' > s.sh; . ./s.sh x y; echo "$? $v $#"
""",
    r"""
echo 'echo "in $1 $#"; shift' > s.sh; set -- p q; . ./s.sh; echo "$#"; source s.sh z; echo $#
""",
    r"""
f() { local x=1; echo 'local y=2; x=3' > s.sh; . ./s.sh; echo "$x $y"; }; f; echo "[$x$y]"
""",
    r"""
eval 'echo a' b; eval; echo $?; eval 'x=1; false'; echo "$? $x"
""",
    "exec echo hi; echo no",
    "trap 'echo bye' EXIT; exec echo hi",
    r"""
x=3; declare -p x; y="a b"; declare -p y; declare z; z='q"$`\'; declare -p z
""",
    "declare -i n=3+4; echo $n; n=n*2; echo $n; n+=5; echo $n; declare -p n",
    "declare -l l=ABC; declare -u u=abc; echo $l $u; l=XyZ; echo $l; declare -p l u",
    r"""
declare -A m; declare -a m; echo $?; xs=(a); declare -A xs; echo $?; declare +a xs; echo $?
""",
    r"""
f() { declare a=1; declare -g b=2; export c=3; local -i n=2+2; echo $a $b $c $n; }; f
echo "[$a] [$b] [$c] [$n]"
""",
    "a=g; f() { local a=l; declare -g a=G; echo $a; }; f; echo $a",
    "export x=1; f() { local x=2; env | grep ^x; declare -p x; }; f; env | grep ^x",
    r"""
export A=1 B="x y"; export -p | grep -E ' (A|B)='; export -n A; declare -p A; export C; C=5
env | grep ^C=
""",
    "readonly x=1; readonly -p | grep ' x='; unset x; echo $?",
    "readonly x=1; f() { local x; echo in; }; f; echo $?",
    "unset 1x; echo $?; export 1x=3 y=2; echo $? $y",
    "declare -i n; declare -p n; declare -p nono; echo $?",
    r"""
declare -n r=x; x=5; echo $r; r=6; echo $x; declare -p r; unset r; echo "[$x]"; declare -p r
unset -n r; declare -p r
""",
    "f() { local -n ref=$1; ref=new; }; v=old; f v; echo $v",
    r"""
f() { local -n arr=$1; echo "${arr[1]} ${#arr[@]}"; arr+=(z); }; v=(a b); f v; echo "${v[@]}"
""",
    r"""
x=1; unset x; echo "[${x-u}]"; f() { :; }; unset f; f 2>/dev/null; echo $?; g() { :; }
unset -f g; type g >/dev/null 2>&1; echo $?
""",
    'x=1; x() { echo fn; }; unset x; x; echo "${x-gone}"; unset x; x 2>/dev/null; echo $?',
    r"""
declare -A m=([a]=1 [b]=2); unset m[a]; echo "${!m[@]}"; unset 'm[b]'; echo ${#m[@]}
""",
    "set a b c; echo $# $2; set -- ; echo $#; set -- -x y; echo $1; set - z; echo $1",
    r"""
set -o | grep -E '^(errexit|noglob|pipefail)'; set -eu
set +o | grep -E 'errexit|nounset|noglob'
""",
    "set -o errexit; set +o errexit; false; echo ok; set -o pipefail; false | true; echo $?",
    "set -q; echo $?",
    "set -o foo; echo $?",
    "set -e; f() { return 3; }; f; echo no",
    r"""
x=1; y='a b'; z=$'t\tx'; e=; set | grep -E '^[xyze]='
""",
    "xs=(a 'b c'); set | grep ^xs=",
    "local x; echo $?",
    r"""
declare -x q=1; declare +x q; declare -p q; declare +i q; declare -i q; declare +i q
declare -p q
""",
    r"""
typeset t=1; echo $t; declare "d=a b"; echo $d; k=dyn; declare $k=val; echo $dyn
export "$k=v2"; env | grep dyn
""",
    'declare -a "arr=(a b)"; echo ${arr[1]}',
    "f() { echo hi; }; declare -F; declare -F f; declare -f nono; echo $?",
    'local_test() { local a b=2 c; a=1; echo "$a$b$c"; }; local_test; echo "[$a]"',
    'f() { local x=1; g; echo $x; }; g() { x=2; local y; unset x; echo "g${x-unset}"; }; f',
    'f() { local IFS=:; set -- a b; echo "$*"; }; f; set -- a b; echo "$*"',
    ": a b; true x; false y; echo $?",
    "set -- a; f() { set -- x y z; echo $#; }; f; echo $#",
    "if ! cd /nope 2>/dev/null; then echo failed; fi",
    "x=5; f() { local x=$((x+1)); echo $x; }; f; echo $x",
    "declare -ar c=(1 2); declare -p c; declare -p BASH_VERSION >/dev/null; unset c; echo $?",
]


@needs("bash")
@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(script: str) -> None:
    assert our_script(script)[:2] == bash_script(script)
