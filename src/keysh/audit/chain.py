"""The chain: records as lines of JSON, each with the hash of the line before it and its own.

    {"seq":7,"time":…,"event":"command",…,"prev":"<hash of line 6>","hash":"<SHA-256 of the rest>"}

The hash of a line is that of its bytes before `,"hash":`. So a change shows in the line itself, and
a line that is lost, added or moved shows in the one that follows.
"""

from __future__ import annotations

from hashlib import sha256
from json import JSONEncoder
from json.encoder import c_make_encoder, encode_basestring_ascii  # type: ignore[attr-defined]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

NO_HASH = "0" * 64  # before the first line
HASH_FIELD, PREVIOUS_FIELD = b',"hash":"', b',"prev":"'
HASH_SIZE = 64
# `,"hash":"…"}` at the end of a line, and `,"prev":"…"` before it.
HASH_TAIL_SIZE = len(HASH_FIELD) + HASH_SIZE + 2
PREVIOUS_TAIL_SIZE = len(PREVIOUS_FIELD) + HASH_SIZE + 1
SEQUENCE_START = b'{"seq":'
MAX_SEQUENCE_DIGITS = 18
MAX_EVENT_OFFSET = 100  # bytes of a line that the number, the time and the event take at most


def json_encoder() -> Callable[[Mapping[str, object]], str]:
    """Return what writes a record as JSON. CPython's own encoder, kept, takes 0.6 of the time."""
    if c_make_encoder is None:
        return JSONEncoder(separators=(",", ":"), check_circular=False).encode
    pieces_of = c_make_encoder(
        None, None, encode_basestring_ascii, None, ":", ",", False, False, True
    )
    return lambda record: "".join(pieces_of(record, 0))


encode = json_encoder()
quoted_json: Callable[[Any], str] = encode_basestring_ascii  # TypeError for all but texts
COMMAND_KEYS = ("seq", "time", "event", "span", "parent", "name", "args", "place")
END_KEYS = ("seq", "time", "event", "span", "parent", "status", "ms")


def record_text(record: Mapping[str, object]) -> str:
    """Return a record as JSON without its last brace.

    Those of commands and their ends, which most records are, take 0.6 of the encoder's time so.
    """
    keys = tuple(record)
    if keys == COMMAND_KEYS:
        sequence, time, event, span, parent, name, words, place = record.values()
        if isinstance(words, list) and isinstance(time, float):
            args = ",".join(map(quoted_json, words))
            return (
                f'{{"seq":{sequence},"time":{time!r},"event":"{event}","span":{span},'
                f'"parent":{parent},"name":{quoted_json(name)},"args":[{args}],'
                f'"place":{quoted_json(place)}'
            )
    elif keys == END_KEYS:
        sequence, time, event, span, parent, status, ms = record.values()
        if status.__class__ is int and isinstance(time, float):
            return (
                f'{{"seq":{sequence},"time":{time!r},"event":"{event}","span":{span},'
                f'"parent":{parent},"status":{status},"ms":{ms!r}'
            )
    return encode(record)[:-1]


def chained_line(record: Mapping[str, object], previous: str) -> tuple[bytes, str]:
    """Return a record as a line, and the hash of that line."""
    content = f'{record_text(record)},"prev":"{previous}"'.encode("ascii")
    digest = sha256(content).hexdigest()
    return content + f',"hash":"{digest}"}}\n'.encode("ascii"), digest


class ChainedLine:
    """A line as it was read: its number in the chain and its hashes; ValueError if it is none.

    `is_intact` says whether the line still has the text whose hash it carries.
    """

    __slots__ = ("digest", "is_intact", "previous", "sequence")

    def __init__(self, line: bytes) -> None:
        content, tail = line[:-HASH_TAIL_SIZE], line[-HASH_TAIL_SIZE:]
        previous = content[-PREVIOUS_TAIL_SIZE:]
        number = content[len(SEQUENCE_START) : content.find(b",", 0, 40)]
        if (
            not content.startswith(SEQUENCE_START)
            or not number.isdigit()
            or len(number) > MAX_SEQUENCE_DIGITS
            or not tail.startswith(HASH_FIELD)
            or tail[-2:] != b'"}'
            or not previous.startswith(PREVIOUS_FIELD)
            or previous[-1:] != b'"'
        ):
            raise ValueError("it is no line of an audit")
        self.sequence = int(number)
        self.digest = tail[len(HASH_FIELD) : -2].decode("latin-1")
        self.previous = previous[len(PREVIOUS_FIELD) : -1].decode("latin-1")
        self.is_intact = sha256(content).hexdigest() == self.digest


def is_of_event(line: bytes, event: bytes) -> bool:
    """Whether a line records an event; no text in a record can look like this field."""
    return b',"event":"%b",' % event in line[:MAX_EVENT_OFFSET]
