"""Idioms of real scripts that a shell is easily wrong about; real bash is the judge."""

from __future__ import annotations

import pytest

import keysh
from dialect.dialect_oracle import ENVIRONMENT, bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

IDIOMS = {
    "a builtin that prints its help has failed": """
cd --help >/dev/null && echo moved; for b in export set eval trap read; do
  $b --help >/dev/null; echo $?
done""",
    "autoconf asks for posix": """
case `(set -o) 2>/dev/null` in #(
  *posix*) set -o posix ;; #(
  *) : ;;
esac
echo $?""",
    "a shell is told another name": """
(exec -a foo sh -c 'echo $0'); (exec -l bash -c 'echo $0'); exec -c -a q sh -c 'echo $0'""",
    "variables that every shell has": """
set -u; echo ${SHELL:+set} $TERM; env | grep -c -e SHELL= -e TERM=""",
    "all elements through a name": """
argv() { printf '<%s>' "$@"; echo; }; set -- one 'two x'; r='*'; argv "${!r}" "a${!r}"
IFS=,; argv "${!r}"; unset IFS; a=(1 '2 3'); r='a[*]'; argv "${!r}"; r='a[@]'
argv "${!r}" ${!r}""",
    "`$!` is unset until a job runs": """
echo "${!:-none}"; (set -u; echo $!; echo never); echo $?; true & [ -n "$!" ] && echo "${!:+some}"
""",
    "an alias has no meaning until aliases are expanded": """
alias ll='ls -l'; type -t ll; command -v ll; echo $?
shopt -s expand_aliases; type -t ll; command -v ll""",
    "a script looks for the words of a message": r"""
readonly fixed=1; words='a b'
{ (set -u; echo $nothing); (set -u; echo $1); (fixed=2); (: > $words); } 2>&1 |
  grep -oE '[$a-z0-9]+: (unbound variable|readonly variable|ambiguous redirect)'
(echo $((1 / 0))) 2>&1 | grep -c 'division by 0'; (: ${none?no $words}) 2>&1 | cut -d: -f3-""",
    "a brace touches a parenthesis": "f() {(\n echo in\n)}; f; {(echo a); echo b; }",
}


@pytest.mark.parametrize("script", IDIOMS.values(), ids=IDIOMS)
def test_idiom(script, tmp_path):
    """The output and the status are bash's."""
    (tmp_path / "bash").mkdir()
    (tmp_path / "keysh").mkdir()
    expected = bash_answer(script, tmp_path / "bash")
    assert dialect_answer(script, tmp_path / "keysh") == expected


PROGRAM_IDIOMS = {
    "exported functions": """
f() ( echo sub "$1" ); g() { cat <<X
doc $1
X
}
export -f f g
bash -c 'f 1; g 2'
env bash -c 'f 3'; env -i bash -c 'f 4' 2>/dev/null || echo none
echo 5 | xargs bash -c 'g "$@"' _
(exec -c /bin/bash -c 'g 6' 2>/dev/null || echo none)
export -nf f; bash -c 'f 7' 2>/dev/null || echo none""",
    "the name of a program that is given descriptors": """
exec 5>out; bash -c 'echo "$0"' >&5; (exec bash -c 'echo "$0"'); cat out""",
}


@pytest.mark.parametrize("script", PROGRAM_IDIOMS.values(), ids=PROGRAM_IDIOMS)
def test_idiom_with_programs(script, tmp_path):
    """Programs receive what bash gives them."""
    expected = bash_answer(script, tmp_path)
    shell = keysh.Shell(
        fs={"/": keysh.LocalFS("/")}, cwd=str(tmp_path), env=ENVIRONMENT, dialect="bash",
        external=True,
    )  # fmt: skip
    with shell:
        result = shell.run(script)
    assert (result.stdout, result.code) == expected


def test_bytes_that_are_not_utf_8(tmp_path):
    """A script in Latin-1 runs, and its bytes come out as they are."""
    script = (
        "# Fran\udce7ois\nx=Fran\udce7ois; echo \"${x#*\udce7}\" '\udce7'; cat <<E\n\udce7 $x\nE\n"
    )
    assert dialect_answer(script, tmp_path) == ("ois \udce7\n\udce7 Fran\udce7ois\n", 0)
