"""Field splitting: all words at once equal the words one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keysh.text.fields import FieldSplitter

pytestmark = pytest.mark.quick

SEPARATORS = " \t\n,:]^-\\"


@given(
    st.text(SEPARATORS, max_size=4).map(lambda text: "".join(dict.fromkeys(text))),
    st.text(SEPARATORS + "ab", max_size=20),
)
def test_splitting_all_fields_equals_splitting_one_by_one(separators: str, text: str) -> None:
    splitter = FieldSplitter(separators)
    words = splitter.words(text)
    one_more = len(words) + 1
    assert splitter.parts(text, one_more) == [*words, ""]


@pytest.mark.parametrize(
    ("separators", "text", "words"),
    [
        (" \t\n", "  a \t b\n", ["a", "b"]),
        (",", "a,,b,", ["a", "", "b"]),
        (" ,", " a , b ,, c", ["a", "b", "", "c"]),
        ("", " a b ", [" a b "]),
        (",", "", []),
    ],
)
def test_words(separators: str, text: str, words: list[str]) -> None:
    assert FieldSplitter(separators).words(text) == words
