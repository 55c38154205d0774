"""How large a text may grow: a script must not fill the memory."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure

MAX_SPACE_CHARS = 1 << 28  # characters that the pattern space and the hold space may have
PANIC_STATUS = 4  # the status where there is no going on


def check_space_size(text: str) -> None:
    """Refuse a text that has become too large."""
    if len(text) > MAX_SPACE_CHARS:
        raise CommandFailure(f"a line has more than {MAX_SPACE_CHARS} characters", PANIC_STATUS)
