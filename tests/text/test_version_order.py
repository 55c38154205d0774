"""Version order: names are sorted by their numbers, as by the C library."""

from __future__ import annotations

import ctypes
import ctypes.util

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.gnu.version_order import compare_digit_order, digit_key

NAMES = st.text("0012 9a.~-", max_size=6).map(str.encode)


def test_numbers_are_sorted_numerically() -> None:
    names = [b"000", b"00", b"01", b"010", b"09", b"0", b"1", b"9", b"10"]
    assert sorted({*names}, key=digit_key) == names


@settings(max_examples=300)
@given(one=NAMES, behind=st.tuples(NAMES, NAMES))
def test_order_agrees_with_the_c_library(one: bytes, behind: tuple[bytes, bytes]) -> None:
    library = ctypes.CDLL(ctypes.util.find_library("c"))
    if not hasattr(library, "strverscmp"):
        pytest.skip("the C library has no strverscmp")
    first, second = (one + end for end in behind)
    assert sign(compare_digit_order(first, second)) == sign(library.strverscmp(first, second))


@given(st.lists(NAMES, max_size=5))
def test_order_is_total(names: list[bytes]) -> None:
    """Sorting gives the same order from any initial order."""
    turned = names[::-1]
    assert sorted(names, key=digit_key) == sorted(turned, key=digit_key)


def sign(number: int) -> int:
    return (number > 0) - (number < 0)
