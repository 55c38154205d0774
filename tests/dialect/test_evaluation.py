"""Arithmetic and arrays of the bash dialect: random expressions and changes, beside real bash."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

OPERANDS = (
    "1", "7", "0", "-3", "0x1f", "017", "2#101", "9223372036854775807", "x", "$x", "y", "$y", "z",
    "$z", "a[1]", "a[x]", "${a[0]}", "h[k]", "e", "$e", "unset_one", "(x+1)", "$((y))", "${#z}",
)  # fmt: skip
OPERATORS = (
    "+", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "&&", "||", "<", ">", "==", "!=", ",",
)  # fmt: skip
SETTINGS = "x=3 y='x+4' z=12 e= op=+; a=(5 6 7); declare -A h=([k]=y [j]=2)\n"
# Numbers to keysh that are none to bash, in each place where a constant is compiled by itself.
PLACES_OF_NUMBERS = ("{0}", "-{0}", "({0})", "x + {0}", "x < {0}", '"{0}"', '"{0}" + 1', "x = {0}")
CHANGES = (
    "a[{n}]={v}", "a[{n}]+={v}", "unset 'a[{n}]'", "a+=({v} x)", "a={v}", "a+={v}", "a=({v} b)",
    "a=([{n}]={v} z)", "a[-1]={v}", "unset a", "read -ra a <<< '{v} w'", "(( a[{n}]++ ))",
    'b=("${{a[@]:1}}"); a=("${{b[@]}}")',
    "mapfile -O {n} -t a <<< {v}", "h[{v}]={n}", "unset 'h[{v}]'",
)  # fmt: skip
SHOWN = (
    'echo "${#a[@]}|${a[*]}|${!a[*]}|$a|${a[2]-none}|${a[@]:1:2}|${a[-1]-}"; '
    'echo "${#h[@]}|${h[*]}|${!h[*]}|${h[v]-}"; declare -p a h 2>/dev/null\n'
)


def random_expression(chance: random.Random) -> str:
    text = chance.choice(OPERANDS)
    for _ in range(chance.randint(0, 3)):
        text += f" {chance.choice(OPERATORS)} {chance.choice(OPERANDS)}"
    kind = chance.random()
    if kind < 0.1:
        return f"x {chance.choice(('=', '+=', '-=', '*='))} {text}"
    if kind < 0.2:
        return f"{text} ? {chance.choice(OPERANDS)} : {chance.choice(OPERANDS)}"
    return f"{text} $op 1" if kind < 0.25 else text


@pytest.mark.parametrize("seed", range(8))
def test_random_expressions(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    script = SETTINGS
    for _ in range(60):
        text = random_expression(chance)
        script += f'echo "$(( {text} ))" $x\necho "status $?"\n(( {text} )); echo $?\n'
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


@pytest.mark.parametrize("number", ["0b11", "-0b11", "0o7", "1.5", "1e3", "9223372036854775808"])
def test_numbers_of_keysh(tmp_path: Path, number: str) -> None:
    script = f"x=$((1)); n='{number}'; echo $((n)); echo $((x + n))\n"
    for place in PLACES_OF_NUMBERS:
        script += f"echo $(( {place.format(number)} ))\necho $x\n"
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


@pytest.mark.parametrize("attribute", ["", "i", "u", "l"])
@pytest.mark.parametrize("seed", range(8))
def test_random_changes_of_arrays(tmp_path: Path, seed: int, attribute: str) -> None:
    chance = random.Random(seed)
    script = f"v=7 w=v+1; declare -{attribute}a a; declare -{attribute}A h\n"
    for _ in range(60):
        change = chance.choice(CHANGES)
        value = chance.choice(("v", "w", "k", "3*v", "Ab"))
        script += change.format(n=chance.choice((0, 1, 2, 5, 9)), v=value)
        script += f"\necho $?\n{SHOWN}"
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


def test_integers_wrap_around(tmp_path: Path) -> None:
    script = (
        "declare -i n=9223372036854775807; n+=1; echo $n; n=9223372036854775808; echo $n\n"
        "declare -iA count; count[k]+=9223372036854775807; count[k]+=2; echo ${count[k]}\n"
        "(n=0b11; echo $n)\n(n=0o7; echo $n)\n(n=1.5)\necho $n\n"
    )
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)


def test_keys_come_in_the_order_of_bash(tmp_path: Path) -> None:
    chance = random.Random(1)
    script = "declare -A h\n"
    for number in range(3000):
        script += f"h[{chance.choice('abcxyz')}{chance.randrange(5000)}]={number}\n"
    script += 'echo "${!h[@]}"; echo "${h[*]}"\n'
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
