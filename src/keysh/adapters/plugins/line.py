"""Line: the one line of JSON that a plugin's program answers with, and what it means."""

from __future__ import annotations

from keysh.adapters.tool_result import ToolResult
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 16 << 20  # bytes of the line
QUOTED = 200  # characters of a wrong one that are shown


class Line:
    """Takes pieces of output; what follows the first newline is dropped."""

    __slots__ = ("data", "is_whole")

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_whole = False

    def add(self, piece: bytes) -> None:
        """Take the next piece."""
        if self.is_whole:
            return
        head, newline, _ = piece.partition(b"\n")
        self.data += head[: MOST + 1 - len(self.data)]
        self.is_whole = bool(newline) or len(self.data) > MOST

    def answer(self) -> ToolResult:
        """What it says; ValueError tells why it says nothing that can be understood."""
        from json import loads  # noqa: PLC0415 - only where there are plugins

        if len(self.data) > MOST:
            raise ValueError(f"the line is over {MOST} bytes")
        try:
            found = loads(self.data.decode())
        except RecursionError:
            raise ValueError("nests too deeply") from None
        if not isinstance(found, dict):
            raise ValueError("it is no object")
        return ToolResult(
            member(found, "success", bool, ABSENT),
            member(found, "output", str, ""),
            member(found, "error", str | None, None),
        )

    def shown(self) -> str:
        """As a message quotes it."""
        text = self.data.strip().decode("utf-8", "replace")
        return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]}…")


def member(found: dict[str, Any], name: str, kind: Any, default: object) -> Any:
    """A member of the answer; one of another type is a ValueError."""
    value = found.get(name, default)
    if not isinstance(value, kind):
        raise ValueError(f"its {name} is {value!r}")
    return value
