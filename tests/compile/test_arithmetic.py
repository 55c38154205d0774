"""Arithmetic: tables of keysh's own rules, and random expressions against bash."""

from __future__ import annotations

from random import Random

import pytest

from compile.evaluation import bash_outputs, evaluate, outcome_of, state_with
from keysh.interp.run.options import NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.variable import READONLY
from keysh.text.shell_numbers import parse_shell_number
from keysh.values import Numeral, ShellList

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", 42), ("-7", -7), ("+7", 7), (" 7\n", 7), ("", 0), ("  ", 0), ("0x1F", 31),
        ("-0x1f", -31), ("017", 15), ("0", 0), ("00", 0), ("2#101", 5), ("36#zZ", 36 * 35 + 35),
        ("64#@_", 62 * 64 + 63), ("37#A", 36), ("0b11", 3), ("0o17", 15), ("1.5", 1.5),
        (".5", 0.5), ("-2e3", -2000.0), ("1e-2", 0.01), ("99999999999999999999", 10**20 - 1),
        ("08", None), ("1+2", None), ("x", None), ("--5", None), ("- 5", None), ("5.", None),
        ("1_000", None), ("0x", None), ("0xg", None), ("2#2", None), ("65#1", None), ("1#0", None),
        ("10#", None), ("10#-5", None), ("#1", None), ("e5", None), ("1e", None), ("٣", None),
        ("inf", None), ("nan", None), ("+", None), ("9" * 5000, None), ("0x" + "f" * 5000, None),
    ],
)  # fmt: skip
def test_numbers_from_texts(text: str, expected: float | None) -> None:
    result = parse_shell_number(text)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1.5 + 1", 2.5), ("7.5 % 2", 1.5), ("-7.5 % 2", -1.5), ("1 / 2.0", 0.5), ("1 / 2", 0),
        ("2.0 ** 0.5", 2**0.5), ("2.0 ** -1", 0.5), ("1.5 < 2", 1), ("!0.0", 1), ("-f", -1.5),
        ("f++ + f", 4.0), ("f && 1", 1), ("json + 1", 2.1), ("f == 1.5", 1), ("1 ? f : 2", 1.5),
    ],
)  # fmt: skip
def test_float_operand_makes_the_result_a_float(expression: str, expected: float) -> None:
    result = evaluate(expression, state_with(f=1.5, json=Numeral("1.10")))
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("5 / 0", "E206 division by zero: 5 / 0 @ 5 / 0"),
        ("1 + 5 % z", "E206 division by zero: 5 % 0 @ 5 % z"),
        ("5.0 / 0", "E206 division by zero: 5.0 / 0 @ 5.0 / 0"),
        ("0.0 ** -1", "E206 division by zero: 0.0 ** -1 @ 0.0 ** -1"),
        ("2 ** -1", "E206 exponent less than 0: 2 ** -1 @ 2 ** -1"),
        ("2 ** 63", "E207 out of the range of 64 bits: 2 ** 63 @ 2 ** 63"),
        ("10 ** 10 ** 10", "E207 out of the range of 64 bits: 10 ** 10000000000 @ 10 ** 10 ** 10"),
        ("1e308 * 10", "E207 out of the range of 64 bits: 1e+308 * 10 @ 1e308 * 10"),
        ("9223372036854775808",
         "E207 out of the range of 64 bits: 9223372036854775808 @ 9223372036854775808"),
        ("top++", "E207 out of the range of 64 bits: 9223372036854775807 + 1 @ top++"),
        ("top + 1", "E207 out of the range of 64 bits: 9223372036854775807 + 1 @ top + 1"),
        ("top += top",
         f"E207 out of the range of 64 bits: {2**63 - 1} + {2**63 - 1} @ top += top"),
        ("-low", "E207 out of the range of 64 bits: - -9223372036854775808 @ -low"),
        ("low / -1", "E207 out of the range of 64 bits: -9223372036854775808 / -1 @ low / -1"),
        ("1 << 63", "E207 out of the range of 64 bits: 1 << 63 @ 1 << 63"),
        ("huge", f"E207 out of the range of 64 bits: {10**400} @ huge"),
        ("huge + 1.5",
         "E207 out of the range of 64 bits: an integer beyond all floats @ huge + 1.5"),
        ("huge += 1.5",
         "E207 out of the range of 64 bits: an integer beyond all floats @ huge += 1.5"),
        ("(-8) ** 0.5", "E207 a root of a negative number: -8 ** 0.5 @ (-8) ** 0.5"),
        ("1 << 64", "E207 a shift by less than 0 or more than 63: 1 << 64 @ 1 << 64"),
        ("1 >> -1", "E207 a shift by less than 0 or more than 63: 1 >> -1 @ 1 >> -1"),
        ("1.5 & 1", "E208 a float has no bits: 1.5 & 1 @ 1.5 & 1"),
        ("~1.5", "E208 a float has no bits: ~1.5 @ ~1.5"),
        ("text + 1", "E208 not a number: text=1+2 @ text"),
        ("$text", "E208 not a number: text=1+2 @ $text"),
        ('"b c" + 1', 'E208 not a number: b c @ "b c"'),
        ("yes", "E208 not a number: yes=true @ yes"),
        ("eight", "E208 not an octal number: eight=08 @ eight"),
        ("2#3", "E208 value too great for base: 2#3 @ 2#3"),
        ("list", "E208 not a number: list=[1] @ list"),
        ("array", "E311 an array is read without a subscript: $array @ array"),
        ("array[@] + 1", "E208 several elements are not one number: array[@] @ array[@]"),
        ("fixed = 2", "E211 readonly variable: fixed @ fixed"),
        ("fixed++", "E211 readonly variable: fixed @ fixed"),
    ],
)  # fmt: skip
def test_problems(expression: str, expected: str) -> None:
    state = state_with(
        z=0, top=HIGHEST, low=LOWEST, huge=10**400, text="1+2", yes=True, eight="08", list=[1],
        array=ShellList([1, 2]), fixed=1,
    )  # fmt: skip
    state.attributes["fixed"] = READONLY
    assert outcome_of(expression, state) == expected


