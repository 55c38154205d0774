"""Head and tail of a stream, for pieces of any size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from keysh.process.streams.capture import HeadTailCapture

PIECES = st.lists(st.binary(max_size=40), max_size=12)


@given(PIECES, st.integers(min_value=0, max_value=60))
def test_head_mark_and_tail(pieces: list[bytes], most: int) -> None:
    capture = HeadTailCapture(most)
    for piece in pieces:
        capture.add(piece)
    whole = b"".join(pieces)
    dropped = max(0, len(whole) - most)
    assert (capture.total, capture.dropped_bytes) == (len(whole), dropped)
    if dropped:
        tail = whole[len(whole) - (most - most // 2) :]
        mark = b"\n[... %d bytes dropped ...]\n" % dropped
        assert capture.content() == whole[: most // 2] + mark + tail
    else:
        assert capture.content() == whole


@given(PIECES, PIECES)
def test_take_clears_the_capture(first: list[bytes], second: list[bytes]) -> None:
    capture, fresh = HeadTailCapture(30), HeadTailCapture(30)
    for piece in first:
        capture.add(piece)
    capture.take()
    for piece in second:
        capture.add(piece)
        fresh.add(piece)
    assert capture.content() == fresh.content()
    assert capture.total == fresh.total
