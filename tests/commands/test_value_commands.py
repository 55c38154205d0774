"""Commands for values; no other shell has them, so the expected answers are written here."""

from __future__ import annotations

import pytest

from commands.script_runner import our_script

CASES = [
    ("x=[1, two, {a: 3}]; typeof $x; keys $x; values $x", 'list\n[0,1,2]\n[1,"two",{"a":3}]\n'),
    (
        'n=5; typeof $n; typeof "$n"; typeof -5; typeof; typeof 1.5',
        "int\nstring\nstring\nnull\nstring\n",
    ),
    ("x=1.5; typeof $x; x=true; typeof $x; x={a: 1}; typeof $x", "float\nbool\nrecord\n"),
    ("u={z: 1, a: null}; keys $u; values $u; typeof ${u[a]}", '["z","a"]\n[1,null]\nnull\n'),
    (
        "u={a: [1, {}]}; tojson $u; tojson indent=2 $u",
        '{"a":[1,{}]}\n{\n  "a": [\n    1,\n    {}\n  ]\n}\n',
    ),
    ('x=[1, "a b"]; tojsonl $x; tojson -x', '1\n"a b"\n"-x"\n'),
    ("echo '[1, null, 2.50]' | fromjson", "[1,null,2.50]\n"),
    (r"""fromjson '"\ud83d\uDE00 \\ud800"'""", "😀 \\ud800\n"),
    ("y=$(fromjson '{\"k\": 1.10}'); echo ${y[k]}; fromjson -5", "1.10\n-5\n"),
    ("printf '1\\n\\n{\"a\":2}\\r\\n' | fromjsonl | tojsonl", '1\n{"a":2}\n'),
    ('xs=[a,]; push xs 4 -n "b c"; echo $xs', '["a","4","-n","b c"]\n'),
    ("u={t: [a]}; push u[t] x; rec={k: v}; push u[t] $rec; echo $u", '{"t":["a","x",{"k":"v"}]}\n'),
    ("xs=[a,]; ys=$xs; push ys b; echo $xs $ys", '["a"] ["a","b"]\n'),
    (
        'words " a  b " c; words; lines "$(echo a b; echo c)"; lines ""',
        '["a","b","c"]\n[]\n["a b","c"]\n[]\n',
    ),
    ('for l in $(lines "$(echo a b; echo c)"); do echo "<$l>"; done', "<a b>\n<c>\n"),
    ("x=3; assert $x == 3 && assert true && echo ok", "ok\n"),
    ("ps --json | wc -l; ps | head -1", "1\n    PID TTY          TIME CMD\n"),
    ("which cd nono; echo $?", "cd\n1\n"),
    ("timeout 5 echo hi; timeout 0.01 sleep 60; echo $?", "hi\n124\n"),
    (
        (
            "timeout -s KILL 0.01 sleep 60; echo $?; "
            "while true; do :; done & kill %1; wait $!; echo $?"
        ),
        "137\n143\n",
    ),
    (
        "mkdir /a /b; cd /; pushd a; pushd /b; dirs -v; popd; pushd; popd -n; dirs",
        "/a /\n/b /a /\n 0  /b\n 1  /a\n 2  /\n/a /\n/ /a\n/\n/\n",
    ),
]

FAILURES = [
    ("fromjson '{bad'", 1, "fromjson: invalid JSON: "),
    ("keys hello", 1, "keys: the operand must be a record or list, but is a string\nfix: "),
    ("x={a: 1}; tojsonl $x", 1, "tojsonl: the operand must be a list, but is a record\nfix: "),
    ("push nope a", 1, "E203 there is no list with this name: nope"),
    ("x=text; push x a", 1, "E203 a string is not a list: x"),
    ('x="a b"; set -- $x', 1, "E204 "),
    ("assert 1 -gt 2", 1, "assert: does not hold: 1 -gt 2\n"),
    ('assert 1 -gt 2 message="no way"', 1, "assert: no way\n"),
    ('assert false "custom"', 1, "assert: custom\n"),
    ("exit 256", 1, "E210 "),
    ("f() { return 300; }; f", 1, "E210 "),
    ("trap 'echo <' EXIT", 2, "trap: the code is not a valid script\n"),
    ("typeof a b", 1, "typeof: extra operand 'b'\n"),
    ("yes | mapfile x", 125, "value"),
    *(
        (rf"""{command} '"a\\\ud83d\ude00{half}"'""", status, says)
        for half in (r"\ud800", r"\uDC7f\ud800", r"\\\udfff", r"\uD83D\u0041")
        for command, status, says in (
            ("fromjson", 1, "is half of a surrogate pair, which is no character"),
            ("table", 1, "value must be JSON"),
        )
    ),
]


@pytest.mark.parametrize(("script", "out"), CASES, ids=range(len(CASES)))
def test_values(script: str, out: str) -> None:
    assert our_script(script)[:2] == (0, out)


@pytest.mark.parametrize(("script", "status", "says"), FAILURES, ids=range(len(FAILURES)))
def test_refusals(script: str, status: int, says: str) -> None:
    code, _, err = our_script(script)
    assert code == status
    assert says in err
