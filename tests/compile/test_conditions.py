"""`[[ … ]]`: keysh's extensions, and tables against bash."""

from __future__ import annotations

import pytest

from compile.evaluation import bash_outputs, condition_holds, state_with
from keysh.interp.run.options import NOCASEMATCH, OPTION_BITS
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.state import State
from keysh.interp.variables.variable import NameReference
from keysh.values import ShellList, ShellRecord

SUBJECTS = ["abc", "a", "", "a*", "a.c", "5", "ABC", "a]b", "a b", "-f", r"a\b", "(x)", "aab", "é"]
PATTERNS = [
    "abc", "a*", "*c", "a*c", "*b*", "**", "a?c", "[ab]*", '"a*"', 'a"*"', "$x", '"$x"', "$pat",
    '"$pat"', "*", '""', "@(a|abc)", "!(a)", r"a\*", "[", "a[.]c", '*"b"*', "$x*", "*$e", r"a\ b",
    "é",
]  # fmt: skip
REGEXES = [
    "^a", "a.c", 'a"."c', r"a\.c", "$re", '"$re"', "(a)(b)?(x)?", "^(abc|ABC)$", 'a["]"]b', "b$",
    "[[:alpha:]]+", r"^\(x\)$", "a+b", r"\w", "($x)", "a{2}b", "[^a]", r"\\", r"a[\.]c", "[a-c]{3}",
    '["a-c"]', "(a b)", "$word",
]  # fmt: skip
NUMBERS = ["5", "$n", "05", "0x5", '" 5 "', '""', "-5", "16#f", "$h", "$unset"]
OTHERS = [
    "-v x", "-v unset", "-v 1", "-v 2", "-v x[0]", "-v arr[1]", "-v arr[7]", "-v arr", "-v arr[-1]",
    "-v none", "-v rec", "-v rec[a]", "-v rec[b]", "-v RANDOM", "-v a-b", '-v ""', "-v @",
    "-o errexit", "-o braceexpand", "-o unknown", "! -n $x", "! ! -n $x", "-n $x && -z $e",
    "-z $x || -n $e", "( -n $x ) && ! ( -z $x )", "a && b", '"" || a', 'a && "" || b',
    "a && b && c", '"" || "" || ""', "-e /unknown", "-t 5", "-d /", "-f /", '-e ""', "/ -ef /",
    "/ -nt /unknown", "x", "$e", '-n "$unset"', '"a b" < "ab"', "9 > 10", "é > z", "-L /", "-R ref",
    "-R x",
]  # fmt: skip
SETUP = r"""
x=abc e= n=5 pat='a*' re='^(a)(b)?' h=0x5 word='\w' arr=(p q) none=()
declare -A rec=([a]=1); declare -n ref=x; set -- one
"""


def state_of_setup() -> State:
    state = state_with(
        "one", x="abc", e="", n=5, pat="a*", re="^(a)(b)?", h="0x5", word=r"\w",
        arr=ShellList(["p", "q"]), none=ShellList(), rec=ShellRecord(a=1), ref=NameReference("x"),
    )  # fmt: skip
    state.variables["BASH_REMATCH"] = ShellList()
    return state


def conditions() -> list[str]:
    quoted = ['"' + subject.replace("\\", "\\\\") + '"' for subject in SUBJECTS]
    made = [f"{one} == {pattern}" for one in quoted for pattern in PATTERNS]
    made += [f"{one} != {pattern}" for one in quoted for pattern in PATTERNS]
    made += [f"{one} =~ {regex}" for one in quoted for regex in REGEXES]
    made += [f"{one} {sign} {other}" for one in quoted for other in quoted[:4] for sign in "<>"]
    for operator in ("-eq", "-ne", "-lt", "-le", "-gt", "-ge"):
        made += [f"{one} {operator} {other}" for one in NUMBERS for other in ("5", "6", "$n", "-1")]
    return made + OTHERS


