"""Reading: what the loop asks of whatever reads lines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Lines(Protocol):
        """A source of texts, each of which is whole as far as can be told."""

        def read(self) -> str | None:
            """The next text; None at the end. KeyboardInterrupt where one is given up."""
