"""fromyaml and toyaml: values of YAML 1.2, round trips, and refusals."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from keysh.interp.run.limits import Limits
from keysh.shell.shell import Shell
from keysh.tools.fromyaml import documents as module

TEXTS = st.one_of(
    st.text(st.sampled_from("ab1.0-: #\n'\"é{[&*!%@`|>,?~<=_x\t\\"), max_size=8),
    st.sampled_from(
        ["yes", "off", "n", "null", "~", "true", "1:30", "0o7", "0x1F", "1_000", "2024-01-02", "<<",
         "=", ".5", "1e3", ".inf", "- a", "a: b", "---", "...", " x", "x ", "\n", "a\n\n b\n"]
    ),
)  # fmt: skip
# Without a point, YAML 1.1 reads a number with an exponent as a string.
NUMBERS = st.floats(-1e6, 1e6).filter(lambda number: "." in repr(number))
VALUES: Any = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), NUMBERS, TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=8,
)


def read(text: str) -> str:
    """Return the text that fromyaml prints: a string unchanged, any other value as JSON."""
    answer = run_keysh("fromyaml", stdin=text.encode())
    assert (answer.status, answer.err) == (0, "")
    return answer.out.decode().removesuffix("\n")


@settings(max_examples=150)
@given(value=VALUES)
def test_output_is_read_by_both_yaml_versions(value: object) -> None:
    made = run_keysh("toyaml", stdin=json.dumps([value]).encode())
    assert (made.status, made.err) == (0, "")
    back = run_keysh("fromyaml", stdin=made.out)
    assert (back.status, back.err) == (0, "")
    assert repr(json.loads(back.out)) == repr([value])
    old = yaml.safe_load(made.out.decode())  # PyYAML's values are those of YAML 1.1
    assert json.dumps(old) == json.dumps([value])


@settings(max_examples=100)
@given(value=VALUES)
def test_json_is_yaml(value: object) -> None:
    for indent in (None, 2):
        text = json.dumps([value], ensure_ascii=False, indent=indent)
        assert repr(json.loads(read(text))) == repr([value])


SCALARS: list[tuple[str, object]] = [
    ("", None), ("~", None), ("null", None), ("NULL", None), ("nULL", "nULL"),
    ("true", True), ("False", False), ("tRUE", "tRUE"), ("yes", "yes"), ("off", "off"),
    ("0", 0), ("-12", -12), ("+5", 5), ("007", 7), ("0x1f", 31), ("0o17", 15), ("0b1", "0b1"),
    ("1_000", "1_000"), ("1:30", "1:30"), ("1.5", 1.5), (".5", 0.5), ("5.", 5.0), ("-.5", -0.5),
    ("1e3", 1e3), ("+1.E-2", 0.01), (".", "."), ("2024-01-02", "2024-01-02"),
    ("'1'", "1"), ('"true"', "true"), ("!!str 1", "1"), ("!!int '1'", 1),
    ("!!float 1", 1), ("!!null ''", None), ("!!bool 'true'", True), ("0x", "0x"), ("<<", "<<"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS, ids=repr)
def test_plain_scalars_follow_the_core_schema(text: str, value: object) -> None:
    assert repr(json.loads(read(f"- {text}\n"))) == repr([value])


def test_numbers_keep_their_spelling() -> None:
    assert read("[1.10, 1e3, 12345678901234567890123, 1.0e+2]") == (
        "[1.10,1e3,12345678901234567890123,1.0e+2]"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &x [1]\nb: *x\nc: *x", {"a": [1], "b": [1], "c": [1]}),
        ("&k a: *k", {"a": "a"}),
        ("- &b {x: 1, y: 2}\n- {<<: *b, y: 3, z: ~}",
         [{"x": 1, "y": 2}, {"x": 1, "y": 3, "z": None}]),
        ("- <<: [{a: 1, b: 1}, {a: 2, c: 2}]\n  c: 3", [{"a": 1, "c": 3, "b": 1}]),
        ('"<<": 1', {"<<": 1}),
        ("1: a\ntrue: b\n~: c\n1.50: d", {"1": "a", "true": "b", "~": "c", "1.50": "d"}),
        ("a: |\n  x\n   y\nb: >-\n  x\n  y", {"a": "x\n y\n", "b": "x y"}),
        ("# nothing", None),
        ("\ufeffa: 1", {"a": 1}),
    ],
)  # fmt: skip
def test_yaml_is_a_value(text: str, value: object) -> None:
    out = read(text)
    assert (json.loads(out) if out else None) == value


def test_documents() -> None:
    text = "a: 1\n---\n[b]\n---\n"
    with Shell(limits=Limits(seconds=20)) as shell:
        shell.fs.open("/d", "w").write(text.encode())
        assert shell.run("fromyaml all=true < /d").stdout == '[{"a":1},["b"],null]\n'
        assert shell.run("fromyaml < /d").stderr == (
            "fromyaml: 3 documents, not one\nfix: fromyaml all=true\n"
        )
        assert shell.run("fromyaml all=5 < /d").code == 2
        assert shell.run("fromyaml all=true < /dev/null").stdout == "[]\n"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n"
    for a, b in zip("abcdefghij", "bcdefghijk", strict=True)
)
TOWER = "a0: &a0 []\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 300))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: b: c", "line 1, character 5: mapping values are not allowed"),
        ("a: 1\na: 2", 'line 2, character 1: the key "a" is repeated'),
        ("a: [1", "line 2, character 1: did not find expected ',' or ']', while parsing a flow "),
        ("\na: [", "line 3, character 1: did not find expected node content, while parsing a flow"),
        ("[a, b]: c", "line 1, character 1: a key must be a string, but is a list or record"),
        ("a: &x 1\n? *x\n: 2", "line 2, character 3: a key must be a string, but is an alias"),
        ("a: *x", "line 1, character 4: no anchor is named &x"),
        ("a: &x [*x]", "line 1, character 8: *x refers to a value that contains it"),
        ("a: .inf", "line 1, character 4: .inf has no JSON value"),
        ("a: !!int x", "line 1, character 4: x is not a valid int"),
        ("!!python/object/apply:os.system [ls]", "line 1, character 1: the tag tag:yaml.org,2002:"),
        ("!mine 1", "line 1, character 1: the tag !mine makes no JSON value"),
        ("!!binary aGk=", "line 1, character 1: the tag tag:yaml.org,2002:binary"),
        ("<<: 5", "line 1, character 5: << takes a record or a list of records"),
        ("[" * 300, "line 1, character 201: values are nested more than 200 levels deep"),
        (BOMB, "line 6, character 32: aliases expand to more than 1000000 char"),
        (TOWER, "line 200, character 14: values are nested more than 200 levels deep"),
        ("0x" + "f" * 5000, "line 1, character 1: 0xfffffffffffffffffffffffffffffffffff... is too"),
        ("a: \x01", "line 1: "),
        ("a: 1\nb: \udcff", "line 2: a byte that is not UTF-8"),
    ],
)  # fmt: skip
def test_refused_documents(text: str, says: str) -> None:
    answer = run_keysh("fromyaml", stdin=text.encode("utf-8", "surrogateescape"))
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.startswith(f"fromyaml: invalid YAML: {says}")


def test_alias_expansion_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a: &a [x, y]\nb: *a\nc: *a\n"
    monkeypatch.setattr(module, "MAX_ALIAS_SIZE", 10)
    assert json.loads(read(text))["c"] == ["x", "y"]
    monkeypatch.setattr(module, "MAX_ALIAS_SIZE", 9)
    assert run_keysh("fromyaml", stdin=text.encode()).err == (
        "fromyaml: invalid YAML: line 3, character 4: aliases expand to more than 9 characters\n"
    )


def test_copies_of_an_alias_are_independent() -> None:
    with Shell(limits=Limits(seconds=20)) as shell:
        script = "x=$(fromyaml '{a: &a [1], b: *a}'); push x[a] b; echo $x"
        assert shell.run(script).stdout == '{"a":[1,"b"],"b":[1]}\n'


def test_toyaml_refuses_values_without_yaml_form() -> None:
    deep: object = []
    for _ in range(201):
        deep = [deep]
    assert run_keysh("toyaml", deep).err == "toyaml: values are nested more than 200 levels deep\n"
    assert (
        run_keysh("toyaml", "\udcff").err
        == "toyaml: a string is not valid UTF-8, which YAML requires\n"
    )
    assert run_keysh("toyaml", stdin=b"{bad").err.startswith("toyaml: invalid JSON: ")


@pytest.mark.parametrize("name", ["fromyaml", "toyaml"])
def test_missing_extra_has_a_fix(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, module.__name__, raising=False)
    answer = run_keysh(name, "a")
    assert answer.status == 1
    assert answer.err == f"{name}: PyYAML is not installed\nfix: pip install 'keysh[yaml]'\n"
