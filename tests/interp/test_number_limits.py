"""Numbers of many digits, which are out of range or have leading zeros."""

from __future__ import annotations

import pytest

from keysh import Shell
from keysh.text.shell_numbers import bounded_number

LONG = "9" * 5000


@pytest.mark.parametrize(
    ("digits", "number"),
    [("0", 0), ("", 0), ("007", 7), ("0" * 5000 + "12", 12), (LONG, int("9" * 18))],
)
def test_large_number_keeps_its_value_up_to_the_limit(digits: str, number: int) -> None:
    assert bounded_number(digits) == number


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("wait $n", "keysh: line 1: wait: pid N is not a child of this shell\n"),
        ("wait %$n", "keysh: line 1: wait: %N: no such job\n"),
        ("kill $n", "keysh: line 1: kill: (N) - No such process\n"),
        ("kill -l RTMAX-$n", "keysh: line 1: kill: RTMAX-N: invalid signal specification\n"),
        ("kill -$n 1", "keysh: line 1: kill: N: invalid signal specification\n"),
        ("trap : $n", "keysh: line 1: trap: N: invalid signal specification\n"),
        ("disown $n", "keysh: line 1: disown: N: no such job\n"),
        ("pushd +$n", "keysh: line 1: pushd: directory stack empty\n"),
        ("ulimit -n $n", "keysh: line 1: ulimit: N: invalid number\n"),
        ("echo a >f; install -o $n f g", "install: invalid user 'N'\n"),
        ("[ -v $n ]", ""),
        ("[ -t $n ]", ""),
        ("seq 2 | nl -w $n", "nl: invalid line number field width: 'N'\n"),
    ],
)
def test_out_of_range_number_is_reported_as_usual(script: str, says: str) -> None:
    result = Shell().run(script, env={"n": LONG})
    assert result.code != 0
    assert result.stderr.replace(LONG, "N") == says


def test_large_index_ends_the_options() -> None:
    result = Shell().run("OPTIND=$n; getopts a x -a; echo $?", env={"n": LONG})
    assert (result.stdout, result.stderr) == ("1\n", "")


@pytest.mark.parametrize(
    "script",
    [
        f"cat /dev/fd/{LONG}", f"echo a >&{LONG}", f"cat <&{LONG}-", f"echo ${{{LONG}}}",
        f"echo ${{{LONG}:-none}}", f"a=(); a[{LONG}]=1", f"a=(1); echo ${{a[{LONG}]}}",
        f"echo {{a..c..{LONG}}}", f"echo {{1..3..{LONG}}}", f"exec {{fd}}>&{LONG}",
        f'r={LONG}; echo "${{!r}}"', f"f() {{ return {LONG}; }}; f",
    ],
)  # fmt: skip
def test_language_refuses_numbers_out_of_range(script: str) -> None:
    result = Shell().run(script)
    assert result.error is None
    assert "Exceeds" not in result.stderr


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ('r=$d; ( echo "${!r}${!r-none}" ) || echo $?', "1\n"),
        ("[[ -v $d ]]; echo $?", "1\n"),
        ("echo x >&$d; ls", "\u0663\n"),
        ("cat /dev/fd/$d 3</in; echo $?", "1\n"),
        ("sleep 9 & sleep 9 & sleep 9 & kill %$d; echo $?; kill %1 %2 %3", "1\n"),
        ("kill -l RTMIN+$d; echo $?", "1\n"),
        ("trap $d INT; trap -p", "trap -- '\u0663' SIGINT\n"),
        ("xz -T $d -c /in; echo $?", "1\n"),
        ("diff --horizon-lines=$d /in /in; echo $?", "2\n"),
        ("declare -p $d; echo $?", "1\n"),
        ("a=(1 2 3 4); echo ${a[$d]-none}; echo $?", "1\n"),
    ],
)
def test_digits_of_other_scripts_are_not_numbers(script: str, output: str) -> None:
    """Python's `int` accepts all scripts; bash and the C library accept only ASCII digits."""
    actual = Shell(cwd="/here", files={"/in": "in\n", "/here/x": ""}).run(
        f"rm x; set -- a b c; {script}", env={"d": "\u0663"}
    )
    assert (actual.stdout, actual.error) == (output, None)


@pytest.mark.parametrize(
    ("script", "out"),
    [
        ("printf 'a x\\nb x\\n' | uniq -f ${n}1", "a x\n"),
        ("echo a 1 > f; echo a 2 > g; join -1 ${n}1 -j ${n}1 f g", "a 1 2\n"),
        ("echo one two | fmt -w ${n}4", "one\ntwo\n"),
        ("numfmt --padding=-${n}3 1 | cat -E", "1  $\n"),
        ("numfmt --format=%.${n}1f 1", "1.0\n"),
        ("seq 2 | numfmt --header=${n}1 --suffix=x", "1\n2x\n"),
        ("printf '\\t.' | expand -t ${n}2", "  ."),
        ("echo a > f; echo b | diff -U ${n}0 f - | tail -n 1", "+b\n"),
        ("b2sum -l ${n}8 /dev/null | wc -c", "14\n"),
        ("printf '1\\n2\\n' | column -c ${n}20", "1\t2\n"),
        ("nproc --ignore=${n}0 | wc -l", "1\n"),
    ],
)
def test_leading_zeros_are_ignored(script: str, out: str) -> None:
    result = Shell().run(script, env={"n": "0" * 30})
    assert (result.stdout, result.stderr) == (out, "")
