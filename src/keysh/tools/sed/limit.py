"""How large a text may grow: a script must not fill the memory."""

from __future__ import annotations

from keysh.interp.state.call import Failure

LARGEST = 1 << 28  # characters that the pattern space and the hold space may have
PANIC = 4  # the status where there is no going on


def grown(text: str) -> None:
    """Refuse a text that has become too large."""
    if len(text) > LARGEST:
        raise Failure(f"a line has more than {LARGEST} characters", PANIC)
