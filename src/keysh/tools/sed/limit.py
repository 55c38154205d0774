"""The limit on the size of the pattern space and the hold space."""

from __future__ import annotations

from keysh.interp.state.call import CommandFailure

MAX_SPACE_CHARS = 1 << 28  # of the pattern space and of the hold space
PANIC_STATUS = 4  # GNU's status for fatal errors


def check_space_size(text: str) -> None:
    """Fail if a space has become too large."""
    if len(text) > MAX_SPACE_CHARS:
        raise CommandFailure(f"a line has more than {MAX_SPACE_CHARS} characters", PANIC_STATUS)
