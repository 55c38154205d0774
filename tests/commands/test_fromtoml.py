"""fromtoml: values of TOML, and invalid input."""

from __future__ import annotations

import json

import pytest

from commands.command_runner import run_keysh


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a = 1\nb = "x"\nc = [1.5, true]', {"a": 1, "b": "x", "c": [1.5, True]}),
        ("[t.u]\nk = 'v'\n[[list]]\nn = 1\n[[list]]\nn = 2",
         {"t": {"u": {"k": "v"}}, "list": [{"n": 1}, {"n": 2}]}),
        ("d = 2024-05-06\nt = 07:08:09\nboth = 2024-05-06T07:08:09Z",
         {"d": "2024-05-06", "t": "07:08:09", "both": "2024-05-06 07:08:09+00:00"}),
        ("", {}),
    ],
)  # fmt: skip
def test_toml_becomes_a_record(text: str, value: object) -> None:
    answer = run_keysh("fromtoml", stdin=text.encode())
    assert (answer.status, json.loads(answer.out)) == (0, value)
    if text:
        assert run_keysh("fromtoml", text) == answer


@pytest.mark.parametrize("text", ["a", "a = ", "[a]\n[a]", "a = 1\na = 2", "x = " + "[" * 3000])
def test_invalid_toml_is_reported(text: str) -> None:
    answer = run_keysh("fromtoml", stdin=text.encode())
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.startswith("fromtoml: invalid TOML: ")


def test_numbers_keep_their_spelling() -> None:
    answer = run_keysh("fromtoml", "x = [1.10, 1e3, +1.5, 1_000.25, -0.0, 0x1F]")
    assert answer.out == b'{"x":[1.10,1e3,1.5,1000.25,-0.0,31]}\n'


@pytest.mark.parametrize("text", ["inf", "-inf", "+nan", "nan"])
def test_values_without_json_form_are_reported(text: str) -> None:
    answer = run_keysh("fromtoml", f"x = [1, {text}]")
    assert answer == (1, b"", f"fromtoml: invalid TOML: {text} has no JSON value\n")
