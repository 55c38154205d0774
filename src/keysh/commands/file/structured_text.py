"""Structured text: JSON, JSON lines and comma-separated values, told by reading them."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.commands.file.contents import Kind

LOOKED_AT = 1 << 16  # characters of values between commas
MOST_LINES = 10  # of values between commas, then they are believed to be such
FEWEST_LINES = 3
BLANKS = re.compile(r"[ \t\r\n]*")
QUOTED = re.compile(r'"(?:[^"]|"")*(?:"|$)')


def structured_kind(text: str, *, is_whole: bool) -> Kind | None:
    """What a text is that has such a structure; None for any other."""
    if is_whole and text.lstrip()[:1] in ("{", "["):
        count = json_values(text)
        if count:
            lines = ("New Line Delimited JSON text data", "application/x-ndjson")
            return ("JSON text data", "application/json") if count == 1 else lines
    return ("CSV text", "text/csv") if is_comma_separated(text) else None


def json_values(text: str) -> int:
    """How many objects and lists a text consists of; 0 where there is anything else."""
    from json import JSONDecoder  # noqa: PLC0415 - only for what looks like it

    decoder = JSONDecoder(parse_constant=refuse, parse_int=str, parse_float=str)
    count, at = 0, BLANKS.match(text).end()  # type: ignore[union-attr]
    try:
        while at < len(text):
            if text[at] not in "{[":
                return 0
            _, at = decoder.raw_decode(text, at)
            at = BLANKS.match(text, at).end()  # type: ignore[union-attr]
            count += 1
    except (ValueError, RecursionError):
        return 0
    return count


def refuse(constant: str) -> None:
    """NaN and its kin, which are no JSON."""
    raise ValueError(constant)


def is_comma_separated(text: str) -> bool:
    """Whether each line has as many commas as the first; quotes keep commas and lines together."""
    lines = QUOTED.sub("", text[:LOOKED_AT]).split("\n")[:-1][:MOST_LINES]
    counts = {line.count(",") for line in lines}
    return len(lines) >= FEWEST_LINES and len(counts) == 1 and 0 not in counts
