"""Plain texts: the short way gives the tree that the scanner and the tables give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_scanner import SOURCES

from keysh.diagnostics.errors import ScriptError
from keysh.diagnostics.source import Source
from keysh.syntax.lexer.reserved import RESERVED_WORDS as RESERVED_ACTIONS
from keysh.syntax.node import Node
from keysh.syntax.parser import build_tree
from keysh.syntax.plain import ALLOWED, OPERATORS, RESERVED, plain_block

pytestmark = pytest.mark.quick

WORDS = ("echo", "x", "-n", "a/b.c", "--all", "10", "in", "%1", "@", "+x", "^", "a,b:c")
ODD = (";;", ";&", "|&", "a;", "a&", "b|c", *sorted(RESERVED))
LINES = st.lists(
    st.tuples(
        st.one_of(*map(st.sampled_from, (WORDS, WORDS, sorted(OPERATORS), ODD))),
        st.sampled_from([" ", "  ", "\t"]),
    )
).map(lambda pieces: "".join(word + blank for word, blank in pieces))
ANY = st.text(sorted(ALLOWED))


def spans(root: Node) -> list[tuple[type, int, int]]:
    return [(node.__class__, node.start, node.end) for node in root.walk()]


def agree(text: str) -> bool:
    """Whether a text is plain; if so its tree is the scanner's."""
    found = plain_block(text)
    if found is None:
        return False
    expected, trivia = build_tree(Source(text, "plain"), "script")
    assert found == expected
    assert spans(found) == spans(expected)
    assert not trivia
    return True


@given(LINES | ANY)
def test_trees_are_those_of_the_scanner(text: str) -> None:
    agree(text)


def test_sources_of_all_tests() -> None:
    assert sum(map(agree, SOURCES)) > 20


@pytest.mark.parametrize(
    "text",
    [
        "echo hi",
        "make -j4 && ./run",
        "cd src; ls -l | wc",
        "sleep 1 &",
        "echo if",
        "a | b || c & d;",
    ],
)
def test_plain(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text", ["echo $x", "if true", "a; done", "a|b", "x=1", "echo *", "a\nb", "é", "a # b"]
)
def test_not_plain(text: str) -> None:
    assert plain_block(text) is None


@pytest.mark.parametrize("text", ["a;;b", "a && ; b", "| a", "a |", "a & && b"])
def test_errors_are_the_scanners(text: str) -> None:
    assert plain_block(text) is None
    with pytest.raises(ScriptError):
        build_tree(Source(text, "plain"), "script")


def test_reserved_words() -> None:
    assert {word for word in RESERVED_ACTIONS if ALLOWED.issuperset(word)} == RESERVED
