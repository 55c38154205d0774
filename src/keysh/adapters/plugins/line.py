"""The line of JSON that a plugin's program answers with."""

from __future__ import annotations

from keysh.adapters.tool_result import ToolResult
from keysh.values import ABSENT, refuse_lone_surrogates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_LINE_BYTES = 16 << 20
MAX_QUOTED_CHARACTERS = 200  # of an invalid line


class AnswerLine:
    """Collects output up to the first newline, and drops the rest."""

    __slots__ = ("data", "is_whole")

    def __init__(self) -> None:
        self.data = bytearray()
        self.is_whole = False

    def add(self, piece: bytes) -> None:
        """Add a piece of output."""
        if self.is_whole:
            return
        head, newline, _ = piece.partition(b"\n")
        self.data += head[: MAX_LINE_BYTES + 1 - len(self.data)]
        self.is_whole = bool(newline) or len(self.data) > MAX_LINE_BYTES

    def answer(self) -> ToolResult:
        """Parse the answer; raise ValueError if it is invalid."""
        from json import JSONDecodeError, loads  # noqa: PLC0415 - only where there are plugins

        if len(self.data) > MAX_LINE_BYTES:
            raise ValueError(f"the line is over {MAX_LINE_BYTES} bytes")
        try:
            text = self.data.decode()
            answer = loads(text)
        except RecursionError:
            raise ValueError("nests too deeply") from None
        except ValueError as error:
            if isinstance(error, (JSONDecodeError, UnicodeDecodeError)):
                raise
            raise ValueError("a number has too many digits") from None
        refuse_lone_surrogates(text)
        if not isinstance(answer, dict):
            raise ValueError("it is not an object")
        return ToolResult(
            member(answer, "success", bool, ABSENT),
            member(answer, "output", str, ""),
            member(answer, "error", str | None, None),
        )

    def quoted_text(self) -> str:
        """Return the line as an error message quotes it."""
        text = self.data.strip().decode("utf-8", "replace")
        return repr(
            text if len(text) <= MAX_QUOTED_CHARACTERS else f"{text[:MAX_QUOTED_CHARACTERS]}…"
        )


def member(answer: dict[str, Any], name: str, kind: Any, default: object) -> Any:
    """Return a member of the answer; raise ValueError if it has another type."""
    value = answer.get(name, default)
    if not isinstance(value, kind):
        raise ValueError(f"its {name} is {value!r}")
    return value
