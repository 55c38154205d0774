"""Errors of single nodes, in any context, and misplaced commands."""

from __future__ import annotations

import pytest

from check.checking import diagnostics, summaries

pytestmark = pytest.mark.quick

PLACES = {
    "break": ["E306 break"],
    "if echo; then continue; fi": ["E306 continue"],
    "for x in a; do break; done; while continue; do break 2; done": [],
    "for ((;;)); do (break); done": [],
    "f() { break; continue; }": [],
    "local x": ["E306 local"],
    "f() { local x; }": [],
    "return; echo": ["E306? return"],
    "return $?": ["E306? return"],
    "(return 3); echo $?": ["E306? return"],
    "[ -n $1 ] && return": ["E306? return"],
    "(return 0 2>/dev/null) && echo; return &>/dev/null": [],
    "f() { return; }": [],
    "break() { echo; }; break": [],
}
FUNCTIONS = {
    "f(a, a) { echo; }": ["E307 a"],
    "f(*a, *b) { echo; }": ["E307 *b"],
    "f(*a = 1) { echo; }": ["E307 *a = 1"],
    "f(*a, b) { echo; }": ["E307 b"],
    "f(a: int = x) { echo; }": ["E307 x"],
    "f(a: bool = 1) { echo; }": ["E307 1"],
    "f(a: list = {}) { echo; }": ["E307 {}"],
    "f(a: int = null) { echo; }": ["E307 null"],
    "f(a: int? = null, b: int = $a, c: list = [$a,], d: any = {}, *e, g = 1) { echo; }": [],
    "f(a: string = 1, b: path = ~, c: float = 1, d: record = {}) { echo; }": [],
}
OTHERS = {
    "x={a: 1, b: 2, 'a': 3}": ["W303 'a': 3"],
    "x={a: {b: 1}, b: 1, $k: 1, $k: 2, ...$m}": [],
    "echo a > b > c": ["W302 > b"],
    "cat < b < c": ["W302 < b"],
    "echo a 2> b 2>> c": ["W302 2> b"],
    "echo a > b 2> c; echo > b 2>&1 > c; > a > b; : > a > b": [],
    "shopt -s extglob; [[ !(a) ]]": ["W309 !(a)"],
    "shopt -s nullglob extglob; [[ b && !(a) ]]": ["W309 !(a)"],
    "shopt -s extglob; [[ ! (a) && a == !(b) && ! a ]]": [],
    "[[ !(a) ]]; shopt -u extglob; [[ !(a) ]]; shopt -s extglob": ["W308 extglob"],
    "shopt -u lastpipe nullglob expand_aliases; shopt -s extglob; shopt -q extglob": [
        "W308 lastpipe",
        "W308 expand_aliases",
    ],
    "set +B; set +eB; set -e +o braceexpand; set -B; set -o braceexpand; set -- +B": [
        "W308 +B",
        "W308 +eB",
        "W308 braceexpand",
    ],
    "shopt -q failglob; shopt globstar; shopt -p nullglob": ["W308 failglob", "W308 globstar"],
    "shopt -u failglob; shopt -q failglob; shopt -s globstar; shopt globstar": [],
    "TMOUT=3; HISTFILESIZE=5 echo; export POSIXLY_CORRECT=1; echo $FUNCNEST": ["W311 TMOUT"],
    "[[ a =~ +(a) ]]": ["E309 +(a)"],
    "[[ a =~ [z-a]x ]]": ["E309 [z-a]x"],
    "[[ a =~ '('\\[\"{\" ]]": [],
    "[[ a =~ ^[a-z]+(b|c){2}$ ]]": [],
}


@pytest.mark.parametrize("text", PLACES | FUNCTIONS)
def test_placement_and_parameters(text: str) -> None:
    result = [one for one in summaries(text) if one.startswith(("E306", "E307"))]
    assert result == (PLACES | FUNCTIONS)[text]


@pytest.mark.parametrize("text", OTHERS)
def test_redirections_keys_and_expressions(text: str) -> None:
    result = [
        one
        for one in summaries(text)
        if one.startswith(("W302", "W303", "W308", "W309", "W311", "E309"))
    ]
    assert result == OTHERS[text]


SEVERITIES = {
    ("E301", "warn"): ["E301? frob"],
    ("E301", "off"): [],
    ("E301", "error"): ["E301 frob"],
    ("E302", "off"): ["E301 frob"],
}


@pytest.mark.parametrize(("code", "severity"), SEVERITIES)
def test_host_sets_severities(code: str, severity: str) -> None:
    assert summaries("frob", severities={code: severity}) == SEVERITIES[code, severity]


def test_host_severity_overrides_the_soft_severity() -> None:
    assert summaries("frob || echo", severities={"E301": "error"}) == ["E301 frob"]


ALLOWED = {
    "frob # keysh: allow E301": [],
    "#keysh: allow E301\nfrob": [],
    "# keysh: allow E301, E302\n# and more\n\nfrob\nfrob": ["E301 frob"],
    "frob # keysh: allow E302": ["E301 frob"],
    "frob # keysh: allow E301\nfrob": ["E301 frob"],
    "echo 'keysh: allow E301'; frob": ["E301 frob"],
    "# keysh: allow E301": [],
}


@pytest.mark.parametrize("text", ALLOWED)
def test_comments_suppress_codes(text: str) -> None:
    assert summaries(text) == ALLOWED[text]


def test_diagnostics_are_in_source_order() -> None:
    text = "frob\nbreak\necho $nmae\nhead -z\nx={a: 1, a: 2}"
    assert [one.code for one in diagnostics(text)] == ["E301", "E306", "W301", "E302", "W303"]


def test_empty_script() -> None:
    assert diagnostics("") == diagnostics("# nothing\n") == []