@pytest.mark.parametrize("ignores_case", [False, True])
def test_agrees_with_bash(ignores_case: bool) -> None:
    reported = 'echo "$?|${#BASH_REMATCH[@]}|${BASH_REMATCH[*]}"'
    made = conditions()
    setup = SETUP + "shopt -s nocasematch\n" * ignores_case
    answers = bash_outputs(setup, [f"[[ {one} ]]; {reported}" for one in made])
    for condition, answer in zip(made, answers, strict=True):
        state = state_of_setup()
        if ignores_case:
            state.flags |= NOCASEMATCH
        status = 0 if condition_holds(condition, state) else 1
        groups = state.variables["BASH_REMATCH"]
        assert f"{status}|{len(groups)}|{' '.join(groups)}\n" == answer, condition


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("b in [a b]", True), ("c in [a b]", False), ("c not in [a b]", True),
        ("1 in $numbers", True), ("2.5 in $numbers", True), ("true in $numbers", True),
        ("3 in $numbers", False), ("b in $array", True),
        ("a in $record", True), ("1 in $record", False), ("z not in {a: 1}", True),
        ("a in $reference", True), ("-list $numbers", True),
        ("-list $array", True), ("-list $record", False), ("-record $record", True),
        ("-list $text", False), ("-record $unset", False), ("-list $#", False),
        ("1.50 -eq 1.5", True), ("$half -lt 0.6", True), ("2 -gt $half", True),
        ("-v record[a]", True), ("-v record[z]", False), ("-v deep[a][1]", True),
        ("-v deep[a][2]", False), ("-v null", True),
        ("-v 'deep[$(x)]'", False), ("-v 'deep['", False), ("-f /file", True), ("-s /empty", False),
        ("-s file", True), ("-d file", False), ("-e /file && -r /file", True), ("abc !~ ^b", True),
        ("abc !~ ^a", False),
    ],
)  # fmt: skip
def test_keysh_extensions(condition: str, expected: bool) -> None:
    state = state_with(
        "one", numbers=[1, 2.5, True, None], array=ShellList(["a", "b"]), record={"a": 1},
        reference=NameReference("record"), text="[1]", half=0.5, deep={"a": [1, 2]}, null=None,
    )  # fmt: skip
    assert condition_holds(condition, state) is expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("n -eq 5", "E208 not a number: n, fix: $n for the variable's value"),
        ("$text -eq 5", "E208 not a number: text=a b, fix: a number; text is never evaluated"),
        ("a in $text",
         "E201 `in` needs a list or a record, this is a string: a b, fix: [[ a b == *a* ]]"),
        ("a in $unset",
         "E201 `in` needs a list or a record, this is a null: , fix: [[ $text == *a* ]]"),
        ("a =~ $open", (
            "E213 no regular expression: Unmatched ( or \\(: (a, "
            "fix: escape the character, or quote it")),
        ("$array == a", (
            "E311 an array is read without a subscript: $array, "
            'fix: ${array[0]}, "${array[@]}" or $(tojson $array)')),
    ],
)  # fmt: skip
def test_problems(condition: str, expected: str) -> None:
    state = state_with(n=5, text="a b", open="(a", array=ShellList(["a"]))
    with pytest.raises(RuntimeDiagnostic) as raised:
        condition_holds(condition, state)
    problem = raised.value
    assert f"{problem.code} {problem.fact}: {problem.datum}, fix: {problem.fix}" == expected


def test_options() -> None:
    state = state_with()
    assert not condition_holds("-o pipefail", state)
    state.flags |= OPTION_BITS["pipefail"]
    assert condition_holds("-o pipefail", state)


def test_regex_is_recompiled_when_a_variable_changes() -> None:
    state = state_with(e="^a")
    assert condition_holds("abc =~ $e", state)
    state.variables["e"] = "^b"
    assert not condition_holds("abc =~ $e", state)
    assert state.variables["BASH_REMATCH"] == []
