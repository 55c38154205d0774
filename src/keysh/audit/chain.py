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
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    Fields: TypeAlias = dict[str, object] | str

SECOND = 1_000_000_000  # nanoseconds
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


def command_text(
    nanoseconds: int, span: int, parent: int, name: str, words: Sequence[str], place: str
) -> str:
    """Return the fields of a command as JSON, without its number and the braces.

    Commands and their ends are most of all records, and take half of the encoder's time so.
    `nanoseconds` are since 1970, not before it.
    """
    args = ",".join(map(quoted_json, words))
    time = f"{nanoseconds // SECOND}.{nanoseconds % SECOND:09}"
    return (
        f'"time":{time},"event":"command","span":{span},"parent":{parent},'
        f'"name":{quoted_json(name)},"args":[{args}],"place":{quoted_json(place)}'
    )


def end_text(nanoseconds: int, span: int, parent: int, status: int, ms: float) -> str:
    """Return the fields of the end of a command, likewise."""
    return (
        f'"time":{nanoseconds // SECOND}.{nanoseconds % SECOND:09},"event":"end","span":{span},'
        f'"parent":{parent},"of":"command","status":{status},"ms":{ms:.3f}'
    )


def chained_line(sequence: int, fields: Fields, previous: str) -> tuple[bytes, str]:
    """Return a record as a line, and the hash of that line.

    The fields are text, or a mapping that has the number as well.
    """
    if fields.__class__ is str:
        content = f'{{"seq":{sequence},{fields},"prev":"{previous}"'.encode("ascii")
    else:
        content = f'{encode(fields)[:-1]},"prev":"{previous}"'.encode("ascii")  # type: ignore[arg-type]
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
