"""Frames: the messages between a host and a worker, and their limits.

    kind 1 byte | bytes of JSON, 4 | bytes of data, 4 | JSON | data

The JSON is a record that says what the message is; data is what need not be understood, such as
output, the content of a file or an image. Nothing else crosses the pipe, so nothing that a worker
sends is ever code. Sizes are checked when the first nine bytes are there, before any more is kept.
"""

from __future__ import annotations

import json
from struct import Struct

from keysh.diagnostics.exceptions import KeyshError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Frame: TypeAlias = tuple[int, dict[str, Any], bytes]

HEADER = Struct(">BII")
READY, REQUEST, ANSWER, OUTPUT = 1, 2, 3, 4

MAX_JSON_BYTES = 4 << 20  # becomes at most some 100 MB of objects
MAX_PIECE_BYTES = 1 << 20  # of a stream, in one frame
MAX_REQUEST_JSON_BYTES = 1 << 20
MAX_DATA_BYTES = (1 << 32) - 1
# What an image is larger than the files in it.
IMAGE_HEAD_BYTES = 64 << 20
# The statuses of a worker that ends by itself, for the host.
EXIT_OUT_OF_MEMORY, EXIT_BAD_FRAME = 97, 98


class FrameError(KeyshError):
    """What came through the pipe is no frame, or none that may come now."""


class PipeClosed(Exception):
    """The other side has gone."""


def bounds_from_worker(max_answer_bytes: int) -> dict[int, tuple[int, int]]:
    """Return the most bytes of JSON and data of each kind of frame that a worker may send."""
    return {
        READY: (64, 0),
        REQUEST: (MAX_REQUEST_JSON_BYTES, MAX_PIECE_BYTES),
        ANSWER: (MAX_JSON_BYTES, min(max_answer_bytes, MAX_DATA_BYTES)),
        OUTPUT: (64, MAX_PIECE_BYTES),
    }


# A worker trusts its host.
BOUNDS_FROM_HOST = {
    REQUEST: (MAX_DATA_BYTES, MAX_DATA_BYTES),
    ANSWER: (MAX_DATA_BYTES, MAX_DATA_BYTES),
}


def packed_frame(kind: int, record: Mapping[str, Any], data: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    text = json.dumps(record, separators=(",", ":")).encode()
    return HEADER.pack(kind, len(text), len(data)) + text + data


class FrameReader:
    """Cuts what comes through a pipe into frames; raises FrameError for anything else."""

    __slots__ = ("_bounds", "_buffer", "_missing_bytes")

    def __init__(self, bounds: Mapping[int, tuple[int, int]]) -> None:
        self._bounds = bounds
        self._buffer = bytearray()
        self._missing_bytes = HEADER.size  # until a look at the buffer is worth it

    def take(self, received: bytes) -> list[Frame]:
        """Take what has come; return the frames that are complete now."""
        buffer, frames = self._buffer, []
        buffer += received
        while len(buffer) >= self._missing_bytes:
            kind, json_bytes, data_bytes = HEADER.unpack_from(buffer)
            bounds = self._bounds.get(kind)
            if bounds is None:
                raise FrameError(f"a frame of the unknown kind {kind}")
            if json_bytes > bounds[0] or data_bytes > bounds[1]:
                raise FrameError(f"a frame of {json_bytes} and {data_bytes} bytes")
            end = HEADER.size + json_bytes + data_bytes
            if len(buffer) < end:
                self._missing_bytes = end
                break
            middle = HEADER.size + json_bytes
            record = record_of_json(bytes(buffer[HEADER.size : middle]))
            frames.append((kind, record, bytes(buffer[middle:end])))
            del buffer[:end]
            self._missing_bytes = HEADER.size
        return frames


def record_of_json(text: bytes) -> dict[str, Any]:
    """Return the record in a frame."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):  # no UTF-8 and long numbers are ValueErrors, too
        raise FrameError("a frame without JSON") from None
    if record.__class__ is not dict:
        raise FrameError("a frame without a record")
    return record