def test_largest_and_smallest_numbers() -> None:
    state = state_with(top=HIGHEST, low=LOWEST)
    assert evaluate("-9223372036854775808", state) == LOWEST
    assert evaluate("(-2) ** 63", state) == LOWEST
    assert evaluate("top - 1 + 1", state) == HIGHEST
    assert evaluate("low % -1", state) == 0
    assert evaluate("-1 << 63", state) == LOWEST
    assert evaluate("1 ** 100000000000", state) == 1
    assert evaluate("--top", state) == HIGHEST - 1


def test_empty_and_unset_count_as_zero() -> None:
    state = state_with(empty="", null=None)
    assert evaluate("empty + null + unset + $unset", state) == 0
    assert evaluate("", state) == 0
    state.flags |= NOUNSET
    assert evaluate("empty + null", state) == 0
    for expression in ("unset", "unset + 1", "$unset", "unset++", "unset += 1"):
        with pytest.raises(RuntimeDiagnostic, match="E209"):
            evaluate(expression, state)


def test_elements() -> None:
    state = state_with(xs=[1, 2, [3, 4]], u={"a b": "5", "n": 1}, k="a b", i=1)
    assert evaluate("xs[0] + xs[i] + xs[i+1][1] + xs[-1][0]", state) == 10
    assert evaluate("u[$k] * 2", state) == 10
    assert evaluate("u[n] += 4", state) == 5
    assert evaluate("u[new] = 7", state) == 7
    assert evaluate("xs[i++] *= 10", state) == 20
    assert evaluate("++xs[0], xs[0]--", state) == 2
    assert state.variables["u"] == {"a b": "5", "n": 5, "new": 7}
    assert state.variables["xs"] == [1, 20, [3, 4]]
    assert state.variables["i"] == 2


def test_expanded_words() -> None:
    state = state_with("6", "8", n="7")
    assert evaluate("$1 * $# + ${2}", state) == 20
    assert evaluate('"$n" + $n + ${n} + n', state) == 28
    assert evaluate("1$n + 0x$n$n", state) == 17 + 0x77
    assert evaluate("${#n} + $((n + 1))", state) == 9
    assert evaluate("-$n ** 2", state) == 49


