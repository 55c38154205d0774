"""The protocol of a source of commands for ReadLoop."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class LineSource(Protocol):
        """A source of commands, each as complete as the scanner can tell."""

        def read(self) -> str | None:
            """Return the next text, or None at the end; KeyboardInterrupt abandons a line."""
