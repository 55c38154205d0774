"""Plain texts: the short way gives the tokens that the scanner gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_scanner import SOURCES

from keysh.syntax.modes.reserved import RESERVED as RESERVED_ACTIONS
from keysh.source import Source
from keysh.syntax.plain import ALLOWED, OPERATORS, RESERVED, plain_tokens
from keysh.syntax.scanner import scan

pytestmark = pytest.mark.quick

WORDS = ("echo", "x", "-n", "a/b.c", "--all", "10", "in", "%1", "@", "+x", "^", "a,b:c")
LIKELY = st.sampled_from([*WORDS, *OPERATORS, *sorted(RESERVED), ";;", ";&", "|&", "a;", "a&", "b|c"])
LINES = st.lists(st.tuples(LIKELY, st.sampled_from([" ", "  ", "\t"]))).map(
    lambda pieces: "".join(word + blank for word, blank in pieces)
)
ANY = st.text(sorted(ALLOWED))


def agree(text: str) -> bool:
    """Whether a text is plain; if so its tokens are the scanner's, which complains of nothing."""
    tokens = plain_tokens(text)
    if tokens is None:
        return False
    s = scan(Source(text, "plain"))
    assert tokens == s.tokens
    assert not s.diagnostics
    assert not s.trivia
    return True


@given(LINES | ANY)
def test_tokens_are_those_of_the_scanner(text: str) -> None:
    agree(text)


def test_sources_of_all_tests() -> None:
    assert sum(map(agree, SOURCES)) > 20


@pytest.mark.parametrize(
    "text", ["", " ", "echo hi", "make -j4 && ./run", "cd src; ls -l | wc", "sleep 1 &", "echo if"]
)
def test_plain(text: str) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text", ["echo $x", "if true", "a; done", "a;;b", "a|b", "x=1", "echo *", "a\nb", "é", "a # b"]
)
def test_not_plain(text: str) -> None:
    assert plain_tokens(text) is None


def test_reserved_words() -> None:
    assert {word for word in RESERVED_ACTIONS if ALLOWED.issuperset(word)} == RESERVED