def test_expansion_before_assignment_is_refused() -> None:
    state = state_with(i=1)
    for expression in ("i++ + $i", "i = 5, $i", "(i += 1) * ${i}", "i++ ? 1 : $(echo $i)"):
        with pytest.raises(RuntimeDiagnostic, match="before the change"):
            evaluate(expression, state)
    assert evaluate("i = $i + 1", state) == 2
    assert evaluate("$i + i++", state) == 4


def test_chains_of_any_length() -> None:
    state = state_with(x=1)
    count = 5000
    assert evaluate("+".join(["1"] * count), state) == count
    assert evaluate("&&".join(["1"] * count), state) == 1
    assert evaluate(",".join(["x"] * count), state) == 1
    assert evaluate("!" * count + "x", state) == 1
    assert evaluate("x=" * count + "3", state) == 3
    assert evaluate("**".join(["1"] * count), state) == 1
    assert evaluate("!x ? 0 : " * count + "2", state) == 2


def test_lazy_evaluation() -> None:
    state = state_with(x=0)
    assert evaluate("0 && (x = 1)", state) == 0
    assert evaluate("1 || (x = 1)", state) == 1
    assert evaluate("1 ? 5 : (x = 1)", state) == 5
    assert evaluate("0 ? 1 / 0 : 7", state) == 7
    assert state.variables["x"] == 0


NUMBERS = ["0", "1", "2", "3", "7", "-1", "10", "63", "0x1f", "017", "2#101", "64#@_", "4294967296"]
VARIABLES = ["a", "b", "c", "unset", "$a", "${b}", "n", "h"]
VALUES = {"a": 5, "b": -3, "c": "12", "e": " 7 ", "h": "0x10", "n": 100}
BINARY = [
    "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&",
    "||", "**",
]  # fmt: skip
CHANGES = ["=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]


def random_expression(chance: Random, depth: int) -> str:
    """An expression that bash reads as keysh does."""
    kind = chance.random()
    if depth <= 0 or kind < 0.2:
        return chance.choice(NUMBERS if kind < 0.5 * (depth <= 0) + 0.1 else VARIABLES)
    inner = [random_expression(chance, depth - 1) for _ in range(4)]
    if kind < 0.65:
        count = chance.choice([2, 2, 2, 3, 4])
        return "".join(f"{chance.choice(BINARY)} {one} " for one in inner[:count]).split(" ", 1)[1]
    if kind < 0.75:
        return f"({inner[0]})"
    if kind < 0.82:
        return f"{chance.choice('-+!~')} {inner[0]}"
    if kind < 0.87:
        return f"{inner[0]} ? {inner[1]} : {inner[2]}"
    if kind < 0.92:
        return chance.choice(["a++", "b--", "++a", "--b", "c++", "--unset", "h++"])
    if kind < 0.97:
        return f"({chance.choice('abcden')} {chance.choice(CHANGES)} {inner[0]})"
    return f"({inner[0]} , {inner[1]})"


def test_agrees_with_bash() -> None:
    """If keysh gives a number, bash gives the same one, and the variables are equal afterwards."""
    chance = Random(1)
    expressions = [random_expression(chance, chance.choice([1, 2, 2, 3])) for _ in range(900)]
    setup = "".join(f"{name}={value!r}\n" for name, value in VALUES.items())
    reported = "|".join(f"${name}" for name in VALUES)
    commands = [f'((r = ({one}), 1)); echo "$r|{reported}"' for one in expressions]
    judged = 0
    for expression, answer in zip(expressions, bash_outputs(setup, commands), strict=True):
        state = state_with(**VALUES)
        result = outcome_of(f"r = ({expression}), 1", state)
        if result != "1":
            assert result.startswith(("E206", "E207", "E208")), expression
            continue
        if not answer.strip("|\n").replace("fails", ""):
            assert "**" in expression  # bash looks at exponents that it does not compute
            continue
        values = [state.variables["r"], *(state.variables[name] for name in VALUES)]
        assert "|".join(map(str, values)) + "\n" == answer, expression
        judged += 1
    assert judged > 600
