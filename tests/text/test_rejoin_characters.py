"""Bytes of one character that are spread over several texts are joined."""

from __future__ import annotations

from itertools import product

import pytest

from keysh import Shell
from keysh.text.chunks import join_text, starts_mid_character, text_of_bytes

# Leads of two, three and four bytes, bytes behind them, a surrogate's begin, and none of these.
BYTES = b"\xc3\xe2\xf0\xed\x82\x9f\xa9\xff\x41"


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_any_chunk_border(size: int) -> None:
    for data in map(bytes, product(BYTES, repeat=size)):
        whole = text_of_bytes(data)
        for border in range(size + 1):
            text, rest = text_of_bytes(data[:border]), text_of_bytes(data[border:])
            assert join_text(text, rest) == whole
            assert starts_mid_character(rest) or text + rest == whole


@pytest.mark.parametrize(
    "script",
    [
        "x=$'\\xf0'; x+=$'\\x9f'; x+=$'\\x98'; x+=$'\\x80'; echo ${#x}",
        "a=$'\\xf0\\x9f'; b=$'\\x98'; c=$'\\x80'; x=$a$b; x=$x$c; echo ${#x}",
        "a=$'\\xf0'; b=$'\\x9f\\x98'; c=$'\\x80'; x=$a$b$c; echo ${#x}",
    ],
)
def test_words_and_checksums(script: str) -> None:
    assert Shell().run(script).stdout == "1\n"
