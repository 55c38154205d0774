"""Small everyday scripts, against bash: the same output and status."""

from __future__ import annotations

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest

from bash import PATH, is_reference_machine
from keysh import Shell

HOME = "/home/user"

SCRIPTS = {
    "alternatives of braces that are empty are no words": """
        printf '<%s>' {a,} {,} x{,} {"",q}; echo
        for i in {,}; do echo never; done; xs=({,b,}); echo ${#xs[@]}
        f() { echo $#; }; f {,} y{,.b}
    """,
    "a reference as the variable of a loop": """
        a=1 b=2 c=3; declare -n v
        for v in a b c; do v=$((v * 10)); done; echo $a $b $c
        f() { local -n r; for r in x y; do r=$1; done; }; f 5; echo $x$y
        xs=(1 2); declare -n e; for e in 'xs[0]' 'xs[1]'; do e=9; done; echo "${xs[@]}"
    """,
    "a reference takes names only": """
        a=1; declare -n v
        ( for v in a 'no name' a; do echo turn; done ) || echo "status $?"
    """,
    "a glob behind a test of files": """
        [ -f *.txt ]; echo $?; touch a.txt; [ -f *.txt ]; echo $?; [ ! -e *.txt ]; echo $?
        [ -e *.md ]; echo $?; test -s a*; echo $?
        touch b.txt; [ -f *.txt ]; echo $?; touch c.txt; test -e *.txt; echo $?
    """,
    "read asks whether there is input": """
        read -t 0 < /dev/null; echo $?; read -t 0 <<< line; echo $?
        { read -t 0 && cat; } <<< line
    """,
    "a $(…) of a command that is tested": """
        shopt -s inherit_errexit; set -e
        x=$(echo a; false; echo b) || true; echo "$x"
        if echo $(echo 1; false; echo 2); then echo then; fi
        while [ "$(false; echo go)" = go ]; do echo turn; break; done
        echo "$(echo p; false; echo q)"
        x=$(false; echo never); echo never
    """,
    "the ERR trap in a $(…)": """
        set -E; trap 'echo ERR' ERR
        if x=$(false; echo v); then echo "$x"; fi
        [ "$(false; echo q)" = q ] && echo yes
        y=$(false; echo w) || :; echo "$y"; z=$(false; echo s); echo "$z"
    """,
    "nothing through a pipe, again and again": """
        for i in 1 2 3; do
            { x=$i; } | sed 's/x*/-/g'
            true | sed 's/^/> /'; true | rev; true | tr a b; true | cut -c1; true | grep -c ''
        done
    """,
    "the columns of wc": """
        printf 'a b\\nc\\n' > f; : > e
        for i in 1 2; do wc < f; cat f | wc; wc - < f; done
        wc < e; wc < /dev/null; { read -r x; wc; } < f; wc f - < f; wc <<< 'a b'
        while read -r x; do echo "$x"; wc; done < f
    """,
    "words of a text": """
        trim() {
            local s=$1; s=${s#"${s%%[![:space:]]*}"}
            printf '[%s]\\n' "${s%"${s##*[![:space:]]}"}"
        }
        trim '  a b  '; trim ''; trim ' '
        join() { local by=$1; shift; printf '%s' "$@" | sed "s/x/$by/g"; echo; }
        join , ax bx c
        IFS=: read -ra parts <<< 'a:b::d'; echo "${#parts[@]} [${parts[2]}]"
        s=banana; only=${s//[^a]/}; echo ${#only}
    """,
    "arguments of a script": """
        parse() {
            local -a files=(); local verbose= out=-
            while [ $# -gt 0 ]; do
                case $1 in
                    -v | --verbose) verbose=1 ;;
                    -o) out=${2:?}; shift ;;
                    --out=*) out=${1#*=} ;;
                    --) shift; files+=("$@"); break ;;
                    -*) echo "unknown $1"; return 2 ;;
                    *) files+=("$1") ;;
                esac
                shift
            done
            printf '%s|' "$verbose" "$out" "${files[@]}"; echo
        }
        parse -v a 'b c' -o x -- -d; parse --out=y; parse --bad; echo $?
    """,
    "the lines of a file of settings": """
        while IFS='=' read -r key value || [ -n "$key" ]; do
            case $key in '' | \\#*) continue ;; esac
            key=${key%% }; printf '%s -> %s\\n' "$key" "${value# }"
        done << 'END'
        # a comment

        host = localhost
        port=8080
        END
        printf 'last=1' | while IFS='=' read -r k v || [ -n "$k" ]; do echo "$k $v"; done
    """,
    "an echo that reads escapes": """
        shopt xpg_echo; shopt -p xpg_echo; shopt -q xpg_echo; echo $?
        shopt -s xpg_echo; shopt -p xpg_echo; set -o | grep xpg
        echo 'a\\tb'; echo -n 'x\\n'; echo -E 'a\\tb'; echo 'a\\cb' c; echo; echo -e 'a\\tb'
        echo -nE '\\n'; echo -neE '\\t'; echo -Ee '\\tx'; echo '\\061' '\\0101' '\\\\' '\\u00e9'
        x='q\\tr'; echo "$x"; echo "$x" | cat; for i in 1 2; do echo "$i\\t"; done; (echo '1\\t2')
        y=$(echo '\\x41'); echo "$y"; f() { echo "$1"; }; f 'a\\nb'; builtin echo 'm\\tn'
        shopt -u xpg_echo; echo "$x"; echo "a\\tb" | cat; printf '%s\\n' "$x"
    """,
    "what is declared and has no value": """
        declare x; declare -p x; declare -a a; declare -p a; declare -A h; declare -p h
        declare -i n; declare -p n; set | grep -E '^(x|a|h)='
        declare -p | grep -E '^declare -[^ ]* [xahn](=|$)' | sort
        echo "${x-unset} ${#a[@]}"; [[ -v x ]]; echo $?
        f() { local l; declare -p l; local -a m; declare -p m; declare z; declare -p z; g; }
        g() { declare -p l; l=1; unset l; declare -p l; }; f; declare -p l; echo $?
        x=1; declare -p x; a=(); declare -p a; h[k]=v; declare -p h; n=2+3; declare -p n
        declare u; unset u; declare -p u; echo $?; declare b=; declare -p b; declare x; declare -p x
        declare w; w+=x; declare -p w; declare -a c; c+=(1); declare -p c
        declare -a c; declare -p c
        declare v; (v=1; declare -p v); declare -p v; for v in 1; do :; done; declare -p v
        declare r; read -r r <<< text; declare -p r; declare -i i; i+=2; declare -p i; declare -xa e
        declare -p e; declare k; export k; declare -p k; readonly o; declare -p o; declare -u t; t=a
        declare -p t
    """,
    "a closed input": """
        for c in cat 'cat -' 'cat -n' 'grep x' 'sed p' 'head -1' sort 'read v'; do
            eval "$c <&-"; echo "$c $?"
        done
        { cat <&3; echo $?; } 3<&- 2> errors; (exec <&-; read v; echo $?; echo still); echo x <&-
        while read -r v; do echo never; done <&-; echo $?
    """,
    "directories that are too many": """
        cd . ..; echo $?; cd -- . ..; echo $?; cd .; echo $?
    """,
}


