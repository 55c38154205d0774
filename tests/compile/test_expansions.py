"""`${…}`: tables of keysh's own rules, and random expansions against bash."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import keysh
from compile.evaluation import bash_outputs, expand_words, expanded_text, state_with
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import Limits
from keysh.interp.run.options import NOCASEMATCH, NOUNSET
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.state import State
from keysh.interp.variables.variable import EXPORTED, INTEGER, READONLY, NameReference
from keysh.values import ShellList, ShellRecord

SETUP = r"""
x=abcb y='&' z='\&' w='\\&' b='\' e= s=hello q="it's" n=$'a\nb' i2=2 r=s rx='xs[1]' ra='xs[@]'
rn=unset p='[el]' pth=/a/b/c.tar.gz num=42 neg=-7 bs='a\tb\x41' uni=$'\xc3\xa9\x01'
xs=(p q r) none=(); declare -A m=([a]="1 2"); declare -n ref=s; set -- a bb "c d"
"""
VARIABLES: dict[str, Any] = {
    "x": "abcb", "y": "&", "z": r"\&", "w": r"\\&", "b": "\\", "e": "", "s": "hello", "q": "it's",
    "n": "a\nb", "i2": 2, "r": "s", "rx": "xs[1]", "ra": "xs[@]", "rn": "unset", "p": "[el]",
    "pth": "/a/b/c.tar.gz", "num": 42, "neg": -7, "bs": r"a\tb\x41", "uni": "é\x01",
}  # fmt: skip
SUBJECTS = [
    "x", "e", "s", "q", "n", "pth", "num", "neg", "unset", "1", "3", "4", "xs[1]", "xs[@]", "xs[*]",
    "m[a]", "@", "*", "i2", "!r", "!rx", "!rn", "!ra", "uni", "ref", "none[@]",
]  # fmt: skip
PATTERNS = [
    "a", "*", "a*", "*b", "*b*", "a*b", "b", "?", "[a-l]", "*/", "/*", ".*", "*.", "$y", '"$p"',
    "$p", "", '"*"', "h?", "@(a|b)", "+([a-l])", r"\*", "l", "ll", "$e", "*[bl]", "a b", "*(z)",
]  # fmt: skip
REPLACEMENTS = [
    "", "r", "&", "[&]", r"\&", '"&"', "$y", '"$y"', "$z", '"$z"', "$w", "x$b", "longer text", "/",
    "''", "*", "$b'&'", r"\\&",
]  # fmt: skip
WORDS = ["d", "", "$s", '"a b"', "${unset:-q}", "'x'", '"$@"', '"${xs[@]}"', "a*", "$i2"]
OFFSETS = ["0", "1", "2", "i2", " -1", " -2", " -9", "9", "1+1"]
LENGTHS = ["", ":0", ":1", ":2", ":i2", ":-1", ":9", ":"]


def state_of_setup() -> State:
    state = state_with("a", "bb", "c d", **VARIABLES)
    state.variables["xs"] = ShellList(["p", "q", "r"])
    state.variables["none"] = ShellList()
    state.variables["m"] = ShellRecord(a="1 2")
    state.variables["ref"] = NameReference("s")
    return state


def random_expansion(chance: Random) -> str:
    """One `${…}` that bash reads as keysh does."""
    subject, kind = chance.choice(SUBJECTS), chance.random()
    pattern = chance.choice(PATTERNS)
    if kind < 0.3:
        return f"{subject}{chance.choice(['#', '##', '%', '%%'])}{pattern}"
    if kind < 0.55:
        escaped = pattern.replace("/", "\\/")
        new = chance.choice(["", f"/{chance.choice(REPLACEMENTS)}"])
        return f"{subject}{chance.choice(['/', '//', '/#', '/%'])}{escaped}{new}"
    if kind < 0.7:
        operator = chance.choice([":-", "-", ":+", "+", ":=", "=", ":?", "?"])
        return f"{subject}{operator}{chance.choice(WORDS)}"
    if kind < 0.78:
        return f"{subject}{chance.choice(['^', '^^', ',', ',,'])}{chance.choice(['', pattern])}"
    if kind < 0.92:
        return f"{subject}:{chance.choice(OFFSETS)}{chance.choice(LENGTHS)}"
    if kind < 0.94:
        return f"#{subject.lstrip('!')}"
    return f"{subject}{chance.choice(['@Q', '@U', '@L', '@u', '@E'])}"


def test_agrees_with_bash() -> None:
    """Except where keysh differs: E203 for missing elements."""
    chance = Random(1)
    made = list(dict.fromkeys(random_expansion(chance) for _ in range(1500)))
    commands = [f'printf "<%s>" "${{{one}}}"' for one in made]
    for expansion, answer in zip(made, bash_outputs(SETUP, commands), strict=True):
        result = expanded_text(f'"${{{expansion}}}"', state_of_setup())
        if result in ("E209", "E211"):
            result = "fails"  # the run ends, or nothing is assigned
        elif result == "E203":
            assert answer in ("fails", "<>"), expansion
            continue
        assert (result or "<>") == answer, expansion


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ('"${!x*}"', "<x xs>"), ('"${!x@}"', "<x><xs>"), ('"${!SECON*}"', "<SECONDS>"),
        ('"${!xs[@]}"', "<0><1><2>"), ('"${!m[*]}"', "<a>"), ('"${!s[@]}"', "<0>"),
        ('"${!unset[@]}"', ""), ('"${!ref}"', "<s>"), ('"${!#}"', "<c d>"), ('"${!1:-d}"', "<d>"),
        ('"${#@}${#}${##}"', "<331>"), ('"${#unset[@]}${#s[@]}${#none[@]}"', "<010>"),
        ('"${@:0:2}"', "<bash><a>"), ('"${@: -1}"', "<c d>"), ('"${*:2}"', "<bb c d>"),
        ('"${xs[@]@A}"', '<declare><-a><xs=([0]="p" [1]="q" [2]="r")>'),
        ('"${m[*]@A}"', '<declare -A m=([a]="1 2" )>'), ('"${@@A}"', "<set><--><'a'><'bb'><'c d'>"),
        ('"${flag@A}" "${flag@a}"', "<declare -irx flag='5'><irx>"), ('"${s@A}"', "<s='hello'>"),
        ('"${unset@A}${unset@a}"', "<>"), ('"${xs@a}" "${m@a}"', "<a><A>"),
        ('"${xs[@]@a}"', "<a><a><a>"), ('"${xs[*]@K}"', '<0 "p" 1 "q" 2 "r">'),
        ('"${xs[@]@k}"', "<0><p><1><q><2><r>"), ('"${m[@]@K}"', '<a "1 2" >'),
        ('"${s@K}"', "<'hello'>"), ("a${1+'b c'}d", "<ab cd>"), ('${unset+"$@"}', ""),
        ('${1+"$@"}', "<a><bb><c d>"), ('"${unset-"${xs[@]}"}"', "<p><q><r>"),
        ('"${s:-"$@"}"', "<hello>"), ('"${!ra}"', "<p><q><r>"), ('"x${!ra}"', "<xp><q><r>"),
        ("${!ra^}", "<P><Q><R>"), ('"${s^^\'\'}"', "<hello>"),
    ],
)  # fmt: skip
def test_expansions_agree_with_bash(word: str, expected: str) -> None:
    state = state_of_setup()
    state.variables["flag"] = 5
    state.attributes["flag"] = INTEGER | READONLY | EXPORTED
    assert expanded_text(word, state) == expected


LISTS = {"xs": ["ab", "cb", 7], "u": {"k": "v", "tags": ["x", "y"], "null": None}, "t": "text"}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("${xs}", ["ab", "cb", 7]), ("${xs%b}", ["a", "c", "7"]), ("${xs^^}", ["AB", "CB", "7"]),
        ("${xs/b/[&]}", ["a[b]", "c[b]", "7"]), ("${xs:1}", ["b", "b", ""]),
        ("${xs@Q}", ["'ab'", "'cb'", "'7'"]), ("${u[tags]#x}", ["", "y"]), ("${#xs}", "3"),
        ("${#u}", "3"), ("${#u[tags]}", "2"), ("${#u[k]}", "1"), ("${xs[2]}", 7), ("${xs[-1]}", 7),
        ("${xs[1+1]}", 7), ("${xs[0:2]}", ["ab", "cb"]), ("${xs[1:]}", ["cb", 7]),
        ("${t[1:3]}", "ex"), ("${u[k]}", "v"), ("${u[tags][1]}", "y"),
        ("${u[no]:-d}", "d"), ("${u[no]+set}", None), ("${u[null]:-d}", "d"), ("${xs[9]-d}", "d"),
        ("${u[tags][5]:-5}", 5), ("${xs:-d}", ["ab", "cb", 7]), ("${none:-$xs}", ["ab", "cb", 7]),
        ("${none:=$xs}", ["ab", "cb", 7]), ("${u[new]:=1.5}", 1.5), ("${none:-1.10}", "1.10"),
    ],
)  # fmt: skip
def test_values(word: str, expected: object) -> None:
    result = expand_words(word, state_with(**LISTS))
    assert result == ([] if expected is None else [expected])
    assert expected is None or type(result[0]) is type(expected)


def test_elements_and_their_operators() -> None:
    state = state_with(**LISTS)
    assert expand_words('"${xs[@]:1:2}" "${u[tags][@]}" "${#u[tags][@]}"', state) == [
        "cb", 7, "x", "y", "2",
    ]  # fmt: skip
    assert expand_words('"${u[tags][@]^}" "${!u[@]}" "${!u[tags][@]}"', state) == [
        "X", "Y", "k", "tags", "null", 0, 1,
    ]  # fmt: skip


def test_default_is_assigned_as_a_copy() -> None:
    state = state_with(xs=[1])
    expand_words("${ys:=$xs}", state)
    state.variables["ys"].append(2)
    assert state.variables["xs"] == [1]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("${u[no]}", "E203 a key is missing: u[no]"),
        ("${u[tags][9]}", "E203 an index is out of range: u[tags][9]"),
        ("${u[no][@]}", "E203 a key is missing: u[no]"),
        ("${u#p}", 'E201 a record is not a string: {"k":"v"'),
        ("${array#p}", "E311 an array is read without a subscript: $array"),
        ("${array:-d}", "E311 an array is read without a subscript: $array"),
        ("${!blank}", "E203 this is not the name of a variable: blank=a b"),
        ("${!unset}", "E203 this is not the name of a variable: unset="),
        ("${!run}", "E203 this is not the name of a variable: run=xs[$(touch x)]"),
        ("${t:2:-9}", "E203 a slice ends before it begins: -9"),
        ("${xs[@]:0:-1}", "E203 a number of elements cannot be negative: -1"),
        ("${t:0.5}", "E208 an offset must be a whole number: 0.5"),
        ("${7:=d}", "E211 this cannot be assigned: $7"),
        ("${fixed:=d}", "E211 readonly variable: fixed"),
        ("${array[0]@A}", "E203 an element is not a variable: array"),
        ("${unset?}", "E209 unset: parameter not set"),
        ("${e:?}", "E209 e: parameter null or not set"),
        ("${u[no]:?my $t}", "E209 u[no]: my text"),
        ("${!t?no}", "E209 t: no"),
    ],
)  # fmt: skip
def test_problems(word: str, expected: str) -> None:
    state = state_with(**LISTS, blank="a b", run="xs[$(touch x)]", e="", array=ShellList(["a"]))
    state.attributes["fixed"] = READONLY
    with pytest.raises(RuntimeDiagnostic) as raised:
        expand_words(word, state)
    problem = raised.value
    assert f"{problem.code} {problem.fact}: {problem.datum}".startswith(expected)
    assert problem.is_final is (problem.code == "E209")


@pytest.mark.parametrize(
    "word",
    ["${unset#x}", "${#unset}", "${unset^^}", "${unset/a/b}", "${unset:1}", "${#unset[@]}",
     "${unset@Q}", "${unset@A}", "${3#a}"],
)  # fmt: skip
def test_unset_under_set_u(word: str) -> None:
    state = state_with("a")
    expand_words(word, state)
    state.flags |= NOUNSET
    with pytest.raises(RuntimeDiagnostic, match="E209"):
        expand_words(word, state)


@pytest.mark.parametrize("word", ["${unset-}", "${unset+x}", "${unset[@]}", "${unset[@]#x}", "$@"])
def test_expansions_allowed_under_set_u(word: str) -> None:
    state = state_with()
    state.flags |= NOUNSET
    assert expand_words(word, state) == []


def test_case_sensitivity_of_patterns() -> None:
    state = state_with(x="ABCa", lower="b")
    state.flags |= NOCASEMATCH
    result = expand_words(
        "${x#a} ${x%C*} ${x/b/_} ${x//a/_} ${x/$lower/_} ${x,,a} ${x/#ab/_}", state
    )
    assert result == ["ABCa", "AB", "A_Ca", "_BC_", "A_Ca", "ABCa", "_Ca"]


@pytest.mark.parametrize("word", ["${x//a/$long}", "${x//[a]/$long}", "${x//a/bbbbbbbbbbbb}"])
def test_value_size_is_limited(word: str) -> None:
    state = state_with(limits=Limits(value=1000), x="a" * 100, long="b" * 100)
    with pytest.raises(LimitReached):
        expand_words(word, state)


def test_empty_arguments_beside_text() -> None:
    words = ["a$@", "$@b", "a$@b", 'a"$@"b', "$@", '"$@"', '""$@', '"$@$x"', "x$@$x"]
    commands = [f"set -- {given}; x=; printf '<%s>' {word}" for word in words
               for given in ("'' '' ''", "'' b ''", "")]  # fmt: skip
    expected = bash_outputs("", commands)
    assert [keysh.Shell().run(command).stdout for command in commands] == expected
