"""printf: tables, and random formats against bash's builtin."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from commands.bash_builtins import bash_builtin
from commands.command_runner import Answer, run_keysh
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.shell.shell import Shell
from keysh.text.shell_quoting import quote

CALLS = [
    [], ["-v"], ["-x"], ["-v", "1a", "x"], ["--"], ["-"], ["--", "%s\\n", "a"], ["--", "-v"],
    ["x"], ["x\\n", "a", "b"], ["%s\\n"], ["%s %s\\n", "a", "b", "c"], ["%s%%%s", "a", "b", "c"],
    ["a%"], ["%5"], ["%y\\n", "a"], ["a%y", "b"], ["%1$s", "a"], ["%z\\n", "1"],
    ["%5s|%-5s|%.1s|%05s", "é", "é", "éx", "a"], ["%c|%5c|%-3c|", "é", "ab", ""],
    ["%.*s|%*d|%-*d|%.*d", "-1", "abc", "5", "1", "-5", "2", "-3", "5"],
    ["%d %d %d\\n", "'a", '"é', "'"], ["%d", "abc"], ["%d", "12abc"], ["%d", "1.5"], ["%d", "+"],
    ["%d", ""], ["%d %d", "", "x"], ["%d", "0x"], ["%d", "08"], ["%d", "0b1"], ["%d", "1_0"],
    ["%i %i %i %i %i", "0x1F", "010", "-0x10", "+5", " 7"], ["%i", "7 "],
    ["%d", "99999999999999999999"], ["%d", "9223372036854775808"], ["%d", "-9223372036854775809"],
    ["%u", "18446744073709551616"], ["%u %x %o", "-1", "-1", "-1"], ["%x", "-9223372036854775808"],
    ["%ld|%lld|%hd", "1", "2", "3"],
    ["%+d % d %05d %-5d| %#x %#o", "1", "2", "3", "4", "255", "8"],
    ["%.5d|%8.3d|%.0d|", "42", "7", "0"], ["%.20f", "0.1"], ["%.2f %.2f", "2.675", "1.005"],
    ["%e %g %G", "12345.678", "1e100", "1e-10"],
    ["%f", "abc"], ["%f", "1e"], ["%f", "1,5"], ["%f", "0x1p3"],
    ["%f %e %F", "inf", "-inf", "nan"], ["%f", "infinity"], ["%f", "nanx"],
    ["%.3f|%10.2f|%-10.2f|%010.2f|%+.1f", "1e20", "2.5", "2.5", "-2.5", "3"],
    ["%g %g %g %g %#g", "0.0001", "0.00001", "123456", "1234567", "1"], ["%e", "1e5000"],
    ["%.0f %.0f %.0f %.0e", "0.5", "1.5", "2.5", "25"], ["%f", "'a"], ["%5.1f|%e", "", ""],
    ["%b|", "a\\tb\\0101\\x41\\u00e9\\c", "z"], ["%b", "\\101\\0101\\1\\08"],
    ["%b", "\\'\\\"\\?\\z"], ["%b", "\\e\\E\\x\\u"], ["%5b|%.2b|%-4b|", "a\\tb", "abc", "x"],
    ["%b", "\\"], ["%b%s", "a\\cb", "c"], ['\\x41\\101\\0101\\u41\\z\\"\\?\\c\\n'],
    ["\\xzz\\u\\U\\8"], ["\\u00e9\\xc3\\xa9"], ["\\"], ["%q %q %q %q", "a b", "", "a\nb", "it's"],
    ["%q|%q|%q|%q", "a,b=c:~d#e", "~x", "#y", "{a}"], ["%q %q %q", "a%b@c+d-e.f/g", "é", "\udcff"],
    ["%10q|%-6q|%.3q", "a b", "a", "a b c"], ["%Q|%.3Q|%10Q", "a b", "a bcdef", "a b"],
    ["%(%Y)T|%5(%H)T|%.1(%H)T|", "0", "0", "0"], ["%(%F %T)T %(%s)T", "1700000000", "1700000000"],
    ["%()T", "0"], ["%(a)b)T", "0"], ["%s", "\udcff"],
]  # fmt: skip
LETTERS = "sdiouxXeEfFgGcbq"
VALUES = [
    "", "a", "abc", "a b", "é€", "0", "1", "-1", "42", "0x1f", "017", "1.5", "-2.75", "1e10",
    "1e-7", "3.14159265358979", "'a", '"é', "12abc", "x\\ty", "\\0101", "0.1", "inf", "nan", "-0",
    "2.5", " 5", "~", "a\tb", "$x", "it's", "123456789.987654321", "1e400", "0.000123456",
]  # fmt: skip


def agree(calls: list[list[str]], folder: Path) -> None:
    for call, expected in zip(calls, bash_builtin("printf", calls, folder), strict=True):
        assert run_keysh("printf", *call) == expected, call


def test_table(tmp_path: Path) -> None:
    agree(CALLS, tmp_path)


def directive(chance: random.Random) -> str:
    flags = "".join(chance.choice("-+ #0'") for _ in range(chance.choice([0, 0, 1, 1, 2])))
    width = chance.choice(["", "", "", "5", "10", "1", "03"])
    precision = chance.choice(["", "", "", ".", ".0", ".2", ".3", ".10"])
    return f"%{flags}{width}{precision}{chance.choice(LETTERS)}"


def call_of(chance: random.Random) -> list[str]:
    """A random format and its arguments."""
    texts = ["|", " ", "\\n", "\\t", "\\101", "\\x41", "é", "%%", "a", "\\\\"]
    pieces = [
        directive(chance) if chance.random() < 0.6 else chance.choice(texts)
        for _ in range(chance.randint(1, 5))
    ]
    numbers = [str(chance.randint(-(10**6), 10**6)), repr(10 ** chance.uniform(-20, 20))]
    values = [chance.choice(VALUES + numbers) for _ in range(chance.randint(0, 5))]
    return ["".join(pieces), *values]


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_match_bash(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    agree([call_of(chance) for _ in range(200)], tmp_path)


def test_constant_format_prints_like_any_other() -> None:
    chance = random.Random(4)
    texts = [
        "%s",
        "%s",
        "%%",
        "%5s",
        "%",
        "é",
        "\\n",
        "\\\\",
        "\\",
        "\\033",
        "\\0",
        "\\x41",
        '\\"',
        "\\c",
    ]
    for _ in range(300):
        format_text = "".join(chance.choices(texts, k=chance.randint(0, 4)))
        values = chance.choices(
            ["''", "a", "é", "$n", "'b c'", "$list", "$yes", "*"], k=chance.randint(0, 3)
        )
        words = [quote(format_text), *values]
        setup = "n=$((2)); yes=$(fromjson <<< true); list=[1 2]; "
        constant = Shell(check=False).run(f"{setup}printf {' '.join(words)}")
        full = Shell(check=False).run(f"{setup}command printf {' '.join(words)}")
        assert (constant.stdout, constant.stderr) == (full.stdout, full.stderr), words


def test_variable_can_be_set_instead_of_printing() -> None:
    shell = Shell()
    assert shell.run('printf -v x "%05d" 42; echo "$x"').stdout == "00042\n"
    assert shell.run('printf -vx "%s-" a b; echo "$x"').stdout == "a-b-\n"
    assert shell.run("a=[1 2]; printf -v 'a[1]' z; echo $a").stdout == '[1,"z"]\n'


def test_printed_characters_are_counted() -> None:
    assert Shell().run('n=0; printf "é%n\\n" n; echo "$n"').stdout == "é\n2\n"


def test_bytes_forming_a_character_are_joined() -> None:
    made = Shell().run(
        r"printf '\303\251%s\n' x; printf '\303%s\n' $'\251'; printf '\303'; printf '\251'"
    )
    assert made.stdout == "éx\né\né"
    assert Shell().run(r"printf '\303'; printf 'a\251'").stdout == "\udcc3a\udca9"


def test_odd_words() -> None:
    answer = run_keysh(
        "printf",
        "%s,",
        NamedArgument("a", 1.5, "a=1.50"),
        GlobArgument("*.py", lambda: ["x.py", "y.py"]),
        [1, {"a": "é"}],
        True,
        7,
    )
    assert answer.out.decode() == 'a=1.50,x.py,y.py,[1,{"a":"é"}],true,7,'


def test_time_comes_from_the_clock_of_the_shell() -> None:
    assert run_keysh("printf", "%(%F)T", "-1").out == b"2023-11-14"
    assert run_keysh("printf", "%(%F)T").out == b"2023-11-14"
    assert run_keysh("printf", "%(%H %Z)T", "0", env={"TZ": "CET-1"}).out == b"01 CET"


def test_excessive_field_width_is_refused() -> None:
    says = "printf: a field of 999999999 characters\n"
    assert run_keysh("printf", "a%999999999d", "1") == Answer(1, b"a", says)
    assert run_keysh("printf", "%.99999999999999999999f", "1").status == 1