@pytest.mark.skipif(not is_reference_machine(), reason="bash 5.2 is the judge")
@pytest.mark.parametrize("name", SCRIPTS)
def test_script_agrees_with_bash(name: str, tmp_path: Path) -> None:
    script = dedent(SCRIPTS[name])
    bash = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env={"PATH": PATH, "LC_ALL": "C.UTF-8"},
        input="", capture_output=True, text=True, check=False,
    )  # fmt: skip
    result = Shell(files={f"{HOME}/sub/x": ""}, cwd=f"{HOME}/sub").run(f"rm x\n{script}")
    assert (result.stdout, result.code) == (bash.stdout, bash.returncode)


def test_there_are_no_statuses_before_the_first_command() -> None:
    shell = Shell()
    result = shell.run('echo "${#PIPESTATUS[@]}<${PIPESTATUS[*]}>$?"; echo "${PIPESTATUS[*]}"')
    assert result.stdout == "0<>0\n0\n"
    assert shell.run('echo "${PIPESTATUS[*]}"').stdout == "0\n"


@pytest.mark.parametrize(
    ("script", "message"),
    [("cat <&-", "cat: -: Bad file descriptor\n"),
     ("grep x <&-", "grep: (standard input): Bad file descriptor\n"),
     ("cd a b", "keysh: line 1: cd: too many arguments\n")],
)  # fmt: skip
def test_messages(script: str, message: str) -> None:
    assert Shell(check=False).run(script).stderr == message


@pytest.mark.parametrize("number", ["2#3", "8#9", "16#g", "36#@"])
def test_digit_outside_its_base(number: str) -> None:
    result = Shell().run(f"echo $(({number}))")
    assert (result.stdout, result.code) == ("", 1)
    assert f"E208 value too great for base: {number}" in result.stderr
    assert f"fix: digits below {number.partition('#')[0]}" in result.stderr


def test_array_without_a_subscript_is_assigned_in_its_first_element() -> None:
    result = Shell().run('xs=(a b); xs+=c; xs+=(c); echo "${xs[@]}"; xs=z; echo "${xs[@]}"')
    assert (result.stdout, result.stderr) == ("ac b c\nz b c\n", "")


def test_reference_to_an_invalid_name_is_refused() -> None:
    result = Shell().run("declare -n r; ( r='no name' ) || echo $?; r=x; x=1; echo $r")
    assert result.stdout == "1\n1\n"
    assert "E203 this is not the name of a variable: r=no name" in result.stderr


def test_text_can_be_appended_to_a_literal_list() -> None:
    result = Shell().run("xs=[1 2]; xs+=c; echo $xs")
    assert (result.stdout, result.code) == ('[1,2,"c"]\n', 0)


@pytest.mark.parametrize("script", ["for f in $p; do :; done", "xs=($p)", "set -- $p"])
def test_suggested_fix_for_a_pattern_in_a_variable_gives_the_files(script: str) -> None:
    shell = Shell(files={"a.txt": "", "b c.txt": ""}, check=False)
    result = shell.run(f"p=$(echo '*.txt')\n{script}")
    assert '`$(compgen -G "$p")` for the files' in result.stderr
    right = script.replace("$p", '$(compgen -G "$p")')
    result = shell.run(f'{right}\nprintf \'<%s>\' "${{f:-}}" "${{xs[@]}}" "$@"')
    assert (result.code, result.stderr) == (0, "")
    assert "b c.txt" in result.stdout


@pytest.mark.parametrize(
    ("shift", "fix"), [("1<<63", "1 << 62"), ("3<<62", "3 << 61"), ("-2<<63", "-2 << 62")]
)
def test_suggested_fix_for_a_shift_works(shift: str, fix: str) -> None:
    result = Shell().run(f"echo $(({shift}))")
    assert f"fix: {fix} at most" in result.stderr
    assert Shell().run(f"echo $(({fix}))").ok
