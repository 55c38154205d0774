"""`keysh.quote`: quoted text is read back unchanged."""

from __future__ import annotations

import os
import subprocess

import hypothesis.strategies as st
import pytest
from hypothesis import given

import keysh

CHARACTERS = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
WORDS = st.text(CHARACTERS) | st.sampled_from(
    ["", "-n", "...x", "a=b", "~", "#", "[", "{a,b}", "*", "it's", "$x", "`x`", "a\nb", "!", "\\",
     "if", "\udcff", "\x7f", "\x1b[0m", "a b", "é", "5", "true", "null", "%", "x:y", "$'a'"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=20))
def test_quoted_text_is_read_back_by_keysh_and_bash(words: list[str]) -> None:
    text = "".join(f"printf '%s\\0' {keysh.quote(word)}\n" for word in words)
    wanted = b"".join(os.fsencode(word) + b"\0" for word in words)
    result = keysh.run(text)
    assert (result.stdout_bytes, result.stderr) == (wanted, "")
    done = subprocess.run(
        ["bash"], input=os.fsencode(text), capture_output=True, check=True,
        env={"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert done.stdout == wanted


def test_plain_words_are_not_quoted() -> None:
    assert [keysh.quote(word) for word in ("a.txt", "/a/b-c_d", "a b", "")] == [
        "a.txt", "/a/b-c_d", "'a b'", "''",
    ]  # fmt: skip


def test_a_nul_is_refused() -> None:
    with pytest.raises(ValueError, match="NUL"):
        keysh.quote("a\0b")
