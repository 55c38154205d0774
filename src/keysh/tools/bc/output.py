"""The output of bc, whose long lines are continued after a backslash."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.streams.streams import Writer

DEFAULT_WIDTH, MIN_WIDTH = 70, 3
MATCH_WIDTH = re.compile(r"\s*[-+]?[0-9]{1,9}").match  # as C's atoi, but at most nine digits
MAX_PENDING_CHARACTERS = 8192


class WrappedOutput:
    """Wraps output at a width; 0 means never."""

    __slots__ = ("_column", "_pending", "_parts", "_width", "_writer")

    def __init__(self, writer: Writer, width: int) -> None:
        self._writer = writer
        self._width = width - 2 if width else 0  # the characters before a backslash
        self._column = self._pending = 0
        self._parts: list[str] = []

    def write(self, text: str) -> None:
        """Write text, which may continue the current line."""
        if self._width:
            text = self._wrapped_text(text)
        self._parts.append(text)
        self._pending += len(text)
        if self._pending > MAX_PENDING_CHARACTERS:
            self.flush()

    def _wrapped_text(self, text: str) -> str:
        """Return text with continuations where lines are too long."""
        if self._column + len(text) <= self._width and "\n" not in text[:-1]:
            self._column = 0 if text.endswith("\n") else self._column + len(text)
            return text
        lines = text.split("\n")
        for i, line in enumerate(lines):
            room = self._width - self._column if i == 0 else self._width
            if len(line) > room:
                first, rest = line[:room], line[room:]
                pieces = [rest[at : at + self._width] for at in range(0, len(rest), self._width)]
                lines[i] = "\\\n".join([first, *pieces])
                self._column = len(pieces[-1])
            else:
                self._column = len(line) if i else self._column + len(line)
        return "\n".join(lines)

    def flush(self) -> None:
        """Write all pending text."""
        if self._parts:
            text = "".join(self._parts)
            self._parts.clear()
            self._pending = 0
            self._writer.write(text)


def line_width(env: Mapping[str, str]) -> int:
    """Return the width that BC_LINE_LENGTH sets."""
    text = env.get("BC_LINE_LENGTH", str(DEFAULT_WIDTH))
    match = MATCH_WIDTH(text)
    width = int(match[0]) if match is not None else 0
    return width if width == 0 or width >= MIN_WIDTH else DEFAULT_WIDTH
