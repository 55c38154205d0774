"""The ways in which a jq program leaves a filter early."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class JqError(Exception):
    """An error that `try` can catch; its value is any value, mostly a text."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class LabelBreak(Exception):
    """`break $name`: the label's own filter catches it."""

    def __init__(self, label: object) -> None:
        super().__init__()
        self.label = label


class ProgramHalt(Exception):
    """`halt` and `halt_error`: the whole run ends with a status, and maybe a message."""

    def __init__(self, status: int, message: Any = None) -> None:
        super().__init__()
        self.status, self.message = status, message


class JqProgramError(ValueError):
    """A text is no jq program; `messages` say why, each with its place."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__(messages[0].partition("\n")[0])
        self.messages = messages


def located_message(text: str, message: str, at: int) -> str:
    """A message with its place: the line, and a blank for each byte up to where it stands."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", start)
    line = text[start:] if end < 0 else text[start:end]
    number = text.count("\n", 0, at) + 1
    before = " " * len(bytes_of_text(text[start:at]))
    return f"jq: error: {message} at <top-level>, line {number}:\n{line}{before}"
