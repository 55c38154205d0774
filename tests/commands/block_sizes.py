"""Compare two sorted files that are read in blocks of a few bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import strategies as st

from commands.comparison import assert_agreement
from keysh.gnu import sorted_files as sorted_blocks
from keysh.text import chunks as lines


def texts(result: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Generate texts of these lines, most of them sorted."""
    return st.builds(
        lambda head, last, end: b"\n".join([*sorted(head), *last]) + end,
        st.lists(st.sampled_from(result), max_size=20),
        st.sampled_from([[], [], [b"a"]]),
        st.sampled_from([b"", b"\n"]),
    )


def assert_agreement_in_small_blocks(
    name: str, words: Sequence[str], folder: Path, x: bytes, y: bytes
) -> None:
    """Assert agreement with the real tool wherever the blocks end."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "FIRST_CHUNK_BYTES", 4)
        patch.setattr(lines, "MAX_CHUNK_BYTES", 16)
        patch.setattr(sorted_blocks, "MAX_HELD_LINES", 6)
        assert_agreement(name, [*words, "x", "y"], folder, {"x": x, "y": y})
