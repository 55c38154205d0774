"""The exceptions with which a jq program leaves a filter early."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JqError(Exception):
    """An error that `try` can catch; its value may be any JSON value, usually a string."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class LabelBreak(Exception):
    """`break $name`, caught by the filter of that label."""

    def __init__(self, label: object) -> None:
        super().__init__()
        self.label = label


class ProgramHalt(Exception):
    """`halt` and `halt_error`: ends the run with a status and an optional message."""

    def __init__(self, status: int, message: Any = None) -> None:
        super().__init__()
        self.status, self.message = status, message


class JqProgramError(ValueError):
    """A program does not compile; each of `messages` says why, and where."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__(messages[0].partition("\n")[0])
        self.messages = messages


def located_message(text: str, message: str, offset: int) -> str:
    """Append the location to a message: the line, then a blank for each byte before it."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", start)
    line = text[start:] if end < 0 else text[start:end]
    number = text.count("\n", 0, offset) + 1
    before = " " * len(bytes_of_text(text[start:offset]))
    return f"jq: error: {message} at <top-level>, line {number}:\n{line}{before}"
