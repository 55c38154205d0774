"""Highlighting, without a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.repl.highlight import fragments, highlight_spans
from keysh.syntax.draft import Draft

KNOWN = ("echo", "ls", "head")


def shown(text: str) -> list[tuple[str, str]]:
    """Return the parts of a text that have a style."""
    draft = Draft(text)
    parts = fragments(text, highlight_spans(text, draft, KNOWN.__contains__), draft.error_spans)
    assert "".join(text[start:end] for start, end, _ in parts) == text
    return [(text[start:end], style) for start, end, style in parts if style]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("echo -n hi", [("echo", "command"), ("-n", "option")]),
        ("nosuch x", [("nosuch", "unknown")]),
        ("A=1 ls", [("A=", "variable"), ("ls", "command")]),
        ("if ls; then", [("if", "keyword"), ("ls", "command"), ("then", "keyword")]),
        ("echo if", [("echo", "command")]),
        ("head lines=3", [("head", "command"), ("lines=", "key")]),
        ("'a' \"b\" $'c'", [("'a'", "string"), ('"b"', "string"), ("$'c'", "string")]),
        (
            'echo "a $x b"',
            [("echo", "command"), ('"a ', "string"), ("$x", "variable"), (' b"', "string")],
        ),
        (
            "echo $x ${x[k]}",
            [("echo", "command"), ("$x", "variable"), ("${", "variable"), ("x", "variable"),
             ("[k]", "variable"), ("}", "variable")],
        ),
        (
            "echo $(ls) # c",
            [("echo", "command"), ("$(", "substitution"), ("ls", "command"),
             (")", "substitution"), ("# c", "comment")],
        ),
        ("ls | nosuch > f", [("ls", "command"), ("|", "operator"), ("nosuch", "unknown"),
                             (">", "operator")]),
        ("echo )", [("echo", "command"), (")", "operator wrong")]),
        ("f() { ls; }", [("f()", "function"), ("{", "keyword"), ("ls", "command"),
                         ("}", "keyword")]),
        ("case x in a) ls;; esac", [("case", "keyword"), ("in", "keyword"), (")", "operator"),
                                    ("ls", "command"), (";;", "operator"), ("esac", "keyword")]),
    ],
)  # fmt: skip
def test_styles(text: str, wanted: list[tuple[str, str]]) -> None:
    assert shown(text) == wanted


@given(st.text(alphabet="ab $\"'{}()[]|;&<>=#\\\n`*~!éx-/1", max_size=60))
def test_any_text_is_shown_completely(text: str) -> None:
    shown(text)


@pytest.mark.parametrize(
    "text",
    ["if true", "for x in a", "f() {", "ls |", "ls &&", 'echo "a', "echo 'a", "cat <<E\nfoo",
     "x=[1", "echo $(ls", "((1+", "[[ -f", "case x in a)", "echo `ls", "echo \\", "echo ${x:-a"],
)  # fmt: skip
def test_incomplete_text_asks_for_more_lines(text: str) -> None:
    assert Draft(text).is_incomplete


@pytest.mark.parametrize(
    "text",
    ["", "echo", "echo )", "done", "ls >", "cat <<E\nfoo\nE", "echo \\\\", "# \\", "echo ${x",
     'echo "${', "echo $(echo ${x"],
)  # fmt: skip
def test_complete_or_invalid_text_asks_for_no_more_lines(text: str) -> None:
    assert not Draft(text).is_incomplete
