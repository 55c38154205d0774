"""Server-sent events: the data of each event, wherever the stream is cut."""

from __future__ import annotations

import pytest

pytest.importorskip("httpcore", reason="there is no client of HTTP")

from keysh.adapters.tools.mcp_http import event_data
from keysh.interp.state.call import CommandFailure

STREAM = (
    b": a comment\r\nevent: message\r\ndata: {\r\ndata:}\r\n\r\n\n\ndata: 2\n\nid: 5\n\ndata: cut"
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_wherever_the_stream_is_cut(size: int) -> None:
    pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
    assert [*event_data(pieces, 100)] == [b"{\n}", b"2"]


@pytest.mark.parametrize("line", [b"x" * 50, b"data: x\n"])
def test_an_event_is_not_longer_than_a_message_may_be(line: bytes) -> None:
    with pytest.raises(CommandFailure, match="a message of more than 100 bytes"):
        list(event_data([line] * 1000, 100))
